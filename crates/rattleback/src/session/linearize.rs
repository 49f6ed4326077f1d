//! The linear system of a model about a state, or along its motion.

use super::{Error, Model, Phase};
use crate::Failed;
use crate::complaint::Complaint;
use crate::control::{
    Along, Exponent, Linearization, LinearizeError, Monodromy, NeighbourError, Neighbours, Place,
    Question, Sample,
};
use crate::language;
use crate::mechanics::{NamedSection, Problem};
use crate::reading::Reading;
use crate::theory::{Effort, SymmetryReport, is_symmetry};
use std::sync::Arc;

/// A linear system about a state of a model.
#[derive(Debug)]
pub struct Linearized {
    /// The model.
    pub model: Arc<language::Model>,
    /// The system and what it tells.
    pub system: Linearization,
    /// Is it about an equilibrium, or a steady motion?
    pub at_rest: bool,
}

/// Linear systems along a motion of a model.
#[derive(Debug)]
pub struct LinearizedAlong {
    /// The model.
    pub model: Arc<language::Model>,
    /// The names of the entries of the states.
    pub state: Vec<String>,
    /// The names of the controls.
    pub inputs: Vec<String>,
    /// The names of the outputs.
    pub outputs: Vec<String>,
    /// One system per row of the motion.
    pub samples: Vec<Sample>,
}

/// Rates of this size are rounding.
const AT_REST: f64 = 1e-9;

impl Linearized {
    pub(super) fn of(asked: &Model, place: Place, closed: bool) -> Result<Self, Error> {
        let posed = asked.posed(None)?;
        let (problem, mut reading) = (posed.problem, posed.reading);
        let work = || {
            let question = Question {
                place,
                closed,
                symmetries: symmetries(&problem, place == Place::Steady),
            };
            Linearization::of(&problem, &question)
        };
        let system = asked.session.during(Phase::Compiling, work)?;
        let system = system.map_err(|e| told(e, asked, &mut reading))?;
        let size = system.at.iter().fold(1.0, |m: f64, (_, x)| m.max(x.abs()));
        Ok(Self {
            model: Arc::clone(&asked.declared),
            at_rest: system.motion <= AT_REST * size,
            system,
        })
    }

    /// Is it about an equilibrium: does nothing move?
    pub fn is_equilibrium(&self) -> bool {
        self.at_rest && self.system.steady.is_empty()
    }
}

impl LinearizedAlong {
    pub(super) fn of(asked: &Model, closed: bool) -> Result<Self, Error> {
        let posed = asked.posed(None)?;
        let (problem, mut reading) = (posed.problem, posed.reading);
        let made = asked
            .session
            .during(Phase::Compiling, || Along::new(&problem, closed))?;
        let mut along = made.map_err(|e| told(e, asked, &mut reading))?;
        let form = crate::mechanics::Form::default_for(&problem.driven());
        let motion = asked.simulate().form(form).run()?;
        if let Some(why) = &motion.outcome.failure {
            return Err(Failed(why.clone()).into());
        }
        let names = along.state();
        let columns: Option<Vec<&[f64]>> = names.iter().map(|n| motion.column(n)).collect();
        let columns = columns.ok_or_else(|| {
            Error::from(Failed(
                "the motion does not record the state of its equations".into(),
            ))
        })?;
        let at = |i: usize, t: f64, along: &mut Along| {
            let state: Vec<f64> = columns.iter().map(|c| c[i]).collect();
            along
                .at(t, &state)
                .map_err(|e| Error::from(Failed(format!("at t = {t}: {e}"))))
        };
        let times = motion["t"].to_vec();
        let samples: Result<Vec<Sample>, Error> = times
            .iter()
            .enumerate()
            .map(|(i, t)| at(i, *t, &mut along))
            .collect();
        Ok(Self {
            model: Arc::clone(&asked.declared),
            state: names,
            inputs: along.inputs(),
            outputs: along.outputs(),
            samples: samples?,
        })
    }
}

/// What neighbours of the motion from the start do over one period, the end of the model's time.
pub(super) fn monodromy(asked: &Model) -> Result<Monodromy, Error> {
    with_neighbours(asked, |beside, until| beside.monodromy(until))
}

/// The largest Lyapunov exponents of the motion from the start.
pub(super) fn lyapunov(asked: &Model, count: usize) -> Result<Vec<Exponent>, Error> {
    with_neighbours(asked, |beside, until| beside.lyapunov(count, until))
}

fn with_neighbours<T>(
    asked: &Model,
    ask: impl FnOnce(&Neighbours, f64) -> Result<T, NeighbourError>,
) -> Result<T, Error> {
    let posed = asked.posed(None)?;
    let (problem, mut reading) = (posed.problem, posed.reading);
    let horizon = problem.horizon.as_ref();
    let until = horizon.and_then(|h| problem.values.at(&h.to).evaluate(&[]).ok());
    let until = until
        .ok_or_else(|| Error::Request("this needs a `time`, such as `time 0 .. 10`".into()))?;
    let work = || Neighbours::of(&problem).and_then(|beside| ask(&beside, until));
    let answer = asked.session.during(Phase::Following, work)?;
    answer.map_err(|error| match error {
        NeighbourError::Linearize(e) => told(e, asked, &mut reading),
        NeighbourError::TooMany { .. } | NeighbourError::Empty => Error::Request(error.to_string()),
        e => Failed(e.to_string()).into(),
    })
}

/// An error with the place in the model where it has one.
pub(super) fn told(error: LinearizeError, asked: &Model, reading: &mut Reading) -> Error {
    match error {
        LinearizeError::Mechanics(e) => {
            let complaint = Complaint::about_mechanics(&e, &asked.declared);
            reading.complain(complaint).into()
        }
        LinearizeError::Start(e) => {
            let complaint = Complaint::about_start(&e, &asked.declared);
            reading.complain(complaint).into()
        }
        LinearizeError::NoSymmetry | LinearizeError::Map => Error::Request(error.to_string()),
        LinearizeError::Equilibrium(_) | LinearizeError::Steady(_) => {
            Failed(format!("there is nothing to linearise about: {error}")).into()
        }
        e => Failed(e.to_string()).into(),
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
