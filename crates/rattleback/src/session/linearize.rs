//! The linear system of a model about a state, or along its motion.

use super::{Error, Model, Phase};
use crate::Failed;
use crate::complaint::Complaint;
use crate::control::{
    Along, Exponent, LinearizeError, Linearized, LinearizedAlong, Monodromy, NeighbourError,
    Neighbours, Place,
};
use crate::reading::Reading;

/// The linear system of a model about a state.
pub(super) fn about(asked: &Model, place: Place, closed: bool) -> Result<Linearized, Error> {
    let posed = asked.posed(None)?;
    let (problem, mut reading) = (posed.problem, posed.reading);
    let work = || Linearized::of(&problem, place, closed);
    let linear = asked.session.during(Phase::Compiling, work)?;
    let linear = linear.map_err(|e| told(e, asked, &mut reading))?;
    Ok(linear.titled(asked.declared.title.clone()))
}

/// Linear systems along the motion of a model.
pub(super) fn along(asked: &Model, closed: bool) -> Result<LinearizedAlong, Error> {
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
    let samples = along.samples(&motion["t"], &columns);
    let samples = samples.map_err(|(t, e)| Failed(format!("at t = {t}: {e}")))?;
    let linear = LinearizedAlong::new(&problem, &along, samples);
    Ok(linear.titled(asked.declared.title.clone()))
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
