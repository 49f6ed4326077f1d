//! From a motion to what is exported of it.

use super::{Export, Routine, Variable};
use crate::motion::{Motion, Record, RecordKind};
use crate::start::StartState;
use rattleback_language::{Factor, Model};
use rattleback_symbolic::{Expr, MissingInput, Symbol};

impl Export {
    /// The rates of a motion's state, and the quantities recorded along it by kind.
    ///
    /// The motion must vary all constants of the start state ([`Variation::of_constants`]), so that
    /// parameters stay arguments; `state` is its start.
    ///
    /// [`Variation::of_constants`]: crate::Variation::of_constants
    pub fn of_motion(
        model: &Model,
        motion: &Motion,
        start: &StartState,
        state: &[f64],
    ) -> Result<Export, MissingInput> {
        let variable = |(symbol, value): (&Symbol, &f64)| Variable {
            name: symbol.to_string(),
            // Without the sign of a zero.
            value: *value + 0.0,
            note: note(model, symbol),
        };
        let parameters = start.constants.iter().zip(&start.constant_values);
        let rates = Routine {
            name: "rates".to_owned(),
            note: "The rate of change of the state.".to_owned(),
            program: motion.rates()?,
            outputs: motion.state.iter().map(Symbol::to_string).collect(),
        };
        Ok(Export {
            name: model.name.clone(),
            notes: notes(model, motion),
            state: motion.state.iter().zip(state).map(variable).collect(),
            parameters: parameters.map(variable).collect(),
            rates,
            functions: functions(motion)?,
        })
    }
}

/// The title, the comment of the model, the formulation.
fn notes(model: &Model, motion: &Motion) -> Vec<String> {
    let title = model.title.as_ref().unwrap_or(&model.name);
    let mut notes = vec![title.clone()];
    if let Some(doc) = &model.doc {
        notes.push(String::new());
        notes.extend(doc.lines().map(str::to_owned));
    }
    notes.push(String::new());
    notes.push(format!("Equations of motion in the form {}.", motion.form));
    notes
}

/// What the model says about a variable; failing that, what it is.
fn note(model: &Model, symbol: &Symbol) -> Option<String> {
    if let Some(parameter) = model.parameters.iter().find(|p| p.symbol == *symbol) {
        return parameter.doc.clone();
    }
    if let Some(control) = model.controls.iter().find(|c| c.symbol == *symbol) {
        return Some(
            control
                .form
                .doc
                .clone()
                .unwrap_or_else(|| "control".to_owned()),
        );
    }
    let factor_with = |has: &dyn Fn(&Factor) -> bool| model.configuration.iter().find(|f| has(f));
    if let Some(factor) = factor_with(&|f| f.positions().contains(symbol)) {
        return factor.doc().map(str::to_owned);
    }
    factor_with(&|f| f.velocities().contains(symbol)).map(|f| format!("velocity of {}", f.name()))
}

/// The kinds of recorded quantities, with the names of their functions.
const GROUPS: [(&[RecordKind], &str, &str); 7] = [
    (&[RecordKind::Energy], "energy", "The energy."),
    (
        &[RecordKind::Residual],
        "constraint_residuals",
        "What the constraints are off by: zero along motions.",
    ),
    (
        &[RecordKind::Observable],
        "observables",
        "The observed quantities.",
    ),
    (
        &[RecordKind::Multiplier],
        "multipliers",
        "The multipliers of the constraints.",
    ),
    (
        &[RecordKind::Velocity],
        "velocities",
        "Velocities that are not in the state.",
    ),
    (&[RecordKind::Momentum], "momenta", "The momenta."),
    (
        &[RecordKind::SymmetryMomentum],
        "symmetry_momenta",
        "The momenta of the declared symmetries.",
    ),
];

fn functions(motion: &Motion) -> Result<Vec<Routine>, MissingInput> {
    let mut functions = Vec::new();
    for (kinds, name, note) in GROUPS {
        let of_kind = motion.records.iter().filter(|r| kinds.contains(&r.kind));
        let records: Vec<&Record> = of_kind.collect();
        if records.is_empty() {
            continue;
        }
        let values: Vec<Expr> = records.iter().map(|r| r.value.clone()).collect();
        functions.push(Routine {
            name: name.to_owned(),
            note: note.to_owned(),
            program: motion.program(&values)?,
            outputs: records.iter().map(|r| r.name.clone()).collect(),
        });
    }
    Ok(functions)
}
