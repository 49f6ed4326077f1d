//! Functions of time that solve x'' = s x.

use super::no_formula;
use crate::discrete::DiscreteError;
use rattleback_symbolic::{
    Expr, Matrix, Sign, characteristic, enclose, normalize, prove_all_zero, roots_by_radicals,
};
use std::cmp::Ordering;

/// Solutions of x'' = s x at a time h.
pub(super) struct Swing {
    /// C with C(0) = 1, C'(0) = 0: a cosine, hyperbolic for s > 0.
    pub cosine: Expr,
    /// S with S(0) = 0, S'(0) = 1: a sine over its frequency, or h.
    pub sine: Expr,
}

impl Swing {
    pub(super) fn new(square: &Expr, h: &Expr) -> Result<Self, DiscreteError> {
        let (cosine, sine) = match sign(square) {
            Some(Ordering::Equal) => (Expr::one(), h.clone()),
            Some(Ordering::Less) => {
                let rate = (-square).sqrt();
                ((&rate * h).cos(), (&rate * h).sin() / &rate)
            }
            Some(Ordering::Greater) => {
                let rate = square.sqrt();
                ((&rate * h).cosh(), (&rate * h).sinh() / &rate)
            }
            _ => {
                return Err(no_formula(
                    "whether its coordinates swing or run away depends on the parameters: `assume` it",
                ));
            }
        };
        Ok(Self { cosine, sine })
    }
}

/// The sign of a constant, by what is assumed or by an enclosure.
fn sign(e: &Expr) -> Option<Ordering> {
    match (e.is_zero(), e.sign()) {
        (true, _) => Some(Ordering::Equal),
        (_, Sign::Positive) => Some(Ordering::Greater),
        (_, Sign::Negative) => Some(Ordering::Less),
        _ => {
            let value = enclose(e)?;
            let positive = (value.low > 0.0).then_some(Ordering::Greater);
            positive.or((value.high < 0.0).then_some(Ordering::Less))
        }
    }
}

/// The eigenvalues of a matrix with the projections on their spaces, P_i = Π_{j≠i} (A − λ_j)/(λ_i − λ_j).
pub(super) fn spectrum(a: &Matrix) -> Result<Vec<(Expr, Matrix)>, DiscreteError> {
    let values = roots_by_radicals(&characteristic(a))
        .ok_or_else(|| no_formula("no square roots were found that write its frequencies"))?;
    let n = a.rows();
    let less = |x: &Expr| Matrix::new(n, n, |i, j| &a[(i, j)] - x * i64::from(i == j));
    let product = |skip: Option<usize>| {
        let kept = values.iter().enumerate().filter(|(j, _)| Some(*j) != skip);
        kept.fold(Matrix::identity(n), |m, (_, x)| {
            (&m * &less(x)).map(normalize)
        })
    };
    // Repeated eigenvalues may lack eigenvectors; then time itself is a factor.
    if !prove_all_zero(product(None).entries()).is_proven() {
        return Err(no_formula(
            "frequencies of it are complex, or meet without motions of their own",
        ));
    }
    let projection = |i: usize| {
        let others = values.iter().enumerate().filter(|(j, _)| *j != i);
        let scale = Expr::product(others.map(|(_, x)| &values[i] - x));
        product(Some(i)).map(|e| normalize(&(e / &scale)))
    };
    Ok((0..values.len())
        .map(|i| (values[i].clone(), projection(i)))
        .collect())
}
