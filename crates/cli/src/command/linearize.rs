//! `rattleback linearize`: the linear system about a state, and the regulator that holds it.

use crate::arguments::LinearizeArguments;
use crate::destination;
use crate::failure::Failure;
use crate::reading;
use crate::recording::told;
use crate::terminal;
use rattleback::Model;
use rattleback::control::Place;
use rattleback::linear_page;
use rattleback::report::write_whole;
use rattleback::session::Linearized;
use std::path::Path;

/// Linearises, writes the page, and the model with the regulator where that is asked for.
pub fn run(arguments: &LinearizeArguments) -> Result<(), Failure> {
    destination::check(&arguments.model.model, &[arguments.write.as_deref()])?;
    let model = reading::read(&arguments.model)?;
    let (place, settings) = place(&arguments.at)?;
    let model = model.set_all(&settings, &[])?;
    let linear = model.linearize(place, arguments.closed)?;
    let page = match arguments.model.json {
        true => format!("{:#}\n", linear_page::json(&linear)),
        false => linear_page::page(&linear),
    };
    if let Some(path) = &arguments.write {
        write(path, &model, &linear)?;
    }
    terminal::write(&page)?;
    Ok(())
}

/// Where to linearise: a word, or values that are put into the start.
fn place(at: &str) -> Result<(Place, Vec<String>), Failure> {
    match at.trim() {
        "start" => Ok((Place::Start, Vec::new())),
        "equilibrium" => Ok((Place::Equilibrium, Vec::new())),
        values if values.contains('=') => Ok((Place::Start, split(values))),
        other => Err(Failure::Input(format!(
            "`{other}` is no place to linearise at\n  help: write `start`, `equilibrium`, or values such as \"theta = 0, x' = 1\""
        ))),
    }
}

/// The parts between commas that stand in no bracket.
fn split(values: &str) -> Vec<String> {
    let (mut parts, mut depth) = (vec![String::new()], 0i32);
    for c in values.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        match (c, depth, parts.last_mut()) {
            (',', 0, _) => parts.push(String::new()),
            (_, _, Some(part)) => part.push(c),
            _ => {}
        }
    }
    parts.retain(|part| !part.trim().is_empty());
    parts
}

/// Writes the model with u = u0 − K (x − x0) as its inputs.
fn write(path: &Path, model: &Model, linear: &Linearized) -> Result<(), Failure> {
    let system = &linear.system;
    let regulator = match &system.regulator {
        Some(Ok(found)) => found,
        Some(Err(why)) => {
            return Err(Failure::Computation(format!(
                "there is no regulator to write: {why}"
            )));
        }
        None => {
            let why = "a regulator needs controls and a `cost`, and the loop open (no --closed)";
            return Err(Failure::Input(why.into()));
        }
    };
    if let Some(name) = system.numbers.state.iter().find(|name| name.contains('~')) {
        return Err(Failure::Input(format!(
            "the law cannot be written as an `input`: `{name}` is a direction of a group, not a coordinate"
        )));
    }
    if !model.declared().inputs.is_empty() {
        let why = "the model has `input` statements already: remove them, so that the regulator can be written in their place";
        return Err(Failure::Input(why.into()));
    }
    let value = |name: &String| {
        let found = system.at.iter().find(|(n, _)| n == name);
        found.map_or(0.0, |(_, x)| *x)
    };
    let mut text = model.source().text().trim_end().to_owned();
    text += "\n\n# The regulator of the cost about the state that it was linearised at.\n";
    for (i, (u, u0)) in system.inputs.iter().enumerate() {
        let terms = system.numbers.state.iter().enumerate().map(|(j, name)| {
            format!(
                " - {:?}*({name} - {:?})",
                regulator.gain[(i, j)],
                value(name)
            )
        });
        text += &format!(
            "input {u} = {u0:?}{}\n",
            terms.collect::<String>().replace("- -", "+ ")
        );
    }
    write_whole(path, &text).map_err(told)
}
