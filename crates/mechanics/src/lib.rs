//! Lagrangian and Hamiltonian formulations of every kind, from one derivation engine.
//!
//! Everything is exact: floating-point numbers appear only where equations are compiled.

mod auxiliary;
mod balance;
mod changes;
mod chaplygin;
mod constraints;
pub mod discrete;
pub mod engine;
mod equations;
mod error;
mod explicit;
pub mod fibre;
mod form;
mod formulation;
mod linear;
pub mod optimality;
mod orbits;
mod origin;
pub mod phase;
mod pivots;
pub mod problem;
mod rest;
mod restriction;
mod spoken;
mod state_space;
mod system;
pub mod tidy;

pub use chaplygin::{Chaplygin, ChaplyginTime, NoReduction, Orbits, Seeing};
pub use constraints::{ConstraintOrigin, Constraints};
pub use engine::MassForm;
pub use equations::{BracketMatrix, Entry, Equations, Initial, Quantity, Stage};
pub use error::MechanicsError;
pub use formulation::{Form, UnknownForm};
pub use linear::{Chart, Direction, Inexact, LinearSystem, Point, VariationalEquations};
pub use problem::{
    Abbreviation, Auxiliary, Bound, Condition, ConditionKind, Control, Family, FlatOutput, Guess,
    Input, NotVaried, Origin, Parameter, Piece, Place, Problem, Remark, RemarkKind, Varied, Via,
};
pub use rattleback_language::{
    Clock, ConstraintKind, Given, Group, Names, Relation, Trivialization, Update, Value, Values,
    at_next, at_start,
};
pub use rest::energy_at_rest;
pub use restriction::Restriction;
pub use state_space::{Slot, SlotRole, StateSpace};
pub use system::{
    Factor, FirstOrder, JetConstraint, NamedSection, Regularity, System, VariationalConstraint,
};
