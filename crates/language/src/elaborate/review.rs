//! The review: what only the whole model shows. Unused names, values that break assumptions.

use rattleback_symbolic::{Expr, Symbol};

use crate::diagnostic::Diagnostic;
use crate::model::Model;
use crate::numeric::{Values, compare};
use crate::scope::Meaning;
use crate::syntax::{Statement, StatementKind};

use super::Elaborator;

impl Elaborator<'_> {
    pub(super) fn review(&mut self, statements: &[Statement]) {
        let unreadable = statements
            .iter()
            .any(|s| matches!(s.kind, StatementKind::Unreadable(_)));
        // After an error a name may only seem unused.
        if !unreadable && !self.sink.has_errors() {
            self.unused_names();
        }
        if !self.sink.has_errors() {
            self.orders();
        }
        if !self.sink.has_errors() {
            check_values(&self.model)
                .into_iter()
                .for_each(|d| self.sink.push(d));
        }
    }

    fn unused_names(&mut self) {
        let mut unused: Vec<_> = self
            .scope
            .entries
            .iter()
            .filter(|(name, entry)| {
                warrants_use(&entry.meaning) && !self.is_used(name, &entry.meaning)
            })
            .map(|(name, entry)| (entry.rank, name, entry))
            .collect();
        unused.sort_by_key(|(rank, ..)| *rank);
        for (_, name, entry) in unused {
            let message = format!("`{name}` is {} that nothing uses", entry.what);
            self.sink.push(
                Diagnostic::warning("unused", entry.span, message).help("use it or remove it"),
            );
        }
    }

    /// A group is used where its velocity is, and the other way round.
    fn is_used(&self, name: &str, meaning: &Meaning) -> bool {
        let mentioned = |name: &str| self.used.contains(name);
        match meaning {
            Meaning::Group { velocities, .. } => {
                mentioned(name)
                    || velocities
                        .iter()
                        .any(|s| mentioned(s.name().split('[').next().unwrap_or("")))
            }
            _ => mentioned(name),
        }
    }

    /// Start and goal values of derivatives that no state of this model has.
    fn orders(&mut self) {
        let highest = 2 * self.model.order - 1;
        // The optimality conditions of a control problem are of twice the order.
        if self.model.cost.is_some() {
            return;
        }
        let higher = self
            .model
            .start
            .higher
            .iter()
            .chain(&self.model.goal.higher);
        let beyond: Vec<_> = higher
            .filter(|a| {
                self.scope
                    .order(&a.symbol)
                    .is_some_and(|order| order > highest)
            })
            .collect();
        let diagnostics: Vec<Diagnostic> = beyond
            .into_iter()
            .map(|a| {
                let message = format!(
                    "`{}` is no part of the state: the equations of motion determine it",
                    a.symbol
                );
                Diagnostic::error("target", a.span, message).help("remove it")
            })
            .collect();
        diagnostics.into_iter().for_each(|d| self.sink.push(d));
    }
}

/// Whether an unused name of this kind is worth a warning.
fn warrants_use(meaning: &Meaning) -> bool {
    matches!(
        meaning,
        Meaning::Parameter(_)
            | Meaning::Abbreviation(_)
            | Meaning::Control(_)
            | Meaning::Coordinate(_)
            | Meaning::Group { .. }
    )
}

/// Assumptions and horizon at the parameter values.
pub(crate) fn check_values(model: &Model) -> Vec<Diagnostic> {
    let values = Values::of(model);
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    for parameter in &model.parameters {
        if values
            .get(&parameter.symbol)
            .is_some_and(Expr::is_undefined)
        {
            let message = format!(
                "the value of `{}` is not defined: it divides by zero, or takes a root or logarithm that does not exist",
                parameter.symbol
            );
            diagnostics.push(Diagnostic::error("undefined", parameter.span, message));
        }
    }
    for assumption in &model.assumptions {
        let Some(ordering) = compare(&assumption.lhs, &assumption.rhs, &values) else {
            continue;
        };
        if !assumption.relation.holds(ordering) {
            let message = format!(
                "the parameter values break this assumption: {} is not {} {}",
                values.shown(&assumption.lhs),
                assumption.relation.symbol(),
                values.shown(&assumption.rhs)
            );
            let mut diagnostic = Diagnostic::error("assumption", assumption.span, message)
                .help("change the values or the assumption");
            let place = |symbol: &Symbol| {
                model
                    .parameters
                    .iter()
                    .find(|p| p.symbol == *symbol)
                    .map(|p| p.span)
            };
            for symbol in
                rattleback_symbolic::free_symbols(&[assumption.lhs.clone(), assumption.rhs.clone()])
            {
                if let Some(span) = place(&symbol) {
                    diagnostic = diagnostic.also(span, "its value");
                }
            }
            diagnostics.push(diagnostic);
        }
    }
    if let Some(time) = &model.time {
        let zero = Expr::zero();
        if compare(&time.to, &time.from, &values).is_some_and(|o| !o.is_gt()) {
            diagnostics.push(Diagnostic::error(
                "time",
                time.span,
                "the time interval must end after it begins",
            ));
        }
        if time
            .step
            .as_ref()
            .and_then(|step| compare(step, &zero, &values))
            .is_some_and(|o| !o.is_gt())
        {
            diagnostics.push(Diagnostic::error(
                "time",
                time.span,
                "the step must be positive",
            ));
        }
    }
    diagnostics
}
