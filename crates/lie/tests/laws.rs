//! The laws of every group at random elements, in doubles.

mod common;

use common::{GROUPS, algebra, assert_near, elements, scaled};
use proptest::prelude::*;
use rattleback_lie::{DirectProduct, Group, Retraction, Trivialization};

/// Σ x^k/k! of the matrix of ad_x applied to y.
fn exp_of_ad(group: Group, x: &[f64], y: &[f64]) -> Vec<f64> {
    let (mut term, mut sum) = (y.to_vec(), y.to_vec());
    for k in 1..60 {
        term = scaled(1.0 / f64::from(k), &group.bracket(x, &term));
        sum.iter_mut().zip(&term).for_each(|(s, t)| *s += t);
    }
    sum
}

fn pairing(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

proptest! {
    #[test]
    fn products_are_associative_and_inverses_invert(seeds in elements()) {
        for group in GROUPS {
            let [x, y, z] = [0, 1, 2].map(|k| algebra(group, &seeds[k]));
            let [g, h, k] = [&x, &y, &z].map(|x| group.exp(x));
            let left = group.product(&group.product(&g, &h), &k);
            assert_near(&left, &group.product(&g, &group.product(&h, &k)), 1e-13);
            assert_near(&group.product(&g, &group.inverse(&g)), &group.identity::<f64>(), 1e-13);
            assert_near(&group.product(&group.inverse(&g), &g), &group.identity::<f64>(), 1e-13);
            prop_assert!(group.distance(&left) < 1e-14);
            prop_assert!(group.relations(&left).iter().all(|r| r.abs() < 1e-14));
        }
    }

    #[test]
    fn adjoint_maps_are_homomorphisms(seeds in elements()) {
        for group in GROUPS {
            let [x, y, z] = [0, 1, 2].map(|k| algebra(group, &seeds[k]));
            let (g, h) = (group.exp(&x), group.exp(&y));
            let composed = group.adjoint(&g, &group.adjoint(&h, &z));
            assert_near(&group.adjoint(&group.product(&g, &h), &z), &composed, 1e-12);
            let inside = group.bracket(&group.adjoint(&g, &y), &group.adjoint(&g, &z));
            assert_near(&group.adjoint(&g, &group.bracket(&y, &z)), &inside, 1e-12);
            // Ad of exp is exp of ad.
            assert_near(&group.adjoint(&g, &z), &exp_of_ad(group, &x, &z), 1e-10);
            // Ad in coordinates: g hat(z) g⁻¹.
            let moved = group.rates(Trivialization::Body, &g, &z);
            assert_near(&group.velocity(Trivialization::Space, &g, &moved), &group.adjoint(&g, &z), 1e-12);
            assert_near(&group.velocity(Trivialization::Body, &g, &moved), &z, 1e-13);
            let mut nearest = vec![0.0; group.dimension()];
            group.nearest_velocity(&g, &moved, &mut nearest);
            assert_near(&nearest, &z, 1e-13);
        }
    }

    #[test]
    fn dual_maps_are_transposes(seeds in elements()) {
        for group in GROUPS {
            let [x, y, m] = [0, 1, 2].map(|k| algebra(group, &seeds[k]));
            let g = group.exp(&x);
            let close = |a: f64, b: f64| (a - b).abs() < 1e-11;
            prop_assert!(close(pairing(&group.coadjoint(&g, &m), &y), pairing(&m, &group.adjoint(&g, &y))));
            prop_assert!(close(pairing(&group.ad_star(&x, &m), &y), pairing(&m, &group.bracket(&x, &y))));
            for tau in Retraction::ALL {
                for side in [Trivialization::Body, Trivialization::Space] {
                    let x = scaled(0.3, &x);
                    let pulled = tau.cotangent(group, side, &x, &m);
                    prop_assert!(close(pairing(&pulled, &y), pairing(&m, &tau.tangent(group, side, &x, &y))));
                    let back = tau.cotangent_inverse(group, side, &x, &pulled).unwrap();
                    assert_near(&back, &m, 1e-11);
                }
            }
        }
    }

    #[test]
    fn brackets_fulfil_jacobi(seeds in elements()) {
        for group in GROUPS {
            let [x, y, z] = [0, 1, 2].map(|k| algebra(group, &seeds[k]));
            let nested = |a: &[f64], b: &[f64], c: &[f64]| group.bracket(a, &group.bracket(b, c));
            let (a, b, c) = (nested(&x, &y, &z), nested(&y, &z, &x), nested(&z, &x, &y));
            let sum: Vec<f64> = (0..x.len()).map(|k| a[k] + b[k] + c[k]).collect();
            assert_near(&sum, &vec![0.0; x.len()], 1e-12);
        }
    }

    #[test]
    fn products_of_groups_work_by_factors(seeds in elements()) {
        let group = DirectProduct::new(&[Group::SE2, Group::SU2, Group::R(2), Group::SO3]);
        let all: Vec<f64> = seeds.concat();
        let (x, y) = (&all[..11], &all[5..16]);
        for tau in Retraction::ALL {
            let x = scaled(0.3, x);
            let g = group.retract(tau, &x);
            assert_near(&group.unretract(tau, &g).unwrap(), &x, 1e-12);
            assert_near(&group.product(&g, &group.inverse(&g)), &group.identity::<f64>(), 1e-13);
            let there = group.tangent(tau, Trivialization::Space, &x, y);
            let back = group.tangent_inverse(tau, Trivialization::Space, &x, &there).unwrap();
            assert_near(&back, y, 1e-12);
            let (m, z) = (y, &all[3..14]);
            let gap = pairing(&group.coadjoint(&g, m), z) - pairing(m, &group.adjoint(&g, z));
            prop_assert!(gap.abs() < 1e-11);
            let gap = pairing(&group.ad_star(&x, m), z) - pairing(m, &group.bracket(&x, z));
            prop_assert!(gap.abs() < 1e-11);
        }
    }
}

#[test]
fn structure_constants_are_brackets_of_the_basis() {
    for group in GROUPS {
        let n = group.dimension();
        let mut constants = vec![0.0; n * n * n];
        for (a, b, d, c) in group.structure_constants() {
            assert!(a < b);
            constants[(a * n + b) * n + d] = c as f64;
            constants[(b * n + a) * n + d] = -(c as f64);
        }
        for a in 0..n {
            for b in 0..n {
                let bracket = group.bracket::<f64>(&group.basis(a), &group.basis(b));
                assert_eq!(bracket, constants[(a * n + b) * n..][..n], "{group}");
            }
        }
        // Brackets are commutators of the matrices.
        if group.matrix_size().is_some() {
            for (a, b, d, c) in group.structure_constants() {
                let [x, y] = [a, b].map(|k| group.hat::<f64>(&group.basis(k)));
                let (xy, yx) = (group.product(&x, &y), group.product(&y, &x));
                let commutator: Vec<f64> = xy.iter().zip(&yx).map(|(p, q)| p - q).collect();
                assert_eq!(group.vee(&commutator)[d], c as f64, "{group}");
            }
        }
    }
}

#[test]
fn names_are_read_back() {
    for group in GROUPS {
        let name = group.to_string();
        let (family, n) = name.trim_end_matches(')').split_once('(').unwrap();
        assert_eq!(Group::named(family, n.parse().unwrap()), Some(group));
    }
    assert_eq!(Group::named("SO", 4), None);
    assert_eq!(Group::named("R", 0), None);
}

/// What a group says of itself: its name finds it, its charts are charts, its orientation is its own.
#[test]
fn every_group_speaks_for_itself() {
    for group in Group::ALL {
        assert_eq!(Group::named(group.family(), group.number()), Some(group));
        assert_eq!(
            group.to_string(),
            format!("{}({})", group.family(), group.number())
        );
        let c: Vec<f64> = (1..=group.dimension()).map(|k| 0.2 * k as f64).collect();
        let g = group.rational_chart(&c);
        assert_near(&group.rational_parameters(&g), &c, 1e-14);
        assert!(group.orientation(&g).iter().all(|e| e.abs() < 1e-14));
        let signs = group.chart_signs();
        assert!(signs[0].iter().all(|s| *s == 1));
        for turned in signs {
            let h: Vec<f64> = turned.iter().zip(&g).map(|(s, x)| *s as f64 * x).collect();
            assert!(group.distance(&h) < 1e-14, "{group}: {h:?}");
        }
    }
    for nobody in [("SO", 4), ("R", 0), ("SU", 0), ("GL", 2)] {
        assert_eq!(Group::named(nobody.0, nobody.1), None);
    }
}

/// The rotation about an axis is the exponential of its angle times the axis, where elements are no matrices.
#[test]
fn turns_are_exponentials() {
    let (axis, angle) = ([0.6, 0.0, -0.8], 0.7);
    for group in Group::ALL {
        if let Some(turn) = group.turn_about(&axis, &angle) {
            assert_near(&turn, &group.exp(&scaled(angle, &axis)), 1e-15);
        }
    }
    assert!(Group::SU2.turn_about(&axis, &angle).is_some());
}
