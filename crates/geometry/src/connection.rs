//! Linear connections on a frame: Levi-Civita by Koszul, torsion, curvature (CG-A4, NG-K2, AC-C7).

use crate::frame::{Frame, Section};
use crate::metric::Metric;
use crate::tidy::tidy_component;
use rattleback_symbolic::{Expr, Matrix};

/// A connection ∇_{e_A} e_B = Γ^D_AB e_D on the sections of a frame.
///
/// On a frame whose bracket is a projected one (see [`crate::Projection::frame`])
/// the same formulas give the nonholonomic connection.
///
/// ```
/// use rattleback_geometry::{Connection, Frame, Metric};
/// use rattleback_symbolic::{Expr, Matrix, Symbol};
/// let q = ["r", "phi"].map(Symbol::variable);
/// let r = Expr::from(&q[0]);
/// let g = Matrix::diagonal(&[Expr::one(), r.powi(2)]);
/// let polar = Metric::new(&Frame::coordinates(&q), g, &[]).unwrap();
/// let nabla = Connection::levi_civita(&polar);
/// assert_eq!(nabla.symbol(1, 1, 0), &-&r);
/// assert_eq!(nabla.symbol(0, 1, 1), &r.recip());
/// ```
#[derive(Clone, Debug)]
pub struct Connection {
    frame: Frame,
    symbols: Vec<Expr>,
}

impl Connection {
    /// A connection from its symbols `gamma(A, B, D)` = Γ^D_AB.
    pub fn new(frame: &Frame, mut gamma: impl FnMut(usize, usize, usize) -> Expr) -> Self {
        let n = frame.rank();
        let mut symbols = Vec::with_capacity(n * n * n);
        for a in 0..n {
            for b in 0..n {
                symbols.extend((0..n).map(|d| gamma(a, b, d)));
            }
        }
        Self {
            frame: frame.clone(),
            symbols,
        }
    }

    /// The torsion-free metric connection, by Koszul's formula with structure functions:
    ///
    /// ```text
    /// 2 G_DE Γ^E_AB = e_A[G_BD] + e_B[G_AD] - e_D[G_AB] + C^E_AB G_ED - C^E_AD G_EB - C^E_BD G_EA
    /// ```
    pub fn levi_civita(metric: &Metric) -> Self {
        let frame = metric.frame();
        let koszul = Koszul::new(metric);
        let n = frame.rank();
        let mut raised: Vec<Section> = Vec::with_capacity(n * n);
        for a in 0..n {
            for b in 0..n {
                let lower: Vec<Expr> = (0..n).map(|d| koszul.lowered(a, b, d)).collect();
                raised.push(metric.sharp(&lower));
            }
        }
        Self::new(frame, |a, b, d| tidy_component(&raised[a * n + b][d]))
    }

    /// The frame.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Γ^D_AB, the D-component of ∇_{e_A} e_B.
    pub fn symbol(&self, a: usize, b: usize, d: usize) -> &Expr {
        let n = self.frame.rank();
        &self.symbols[(a * n + b) * n + d]
    }

    /// Γ(X, Y)^D = Γ^D_AB X^A Y^B.
    pub fn contract(&self, x: &[Expr], y: &[Expr]) -> Section {
        let n = self.frame.rank();
        (0..n)
            .map(|d| {
                let pairs = (0..n).flat_map(|a| (0..n).map(move |b| (a, b)));
                let nonzero = pairs.filter(|&(a, b)| !self.symbol(a, b, d).is_zero());
                Expr::sum(nonzero.map(|(a, b)| self.symbol(a, b, d) * &x[a] * &y[b]))
            })
            .collect()
    }

    /// (∇_X Y)^D = ρ(X)[Y^D] + Γ^D_AB X^A Y^B.
    pub fn covariant_derivative(&self, x: &[Expr], y: &[Expr]) -> Section {
        let along = self.frame.act(x, y);
        let turned = self.contract(x, y);
        along.iter().zip(&turned).map(|(p, q)| p + q).collect()
    }

    /// The geodesic spray: the rates of the fibre velocities, y'^D = -Γ^D_AB y^A y^B, to go with
    /// z' = ρ y.
    pub fn spray(&self) -> Section {
        let y = self.frame.velocity();
        self.contract(&y, &y).iter().map(|e| -e).collect()
    }

    /// The torsion T(e_A, e_B)^D = Γ^D_AB - Γ^D_BA - C^D_AB for all A < B.
    pub fn torsion(&self) -> Vec<Expr> {
        let n = self.frame.rank();
        let mut all = Vec::new();
        for a in 0..n {
            for b in a + 1..n {
                let c = |d| self.frame.structure().get(a, b, d);
                all.extend((0..n).map(|d| self.symbol(a, b, d) - self.symbol(b, a, d) - c(d)));
            }
        }
        all
    }

    /// The non-metricity (∇_A G)_BD = e_A\[G_BD\] - Γ^E_AB G_ED - Γ^E_AD G_BE for all A, B ≤ D.
    pub fn metricity(&self, g: &Matrix) -> Vec<Expr> {
        let n = self.frame.rank();
        let mut all = Vec::new();
        for a in 0..n {
            let rates = self.frame.act_basis(a, g.entries());
            for b in 0..n {
                for d in b..n {
                    let turned = |b: usize, d: usize| {
                        Expr::sum((0..n).map(|e| self.symbol(a, b, e) * &g[(e, d)]))
                    };
                    all.push(&rates[b * n + d] - turned(b, d) - turned(d, b));
                }
            }
        }
        all
    }

    /// The curvature R(e_A, e_B) e_D = ∇_A ∇_B e_D - ∇_B ∇_A e_D - ∇_\[A,B\] e_D, by components.
    ///
    /// On a frame whose bracket breaks the Jacobi identity it is not a tensor; its values on the
    /// frame are still what the formula says.
    pub fn curvature(&self, a: usize, b: usize, d: usize) -> Section {
        let e = |k| self.frame.basis(k);
        let bracket = self.frame.bracket(&e(a), &e(b));
        let inner = |x: usize, y: usize| {
            let first = self.covariant_derivative(&e(y), &e(d));
            self.covariant_derivative(&e(x), &first)
        };
        let (ab, ba) = (inner(a, b), inner(b, a));
        let turned = self.covariant_derivative(&bracket, &e(d));
        (0..self.frame.rank())
            .map(|k| &ab[k] - &ba[k] - &turned[k])
            .collect()
    }
}

/// Derivatives of the metric and lowered structure functions, each computed once.
struct Koszul<'a> {
    metric: &'a Metric,
    /// e_A[G], row by row, for each A.
    rates: Vec<Vec<Expr>>,
}

impl<'a> Koszul<'a> {
    fn new(metric: &'a Metric) -> Self {
        let frame = metric.frame();
        let rates = (0..frame.rank())
            .map(|a| frame.act_basis(a, metric.lower().entries()))
            .collect();
        Self { metric, rates }
    }

    fn rate(&self, a: usize, b: usize, d: usize) -> &Expr {
        &self.rates[a][b * self.metric.frame().rank() + d]
    }

    /// G([e_A, e_B], e_D) = C^E_AB G_ED.
    fn bracket(&self, a: usize, b: usize, d: usize) -> Expr {
        let frame = self.metric.frame();
        let g = self.metric.lower();
        let terms = (0..frame.rank()).map(|e| frame.structure().get(a, b, e) * &g[(e, d)]);
        Expr::sum(terms)
    }

    /// G(∇_A e_B, e_D).
    fn lowered(&self, a: usize, b: usize, d: usize) -> Expr {
        let derivatives = self.rate(a, b, d) + self.rate(b, a, d) - self.rate(d, a, b);
        let brackets = self.bracket(a, b, d) - self.bracket(a, d, b) - self.bracket(b, d, a);
        (derivatives + brackets) / 2
    }
}
