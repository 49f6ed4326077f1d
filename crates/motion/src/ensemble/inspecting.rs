//! The look into the steps of members: what they must not miss, not pass and not leave.

use super::given::Given;
use crate::compiled::Compiled;
use crate::simulation::feature::{Features, Judge};
use crate::simulation::{Confinement, Method, Options, Regularity, SimulationError};
use rattleback_compile::Motion;
use rattleback_integrate::{Inside, Inspection, Inspector};
use rattleback_mechanics::{Problem, System};
use std::sync::Arc;

/// What is looked for inside steps, where there is anything.
#[derive(Clone)]
pub(super) struct Looks {
    /// What steps must not miss.
    features: Option<Features>,
    /// What must stay regular, where configurations may branch.
    regularity: Option<Regularity>,
    /// What members must not leave.
    confinement: Option<Confinement>,
}

impl Looks {
    /// For motions that are given so many values each.
    pub(super) fn of(
        (problem, system): (&Problem, &System),
        motion: &Motion,
        options: &Options,
        method: Method,
        given: usize,
    ) -> Result<Self, SimulationError> {
        let compiled = || motion.rates().map(Compiled::new);
        let (tolerance, judge) = (options.tolerance(), Judge::of(method));
        let may_branch = !system.constraints().holonomic().is_empty();
        let features = Features::of(problem, system, motion, compiled, tolerance, judge)?;
        Ok(Self {
            features: features.map(Features::without_kinks),
            regularity: match may_branch {
                true => Regularity::of(motion, given)?,
                false => None,
            },
            confinement: Confinement::of(problem, motion, &vec![0.0; given])?,
        })
    }

    /// The look into the steps of the members from `first` on; none where there is nothing to look for.
    pub(super) fn inspector(&self, given: &Arc<Given>, first: usize) -> Option<Box<dyn Inspector>> {
        if self.features.is_none() && self.regularity.is_none() && self.confinement.is_none() {
            return None;
        }
        Some(Box::new(Inspecting {
            looks: self.clone(),
            values: vec![0.0; given.len()],
            given: Arc::clone(given),
            first,
            member: 0,
        }))
    }
}

/// The look into the steps of one member after the other.
struct Inspecting {
    looks: Looks,
    given: Arc<Given>,
    first: usize,
    member: usize,
    values: Vec<f64>,
}

impl Inspecting {
    /// Looks at a motion with these values.
    fn restart(&mut self) {
        if let Some(features) = &mut self.looks.features {
            features.restart(&self.values);
        }
        if let Some(regularity) = &mut self.looks.regularity {
            regularity.restart(&self.values);
        }
    }
}

impl Inspector for Inspecting {
    fn start(&mut self, member: usize) {
        self.member = self.first + member;
        self.given.begin(self.member, &mut self.values);
        self.restart();
        if let Some(confinement) = &mut self.looks.confinement {
            confinement.restart(&self.values);
        }
    }

    fn enter(&mut self, around: f64) {
        self.given.write(self.member, around, &mut self.values);
        self.restart();
        if let Some(confinement) = &mut self.looks.confinement {
            confinement.set_constants(&self.values);
        }
    }

    fn inspect(&mut self, step: &mut dyn Inside) -> Inspection {
        let missed = self.looks.features.as_mut().and_then(|f| f.missed(step));
        if let Some(missed) = missed {
            return Inspection::Again(missed.end);
        }
        let barrier = self.looks.regularity.as_mut().and_then(|r| r.barrier(step));
        let breach = || Some(self.looks.confinement.as_mut()?.breach(step)?.theta);
        let end = barrier.or_else(breach);
        end.map_or(Inspection::Passed, Inspection::Barred)
    }
}
