//! Which entries of a matrix may differ from zero.

/// The places of a matrix that may differ from zero, row by row (compressed rows). Everywhere else it is zero as an
/// expression, whatever the values of the inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sparsity {
    columns: usize,
    /// Where each row begins in `places`, and last where they end.
    starts: Vec<usize>,
    places: Vec<u32>,
}

impl Sparsity {
    /// From the columns of each row, in ascending order.
    pub(super) fn of_rows(columns: usize, rows: impl IntoIterator<Item = Vec<u32>>) -> Self {
        let (mut starts, mut places) = (vec![0], Vec::new());
        for row in rows {
            places.extend(row);
            starts.push(places.len());
        }
        Sparsity {
            columns,
            starts,
            places,
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The number of places.
    pub fn entries(&self) -> usize {
        self.places.len()
    }

    /// The columns of a row, ascending.
    pub fn row(&self, i: usize) -> &[u32] {
        &self.places[self.starts[i]..self.starts[i + 1]]
    }

    /// Row and column of each entry, in the order of the entries.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.rows()).flat_map(|i| self.row(i).iter().map(move |&j| (i, j as usize)))
    }

    /// Writes the matrix with these entries, by rows.
    pub fn expand(&self, entries: &[f64], matrix: &mut [f64]) {
        matrix.fill(0.0);
        for ((i, j), value) in self.iter().zip(entries) {
            matrix[i * self.columns + j] = *value;
        }
    }

    /// y ← y + factor A x.
    pub fn multiply(&self, entries: &[f64], factor: f64, x: &[f64], y: &mut [f64]) {
        for ((i, j), value) in self.iter().zip(entries) {
            y[i] += factor * value * x[j];
        }
    }

    /// y ← y + factor Aᵀ x.
    pub fn multiply_transposed(&self, entries: &[f64], factor: f64, x: &[f64], y: &mut [f64]) {
        for ((i, j), value) in self.iter().zip(entries) {
            y[j] += factor * value * x[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_those_of_the_full_matrix() {
        // [[1, 0, 2], [0, 0, 0], [3, 4, 0]]
        let pattern = Sparsity::of_rows(3, [vec![0, 2], vec![], vec![0, 1]]);
        let (entries, x) = ([1.0, 2.0, 3.0, 4.0], [1.0, -1.0, 2.0]);
        assert_eq!((pattern.rows(), pattern.entries()), (3, 4));
        let mut full = [f64::NAN; 9];
        pattern.expand(&entries, &mut full);
        assert_eq!(full, [1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0]);
        let (mut y, mut z) = ([1.0; 3], [0.0; 3]);
        pattern.multiply(&entries, 2.0, &x, &mut y);
        pattern.multiply_transposed(&entries, 1.0, &x, &mut z);
        assert_eq!((y, z), ([11.0, 1.0, -1.0], [7.0, 8.0, 2.0]));
    }
}
