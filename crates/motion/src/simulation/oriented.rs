//! Independent rows as an oriented subspace: how far two of them are turned against each other.

use rattleback_numeric::determinant;

/// Orthonormal rows with the span and the orientation of given ones, and the logarithm of the volume that the
/// given ones span.
#[derive(Clone, Debug)]
pub(super) struct Oriented {
    rows: Vec<f64>,
    columns: usize,
    /// ln |a¹ ∧ … ∧ aᵐ|.
    pub(super) volume: f64,
}

impl Oriented {
    /// By Gram and Schmidt; none where the rows are not finite, or where all of one but this part of its length
    /// depends on those before it.
    pub(super) fn of(entries: &[f64], columns: usize, least: f64) -> Option<Self> {
        let mut rows = entries.to_vec();
        let mut volume = 0.0;
        for k in 0..rows.len() / columns {
            let (done, rest) = rows.split_at_mut(k * columns);
            let row = &mut rest[..columns];
            let length = norm(row);
            // Twice, so that rows that are nearly dependent come out orthogonal.
            for _ in 0..2 {
                for before in done.chunks_exact(columns) {
                    let along = inner(before, row);
                    row.iter_mut()
                        .zip(before)
                        .for_each(|(x, b)| *x -= along * b);
                }
            }
            let height = norm(row);
            if !(height > least * length && height.is_finite()) {
                return None;
            }
            row.iter_mut().for_each(|x| *x /= height);
            volume += height.ln();
        }
        Some(Self {
            rows,
            columns,
            volume,
        })
    }

    /// The cosine det ⟨aⁱ, bʲ⟩ between the unit multivectors a¹ ∧ … ∧ aᵐ and b¹ ∧ … ∧ bᵐ: along a regular
    /// motion it varies continuously from 1, and where the rows pass a place at which they are dependent, or
    /// a pole, it jumps to −1.
    pub(super) fn cosine(&self, other: &Self) -> f64 {
        let n = self.columns;
        let pairs = self.rows.chunks_exact(n);
        let products = pairs.flat_map(|a| other.rows.chunks_exact(n).map(|b| inner(a, b)));
        determinant(&mut products.collect::<Vec<f64>>(), self.rows.len() / n)
    }
}

fn inner(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

fn norm(x: &[f64]) -> f64 {
    inner(x, x).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_sign_turns_the_orientation() {
        let before = Oriented::of(&[1.0, 0.0, 0.0, 0.0, 0.1, 0.0], 3, 1e-12).unwrap();
        let after = Oriented::of(&[1.0, 0.0, 0.0, 0.0, -0.1, 0.0], 3, 1e-12).unwrap();
        assert!((before.cosine(&after) + 1.0).abs() < 1e-15);
        assert!((before.cosine(&before) - 1.0).abs() < 1e-15);
        assert!((before.volume - 0.1f64.ln()).abs() < 1e-15);
    }

    #[test]
    fn a_pole_turns_the_orientation() {
        let at = |x: f64| Oriented::of(&[x.tan(), 0.3], 2, 1e-12).unwrap();
        assert!(at(1.57).cosine(&at(1.58)) < -0.9);
        assert!(at(1.0).cosine(&at(1.01)) > 0.9);
    }

    #[test]
    fn dependent_rows_have_no_orientation() {
        assert!(Oriented::of(&[1.0, 2.0, 2.0, 4.0], 2, 1e-12).is_none());
        assert!(Oriented::of(&[0.0], 1, 1e-12).is_none());
        assert!(Oriented::of(&[f64::NAN], 1, 1e-12).is_none());
    }

    #[test]
    fn exchanged_rows_turn_the_orientation() {
        let one = Oriented::of(&[1.0, 0.0, 0.0, 1.0], 2, 1e-12).unwrap();
        let other = Oriented::of(&[0.0, 1.0, 1.0, 0.0], 2, 1e-12).unwrap();
        assert_eq!(one.cosine(&other), -1.0);
    }
}
