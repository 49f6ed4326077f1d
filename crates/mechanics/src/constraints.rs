//! Velocity constraints A y + a = 0 in the ambient frame.

use rattleback_geometry::Frame;
use rattleback_symbolic::{Expr, Matrix, Symbol};

/// How a constraint came into the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintOrigin {
    /// It restricts velocities.
    Velocity,
    /// It restricts positions, g = 0, and was differentiated.
    Holonomic,
}

/// Independent constraints φ^s = A^s_A(z, t) y^A + a^s(z, t) = 0.
#[derive(Clone, Debug)]
pub struct Constraints {
    forms: Matrix,
    offsets: Vec<Expr>,
    origins: Vec<ConstraintOrigin>,
    holonomic: Vec<Expr>,
}

impl Constraints {
    /// No constraint on a frame of this rank.
    pub fn none(rank: usize) -> Self {
        Self::new(Matrix::zeros(0, rank), Vec::new())
    }

    /// Constraints from their forms (rows) and offsets.
    pub fn new(forms: Matrix, offsets: Vec<Expr>) -> Self {
        let origins = vec![ConstraintOrigin::Velocity; offsets.len()];
        Self {
            forms,
            offsets,
            origins,
            holonomic: Vec::new(),
        }
    }

    pub(crate) fn with_origins(
        mut self,
        origins: Vec<ConstraintOrigin>,
        holonomic: Vec<Expr>,
    ) -> Self {
        self.origins = origins;
        self.holonomic = holonomic;
        self
    }

    /// The one-forms A^s, as rows.
    pub fn forms(&self) -> &Matrix {
        &self.forms
    }
    /// The parts a^s free of velocities.
    pub fn offsets(&self) -> &[Expr] {
        &self.offsets
    }
    /// How each came into the system.
    pub fn origins(&self) -> &[ConstraintOrigin] {
        &self.origins
    }
    /// Position constraints g = 0 of the model, before differentiation.
    pub fn holonomic(&self) -> &[Expr] {
        &self.holonomic
    }
    /// How many.
    pub fn len(&self) -> usize {
        self.forms.rows()
    }
    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Are all of them linear, without a part free of velocities?
    pub fn is_linear(&self) -> bool {
        self.offsets.iter().all(Expr::is_zero)
    }

    /// Does one of them change with time?
    pub fn depend_on_time(&self) -> bool {
        let time = Symbol::time();
        let forms = self.forms.entries().iter();
        forms.chain(&self.offsets).any(|e| e.contains(&time))
    }

    /// φ^s as functions of (z, y, t).
    pub fn residuals(&self, frame: &Frame) -> Vec<Expr> {
        let linear = self.forms.apply(&frame.velocity());
        linear
            .iter()
            .zip(&self.offsets)
            .map(|(l, a)| l + a)
            .collect()
    }

    /// Everything that vanishes along motions: φ^s, and the position constraints themselves.
    pub fn all_residuals(&self, frame: &Frame) -> Vec<Expr> {
        [self.residuals(frame), self.holonomic.clone()].concat()
    }

    /// dφ^s/dt with the accelerations left out: (dA/dt) y + da/dt.
    pub fn rate_at_rest(&self, frame: &Frame) -> Vec<Expr> {
        let fibre = frame.fibre();
        let stop = |s: &Symbol| fibre.contains(s);
        frame.rates_along(&frame.velocity(), &self.residuals(frame), stop)
    }
}
