//! The wrong equations of Lindelöf, kept only to be compared with (NG-W1).

use crate::System;
use crate::chaplygin::Chaplygin;
use crate::engine::{MassForm, euler_lagrange, hessian};
use crate::equations::Stage;
use rattleback_geometry::Frame;
use rattleback_symbolic::{Expr, Symbol};

/// Euler-Lagrange of the restricted Lagrangian in the base coordinates of a Chaplygin system. These
/// are NOT the equations of motion: they miss [`curvature_force`]. For the vertical disk they happen
/// to agree, so that disk is no test.
pub fn lindelof_equations(reduced: &Chaplygin) -> Stage {
    let frame = Frame::coordinates(&reduced.base);
    let l = &reduced.lagrangian;
    let MassForm { mass, bias } = euler_lagrange(&frame, l, 1, &reduced.force, &[]);
    Stage::Linear {
        unknowns: reduced.base.iter().map(|r| r.jet(2)).collect(),
        matrix: mass,
        rhs: bias.iter().map(|b| -b).collect(),
    }
}

/// What Lindelöf forgot: (∂L/∂s'^a) B^a_αβ r'^β = Ξ_αβ r'^β, and the right equations
/// E_α(l) = Ξ_αβ r'^β + F_α.
pub fn curvature_force(reduced: &Chaplygin) -> Vec<Expr> {
    let v: Vec<Expr> = reduced.sections.velocities.iter().map(Expr::from).collect();
    reduced.gyroscopic.apply(&v)
}

impl Chaplygin {
    /// The right accelerations of the base: ∂²l/∂r'∂r' r'' = … + Ξ r' + F, as a solve.
    pub fn base_equations(&self) -> Stage {
        let frame = Frame::coordinates(&self.base);
        let push: Vec<Expr> = curvature_force(self)
            .iter()
            .zip(&self.force)
            .map(|(c, f)| c + f)
            .collect();
        let MassForm { bias, .. } = euler_lagrange(&frame, &self.lagrangian, 1, &push, &[]);
        let velocities: Vec<Symbol> = self.sections.velocities.clone();
        Stage::Linear {
            unknowns: self.base.iter().map(|r| r.jet(2)).collect(),
            matrix: hessian(&self.lagrangian, &velocities),
            rhs: bias.iter().map(|b| -b).collect(),
        }
    }
}

impl System {
    /// The Chaplygin structure of the system, if it has one.
    pub fn chaplygin(&self) -> Result<Chaplygin, crate::MechanicsError> {
        Chaplygin::of(self)
    }
}
