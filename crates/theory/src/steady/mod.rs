//! Steady states: of rest, or carried along by symmetries, with what is known of them.

mod group_lines;
mod rates;
mod relation;
mod values;

pub(crate) use group_lines::{lines, rotation_entries};
pub(crate) use rates::{free_rates, open_rates, rate_at_start, with_least_rates};
pub use relation::Relation;
pub(crate) use values::{at_values, neutral_value, start_value, stated_value};

use crate::{Answer, Reason};
use rattleback_mechanics::NamedSection;
use rattleback_symbolic::{Expr, Matrix, Symbol};

/// A state of rest, or one that symmetries carry along; a family where something is free.
#[derive(Clone, Debug)]
pub struct SteadyState {
    /// Symmetries with their rates; none for an equilibrium.
    pub carried: Vec<(NamedSection, Expr)>,
    /// Positions that are determined.
    pub positions: Vec<(Symbol, Expr)>,
    /// Velocities.
    pub velocities: Vec<(Symbol, Expr)>,
    /// Positions and rates that are free.
    pub free: Vec<Symbol>,
    /// Free positions that the formulas put at the start: symmetries carry them anywhere else.
    pub gauge: Vec<(Symbol, Expr)>,
    /// Those of them that symmetries carry nowhere else without turning the velocities.
    pub placed: Vec<(Symbol, Expr)>,
    /// What must hold for it to be real.
    pub conditions: Vec<Relation>,
    /// What must not vanish on it.
    pub nonzero: Vec<Expr>,
    /// Positions and velocities as exact constants, for the values of the parameters and free ones from the start;
    /// none where the conditions fail there.
    pub values: Option<Vec<(Symbol, Expr)>>,
    /// Free ones that may decide on stability, as the start has them: no symmetry carries the state along them.
    pub judged_at: Vec<(Symbol, Expr)>,
    /// What is known of its stability there.
    pub stability: Stability,
}

impl SteadyState {
    /// Is nothing moving?
    pub fn is_equilibrium(&self) -> bool {
        self.carried.is_empty()
    }
}

/// What is known of the stability of a state, for the values of the parameters.
#[derive(Clone, Debug)]
pub struct Stability {
    /// Is it stable in Lyapunov's sense, modulo the orbit of the symmetries and along the family?
    pub stable: Answer,
    /// The names of independent directions.
    pub state: Vec<String>,
    /// A at the values, as exact constants; none where there is no linear system.
    pub matrix: Option<Matrix>,
    /// Under which conditions on parameters and free ones the modes across the family do not grow, where these are
    /// short.
    pub conditions: Vec<Relation>,
    /// Do all motions nearby come to the family: do the modes across it die out?
    pub attracts: bool,
}

impl Stability {
    /// Nothing is known, for this reason.
    pub(crate) fn open(why: impl Into<Reason>) -> Self {
        Self {
            stable: Answer::undecided(why),
            state: Vec::new(),
            matrix: None,
            conditions: Vec::new(),
            attracts: false,
        }
    }
}
