//! Candidates for the fibre of a Chaplygin structure.

use crate::system::System;
use rattleback_symbolic::{Expr, Matrix, Symbol};

/// Sets of factors beyond which no further ones are tried.
pub const MOST_FIBRES: usize = 60;

/// The names of factors.
pub fn names_of(system: &System, fibre: &[usize]) -> Vec<String> {
    let named = fibre.iter().map(|&i| system.factors()[i].name.clone());
    named.collect()
}

/// The positions of factors at their identity, coordinates at zero.
pub fn fibre_identity(system: &System, fibre: &[usize]) -> Vec<(Symbol, Expr)> {
    let mut all = Vec::new();
    for &i in fibre {
        let factor = &system.factors()[i];
        let values = factor
            .group
            .map_or_else(|| vec![Expr::zero()], |g| g.identity());
        let positions = system.frame().base()[factor.base.clone()].iter().cloned();
        all.extend(positions.zip(values));
    }
    all
}

fn dimension(system: &System, factors: &[usize]) -> usize {
    let sizes = factors.iter().map(|&i| system.factors()[i].fibre.len());
    sizes.sum()
}

/// Do Lagrangian, force and constraints not contain the factor's positions?
pub fn is_cyclic(system: &System, i: usize) -> bool {
    let positions = &system.frame().base()[system.factors()[i].base.clone()];
    let constraints = system.constraints();
    std::iter::once(system.lagrangian())
        .chain(system.force())
        .chain(constraints.forms().entries())
        .chain(constraints.offsets())
        .all(|e| !e.contains_any(positions))
}

/// All sets of factors with as many dimensions as there are constraints: cyclic ones first, then sets
/// with two cyclic coordinates and an angle that may turn with them. Either by their names, not as they are declared.
pub fn candidates(system: &System) -> Vec<Vec<usize>> {
    candidates_of_dimension(system, system.constraints().len())
}

/// [`candidates`] of any dimension.
pub fn candidates_of_dimension(system: &System, m: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<usize> = (0..system.factors().len()).collect();
    all.sort_by_key(|&i| &system.factors()[i].name);
    let cyclic: Vec<usize> = all
        .iter()
        .copied()
        .filter(|&i| is_cyclic(system, i))
        .collect();
    let mut found = subsets(system, &cyclic, m);
    for set in subsets(system, &all, m) {
        let turning = set.iter().filter(|i| !cyclic.contains(i)).count();
        let circle = |i: &&usize| {
            let factor = &system.factors()[**i];
            factor.group.is_none()
                && system
                    .circles()
                    .contains(&system.frame().base()[factor.base.start])
        };
        let angle = set
            .iter()
            .filter(|i| !cyclic.contains(i))
            .all(|i| circle(&i));
        if turning == 1 && set.len() == 3 && angle && !found.contains(&set) {
            found.push(set);
        }
    }
    found.truncate(MOST_FIBRES);
    found.iter_mut().for_each(|set| set.sort_unstable());
    found
}

/// Sets of these factors with m dimensions in all.
pub fn subsets(system: &System, from: &[usize], m: usize) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    let mut stack: Vec<(usize, Vec<usize>)> = vec![(0, Vec::new())];
    while let Some((next, chosen)) = stack.pop() {
        let size = dimension(system, &chosen);
        if size == m && !chosen.is_empty() {
            found.push(chosen);
            if found.len() == MOST_FIBRES {
                break;
            }
        } else if size < m && next < from.len() {
            stack.push((next + 1, chosen.clone()));
            let mut with = chosen;
            with.push(from[next]);
            stack.push((next + 1, with));
        }
    }
    found
}

/// The factors that the declared symmetries move, if these are as many as there are constraints and the fields
/// are enough to move them in all directions.
pub fn symmetry_fibre(system: &System) -> Option<Vec<usize>> {
    let moved = |i: &usize| {
        let range = system.factors()[*i].fibre.clone();
        system
            .symmetries()
            .iter()
            .any(|s| s.components[range.clone()].iter().any(|c| !c.is_zero()))
    };
    let all: Vec<usize> = (0..system.factors().len()).filter(moved).collect();
    let size = dimension(system, &all);
    let fits = size == system.constraints().len() && system.symmetries().len() >= size;
    (!all.is_empty() && fits).then_some(all)
}

impl System {
    /// How good a fibre is for which these functions must not vanish, with a connection of these coefficients: less is
    /// better, whatever the order in which a model is written.
    pub fn defects_of_fibre(&self, conditions: &[Expr], connection: &Matrix) -> [usize; 3] {
        let (at_start, open) = self.vanishing(conditions);
        let length = connection.entries().iter().map(Expr::node_count).sum();
        [at_start, open, length]
    }

    /// (functions that vanish at the start, functions that may vanish somewhere).
    pub fn vanishing(&self, conditions: &[Expr]) -> (usize, usize) {
        let open = conditions.iter().filter(|f| !f.is_nonvanishing());
        let at_start = open.clone().filter(|f| self.vanishes_at_start(f)).count();
        (at_start, open.count())
    }
}
