//! Inverses of metrics whose entries have roots.

use super::tidy;
use rattleback_symbolic::{Expr, Kind, LinearError, Matrix, Minors, Role, inverse, postorder};

/// The inverse of a metric.
///
/// Elimination makes denominators rational, and a factor 1 − a√b, by which that multiplies, may vanish where
/// 1 + a√b does not. So metrics with roots are inverted by minors, block by block.
pub(crate) fn metric_inverse(g: &Matrix) -> Result<Matrix, LinearError> {
    let blocks = blocks(g);
    if !has_roots(g) || blocks.iter().any(|b| b.len() > LARGEST) {
        return Ok(inverse(g)?.solution);
    }
    let mut upper = Matrix::zeros(g.rows(), g.rows());
    for block in blocks {
        let inner = g.select(&block, &block);
        let det = determinant(&inner);
        if rattleback_symbolic::prove_zero(&det).is_proven() {
            return Ok(inverse(g)?.solution);
        }
        for (i, &row) in block.iter().enumerate() {
            for (j, &column) in block.iter().enumerate() {
                let sign = if (i + j) % 2 == 0 { 1 } else { -1 };
                upper[(row, column)] = sign * minor(&inner, j, i) / &det;
            }
        }
    }
    Ok(upper)
}

/// Blocks beyond this size are left to elimination.
const LARGEST: usize = 3;

fn has_roots(g: &Matrix) -> bool {
    let moves = |b: &Expr| b.free_symbols().iter().any(|s| s.role() == Role::Variable);
    postorder(g.entries(), |_| true)
        .iter()
        .any(|node| match node.kind() {
            Kind::Product(factors) => factors.iter().any(|(b, r)| !r.is_integer() && moves(b)),
            _ => false,
        })
}

/// The indices that hang together by entries that are not zero.
fn blocks(g: &Matrix) -> Vec<Vec<usize>> {
    let n = g.rows();
    let mut found: Vec<Vec<usize>> = Vec::new();
    for i in 0..n {
        if found.iter().any(|b| b.contains(&i)) {
            continue;
        }
        let mut block = vec![i];
        let mut next = 0;
        while next < block.len() {
            let at = block[next];
            let tied = (0..n).filter(|&j| !g[(at, j)].is_zero() || !g[(j, at)].is_zero());
            let new: Vec<usize> = tied.filter(|j| !block.contains(j)).collect();
            block.extend(new);
            next += 1;
        }
        block.sort_unstable();
        found.push(block);
    }
    found
}

/// The determinant. Rows and columns are turned around together, so that it is expanded along the first row.
fn determinant(g: &Matrix) -> Expr {
    let back: Vec<usize> = (0..g.rows()).rev().collect();
    tidy(&Minors::determinant(&g.select(&back, &back)))
}

/// The determinant without a row and a column.
fn minor(g: &Matrix, row: usize, column: usize) -> Expr {
    let left = |without: usize| -> Vec<usize> { (0..g.rows()).filter(|&i| i != without).collect() };
    tidy(&Minors::determinant(&g.select(&left(row), &left(column))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_symbolic::{Symbol, prove_all_zero};

    #[test]
    fn roots_stay_in_denominators() {
        let y = Expr::from(Symbol::variable("y"));
        let root = (1 + y.powi(4)).sqrt();
        let zero = Expr::zero;
        let g = Matrix::from_rows(&[
            vec![2 + &root, zero(), y.clone(), Expr::one()],
            vec![zero(), 1 + y.powi(2) * &root, zero(), zero()],
            vec![y.clone(), zero(), 3 + y.powi(2), root.clone()],
            vec![Expr::one(), zero(), root, 5 + y.powi(4)],
        ]);
        let upper = metric_inverse(&g).unwrap();
        let product = &g * &upper;
        let defect: Vec<Expr> = (0..16)
            .map(|k| &product[(k / 4, k % 4)] - Expr::from(i64::from(k / 4 == k % 4)))
            .collect();
        assert!(prove_all_zero(&defect).is_proven());
        assert_eq!(upper[(1, 1)], g[(1, 1)].recip());
    }
}
