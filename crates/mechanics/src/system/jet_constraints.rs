//! Constraints of variational problems: nonlinear in the velocities, or with accelerations (AC-C27, C29, C33).

use super::System;
use crate::error::MechanicsError;
use crate::formulation::Form;
use crate::origin::Origin;
use rattleback_geometry::Frame;
use rattleback_symbolic::{Expr, Matrix, Symbol};

/// A constraint φ(z, y, …, y^(r-1)) = 0 that only variational problems can treat.
#[derive(Clone, Debug)]
pub struct JetConstraint {
    /// φ.
    pub expr: Expr,
    /// The order r of its highest derivative: 1 for velocities, 2 for accelerations.
    pub order: u32,
    /// Where it stands in the model.
    pub origin: Origin,
}

impl JetConstraint {
    /// A stated constraint with its order.
    pub(crate) fn of(expr: &Expr, origin: Origin, frame: &Frame, most: u32) -> Self {
        let present = |r: &u32| expr.contains_any(&jet(frame, *r - 1));
        let beyond = (most + 1..=most + MOST_ABOVE).find(present);
        let order = beyond.or_else(|| (1..=most).rev().find(present));
        Self {
            expr: expr.clone(),
            order: order.unwrap_or(1),
            origin,
        }
    }
}

/// Derivatives this far above those of the Lagrangian are told by their order.
const MOST_ABOVE: u32 = 8;

/// The velocities y^(i).
pub(crate) fn jet(frame: &Frame, i: u32) -> Vec<Symbol> {
    let raised = |y: &Symbol| y.jet(y.order() + i);
    frame.fibre().iter().map(raised).collect()
}

/// One constraint of a variational problem, with its multiplier.
#[derive(Clone, Debug)]
pub struct VariationalConstraint {
    /// φ.
    pub expr: Expr,
    /// The order r of its highest derivative.
    pub order: u32,
    /// μ.
    pub multiplier: Symbol,
}

impl VariationalConstraint {
    /// μ, μ', …, μ^(r-1): the part of the state that the multiplier brings.
    pub fn multiplier_jets(&self) -> impl Iterator<Item = Symbol> + '_ {
        (0..self.order).map(|j| self.multiplier.jet(j))
    }

    /// ∂φ/∂y^(r-1).
    pub(crate) fn slope(&self, frame: &Frame) -> Vec<Expr> {
        self.expr.gradient(&jet(frame, self.order - 1))
    }
}

impl System {
    /// The same system with a further constraint φ(z, y, …, y^(r-1)) = 0 of order r, for variational problems.
    pub fn with_jet_constraint(mut self, expr: Expr, order: u32) -> Self {
        let origin = Origin::Constraint(self.jet_constraints.len());
        self.jet_constraints.push(JetConstraint {
            expr,
            order,
            origin,
        });
        self.known = Default::default();
        self
    }

    /// Constraints that only variational problems treat; there are none in a problem of
    /// [`Problem::from_model`](crate::Problem::from_model).
    pub fn jet_constraints(&self) -> &[JetConstraint] {
        &self.jet_constraints
    }

    /// Which constraints of the model the [`System::variational_constraints`] are, from 0; empty without a model.
    pub fn kept_constraints(&self) -> &[usize] {
        &self.kept
    }

    /// Every constraint of the variational problem with its multiplier: those on velocities first.
    pub fn variational_constraints(&self) -> Vec<VariationalConstraint> {
        let linear = self.constraints.residuals(&self.frame);
        let linear = linear.into_iter().map(|expr| (expr, 1));
        let jets = self.jet_constraints.iter();
        let jets = jets.map(|c| (c.expr.clone(), c.order));
        linear
            .chain(jets)
            .zip(self.variational_multipliers())
            .map(|((expr, order), multiplier)| VariationalConstraint {
                expr,
                order,
                multiplier,
            })
            .collect()
    }

    /// The matrix that must be regular for a variational problem of order k to determine its motion (AC-C27, 3.19):
    ///
    /// ```text
    /// [ L_kk − μ_s φ^s_kk   −Φᵀ ]
    /// [ Φ                    0  ]       Φ^s = ∂φ^s/∂y^(r_s − 1)
    /// ```
    pub fn bordered_hessian(&self) -> Matrix {
        let top = jet(&self.frame, self.order - 1);
        let constraints = self.variational_constraints();
        let slopes: Vec<Vec<Expr>> = constraints.iter().map(|c| c.slope(&self.frame)).collect();
        let hessian = crate::engine::hessian(&augmented(self.lagrangian(), &constraints), &top);
        let (n, m) = (top.len(), constraints.len());
        Matrix::new(n + m, n + m, |i, j| match (i < n, j < n) {
            (true, true) => hessian[(i, j)].clone(),
            (true, false) => -&slopes[j - n][i],
            (false, true) => slopes[i - n][j].clone(),
            (false, false) => Expr::zero(),
        })
    }

    /// Refuses constraints that only variational problems treat.
    pub(crate) fn require_affine(&self, form: Form) -> Result<(), MechanicsError> {
        match self.jet_constraints.first() {
            None => Ok(()),
            Some(c) if c.order > 1 => Err(MechanicsError::HigherOrderConstraint {
                origin: c.origin,
                form: form.name().into(),
            }),
            Some(c) => Err(MechanicsError::NonlinearConstraint {
                origin: c.origin,
                form: form.name().into(),
            }),
        }
    }
}

/// L − μ_s φ^s.
pub(crate) fn augmented(l: &Expr, constraints: &[VariationalConstraint]) -> Expr {
    let terms = constraints.iter();
    let terms = terms.map(|c| Expr::from(&c.multiplier) * &c.expr);
    l - Expr::sum(terms)
}
