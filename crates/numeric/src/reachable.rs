//! What controls can reach, and what outputs can see.

use crate::complex::Complex;
use crate::dense::Dense;
use crate::eigen::Eigen;
use crate::schur::SchurError;
use crate::singular_values::singular_values;
use crate::tolerance::{UNREACHED, WELL_REACHED};

/// The smallest invariant subspace of A that holds the columns of B: span{B, AB, A²B, …}, found by orthogonalising
/// A times the last directions against all before.
///
/// Observability of (A, C) is reachability of (Aᵀ, Cᵀ).
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
    /// An orthonormal basis of the subspace, in columns.
    pub basis: Dense,
    /// The eigenvalues of A on what is left: no control moves these modes.
    pub modes: Vec<Complex>,
    /// The smallest new direction that was taken up, as a part of the size of A and B; 1 where there is none.
    pub taken: f64,
    /// The largest that was left out as rounding, likewise; 0 where there is none.
    pub left: f64,
    /// Eigenvalues are not told apart below this.
    resolution: f64,
}

impl Reachable {
    /// What B reaches under A.
    pub fn of(a: &Dense, b: &Dense) -> Result<Reachable, SchurError> {
        a.check()?;
        b.check()?;
        let n = a.rows();
        let mut search = Search {
            basis: Vec::new(),
            taken: 1.0,
            left: 0.0,
        };
        let columns = (0..b.columns()).map(|j| (0..n).map(|i| b[(i, j)]).collect());
        search.take(columns.collect(), b.norm());
        let (mut from, size) = (0, a.norm());
        while from < search.basis.len() && search.basis.len() < n {
            let to = search.basis.len();
            let images = search.basis[from..to].iter().map(|v| product(a, v));
            let images = images.collect();
            search.take(images, size);
            from = to;
        }
        let rest = complement(&search.basis, n);
        let modes = Eigen::of(&(&(&rest.transposed() * a) * &rest))?.values;
        let basis = &search.basis;
        Ok(Reachable {
            basis: Dense::new(n, basis.len(), |i, j| basis[j][i]),
            modes,
            taken: search.taken,
            left: search.left,
            resolution: RESOLUTION * a.norm(),
        })
    }

    /// The dimension of the subspace.
    pub fn rank(&self) -> usize {
        self.basis.columns()
    }

    /// Was no direction so small that rounding may have decided?
    pub fn is_clear(&self) -> bool {
        self.taken > WELL_REACHED && self.left < UNREACHED
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
            .find(|mode| growth(mode).abs() <= self.resolution)
            .copied()
    }

    fn worst(&self, growth: impl Fn(&Complex) -> f64) -> Option<Complex> {
        let worst = (self.modes.iter()).max_by(|a, b| growth(a).total_cmp(&growth(b)));
        worst
            .filter(|mode| growth(mode) >= -self.resolution)
            .copied()
    }
}

struct Search {
    basis: Vec<Vec<f64>>,
    taken: f64,
    left: f64,
}

impl Search {
    /// Takes up what is new in these directions, the longest first; `size` is what they are measured against.
    fn take(&mut self, mut directions: Vec<Vec<f64>>, size: f64) {
        if size == 0.0 {
            return;
        }
        // Twice: what the first round leaves is orthogonal up to rounding of what it removed.
        directions.iter_mut().for_each(|v| self.clear(v));
        directions.iter_mut().for_each(|v| self.clear(v));
        while !directions.is_empty() {
            let lengths: Vec<f64> = directions.iter().map(|v| length(v) / size).collect();
            let longest = (0..lengths.len()).max_by(|&i, &j| lengths[i].total_cmp(&lengths[j]));
            let Some(k) = longest else { return };
            if lengths[k] <= LEAST_PART {
                self.left = self.left.max(lengths[k]);
                return;
            }
            self.taken = self.taken.min(lengths[k]);
            let mut v = directions.swap_remove(k);
            let scale = length(&v);
            v.iter_mut().for_each(|x| *x /= scale);
            self.basis.push(v);
            directions.iter_mut().for_each(|v| self.clear(v));
        }
    }

    /// Removes what the basis already has.
    fn clear(&self, v: &mut [f64]) {
        for b in &self.basis {
            let inner: f64 = b.iter().zip(&*v).map(|(b, v)| b * v).sum();
            v.iter_mut().zip(b).for_each(|(v, b)| *v -= inner * b);
        }
    }
}

/// Eigenvalues that meet are found up to the root of the rounding, as a part of the size of the matrix.
const RESOLUTION: f64 = 2e-8;
/// A new direction of this part of what it is measured against is none.
const LEAST_PART: f64 = 1e-10;

fn product(a: &Dense, v: &[f64]) -> Vec<f64> {
    let row = |i| (0..v.len()).map(|j| a[(i, j)] * v[j]).sum();
    (0..a.rows()).map(row).collect()
}

fn length(v: &[f64]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// An orthonormal basis of what is orthogonal to these.
fn complement(basis: &[Vec<f64>], n: usize) -> Dense {
    let mut all = Search {
        basis: basis.to_vec(),
        taken: 1.0,
        left: 0.0,
    };
    while all.basis.len() < n {
        // The unit vector that is farthest from what is there.
        let unit = |k: usize| {
            let mut v = vec![0.0; n];
            v[k] = 1.0;
            all.clear(&mut v);
            all.clear(&mut v);
            v
        };
        let units = (0..n).map(unit);
        let Some(mut v) = units.max_by(|a, b| length(a).total_cmp(&length(b))) else {
            break;
        };
        let scale = length(&v);
        v.iter_mut().for_each(|x| *x /= scale);
        all.basis.push(v);
    }
    let rest = &all.basis[basis.len()..];
    Dense::new(n, rest.len(), |i, j| rest[j][i])
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
