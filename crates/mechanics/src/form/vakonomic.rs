//! Vakonomic motion: (E) for L − μ_s φ^s with the multipliers among the unknowns (VE-C07).

use super::Form;
use super::lagrange::MultiplierForm;
use crate::equations::{Equations, Quantity};
use crate::{MechanicsError, System};
use rattleback_symbolic::{Expr, dot};

pub(super) fn vakonomic(system: &System) -> Result<Equations, MechanicsError> {
    let phi = system.constraints().residuals(system.frame());
    let mu = system.variational_multipliers();
    let mu_values: Vec<Expr> = mu.iter().map(Expr::from).collect();
    let augmented = system.lagrangian() - dot(&mu_values, &phi);
    let kkt = MultiplierForm::new(system, &augmented, &mu);
    let mut equations = kkt.equations(system, Form::Vakonomic, mu.clone());
    equations.multipliers = mu
        .iter()
        .map(|m| Quantity::new(m.name(), m.into()))
        .collect();
    equations.extras = vec![Quantity::stated("augmented_lagrangian", augmented)];
    if mu.is_empty() {
        equations.notes.push(
            "without constraints the vakonomic equations are the Euler-Lagrange equations".into(),
        );
    }
    Ok(equations)
}
