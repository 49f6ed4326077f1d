//! What a model says that a command does not use: it is named, never passed over in silence.

use rattleback::language::Model;
use rattleback::mechanics::Form;

/// Notes on statements that `derive` does not use in this formulation, and on inputs.
pub fn on_unused(model: &Model, form: Form) -> Vec<String> {
    let mut notes = Vec::new();
    if !model.controls.is_empty() {
        let names: Vec<String> = model
            .controls
            .iter()
            .map(|c| c.symbol.to_string())
            .collect();
        notes.push(format!(
            "controls are free inputs of the equations, 0 at the start: {}",
            names.join(", ")
        ));
    }
    let time = ("time (only its start is used)", model.time.is_some());
    let draw = ("draw", !model.draws.is_empty());
    let unused = unused_statements(model, form, &[time, draw]);
    notes.extend(named(&format!("derive --form {form}"), &unused));
    notes
}

/// Statements that do not ask for another motion.
const OF_NO_MOTION: [&str; 3] = ["symmetry", "fibre", "oneform"];

/// Notes on statements that following a motion in these formulations does not use.
pub fn on_motion(model: &Model, command: &str, forms: &[Form]) -> Vec<String> {
    let mut unused: Option<Vec<String>> = None;
    for form in forms {
        // What one of them uses is used.
        let mut here = unused_statements(model, *form, &[]);
        here.retain(|statement| !OF_NO_MOTION.contains(&statement.as_str()));
        unused = Some(match unused {
            None => here,
            Some(before) => before.into_iter().filter(|s| here.contains(s)).collect(),
        });
    }
    let named = named(command, &unused.unwrap_or_default());
    named.into_iter().collect()
}

fn named(command: &str, unused: &[String]) -> Option<String> {
    let statements = unused.join(", ");
    let note = format!("statements that `{command}` does not use: {statements}");
    (!unused.is_empty()).then_some(note)
}

fn unused_statements(model: &Model, form: Form, more: &[(&str, bool)]) -> Vec<String> {
    let reduces = form == Form::Chaplygin;
    let in_frame = matches!(
        form,
        Form::Hamel
            | Form::Distributional
            | Form::HamiltonDAlembert
            | Form::AlmostPoisson
            | Form::Projection
    );
    let stated = [
        ("symmetry", !model.symmetries.is_empty() && !reduces),
        ("fibre", !model.fibre.is_empty() && !reduces),
        ("frame", !model.frame.is_empty() && !in_frame),
        ("oneform", !model.oneforms.is_empty()),
        ("cost", model.cost.is_some()),
        ("terminal", model.terminal.is_some()),
        ("goal", !model.goal.is_empty()),
        ("bound", !model.bounds.is_empty()),
    ];
    let multipliers = model.start.multipliers.iter();
    let started = multipliers
        .filter(|_| form != Form::Vakonomic)
        .map(|a| format!("start {}", a.symbol));
    stated
        .iter()
        .chain(more)
        .filter(|(_, unused)| *unused)
        .map(|(name, _)| (*name).to_owned())
        .chain(started)
        .collect()
}
