//! Steady states for the values of the parameters.

use super::rates::rate_at_start;
use super::{Relation, SteadyState, lines, rotation_entries};
use rattleback_lie::Group;
use rattleback_mechanics::{Factor, Problem, System};
use rattleback_symbolic::{Expr, Symbol, enclose, prove_zero, simplify};

/// The start value of a position or velocity, as an exact constant.
pub(crate) fn start_value(problem: &Problem, s: &Symbol) -> Expr {
    problem.values.at(&stated_value(problem, s))
}

/// The start value of a position or velocity by the parameters.
pub(crate) fn stated_value(problem: &Problem, s: &Symbol) -> Expr {
    if let Some(stated) = problem.start.get(s) {
        return stated.value.clone();
    }
    neutral_value(&problem.system, s)
}

/// Where a position or velocity is that nothing is said of.
pub(crate) fn neutral_value(system: &System, s: &Symbol) -> Expr {
    let neutral = system.factors().iter().find_map(|factor| {
        let entries = &system.frame().base()[factor.base.clone()];
        let place = entries.iter().position(|z| z == s)?;
        Some(factor.group?.identity::<Expr>().swap_remove(place))
    });
    neutral.unwrap_or_else(Expr::zero)
}

/// The start value of what is free; a rate that is 0 there is taken as 1, so that a steady motion moves.
fn free_value(problem: &Problem, s: &Symbol) -> Expr {
    let value = start_value(problem, s);
    let position = problem.system.frame().base().contains(s);
    match !position && value.is_zero() {
        true => Expr::one(),
        false => value,
    }
}

/// Positions and velocities for the values of the parameters; none where a condition fails there.
pub(crate) fn at_values(problem: &Problem, state: &SteadyState) -> Option<Vec<(Symbol, Expr)>> {
    let given = |s: &Symbol| {
        let placed = state.gauge.iter().find(|(z, _)| z == s);
        let placed = placed.map(|(_, e)| problem.values.at(e));
        let known = placed.or_else(|| rate_at_start(problem, state, s));
        known.unwrap_or_else(|| free_value(problem, s))
    };
    let free = state.free.iter().map(|s| (s.clone(), given(s)));
    let free: Vec<(Symbol, Expr)> = free.collect();
    let value = |e: &Expr| problem.values.at(&e.substitute(&free));
    let holds = |r: &Relation| r.holds_at(value);
    let regular = |e: &Expr| enclose(&value(e)).is_some_and(|e| e.excludes_zero());
    if !state.conditions.iter().all(holds) || !state.nonzero.iter().all(regular) {
        return None;
    }
    let position = |s: &Symbol| {
        let known = state.positions.iter().find(|(z, _)| z == s);
        known.map_or_else(|| given(s), |(_, e)| value(e))
    };
    let mut all: Vec<(Symbol, Expr)> = Vec::new();
    for factor in problem.system.factors() {
        all.extend(factor_values(&problem.system, factor, state, &position)?);
    }
    let velocities = state.velocities.iter();
    // Velocities may name entries of a group that are completed.
    let at = all.clone();
    all.extend(velocities.map(|(s, e)| (s.clone(), value(&e.substitute(&at)))));
    for pair in free {
        if !all.iter().any(|(s, _)| *s == pair.0) {
            all.push(pair);
        }
    }
    let real = all.iter().all(|(_, e)| enclose(e).is_some());
    real.then_some(all)
}

/// The values of the entries of a factor, those of a group on the group; none where they are not completed.
fn factor_values(
    system: &System,
    factor: &Factor,
    state: &SteadyState,
    position: &dyn Fn(&Symbol) -> Expr,
) -> Option<Vec<(Symbol, Expr)>> {
    let entries = &system.frame().base()[factor.base.clone()];
    let mut values: Vec<Expr> = entries.iter().map(position).collect();
    let named = |values: Vec<Expr>| entries.iter().cloned().zip(values).collect();
    let Some(group) = factor.group else {
        return Some(named(values));
    };
    if lies_on(group, &values) {
        return Some(named(values));
    }
    let known = |i: &usize| state.positions.iter().any(|(z, _)| *z == entries[*i]);
    let mut all = lines(group).into_iter();
    let line = all.find(|line| line.iter().all(known))?;
    let before = values.clone();
    complete(group, &line, &mut values);
    // What is determined stays.
    let kept = (0..values.len()).filter(known).all(|i| {
        let change = simplify(&(&values[i] - &before[i]));
        change.is_zero() || prove_zero(&change).is_proven()
    });
    (kept && lies_on(group, &values)).then(|| named(values))
}

/// Do the entries satisfy the relations of the group?
fn lies_on(group: Group, values: &[Expr]) -> bool {
    let relations = group.relations(values);
    relations
        .iter()
        .all(|e| e.is_zero() || prove_zero(&simplify(e)).is_proven())
}

/// Completes one line of a rotation to a rotation: with a unit vector across it, and the product of both.
fn complete(group: Group, line: &[usize], values: &mut [Expr]) {
    let n = line.len();
    let turning = rotation_entries(group);
    if n * n != turning.len() {
        return;
    }
    // A row is a line of neighbours.
    let is_row = line[1] == line[0] + 1;
    let first = turning.iter().position(|i| *i == line[0]).unwrap_or(0);
    let index = if is_row { first / n } else { first % n };
    let at = |i: usize, j: usize| match is_row {
        true => turning[n * (i % n) + j],
        false => turning[n * j + i % n],
    };
    let u: Vec<Expr> = line.iter().map(|&i| values[i].clone()).collect();
    if n == 2 {
        let sign = if index == 0 { 1 } else { -1 };
        values[at(index + 1, 0)] = -sign * &u[1];
        values[at(index + 1, 1)] = sign * &u[0];
        return;
    }
    // The axis that is farthest from the line.
    let size = |e: &Expr| enclose(e).map_or(f64::INFINITY, |v| v.middle().abs());
    let far = (0..n).min_by(|&i, &j| size(&u[i]).total_cmp(&size(&u[j])));
    let far = far.unwrap_or(0);
    let length = (1 - u[far].powi(2)).sqrt();
    let across: Vec<Expr> = (0..n)
        .map(|j| simplify(&((Expr::from(i64::from(j == far)) - &u[far] * &u[j]) / &length)))
        .collect();
    for j in 0..n {
        let (k, l) = ((j + 1) % n, (j + 2) % n);
        let last = &u[k] * &across[l] - &u[l] * &across[k];
        values[at(index + 1, j)] = across[j].clone();
        values[at(index + 2, j)] = simplify(&last);
    }
}
