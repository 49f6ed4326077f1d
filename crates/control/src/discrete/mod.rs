//! A model as a system in steps: its formulas, what is true of them, and what they come to.

mod control;
mod formulas;
mod hamilton_jacobi;
mod numbers;
mod plant;
mod space;
mod step;

pub use control::{ControlNumbers, Lqr};
pub use formulas::{Formulas, Hamiltonian};
pub use hamilton_jacobi::{HamiltonJacobi, behind};
pub use numbers::Numbers;
pub use plant::PlantInSteps;
pub use space::{Kind, Space};
pub use step::step_of;

use rattleback_compile::{EvaluationError, StartState};
use rattleback_mechanics::discrete::{
    DiscreteError, DiscreteSystem, Discretization, PhaseFlow, Placement, Reading, Retraction, Rule,
    UnknownRule, check_states,
};
use rattleback_mechanics::{Problem, Regularity, System};
use rattleback_motion::discrete::ActionError;
use rattleback_motion::simulation::SimulationError;
use rattleback_symbolic::{Expr, Symbol};
use std::fmt;
use std::str::FromStr;

/// How the discrete Lagrangian is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Making {
    /// By a rule.
    Rule(Rule),
    /// The action along the solution itself.
    Exact,
}

impl FromStr for Making {
    type Err = UnknownRule;

    fn from_str(name: &str) -> Result<Self, UnknownRule> {
        match name {
            "exact" => Ok(Making::Exact),
            _ => name.parse().map(Making::Rule),
        }
    }
}

impl fmt::Display for Making {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Making::Rule(rule) => fmt::Display::fmt(rule, f),
            Making::Exact => f.write_str("exact"),
        }
    }
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// How the discrete Lagrangian is made.
    pub making: Making,
    /// The retraction of group factors.
    pub retraction: Retraction,
    /// Where velocity constraints hold.
    pub placement: Placement,
    /// The step, exactly; none where the discrete Lagrangian is given.
    pub step: Option<Expr>,
    /// How many steps the action is taken over.
    pub steps: Option<usize>,
    /// Where the action is wanted; the start position of what is left out.
    pub at: Vec<(Symbol, f64)>,
    /// The action at the beginning; none for motions from the start position.
    pub from: Option<Expr>,
    /// Is a picture of the action wanted?
    pub picture: bool,
}

/// Why there is no such system.
#[derive(Debug, thiserror::Error)]
pub enum InStepsError {
    /// The system cannot be made discrete in this way.
    #[error(transparent)]
    Discrete(#[from] DiscreteError),
    /// A computation failed.
    #[error(transparent)]
    Action(#[from] ActionError),
    /// There is no step to be taken.
    #[error(transparent)]
    Horizon(#[from] SimulationError),
    /// The step is no number.
    #[error("the step is not a positive number: give one with ‹step›")]
    Step,
    /// The exact discrete Lagrangian has no value.
    #[error(
        "the ends of a step of this length are conjugate: the motions from a point meet again, and the exact discrete Lagrangian has no value; try another ‹step›"
    )]
    Conjugate,
    /// The discrete Lagrangian does not determine its motion.
    #[error(
        "the discrete Lagrangian is irregular: the determinant of D1 D2 L_d vanishes identically, so that a node does not determine the next; couple x and next(x), or use another ‹rule›"
    )]
    Irregular,
    /// The start of a discrete Lagrangian has no numbers.
    #[error("a start momentum is not a number")]
    Start,
    /// There are auxiliary states alone, and nothing to regulate.
    #[error(
        "a model of states alone has no Lagrangian that could be made discrete; with controls and a cost its sampled regulator is shown"
    )]
    NoCoordinates,
    /// The action was asked for where it is not built.
    #[error("the action is taken for models in coordinates without constraints and forces")]
    NoAction,
    /// A picture was asked for where there is no room for one.
    #[error(
        "pictures of the action are for one and two coordinates, and here are {0}: leave ‹plot› out"
    )]
    NoPicture(usize),
    /// Something cannot be evaluated at the start.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
}

impl InStepsError {
    /// Is it the request that is wrong, rather than the computation?
    pub fn is_bad_request(&self) -> bool {
        match self {
            Self::Action(e) => *e == ActionError::NoSteps,
            Self::Evaluation(_) | Self::Conjugate => false,
            _ => true,
        }
    }
}

/// A model as a discrete system.
pub struct InSteps {
    /// What was asked for.
    pub request: Request,
    /// The nodes.
    pub space: Space,
    /// The formulas, or why there are none.
    pub formulas: Result<Formulas, DiscreteError>,
    /// What it comes to with numbers.
    pub numbers: Numbers,
    /// Its control, where the model has controls and a cost.
    pub control: Option<ControlNumbers>,
}

impl InSteps {
    /// Derives, judges and computes.
    pub fn new(
        problem: &Problem,
        system: &System,
        start: &StartState,
        request: Request,
    ) -> Result<Self, InStepsError> {
        let space = Space::of(problem, system);
        check_states(system)?;
        let discrete = match (space.kind, request.making) {
            (Kind::Velocities, Making::Rule(rule)) => Some(DiscreteSystem::new(
                system,
                Discretization {
                    rule,
                    retraction: request.retraction,
                    placement: request.placement,
                    reading: Reading::Program,
                },
            )?),
            _ => None,
        };
        let formulas = Formulas::new(problem, system, &space, discrete.as_ref(), &request);
        let formulas = match (formulas, &discrete) {
            // Without equations of a rule there is the formula, or the flow where the exact one has none.
            (Err(e @ DiscreteError::NotExact { .. }), None) => {
                match PhaseFlow::new(system, Symbol::clone) {
                    Ok(_) => Err(e),
                    Err(_) => return Err(e.into()),
                }
            }
            (Err(e), None) => return Err(e.into()),
            (formulas, _) => formulas,
        };
        let undefined = |f: &Formulas| f.lagrangian.value.substitute(&f.values).is_undefined();
        if formulas.as_ref().is_ok_and(undefined) {
            return Err(InStepsError::Conjugate);
        }
        let irregular = |f: &Formulas| matches!(f.regularity, Regularity::Degenerate { .. });
        if formulas.as_ref().is_ok_and(irregular) {
            return Err(InStepsError::Irregular);
        }
        let numbers = Numbers::new(
            problem,
            system,
            &space,
            start,
            discrete.as_ref(),
            formulas.as_ref().ok(),
            &request,
        )?;
        let control = match space.kind {
            Kind::Velocities => ControlNumbers::of(problem, start, numbers.step, request.steps),
            _ => None,
        };
        if space.positions.is_empty() && control.is_none() {
            return Err(InStepsError::NoCoordinates);
        }
        Ok(Self {
            control,
            request,
            space,
            formulas,
            numbers,
        })
    }
}
