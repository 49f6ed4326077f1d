//! What controls can reach, and what outputs can see.

use crate::complex::Complex;
use crate::dense::Dense;
use crate::eigen::{Eigen, balance};
use crate::schur::SchurError;
use crate::singular_values::singular_values;
use crate::tolerance::WELL_REACHED;

/// The smallest invariant subspace of A that holds the columns of B: span{B, AB, A²B, …}, found by orthogonalising
/// A times the last directions against all before, in coordinates in which A is balanced.
///
/// A direction is new if one of its components is, beside what rounding may have put there: so neither the units of
/// the states nor those of time decide. Observability of (A, C) is reachability of (Aᵀ, Cᵀ).
///
/// ```
/// use rattleback_numeric::{Dense, Reachable};
/// // The second state drifts alone.
/// let a = Dense::of_rows(2, 2, &[0.0, 1.0, 0.0, 3.0]);
/// let found = Reachable::of(&a, &Dense::of_rows(2, 1, &[1.0, 0.0]))?;
/// assert_eq!((found.rank(), found.modes[0].re), (1, 3.0));
/// # Ok::<(), rattleback_numeric::SchurError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reachable {
    rank: usize,
    /// The eigenvalues of A on what is left: no control moves these modes.
    pub modes: Vec<Complex>,
    /// The least new direction that was taken up, as a part of what it was left of; 1 where there is none.
    pub taken: f64,
    /// The number of states that controls act on at all, by way of entries that came of something.
    touched: usize,
    /// The size of A where it is balanced.
    size: f64,
    /// The modes out of reach grow by no less than this together: the trace, less what rounding may have added to it.
    sum: f64,
}

impl Reachable {
    /// What B reaches under A, whose entries are known to rounding.
    pub fn of(a: &Dense, b: &Dense) -> Result<Reachable, SchurError> {
        Self::among(a, b, &sizes_of(a), &sizes_of(b))
    }

    /// The same where entries are known to roundings of these sizes: 6e-17 for cos(π/2) is none beside 1.
    pub fn among(
        a: &Dense,
        b: &Dense,
        a_from: &Dense,
        b_from: &Dense,
    ) -> Result<Reachable, SchurError> {
        a.check()?;
        b.check()?;
        let n = a.rows();
        let scales = balance(a);
        let balanced = |a: &Dense| Dense::new(n, n, |i, j| a[(i, j)] * (scales[j] / scales[i]));
        let (a, a_from) = (balanced(a), balanced(a_from));
        let mut search = Search::default();
        let scaled = |b: &Dense, j: usize| (0..n).map(|i| b[(i, j)] / scales[i]).collect();
        let column = |j: usize| Direction {
            v: scaled(b, j),
            from: scaled(b_from, j),
        };
        search.take((0..b.columns()).map(column).collect());
        let mut from = 0;
        while from < search.basis.len() && search.basis.len() < n {
            let to = search.basis.len();
            let newest = search.basis[from..to].iter();
            let images = newest.map(|v| v.image(&a, &a_from)).collect();
            search.take(images);
            from = to;
        }
        let rest = complement(&search.basis, n);
        Ok(Reachable {
            rank: search.basis.len(),
            modes: Eigen::of(&(&(&rest.transposed() * &a) * &rest))?.values,
            taken: search.taken,
            touched: touched(&a_from, b_from),
            size: a.norm(),
            sum: least_trace(&a, &rest),
        })
    }

    /// The dimension of the subspace.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Was no direction so small that rounding may have decided? What is left out is none for certain where zeros leave it
    /// out: two plants that differ by less than rounding are not alike.
    pub fn is_clear(&self) -> bool {
        self.is_reached() && self.rank == self.touched
    }

    /// The same for a plant whose modes are these and 1.
    pub(crate) fn one_on(mut self) -> Self {
        self.modes.iter_mut().for_each(|mode| mode.re += 1.0);
        self
    }

    /// Is what was taken up within reach beyond doubt?
    pub fn is_reached(&self) -> bool {
        self.taken > WELL_REACHED
    }

    /// Do all modes out of reach certainly die out in continuous time, or does one certainly not? None where rounding
    /// hides it.
    pub fn dies_out(&self) -> Option<bool> {
        let fastest = self.modes.iter().map(|mode| mode.re).max_by(f64::total_cmp);
        match fastest {
            // If all died out, so would their sum.
            Some(growth) if growth > RESOLUTION * self.size || self.sum >= 0.0 => Some(false),
            Some(growth) if growth >= -RESOLUTION * self.size => None,
            _ => Some(true),
        }
    }

    /// The mode out of reach that grows fastest in continuous time, if one does not die out beyond rounding.
    pub fn unstable_mode(&self) -> Option<Complex> {
        self.worst(|mode| mode.re)
    }

    /// The same in discrete time.
    pub fn unstable_discrete_mode(&self) -> Option<Complex> {
        self.worst(|mode| mode.modulus() - 1.0)
    }

    /// The first mode out of reach that neither grows nor dies out: `growth` is 0 up to rounding.
    pub(crate) fn neutral_mode(&self, growth: impl Fn(&Complex) -> f64) -> Option<Complex> {
        let mut modes = self.modes.iter();
        modes
            .find(|mode| growth(mode).abs() <= RESOLUTION * self.size)
            .copied()
    }

    fn worst(&self, growth: impl Fn(&Complex) -> f64) -> Option<Complex> {
        let worst = (self.modes.iter()).max_by(|a, b| growth(a).total_cmp(&growth(b)));
        worst
            .filter(|mode| growth(mode) >= -RESOLUTION * self.size)
            .copied()
    }
}

/// A direction, and for each component the size of what it came of: its error is some roundings of that.
struct Direction {
    v: Vec<f64>,
    from: Vec<f64>,
}

impl Direction {
    /// Known to rounding.
    fn exact(v: Vec<f64>) -> Self {
        let from = v.iter().map(|x| x.abs()).collect();
        Direction { v, from }
    }

    /// A v.
    fn image(&self, a: &Dense, a_from: &Dense) -> Self {
        let columns = || 0..a.columns();
        let row = |i| columns().map(|j| a[(i, j)] * self.v[j]).sum();
        let size = |i| columns().map(|j| a_from[(i, j)] * self.from[j]).sum();
        Direction {
            v: (0..a.rows()).map(row).collect(),
            from: (0..a.rows()).map(size).collect(),
        }
    }

    /// Without what it has along a direction of unit length.
    fn clear(&mut self, unit: &Direction) {
        let inner: f64 = unit.v.iter().zip(&self.v).map(|(b, v)| b * v).sum();
        for (i, (v, from)) in self.v.iter_mut().zip(&mut self.from).enumerate() {
            *v -= inner * unit.v[i];
            *from += inner.abs() * unit.from[i];
        }
    }

    /// The largest component beside what it came of: a direction of 1e-16 is rounding, whatever its length.
    fn part(&self) -> f64 {
        let parts = self.v.iter().zip(&self.from);
        let parts = parts.map(|(v, from)| if *from > 0.0 { v.abs() / from } else { 0.0 });
        parts.fold(0.0, f64::max)
    }

    /// With unit length.
    fn normalised(mut self) -> Self {
        let scale = length(&self.v);
        let all = self.v.iter_mut().chain(&mut self.from);
        all.for_each(|x| *x /= scale);
        self
    }
}

/// The number of states that columns of B, and rows of A from there on, touch.
fn touched(a: &Dense, b: &Dense) -> usize {
    let n = a.rows();
    let mut all: Vec<bool> = (0..n)
        .map(|i| (0..b.columns()).any(|j| b[(i, j)] > 0.0))
        .collect();
    for _ in 0..n {
        let next = |i: usize| all[i] || (0..n).any(|j| all[j] && a[(i, j)] > 0.0);
        all = (0..n).map(next).collect();
    }
    all.iter().filter(|touched| **touched).count()
}

/// The sizes of entries.
fn sizes_of(m: &Dense) -> Dense {
    Dense::new(m.rows(), m.columns(), |i, j| m[(i, j)].abs())
}

struct Search {
    basis: Vec<Direction>,
    taken: f64,
}

impl Default for Search {
    fn default() -> Self {
        Search {
            basis: Vec::new(),
            taken: 1.0,
        }
    }
}

impl Search {
    /// Takes up what is new in these directions, the newest first.
    fn take(&mut self, mut directions: Vec<Direction>) {
        // Twice: what the first round leaves is orthogonal up to rounding of what it removed.
        for _ in 0..2 {
            directions.iter_mut().for_each(|d| self.clear(d));
        }
        while !directions.is_empty() {
            let parts: Vec<f64> = directions.iter().map(Direction::part).collect();
            let largest = (0..parts.len()).max_by(|&i, &j| parts[i].total_cmp(&parts[j]));
            let Some(k) = largest else { return };
            if parts[k] <= LEAST_PART {
                return;
            }
            self.taken = self.taken.min(parts[k]);
            let unit = directions.swap_remove(k).normalised();
            directions.iter_mut().for_each(|d| d.clear(&unit));
            self.basis.push(unit);
        }
    }

    /// Removes what the basis already has.
    fn clear(&self, direction: &mut Direction) {
        self.basis.iter().for_each(|unit| direction.clear(unit));
    }
}

/// Eigenvalues that meet are found up to the root of the rounding, as a part of the size of the matrix.
const RESOLUTION: f64 = 2e-8;
/// A direction of which cancellation leaves this part is none.
const LEAST_PART: f64 = 1e-10;

/// The trace of A on the span of orthonormal columns, less its rounding: none where zeros alone are added.
fn least_trace(a: &Dense, columns: &Dense) -> f64 {
    let n = a.rows();
    let roundings = 4.0 * n as f64 * f64::EPSILON;
    let terms = (0..columns.columns()).flat_map(|k| {
        let pairs = (0..n).flat_map(move |i| (0..n).map(move |j| (i, j)));
        pairs.map(move |(i, j)| columns[(i, k)] * a[(i, j)] * columns[(j, k)])
    });
    let (sum, size) = terms.fold((0.0, 0.0), |(s, m), x: f64| (s + x, m + x.abs()));
    sum - roundings * size
}

fn length(v: &[f64]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// An orthonormal basis of what is orthogonal to these.
fn complement(basis: &[Direction], n: usize) -> Dense {
    let mut rest: Vec<Direction> = Vec::new();
    while basis.len() + rest.len() < n {
        // The unit vector that is farthest from what is there.
        let unit = |k: usize| {
            let mut unit = vec![0.0; n];
            unit[k] = 1.0;
            let mut unit = Direction::exact(unit);
            for _ in 0..2 {
                basis.iter().chain(&rest).for_each(|b| unit.clear(b));
            }
            unit
        };
        let units = (0..n).map(unit);
        let farthest = units.max_by(|a, b| length(&a.v).total_cmp(&length(&b.v)));
        let Some(unit) = farthest else { break };
        rest.push(unit.normalised());
    }
    Dense::new(n, rest.len(), |i, j| rest[j].v[i])
}

/// How well B moves the mode λ of A: the smallest singular value of [A − λ, B] over the size of [A, B] (Popov, Belevitch
/// and Hautus). It is 0 where the mode is out of reach, and tells how large a change of A and B takes it there.
///
/// ```
/// use rattleback_numeric::{Complex, Dense, margin};
/// let a = Dense::of_rows(2, 2, &[1.0, 0.0, 0.0, 2.0]);
/// let b = Dense::of_rows(2, 1, &[1.0, 0.0]);
/// assert!(margin(&a, &b, Complex::new(2.0, 0.0)) < 1e-15);
/// assert!(margin(&a, &b, Complex::new(1.0, 0.0)) > 0.3);
/// ```
pub fn margin(a: &Dense, b: &Dense, mode: Complex) -> f64 {
    let n = a.rows();
    let joint = a.beside(b);
    let columns = joint.columns();
    // Real and imaginary parts side by side: each singular value comes twice.
    let embedded = Dense::new(2 * n, 2 * columns, |i, j| {
        let (k, l) = (i % n, j % columns);
        let same_part = (i < n) == (j < columns);
        let unit = if k == l { 1.0 } else { 0.0 };
        match (same_part, i < n) {
            (true, _) => joint[(k, l)] - mode.re * unit,
            (false, true) => mode.im * unit,
            (false, false) => -mode.im * unit,
        }
    });
    let smallest = singular_values(&embedded).last().copied().unwrap_or(0.0);
    match joint.norm() {
        0.0 => 0.0,
        size => smallest / size,
    }
}
