//! Gibbs-Appell: the energy of the accelerations, differentiated by the accelerations.

use super::Form;
use super::hamel::hamel;
use super::newton::applied_force;
use crate::engine::MassForm;
use crate::equations::{Equations, Quantity};
use crate::{MechanicsError, System};
use rattleback_symbolic::{Expr, Symbol, dot};

/// ∂S/∂v̇_a = Q_a on the frame of the constraint distribution, with the Gibbs function S = ½ G(∇v, ∇v), the terms
/// without accelerations left out, and the applied forces Q_a = ⟨F − dV, e_a⟩.
///
/// S is read off Hamel's equations M v̇ + b = 0, where b holds −Q: S = ½ v̇·M v̇ + v̇·(b + Q).
pub(super) fn gibbs_appell(system: &System) -> Result<Equations, MechanicsError> {
    let mut equations = hamel(system)?;
    equations.form = Form::GibbsAppell;
    let sections = system.sections()?;
    let MassForm { mass, bias } = system.restricted()?.equations();
    let applied = sections.restrict(system.frame(), &applied_force(system));
    let accelerations: Vec<Expr> = sections
        .velocities
        .iter()
        .map(Symbol::derivative)
        .map(Expr::from)
        .collect();
    let forces: Vec<Expr> = (0..sections.rank())
        .map(|a| dot(&applied, &sections.basis.column(a)))
        .collect();
    let linear: Vec<Expr> = bias.iter().zip(&forces).map(|(b, q)| b + q).collect();
    let gibbs = dot(&accelerations, &mass.apply(&accelerations)) / 2 + dot(&accelerations, &linear);
    equations.extras.push(Quantity::stated("S", gibbs));
    let named = forces.into_iter().enumerate();
    let named = named.map(|(a, q)| Quantity::new(format!("Q[{}]", a + 1), q));
    equations.extras.extend(named);
    Ok(equations)
}
