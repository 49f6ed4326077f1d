//! Matrices of sums of two doubles, for residuals in which large terms cancel (Dekker, Knuth).

use crate::dense::Dense;

/// high + low, with |low| at most half a unit in the last place of high.
#[derive(Clone, Copy, Debug, Default)]
struct Twofold {
    high: f64,
    low: f64,
}

impl Twofold {
    /// a + b without rounding.
    fn sum(a: f64, b: f64) -> Self {
        let high = a + b;
        let part = high - a;
        let low = (a - (high - part)) + (b - part);
        Self { high, low }
    }

    fn plus(self, other: Self) -> Self {
        let sum = Self::sum(self.high, other.high);
        Self::sum(sum.high, sum.low + (self.low + other.low))
    }

    fn times(self, other: Self) -> Self {
        let high = self.high * other.high;
        let rest = self.high.mul_add(other.high, -high);
        let low = rest + (self.high * other.low + self.low * other.high);
        Self::sum(high, low)
    }
}

/// A matrix with twice the digits.
#[derive(Clone, Debug)]
pub(crate) struct Fine {
    rows: usize,
    columns: usize,
    entries: Vec<Twofold>,
}

impl From<&Dense> for Fine {
    fn from(matrix: &Dense) -> Self {
        Self::new(matrix.rows(), matrix.columns(), |i, j| Twofold {
            high: matrix[(i, j)],
            low: 0.0,
        })
    }
}

impl Fine {
    fn new(rows: usize, columns: usize, entry: impl Fn(usize, usize) -> Twofold) -> Self {
        let all = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
        Self {
            rows,
            columns,
            entries: all.map(|(i, j)| entry(i, j)).collect(),
        }
    }

    fn at(&self, i: usize, j: usize) -> Twofold {
        self.entries[i * self.columns + j]
    }

    /// The product with another matrix.
    pub fn times(&self, other: &Fine) -> Fine {
        Fine::new(self.rows, other.columns, |i, j| {
            let terms = (0..self.columns).map(|k| self.at(i, k).times(other.at(k, j)));
            terms.fold(Twofold::default(), Twofold::plus)
        })
    }

    /// The sum with another matrix.
    pub fn plus(&self, other: &Fine) -> Fine {
        Fine::new(self.rows, self.columns, |i, j| {
            self.at(i, j).plus(other.at(i, j))
        })
    }

    /// The difference from another matrix.
    pub fn minus(&self, other: &Fine) -> Fine {
        Fine::new(self.rows, self.columns, |i, j| {
            let Twofold { high, low } = other.at(i, j);
            self.at(i, j).plus(Twofold {
                high: -high,
                low: -low,
            })
        })
    }

    /// Rows as columns.
    pub fn transposed(&self) -> Fine {
        Fine::new(self.columns, self.rows, |i, j| self.at(j, i))
    }

    /// The nearest doubles.
    pub fn rounded(&self) -> Dense {
        let entries: Vec<f64> = self.entries.iter().map(|x| x.high).collect();
        Dense::of_rows(self.rows, self.columns, &entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cancels_in_doubles_is_kept() {
        let row = |entries: &[f64]| Fine::from(&Dense::of_rows(1, entries.len(), entries));
        let product = row(&[1e16, 1.0, -1e16]).times(&row(&[1.0, 1e-3, 1.0]).transposed());
        assert_eq!(product.rounded()[(0, 0)], 1e-3);
        let tenth = row(&[0.1]);
        let square = tenth.times(&tenth).minus(&row(&[0.1 * 0.1])).rounded();
        assert_eq!(square[(0, 0)], 0.1f64.mul_add(0.1, -(0.1 * 0.1)));
        let twice = tenth.plus(&tenth).rounded();
        assert_eq!(twice[(0, 0)], 0.2);
    }
}
