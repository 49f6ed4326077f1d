//! Linear equations row by row, as a book states them: accelerations on the left, all else on the right.

use crate::document::length::characters;
use crate::mechanics::{Equations, Stage};
use crate::symbolic::{Expr, Symbol, simplify};

/// A row with the unknown that it is the equation of.
pub struct Row {
    /// The unknown.
    pub of: Symbol,
    /// Accelerations.
    pub left: Expr,
    /// All else.
    pub right: Expr,
}

/// The rows of the solves that determine the rates. Rows that only repeat a constraint in time are left out, since the
/// constraint itself stands on the page.
pub fn rows(stated: &Equations) -> Vec<Row> {
    let multipliers: Vec<&Symbol> = stated
        .multipliers
        .iter()
        .filter_map(|q| q.value.as_symbol())
        .collect();
    let of = |stage: &Stage| match stage {
        Stage::Linear {
            unknowns,
            matrix,
            rhs,
        } => {
            let is_reaction = |j: usize| multipliers.contains(&&unknowns[j]);
            let moving: Vec<usize> = (0..unknowns.len()).filter(|&j| !is_reaction(j)).collect();
            let pushing: Vec<usize> = (0..unknowns.len()).filter(|&j| is_reaction(j)).collect();
            let term = |i: usize, j: usize| &matrix[(i, j)] * Expr::from(&unknowns[j]);
            let states = |i: usize| {
                let push = pushing.iter().map(|&j| -term(i, j));
                let left = Expr::sum(moving.iter().map(|&j| term(i, j)));
                let right = shorter(Expr::sum(push.chain([rhs[i].clone()])));
                Row {
                    of: unknowns[i].clone(),
                    left: match right.is_zero() {
                        true => alone(left, unknowns),
                        false => left,
                    },
                    right,
                }
            };
            let repeats = |i: usize| {
                let constrained = pushing.iter().all(|&j| matrix[(i, j)].is_zero());
                is_reaction(i) && constrained && !stated.residuals.is_empty()
            };
            let rows = (0..unknowns.len()).filter(|&i| !repeats(i));
            rows.map(states).collect::<Vec<_>>()
        }
        Stage::Implicit {
            unknowns,
            residuals,
        } => unknowns
            .iter()
            .zip(residuals)
            .map(|(of, r)| Row {
                of: of.clone(),
                left: r.clone(),
                right: Expr::zero(),
            })
            .collect(),
    };
    let determines_motion = |stage: &&Stage| {
        let unknowns = stage.unknowns();
        !unknowns.iter().all(|u| multipliers.contains(&u))
    };
    stated
        .stages
        .iter()
        .filter(determines_motion)
        .flat_map(of)
        .collect()
}

/// Right sides longer than this, in characters, stay as they are.
const LONG: u64 = 400;

/// A sum as it is, or simplified where that is shorter.
fn shorter(e: Expr) -> Expr {
    let length = |e: &Expr| characters(std::slice::from_ref(e));
    let tidy = (length(&e) <= LONG).then(|| simplify(&e));
    tidy.filter(|t| length(t) < length(&e)).unwrap_or(e)
}

/// m x'' = 0 says x'' = 0 where m does not vanish.
fn alone(left: Expr, unknowns: &[Symbol]) -> Expr {
    let only = unknowns.iter().find(|u| {
        let slope = left.diff(u);
        slope.is_nonvanishing() && (&slope * Expr::from(*u)) == left
    });
    only.map_or(left.clone(), Expr::from)
}

/// The rows of the solves that determine nothing but multipliers.
pub fn multipliers(stated: &Equations) -> Vec<(Expr, Expr)> {
    let names: Vec<&Symbol> = stated
        .multipliers
        .iter()
        .filter_map(|q| q.value.as_symbol())
        .collect();
    let only = |stage: &&Stage| stage.unknowns().iter().all(|u| names.contains(&u));
    let is_linear = |stage: &&Stage| matches!(stage, Stage::Linear { .. });
    let stages = stated.stages.iter().filter(only).filter(is_linear);
    stages.flat_map(Stage::rows).collect()
}
