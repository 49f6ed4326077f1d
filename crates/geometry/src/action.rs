//! Infinitesimal actions of Lie algebras: generators, lifts, momentum maps, invariance (AC-C4).

use crate::frame::Frame;
use crate::lie_algebra::LieAlgebra;
use crate::proof::{Parametrization, vanish_on};
use rattleback_symbolic::{Expr, Matrix, Symbol, Verdict, dot};

/// On which side a group acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// [ξ_Q, η_Q] = -[ξ, η]_Q.
    Left,
    /// [ξ_Q, η_Q] = +[ξ, η]_Q.
    Right,
}

/// Generators (e_A)_Q(q) = d/dt exp(t e_A)·q of an action on a space with coordinates q.
///
/// ```
/// use rattleback_geometry::{Action, Group, LieAlgebra, Side};
/// use rattleback_symbolic::{Expr, Matrix, Symbol};
/// let q = ["x", "y"].map(Symbol::variable);
/// let (x, y) = (Expr::from(&q[0]), Expr::from(&q[1]));
/// let turn = Matrix::column_vector(&[-&y, x.clone()]);
/// let action = Action::new(&LieAlgebra::of(Group::SO2), Side::Left, &q, turn);
/// assert!(action.is_invariant(&(x.powi(2) + y.powi(2)), &[]).is_proven());
/// assert!(action.is_invariant(&x, &[]).is_refuted());
/// ```
#[derive(Clone, Debug)]
pub struct Action {
    algebra: LieAlgebra,
    side: Side,
    coordinates: Vec<Symbol>,
    generators: Matrix,
}

impl Action {
    /// From the generators as columns.
    pub fn new(algebra: &LieAlgebra, side: Side, q: &[Symbol], generators: Matrix) -> Self {
        debug_assert_eq!(
            (generators.rows(), generators.cols()),
            (q.len(), algebra.dimension())
        );
        Self {
            algebra: algebra.clone(),
            side,
            coordinates: q.to_vec(),
            generators,
        }
    }

    /// The Lie algebra.
    pub fn algebra(&self) -> &LieAlgebra {
        &self.algebra
    }
    /// The coordinates.
    pub fn coordinates(&self) -> &[Symbol] {
        &self.coordinates
    }
    /// The generators as columns.
    pub fn generators(&self) -> &Matrix {
        &self.generators
    }

    /// The field ξ_Q of an element of the algebra.
    pub fn field(&self, x: &[Expr]) -> Vec<Expr> {
        self.generators.apply(x)
    }

    /// What must vanish for the fields to represent the algebra.
    pub fn defect(&self) -> Vec<Expr> {
        self.algebroid(&self.anonymous()).anchor_defect()
    }

    fn anonymous(&self) -> Vec<Symbol> {
        (1..=self.algebra.dimension())
            .map(|a| Symbol::variable(&format!("xi{a}")))
            .collect()
    }

    /// The action algebroid: anchor -ξ_Q for a left action, +ξ_Q for a right one, and the bracket
    /// of the algebra on constant sections (AC-C11).
    pub fn algebroid(&self, fibre: &[Symbol]) -> Frame {
        let anchor = match self.side {
            Side::Left => self.generators.map(|e| -e),
            Side::Right => self.generators.clone(),
        };
        let structure = self.algebra.structure().clone();
        Frame::new(self.coordinates.clone(), fibre.to_vec(), anchor, structure)
    }

    /// The lifted action on TQ: (ξ_Q, Dξ_Q·v), with the velocities as further coordinates.
    pub fn tangent_lift(&self, velocities: &[Symbol]) -> Self {
        let v: Vec<Expr> = velocities.iter().map(Expr::from).collect();
        self.lifted(velocities, |field| {
            let along = |e: &Expr| dot(&e.gradient(&self.coordinates), &v);
            field.iter().map(along).collect()
        })
    }

    /// The lifted action on T*Q: (ξ_Q, -(Dξ_Q)^T·p).
    pub fn cotangent_lift(&self, momenta: &[Symbol]) -> Self {
        let p: Vec<Expr> = momenta.iter().map(Expr::from).collect();
        self.lifted(momenta, |field| {
            let pairing = dot(&p, field);
            pairing
                .gradient(&self.coordinates)
                .iter()
                .map(|e| -e)
                .collect()
        })
    }

    fn lifted(&self, fibre: &[Symbol], lift: impl Fn(&[Expr]) -> Vec<Expr>) -> Self {
        let n = self.coordinates.len();
        let lifts: Vec<Vec<Expr>> = (0..self.generators.cols())
            .map(|a| lift(&self.generators.column(a)))
            .collect();
        let generators = Matrix::new(2 * n, lifts.len(), |i, a| match i < n {
            true => self.generators[(i, a)].clone(),
            false => lifts[a][i - n].clone(),
        });
        let coordinates = [self.coordinates.as_slice(), fibre].concat();
        Self::new(&self.algebra, self.side, &coordinates, generators)
    }

    /// The momentum map J_A = ⟨p, (e_A)_Q⟩.
    pub fn momentum_map(&self, momenta: &[Expr]) -> Vec<Expr> {
        self.generators.transpose().apply(momenta)
    }

    /// The derivatives of a function along the generators.
    pub fn derivatives(&self, f: &Expr) -> Vec<Expr> {
        self.generators
            .transpose()
            .apply(&f.gradient(&self.coordinates))
    }

    /// Does the function not change along the generators?
    pub fn is_invariant(&self, f: &Expr, on: &Parametrization) -> Verdict {
        vanish_on(&self.derivatives(f), on)
    }
}

/// Does f(Φ(q)) = f(q) for a finite transformation Φ?
pub fn is_invariant_under(f: &Expr, map: &[(Symbol, Expr)], on: &Parametrization) -> Verdict {
    vanish_on(&[f.substitute(map) - f], on)
}
