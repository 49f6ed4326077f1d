//! Eigenvalues with their vectors.

use crate::complex::Complex;
use crate::dense::Dense;
use crate::schur::{Schur, SchurError};

/// The eigenvalues of a matrix with right eigenvectors of unit length.
///
/// ```
/// use rattleback_numeric::{Dense, Eigen};
/// let eigen = Eigen::of(&Dense::of_rows(2, 2, &[2.0, 1.0, 1.0, 2.0]))?;
/// let mut values: Vec<f64> = eigen.values.iter().map(|l| l.re).collect();
/// values.sort_by(f64::total_cmp);
/// assert!((values[0] - 1.0).abs() < 1e-15 && (values[1] - 3.0).abs() < 1e-15);
/// # Ok::<(), rattleback_numeric::SchurError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Eigen {
    /// The eigenvalues; pairs stand together, the one with positive imaginary part first.
    pub values: Vec<Complex>,
    /// The vector of each, whose largest component is real and positive. Where a matrix has fewer vectors than
    /// eigenvalues, some are (nearly) the same.
    pub vectors: Vec<Vec<Complex>>,
}

impl Eigen {
    /// Those of a square matrix, which is balanced first.
    pub fn of(matrix: &Dense) -> Result<Eigen, SchurError> {
        matrix.check()?;
        let scales = balance(matrix);
        let n = matrix.rows();
        let balanced = Dense::new(n, n, |i, j| matrix[(i, j)] * (scales[j] / scales[i]));
        let schur = Schur::of(&balanced)?;
        let values = schur.values();
        let vectors = schur.blocks().into_iter().flat_map(|(at, size)| {
            let vector = normalised(
                schur_vector(&schur, (at, size), values[at]),
                &schur.u,
                &scales,
            );
            let conjugate = vector.iter().map(|x| x.conjugate()).collect();
            match size {
                1 => vec![vector],
                _ => vec![vector, conjugate],
            }
        });
        Ok(Eigen {
            vectors: vectors.collect(),
            values,
        })
    }

    /// The largest real part: negative where x' = A x dies out.
    pub fn abscissa(&self) -> f64 {
        self.values
            .iter()
            .fold(f64::NEG_INFINITY, |m, l| m.max(l.re))
    }

    /// The largest magnitude: below 1 where x ← A x dies out.
    pub fn radius(&self) -> f64 {
        self.values.iter().fold(0.0, |m, l| m.max(l.modulus()))
    }
}

/// Powers of two d such that rows and columns of D⁻¹ A D are of like size.
pub(crate) fn balance(matrix: &Dense) -> Vec<f64> {
    let n = matrix.rows();
    let mut scales = vec![1.0; n];
    loop {
        let mut settled = true;
        for k in 0..n {
            let others = (0..n).filter(|&i| i != k);
            let size = |i: usize, j: usize| (matrix[(i, j)] * (scales[j] / scales[i])).abs();
            let row: f64 = others.clone().map(|j| size(k, j)).sum();
            let column: f64 = others.map(|i| size(i, k)).sum();
            if row == 0.0 || column == 0.0 || !(row + column).is_finite() {
                continue;
            }
            let factor = ((row / column).log2() / 2.0)
                .round()
                .clamp(-64.0, 64.0)
                .exp2();
            let better = column * factor + row / factor < 0.95 * (column + row);
            if better && (1e-100..1e100).contains(&(scales[k] * factor)) {
                scales[k] *= factor;
                settled = false;
            }
        }
        if settled {
            return scales;
        }
    }
}

/// x with (T − λ) x = 0, where λ belongs to the block of this size at `at`.
fn schur_vector(schur: &Schur, (at, size): (usize, usize), value: Complex) -> Vec<Complex> {
    let t = &schur.t;
    let n = t.rows();
    let small = f64::EPSILON * t.largest().max(f64::MIN_POSITIVE);
    let mut x = vec![Complex::default(); n];
    match size {
        1 => x[at] = Complex::new(1.0, 0.0),
        _ => {
            x[at] = value - Complex::new(t[(at + 1, at + 1)], 0.0);
            x[at + 1] = Complex::new(t[(at + 1, at)], 0.0);
        }
    }
    let shifted = |i: usize| Complex::new(t[(i, i)], 0.0) - value;
    let blocks = schur.blocks().into_iter().filter(|block| block.0 < at);
    for (k, block) in blocks.collect::<Vec<_>>().into_iter().rev() {
        let rest = |i: usize| {
            let terms = (k + block..at + size).map(|j| x[j] * t[(i, j)]);
            -terms.fold(Complex::default(), |sum, term| sum + term)
        };
        if block == 1 {
            x[k] = rest(k) / away_from_zero(shifted(k), small);
            continue;
        }
        let (r, s) = (rest(k), rest(k + 1));
        let (a, d) = (shifted(k), shifted(k + 1));
        let (b, c) = (t[(k, k + 1)], t[(k + 1, k)]);
        let determinant = away_from_zero(a * d - Complex::new(b * c, 0.0), small * small);
        x[k] = (d * r - s * b) / determinant;
        x[k + 1] = (a * s - r * c) / determinant;
    }
    x
}

/// A divisor that is lost in rounding is replaced by the rounding.
fn away_from_zero(divisor: Complex, small: f64) -> Complex {
    match divisor.modulus() > small {
        true => divisor,
        false => Complex::new(small, 0.0),
    }
}

/// D U x, of unit length, with the largest component real and positive.
fn normalised(x: Vec<Complex>, u: &Dense, scales: &[f64]) -> Vec<Complex> {
    let largest = x.iter().map(|x| x.modulus()).fold(0.0, f64::max);
    let turned = |i: usize| {
        let terms = x
            .iter()
            .enumerate()
            .map(|(j, x)| *x * (u[(i, j)] / largest));
        terms.fold(Complex::default(), |sum, term| sum + term) * scales[i]
    };
    let mut v: Vec<Complex> = (0..x.len()).map(turned).collect();
    let sizes = v.iter().map(|x| x.modulus());
    let largest = sizes.clone().fold(0.0, f64::max);
    let length = largest * sizes.map(|s| (s / largest).powi(2)).sum::<f64>().sqrt();
    let lead = v.iter().find(|x| x.modulus() >= largest).copied();
    if let Some(lead) = lead.filter(|lead| lead.modulus() > 0.0) {
        let factor = lead.conjugate() * (1.0 / (lead.modulus() * length));
        v.iter_mut().for_each(|x| *x = *x * factor);
    }
    v
}
