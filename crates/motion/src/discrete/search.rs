//! Newton's method on a few unknowns, with the failures of discrete computations.

use super::error::ActionError;
use rattleback_numeric::{Guess, Newton, Verdict, Workspace};

/// Solves r(x) = 0 from a guess; `evaluate` writes the Jacobian by rows, then the residual.
pub(super) fn solve(
    guess: &[f64],
    evaluate: impl FnMut(&[f64], &mut [f64]) -> Result<(), ActionError>,
) -> Result<Vec<f64>, ActionError> {
    let size = guess.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    beside(size, guess, evaluate)
}

/// The same, with residuals that are small beside quantities of this size.
pub(super) fn beside(
    size: f64,
    guess: &[f64],
    evaluate: impl FnMut(&[f64], &mut [f64]) -> Result<(), ActionError>,
) -> Result<Vec<f64>, ActionError> {
    let mut memory = vec![0.0; Workspace::length(guess.len())];
    let mut work = Workspace::of(guess.len(), &mut memory);
    let outcome = Newton::beside(size).solve(Guess::Given(guess), &mut work, evaluate)?;
    match outcome.verdict {
        Verdict::Converged => Ok(work.solution().to_vec()),
        Verdict::Singular { .. } => Err(ActionError::Conjugate),
        _ => Err(ActionError::NotFound {
            residual: outcome.residual,
        }),
    }
}
