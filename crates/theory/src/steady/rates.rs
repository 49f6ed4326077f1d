//! The rates of steady motions: how many are needed to tell them apart, and which of them the start has.

use super::SteadyState;
use super::values::start_value;
use rattleback_mechanics::{Problem, System};
use rattleback_symbolic::{Expr, Matrix, Symbol, prove_zero, rank, simplify};

/// The rates that are free.
pub(crate) fn free_rates(system: &System, state: &SteadyState) -> Vec<Symbol> {
    let base = system.frame().base();
    let rates = state.free.iter().filter(|s| !base.contains(s));
    rates.cloned().collect()
}

/// The same states with no more rates than velocities tell apart: where symmetries move a state alike, as precession and
/// spin do that of an upright top, one of them may rest, and where another one follows from the equations, it alone moves.
pub(crate) fn with_least_rates(system: &System, mut state: SteadyState) -> SteadyState {
    let rates = free_rates(system, &state);
    let slopes = |r: &Symbol| -> Vec<Expr> {
        let each = state.velocities.iter();
        each.map(|(_, e)| e.diff(r)).collect()
    };
    let rows: Vec<Vec<Expr>> = rates.iter().map(slopes).collect();
    if rates.is_empty() || rows.iter().flatten().any(|e| e.contains_any(&rates)) {
        return state;
    }
    let bound = |r: &Symbol| {
        let conditions = state.conditions.iter();
        let mut sides = conditions.flat_map(|c| [&c.greater, &c.less]);
        sides.any(|e| e.contains(r)) || state.nonzero.iter().any(|e| e.contains(r))
    };
    let mut kept: Vec<Vec<Expr>> = Vec::new();
    let mut idle: Vec<(Symbol, Expr)> = Vec::new();
    for (r, row) in rates.iter().zip(rows) {
        kept.push(row);
        // The rank of generic states is the largest: what depends there depends on the whole family.
        let dependent = rank(&Matrix::from_rows(&kept)).is_ok_and(|k| k.rank < kept.len());
        if dependent && !bound(r) {
            kept.pop();
            idle.push((r.clone(), Expr::zero()));
        }
    }
    if idle.is_empty() {
        return state;
    }
    let rest = |e: &Expr| simplify(&e.substitute(&idle));
    state.velocities.iter_mut().for_each(|(_, e)| *e = rest(e));
    state.carried.iter_mut().for_each(|(_, e)| *e = rest(e));
    state.carried.retain(|(_, e)| !e.is_zero());
    state.free.retain(|s| !idle.iter().any(|(r, _)| r == s));
    state
}

/// A free rate as the start has it, where it moves there.
pub(crate) fn rate_at_start(problem: &Problem, state: &SteadyState, rate: &Symbol) -> Option<Expr> {
    let mut velocities = state.velocities.iter();
    let value = match velocities.find(|(_, e)| e.as_symbol() == Some(rate)) {
        Some((y, _)) => start_value(problem, y),
        None => solved_at_start(problem, state, rate)?,
    };
    (!value.is_zero()).then_some(value)
}

/// The rate with which the start moves along this state, if it does: the velocities are as fast as there for one rate.
fn solved_at_start(problem: &Problem, state: &SteadyState, rate: &Symbol) -> Option<Expr> {
    let rates = free_rates(&problem.system, state);
    let base = problem.system.frame().base();
    let positions: Vec<(Symbol, Expr)> = base
        .iter()
        .map(|z| (z.clone(), start_value(problem, z)))
        .collect();
    let known = |r: &Symbol| {
        let mut velocities = state.velocities.iter();
        let own = velocities.find(|(_, e)| e.as_symbol() == Some(r))?;
        Some((r.clone(), start_value(problem, &own.0)))
    };
    let others: Vec<(Symbol, Expr)> = rates.iter().filter_map(known).collect();
    let here = |e: &Expr| {
        let e = e.substitute(&others).substitute(&positions);
        simplify(&problem.values.at(&e))
    };
    let gaps: Vec<Expr> = state
        .velocities
        .iter()
        .map(|(y, e)| here(e) - start_value(problem, y))
        .collect();
    let value = gaps.iter().find_map(|e| {
        let parts = e.coefficients(rate).ok()?;
        let alone = parts.len() == 2 && !parts.iter().any(|c| c.contains_any(&rates));
        (alone && prove_zero(&parts[1]).is_refuted()).then(|| simplify(&-(&parts[0] / &parts[1])))
    })?;
    let put = [(rate.clone(), value.clone())];
    let closed = |e: &Expr| prove_zero(&simplify(&e.substitute(&put))).is_proven();
    gaps.iter().all(closed).then_some(value)
}

/// The free rates that the start does not give.
pub(crate) fn open_rates(problem: &Problem, state: &SteadyState) -> Vec<Symbol> {
    let rates = free_rates(&problem.system, state);
    let open = |s: &Symbol| rate_at_start(problem, state, s).is_none();
    rates.into_iter().filter(open).collect()
}
