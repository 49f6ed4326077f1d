//! Pivots: an entry that is certainly not zero, or the certainty that all are.

use super::prove_all_zero;
use super::random::{Random, mix};
use super::verdict::{Reason, Verdict};
use super::witness::Sampler;
use crate::Expr;

/// Whether an expression vanishes identically could not be decided.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot decide whether `{expression}` vanishes identically: {why}")]
pub struct UndecidedZero {
    /// The expression.
    pub expression: Expr,
    /// What stood in the way.
    pub why: Reason,
}

/// Which of the expressions are certainly not zero, by enclosures at a few shared points. A guess in the
/// other direction: what is not marked may be zero or not.
pub fn certainly_nonzero(all: &[Expr]) -> Vec<bool> {
    let seed = all.iter().fold(5, |h, e| mix(h ^ e.0.hash));
    Sampler::new(all).which_nonzero(&mut Random::new(seed), SHARED_POINTS)
}

/// Points at which all candidates are looked at together.
const SHARED_POINTS: usize = 3;

/// The index of an entry that is certainly not zero, a number or else the shortest found; `None` if all are
/// proven to be zero.
///
/// ```
/// use rattleback_symbolic::{Expr, Symbol, find_nonzero};
/// let x = Expr::from(Symbol::variable("x"));
/// let hidden = x.sin().powi(2) + x.cos().powi(2) - 1;
/// assert_eq!(find_nonzero(&[hidden.clone(), x.exp(), x]).unwrap(), Some(2));
/// assert_eq!(find_nonzero(&[hidden]).unwrap(), None);
/// ```
pub fn find_nonzero(all: &[Expr]) -> Result<Option<usize>, UndecidedZero> {
    let number = |e: &Expr| e.as_number().is_some_and(|r| !r.is_zero());
    if let Some(i) = all.iter().position(number) {
        return Ok(Some(i));
    }
    let mut open: Vec<usize> = (0..all.len()).filter(|&i| !all[i].is_zero()).collect();
    if open.is_empty() {
        return Ok(None);
    }
    open.sort_by_cached_key(|&i| all[i].node_count());
    let candidates: Vec<Expr> = open.iter().map(|&i| all[i].clone()).collect();
    if let Some(i) = certainly_nonzero(&candidates).iter().position(|&yes| yes) {
        return Ok(Some(open[i]));
    }
    // What has a sign need not have an enclosure by doubles.
    if let Some(i) = candidates.iter().position(Expr::is_nonvanishing) {
        return Ok(Some(open[i]));
    }
    match prove_all_zero(&candidates) {
        Verdict::Proven { .. } => Ok(None),
        Verdict::Refuted { witness, .. } => Ok(Some(open[witness.which])),
        // One that is zero for certain is not the one to name.
        Verdict::Undecided { why } => Err(UndecidedZero {
            expression: candidates
                .iter()
                .find(|e| !super::prove_zero(e).is_proven())
                .unwrap_or(&candidates[0])
                .clone(),
            why,
        }),
    }
}
