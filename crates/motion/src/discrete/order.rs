//! The order of a discrete map, measured.

use super::map::{MomentumMap, Node};

/// How many steps of the given length a comparison takes.
const STEPS: usize = 16;
/// Differences below this part of the state are rounding.
const ROUNDING: f64 = 1e-11;
/// Two halvings show the same order up to this; clear of rounding, those of the step that is asked for may differ by more,
/// which is long for the motion then.
const AGREED: f64 = 0.25;
const CLEAR: f64 = 1e-8;
/// The step is doubled so often to come clear of rounding.
const DOUBLINGS: u32 = 6;

/// log₂ of |x_{H/2} − x_{H/4}|/|x_{H/4} − x_{H/8}|, the largest over 16 nodes that are H apart, where x_H is followed with
/// steps of length H: at a single time errors can cancel. H is h, or longer where the differences would be rounding: near
/// that, the halving before must show the same order. None where a step fails or nothing is seen.
pub fn measured_order(
    start: &[f64],
    h: f64,
    mut advance: impl FnMut(f64, &[f64], f64) -> Option<Vec<f64>>,
) -> Option<f64> {
    for doubling in 0..=DOUBLINGS {
        let step = h * f64::from(2u32.pow(doubling));
        let mut path = |pieces: usize| -> Option<Vec<f64>> {
            let (n, length) = (STEPS * pieces, step / pieces as f64);
            let mut x = start.to_vec();
            let mut nodes = Vec::with_capacity(STEPS * x.len());
            for k in 0..n {
                x = advance(k as f64 * length, &x, length)?;
                if (k + 1) % pieces == 0 {
                    nodes.extend_from_slice(&x);
                }
            }
            Some(nodes)
        };
        let paths = [path(1)?, path(2)?, path(4)?, path(8)?];
        let size = paths[3].iter().fold(1.0, |m: f64, x| m.max(x.abs()));
        let [coarse, middle, fine] = [0, 1, 2].map(|k| distance(&paths[k], &paths[k + 1]));
        let [before, order] = [coarse / middle, middle / fine].map(f64::log2);
        // Differences that do not shrink with the step are rounding that adds up: there is no order in them.
        let is_seen = fine > ROUNDING * size && order > 0.0;
        let is_long = doubling == 0 && fine > CLEAR * size;
        if is_seen && ((before - order).abs() <= AGREED || is_long) {
            return Some(order);
        }
    }
    None
}

/// Where along a motion discrete Lagrangians are compared, in steps: at a single place an error can vanish by accident.
const PHASES: [f64; 5] = [0.0, 0.37, 0.81, 1.64, 2.57];

/// Two halvings of the step show the same power of it up to this, and at least that one: rounding shows none, however large
/// what cancels is.
const SAME_ORDER: f64 = 0.5;
const LEAST_ORDER: f64 = 0.75;

/// The order r with |L_d − L_d^ex| ~ h^(r+1) along a motion, by the largest error over several places (CG-E9, G9). It is
/// the order of the map only where L_d is regular uniformly in h. `exact` is the flow, `lagrangian` gives L_d at a time,
/// a step and two points.
pub fn variational_order(
    exact: &MomentumMap,
    node: &Node,
    lagrangian: impl Fn(f64, f64, &[f64], &[f64]) -> Option<f64>,
) -> Option<f64> {
    let h = exact.step();
    let place = |phase: f64| match phase > 0.0 {
        true => Some(exact.advance_over(0, node, phase * h).ok()?.0),
        false => Some(node.clone()),
    };
    let places: Option<Vec<(f64, Node)>> = PHASES.iter().map(|p| Some((*p, place(*p)?))).collect();
    let places = places?;
    let error = |h: f64| -> Option<(f64, f64)> {
        let mut largest = (0.0f64, 1.0f64);
        for (phase, place) in &places {
            let t = exact.begins() + phase * exact.step();
            let (end, action) = exact.advance_at(t, place, h).ok()?;
            let l = lagrangian(t, h, &place.q, &end.q)?;
            largest.0 = largest.0.max((l - action).abs());
            largest.1 = largest.1.max(1.0 + action.abs());
        }
        Some(largest)
    };
    let (mut least, mut fine) = (error(h / 4.0)?, error(h / 2.0)?);
    for doubling in 0..=DOUBLINGS {
        let coarse = error(h * f64::from(2u32.pow(doubling)))?;
        let (order, before) = ((coarse.0 / fine.0).log2(), (fine.0 / least.0).log2());
        let is_order = order.min(before) >= LEAST_ORDER && (order - before).abs() <= SAME_ORDER;
        if is_order && least.0 > ROUNDING * least.1 {
            return Some(order - 1.0);
        }
        (least, fine) = (fine, coarse);
    }
    None
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    differences.fold(0.0, f64::max)
}
