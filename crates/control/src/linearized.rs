//! A system's linear system about a state or along a motion, with its name.

use crate::nearest::is_nearer;
use crate::symmetries::Carriers;
use crate::{Along, Linearization, LinearizeError, Place, Question, Sample};
use rattleback_mechanics::Problem;

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
        let driven = problem.driven();
        let among = |carriers: &Carriers| {
            let question = Question {
                place,
                closed,
                symmetries: carriers.of(&driven),
            };
            best_division(problem, question)
        };
        let [stated, others @ ..] = Carriers::ALL;
        let mut system = among(&stated);
        // What moves may be carried by symmetries that nobody has stated, and the nearest steady motion by theirs.
        for carriers in others {
            if !place.is_open(&system) {
                break;
            }
            let other = among(&carriers);
            if place.prefers(&other, &system) {
                system = other;
            }
        }
        let system = system?;
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

impl Place {
    /// May other symmetries tell more?
    fn is_open(self, found: &Result<Linearization, LinearizeError>) -> bool {
        match self {
            Self::Equilibrium => false,
            Self::Start => found.as_ref().is_ok_and(|found| !found.at_rest),
            Self::Steady => found.as_ref().map_or(true, |found| found.away > 0.0),
        }
    }

    /// Do they?
    fn prefers(
        self,
        other: &Result<Linearization, LinearizeError>,
        found: &Result<Linearization, LinearizeError>,
    ) -> bool {
        match (self, other, found) {
            (_, Err(_), found) => matches!(found, Err(LinearizeError::NoSymmetry)),
            (Self::Steady, Ok(other), Ok(found)) => is_nearer(other.away, found.away),
            (Self::Steady, Ok(_), Err(_)) => true,
            (_, Ok(other), _) => other.at_rest,
        }
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

/// The linear system in the frame of those symmetries, among some that move the state alike, that carry most of controls,
/// outputs and cost along: torques of a body turn with its precession, not with its spin.
fn best_division(problem: &Problem, question: Question) -> Result<Linearization, LinearizeError> {
    let mut best = Linearization::of(problem, &question)?;
    for name in best.idle.clone() {
        if best.changes.is_empty() {
            break;
        }
        let mut symmetries = question.symmetries.clone();
        symmetries.sort_by_key(|s| s.name != name);
        let other = Linearization::of(
            problem,
            &Question {
                symmetries,
                ..question
            },
        )?;
        if other.changes.len() < best.changes.len() {
            best = other;
        }
    }
    Ok(best)
}
