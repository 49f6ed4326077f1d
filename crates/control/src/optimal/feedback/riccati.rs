//! The Riccati equation along a path, backwards: −P' = AᵀP + PA − PBR⁻¹BᵀP + Q.
//!
//! Over a short step with the coefficients of its middle, P = Y X⁻¹ follows the linear Hamiltonian system
//! (X, Y)' = [[A, −BR⁻¹Bᵀ], [−Q, −Aᵀ]] (X, Y), whose flow is an exponential: P stays symmetric, and large gains are no
//! stiff equation.

use super::beside::Linear;
use rattleback_numeric::{Dense, Plant, Regulator, Time, Weights, exponential};

/// Steps of the equation along a path, at least.
const STEPS: usize = 200;

/// R⁻¹BᵀP at the nodes, by rows of controls, for Q and R that weigh deviations by their sizes.
pub(super) fn gains(
    times: &[f64],
    systems: &[Linear],
    sizes: &(Vec<f64>, Vec<f64>),
) -> Option<Vec<Vec<f64>>> {
    let weight = |sizes: &[f64]| {
        Dense::new(sizes.len(), sizes.len(), |i, j| match i == j {
            true => sizes[i].powi(-2),
            false => 0.0,
        })
    };
    let (q, r) = (weight(&sizes.0), weight(&sizes.1));
    let last = systems.len() - 1;
    let horizon = times[last] - times[0];
    let mut p = at_the_end(&systems[last], &q, &r, horizon);
    let gain = |system: &Linear, p: &Dense| -> Option<Vec<f64>> {
        let k = r.solve(&(&system.b.transposed() * p)).ok()?;
        let finite = k.entries().iter().all(|x| x.is_finite());
        finite.then(|| k.entries().to_vec())
    };
    let mut all = vec![gain(&systems[last], &p)?];
    let parts = STEPS.div_ceil(last.max(1)).max(1);
    for k in (0..last).rev() {
        let h = (times[k + 1] - times[k]) / parts as f64;
        for part in (0..parts).rev() {
            let s = (part as f64 + 0.5) / parts as f64;
            let mix = |a: &Dense, b: &Dense| &a.scaled(1.0 - s) + &b.scaled(s);
            let a = mix(&systems[k].a, &systems[k + 1].a);
            let b = mix(&systems[k].b, &systems[k + 1].b);
            p = stepped(&a, &b, &q, &r, &p, h)?;
        }
        all.push(gain(&systems[k], &p)?);
    }
    all.reverse();
    Some(all)
}

/// The regulator of the end state held fast, where there is one; else the deviation there weighs as over the horizon.
fn at_the_end(system: &Linear, q: &Dense, r: &Dense, horizon: f64) -> Dense {
    let plant = Plant {
        a: &system.a,
        b: &system.b,
        time: Time::Continuous,
    };
    let weights = Weights {
        state: q,
        control: r,
        cross: None,
    };
    match Regulator::of(plant, weights) {
        Ok(found) => found.cost,
        Err(_) => q.scaled(horizon),
    }
}

/// P one step earlier.
fn stepped(a: &Dense, b: &Dense, q: &Dense, r: &Dense, p: &Dense, h: f64) -> Option<Dense> {
    let n = a.rows();
    let s = b * &r.solve(&b.transposed()).ok()?;
    let field = Dense::new(2 * n, 2 * n, |i, j| match (i < n, j < n) {
        (true, true) => a[(i, j)],
        (true, false) => -s[(i, j - n)],
        (false, true) => -q[(i - n, j)],
        (false, false) => -a[(j - n, i - n)],
    });
    let flow = exponential(&field.scaled(-h)).ok()?;
    let block = |i: usize, j: usize| flow.part((i * n, j * n), n, n);
    let x = &block(0, 0) + &(&block(0, 1) * p);
    let y = &block(1, 0) + &(&block(1, 1) * p);
    // P = Y X⁻¹ is symmetric: Xᵀ P = Yᵀ.
    let found = x.transposed().solve(&y.transposed()).ok()?;
    Some(found.symmetrised())
}
