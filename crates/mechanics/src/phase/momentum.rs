//! Momentum functions of vector fields and the momentum equation (NG-M1, M2).

use super::coframe::{first_order, values};
use super::{PhaseError, PhaseField, VelocityPhaseSpace};
use crate::System;
use rattleback_geometry::{Frame, Section};
use rattleback_symbolic::{Expr, Matrix, Symbol, dot};

/// The tangent (complete) lift of Z: (Z, y\[Z\] + C(y, Z)); in coordinates (Z, DZ·v). Its flow is the
/// tangent of the flow of Z.
pub fn tangent_lift(frame: &Frame, z: &[Expr]) -> PhaseField {
    PhaseField {
        base: z.to_vec(),
        fibre: frame.bracket(&frame.velocity(), z),
    }
}

/// (L_Z k)_AB = Z\[k_AB\] − k([Z, e_A], e_B) − k(e_A, [Z, e_B]): zero for Killing fields.
pub fn lie_derivative_of_metric(frame: &Frame, k: &Matrix, z: &[Expr]) -> Matrix {
    let n = frame.rank();
    let along = frame.act(z, k.entries());
    let moved: Vec<Section> = (0..n).map(|a| frame.bracket(z, &frame.basis(a))).collect();
    Matrix::new(n, n, |a, b| {
        &along[a * n + b] - dot(&moved[a], &k.column(b)) - dot(&moved[b], k.row(a))
    })
}

/// The momentum P_Z = ⟨p, Z⟩ of a vector field Z on the configuration space.
///
/// ```
/// # use rattleback_language::{Source, parse};
/// # use rattleback_symbolic::Expr;
/// use rattleback_mechanics::{Problem, phase::MomentumFunction};
/// let text = "system knife\ncoord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\n\
///     constraint sin(phi)*x' = cos(phi)*y'\n";
/// let model = parse(&Source::new("knife.mech", text)).model.unwrap();
/// let knife = Problem::from_model(&model).unwrap().system;
/// let turn = [Expr::zero(), Expr::zero(), Expr::one()];
/// let momentum = MomentumFunction::of(&knife, &turn).unwrap();
/// assert_eq!(momentum.value, Expr::from(&knife.frame().fibre()[2]));
/// // In D and a symmetry: conserved. Sliding along x is no motion of D, so the reaction counts.
/// assert!(momentum.rate.is_zero() && momentum.reaction_arms[0].is_zero());
/// let slide = MomentumFunction::of(&knife, &[Expr::one(), Expr::zero(), Expr::zero()]).unwrap();
/// assert!(slide.rate.is_zero() && !slide.reaction_arms[0].is_zero());
/// ```
#[derive(Clone, Debug)]
pub struct MomentumFunction {
    /// P_Z(z, y).
    pub value: Expr,
    /// X_{P_Z} = Z_TQ − ι(k♯(L_Z k)(y)) for L = T − V (NG-M1).
    pub field: PhaseField,
    /// Z_TQ, the tangent lift.
    pub lift: PhaseField,
    /// Z_TQ\[L\] + ⟨p, ∂Z/∂t⟩ + F(Z): the rate of P_Z for Z in D; ½(L_Z k)(y, y) − dV(Z) for
    /// L = T − V and a steady Z.
    pub rate: Expr,
    /// φ_s(Z): with multipliers λ_s the rate gains λ_s φ_s(Z) (NG-M2).
    pub reaction_arms: Vec<Expr>,
}

impl MomentumFunction {
    /// The momentum of the section `z`.
    pub fn of(system: &System, z: &[Expr]) -> Result<Self, PhaseError> {
        first_order(system, "a momentum function")?;
        let phase = VelocityPhaseSpace::of(system)?;
        let frame = system.frame();
        let value = dot(phase.theta(), z);
        let lift = tangent_lift(frame, z);
        let time = Symbol::time();
        let unsteady: Vec<Expr> = z.iter().map(|e| e.diff(&time)).collect();
        let rate = phase.apply(&lift, system.lagrangian())
            + dot(phase.theta(), &unsteady)
            + dot(system.force(), z);
        Ok(Self {
            field: phase.hamiltonian_field(&value),
            reaction_arms: system.constraints().forms().apply(z),
            value,
            lift,
            rate,
        })
    }

    /// dP_Z/dt along motions with multipliers λ_s: Z_TQ\[L\] + F(Z) + λ_s φ_s(Z).
    pub fn equation(&self, multipliers: &[Symbol]) -> Expr {
        &self.rate + dot(&values(multipliers), &self.reaction_arms)
    }
}
