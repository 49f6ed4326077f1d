//! Programs with stages: least sums of functions of neighbours, under equations and bounds.
//!
//! ```text
//! min Σ f_i(z_k, z_{k+1}, p)   with   c_i(z_k, z_{k+1}, p) = 0   and   l ≤ (z, p) ≤ u
//! ```
//!
//! Every function touches two neighbouring blocks of variables and what all share, so that the KKT matrix is
//! block-tridiagonal with a border. Nothing here knows of motions.

mod abnormal;
mod assembly;
mod conditions;
mod descent;
mod filter;
mod fronts;
mod inertia;
mod line_search;
mod newton;
mod norm;
mod outcome;
mod problem;
mod restoration;
mod solver;
mod step;
mod term;
mod tolerance;
mod units;

pub use abnormal::is_abnormal;
pub use assembly::Slopes;
pub use descent::{descent, flat_direction, is_strict_in};
pub use outcome::{Ending, Iterate, Options, Outcome, Watch};
pub use problem::{Chart, Piece, Point, StageProblem};
pub use solver::solve;
pub use term::{Term, TermError};
pub use units::{Units, unit_of};

pub use newton::stationary;
