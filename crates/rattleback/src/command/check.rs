//! `rattleback check`: every problem with its place, and what kind of system it is.

use crate::arguments::ModelArguments;
use crate::complaint::{self, Complaint};
use crate::failure::Failure;
use crate::kind::Kind;
use crate::reading::Reading;
use crate::start::AtStart;
use crate::summary::{self, Summary};
use crate::terminal;
use rattleback::compile::{StartError, StartState};
use rattleback::language::{ConstraintKind, Model};
use rattleback::mechanics::{Form, System};

/// Checks text, mechanics and start state, in this order, as far as they make sense.
pub fn run(arguments: &ModelArguments) -> Result<(), Failure> {
    let mut reading = Reading::of(arguments)?;
    let Ok(model) = reading.take_model() else {
        let failure = Failure::Reported {
            code: crate::failure::BAD_INPUT,
        };
        return finish(arguments, &reading, None, Err(failure));
    };
    let (summary, result) = examine(&mut reading, &model);
    finish(
        arguments,
        &reading,
        summary.as_ref().map(|s| (&model, s)),
        result,
    )
}

fn examine(reading: &mut Reading, model: &Model) -> (Option<Summary>, Result<(), Failure>) {
    let treatable = label_nonlinear(reading, model);
    let built = match System::from_model(&treatable) {
        Ok(built) => built,
        Err(e) => {
            return (
                None,
                Err(reading.complain(Complaint::about_mechanics(&e, model))),
            );
        }
    };
    for remark in &built.remarks {
        reading.add(complaint::remark(remark, model));
    }
    let system = built.system;
    let nonlinear = treatable.constraints.len() < model.constraints.len();
    let default_form = Form::default_for(&system);
    let forms = if nonlinear {
        Vec::new()
    } else {
        Form::ALL
            .into_iter()
            .filter(|f| fits(*f, &system) && system.applies(*f).is_ok())
            .collect()
    };
    let mut summary = Summary {
        kind: Kind::of(model, &system),
        default_form,
        forms,
        energy: None,
    };
    let result = if nonlinear {
        examine_start(reading, model, &treatable, &system)
    } else {
        examine_motion(reading, model, &system, &mut summary)
    };
    (Some(summary), result)
}

/// Some formulations are another name for the same equations unless the system has what they are named for.
fn fits(form: Form, system: &System) -> bool {
    match form {
        Form::EulerPoincare => system.has_groups() && !system.has_coordinates(),
        Form::LagrangePoincare => system.has_groups() && system.has_coordinates(),
        Form::HigherOrder => system.order() > 1,
        _ => true,
    }
}

/// Names each constraint that is nonlinear in the velocities; gives the model without them.
fn label_nonlinear(reading: &mut Reading, model: &Model) -> Model {
    let mut treatable = model.clone();
    treatable
        .constraints
        .retain(|c| c.kind != ConstraintKind::Nonlinear);
    for c in model
        .constraints
        .iter()
        .filter(|c| c.kind == ConstraintKind::Nonlinear)
    {
        let message = "this constraint is nonlinear in the velocities: it is accepted, but `derive` cannot treat it";
        reading.add(complaint::note("nonlinear", c.span, message.into()));
    }
    treatable
}

/// The start state of a model with constraints that are nonlinear in the velocities: these are
/// judged where all velocities in them are stated.
fn examine_start(
    reading: &mut Reading,
    model: &Model,
    treatable: &Model,
    system: &System,
) -> Result<(), Failure> {
    const TOLERANCE: f64 = 1e-9;
    let judged = StartState::of(treatable, system).and_then(|start| {
        for (constraint, c) in model.constraints.iter().enumerate() {
            let mut velocities = model
                .velocities()
                .into_iter()
                .filter(|v| c.expr.contains(v));
            if c.kind != ConstraintKind::Nonlinear
                || velocities.any(|v| model.start.get(&v).is_none())
            {
                continue;
            }
            let residual = start.evaluate(std::slice::from_ref(&c.expr))?[0];
            if residual.is_nan() || residual.abs() > TOLERANCE {
                return Err(StartError::Violated {
                    residual,
                    constraint,
                    by_position: false,
                    span: c.span,
                });
            }
        }
        Ok(())
    });
    judged.map_err(|e| reading.complain(Complaint::about_start(&e, model)))
}

/// Regularity, start state and the equations there.
fn examine_motion(
    reading: &mut Reading,
    model: &Model,
    system: &System,
    summary: &mut Summary,
) -> Result<(), Failure> {
    // Both are looked at before either ends the check, so that one run reports both.
    let start = StartState::of(model, system)
        .map_err(|e| reading.complain(Complaint::about_start(&e, model)));
    system
        .check_regular()
        .map_err(|e| reading.complain(Complaint::about_mechanics(&e, model)))?;
    let equations = system
        .equations(summary.default_form)
        .map_err(|e| reading.complain(Complaint::about_mechanics(&e, model)))?;
    summary.energy = Some(AtStart::of(model, &start?, &equations)?.values.energy);
    Ok(())
}

/// Writes the summary and ends.
fn finish(
    arguments: &ModelArguments,
    reading: &Reading,
    found: Option<(&Model, &Summary)>,
    result: Result<(), Failure>,
) -> Result<(), Failure> {
    if arguments.json {
        let value = summary::json(reading, found, result.is_ok());
        terminal::write(&format!("{value:#}\n"))?;
    } else if let Some((model, summary)) = found {
        terminal::write(&summary.text(model, reading, result.is_ok()))?;
    }
    result
}
