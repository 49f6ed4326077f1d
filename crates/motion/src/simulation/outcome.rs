//! What following a motion comes to.

use super::coarser::Coarser;
use super::guard::Guard;
use super::watch::Size;
use rattleback_compile::RecordKind;
use rattleback_integrate::End;

/// One row of the record: time, state, recorded quantities.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a>(pub &'a [f64]);

/// An event that has fired.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Which one.
    pub event: usize,
    /// When.
    pub time: f64,
    /// The state there.
    pub state: Vec<f64>,
    /// The whole row there: time, state, recorded quantities.
    pub row: Vec<f64>,
}

/// The momentum of a declared symmetry along a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Momentum {
    /// Its name.
    pub name: String,
    /// Its largest change.
    pub change: f64,
    /// Is it proven that it does not change?
    pub conserved: bool,
}

/// What a simulation came to.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Why it ended; none if it failed.
    pub end: Option<End>,
    /// What went wrong, where and what to try.
    pub failure: Option<String>,
    /// The last row.
    pub row: Vec<f64>,
    /// How large its columns got.
    pub sizes: Vec<Size>,
    /// Accepted steps.
    pub steps: u64,
    /// Rejected trials.
    pub rejected: u64,
    /// Evaluations of the right-hand side.
    pub evaluations: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// E(0).
    pub energy_start: Option<f64>,
    /// The work W of forces, time and moving constraints until the end; none where there is none, or it is not known.
    pub work: Option<f64>,
    /// The largest |E(t) − E(0)|.
    pub energy_change: Option<f64>,
    /// The largest |E(t) − E(0) − W(t)|; none where W is not known.
    pub energy_error: Option<f64>,
    /// The largest |residual| of a constraint.
    pub constraint_residual: Option<f64>,
    /// What became of each symmetry's momentum.
    pub momenta: Vec<Momentum>,
    /// Where the motion is less accurate than was asked for.
    pub warnings: Vec<String>,
    /// How far the same motion comes off when it is followed more coarsely; none where it was not.
    pub coarser: Option<Coarser>,
    /// The farthest that a group element came off its group.
    pub group_distance: Option<f64>,
    /// When singular positions of the constraints were passed, along the branch that the motion came on.
    pub passed: Vec<f64>,
    /// Events in the order in which they fired.
    pub hits: Vec<Hit>,
}

/// What became of the momenta of symmetries.
pub(super) fn momenta(guard: &Guard) -> Vec<Momentum> {
    let watched = guard.watched.iter();
    watched
        .filter(|w| w.kind == RecordKind::SymmetryMomentum)
        .map(|w| Momentum {
            name: w.name.to_string(),
            change: w.change,
            conserved: w.is_kept,
        })
        .collect()
}
