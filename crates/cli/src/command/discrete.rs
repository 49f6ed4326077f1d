//! `rattleback discrete`: the model as a system in steps.

use crate::arguments::DiscreteArguments;
use crate::destination;
use crate::events;
use crate::failure::Failure;
use crate::page;
use crate::preparation;
use crate::recording::check_figure;
use rattleback::compile::StartState;
use rattleback::complaint::Complaint;
use rattleback::control::discrete::{InSteps, InStepsError, PlantInSteps, Request, step_of};
use rattleback::discrete_page::{Page, PlantPage};
use rattleback::language::{Clock, TimeOption};
use rattleback::mechanics::discrete::{DiscreteError, JetRule};
use rattleback::request::{self, PlaceError};

/// Derives, judges, computes and shows.
pub fn run(arguments: &DiscreteArguments) -> Result<(), Failure> {
    let step = arguments.step.as_deref().map(|h| (TimeOption::Step, h));
    let times: Vec<_> = step.into_iter().collect();
    if JetRule::is_trap(&arguments.rule) {
        let name = arguments.rule.clone();
        return Err(Failure::Input(
            DiscreteError::Uncoupled { name }.to_string(),
        ));
    }
    destination::check(&arguments.model.model, &[arguments.plot.as_deref()])?;
    arguments.plot.as_deref().map_or(Ok(()), check_figure)?;
    let mut prepared = preparation::discrete(&arguments.model, &times)?;
    let start = match StartState::of(&prepared.problem, &prepared.system) {
        Ok(start) => start,
        Err(e) => {
            let complaint = Complaint::about_start(&e, &prepared.model);
            return Err(prepared.reading.complain(complaint).into());
        }
    };
    if prepared.problem.clock == Clock::Map {
        let found = PlantInSteps::new(&prepared.problem, &start, arguments.steps);
        let shown = PlantPage {
            problem: &prepared.problem,
            found: &found.map_err(told)?,
        };
        return page::write(&shown.document(), arguments.model.json, &arguments.page);
    }
    let at = arguments.at.as_deref();
    let posed = (&*prepared.problem, &prepared.system);
    let at = at.map(|text| request::point(&prepared.model, posed, &start, text));
    let request = Request {
        making: arguments
            .rule
            .parse()
            .map_err(|e| Failure::Input(format!("{e}, exact")))?,
        retraction: arguments.retraction.into(),
        placement: arguments.placement.into(),
        step: step_of(&prepared.problem, start.time).map_err(told)?,
        steps: arguments.steps,
        at: at.transpose().map_err(misplaced)?.unwrap_or_default(),
        from: request::beginning(&prepared.model, &arguments.from).map_err(misplaced)?,
        picture: arguments.plot.is_some(),
    };
    let found = InSteps::new(&prepared.problem, &prepared.system, &start, request);
    let shown = Page {
        problem: &prepared.problem,
        found: &found.map_err(told)?,
    };
    if let (Some(path), Some(figure)) = (&arguments.plot, shown.picture()) {
        let written = figure.write(path);
        written.map_err(|e| Failure::Computation(e.to_string()))?;
    }
    page::write(&shown.document(), arguments.model.json, &arguments.page)
}

/// A place in words that is none, told with its place in the option.
fn misplaced(error: PlaceError) -> Failure {
    match error {
        PlaceError::Expression(source, diagnostics) => events::shown(&source, &diagnostics),
        PlaceError::Text(why) => Failure::Input(why),
    }
}

fn told(error: InStepsError) -> Failure {
    match error.is_bad_request() {
        true => Failure::Input(error.to_string()),
        false => Failure::Computation(error.to_string()),
    }
}
