//! What is asked of a solve, who watches it, and how it ends.

use super::problem::{Point, StageProblem};
use super::step::BoundMultipliers;
use rattleback_numeric::Inertia;

/// What is asked of a solve.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The largest slope of the Lagrangian that counts as none, relative to the multipliers.
    pub optimality: f64,
    /// The largest violation of a constraint that counts as none.
    pub feasibility: f64,
    /// The most iterations.
    pub iterations: usize,
    /// The barrier to begin with; none for one that fits the start.
    pub barrier: Option<f64>,
    /// Is a minimum asked for? Then saddles are left.
    pub minimum: bool,
    /// What the objective is multiplied by: tolerances are met by the product.
    pub weight: f64,
    /// Is a stationary violation left for points beside? It may be stationary where the slope of a constraint vanishes.
    pub leaves: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            optimality: 1e-9,
            feasibility: 1e-10,
            iterations: 1000,
            barrier: None,
            minimum: true,
            weight: 1.0,
            leaves: false,
        }
    }
}

/// A point with its multipliers.
#[derive(Clone, Debug, Default)]
pub struct Iterate {
    /// The point.
    pub point: Point,
    /// λ of f + λ·c.
    pub multipliers: Vec<f64>,
    /// The multipliers of the bounds.
    pub bounds: BoundMultipliers,
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ending {
    /// The conditions hold.
    Solved,
    /// They hold as far as rounding lets them.
    Acceptable,
    /// The violation of the constraints has a least value above zero.
    Infeasible,
    /// The objective or the variables run away.
    Unbounded,
    /// A function has no value.
    NoValue {
        /// At which piece.
        piece: usize,
    },
    /// The most iterations were made.
    IterationLimit,
    /// Somebody stopped it.
    Interrupted,
}

/// The end of a solve.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub ending: Ending,
    /// The last point.
    pub iterate: Iterate,
    /// The objective there.
    pub objective: f64,
    /// How many iterations were made.
    pub iterations: usize,
    /// The largest slope of the Lagrangian.
    pub optimality: f64,
    /// The largest violation, and of which constraint.
    pub infeasibility: (f64, usize),
    /// The inertia of the KKT matrix at the end, where it has factors.
    pub inertia: Option<Inertia>,
    /// What the constraints and bounds are worth, to first order, that are met up to tolerances only.
    pub slack: f64,
    /// Does a bound hold a variable?
    pub held: bool,
}

impl Outcome {
    /// Do the conditions of first order hold?
    pub fn is_solved(&self) -> bool {
        matches!(self.ending, Ending::Solved | Ending::Acceptable)
    }

    /// Does the objective fall along some direction, to second order?
    pub(super) fn has_descent(&self, problem: &StageProblem) -> bool {
        let more = |i: Inertia| i.negative > problem.constraints();
        self.is_solved() && self.inertia.is_some_and(more)
    }
}

/// Who watches a solve, and may end it.
pub trait Watch {
    /// Shall the solve end?
    fn stop(&self) -> bool {
        false
    }
    /// An iteration has been made: its number, the violation and the slope.
    fn progress(&self, _iteration: usize, _infeasibility: f64, _optimality: f64) {}
}

/// Nobody watches.
impl Watch for () {}
