//! The review: what only the whole model shows. Unused names, values that break assumptions.

use rattleback_symbolic::{Assumptions, Expr, Fact, Symbol, free_symbols};

use crate::auxiliary::Clock;
use crate::diagnostic::Diagnostic;
use crate::model::{Assumption, Model};
use crate::names::Names;
use crate::numeric::Values;
use crate::scope::{Meaning, Scope};
use crate::source::Span;
use crate::syntax::Statement;

use super::Elaborator;
use super::schedule::misfits;

impl Elaborator<'_> {
    pub(super) fn review(&mut self, statements: &[Statement]) {
        let doubtful = statements.iter().any(Statement::is_doubtful);
        // After an error a name may only seem unused.
        if !doubtful && !self.sink.has_errors() {
            self.unused_names();
        }
        if !self.sink.has_errors() {
            for (_, span) in beyond_state(&self.model, &self.scope) {
                let diagnostic = Diagnostic::error("target", span, NO_STATE);
                self.sink.push(diagnostic.help("remove it"));
            }
        }
        if !self.sink.has_errors() {
            let found = ownerless(&self.model, &self.scope);
            found.into_iter().for_each(|d| self.sink.push(d));
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
                self.warrants_use(&entry.meaning) && !self.is_used(name, &entry.meaning)
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

    /// Whether an unused name of this kind is worth a warning. A control acts through its own one-form, where it has one.
    fn warrants_use(&self, meaning: &Meaning) -> bool {
        let acts = |s: &Symbol| {
            let mut controls = self.model.controls.iter();
            controls.any(|c| c.symbol == *s && !c.form.components.is_empty())
        };
        match meaning {
            Meaning::Control(symbol) => !acts(symbol),
            _ => matches!(
                meaning,
                Meaning::Parameter(_)
                    | Meaning::Abbreviation(_)
                    | Meaning::Coordinate(_)
                    | Meaning::Group { .. }
            ),
        }
    }

    /// A group is used where its velocity is, and the other way round.
    fn is_used(&self, name: &str, meaning: &Meaning) -> bool {
        let mentioned = |name: &str| self.ledger.used.contains(name);
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
}

/// Generated names in observables that belong to nothing, such as the second multiplier of one constraint.
fn ownerless(model: &Model, scope: &Scope) -> Vec<Diagnostic> {
    let constraints = model.constraints.iter().map(|c| c.name.clone());
    let names = Names::new(scope.entries.keys().cloned(), constraints.collect());
    let velocities = model.velocities().len();
    let moves = |name: &str| {
        let entry = scope.entries.get(name);
        entry.is_some_and(|entry| {
            matches!(
                entry.meaning,
                Meaning::Coordinate(_)
                    | Meaning::Auxiliary(_)
                    | Meaning::Velocity(_)
                    | Meaning::Field
            )
        })
    };
    let found = model.observables.iter().filter_map(|observable| {
        let mut symbols = free_symbols(observable.value.entries()).into_iter();
        let lost = symbols.find(|s| !names.belongs(s.name(), velocities, moves))?;
        let what = names.generated(lost.name()).unwrap_or("a generated name");
        let message = format!("`{lost}` would be {what}, but the model has none of this name");
        let help = match model.constraints.len() {
            0 => "the model has no constraints".to_owned(),
            n => {
                let all = (0..n).map(|s| names.multiplier(s).to_string());
                format!(
                    "the multipliers are: {}",
                    all.collect::<Vec<_>>().join(", ")
                )
            }
        };
        let diagnostic = Diagnostic::error("generated-name", observable.span, message);
        Some(match what.contains("multiplier") {
            true => diagnostic.help(help),
            false => diagnostic,
        })
    });
    found.collect()
}

/// What [`beyond_state`] finds.
pub(crate) const NO_STATE: &str =
    "this derivative is no part of the state: the equations of motion determine it";

/// Derivatives in the start, in conditions and in terminal costs that no state of this model has, with their places.
pub(crate) fn beyond_state(model: &Model, scope: &Scope) -> Vec<(Symbol, Span)> {
    let highest = 2 * model.order - 1;
    let beyond = |s: &Symbol| scope.order(s).is_some_and(|order| order > highest);
    let mut found = Vec::new();
    // The optimality conditions of a control problem are of twice the order: their start may have more.
    if model.costs.is_empty() {
        let start = model.start.higher.iter();
        let start = start.map(|a| (a.symbol.clone(), a.span));
        found.extend(start.filter(|(s, _)| beyond(s)));
    }
    // Without controls a cost makes a problem of its own order.
    if model.costs.is_empty() || !model.controls.is_empty() {
        let vias = model.vias.iter().flat_map(|via| &via.conditions);
        let conditions = model.goals.iter().chain(vias).map(|condition| {
            let all: Vec<Expr> = condition.expressions().into_iter().cloned().collect();
            (all, condition.span())
        });
        let terminals = model.terminals.iter();
        let terminals = terminals.map(|term| (vec![term.expr.clone()], term.span));
        found.extend(conditions.chain(terminals).filter_map(|(all, span)| {
            let symbol = free_symbols(&all).into_iter().find(beyond)?;
            Some((symbol, span))
        }));
    }
    found
}

/// What the parameter values break, with the places in the file.
fn check_values(model: &Model) -> Vec<Diagnostic> {
    let values = Values::of(model);
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    for parameter in &model.parameters {
        if values
            .get(&parameter.symbol)
            .is_some_and(Expr::is_undefined)
        {
            let message = format!(
                "the value of `{}` is not defined: it divides by zero, takes a root or logarithm that does not exist, or is too large",
                parameter.symbol
            );
            diagnostics.push(Diagnostic::error("undefined", parameter.span, message));
        } else if values.underflows(&parameter.symbol) {
            let message = underflow(&parameter.symbol);
            diagnostics.push(Diagnostic::error("range", parameter.span, message));
        }
    }
    let broken = broken_assumptions(model, &values);
    if broken.is_empty() {
        diagnostics.extend(contradiction(model, &values));
    }
    for (assumption, found) in broken {
        let message = format!("the parameter values break this assumption: {found}");
        let mut diagnostic = Diagnostic::error("assumption", assumption.span, message)
            .help("change the values or the assumption");
        let symbols = free_symbols(&[assumption.lhs.clone(), assumption.rhs.clone()]);
        for parameter in model
            .parameters
            .iter()
            .filter(|p| symbols.contains(&p.symbol))
        {
            diagnostic = diagnostic.also(parameter.span, "its value");
        }
        diagnostics.push(diagnostic);
    }
    if let (Some(time), Some((_, message))) = (&model.time, check_horizon(model, &values)) {
        diagnostics.push(Diagnostic::error("time", time.span, message));
    } else {
        let misfits = misfits(model, &values).into_iter();
        diagnostics.extend(misfits.map(|m| Diagnostic::error(m.code, m.span, m.message)));
    }
    diagnostics
}

/// Assumptions that exclude each other for the parameter values: no state satisfies them.
fn contradiction(model: &Model, values: &Values) -> Option<Diagnostic> {
    let at_values = |a: &Assumption| {
        let difference = values.at(&(&a.lhs - &a.rhs));
        Fact::new(difference, a.relation.sign())
    };
    let facts: Vec<Fact> = model.assumptions.iter().map(at_values).collect();
    let clash = Assumptions::contradiction(&facts)?;
    let (&last, others) = clash.split_last()?;
    let message = match others.is_empty() {
        true => "no state satisfies this assumption",
        false => "no state satisfies these assumptions together",
    };
    let diagnostic = Diagnostic::error("assumption", model.assumptions[last].span, message)
        .help("take one of them back, or change it");
    Some(others.iter().fold(diagnostic, |d, &i| {
        d.also(model.assumptions[i].span, "excludes it with the others")
    }))
}

/// The assumptions that fail at the parameter values, each with what was found.
pub(crate) fn broken_assumptions<'m>(
    model: &'m Model,
    values: &Values,
) -> Vec<(&'m Assumption, String)> {
    let fails = |a: &Assumption| {
        values
            .compare(&a.lhs, &a.rhs)
            .is_some_and(|o| !a.relation.holds(o))
    };
    let found = |a: &Assumption| {
        format!(
            "{} {} {} is false",
            values.shown(&a.lhs),
            a.relation.symbol(),
            values.shown(&a.rhs)
        )
    };
    model
        .assumptions
        .iter()
        .filter(|a| fails(a))
        .map(|a| (a, found(a)))
        .collect()
}

/// What to say of a parameter whose value underflows.
pub(crate) fn underflow(symbol: &Symbol) -> String {
    format!(
        "the value of `{symbol}` underflows a floating-point number: it is not 0, but would count as 0"
    )
}

/// What is wrong with the horizon: the setting that it is about, and the message.
pub(crate) fn check_horizon(model: &Model, values: &Values) -> Option<(&'static str, String)> {
    let time = model.time.as_ref()?;
    let after = |a: &Expr, b: &Expr| values.compare(a, b).is_none_or(|o| o.is_gt());
    if !after(&time.to, &time.from) {
        let shown = |e: &Expr| values.number(e).map_or(e.to_string(), |x| x.to_string());
        let message = format!(
            "the time interval must end after it begins, at {}, but it ends at {}",
            shown(&time.from),
            shown(&time.to)
        );
        Some(("until", message))
    } else if !time
        .step
        .as_ref()
        .is_none_or(|step| after(step, &Expr::zero()))
    {
        Some(("step", "the step must be positive".into()))
    } else {
        uncounted(model, values)
    }
}

/// What the horizon of a model in steps, whose time counts nodes, has between them.
fn uncounted(model: &Model, values: &Values) -> Option<(&'static str, String)> {
    let time = model.time.as_ref()?;
    let what = match model.clock {
        Clock::Continuous => return None,
        Clock::Map => "a map",
        Clock::DiscreteLagrangian => "a discrete Lagrangian",
    };
    let step = time.step.as_ref().and_then(|step| values.number(step));
    if step.is_some_and(|step| step != 1.0) {
        let message = format!("the time of {what} counts nodes: its step is 1");
        return Some(("step", message));
    }
    let nodes = values.number(&time.to)? - values.number(&time.from)?;
    (nodes.fract() != 0.0).then(|| {
        let message =
            format!("the time of {what} counts nodes: {nodes} of them is no whole number");
        ("until", message)
    })
}
