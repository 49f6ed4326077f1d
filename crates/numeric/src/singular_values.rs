//! Singular values, by turning columns until they are orthogonal.

use crate::dense::Dense;

/// Columns with a smaller cosine between them count as orthogonal.
const ORTHOGONAL: f64 = 4.0 * f64::EPSILON;
/// Turning all pairs converges quadratically; so many rounds are never needed.
const MOST_ROUNDS: usize = 60;

/// The singular values in descending order, one for each column or row, whichever are fewer; small ones have the
/// accuracy of large ones where only columns differ in size (Hestenes, one-sided Jacobi).
///
/// ```
/// use rattleback_numeric::{Dense, singular_values};
/// let found = singular_values(&Dense::of_rows(2, 3, &[3.0, 0.0, 0.0, 0.0, 0.0, -2.0]));
/// assert_eq!(found, [3.0, 2.0]);
/// ```
pub fn singular_values(matrix: &Dense) -> Vec<f64> {
    // Row k holds column k of the taller of A and Aᵀ.
    let mut columns = match matrix.rows() >= matrix.columns() {
        true => matrix.transposed(),
        false => matrix.clone(),
    };
    let (count, length) = (columns.rows(), columns.columns());
    for _ in 0..MOST_ROUNDS {
        let mut settled = true;
        for p in 0..count {
            for q in p + 1..count {
                settled &= !turn(&mut columns, p, q, length);
            }
        }
        if settled {
            break;
        }
    }
    let norm = |k| columns.part((k, 0), 1, length).norm();
    let mut values: Vec<f64> = (0..count).map(norm).collect();
    values.sort_by(|a, b| b.total_cmp(a));
    values
}

/// Turns two columns so that they are orthogonal; were they not?
fn turn(columns: &mut Dense, p: usize, q: usize, length: usize) -> bool {
    let inner = |a, b| -> f64 { (0..length).map(|i| columns[(a, i)] * columns[(b, i)]).sum() };
    let (pp, qq, pq) = (inner(p, p), inner(q, q), inner(p, q));
    let are_oblique = pq.abs() > ORTHOGONAL * (pp * qq).sqrt();
    if !are_oblique {
        return false;
    }
    let zeta = (qq - pp) / (2.0 * pq);
    let tangent = 1.0_f64.copysign(zeta) / (zeta.abs() + zeta.hypot(1.0));
    let cos = 1.0 / tangent.hypot(1.0);
    let sin = cos * tangent;
    for i in 0..length {
        let (x, y) = (columns[(p, i)], columns[(q, i)]);
        columns[(p, i)] = cos * x - sin * y;
        columns[(q, i)] = sin * x + cos * y;
    }
    true
}
