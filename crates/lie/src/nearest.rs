//! The nearest rotation in doubles, and how far off a matrix is.

use crate::error::NoNearestElement;
use crate::vector::{Vector, cross, dot};

const MAX_ITERATIONS: usize = 60;
/// A Newton correction of this size leaves an error of its square.
const LAST_CORRECTION: f64 = 1e-8;

/// Divides by the norm.
pub(crate) fn normalise(v: &mut [f64]) -> Result<(), NoNearestElement> {
    let norm = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    if !norm.is_normal() {
        return Err(NoNearestElement);
    }
    v.iter_mut().for_each(|x| *x /= norm);
    Ok(())
}

/// The cosine and sine of the rotation nearest to [[a, b], [c, d]].
pub(crate) fn in_the_plane([a, b, c, d]: [f64; 4]) -> Result<[f64; 2], NoNearestElement> {
    let mut turn = [(a + d) / 2.0, (c - b) / 2.0];
    normalise(&mut turn)?;
    Ok(turn)
}

/// Newton's iteration for the orthogonal polar factor: R ← (R + R⁻ᵀ)/2.
pub(crate) fn in_space(r: &mut [Vector<f64>; 3]) -> Result<(), NoNearestElement> {
    for _ in 0..MAX_ITERATIONS {
        let cofactors = [
            cross(&r[1], &r[2]),
            cross(&r[2], &r[0]),
            cross(&r[0], &r[1]),
        ];
        let determinant = dot(&r[0], &cofactors[0]);
        // A reflection is nearest to no rotation, and Newton would find the reflection.
        if !(determinant.is_normal() && determinant > 0.0) {
            return Err(NoNearestElement);
        }
        let mut correction: f64 = 0.0;
        for (row, cofactors) in r.iter_mut().zip(&cofactors) {
            for (x, cofactor) in row.iter_mut().zip(cofactors) {
                let change = 0.5 * (cofactor / determinant - *x);
                *x += change;
                correction = correction.max(change.abs());
            }
        }
        if correction <= LAST_CORRECTION {
            return Ok(());
        }
    }
    Err(NoNearestElement)
}

/// The largest magnitude of these, or not a number if one is none.
pub(crate) fn largest(first: f64, rest: &[f64]) -> f64 {
    rest.iter().fold(first.abs(), |worst, x| {
        if x.abs() > worst || x.is_nan() {
            x.abs()
        } else {
            worst
        }
    })
}
