//! Variational motion with constraints: (E) for L − μ_s φ^s with the multipliers among the unknowns, of any order
//! (VE-C07, AC-C27, C29, C31, C33).

use super::Form;
use super::lagrange::{Bordered, constraint_rates};
use crate::engine::{MassForm, energy_with, euler_lagrange_with, ostrogradsky_momenta};
use crate::equations::{Equations, Quantity};
use crate::system::augmented;
use crate::{MechanicsError, System};
use rattleback_symbolic::{Expr, Matrix, Symbol};

/// With constraints of orders r_s ≤ k, Φ^s = ∂φ^s/∂y^(r_s−1) and M = L_kk − μ_s φ^s_kk:
///
/// ```text
/// (−1)^(k−1) M y^(2k−1) + (−1)^(r_s) μ_s^(r_s) Φ^s + … = F,      d^(2k−r_s) φ^s/dt^(2k−r_s) = Φ^s y^(2k−1) + … = 0
/// ```
///
/// for y^(2k−1) and μ_s^(r_s); the state is z, y, …, y^(2k−2) and μ_s, …, μ_s^(r_s−1).
pub(super) fn variational(system: &System, form: Form) -> Result<Equations, MechanicsError> {
    let (frame, order) = (system.frame(), system.order());
    let constraints = system.variational_constraints();
    let l = augmented(system.lagrangian(), &constraints);
    let last = constraints.iter().map(|c| c.multiplier.jet(c.order - 1));
    let frozen: Vec<Symbol> = last.collect();
    let momenta = ostrogradsky_momenta(frame, &l, order);
    let MassForm { mass, bias } = euler_lagrange_with(frame, &l, &momenta, system.force(), &frozen);
    let slopes: Vec<Vec<Expr>> = constraints.iter().map(|c| c.slope(frame)).collect();
    let columns = Matrix::new(frame.rank(), slopes.len(), |a, s| {
        match constraints[s].order % 2 {
            0 => slopes[s][a].clone(),
            _ => -&slopes[s][a],
        }
    });
    let (mut rates, mut residuals) = (Vec::new(), Vec::new());
    for c in &constraints {
        let (rate, levels) = constraint_rates(system, &c.expr, 2 * order - c.order);
        rates.push(rate);
        residuals.extend(levels);
    }
    let bordered = Bordered {
        mass,
        columns,
        rows: Matrix::new(slopes.len(), frame.rank(), |s, a| slopes[s][a].clone()),
        bias,
        rates,
        multipliers: frozen.iter().map(Symbol::derivative).collect(),
    };
    let jets: Vec<Symbol> = constraints
        .iter()
        .flat_map(|c| c.multiplier_jets().collect::<Vec<_>>())
        .collect();
    let energy = match is_classical(system) {
        true => energy_with(frame, system.lagrangian(), &[system.momenta()]),
        false => energy_with(frame, &l, &momenta),
    };
    let mut equations = bordered.equations(system, form, jets, energy);
    let shown = match is_classical(system) {
        true => vec![system.momenta()],
        false => momenta,
    };
    equations.momenta = system.named_momenta(&shown);
    equations.residuals = residuals;
    equations
        .residuals
        .extend(system.constraints().holonomic().iter().cloned());
    equations.multipliers = constraints
        .iter()
        .map(|c| Quantity::new(c.multiplier.name(), (&c.multiplier).into()))
        .collect();
    equations.extras = vec![Quantity::stated("augmented_lagrangian", l)];
    if constraints.is_empty() {
        equations.notes.push(
            "without constraints the vakonomic equations are the Euler-Lagrange equations".into(),
        );
    }
    Ok(equations)
}

/// Velocities and constraints affine in them: energy and momenta are then shown as those of L.
fn is_classical(system: &System) -> bool {
    system.order() == 1 && system.jet_constraints().is_empty()
}
