//! A state at each stop of a path, and which of its conditions say something that the others do not.
//!
//! Neither is judged at one point alone: the slopes of `x^2 = 1` vanish at x = 0, where a search may begin, and those of
//! `x^2 = 0` where it ends.

use super::error::{PoseError, Trouble};
use super::goal::{EndPoint, EndState, Misses, begin};
use super::posed::{Posed, Remarked, Stop};
use super::reach::is_impossible;
use super::scatter::Scatter;
use super::tolerance::CONTRADICTION;
use rattleback_mechanics::Problem;
use rattleback_numeric::independent_rows;
use rattleback_symbolic::Expr;

/// Residuals below are rounding.
const SMALL: f64 = 1e-9;
/// How many points a search for a state begins at.
const SEARCHES: usize = 12;
/// At how many other points a condition must follow from the rest to be dropped, and how well.
const SAMPLES: (usize, f64) = (6, 1e-6);

/// Finds a state at the end, and drops conditions of all stops that follow from others.
pub(super) fn settle(problem: &Problem, posed: &mut Posed) -> Result<(), PoseError> {
    let mut end = posed.end.clone();
    let goal = posed.goal.clone();
    posed.goal = settled(problem, posed, goal, &mut end, &[])?;
    posed.end = end;
    for i in 0..posed.vias.len() {
        let stop = posed.vias[i].1.clone();
        let mut at = posed.end.clone();
        posed.vias[i].1 = settled(problem, posed, stop, &mut at, &[])?;
    }
    Ok(())
}

impl Posed {
    /// Drops conditions at the end that follow from functions which vanish there whatever the controls do: the discrete
    /// conditions would depend on each other.
    pub fn drop_implied(&mut self, problem: &Problem, kept: &[Expr]) -> Result<(), PoseError> {
        if kept.is_empty() {
            return Ok(());
        }
        let (goal, mut end) = (self.goal.clone(), self.end.clone());
        self.goal = settled(problem, self, goal, &mut end, kept)?;
        self.end = end;
        Ok(())
    }
}

fn settled(
    problem: &Problem,
    posed: &mut Posed,
    stop: Stop,
    at: &mut Vec<f64>,
    kept: &[Expr],
) -> Result<Stop, PoseError> {
    begin(posed, &stop, at);
    let Some(end) = EndState::of(posed, &stop, kept)? else {
        return Ok(stop);
    };
    let (point, found) = search(posed, &end, at);
    *at = point.state.clone();
    let all: Vec<usize> = (0..end.rows).collect();
    let mut matrix = found.slopes.clone();
    let mut independent = Vec::new();
    independent_rows(&mut matrix, end.columns, &mut independent);
    if found.largest(&all) > SMALL {
        // Searches that fail prove nothing: without a proof the solver has its try.
        return match is_impossible(problem, posed, &stop) {
            true => contradiction(&end, &found, &independent).map_or(Ok(stop), Err),
            false => Ok(stop),
        };
    }
    let source = match kept.is_empty() {
        true => "the constraints",
        false => "what no control changes, the constraints",
    };
    let mut rest = all;
    let mut dropped = Vec::new();
    for row in end.implied..end.rows {
        let (origin, requirement) = end.origins[row - end.implied];
        let Some(i) = requirement.filter(|_| !independent.contains(&row)) else {
            continue;
        };
        let others: Vec<usize> = rest.iter().copied().filter(|&r| r != row).collect();
        if follows(posed, &end, &point, row, &others) {
            rest = others;
            dropped.push(i);
            posed.remarks.push(Remarked {
                text: format!(
                    "this condition follows from {source} and the other conditions, and is dropped"
                ),
                origin: Some(origin),
            });
        }
    }
    let numbered = stop.requirements.into_iter().enumerate();
    let left = numbered.filter(|(i, _)| !dropped.contains(i));
    Ok(Stop {
        requirements: left.map(|(_, r)| r).collect(),
        attitudes: stop.attitudes,
    })
}

/// A point on the conditions from the model's own, or from one of those scattered about it; else the nearest found.
fn search(posed: &Posed, end: &EndState, at: &[f64]) -> (EndPoint, Misses) {
    let all: Vec<usize> = (0..end.rows).collect();
    let own = end.point(posed, at);
    let mut best: Option<(f64, EndPoint, Misses)> = None;
    for k in 0..SEARCHES {
        let mut point = match k {
            0 => own.clone(),
            _ => end.moved(posed, &own, &step(end, &own, k)),
        };
        let found = end.solve(posed, &mut point, &all);
        let left = found.largest(&all);
        if best.as_ref().is_none_or(|(least, _, _)| left < *least) {
            best = Some((left, point, found));
        }
        if left <= SMALL {
            break;
        }
    }
    let (_, point, found) = best.unwrap_or_else(|| {
        let mut point = own;
        let found = end.solve(posed, &mut point, &all);
        (f64::INFINITY, point, found)
    });
    (point, found)
}

/// A scattered step: small ones first, then as large as the state.
fn step(end: &EndState, at: &EndPoint, k: usize) -> Vec<f64> {
    let size = at.state.iter().chain(&at.shared);
    let size = size.fold(1.0, |m: f64, x| m.max(x.abs()));
    let mut scatter = Scatter::new(k);
    let strength = size * [0.03, 0.3, 1.0, 3.0][k % 4];
    (0..end.columns)
        .map(|_| strength * scatter.next())
        .collect()
}

/// Does a condition hold wherever the others do, near a point? Asked at points that are moved back onto the others.
fn follows(posed: &Posed, end: &EndState, at: &EndPoint, row: usize, others: &[usize]) -> bool {
    let mut seen = 0;
    for k in 1..=2 * SAMPLES.0 {
        let mut point = end.moved(posed, at, &step(end, at, k));
        let found = end.solve(posed, &mut point, others);
        if found.largest(others) > SMALL {
            continue;
        }
        seen += 1;
        if found.residuals[row].abs() > SAMPLES.1 {
            return false;
        }
    }
    seen >= SAMPLES.0
}

/// What is left of a condition that nothing can satisfy, at its statement: one that depends on others first.
fn contradiction(end: &EndState, found: &Misses, kept: &[usize]) -> Option<PoseError> {
    let left = |row: usize| found.residuals[row].abs();
    let stated = end.implied..end.rows;
    let dependent = stated
        .clone()
        .find(|r| !kept.contains(r) && left(*r) > CONTRADICTION);
    let worst = stated.max_by(|&a, &b| left(a).total_cmp(&left(b)));
    let row = dependent.or(worst.filter(|&r| left(r) > CONTRADICTION))?;
    let trouble = Trouble::Contradiction(left(row));
    Some(PoseError::at(end.origins[row - end.implied].0, trouble))
}
