//! Anchored frames: a local frame of a skew-symmetric Lie algebroid with its anchor and bracket.

use crate::inverse::{NoInverse, inverse};
use crate::proof::Parametrization;
use crate::structure::StructureFunctions;
use crate::tidy::tidy_component;
use rattleback_symbolic::{Expr, Matrix, Role, Symbol, derivations, dot};

/// A frame e_A with coordinates z^i, fibre velocities y^A, anchor ρ and structure functions C:
///
/// ```text
/// z'^i = ρ^i_A(z) y^A        [e_A, e_B] = C^D_AB(z) e_D
/// ```
///
/// TQ in coordinates has ρ = 1 and C = 0; a Lie group has its matrix entries as z and its body (or
/// space) velocity as y; a product is the direct sum. A frame of affine constraints has a drift besides:
/// z' = ρ₀ + ρ_A y^A.
#[derive(Clone, Debug)]
pub struct Frame {
    base: Vec<Symbol>,
    fibre: Vec<Symbol>,
    anchor: Matrix,
    structure: StructureFunctions,
    /// The base velocity at y = 0; empty where it is zero.
    drift: Vec<Expr>,
}

/// Why a frame could not be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// A matrix of the wrong size.
    #[error("a change of a frame of rank {rank} is a {rank}x{rank} matrix, not {rows}x{cols}")]
    Shape {
        /// The rank of the frame.
        rank: usize,
        /// The rows given.
        rows: usize,
        /// The columns given.
        cols: usize,
    },
    /// The new sections are dependent everywhere.
    #[error("the sections do not span: the determinant of the change of frame vanishes")]
    Singular,
    /// Whether a pivot vanishes is not decided.
    #[error(transparent)]
    Undecided(rattleback_symbolic::UndecidedZero),
}

impl From<NoInverse> for FrameError {
    fn from(why: NoInverse) -> Self {
        match why {
            NoInverse::Singular => Self::Singular,
            NoInverse::Undecided(open) => Self::Undecided(open),
        }
    }
}

/// A section X = X^A e_A, by components.
pub type Section = Vec<Expr>;

impl Frame {
    /// A frame from its anchor (rows: base coordinates, columns: sections) and structure functions.
    pub fn new(
        base: Vec<Symbol>,
        fibre: Vec<Symbol>,
        anchor: Matrix,
        structure: StructureFunctions,
    ) -> Self {
        debug_assert_eq!((anchor.rows(), anchor.cols()), (base.len(), fibre.len()));
        Self {
            base,
            fibre,
            anchor,
            structure,
            drift: Vec::new(),
        }
    }

    /// The same frame with a base velocity at y = 0. Its brackets with the sections are no part of the frame.
    pub fn with_drift(mut self, drift: Vec<Expr>) -> Self {
        self.drift = match drift.iter().all(Expr::is_zero) {
            true => Vec::new(),
            false => drift,
        };
        self
    }

    /// The coordinate frame of TQ: y^i = q'^i.
    pub fn coordinates(q: &[Symbol]) -> Self {
        Self::new(
            q.to_vec(),
            q.iter().map(Symbol::derivative).collect(),
            Matrix::identity(q.len()),
            StructureFunctions::default(),
        )
    }

    /// The frame f_A = B^E_A e_E of the columns of an invertible matrix, with
    /// anchor ρ B and structure functions B^-1 [f_A, f_B]: an anholonomic frame of TQ if this one is
    /// the coordinate frame, where the quasi-velocities are y = B^-1 q'.
    ///
    /// ```
    /// use rattleback_geometry::Frame;
    /// use rattleback_symbolic::{Expr, Matrix, Symbol};
    /// let q = ["x", "y", "phi"].map(Symbol::variable);
    /// let phi = Expr::from(&q[2]);
    /// let (c, s, o) = (phi.cos(), phi.sin(), Expr::zero());
    /// let b = Matrix::from_rows(&[vec![c.clone(), -&s, o.clone()], vec![s, c, o.clone()], vec![o.clone(), o, 1.into()]]);
    /// let y = ["u", "v", "w"].map(Symbol::variable);
    /// let moving = Frame::coordinates(&q).changed(&b, &y, &[]).unwrap();
    /// // [e_u, e_w] = -e_v: turning carries the forward direction to the left.
    /// assert_eq!(moving.structure().get(0, 2, 1), Expr::from(-1));
    /// ```
    pub fn changed(
        &self,
        b: &Matrix,
        fibre: &[Symbol],
        on: &Parametrization,
    ) -> Result<Self, FrameError> {
        let n = self.rank();
        if (b.rows(), b.cols(), fibre.len()) != (n, n, n) {
            return Err(FrameError::Shape {
                rank: n,
                rows: b.rows(),
                cols: b.cols(),
            });
        }
        let inverse = inverse(b, on)?.matrix;
        let columns: Vec<Section> = (0..n).map(|a| b.column(a)).collect();
        let mut structure = StructureFunctions::default();
        for a in 0..n {
            for c in a + 1..n {
                let bracket = self.bracket(&columns[a], &columns[c]);
                for (d, value) in inverse.apply(&bracket).iter().enumerate() {
                    structure.set(a, c, d, tidy_component(value));
                }
            }
        }
        Ok(Self::new(
            self.base.clone(),
            fibre.to_vec(),
            &self.anchor * b,
            structure,
        ))
    }

    /// The frame of a product: anchors and brackets side by side.
    pub fn direct_sum(parts: &[Frame]) -> Self {
        let base: Vec<_> = parts.iter().flat_map(|f| f.base.clone()).collect();
        let fibre: Vec<_> = parts.iter().flat_map(|f| f.fibre.clone()).collect();
        let mut anchor = Matrix::zeros(base.len(), fibre.len());
        let mut structure = StructureFunctions::default();
        let (mut row, mut column) = (0, 0);
        for part in parts {
            for i in 0..part.base.len() {
                for a in 0..part.rank() {
                    anchor[(row + i, column + a)] = part.anchor[(i, a)].clone();
                }
            }
            structure.extend_shifted(&part.structure, column);
            row += part.base.len();
            column += part.rank();
        }
        Self::new(base, fibre, anchor, structure)
    }

    /// The coordinates z^i.
    pub fn base(&self) -> &[Symbol] {
        &self.base
    }
    /// The fibre velocities y^A.
    pub fn fibre(&self) -> &[Symbol] {
        &self.fibre
    }
    /// The number of sections.
    pub fn rank(&self) -> usize {
        self.fibre.len()
    }
    /// The anchor ρ^i_A: rows are base coordinates, columns sections.
    pub fn anchor(&self) -> &Matrix {
        &self.anchor
    }
    /// The structure functions C^D_AB.
    pub fn structure(&self) -> &StructureFunctions {
        &self.structure
    }

    /// The tautological section y = y^A e_A.
    pub fn velocity(&self) -> Section {
        self.fibre.iter().map(Expr::from).collect()
    }

    /// The base velocity ρ(X) of a section.
    pub fn anchored(&self, x: &[Expr]) -> Vec<Expr> {
        self.anchor.apply(x)
    }

    /// z' = ρ₀ + ρ y at a fibre velocity, drift included.
    pub fn base_rates(&self, velocity: &[Expr]) -> Vec<Expr> {
        let mut rates = self.anchored(velocity);
        rates
            .iter_mut()
            .zip(&self.drift)
            .for_each(|(r, x)| *r += x.clone());
        rates
    }

    /// ρ(X)\[f\] for functions f of the base: X acts, fibre velocities and time stay.
    pub fn act(&self, x: &[Expr], f: &[Expr]) -> Vec<Expr> {
        let velocity = self.anchored(x);
        derivations(f, |s| {
            self.base_rate(s, &velocity).unwrap_or_else(Expr::zero)
        })
    }

    /// e_A\[f\].
    pub fn act_basis(&self, a: usize, f: &[Expr]) -> Vec<Expr> {
        self.act(&self.basis(a), f)
    }

    /// The section e_A.
    pub fn basis(&self, a: usize) -> Section {
        (0..self.rank()).map(|b| i64::from(a == b).into()).collect()
    }

    fn base_rate(&self, s: &Symbol, velocity: &[Expr]) -> Option<Expr> {
        let i = self.base.iter().position(|z| z == s)?;
        Some(velocity[i].clone())
    }

    /// The time derivative along motions with fibre velocity `velocity`: z' = ρ·velocity, t' = 1,
    /// and every other variable goes to its next jet, or to zero where `stop` says so.
    pub fn rates_along(
        &self,
        velocity: &[Expr],
        f: &[Expr],
        stop: impl Fn(&Symbol) -> bool,
    ) -> Vec<Expr> {
        let z_dot = self.base_rates(velocity);
        derivations(f, |s| match (s.role(), self.base_rate(s, &z_dot)) {
            (Role::Time, _) => Expr::one(),
            (_, Some(rate)) => rate,
            _ if stop(s) => Expr::zero(),
            _ => s.derivative().into(),
        })
    }

    /// The time derivative along admissible motions, z' = ρ y.
    pub fn rate(&self, f: &Expr) -> Expr {
        self.rates(std::slice::from_ref(f)).swap_remove(0)
    }

    /// [`Frame::rate`] of several functions at once.
    pub fn rates(&self, f: &[Expr]) -> Vec<Expr> {
        self.rates_along(&self.velocity(), f, |_| false)
    }

    /// ∂f/∂t at fixed positions and `moving` symbols: by time itself, and by every other variable, which is a given
    /// function of time and goes to its next jet.
    pub fn unsteady(&self, f: &[Expr], moving: &[Symbol]) -> Vec<Expr> {
        derivations(f, |s| match s.role() {
            Role::Time => Expr::one(),
            Role::Constant => Expr::zero(),
            Role::Variable if self.base.contains(s) || moving.contains(s) => Expr::zero(),
            Role::Variable => s.derivative().into(),
        })
    }

    /// The bracket of sections: \[X,Y\]^D = ρ(X)[Y^D] - ρ(Y)[X^D] + X^A Y^B C^D_AB.
    pub fn bracket(&self, x: &[Expr], y: &[Expr]) -> Section {
        let forward = self.act(x, y);
        let backward = self.act(y, x);
        let mut result: Section = forward.iter().zip(&backward).map(|(f, b)| f - b).collect();
        for (d, term) in self.structure.contract(x, y) {
            result[d] += term;
        }
        result
    }

    /// C^D_AB y^B p_D for every A: the bracket term of the equations of motion.
    pub fn gyroscopic(&self, y: &[Expr], p: &[Expr]) -> Vec<Expr> {
        let mut terms: Vec<Vec<Expr>> = vec![Vec::new(); self.rank()];
        for (a, b, d, c) in self.structure.iter() {
            terms[a].push(c * &y[b] * &p[d]);
            terms[b].push(-(c * &y[a] * &p[d]));
        }
        terms.into_iter().map(Expr::sum).collect()
    }

    /// The differential of a function: (df)_A = e_A\[f\] = ρ^i_A ∂_i f.
    pub fn differential(&self, f: &Expr) -> Vec<Expr> {
        let gradient = f.gradient(&self.base);
        (0..self.rank())
            .map(|a| dot(&self.anchor.column(a), &gradient))
            .collect()
    }

    /// What must vanish for the anchor to be a morphism of brackets:
    /// ρ_A[ρ^i_B] - ρ_B[ρ^i_A] - ρ^i_D C^D_AB.
    pub fn anchor_defect(&self) -> Vec<Expr> {
        let mut defects = Vec::new();
        for a in 0..self.rank() {
            for b in a + 1..self.rank() {
                let (ra, rb) = (self.anchor.column(a), self.anchor.column(b));
                let ab = self.act_basis(a, &rb);
                let ba = self.act_basis(b, &ra);
                let c = self.anchored(&self.bracket(&self.basis(a), &self.basis(b)));
                defects.extend((0..self.base.len()).map(|i| &ab[i] - &ba[i] - &c[i]));
            }
        }
        defects
    }

    /// What must vanish for the bracket to satisfy Jacobi: Σ_cyc ρ_A[C^D_BE] + C^D_AF C^F_BE.
    pub fn jacobi_defect(&self) -> Vec<Expr> {
        let n = self.rank();
        let mut defects = Vec::new();
        for a in 0..n {
            for b in a + 1..n {
                for e in b + 1..n {
                    let cyclic = [(a, b, e), (b, e, a), (e, a, b)];
                    let nested = cyclic.map(|(x, y, z)| {
                        let inner = self.bracket(&self.basis(y), &self.basis(z));
                        self.bracket(&self.basis(x), &inner)
                    });
                    defects.extend((0..n).map(|d| &nested[0][d] + &nested[1][d] + &nested[2][d]));
                }
            }
        }
        defects
    }
}
