//! Newton's method for the implicit systems inside a program.

use super::interpreter::Interpreter;
use super::op::FaultKind;
use rattleback_numeric::{Guess, Newton, Verdict, Workspace, largest_entry};

/// Where programs begin. They have no memory: the same input gives the same bits whatever was computed before, here, in
/// machine code and in exported programs, so no solution before this one is a guess.
const GUESS: Guess<'static> = Guess::Zero;

/// Solves `residuals(known, x) = 0` by damped Newton steps.
pub(super) fn newton(
    equations: &Interpreter,
    size: usize,
    known: &[f64],
) -> Result<Vec<f64>, FaultKind> {
    let mut inputs = known.to_vec();
    inputs.resize(known.len() + size, 0.0);
    let mut memory = vec![0.0; Workspace::length(size)];
    let mut work = Workspace::of(size, &mut memory);
    let scale = largest_entry(known);
    let outcome = Newton::beside(scale).solve(GUESS, &mut work, |x, values| {
        inputs[known.len()..].copy_from_slice(x);
        let found = equations.values(&inputs).map_err(|fault| fault.kind)?;
        values.copy_from_slice(&found);
        Ok(())
    })?;
    match outcome.verdict {
        Verdict::Converged if scale.is_finite() => Ok(work.solution().to_vec()),
        Verdict::Singular { pivot } => Err(FaultKind::Singular(pivot as u32)),
        _ => Err(FaultKind::NotConverged(outcome.residual)),
    }
}
