//! The topics: from reports of the room of proofs to pages.

mod chaplygin;
mod control;
mod distribution;
mod equilibria;
mod hamilton_jacobi;
mod hamiltonization;
mod jacobi;
mod measure;
mod position;
mod presymplectic;
mod regularity;
mod symmetry;
mod vakonomic;

use super::page::Topic;
use crate::document::Value;
use crate::mechanics::{Problem, System};
use crate::symbolic::{Expr, Symbol};
use crate::theory::{Effort, EquilibriumReport};
use std::sync::{Arc, OnceLock};

/// A problem on which topics are judged, with what several of them ask for.
pub struct Case {
    /// The problem.
    pub problem: Arc<Problem>,
    equilibria: OnceLock<EquilibriumReport>,
}

impl Case {
    /// Nothing is worked out yet.
    pub fn new(problem: Arc<Problem>) -> Self {
        Self {
            problem,
            equilibria: OnceLock::new(),
        }
    }

    /// The steady states, worked out for whoever asks first.
    fn equilibria(&self, effort: Effort) -> &EquilibriumReport {
        let work = || EquilibriumReport::of(&self.problem, effort);
        self.equilibria.get_or_init(work)
    }
}

/// A topic by name, and how it is judged.
#[derive(Clone, Copy)]
pub struct Question {
    /// Its name on the command line and in JSON.
    pub name: &'static str,
    /// What it says.
    pub summary: &'static str,
    /// Is another answer possible for special values? Solutions that contain parameters are solutions for all
    /// values at which they are defined.
    pub may_differ: bool,
    /// The judge.
    pub judge: fn(&Case, Effort) -> Topic,
}

/// The name of the topic about steering, which needs no Lagrangian.
pub const STEERING: &str = "control";

/// Is a topic about single states? All others are about generic ones, and what is true of those close to a point is
/// true of all on which the functions of the model are analytic.
pub fn is_pointwise(topic: &str) -> bool {
    matches!(topic, "equilibria" | "stability")
}

/// All topics, in the order in which they are shown.
pub const TOPICS: &[Question] = &[
    Question {
        name: "regularity",
        summary: "do the equations determine the motion",
        may_differ: true,
        judge: |c, e| regularity::judge(&c.problem.system, e),
    },
    Question {
        name: "distribution",
        summary: "rank, growth, bracket generation, integrals of the constraints",
        may_differ: true,
        judge: |c, e| distribution::judge(&c.problem.system, e),
    },
    Question {
        name: "symmetries",
        summary: "fields that leave Lagrangian and constraints alone, declared and found",
        may_differ: true,
        judge: |c, e| symmetry::symmetries(&c.problem.system, e),
    },
    Question {
        name: "momenta",
        summary: "momenta of symmetries and the momentum equation",
        may_differ: true,
        judge: |c, e| symmetry::momenta(&c.problem.system, e),
    },
    Question {
        name: "first_integrals",
        summary: "polynomials in the velocities that motions keep",
        may_differ: true,
        judge: |c, e| symmetry::first_integrals(&c.problem.system, e),
    },
    Question {
        name: "jacobi",
        summary: "is the bracket Poisson, and its Jacobiator",
        may_differ: true,
        judge: |c, e| jacobi::judge(&c.problem.system, e),
    },
    Question {
        name: "chaplygin",
        summary: "reduction to a base by a group along the fibre",
        may_differ: true,
        judge: |c, e| chaplygin::judge(&c.problem.system, e),
    },
    Question {
        name: "measure",
        summary: "an invariant measure with a density on positions",
        may_differ: true,
        judge: |c, e| measure::judge(&c.problem.system, e),
    },
    Question {
        name: "hamiltonization",
        summary: "a change of time that makes the reduced motion Hamiltonian",
        may_differ: true,
        judge: |c, e| hamiltonization::judge(&c.problem.system, e),
    },
    Question {
        name: "hamilton_jacobi",
        summary: "solutions of the Hamilton-Jacobi equation and the motion by quadrature",
        may_differ: false,
        judge: |c, e| hamilton_jacobi::judge(&c.problem.system, e),
    },
    Question {
        name: "vakonomic",
        summary: "for which data the motion is vakonomic too, with the multipliers",
        may_differ: true,
        judge: |c, e| vakonomic::judge(&c.problem.system, e),
    },
    Question {
        name: "presymplectic",
        summary: "the chain of constraints of the variational equations",
        may_differ: true,
        judge: |c, e| presymplectic::judge(&c.problem.system, e),
    },
    Question {
        name: "equilibria",
        summary: "states of rest and steady motions of symmetries, with their conditions",
        may_differ: false,
        judge: equilibria::judge,
    },
    Question {
        name: "stability",
        summary: "are they stable, by energy and momentum or by their spectrum",
        may_differ: false,
        judge: equilibria::stability,
    },
    Question {
        name: STEERING,
        summary: "can the controls reach an open set of states, and what they cannot change",
        // It is judged at the values already.
        may_differ: false,
        judge: |c, e| control::judge(&c.problem, e),
    },
];

impl Question {
    /// The topic, with a word on what it leaves out.
    pub fn answer(&self, case: &Case, effort: Effort) -> Topic {
        let problem = &case.problem;
        let system = &problem.system;
        let topic = (self.judge)(case, effort);
        let (forced, controlled) = (system.is_forced(), !problem.controls.is_empty());
        let words = match self.name {
            // The first two ask for no force, the last is about the controls.
            "regularity" | "distribution" | STEERING => return topic,
            "symmetries" | "jacobi" | "chaplygin" | "presymplectic" => match (forced, controlled) {
                (true, true) => "external forces and controls are left out here",
                (true, false) => "external forces are left out here",
                (false, true) => "controls are left out here",
                (false, false) => return topic,
            },
            "equilibria" | "stability" if !problem.inputs.is_empty() => {
                match problem.unfed().is_empty() {
                    true => "controls follow their laws here",
                    false => "controls follow their laws here, those without one are at rest",
                }
            }
            _ if controlled => "controls are at rest here",
            _ => return topic,
        };
        topic.line(words).data("scope", Value::Word(words.into()))
    }
}

/// Are there constraints, linear in the velocities and the same at all times? What topics have in common is
/// stated for those.
fn is_plain(system: &System) -> bool {
    let constraints = system.constraints();
    let time = Symbol::time();
    let timed = |e: &Expr| e.contains(&time);
    !constraints.is_empty()
        && constraints.is_linear()
        && !constraints.forms().entries().iter().any(timed)
}

/// The topic of a name.
pub fn question(name: &str) -> Option<Question> {
    TOPICS.iter().find(|q| q.name == name).copied()
}

/// The topics of these names, in the order of the page; all of them where there are none. An error names those that
/// there are.
pub fn questions(names: &[&str]) -> Result<Vec<Question>, String> {
    if let Some(unknown) = names.iter().find(|n| question(n).is_none()) {
        let line = |q: &Question| format!("  {:<16} {}", q.name, q.summary);
        let known: Vec<String> = TOPICS.iter().map(line).collect();
        let known = known.join("\n");
        return Err(format!(
            "there is no topic `{unknown}`; the topics are\n{known}"
        ));
    }
    let is_asked = |q: &&Question| names.is_empty() || names.contains(&q.name);
    Ok(TOPICS.iter().filter(is_asked).copied().collect())
}
