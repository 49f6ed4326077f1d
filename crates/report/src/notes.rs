//! What a model says that a command does not use: it is named, never passed over in silence.

use crate::mechanics::{Form, Problem};
use crate::symbolic::Symbol;
use rattleback_numeric::number::shown;

/// Notes on statements that `derive` does not use in this formulation, and on inputs.
pub fn on_unused(problem: &Problem, form: Form) -> Vec<String> {
    let mut notes = Vec::new();
    let chosen = form == Form::Optimality;
    if !problem.controls.is_empty() && !chosen {
        let names: Vec<String> = problem
            .controls
            .iter()
            .map(|c| c.symbol.to_string())
            .collect();
        let start = match problem.inputs.is_empty() {
            true => "0 at the start",
            false => "at the start as their `input` says, else 0",
        };
        notes.push(format!(
            "controls are free inputs of the equations, {start}: {}",
            names.join(", ")
        ));
    }
    // Nobody expects that equations show a horizon or a drawing.
    let unused = unused_statements(problem, form, &[]);
    notes.extend(named(&format!("derive ‹form {form}›"), &unused));
    notes
}

/// Statements that do not ask for another motion.
const OF_NO_MOTION: [&str; 3] = ["symmetry", "fibre", "oneform"];

/// Notes on statements that following a motion in these formulations does not use, and on controls that nothing feeds;
/// `fed` are those that the command line feeds.
pub fn on_motion(problem: &Problem, command: &str, forms: &[Form], fed: &[String]) -> Vec<String> {
    let mut unused: Option<Vec<String>> = None;
    for form in forms {
        // What one of them uses is used.
        let mut here = unused_statements(problem, *form, &[]);
        here.retain(|statement| !OF_NO_MOTION.contains(&statement.as_str()));
        unused = Some(match unused {
            None => here,
            Some(before) => before.into_iter().filter(|s| here.contains(s)).collect(),
        });
    }
    let named = named(command, &unused.unwrap_or_default());
    let unfed = on_controls(problem, fed).into_iter();
    let unfed = unfed.filter(|_| !forms.contains(&Form::Optimality));
    named.into_iter().chain(unfed).collect()
}

/// What nothing feeds, the command line neither.
pub fn on_controls(problem: &Problem, fed: &[String]) -> Vec<String> {
    let unfed = problem.controls.iter().map(|c| &c.symbol);
    let unfed = unfed.filter(|u| {
        !problem.inputs.iter().any(|i| i.control == **u) && !fed.contains(&u.to_string())
    });
    unfed
        .map(|u| format!("control {u} has no input and is 0"))
        .collect()
}

/// Laws of the model that tables, `u=FILE.csv`, replace.
pub fn on_tables(problem: &Problem, tables: &[String]) -> Vec<String> {
    let names = tables.iter().filter_map(|t| t.split_once('='));
    let replaced = names.filter(|(u, _)| {
        let mut laws = problem.inputs.iter().map(|i| i.control.to_string());
        laws.any(|control| control == u.trim())
    });
    replaced
        .map(|(u, file)| {
            format!(
                "the table {file} replaces the `input` of control {}",
                u.trim()
            )
        })
        .collect()
}

/// What the start was completed by.
pub fn on_start(found: &[(Symbol, f64)]) -> Option<String> {
    let found: Vec<String> = found
        .iter()
        .map(|(z, value)| format!("{z} = {}", shown(*value, 0.0)))
        .collect();
    let note = format!(
        "start values that the constraints on positions determine: {}",
        found.join(", ")
    );
    (!found.is_empty()).then_some(note)
}

fn named(command: &str, unused: &[String]) -> Option<String> {
    let statements = unused.join(", ");
    let note = format!("statements that `{command}` does not use: {statements}");
    (!unused.is_empty()).then_some(note)
}

fn unused_statements(problem: &Problem, form: Form, more: &[(&str, bool)]) -> Vec<String> {
    let system = &problem.system;
    let reduces = form == Form::Chaplygin;
    let chosen = form == Form::Optimality;
    let in_frame = matches!(
        form,
        Form::Hamel
            | Form::GibbsAppell
            | Form::Distributional
            | Form::HamiltonDAlembert
            | Form::AlmostPoisson
            | Form::Projection
    );
    let stated = [
        (
            "symmetry",
            !system.symmetries().is_empty() && !reduces && !chosen,
        ),
        ("fibre", !system.fibre().is_empty() && !reduces),
        (
            "frame",
            !system.frame_names().is_empty() && !in_frame && !chosen,
        ),
        ("oneform", !system.one_forms().is_empty()),
        ("cost", !problem.costs.is_empty() && !chosen),
        ("terminal", !problem.terminals.is_empty()),
        ("goal", !problem.goals.is_empty()),
        ("via", !problem.vias.is_empty()),
        ("guess", !problem.guesses.is_empty()),
        ("flat", !problem.flats.is_empty()),
        ("bound", !problem.bounds.is_empty()),
    ];
    let multipliers = problem.start.multipliers.iter();
    let started = multipliers
        .filter(|_| !matches!(form, Form::Vakonomic | Form::HigherOrder))
        .map(|a| format!("start {}", a.symbol));
    stated
        .iter()
        .chain(more)
        .filter(|(_, unused)| *unused)
        .map(|(name, _)| (*name).to_owned())
        .chain(started)
        .collect()
}
