//! What can be said of a goal before anything is solved: accessibility, and invariants that exclude it.

use crate::control::optimal::Posed;
use crate::mechanics::{ConditionKind, Problem, Relation};
use crate::symbolic::{Expr, Symbol};
use crate::theory::Effort;
use crate::theory::control::ControlReport;

/// What brackets of drift and controls tell of a problem.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// Do they span all directions at generic states? None where it is not decided.
    pub accessible: Option<bool>,
    /// Why the goal cannot be reached: a function that no control changes has another value there.
    pub excluded: Option<String>,
}

/// By how much the values of an invariant must differ, beside their size: far above rounding.
const APART: f64 = 1e-9;

impl Reach {
    /// Judges a problem with controls.
    pub(super) fn of(problem: &Problem, posed: &Posed) -> Self {
        let Ok(report) = ControlReport::of(&problem.steered(), Effort::default()) else {
            return Self::default();
        };
        let first = report.invariants.iter();
        Self {
            accessible: report.accessible.decided(),
            excluded: first.filter_map(|i| excludes(problem, posed, i)).next(),
        }
    }
}

/// Has an invariant another value at the goal than at the start?
fn excludes(problem: &Problem, posed: &Posed, invariant: &Expr) -> Option<String> {
    let at_start = value(problem, invariant, &|s| start(problem, posed, s))?;
    let at_goal = value(problem, invariant, &|s| goal(problem, s))?;
    let size = 1.0 + at_start.abs().max(at_goal.abs());
    ((at_start - at_goal).abs() > APART * size).then(|| {
        format!("no control changes {invariant}, which is {at_start} at the start and {at_goal} at the goal")
    })
}

/// The value of a function where each of its variables has one.
fn value(problem: &Problem, e: &Expr, at: &dyn Fn(&Symbol) -> Option<f64>) -> Option<f64> {
    let e = problem.values.at(e);
    let symbols = e.free_symbols();
    let values: Option<Vec<(Symbol, f64)>> = symbols
        .into_iter()
        .map(|s| at(&s).map(|x| (s, x)))
        .collect();
    e.evaluate(&values?).ok().filter(|x| x.is_finite())
}

/// A value that is fixed at the start.
fn start(problem: &Problem, posed: &Posed, symbol: &Symbol) -> Option<f64> {
    let place = posed
        .plant
        .state_symbols()
        .iter()
        .position(|s| s == symbol)?;
    if posed.plant.is_free_at_start(problem, symbol) {
        return None;
    }
    posed.guess(0).states.first()?.get(place).copied()
}

/// A value that the goal fixes by itself: `x = 1`, or an entry of a group element.
fn goal(problem: &Problem, symbol: &Symbol) -> Option<f64> {
    let number = |e: &Expr| problem.values.at(e).evaluate(&[]).ok();
    problem.goals.iter().find_map(|c| match &c.kind {
        ConditionKind::Scalar {
            left,
            relation: Relation::Equal,
            right,
        } if left.as_symbol() == Some(symbol) => number(right),
        ConditionKind::Scalar { .. } => None,
        ConditionKind::Element { factor, entries } => {
            let of = |f: &&crate::mechanics::Factor| f.name == *factor;
            let factor = problem.system.factors().iter().find(of)?;
            let base = &problem.system.frame().base()[factor.base.clone()];
            let place = base.iter().position(|z| z == symbol)?;
            entries.get(place).and_then(number)
        }
    })
}
