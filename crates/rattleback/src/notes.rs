//! What a model says that a derivation does not use: it is named, never passed over in silence.

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
    let unused = unused_statements(model, form);
    if !unused.is_empty() {
        notes.push(format!(
            "statements that `derive --form {form}` does not use: {}",
            unused.join(", ")
        ));
    }
    notes
}

fn unused_statements(model: &Model, form: Form) -> Vec<String> {
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
        ("time (only its start is used)", model.time.is_some()),
        ("draw", !model.draws.is_empty()),
    ];
    let multipliers = model.start.multipliers.iter();
    let started = multipliers
        .filter(|_| form != Form::Vakonomic)
        .map(|a| format!("start {}", a.symbol));
    stated
        .into_iter()
        .filter(|(_, unused)| *unused)
        .map(|(name, _)| name.to_owned())
        .chain(started)
        .collect()
}
