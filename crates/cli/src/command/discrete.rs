//! `rattleback discrete`: the model as a system in steps.

use crate::arguments::DiscreteArguments;
use crate::destination;
use crate::failure::{BAD_INPUT, Failure};
use crate::page;
use crate::preparation;
use crate::recording::check_figure;
use crate::terminal;
use rattleback::compile::StartState;
use rattleback::complaint::Complaint;
use rattleback::control::discrete::{InSteps, InStepsError, PlantInSteps, Request, Space, step_of};
use rattleback::discrete_page::{Page, PlantPage};
use rattleback::language::{Clock, Model, Source, TimeOption, closest};
use rattleback::mechanics::discrete::{DiscreteError, JetRule};
use rattleback::session::Prepared;
use rattleback::symbolic::{Expr, Symbol};

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
            model: &prepared.model,
            found: &found.map_err(told)?,
        };
        return page::write(&shown.document(), arguments.model.json, &arguments.page);
    }
    let model = &prepared.model;
    let request = Request {
        making: arguments
            .rule
            .parse()
            .map_err(|e| Failure::Input(format!("{e}, exact")))?,
        retraction: arguments.retraction.into(),
        placement: arguments.placement.into(),
        step: step_of(&prepared.problem, start.time).map_err(told)?,
        steps: arguments.steps,
        at: point(&prepared, &start, arguments.at.as_deref())?,
        from: beginning(model, &arguments.from)?,
        picture: arguments.plot.is_some(),
    };
    let found = InSteps::new(&prepared.problem, &prepared.system, &start, request);
    let shown = Page {
        model,
        found: &found.map_err(told)?,
    };
    if let (Some(path), Some(figure)) = (&arguments.plot, shown.picture()) {
        let written = figure.write(path);
        written.map_err(|e| Failure::Computation(e.to_string()))?;
    }
    page::write(&shown.document(), arguments.model.json, &arguments.page)
}

fn told(error: InStepsError) -> Failure {
    match error.is_bad_request() {
        true => Failure::Input(error.to_string()),
        false => Failure::Computation(error.to_string()),
    }
}

/// Reads an expression of the model from an option.
fn expression(model: &Model, option: &str, text: &str) -> Result<Expr, Failure> {
    let source = Source::new(option, text);
    let told = |diagnostics: Vec<rattleback::language::Diagnostic>| {
        for d in diagnostics {
            terminal::tell(&d.render(&source, terminal::colours()));
        }
        Failure::Reported { code: BAD_INPUT }
    };
    let value = model.expression(&source).map_err(told)?;
    let not_scalar = || Failure::Input(format!("{option} \"{text}\": a number is expected"));
    value.as_scalar().cloned().ok_or_else(not_scalar)
}

/// `x = 0.3, y = 1`: coordinates with constant values.
fn point(
    prepared: &Prepared,
    start: &StartState,
    text: Option<&str>,
) -> Result<Vec<(Symbol, f64)>, Failure> {
    let Some(text) = text else {
        return Ok(Vec::new());
    };
    let model = &prepared.model;
    let coordinates = Space::of(&prepared.problem, &prepared.system).positions;
    let bad = |why: String| Failure::Input(format!("--at \"{text}\": {why}"));
    let mut point = Vec::new();
    for part in text.split(',') {
        let (name, value) = part
            .split_once('=')
            .ok_or_else(|| bad("write NAME = VALUE, separated by commas".into()))?;
        let name = name.trim();
        // As the model writes it, in Greek too.
        let read = model.expression(&Source::new("--at", name)).ok();
        let read = read.and_then(|value| value.as_scalar().cloned());
        let is_meant = |s: &&Symbol| s.to_string() == name || read == Some(Expr::from(*s));
        let found = coordinates.iter().find(is_meant);
        let symbol = found.ok_or_else(|| {
            let names: Vec<String> = coordinates.iter().map(ToString::to_string).collect();
            let near = closest(name, names.iter().map(String::as_str));
            let help = near.map_or(String::new(), |n| format!("; did you mean `{n}`?"));
            bad(format!("there is no coordinate `{name}`{help}"))
        })?;
        let value = expression(model, "--at", value.trim())?;
        let moves = value.contains_any(&coordinates);
        let number = start.evaluate(&[value]).ok().map(|v| v[0]);
        let number = number.filter(|x| x.is_finite() && !moves);
        let number = number.ok_or_else(|| bad(format!("the value of `{name}` is no number")))?;
        point.push((symbol.clone(), number));
    }
    if let Some(missing) = coordinates
        .iter()
        .find(|s| !point.iter().any(|(p, _)| p == *s))
    {
        return Err(bad(format!("the coordinate `{missing}` is missing")));
    }
    Ok(point)
}

/// `start`, or `S = EXPR`.
fn beginning(model: &Model, text: &str) -> Result<Option<Expr>, Failure> {
    if text.trim() == "start" {
        return Ok(None);
    }
    let function = text
        .split_once('=')
        .filter(|(name, _)| name.trim() == "S")
        .map(|(_, function)| function.trim());
    let Some(function) = function else {
        return Err(Failure::Input(format!(
            "--from \"{text}\": write `start`, or `S = ` and a function of the coordinates"
        )));
    };
    expression(model, "--from", function).map(Some)
}
