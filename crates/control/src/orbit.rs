//! Directions that a regulator need not hold: those in which symmetries carry a state, with controls and cost.

use rattleback_numeric::Dense;

/// The span V of the directions of symmetries at a state, in reduced echelon form: one coordinate of the state tells each
/// of them, and the others complete it.
pub(crate) struct Orbit {
    /// The coordinates that tell the directions.
    pivots: Vec<usize>,
    /// The directions, each 1 at its own pivot and 0 at those of the others.
    rows: Vec<Vec<f64>>,
    /// The dimension of the state.
    dimension: usize,
}

/// Of a direction that depends on those before it rounding is left.
const DEPENDENT: f64 = 1e-12;

impl Orbit {
    /// The span of directions; none where they are all zero.
    pub fn of(directions: &[Vec<f64>]) -> Option<Self> {
        let dimension = directions.first()?.len();
        let mut orbit = Self {
            pivots: Vec::new(),
            rows: Vec::new(),
            dimension,
        };
        directions.iter().for_each(|v| orbit.take(v));
        (!orbit.pivots.is_empty()).then_some(orbit)
    }

    /// Gauss and Jordan, one direction at a time.
    fn take(&mut self, direction: &[f64]) {
        let mut own = direction.to_vec();
        for (&pivot, row) in self.pivots.iter().zip(&self.rows) {
            reduce(&mut own, row, pivot);
        }
        let largest = |v: &[f64]| v.iter().fold(0.0, |a: f64, x| a.max(x.abs()));
        let pivot = (0..self.dimension).max_by(|&i, &j| own[i].abs().total_cmp(&own[j].abs()));
        let Some(pivot) = pivot.filter(|_| largest(&own) > DEPENDENT * largest(direction)) else {
            return;
        };
        let scale = own[pivot];
        own.iter_mut().for_each(|x| *x /= scale);
        for row in &mut self.rows {
            reduce(row, &own, pivot);
        }
        self.pivots.push(pivot);
        self.rows.push(own);
    }

    /// P x: the coordinates across the orbit, x_j − Σ v_j x_p.
    pub fn projection(&self) -> Dense {
        let across = self.across();
        Dense::new(across.len(), self.dimension, |i, j| {
            let told = self.pivots.iter().position(|&p| p == j);
            match told {
                Some(k) => -self.rows[k][across[i]],
                None => f64::from(u8::from(across[i] == j)),
            }
        })
    }

    /// E y: the state across the orbit with these coordinates, P E = 1.
    pub fn embedding(&self) -> Dense {
        let across = self.across();
        Dense::new(self.dimension, across.len(), |i, j| {
            f64::from(u8::from(i == across[j]))
        })
    }

    /// The directions as columns.
    pub fn directions(&self) -> Dense {
        Dense::new(self.dimension, self.rows.len(), |i, j| self.rows[j][i])
    }

    fn across(&self) -> Vec<usize> {
        let all = 0..self.dimension;
        all.filter(|j| !self.pivots.contains(j)).collect()
    }
}

/// Takes a row out of another, so that nothing is left at its pivot.
fn reduce(from: &mut [f64], row: &[f64], pivot: usize) {
    let factor = from[pivot];
    from.iter_mut().zip(row).for_each(|(x, r)| *x -= factor * r);
    from[pivot] = 0.0;
}
