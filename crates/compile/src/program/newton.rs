//! Newton's method for the implicit systems inside a program.

use super::interpreter::Interpreter;
use super::op::FaultKind;
use crate::dense::solve;

const MOST_STEPS: usize = 60;

/// Solves `residuals(known, x) = 0` by damped Newton steps from zero: a step is halved until the
/// residual goes down.
pub(super) fn newton(
    equations: &Interpreter,
    size: usize,
    known: &[f64],
) -> Result<Vec<f64>, FaultKind> {
    let mut inputs = known.to_vec();
    inputs.resize(known.len() + size, 0.0);
    let mut at = |x: &[f64]| {
        inputs[known.len()..].copy_from_slice(x);
        let values = equations.values(&inputs);
        let mut jacobian = values.map_err(|fault| fault.kind)?;
        let residual = jacobian.split_off(size * size);
        Ok((jacobian, residual))
    };
    let mut x = vec![0.0; size];
    let (mut jacobian, mut residual) = at(&x)?;
    for _ in 0..MOST_STEPS {
        let mut step = residual.clone();
        solve(&mut jacobian, &mut step)
            .map_err(|singular| FaultKind::Singular(singular.pivot as u32))?;
        let size_now = norm(&residual);
        let mut damping = 1.0;
        let (next, values) = loop {
            let trial: Vec<f64> = x.iter().zip(&step).map(|(x, s)| x - damping * s).collect();
            let values = at(&trial)?;
            if norm(&values.1) < size_now || damping < 1e-10 || size_now == 0.0 {
                break (trial, values);
            }
            damping /= 2.0;
        };
        let moved = norm(&step) * damping;
        x = next;
        (jacobian, residual) = values;
        if moved <= 1e-15 * (1.0 + norm(&x)) {
            break;
        }
    }
    let (left, scale) = (norm(&residual), norm(known));
    if scale.is_finite() && left <= 1e-10 * (1.0 + scale) {
        Ok(x)
    } else {
        Err(FaultKind::NotConverged(left))
    }
}

/// The largest entry; anything that is not a number counts as infinite.
fn norm(r: &[f64]) -> f64 {
    r.iter().fold(0.0f64, |m, v| {
        if v.is_nan() {
            f64::INFINITY
        } else {
            m.max(v.abs())
        }
    })
}
