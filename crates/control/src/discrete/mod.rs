//! A model as a system in steps: its formulas, what is true of them, and what they come to.

mod control;
mod formulas;
mod hamilton_jacobi;
mod held_flow;
mod judgement;
mod numbers;
mod plant;
mod space;
mod step;

pub use control::{ControlNumbers, Lqr};
pub use formulas::{Formulas, Hamiltonian};
pub use hamilton_jacobi::{HamiltonJacobi, behind};
pub use judgement::Judgement;
pub use numbers::Numbers;
pub use plant::PlantInSteps;
pub use space::{Kind, Space};
pub use step::step_of;

use rattleback_compile::{EvaluationError, StartState};
use rattleback_mechanics::discrete::{
    DiscreteError, DiscreteSystem, Discretization, PhaseFlow, Placement, Reading, Retraction, Rule,
    UnknownRule, check_states,
};
use rattleback_mechanics::{Clock, Problem, Regularity, System};
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
        "the discrete Lagrangian is irregular: the determinant of D1 D2 L_d vanishes identically, so that a node does not determine the next; {}"
        , if *given { "couple x and next(x)" } else { "use another ‹rule›" }
    )]
    Irregular {
        /// Is it given by the model, rather than made by a rule?
        given: bool,
    },
    /// It does for steps of other lengths.
    #[error(
        "a step of this length does not determine the next node: D1 D2 L_d is singular there, and regular for others; try another ‹step›"
    )]
    IrregularHere,
    /// The start of a given Lagrangian leads nowhere.
    #[error(
        "no next node was found: p_0 = -D1 L_d, which determines it, was not solved at the start; give other start momenta (`start p_x = …`)"
    )]
    NoNext,
    /// An action of a given Lagrangian is to lead over a node that has no next.
    #[error(
        "the node behind node {node} was not found: {why}; try a point nearer to the motion, fewer ‹steps›, or other start momenta"
    )]
    NoNode {
        /// The node before it.
        node: usize,
        /// What stood in the way.
        why: String,
    },
    /// The discrete Lagrangian of a rule has no value at a step.
    #[error(
        "the discrete Lagrangian of the rule has no value at this step: its inner equations are singular there; try another ‹step› or ‹rule›"
    )]
    NoValue,
    /// The start of a discrete Lagrangian has no numbers.
    #[error("a start momentum is not a number")]
    Start,
    /// There are auxiliary states alone, and nothing to regulate.
    #[error(
        "a model of states alone has no Lagrangian that could be made discrete; with controls and a cost its sampled regulator is shown"
    )]
    NoCoordinates,
    /// The action at the beginning is no function of positions.
    #[error(
        "the action at the beginning is a function of the positions, and `{0}` is none of them; write it by {1}"
    )]
    Beginning(String, String),
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
            Self::Evaluation(_) | Self::Conjugate | Self::NoValue => false,
            Self::NoNext | Self::NoNode { .. } => false,
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
    /// What is proven of it, where it has formulas or equations of a step.
    pub judgement: Option<Judgement>,
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
        if let Err(e) = check_states(system) {
            return Self::of_control(problem, start, space, request, e);
        }
        let how = match (space.kind, request.making) {
            (Kind::Velocities, Making::Rule(rule)) => Some(Discretization {
                rule,
                retraction: request.retraction,
                placement: request.placement,
                reading: Reading::Program,
            }),
            _ => None,
        };
        let discrete = how
            .map(|how| DiscreteSystem::new(system, how))
            .transpose()?;
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
            return Err(match request.making {
                Making::Exact => InStepsError::Conjugate,
                Making::Rule(_) => InStepsError::NoValue,
            });
        }
        let judgement = match (&formulas, how) {
            (Ok(formulas), _) => Some(Judgement::of_formulas(system, &space, formulas)),
            (Err(_), Some(how)) => Judgement::of_step(problem, system, how, request.step.as_ref()),
            (Err(_), None) => Some(Judgement::of_flow(system)),
        };
        let irregular = |j: &Judgement| matches!(j.regularity, Regularity::Degenerate { .. });
        if judgement.as_ref().is_some_and(irregular) {
            return Err(irregularity(formulas.as_ref().ok(), problem));
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
        let control = ControlNumbers::of(problem, start, numbers.step, request.steps);
        if space.positions.is_empty() && control.is_none() {
            return Err(InStepsError::NoCoordinates);
        }
        Ok(Self {
            control,
            request,
            space,
            formulas,
            judgement,
            numbers,
        })
    }

    /// No discrete principle moves auxiliary states beside positions; a sampled regulator does.
    fn of_control(
        problem: &Problem,
        start: &StartState,
        space: Space,
        request: Request,
        why: DiscreteError,
    ) -> Result<Self, InStepsError> {
        let step = numbers::length(start, &request)?;
        let control = ControlNumbers::of(problem, start, Some(step), request.steps);
        let Some(control) = control else {
            return Err(why.into());
        };
        Ok(Self {
            control: Some(control),
            request,
            space,
            formulas: Err(why),
            judgement: None,
            numbers: Numbers::of_step(step),
        })
    }
}

/// Why a node does not determine the next: always, or only with a step of this length and these values.
fn irregularity(formulas: Option<&Formulas>, problem: &Problem) -> InStepsError {
    let elsewhere = formulas.is_some_and(|f| {
        let is_irregular = |values: &[(Symbol, Expr)]| {
            matches!(
                f.lagrangian.regularity(values),
                Regularity::Degenerate { .. }
            )
        };
        !is_irregular(problem.values.pairs())
    });
    match elsewhere {
        true => InStepsError::IrregularHere,
        false => InStepsError::Irregular {
            given: problem.clock == Clock::DiscreteLagrangian,
        },
    }
}
