//! Elimination over enclosures: the rank of a matrix from below, and solutions of linear systems.

use super::directed::Directed;
use super::enclosure::{Enclosed, Enclosures, Interval};

/// A row and a column.
pub(crate) type Place = (usize, usize);

impl<D: Directed> Enclosures<D> {
    /// The rank of a matrix from below, which has these entries at these places and zeros elsewhere: the sum over the
    /// blocks that its entries connect.
    ///
    /// Matrices of many bodies fall apart, and the elimination of each part takes the cube of its own size only.
    pub(crate) fn rank(&self, entries: &[Enclosed<D>], places: &[Place]) -> usize {
        let blocks = self.blocks(entries, places);
        let ranks = blocks.iter().map(|block| {
            let zero = self.between(self.0.zero(), self.0.zero());
            let [rows, columns] = [0, 1].map(|side| {
                let mut all: Vec<usize> = block.iter().map(|&k| sides(places[k])[side]).collect();
                all.sort_unstable();
                all.dedup();
                all
            });
            let mut matrix = vec![vec![zero; columns.len()]; rows.len()];
            for &k in block {
                let (row, column) = places[k];
                let place = (rows.binary_search(&row), columns.binary_search(&column));
                if let (Ok(i), Ok(j)) = place {
                    matrix[i][j] = entries[k].clone();
                }
            }
            self.pivots(matrix).len()
        });
        ranks.sum()
    }

    /// The solution of a square system for all matrices and sides in the enclosures; none where a pivot may vanish.
    pub(crate) fn solve(
        &self,
        mut rows: Vec<Vec<Interval<D::Number>>>,
        mut sides: Vec<Interval<D::Number>>,
    ) -> Option<Vec<Interval<D::Number>>> {
        let n = rows.len();
        for k in 0..n {
            let furthest = |i: &usize| self.distance(&rows[*i][k]);
            let row = (k..n).reduce(|a, b| if furthest(&b) > furthest(&a) { b } else { a })?;
            rows.swap(k, row);
            sides.swap(k, row);
            let (done, below) = rows.split_at_mut(k + 1);
            let (known, open) = sides.split_at_mut(k + 1);
            let (pivot, side) = (&done[k], &known[k]);
            let inverse = self.reciprocal(&pivot[k])?;
            for (row, b) in below.iter_mut().zip(open) {
                if self.is_zero(&row[k]) {
                    continue;
                }
                let factor = self.multiply(&row[k], &inverse)?;
                for (x, p) in row[k + 1..].iter_mut().zip(&pivot[k + 1..]) {
                    *x = self.subtract(x, &self.multiply(&factor, p)?)?;
                }
                *b = self.subtract(b, &self.multiply(&factor, side)?)?;
            }
        }
        for (k, row) in rows.iter().enumerate().rev() {
            let (open, known) = sides.split_at_mut(k + 1);
            let b = &mut open[k];
            for (a, x) in row[k + 1..].iter().zip(known) {
                *b = self.subtract(b, &self.multiply(a, x)?)?;
            }
            *b = self.multiply(b, &self.reciprocal(&row[k])?)?;
        }
        Some(sides)
    }

    /// How far from zero it is for certain.
    fn distance(&self, x: &Interval<D::Number>) -> D::Number {
        match self.excludes_zero(x) {
            true => self.size(x).low,
            false => self.0.zero(),
        }
    }

    /// The entries that are connected by rows and columns, without zeros; what is not enclosed may be anything.
    fn blocks(&self, entries: &[Enclosed<D>], places: &[Place]) -> Vec<Vec<usize>> {
        let is_zero = |k: usize| entries[k].as_ref().is_some_and(|x| self.is_zero(x));
        let kept: Vec<usize> = (0..places.len()).filter(|&k| !is_zero(k)).collect();
        let height = places.iter().map(|p| p.0 + 1).max().unwrap_or(0);
        let width = places.iter().map(|p| p.1 + 1).max().unwrap_or(0);
        let mut parents: Vec<usize> = (0..height + width).collect();
        for &k in &kept {
            let row = root(&mut parents, places[k].0);
            let column = root(&mut parents, height + places[k].1);
            parents[row.max(column)] = row.min(column);
        }
        let mut number = vec![usize::MAX; height + width];
        let mut blocks: Vec<Vec<usize>> = Vec::new();
        for k in kept {
            let first = root(&mut parents, places[k].0);
            if number[first] == usize::MAX {
                number[first] = blocks.len();
                blocks.push(Vec::new());
            }
            blocks[number[first]].push(k);
        }
        blocks
    }

    /// The columns of the pivots of elimination: they exclude zero, the largest first.
    pub(crate) fn pivots(&self, mut rows: Vec<Vec<Enclosed<D>>>) -> Vec<usize> {
        let mut open: Vec<usize> = (0..rows.first().map_or(0, Vec::len)).collect();
        let mut columns = Vec::new();
        while let Some((i, j)) = self.largest(&rows[columns.len()..], &open) {
            let rank = columns.len();
            rows.swap(rank, rank + i);
            open.retain(|&c| c != j);
            let (done, below) = rows.split_at_mut(rank + 1);
            let pivot = &done[rank];
            let inverse = pivot[j].as_ref().and_then(|p| self.reciprocal(p));
            for row in below {
                if row[j].as_ref().is_some_and(|x| self.is_zero(x)) {
                    continue;
                }
                let factor = self.product(&row[j], &inverse);
                for &c in &open {
                    let change = self.product(&factor, &pivot[c]);
                    row[c] = match (&row[c], &change) {
                        (Some(x), Some(y)) => self.subtract(x, y),
                        _ => None,
                    };
                }
            }
            columns.push(j);
        }
        columns
    }

    /// The place of the entry that is furthest from zero for certain.
    fn largest(&self, rows: &[Vec<Enclosed<D>>], columns: &[usize]) -> Option<(usize, usize)> {
        let mut best: Option<(D::Number, (usize, usize))> = None;
        for (i, row) in rows.iter().enumerate() {
            for &j in columns {
                let Some(x) = row[j].as_ref().filter(|x| self.excludes_zero(x)) else {
                    continue;
                };
                let size = self.size(x).low;
                if best.as_ref().is_none_or(|(most, _)| size > *most) {
                    best = Some((size, (i, j)));
                }
            }
        }
        best.map(|(_, place)| place)
    }
}

fn sides((row, column): Place) -> [usize; 2] {
    [row, column]
}

/// The root of a member in a forest; the way to it becomes shorter.
fn root(parents: &mut [usize], mut member: usize) -> usize {
    while parents[member] != member {
        parents[member] = parents[parents[member]];
        member = parents[member];
    }
    member
}

#[cfg(test)]
mod tests {
    use crate::{Expr, Matrix, Symbol, generic_rank};

    /// Numbers that look random.
    fn draw(state: &mut u64, below: u64) -> u64 {
        *state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (*state >> 33) % below
    }

    /// A matrix of this rank, and no more, of functions of its own variable: a product of two of full rank.
    fn part(state: &mut u64, [rows, columns, rank]: [usize; 3], name: &str) -> Matrix {
        let x = Expr::from(Symbol::variable(name));
        // Powers of x + c for different c, which are independent.
        let power = |at: usize, k: usize| (&x + &Expr::from(at as i64 + 1)).powi(k as i64 + 1);
        let shift = draw(state, 5) as usize;
        let left = Matrix::new(rows, rank, |i, k| power(i + shift, k));
        let right = Matrix::new(rank, columns, |k, j| power(j + 1, k));
        &left * &right
    }

    #[test]
    fn shuffled_blocks_have_the_sum_of_their_ranks() {
        for seed in 0..12u64 {
            let mut state = seed.wrapping_mul(77) + 1;
            let (mut parts, mut expected) = (Vec::new(), 0);
            for p in 0..4 {
                let size = [(); 2].map(|()| 1 + draw(&mut state, 3) as usize);
                let rank = draw(&mut state, 1 + size[0].min(size[1]) as u64) as usize;
                expected += rank;
                parts.push(part(&mut state, [size[0], size[1], rank], &format!("x{p}")));
            }
            let (rows, columns) = parts
                .iter()
                .fold((0, 0), |(r, c), m| (r + m.rows(), c + m.cols()));
            let mut whole = Matrix::zeros(rows, columns);
            let mut order: [Vec<usize>; 2] = [(0..rows).collect(), (0..columns).collect()];
            for places in &mut order {
                for i in (1..places.len()).rev() {
                    places.swap(i, draw(&mut state, i as u64 + 1) as usize);
                }
            }
            let (mut row, mut column) = (0, 0);
            for m in &parts {
                for (i, j) in (0..m.rows()).flat_map(|i| (0..m.cols()).map(move |j| (i, j))) {
                    whole[(order[0][row + i], order[1][column + j])] = m[(i, j)].clone();
                }
                (row, column) = (row + m.rows(), column + m.cols());
            }
            assert_eq!(generic_rank(&whole), Ok(expected), "seed {seed}: {whole:?}");
        }
    }

    #[test]
    fn a_diagonal_of_many_entries_has_full_rank() {
        let n = 400;
        let entry = |i: usize| Expr::from(Symbol::variable(&format!("m{i}")));
        let diagonal: Vec<Expr> = (0..n).map(entry).collect();
        assert_eq!(generic_rank(&Matrix::diagonal(&diagonal)), Ok(n));
    }
}
