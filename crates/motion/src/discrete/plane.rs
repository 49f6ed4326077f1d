//! Lagrangian planes: what a generating function is where it has none (DP-A20).

use rattleback_numeric::{Complex, Dense, Eigen, Ldlt, singular_values};

/// A plane whose angle with the momenta is below this is not transversal to them.
const TRANSVERSAL: f64 = 1e-10;

/// S(q) = ½ q·A q + b·q + c.
#[derive(Clone, Debug, PartialEq)]
pub struct Quadratic {
    /// A, symmetric.
    pub a: Dense,
    /// b.
    pub b: Vec<f64>,
    /// c.
    pub c: f64,
}

impl Quadratic {
    /// S at a point.
    pub fn value(&self, q: &[f64]) -> f64 {
        let slope = self.slope(q);
        let both = slope.iter().zip(&self.b).zip(q);
        self.c + both.map(|((s, b), q)| (s + b) * q / 2.0).sum::<f64>()
    }

    /// DS = A q + b.
    pub fn slope(&self, q: &[f64]) -> Vec<f64> {
        let row = |i: usize| -> f64 { (0..q.len()).map(|j| self.a[(i, j)] * q[j]).sum() };
        (0..q.len()).map(|i| row(i) + self.b[i]).collect()
    }
}

/// A plane of half the dimension of phase space on which Ω vanishes, by n columns of positions over momenta.
///
/// ```
/// use rattleback_motion::discrete::LagrangianPlane;
/// use rattleback_numeric::Dense;
/// // A quarter turn carries the graph of p = 0 to the momenta, where no S exists, and on to a graph again.
/// let turn = Dense::of_rows(2, 2, &[0.0, 1.0, -1.0, 0.0]);
/// let flat = LagrangianPlane::graph(&Dense::zeros(1, 1));
/// let upright = flat.pushed(&turn);
/// assert!(upright.hessian().is_none());
/// assert_eq!(upright.pushed(&turn).hessian().unwrap().entries(), [0.0]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LagrangianPlane {
    basis: Dense,
}

impl LagrangianPlane {
    /// The plane that these 2n × n columns span; none where they are dependent or Ω does not vanish on them, up to a
    /// part of their size.
    pub fn new(basis: &Dense, tolerance: f64) -> Option<Self> {
        let plane = Self {
            basis: orthonormal(basis)?,
        };
        (plane.isotropy() <= tolerance).then_some(plane)
    }

    /// p = A q: the tangent plane of p = DS at a point with D²S = A.
    pub fn graph(curvature: &Dense) -> Self {
        let n = curvature.rows();
        let basis = Dense::new(2 * n, n, |i, j| match i < n {
            true => f64::from(u8::from(i == j)),
            false => curvature[(i - n, j)],
        });
        Self {
            basis: orthonormal(&basis).unwrap_or(basis),
        }
    }

    /// q = 0: all momenta at one point.
    pub fn vertical(n: usize) -> Self {
        Self {
            basis: Dense::new(2 * n, n, |i, j| f64::from(u8::from(i == n + j))),
        }
    }

    /// An orthonormal basis, positions over momenta.
    pub fn basis(&self) -> &Dense {
        &self.basis
    }

    /// The largest entry of BᵀJB.
    pub fn isotropy(&self) -> f64 {
        let n = self.basis.columns();
        let (q, p) = self.parts();
        let products = &(&q.transposed() * &p) - &(&p.transposed() * &q);
        debug_assert_eq!(products.rows(), n);
        products.largest()
    }

    /// The image under a linear symplectic map.
    #[must_use]
    pub fn pushed(&self, map: &Dense) -> Self {
        let image = map * &self.basis;
        Self {
            basis: orthonormal(&image).unwrap_or(image),
        }
    }

    fn parts(&self) -> (Dense, Dense) {
        let n = self.basis.columns();
        (self.basis.part((0, 0), n, n), self.basis.part((n, 0), n, n))
    }

    /// Is it transversal to the momenta: the tangent plane of some p = DS?
    pub fn is_transversal(&self) -> bool {
        self.lost_directions() == 0
    }

    /// How many directions it shares with the momenta.
    pub fn lost_directions(&self) -> usize {
        let (q, _) = self.parts();
        let sigma = singular_values(&q);
        // What is not a number is not transversal.
        sigma.len() - sigma.iter().filter(|s| **s > TRANSVERSAL).count()
    }

    /// D²S = P Q⁻¹; none where it does not exist.
    pub fn hessian(&self) -> Option<Dense> {
        if !self.is_transversal() {
            return None;
        }
        let (q, p) = self.parts();
        let transposed = q.transposed().solve(&p.transposed()).ok()?;
        Some(transposed.symmetrised())
    }

    /// The function whose graph the plane through a point is: ½ q·A q + (p₀ − A q₀)·q, up to a constant.
    pub fn through(&self, q0: &[f64], p0: &[f64]) -> Option<Quadratic> {
        let a = self.hessian()?;
        let flat = Quadratic {
            b: vec![0.0; q0.len()],
            c: 0.0,
            a,
        };
        let slope = flat.slope(q0);
        Some(Quadratic {
            b: p0.iter().zip(&slope).map(|(p, s)| p - s).collect(),
            ..flat
        })
    }

    /// Numbers of which as many are negative as directions were turned over when a linear map [[a, b], [c, d]] is
    /// applied: the eigenvalues of S = b⁻¹a + A = D₁D₁L_d + A, which is symmetric, over the symmetric part of b⁻¹ =
    /// −D₁D₂L_d where that is definite, else those of Df⁻ = a + b A. (Without gyroscopic terms b is symmetric, and both
    /// are the same; with them the eigenvalues of Df⁻ may be complex at a focus.) None where the plane is not transversal.
    pub fn spreading(&self, map: &Dense) -> Option<Vec<Complex>> {
        if !self.is_transversal() {
            return None;
        }
        let n = self.basis.columns();
        let image = map * &self.basis;
        let before = self.parts().0.transposed();
        // Df⁻ = Q₁ Q₀⁻¹.
        let spread = before.solve(&image.part((0, 0), n, n).transposed()).ok()?;
        let spread = spread.transposed();
        let of = |m: &Dense| Some(Eigen::of(m).ok()?.values);
        relative(&map.part((0, n), n, n), &spread)
            .and_then(|m| of(&m))
            .or_else(|| of(&spread))
    }
}

/// K⁻¹ b⁻¹F with K the symmetric part of b⁻¹; none where K is not definite.
fn relative(b: &Dense, f: &Dense) -> Option<Dense> {
    let n = b.rows();
    let inverse = b.solve(&Dense::identity(n)).ok()?;
    let mass = inverse.symmetrised();
    let inertia = Ldlt::new(n).factor(|i, j| mass[(i, j)]).ok()?;
    let definite = inertia.zero == 0 && (inertia.positive == 0 || inertia.negative == 0);
    if !definite {
        return None;
    }
    mass.solve(&(&inverse * f).symmetrised()).ok()
}

/// Columns made orthonormal, each against the ones before (twice, for rounding); the orientation stays. None where they
/// are dependent.
fn orthonormal(columns: &Dense) -> Option<Dense> {
    let (rows, n) = (columns.rows(), columns.columns());
    let size = columns.largest();
    let mut q = columns.clone();
    for j in 0..n {
        for _ in 0..2 {
            for i in 0..j {
                let along: f64 = (0..rows).map(|r| q[(r, i)] * q[(r, j)]).sum();
                (0..rows).for_each(|r| q[(r, j)] -= along * q[(r, i)]);
            }
        }
        let length = (0..rows).map(|r| q[(r, j)].powi(2)).sum::<f64>().sqrt();
        let is_new = length > f64::EPSILON * size;
        if !is_new {
            return None;
        }
        (0..rows).for_each(|r| q[(r, j)] /= length);
    }
    Some(q)
}
