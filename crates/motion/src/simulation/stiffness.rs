//! Stiffness at the start: something dies out much faster than the motion lasts.

use super::choice::Choice;
use super::error::SimulationError;
use super::method::Method;
use rattleback_compile::Motion;
use rattleback_compile::program::Interpreter;
use rattleback_integrate::Tolerance;

/// Explicit steps are about as long as the fastest decay takes. This many of them cost more than the implicit
/// steps that do without, at this tolerance.
const MANY: f64 = 1e5;
const TOLERANCE: f64 = 1e-9;
/// Rounds of the power method, and what may be left of the image of its vector.
const ROUNDS: usize = 100;
const REMAINDER: f64 = 1e-3;

/// So many explicit steps cost more than implicit ones with this tolerance ε: those of Radau IIA are as many as
/// ε^(−1/4), while decay limits explicit ones whatever the tolerance.
fn many(tolerance: Tolerance) -> f64 {
    let larger = tolerance.relative.max(tolerance.absolute);
    MANY * (TOLERANCE / larger).sqrt().sqrt()
}

/// Radau IIA, where the start state (t, x) of a motion of this length is stiff.
pub(super) fn implicit(
    motion: &Motion,
    (t, x): (f64, &[f64]),
    given: &[f64],
    span: f64,
    tolerance: Tolerance,
) -> Result<Option<Choice>, SimulationError> {
    let n = x.len();
    let inputs = [&[t], x, given].concat();
    let jacobian = motion.rates()?.jacobian(1..1 + n);
    let Ok(jacobian) = Interpreter::new(jacobian).values(&inputs) else {
        return Ok(None);
    };
    let rate = fastest_decay(&jacobian, n).filter(|rate| rate * span.abs() > many(tolerance));
    Ok(rate.map(|rate| Choice {
        method: Method::RADAU5,
        series: None,
        reason: Some(format!(
            "stiff at the start, where something decays at the rate {rate:.1e}"
        )),
    }))
}

/// −λ for the eigenvalue λ of the largest size, if that is real and negative.
fn fastest_decay(jacobian: &[f64], n: usize) -> Option<f64> {
    let image = |v: &[f64]| -> Vec<f64> {
        let rows = jacobian.chunks_exact(n.max(1));
        rows.map(|row| dot(row, v)).collect()
    };
    // No symmetry of a model makes such a start orthogonal to what is sought.
    let mut v: Vec<f64> = (0..n).map(|i| 1.0 + 0.37 * (i as f64).sin()).collect();
    for _ in 0..ROUNDS {
        let next = image(&v);
        let size = dot(&next, &next).sqrt();
        v = next.into_iter().map(|x| x / size).collect();
    }
    let next = image(&v);
    let eigenvalue = dot(&v, &next);
    let rest = next
        .iter()
        .zip(&v)
        .map(|(a, b)| (a - eigenvalue * b).powi(2));
    let is_one = rest.sum::<f64>().sqrt() <= REMAINDER * eigenvalue.abs();
    (is_one && eigenvalue < 0.0).then_some(-eigenvalue)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_digits_want_more_implicit_steps() {
        let at = |tolerance| many(Tolerance::both(tolerance));
        assert_eq!(at(1e-9), MANY);
        assert!((at(1e-5) / at(1e-9) - 0.1).abs() < 1e-12);
        assert!((at(1e-13) / at(1e-9) - 10.0).abs() < 1e-10);
    }

    #[test]
    fn decays_are_told_from_oscillations_and_growth() {
        let decay = |j: &[f64], n| fastest_decay(j, n);
        let stiff = decay(&[0.0, 1.0, -1.0, -3000.0], 2).unwrap();
        assert!((stiff - 3000.0).abs() < 1.0, "{stiff}");
        assert_eq!(decay(&[0.0, 1.0, -1e8, 0.0], 2), None);
        assert_eq!(decay(&[0.0, 1.0, -1e8, -1e2], 2), None);
        assert_eq!(decay(&[0.0, 1.0, 1e8, 0.0], 2), None);
        assert_eq!(decay(&[0.0; 4], 2), None);
        assert_eq!(decay(&[f64::NAN; 4], 2), None);
        assert_eq!(decay(&[], 0), None);
    }
}
