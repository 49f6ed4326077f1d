//! The start state as a compiled program of what is varied, against the start state of the changed model.

use proptest::prelude::*;
use rattleback_compile::program::Interpreter;
use rattleback_compile::{Motion, StartError, StartState, Variation};
use rattleback_language::{Factor, Model, Overrides, Values, load, parse};
use rattleback_mechanics::{Equations, Form, Problem, System, Varied};
use rattleback_testing::models;

/// What a start may be off by before both ways have to refuse it.
const LARGE: f64 = 1e-6;
/// What it may be off by where both have to accept it.
const SMALL: f64 = 1e-9;

fn shipped() -> Vec<(String, Model)> {
    let read = |name: &String| parse(&load(models::path(name)).unwrap()).model.unwrap();
    let names = models::names().into_iter();
    names.map(|name| (name.clone(), read(&name))).collect()
}

/// Parameters and stated start values with their numbers.
fn variable(model: &Model) -> Vec<(String, f64)> {
    let values = Values::of(model);
    let parameters = model.parameters.iter().filter_map(|p| {
        let value = values.number(&(&p.symbol).into())?;
        Some((p.symbol.to_string(), value))
    });
    let stated = model.start.positions.iter().chain(&model.start.velocities);
    let is_group = |f: &&Factor| matches!(f, Factor::Group { .. });
    let groups: Vec<_> = model.configuration.iter().filter(is_group).collect();
    let stated = stated
        // Entries of a group element vary together or not at all.
        .filter(|a| !groups.iter().any(|g| g.positions().contains(&a.symbol)))
        .filter_map(|a| Some((a.symbol.to_string(), values.number(&a.value)?)));
    parameters.chain(stated).collect()
}

/// A model with everything that its start takes.
struct Case {
    name: String,
    model: Model,
    problem: Problem,
    system: System,
    equations: Equations,
    start: StartState,
    variable: Vec<(String, f64)>,
}

impl Case {
    fn of(name: String, model: Model) -> Self {
        let problem = Problem::from_model(&model).unwrap();
        let system = problem.open();
        let form = if system.order() == 1 && !system.constraints().is_empty() {
            Form::Hamel
        } else {
            Form::default_for(&system)
        };
        Self {
            equations: system.equations(form).unwrap(),
            start: StartState::of(&problem, &system).unwrap(),
            variable: variable(&model),
            name,
            model,
            problem,
            system,
        }
    }

    /// Both ways to the start state where some values are changed.
    fn compare(&self, changed: &[(String, f64)]) -> Result<(), String> {
        let names: Vec<String> = changed.iter().map(|(name, _)| name.clone()).collect();
        let inputs: Vec<f64> = changed.iter().map(|(_, v)| *v).collect();
        let varied = names.iter().map(|name| Varied::named(&self.model, name));
        let varied: Vec<Varied> = varied
            .collect::<Result<_, _>>()
            .map_err(|e| e.to_string())?;
        let variation = Variation::of(&self.problem, &varied).map_err(|e| e.to_string())?;
        let motion = Motion::new(
            &self.problem,
            &self.system,
            &self.equations,
            &self.start,
            variation,
        );
        let program = motion
            .start_program(&self.problem, &self.system, &self.equations, &self.start)
            .map_err(|e| e.to_string())?;
        let found = Interpreter::new(program)
            .values(&inputs)
            .map_err(|e| format!("{:?}", e.kind))?;
        let (state, residuals) = found.split_at(motion.state.len());
        let worst = residuals.iter().fold(0.0, |m: f64, r| m.max(r.abs()));

        let settings = changed.iter().map(|(name, v)| format!("{name}={v:?}"));
        let overrides = Overrides::parse(settings).map_err(|e| e.to_string())?;
        let model = match self.model.with_overrides(&overrides) {
            Ok(model) => model,
            // A value that is not defined; the program has none either.
            Err(_) if state.iter().any(|x| x.is_nan()) => return Ok(()),
            Err(e) => return Err(e.to_string()),
        };
        let problem = Problem::from_model(&model).map_err(|e| e.to_string())?;
        let system = problem.open();
        let start = match StartState::of(&problem, &system) {
            Ok(start) => start,
            Err(
                StartError::Violated { residual, .. } | StartError::NotInGroup { residual, .. },
            ) => {
                // Near the border either may be right; away from it both must refuse.
                return if worst > SMALL || residual.abs() < LARGE {
                    Ok(())
                } else {
                    Err(format!(
                        "broken by {residual:.1e}, but the program says {worst:.1e}"
                    ))
                };
            }
            Err(e) => return Err(e.to_string()),
        };
        // A program assembles the positions that the model's own values leave open, and refuses where others would do it.
        if worst > LARGE && !start.assembled().is_empty() && self.start.assembled().is_empty() {
            return Ok(());
        }
        if worst > LARGE {
            return Err(format!("a good start is off by {worst:.1e} in the program"));
        }
        let expected = motion
            .start(&start, &self.equations)
            .map_err(|e| e.to_string())?;
        for ((s, x), want) in motion.state.iter().zip(state).zip(&expected) {
            let error = (x - want).abs();
            if error.is_nan() || error > SMALL * (1.0 + want.abs()) {
                return Err(format!("{s} starts at {x}, not at {want}"));
            }
        }
        Ok(())
    }
}

/// Each number moved by a fifth at most; a zero gets a small value.
fn moved(base: f64, by: f64) -> f64 {
    if base == 0.0 {
        by / 10.0
    } else {
        base * (1.0 + by)
    }
}

#[test]
fn the_stated_start_is_the_program_at_the_stated_values() {
    for (name, model) in shipped() {
        let case = Case::of(name, model);
        case.compare(&case.variable)
            .unwrap_or_else(|e| panic!("{}: {e}", case.name));
    }
}

/// No ellipse has this energy and this angular momentum.
#[test]
fn a_start_without_a_value_is_none_in_the_program() {
    let mut models = shipped().into_iter();
    let (name, model) = models.find(|(name, _)| name == "central_force").unwrap();
    let changed = [("m", 0.832), ("k", 0.885), ("C", 0.909)];
    let changed = changed.map(|(name, value)| (name.to_string(), value));
    Case::of(name, model).compare(&changed).unwrap();
}

/// All shipped models, each with random subsets of its values changed.
#[test]
fn varied_starts_agree_with_the_changed_model() {
    for (name, model) in shipped() {
        let case = Case::of(name, model);
        let n = case.variable.len();
        let changes = prop::collection::vec(prop::option::weighted(0.4, -0.2f64..0.2), n);
        let config = ProptestConfig {
            source_file: Some(file!()),
            ..rattleback_testing::cases(12)
        };
        let mut runner = proptest::test_runner::TestRunner::new(config);
        let outcome = runner.run(&changes, |by| {
            let changed: Vec<(String, f64)> = case
                .variable
                .iter()
                .zip(by)
                .filter_map(|((name, base), by)| Some((name.clone(), moved(*base, by?))))
                .collect();
            case.compare(&changed).map_err(TestCaseError::fail)
        });
        outcome.unwrap_or_else(|e| panic!("{}: {e}", case.name));
    }
}
