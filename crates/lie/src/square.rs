//! Square matrices as lists of their entries, row by row.

use crate::scalar::Scalar;

/// out = g h.
pub(crate) fn product<S: Scalar>(n: usize, g: &[S], h: &[S], out: &mut [S]) {
    for i in 0..n {
        for j in 0..n {
            let first = g[i * n].clone() * &h[j];
            out[i * n + j] =
                (1..n).fold(first, |sum, k| sum + g[i * n + k].clone() * &h[k * n + j]);
        }
    }
}

/// out = 1.
pub(crate) fn identity<S: Scalar>(n: usize, out: &mut [S]) {
    for (k, entry) in out.iter_mut().enumerate() {
        *entry = S::kronecker(k / n, k % n);
    }
}

/// A rotation of n dimensions in the corner of a matrix of a given size; if the matrix is larger,
/// the position stands right of it and the row (0, …, 0, 1) below.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Motion {
    pub rotation: usize,
    pub size: usize,
}

impl Motion {
    pub fn has_position(self) -> bool {
        self.size > self.rotation
    }

    /// Where entry (i, j) of the rotation is.
    pub fn at(self, i: usize, j: usize) -> usize {
        i * self.size + j
    }

    /// Where entry i of the position is.
    pub fn position(self, i: usize) -> usize {
        i * self.size + self.rotation
    }

    /// (Rᵀ, −Rᵀ p).
    pub fn inverse<S: Scalar>(self, g: &[S], out: &mut [S]) {
        let n = self.rotation;
        for i in 0..n {
            for j in 0..n {
                out[self.at(i, j)] = g[self.at(j, i)].clone();
            }
        }
        if self.has_position() {
            for i in 0..n {
                let back = |k: usize| g[self.at(k, i)].clone() * &g[self.position(k)];
                out[self.position(i)] = -(1..n).fold(back(0), |sum, k| sum + back(k));
            }
            self.last_row(out);
        }
    }

    /// Writes the row (0, …, 0, 1).
    pub fn last_row<S: Scalar>(self, out: &mut [S]) {
        let n = self.size;
        for j in 0..n {
            out[n * (n - 1) + j] = S::kronecker(j, n - 1);
        }
    }

    /// For each choice of rows of the rotation the signs of all entries that turn these around.
    pub fn turned_rows(self, choices: &[&[usize]]) -> Vec<Vec<i64>> {
        let sign = |rows: &[usize], k: usize| {
            let turned = rows.contains(&(k / self.size)) && k % self.size < self.rotation;
            if turned { -1 } else { 1 }
        };
        let signs = |rows: &&[usize]| (0..self.size.pow(2)).map(|k| sign(rows, k)).collect();
        choices.iter().map(signs).collect()
    }

    /// RᵀR − 1, row by row from the diagonal on, then the last row less (0, …, 0, 1).
    pub fn relations<S: Scalar>(self, g: &[S]) -> Vec<S> {
        let n = self.rotation;
        let pairs = (0..n).flat_map(|i| (i..n).map(move |j| (i, j)));
        let mut all: Vec<S> = pairs
            .map(|(i, j)| {
                let term = |k: usize| g[self.at(k, i)].clone() * &g[self.at(k, j)];
                (1..n).fold(term(0), |sum, k| sum + term(k)) - S::kronecker(i, j)
            })
            .collect();
        if self.has_position() {
            let last = self.size - 1;
            all.extend((0..=last).map(|j| g[self.at(last, j)].clone() - S::kronecker(j, last)));
        }
        all
    }
}
