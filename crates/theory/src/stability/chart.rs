//! Independent directions on the constraint set at a point.

use rattleback_mechanics::{Chart, VariationalEquations};
use rattleback_symbolic::{Expr, Symbol, enclose, substitute_all};

/// Slopes smaller than this beside the largest are rounding; a chart that is none shows in the exact solve.
const NEGLIGIBLE: f64 = 1e-9;

/// Residuals of positions determine positions, those of velocities velocities. None where the constraints lose rank.
pub(super) fn of(equations: &VariationalEquations, at: &[(Symbol, Expr)]) -> Option<Chart> {
    let residuals = equations.residuals();
    let n = equations.directions().len();
    let sections = equations.frame().rank();
    let mut slopes = vec![vec![0.0; n]; residuals.len()];
    for (j, direction) in equations.directions().iter().enumerate() {
        let column = substitute_all(&equations.along(direction, residuals), at);
        for (row, e) in slopes.iter_mut().zip(&column) {
            row[j] = enclose(e)?.middle();
        }
    }
    let size = |row: &[f64]| row.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    let moves = |row: &[f64]| size(&row[sections..]) > NEGLIGIBLE * size(row);
    let mut order: Vec<usize> = (0..residuals.len()).collect();
    order.sort_by_key(|&r| moves(&slopes[r]));
    let (mut rows, mut dependent) = (Vec::new(), Vec::new());
    let mut reduced: Vec<Vec<f64>> = Vec::new();
    for r in order {
        let mut row = slopes[r].clone();
        for (done, &pivot) in reduced.iter().zip(&dependent) {
            let factor: f64 = row[pivot] / done[pivot];
            row.iter_mut().zip(done).for_each(|(x, d)| *x -= factor * d);
        }
        let among = match moves(&slopes[r]) {
            true => sections..n,
            false => 0..sections,
        };
        let largest = size(&row[among.clone()]);
        if largest <= NEGLIGIBLE * size(&slopes[r]) {
            return None;
        }
        let pivot = among.clone().find(|&j| row[j].abs() >= 0.1 * largest)?;
        rows.push(r);
        dependent.push(pivot);
        reduced.push(row);
    }
    Some(Chart {
        independent: (0..n).filter(|j| !dependent.contains(j)).collect(),
        dependent,
        rows,
    })
}
