//! Equations as programs over floating-point numbers: the interpreter and the start state.
//!
//! Floating point begins here; nothing in this crate chooses steps.

mod assembly;
mod at_start;
mod evaluator;
mod guess;
mod linear;
mod motion;
pub mod program;
mod quadrature;
mod staged;
mod start;
mod table;
pub mod taylor;

pub use at_start::{AtStart, NoValue};
pub use evaluator::{Evaluation, Evaluator};
pub use linear::{Charted, LinearizationError, Linearizer};
pub use motion::{
    Course, GroupEntry, Motion, Record, RecordKind, Regular, RegularKind, Variation,
    VariationError, kind_of,
};
pub use quadrature::{CompiledQuadrature, QuadratureError};
pub use rattleback_numeric::SingularMatrix;
pub use staged::{EvaluationError, Staged};
pub use start::{StartError, StartState};
pub use table::{Between, Table, TableError, Tables};
