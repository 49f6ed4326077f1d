//! Independent rows as an oriented subspace: how far two of them are turned against each other.

use rattleback_numeric::determinant;

/// How the rows of one kind are judged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// The length of each row.
    pub(super) columns: usize,
    /// Rows are dependent where all of one but this part of its length depends on those before it.
    pub(super) least: f64,
    /// Are there as many rows as columns, none of them judged by its length? Their orientation is a sign then.
    pub(super) is_square: bool,
}

impl Shape {
    /// Puts rows with the same span and orientation in the place of given ones, and says the logarithm of the volume
    /// ln |a¹ ∧ … ∧ aᵐ| that the given ones span; none where they are dependent or not finite.
    pub(super) fn orient(self, rows: &mut [f64], memory: &mut Vec<f64>) -> Option<f64> {
        if !self.is_square {
            return orthonormalise(rows, self.columns, self.least);
        }
        let (sign, volume) = match determinant_of(rows, self.columns, memory) {
            value if value.is_normal() => (value.signum(), value.abs().ln()),
            // Beyond the numbers, or none: row by row.
            _ => {
                let volume = orthonormalise(rows, self.columns, self.least)?;
                (determinant_of(rows, self.columns, memory).signum(), volume)
            }
        };
        // All that is looked at of what is as wide as it is high.
        *rows.first_mut()? = sign;
        Some(volume)
    }

    /// The cosine det ⟨aⁱ, bʲ⟩ between the unit multivectors a¹ ∧ … ∧ aᵐ and b¹ ∧ … ∧ bᵐ of rows that were oriented:
    /// along a regular motion it varies continuously from 1, and where the rows pass a place at which they are
    /// dependent, or a pole, it jumps to −1.
    pub(super) fn cosine(self, a: &[f64], b: &[f64], memory: &mut Vec<f64>) -> f64 {
        let n = self.columns;
        if self.is_square {
            return a.first().zip(b.first()).map_or(1.0, |(a, b)| a * b);
        }
        let products = |a| b.chunks_exact(n).map(move |b| inner(a, b));
        memory.clear();
        memory.extend(a.chunks_exact(n).flat_map(products));
        determinant(memory, a.len() / n)
    }
}

fn determinant_of(rows: &[f64], columns: usize, memory: &mut Vec<f64>) -> f64 {
    memory.clear();
    memory.extend_from_slice(rows);
    determinant(memory, columns)
}

/// By Gram and Schmidt; the logarithm of the volume.
fn orthonormalise(rows: &mut [f64], columns: usize, least: f64) -> Option<f64> {
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
    Some(volume)
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

    fn shape(columns: usize) -> Shape {
        Shape {
            columns,
            least: 1e-12,
            is_square: false,
        }
    }

    fn square(columns: usize) -> Shape {
        Shape {
            columns,
            least: 0.0,
            is_square: true,
        }
    }

    fn of(shape: Shape, entries: &[f64]) -> Option<(Vec<f64>, f64)> {
        let mut rows = entries.to_vec();
        let volume = shape.orient(&mut rows, &mut Vec::new())?;
        Some((rows, volume))
    }

    fn cosine(shape: Shape, a: &[f64], b: &[f64]) -> f64 {
        let [a, b] = [a, b].map(|entries| of(shape, entries).unwrap().0);
        shape.cosine(&a, &b, &mut Vec::new())
    }

    #[test]
    fn a_change_of_sign_turns_the_orientation() {
        let before = [1.0, 0.0, 0.0, 0.0, 0.1, 0.0];
        let after = [1.0, 0.0, 0.0, 0.0, -0.1, 0.0];
        assert!((cosine(shape(3), &before, &after) + 1.0).abs() < 1e-15);
        assert!((cosine(shape(3), &before, &before) - 1.0).abs() < 1e-15);
        let (_, volume) = of(shape(3), &before).unwrap();
        assert!((volume - 0.1f64.ln()).abs() < 1e-15);
    }

    #[test]
    fn a_pole_turns_the_orientation() {
        let between = |x: f64, y: f64| cosine(shape(2), &[x.tan(), 0.3], &[y.tan(), 0.3]);
        assert!(between(1.57, 1.58) < -0.9);
        assert!(between(1.0, 1.01) > 0.9);
    }

    #[test]
    fn dependent_rows_have_no_orientation() {
        assert!(of(shape(2), &[1.0, 2.0, 2.0, 4.0]).is_none());
        assert!(of(square(2), &[1.0, 2.0, 2.0, 4.0]).is_none());
        for shape in [shape(1), square(1)] {
            assert!(of(shape, &[0.0]).is_none());
            assert!(of(shape, &[f64::NAN]).is_none());
            assert!(of(shape, &[f64::INFINITY]).is_none());
        }
    }

    #[test]
    fn exchanged_rows_turn_the_orientation() {
        for shape in [shape(2), square(2)] {
            let turned = cosine(shape, &[1.0, 0.0, 0.0, 1.0], &[0.0, 1.0, 1.0, 0.0]);
            assert_eq!(turned, -1.0);
        }
    }

    #[test]
    fn a_matrix_is_as_large_as_its_rows() {
        // Determinants beyond the numbers, on both sides.
        for scale in [1e-90, 1.0, 1e90] {
            let mut entries = [0.0; 16];
            for k in 0..4 {
                entries[5 * k] = 2.0 * scale;
                entries[4 * k] = scale;
            }
            let (mut rows, volume) = of(square(4), &entries).unwrap();
            assert_eq!(rows[0], 1.0);
            rows.copy_from_slice(&entries);
            let by_rows = orthonormalise(&mut rows, 4, 0.0).unwrap();
            assert!((volume - by_rows).abs() < 1e-12);
        }
    }
}
