//! Following motions from the text of a model, without the command line.

use rattleback::compile::program::Interpreter;
use rattleback::compile::{Motion, RecordKind, StartState};
use rattleback::language::{Model, Overrides, Source, load, parse};
use rattleback::mechanics::{Equations, Form, Problem, System};
use rattleback::request;
use rattleback::simulation::{Method, Options, Outcome, Row, Simulation};
use rattleback::symbolic::Expr;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// A model with its system and its start.
pub struct Case {
    pub model: Model,
    pub problem: Problem,
    pub system: System,
    pub start: StartState,
}

impl Case {
    /// Reads a model and changes some of its values, as `--set` does.
    #[track_caller]
    pub fn of(source: &Source, set: &[String]) -> Self {
        let outcome = parse(source);
        let model = outcome
            .model
            .unwrap_or_else(|| panic!("{:?} in\n{}", outcome.diagnostics, source.text()));
        let overrides = Overrides::parse(set).unwrap_or_else(|e| panic!("{e}"));
        let model = model
            .with_overrides(&overrides)
            .unwrap_or_else(|e| panic!("{e}"));
        // With constraints that only variational problems treat, where there are any.
        let problem =
            Problem::for_form(&model, Some(Form::Vakonomic)).unwrap_or_else(|e| panic!("{e}"));
        let system = problem.driven();
        let start =
            StartState::of(&problem, &system).unwrap_or_else(|e| panic!("{}: {e}", model.name));
        Self {
            model,
            problem,
            system,
            start,
        }
    }

    /// The case of a text.
    #[track_caller]
    pub fn text(text: &str) -> Self {
        Self::of(&Source::new("model.mech", text), &[])
    }

    /// A shipped model.
    #[track_caller]
    pub fn shipped(name: &str) -> Self {
        Self::of(&load(super::shipped(name)).unwrap(), &[])
    }

    /// Equations in a form.
    #[track_caller]
    pub fn equations(&self, form: Form) -> Equations {
        self.system
            .equations(form)
            .unwrap_or_else(|e| panic!("{}: {form}: {e}", self.model.name))
    }

    /// Follows the motion in the form that suits the system.
    #[track_caller]
    pub fn follow(&self, options: &Options) -> End {
        self.follow_with(
            &self.equations(options.form_for(&self.system)),
            options,
            &[],
        )
    }

    /// Follows the motion of equations that have been derived, with events.
    #[track_caller]
    pub fn follow_with(&self, equations: &Equations, options: &Options, events: &[&str]) -> End {
        self.attempt(equations, options, events)
            .unwrap_or_else(|e| panic!("{}: {}: {e}", self.model.name, equations.form))
    }

    /// The same where it may fail.
    pub fn attempt(
        &self,
        equations: &Equations,
        options: &Options,
        events: &[&str],
    ) -> Result<End, String> {
        let events = events
            .iter()
            .map(|text| request::event(&self.model, text, false).map_err(|e| e.to_string()))
            .collect::<Result<_, _>>()?;
        let made = Simulation::of_equations(
            &self.problem,
            &self.system,
            equations,
            &self.start,
            options,
            events,
        );
        let mut simulation = made.map_err(|e| e.to_string())?;
        let never = AtomicBool::new(false);
        let outcome = simulation
            .run(&never, &mut |Row(_)| ControlFlow::Continue(()))
            .map_err(|e| e.to_string())?;
        match &outcome.failure {
            Some(why) => Err(why.clone()),
            None => Ok(End {
                names: simulation.columns(),
                motion: simulation.motion,
                outcome,
            }),
        }
    }
}

/// The end of a motion.
pub struct End {
    names: Vec<String>,
    pub motion: Motion,
    pub outcome: Outcome,
}

impl End {
    /// A column by name.
    pub fn get(&self, name: &str) -> Option<f64> {
        let i = self.names.iter().position(|n| n == name)?;
        Some(self.outcome.row[i])
    }

    /// A column that must be there.
    #[track_caller]
    pub fn at(&self, name: &str) -> f64 {
        self.get(name)
            .unwrap_or_else(|| panic!("no {name} in {:?}", self.names))
    }

    /// An expression of the model, where the state determines it.
    pub fn value(&self, e: &Expr) -> Option<f64> {
        let expressed = self.motion.express(std::slice::from_ref(e));
        let program = self.motion.program(&expressed).ok()?;
        let inputs = &self.outcome.row[..=self.motion.state.len()];
        Interpreter::new(program).values(inputs).ok().map(|v| v[0])
    }

    /// Positions by name.
    pub fn positions(&self) -> Vec<(String, f64)> {
        let kinds = self.motion.kinds.iter();
        kinds
            .enumerate()
            .filter(|(_, kind)| {
                matches!(
                    kind,
                    RecordKind::Line | RecordKind::Angle | RecordKind::GroupEntry
                )
            })
            .map(|(i, _)| (self.names[i + 1].clone(), self.outcome.row[i + 1]))
            .collect()
    }

    /// Asserts that columns have these values, to a relative tolerance.
    #[track_caller]
    pub fn is(&self, expected: &[(&str, f64)], tolerance: f64) {
        for (name, value) in expected {
            let found = self.at(name);
            let error = (found - value).abs();
            assert!(
                error <= tolerance * (1.0 + value.abs()),
                "{name} is {found}, not {value}: {error:.1e} off ({})",
                self.motion.form
            );
        }
    }
}

/// Options of an accurate run to a time.
pub fn accurate(method: Method, until: f64) -> Options {
    Options {
        method: Some(method),
        until: Some(until),
        step: Some(match method {
            m if m.is_adaptive() => until,
            _ => 0.01,
        }),
        rtol: if method == Method::RADAU5 {
            1e-11
        } else {
            1e-13
        },
        atol: 1e-14,
        ..Options::default()
    }
}
