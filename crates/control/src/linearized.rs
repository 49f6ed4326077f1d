//! A system's linear system about a state or along a motion, with its name.

use crate::{Along, Linearization, LinearizeError, Place, Question, Sample};
use rattleback_mechanics::{NamedSection, Problem};
use rattleback_theory::{Effort, SymmetryReport, is_symmetry};

/// A linear system about a state.
#[derive(Debug)]
pub struct Linearized {
    /// The name of the system.
    pub name: String,
    /// Its title.
    pub title: Option<String>,
    /// The linear system and what it tells.
    pub system: Linearization,
}

/// Linear systems along a motion.
#[derive(Debug)]
pub struct LinearizedAlong {
    /// The name of the system.
    pub name: String,
    /// Its title.
    pub title: Option<String>,
    /// The names of the entries of the states.
    pub state: Vec<String>,
    /// The names of the controls.
    pub inputs: Vec<String>,
    /// The names of the outputs.
    pub outputs: Vec<String>,
    /// One system per row of the motion.
    pub samples: Vec<Sample>,
}

impl Linearized {
    /// Linearises about a place; with `closed` the laws of the inputs are part of the system.
    pub fn of(problem: &Problem, place: Place, closed: bool) -> Result<Self, LinearizeError> {
        let question = Question {
            place,
            closed,
            symmetries: symmetries(problem, place == Place::Steady),
        };
        let system = Linearization::of(problem, &question)?;
        Ok(Self {
            name: problem.system.name().to_owned(),
            title: None,
            system,
        })
    }

    /// With a title.
    pub fn titled(self, title: Option<String>) -> Self {
        Self { title, ..self }
    }

    /// Is it about an equilibrium: does nothing move?
    pub fn is_equilibrium(&self) -> bool {
        self.system.at_rest && self.system.steady.is_empty()
    }
}

impl LinearizedAlong {
    /// The systems at samples of a motion.
    pub fn new(problem: &Problem, along: &Along, samples: Vec<Sample>) -> Self {
        Self {
            name: problem.system.name().to_owned(),
            title: None,
            state: along.state(),
            inputs: along.inputs(),
            outputs: along.outputs(),
            samples,
        }
    }

    /// With a title.
    pub fn titled(self, title: Option<String>) -> Self {
        Self { title, ..self }
    }
}

/// The symmetries that may carry a steady motion: declared ones that hold and cyclic coordinates; where there are
/// none and one is needed, what a search finds.
fn symmetries(problem: &Problem, needed: bool) -> Vec<NamedSection> {
    let driven = problem.driven();
    if driven.is_kinematic() || driven.is_map() || driven.order() > 1 {
        return Vec::new();
    }
    let declared = driven.symmetries().iter();
    let declared = declared.filter(|s| is_symmetry(&driven, s).is_proven());
    let mut all: Vec<NamedSection> = declared.cloned().collect();
    for cyclic in driven.cyclic() {
        if !all.iter().any(|s| s.components == cyclic.components) {
            all.push(cyclic);
        }
    }
    if all.is_empty() && needed {
        let found = SymmetryReport::of(&driven, Effort::of(1.0)).all;
        let found = found.into_iter().map(|s| NamedSection {
            name: s.name,
            components: s.components,
        });
        all = found
            .filter(|s| is_symmetry(&driven, s).is_proven())
            .collect();
    }
    all
}
