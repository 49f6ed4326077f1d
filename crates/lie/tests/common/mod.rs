//! Groups and random elements for the tests.
#![allow(dead_code)]

use proptest::prelude::*;
use rattleback_lie::Group;

pub const GROUPS: [Group; 6] = Group::ALL;

/// Three lists of six numbers, to be cut to the dimension of a group.
pub fn elements() -> impl Strategy<Value = [Vec<f64>; 3]> {
    let one = || prop::collection::vec(-2.0..2.0, 6);
    [one(), one(), one()]
}

pub fn algebra(group: Group, seed: &[f64]) -> Vec<f64> {
    seed[..group.dimension()].to_vec()
}

pub fn scaled(factor: f64, x: &[f64]) -> Vec<f64> {
    x.iter().map(|x| factor * x).collect()
}

#[track_caller]
pub fn assert_near(a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    for (x, y) in a.iter().zip(b) {
        let gap = (x - y).abs() / x.abs().max(y.abs()).max(1.0);
        assert!(gap <= tolerance, "{x} is not {y}: {gap:e}\n{a:?}\n{b:?}");
    }
}
