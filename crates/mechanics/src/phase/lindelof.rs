//! The wrong equations of Lindelöf, kept only to be compared with (NG-W1).

use crate::System;
use crate::chaplygin::Chaplygin;
use crate::engine::{MassForm, euler_lagrange};
use crate::equations::Stage;
use rattleback_symbolic::{Expr, Symbol};

/// Euler-Lagrange of the restricted Lagrangian in the base coordinates of a Chaplygin system. These
/// are NOT the equations of motion: they miss [`curvature_force`]. For the vertical disk they happen
/// to agree, so that disk is no test.
///
/// ```
/// # use rattleback_language::{Source, parse};
/// use rattleback_mechanics::phase::{curvature_force, lindelof_equations};
/// use rattleback_mechanics::{Chaplygin, Problem, Stage};
/// use rattleback_symbolic::{Expr, Symbol};
/// let text = "system particle\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint z' = x*y'\nfibre z\n";
/// let model = parse(&Source::new("particle.mech", text)).model.unwrap();
/// let reduced = Chaplygin::of(&Problem::from_model(&model).unwrap().system).unwrap();
/// let (x, y) = (Expr::from(Symbol::variable("x")), Expr::from(Symbol::variable("y").jet(1)));
/// // x'' = x y'² by Lindelöf; the curvature takes that back.
/// let Stage::Linear { rhs, .. } = lindelof_equations(&reduced) else { unreachable!() };
/// assert_eq!(rhs[0], &x * y.powi(2));
/// assert_eq!(curvature_force(&reduced)[0], -x * y.powi(2));
/// ```
pub fn lindelof_equations(reduced: &Chaplygin) -> Stage {
    let (frame, l) = (&reduced.frame, &reduced.lagrangian);
    let MassForm { mass, bias } = euler_lagrange(frame, l, 1, &reduced.force, &[]);
    Stage::Linear {
        unknowns: frame.fibre().iter().map(Symbol::derivative).collect(),
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
        let push: Vec<Expr> = curvature_force(self)
            .iter()
            .zip(&self.force)
            .map(|(c, f)| c + f)
            .collect();
        let MassForm { mass, bias } = euler_lagrange(&self.frame, &self.lagrangian, 1, &push, &[]);
        Stage::Linear {
            unknowns: self.frame.fibre().iter().map(Symbol::derivative).collect(),
            matrix: mass,
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
