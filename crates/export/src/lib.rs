//! Equations as source code for use elsewhere: C, Rust, Python.
//!
//! The source is self-contained and meant to be read: arguments by name, intermediate values named
//! after what they are, the model's comments beside the declarations.

mod body;
mod c;
mod dialect;
mod formula;
mod frame;
mod motion;
mod names;
mod problem;
mod python;
mod routines;
mod rust;

pub use problem::ExportError;

use rattleback_compile::Tables;
use rattleback_compile::program::Program;

/// The language of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// C99 with the standard mathematical library.
    C,
    /// Rust with the standard library.
    Rust,
    /// Python 3 with the standard library.
    Python,
}

/// A named number: a component of the state, or a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name in the model language.
    pub name: String,
    /// Its value at the start, or its default.
    pub value: f64,
    /// What the model says about it.
    pub note: Option<String>,
}

impl Variable {
    /// The model's name, where the identifier is another one, and the comment.
    fn described(&self, identifier: &str) -> Option<String> {
        let renamed = (self.name != identifier).then(|| self.name.clone());
        match (renamed, &self.note) {
            (Some(name), Some(note)) => Some(format!("{name}: {note}")),
            (Some(name), None) => Some(name),
            (None, note) => note.clone(),
        }
    }
}

/// A function to write.
#[derive(Clone, Debug)]
pub struct Routine {
    /// Its name: `rates`, `energy`, ….
    pub name: String,
    /// What it gives.
    pub note: String,
    /// Inputs: time, state, parameters, coefficients of the tables.
    pub program: Program,
    /// The name of each output in the model language.
    pub outputs: Vec<String>,
}

/// What is written: a state, parameters, the rates of the state, and further functions of it.
#[derive(Clone, Debug)]
pub struct Export {
    /// The name of the system.
    pub name: String,
    /// Lines at the head: the title, what the model says, the formulation.
    pub notes: Vec<String>,
    /// The state with its start values.
    pub state: Vec<Variable>,
    /// The parameters and controls with their values.
    pub parameters: Vec<Variable>,
    /// The tables that feed controls.
    pub tables: Tables,
    /// The rates of the state; its outputs are the components of the state.
    pub rates: Routine,
    /// Further functions of time, state and parameters.
    pub functions: Vec<Routine>,
}

/// The source in the target's language.
pub fn export(what: &Export, target: Target) -> String {
    match target {
        Target::C => c::write(what),
        Target::Rust => frame::write::<rust::Rust>(what),
        Target::Python => frame::write::<python::Python>(what),
    }
}
