//! A model as a system in steps.

use super::{Error, Model, Phase, Prepared};
use crate::Failed;
use crate::compile::StartState;
use crate::complaint::Complaint;
use crate::control::discrete::{InSteps, InStepsError, Making, PlantInSteps, Request, step_of};
use crate::discrete_page::{Discrete, Found};
use crate::mechanics::Clock;
use crate::mechanics::discrete::{DiscreteError, JetRule, Placement, Retraction, Rule};
use crate::request;
use std::sync::Arc;

/// A question for a model in steps.
///
/// ```
/// use rattleback::Model;
///
/// let model = Model::read("system spring\ncoord x\nlagrangian x'^2/2 - x^2/2\nstart x = 1\ntime 0 .. 1 step 1/10\n")?;
/// let found = model.discrete().rule("midpoint")?.steps(3).at("x = 1/2").run()?;
/// assert!(found.document().text(true).contains("One step from the start"));
/// # Ok::<(), rattleback::Error>(())
/// ```
#[derive(Clone)]
pub struct DiscreteRequest<'a> {
    model: &'a Model,
    making: Making,
    retraction: Retraction,
    placement: Placement,
    steps: Option<usize>,
    at: Option<String>,
    from: Option<String>,
    picture: bool,
}

impl<'a> DiscreteRequest<'a> {
    pub(super) fn new(model: &'a Model) -> Self {
        Self {
            model,
            making: Making::Rule(Rule::Midpoint),
            retraction: Retraction::Cayley,
            placement: Placement::Midpoint,
            steps: None,
            at: None,
            from: None,
            picture: false,
        }
    }

    /// How the discrete Lagrangian is made: the name of a rule, or `exact`.
    pub fn rule(mut self, name: &str) -> Result<Self, Error> {
        if JetRule::is_trap(name) {
            let name = name.to_owned();
            return Err(Error::Request(
                DiscreteError::Uncoupled { name }.to_string(),
            ));
        }
        let making = name.parse();
        self.making = making.map_err(|e| Error::Request(format!("{e}, exact")))?;
        Ok(self)
    }

    /// The retraction of group factors.
    pub fn retraction(mut self, retraction: Retraction) -> Self {
        self.retraction = retraction;
        self
    }

    /// Where velocity constraints hold.
    pub fn placement(mut self, placement: Placement) -> Self {
        self.placement = placement;
        self
    }

    /// How many steps the action is taken over.
    pub fn steps(mut self, steps: usize) -> Self {
        self.steps = Some(steps);
        self
    }

    /// Where the action is wanted: every coordinate, as in `x = 0.3, y = 1`.
    pub fn at(mut self, place: &str) -> Self {
        self.at = Some(place.to_owned());
        self
    }

    /// The action at the beginning: `start` for motions from the start position, or `S = EXPR`.
    pub fn from(mut self, beginning: &str) -> Self {
        self.from = Some(beginning.to_owned());
        self
    }

    /// Asks for what a picture of the action takes.
    pub fn picture(mut self) -> Self {
        self.picture = true;
        self
    }

    /// Derives, judges and computes.
    pub fn run(&self) -> Result<Discrete, Error> {
        let mut prepared = Prepared::in_steps(self.model)?;
        let session = &self.model.session;
        let work = || StartState::of(&prepared.problem, &prepared.system);
        let start = match session.during(Phase::Deriving, work)? {
            Ok(start) => start,
            Err(e) => {
                let complaint = Complaint::about_start(&e, &prepared.model);
                return Err(prepared.reading.complain(complaint).into());
            }
        };
        let (problem, system) = (&prepared.problem, &prepared.system);
        if problem.clock == Clock::Map {
            let work = || PlantInSteps::new(problem, &start, self.steps);
            let plant = session.during(Phase::Following, work)?.map_err(told)?;
            return Ok(Discrete {
                problem: Arc::clone(&prepared.problem),
                found: Found::Plant(Box::new(plant)),
            });
        }
        let at = self.at.iter();
        let at = at.map(|text| request::point(&prepared.model, (problem, system), &start, text));
        let from = self.from.iter();
        let from = from.map(|text| request::beginning(&prepared.model, text));
        let request = Request {
            making: self.making,
            retraction: self.retraction,
            placement: self.placement,
            step: step_of(problem, start.time).map_err(told)?,
            steps: self.steps,
            at: at.collect::<Result<Vec<_>, _>>()?.concat(),
            from: from.collect::<Result<Vec<_>, _>>()?.pop().flatten(),
            picture: self.picture,
        };
        let work = || InSteps::new(problem, system, &start, request);
        let steps = session.during(Phase::Following, work)?.map_err(told)?;
        Ok(Discrete {
            problem: Arc::clone(&prepared.problem),
            found: Found::Steps(Box::new(steps)),
        })
    }
}

/// What is asked wrongly is bad input, what does not work out a failure.
fn told(error: InStepsError) -> Error {
    match error.is_bad_request() {
        true => Error::Request(error.to_string()),
        false => Failed(error.to_string()).into(),
    }
}
