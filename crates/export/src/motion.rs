//! From a motion to what is exported of it.

use super::{Export, Routine, Variable};
use rattleback_compile::{Motion, Record, RecordKind, StartState, Tables};
use rattleback_mechanics::{Form, Problem};
use rattleback_symbolic::{Expr, MissingInput, Symbol};

impl Export {
    /// The rates of a motion's state, and the quantities recorded along it by kind.
    ///
    /// What the motion varies are its arguments ([`Variation::of_constants`]): all parameters, and the controls that
    /// no law feeds; then the symbols of the tables. `state` is its start.
    ///
    /// [`Variation::of_constants`]: rattleback_compile::Variation::of_constants
    pub fn of_motion(
        problem: &Problem,
        motion: &Motion,
        start: &StartState,
        state: &[f64],
        tables: Tables,
    ) -> Result<Export, MissingInput> {
        let variable = |(symbol, value): (&Symbol, &f64)| Variable {
            name: symbol.to_string(),
            // Without the sign of a zero.
            value: *value + 0.0,
            note: note(problem, symbol),
        };
        let given = motion.inputs().split_off(1 + motion.state.len());
        let all = start.constants.iter().zip(&start.constant_values);
        let coefficients = tables.symbols();
        let parameters = all.filter(|(s, _)| given.contains(s) && !coefficients.contains(s));
        let (name, what) = match motion.form {
            Form::Map => ("next", "The state at the next node."),
            _ => ("rates", "The rate of change of the state."),
        };
        let rates = Routine {
            name: name.to_owned(),
            note: what.to_owned(),
            program: motion.rates()?,
            outputs: motion.state.iter().map(Symbol::to_string).collect(),
        };
        Ok(Export {
            name: problem.system.name().to_owned(),
            notes: notes(problem, motion),
            state: motion.state.iter().zip(state).map(variable).collect(),
            parameters: parameters.map(variable).collect(),
            tables,
            rates,
            functions: functions(motion)?,
        })
    }
}

/// The title, the comment of the model, the formulation.
fn notes(problem: &Problem, motion: &Motion) -> Vec<String> {
    let title = problem.title.as_deref();
    let title = title.unwrap_or_else(|| problem.system.name());
    let mut notes = vec![title.to_owned()];
    if let Some(doc) = &problem.doc {
        notes.push(String::new());
        notes.extend(doc.lines().map(str::to_owned));
    }
    notes.push(String::new());
    notes.push(match motion.form {
        Form::Rates => "Rates as the model states them.".to_owned(),
        Form::Map if problem.system.is_discrete_lagrangian() => {
            "The map of a discrete Lagrangian from node to node: p_0 = -D1 L_d, p_1 = D2 L_d."
                .to_owned()
        }
        Form::Map => "A map from node to node, as the model states it.".to_owned(),
        form => format!("Equations of motion in the form {form}."),
    });
    notes
}

/// What the model says about a variable; failing that, what it is.
fn note(problem: &Problem, symbol: &Symbol) -> Option<String> {
    if let Some(doc) = problem.doc_of(symbol) {
        return Some(doc.to_owned());
    }
    if problem.is_control(symbol) {
        return Some("control".to_owned());
    }
    let fibre = problem.system.frame().fibre();
    let mut factors = problem.system.factors().iter();
    let owner = factors.find(|f| fibre[f.fibre.clone()].contains(symbol));
    owner.map(|f| format!("velocity of {}", f.name))
}

/// The kinds of recorded quantities, with the names of their functions.
const GROUPS: [(&[RecordKind], &str, &str); 8] = [
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
        &[RecordKind::Control],
        "controls",
        "What is fed into the controls.",
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
        // A control that is an argument is fed by the caller.
        let is_argument =
            |r: &Record| r.kind == RecordKind::Control && r.value.as_symbol().is_some();
        let records: Vec<&Record> = of_kind.filter(|r| !is_argument(r)).collect();
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
