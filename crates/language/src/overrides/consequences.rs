//! What changed values break in a model, and the setting that is to blame.

use super::{Item, Overrides, Rejected};
use crate::auxiliary::Clock;
use crate::diagnostic::Diagnostic;
use crate::elaborate::review::{
    NO_STATE, beyond_state, broken_assumptions, check_horizon, underflow,
};
use crate::elaborate::schedule::misfits;
use crate::model::{Model, Parameter};
use crate::numeric::Values;
use crate::source::{Source, Span};
use rattleback_symbolic::{Expr, Symbol};

/// Something that the changed values break: a stable word for it, the message, the symbols that it is about.
struct Consequence {
    code: &'static str,
    message: String,
    symbols: Vec<Symbol>,
    help: Option<String>,
}

/// What the changed values break in the model: assumptions, the horizon, values that do not exist.
pub(super) fn consequences(model: &Model, overrides: &Overrides) -> Vec<Rejected> {
    let values = Values::of(model);
    let mut found: Vec<Consequence> = Vec::new();
    let mut add = |code, message, symbols| {
        found.push(Consequence {
            code,
            message,
            symbols,
            help: None,
        });
    };
    for Parameter { symbol, value, .. } in &model.parameters {
        let mut symbols = vec![symbol.clone()];
        symbols.extend(value.free_symbols());
        if values.get(symbol).is_some_and(Expr::is_undefined) {
            let message = format!("with this, the value of `{symbol}` is not defined");
            add("undefined", message, symbols);
        } else if values.underflows(symbol) {
            add("range", underflow(symbol), symbols);
        }
    }
    for (assumption, found) in broken_assumptions(model, &values) {
        let sides = [assumption.lhs.clone(), assumption.rhs.clone()];
        let message = format!(
            "this breaks the assumption `{}` of the model: {found}",
            assumption.text
        );
        add(
            "assumption",
            message,
            rattleback_symbolic::free_symbols(&sides),
        );
    }
    for (symbol, _) in beyond_state(model, &model.scope) {
        add("target", NO_STATE.to_owned(), vec![symbol]);
    }
    if let Some((word, message)) = check_horizon(model, &values) {
        let from = model.time.as_ref().and_then(|t| values.number(&t.from));
        let help = match word {
            "until" => format!("for example `until={}`", from.unwrap_or(0.0) + 10.0),
            _ if model.clock != Clock::Continuous => "leave the step out".to_owned(),
            _ => "for example `step=0.01`".to_owned(),
        };
        found.push(Consequence {
            code: "time",
            message,
            symbols: vec![Symbol::variable(word)],
            help: Some(help),
        });
    } else {
        found.extend(misfits(model, &values).into_iter().map(|misfit| {
            let times = ["until", "step"].map(Symbol::variable);
            Consequence {
                code: misfit.code,
                message: misfit.message,
                symbols: misfit.symbols.into_iter().chain(times).collect(),
                help: None,
            }
        }));
    }
    found.iter().map(|c| blame(overrides, c)).collect()
}

/// The setting that a consequence is about: one that sets one of the symbols, else the last.
fn blame(overrides: &Overrides, consequence: &Consequence) -> Rejected {
    let sets = |(source, item): &&(Source, Item)| {
        let name = item.name(source);
        consequence
            .symbols
            .iter()
            .any(|s| Some(s.name().split('[').next().unwrap_or_default()) == name)
    };
    let mut items = overrides.items.iter();
    let found = match consequence.code {
        // Of several times the last one counts.
        "time" => items.rfind(sets),
        _ => items.find(sets),
    };
    let found = found.or(overrides.items.last());
    let (source, item) = match found {
        Some((source, item)) => (source.clone(), Some(item)),
        None => (Source::new(Source::SETTING, ""), None),
    };
    let span = item.map_or(Span::default(), Item::span);
    let mut diagnostic = Diagnostic::error(consequence.code, span, &consequence.message);
    diagnostic.help = consequence.help.clone();
    Rejected {
        source,
        diagnostics: vec![diagnostic],
    }
}
