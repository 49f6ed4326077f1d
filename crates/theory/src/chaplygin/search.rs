//! Candidates for the fibre of a Chaplygin structure.

use super::Reduction;
use super::group::is_cyclic;
use rattleback_mechanics::System;
use rattleback_symbolic::prove_all_zero;

/// Sets of factors beyond which no further ones are tried.
pub(crate) const MOST_FIBRES: usize = 60;

fn dimension(system: &System, factors: &[usize]) -> usize {
    factors
        .iter()
        .map(|&i| system.factors()[i].fibre.len())
        .sum()
}

/// All sets of factors with as many dimensions as there are constraints: cyclic ones first, then sets
/// with two cyclic coordinates and an angle that may turn with them.
pub(crate) fn candidates(system: &System) -> Vec<Vec<usize>> {
    candidates_of_dimension(system, system.constraints().len())
}

/// [`candidates`] of any dimension.
pub(crate) fn candidates_of_dimension(system: &System, m: usize) -> Vec<Vec<usize>> {
    let all: Vec<usize> = (0..system.factors().len()).collect();
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
    found
}

/// Sets of these factors with m dimensions in all.
pub(super) fn subsets(system: &System, from: &[usize], m: usize) -> Vec<Vec<usize>> {
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
pub(super) fn symmetry_fibre(system: &System) -> Option<Vec<usize>> {
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

/// (conditions that vanish at the start, conditions that may vanish somewhere): fewer is better.
pub(super) fn defects(system: &System, r: &Reduction) -> (usize, usize) {
    let open = r.conditions.iter().filter(|f| !f.is_nonvanishing());
    let point = system.start_point();
    let at_start = |f: &&rattleback_symbolic::Expr| {
        !point.is_empty() && prove_all_zero(&[f.substitute(point)]).is_proven()
    };
    (open.clone().filter(at_start).count(), open.count())
}
