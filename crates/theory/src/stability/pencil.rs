//! Numbers s for which F₀ + Σ s_j F_j is positive definite. The least eigenvalue is a concave function of s: it is climbed in
//! floating point, and the exact matrix at a short rational near the top is what proves.

use super::exact::Signs;
use rattleback_symbolic::{Expr, Matrix, Rational, enclose, simplify};

/// Rounds over all coefficients.
const ROUNDS: usize = 40;
/// Steps of a search along one of them.
const STEPS: usize = 60;

/// Is some combination positive definite? None where that is not known.
pub(super) fn is_positive(first: &Matrix, others: &[Matrix], signs: &Signs) -> Option<bool> {
    if others.is_empty() || signs.is_open() {
        return signs.is_positive(first);
    }
    let floats = |m: &Matrix| -> Option<Vec<f64>> {
        m.entries()
            .iter()
            .map(|e| Some(enclose(e)?.middle()))
            .collect()
    };
    let n = first.rows();
    let base = floats(first)?;
    let along: Option<Vec<Vec<f64>>> = others.iter().map(floats).collect();
    let along = along?;
    let least = |s: &[f64]| {
        let mut m = base.clone();
        for (s, f) in s.iter().zip(&along) {
            m.iter_mut().zip(f).for_each(|(x, f)| *x += s * f);
        }
        least_eigenvalue(n, m)
    };
    let mut s = vec![0.0; others.len()];
    for _ in 0..ROUNDS {
        let before = s.clone();
        for j in 0..s.len() {
            climb(&mut s, j, &least);
        }
        if s.len() == 1 || s == before {
            break;
        }
    }
    for digits in [0, 1, 2, 4, 8] {
        let short: Vec<Expr> = s.iter().map(|&x| rounded(x, digits)).collect();
        let mut sum = first.clone();
        for (s, f) in short.iter().zip(others) {
            sum = Matrix::new(n, n, |i, j| simplify(&(&sum[(i, j)] + s * &f[(i, j)])));
        }
        if signs.is_positive(&sum) == Some(true) {
            return Some(true);
        }
    }
    Some(false)
}

/// A rational with so many digits behind the point.
fn rounded(x: f64, digits: i32) -> Expr {
    let scale = 10f64.powi(digits);
    let top = (x * scale).round();
    match top.abs() < 1e15 {
        true => Expr::from(&Rational::new(top as i64, scale as i64)),
        false => Expr::zero(),
    }
}

/// Moves one coefficient to the top of a concave function: a bracket, then its golden section.
fn climb(s: &mut [f64], j: usize, f: &dyn Fn(&[f64]) -> f64) {
    let mut at = |x: f64| {
        s[j] = x;
        f(s)
    };
    let mut width = 1.0;
    let centre = 0.0;
    let here = at(centre);
    for _ in 0..STEPS {
        if at(centre - width) < here && at(centre + width) < here {
            break;
        }
        width *= 2.0;
    }
    let (mut low, mut high) = (centre - width, centre + width);
    let part = 0.618_033_988_749_894_9;
    for _ in 0..STEPS {
        let (a, b) = (high - part * (high - low), low + part * (high - low));
        match at(a) < at(b) {
            true => low = a,
            false => high = b,
        }
    }
    at(0.5 * (low + high));
}

/// By Jacobi's rotations.
fn least_eigenvalue(n: usize, mut m: Vec<f64>) -> f64 {
    for _ in 0..30 {
        for p in 0..n {
            for q in p + 1..n {
                rotate(n, &mut m, p, q);
            }
        }
    }
    (0..n).map(|i| m[i * n + i]).fold(f64::INFINITY, f64::min)
}

/// The rotation that makes the entry (p, q) vanish.
fn rotate(n: usize, m: &mut [f64], p: usize, q: usize) {
    let off = m[p * n + q];
    if off == 0.0 || !off.is_finite() {
        return;
    }
    let theta = (m[q * n + q] - m[p * n + p]) / (2.0 * off);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let t = if theta == 0.0 { 1.0 } else { t };
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for k in 0..n {
        let (x, y) = (m[k * n + p], m[k * n + q]);
        (m[k * n + p], m[k * n + q]) = (c * x - s * y, s * x + c * y);
    }
    for k in 0..n {
        let (x, y) = (m[p * n + k], m[q * n + k]);
        (m[p * n + k], m[q * n + k]) = (c * x - s * y, s * x + c * y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: [[i64; 2]; 2]) -> Matrix {
        Matrix::new(2, 2, |i, j| Expr::from(rows[i][j]))
    }

    #[test]
    fn a_pencil_may_be_definite_where_none_of_its_matrices_is() {
        // [[s − 1, −s/2], [−s/2, 1]] is positive for 2 − √8 … where s − 1 − s²/4 > 0: never; with −1/2 for −1 it is.
        let signs = Signs::known();
        let other = Matrix::from_rows(&[
            vec![Expr::one(), -Expr::from(1) / 2],
            vec![-Expr::from(1) / 2, Expr::zero()],
        ]);
        let never = matrix([[-1, 0], [0, 1]]);
        assert_eq!(
            is_positive(&never, std::slice::from_ref(&other), &signs),
            Some(false)
        );
        let half = Matrix::new(2, 2, |i, j| match (i, j) {
            (0, 0) => -Expr::from(1) / 2,
            (1, 1) => Expr::one(),
            _ => Expr::zero(),
        });
        assert_eq!(
            is_positive(&half, std::slice::from_ref(&other), &signs),
            Some(true)
        );
    }
}
