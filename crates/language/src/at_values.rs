//! The model with the values of its parameters put in.

use std::collections::HashMap;

use rattleback_symbolic::{Expr, Role, Symbol, free_symbols};

use crate::auxiliary::Input;
use crate::diagnostic::Diagnostic;
use crate::model::{Assignment, Model, State};
use crate::numeric::Values;
use crate::source::Source;

impl Model {
    /// The same model with the value of every parameter that the motion depends on in the place of its
    /// symbol: what depends on the values, such as the kind of a constraint, is worked out anew. Parameters
    /// that only a `oneform` uses are its free constants and stay.
    ///
    /// `None` where there is no such parameter; the errors where the file is no model at these values.
    pub fn at_values(&self, source: &Source) -> Option<Result<Model, Vec<Diagnostic>>> {
        let values = Values::of(self);
        let fixed: HashMap<String, Expr> = free_symbols(&self.dynamics())
            .into_iter()
            .filter(|s| s.role() == Role::Constant)
            .filter_map(|s| Some((s.name().to_owned(), values.get(&s)?.clone())))
            .filter(|(_, value)| !value.is_undefined())
            .collect();
        if fixed.is_empty() {
            return None;
        }
        let outcome = crate::parse_at(source, fixed);
        let Some(mut model) = outcome.model else {
            let errors = outcome.diagnostics.into_iter().filter(Diagnostic::is_error);
            return Some(Err(errors.collect()));
        };
        model.start = start_at(&self.start, &values, &model);
        let settings = self.inputs.iter().filter(|i| i.setting.is_some());
        for input in settings {
            model.set_input(Input {
                law: values.at(&input.law),
                ..input.clone()
            });
        }
        Some(Ok(model))
    }

    /// The same model with these in the place of some parameters: values, or other parameters. `None` where that is no
    /// model.
    pub fn with_parameters(&self, source: &Source, fixed: &[(Symbol, Expr)]) -> Option<Model> {
        let values = Values::of(self);
        let named = fixed.iter().map(|(s, e)| (s.name().to_owned(), e.clone()));
        let mut model = crate::parse_at(source, named.collect()).model?;
        model.start = start_at(&self.start, &values, &model);
        Some(model)
    }

    /// Everything that the equations and their geometry are made of.
    pub(crate) fn dynamics(&self) -> Vec<Expr> {
        let forms = self
            .forces
            .iter()
            .chain(self.controls.iter().map(|c| &c.form))
            .flat_map(|f| &f.components);
        let fields = self.symmetries.iter().chain(&self.frame);
        let components = fields.flat_map(|f| &f.components);
        std::iter::once(&self.lagrangian)
            .chain(self.constraints.iter().map(|c| &c.expr))
            .chain(forms.chain(components).map(|(_, e)| e))
            .chain(self.states.iter().map(|s| s.update.expression()))
            .chain(self.inputs.iter().map(|i| &i.law))
            .cloned()
            .collect()
    }
}

/// The start, settings of the command line included, in the symbols of the model at its values.
pub(crate) fn start_at(start: &State, values: &Values, model: &Model) -> State {
    let states = model.states.iter().map(|s| s.symbol.clone()).collect();
    let known: Vec<Symbol> = [model.positions(), model.velocities(), states].concat();
    let symbol = |s: &Symbol| {
        let same = |k: &&Symbol| (k.name(), k.order()) == (s.name(), s.order());
        known.iter().find(same).unwrap_or(s).clone()
    };
    let part = |all: &[Assignment]| -> Vec<Assignment> {
        all.iter()
            .map(|a| Assignment {
                symbol: symbol(&a.symbol),
                value: values.at(&a.value),
                ..a.clone()
            })
            .collect()
    };
    State {
        positions: part(&start.positions),
        velocities: part(&start.velocities),
        higher: part(&start.higher),
        multipliers: part(&start.multipliers),
        momenta: part(&start.momenta),
        auxiliary: part(&start.auxiliary),
    }
}
