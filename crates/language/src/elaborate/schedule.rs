//! The times of a problem: the horizon, the nodes of discrete time, conditions on the way; and bounds that leave nothing.

use rattleback_symbolic::{Expr, Rational, Symbol, free_symbols};

use crate::auxiliary::Clock;
use crate::model::{Horizon, Model};
use crate::numeric::Values;
use crate::source::Span;

/// Something that does not fit at the values of the parameters.
pub(crate) struct Misfit {
    pub(crate) code: &'static str,
    pub(crate) span: Span,
    pub(crate) message: String,
    /// What it is about.
    pub(crate) symbols: Vec<Symbol>,
}

/// What does not fit at these values.
pub(crate) fn misfits(model: &Model, values: &Values) -> Vec<Misfit> {
    let mut all = empty_bounds(model, values);
    let Some(time) = &model.time else { return all };
    let discrete = model.clock != Clock::Continuous;
    if discrete && time.step.is_some() && !is_node(&time.to, time, values) {
        let symbols = symbols(&[&time.from, &time.to]);
        all.push(Misfit {
            code: "time",
            span: time.span,
            message: "the horizon is no whole number of steps".to_owned(),
            symbols,
        });
    }
    for via in &model.vias {
        let after = values.compare(&via.time, &time.from);
        let before = values.compare(&time.to, &via.time);
        let outside = [after, before].iter().flatten().any(|o| !o.is_gt());
        let message = if outside {
            format!(
                "the time of `via` must lie inside the horizon, between {} and {}, but it is {}",
                values.shown(&time.from),
                values.shown(&time.to),
                values.shown(&via.time)
            )
        } else if discrete && !is_node(&via.time, time, values) {
            format!(
                "`via` names a node, and {} is none",
                values.shown(&via.time)
            )
        } else {
            continue;
        };
        let symbols = symbols(&[&via.time, &time.from, &time.to]);
        all.push(Misfit {
            code: "time",
            span: via.span,
            message,
            symbols,
        });
    }
    all
}

/// Is a time a whole number of steps behind the start?
fn is_node(at: &Expr, time: &Horizon, values: &Values) -> bool {
    let step = time.step.clone().unwrap_or_else(Expr::one);
    let steps = values.at(&((at - &time.from) / step));
    match steps.as_number() {
        Some(number) => Rational::is_integer(number),
        // Rounding decides only what is not exact.
        None => steps
            .evaluate(&[])
            .is_ok_and(|x| (x - x.round()).abs() <= 1e-9 * x.abs().max(1.0)),
    }
}

/// Bounds whose limits, free numbers aside, exclude every value.
fn empty_bounds(model: &Model, values: &Values) -> Vec<Misfit> {
    let mut all = Vec::new();
    for bound in &model.bounds {
        let (Some(lower), Some(upper)) = (&bound.lower, &bound.upper) else {
            continue;
        };
        let empty = values.compare(lower, upper).is_some_and(|o| o.is_gt());
        if empty && ![lower, upper].iter().any(|e| model.depends_on_free(e)) {
            all.push(Misfit {
                code: "bound",
                span: bound.span,
                message: format!(
                    "nothing lies between {} and {}",
                    values.shown(lower),
                    values.shown(upper)
                ),
                symbols: symbols(&[lower, upper]),
            });
        }
    }
    all
}

fn symbols(of: &[&Expr]) -> Vec<Symbol> {
    let all: Vec<Expr> = of.iter().map(|&e| e.clone()).collect();
    free_symbols(&all)
}
