//! Constrained Hamilton equations on the momentum space.

use super::Form;
use super::lagrange::Bordered;
use crate::SlotRole;
use crate::equations::{Equations, Quantity, Stage};
use crate::{MechanicsError, System};
use rattleback_symbolic::{Expr, Matrix, Symbol};

/// z' = ρ ∂H/∂p, p_A' = −ρ^i_A ∂H/∂z^i − C^D_AB p_D ∂H/∂p_B + F_A + λ_s A^s_A (HJ-C06, AC-C17),
/// with the velocities ∂H/∂p worked out from p = ∂L/∂y and ∂H/∂z = −∂L/∂z.
pub(super) fn hamiltonian(system: &System) -> Result<Equations, MechanicsError> {
    let (frame, l) = (system.frame(), system.lagrangian());
    let p = system.momentum_symbols();
    let p_values: Vec<Expr> = p.iter().map(Expr::from).collect();
    let velocity = frame.velocity();

    let gradient = frame.differential(l);
    let bracket = frame.gyroscopic(&velocity, &p_values);
    let (bordered, _) = Bordered::of_reactions(system, &[system.momenta()]);
    let multipliers = bordered.multipliers.clone();
    let lambda: Vec<Expr> = multipliers.iter().map(Expr::from).collect();
    let reaction = system.constraints().forms().transpose().apply(&lambda);
    let p_rates = (0..frame.rank()).map(|a| {
        Expr::sum([
            gradient[a].clone(),
            -&bracket[a],
            system.force()[a].clone(),
            reaction[a].clone(),
        ])
    });

    let state = system.positions().with(SlotRole::Momentum, p.clone());
    let rates = frame
        .anchored(&velocity)
        .into_iter()
        .chain(p_rates)
        .collect();
    let mut equations = Equations::new(Form::Hamiltonian, state, rates, system.energy());
    equations.start_tail_from(system.momenta());
    let legendre = legendre(&system.momenta(), frame.fibre(), &p_values);
    let is_linear = matches!(legendre, Stage::Linear { .. });
    if is_linear && !system.has_invertible_momenta()? {
        equations.stages.push(on_constraints(system, legendre));
        // The velocities obey the constraints whatever the momenta are; that those lie on the image
        // FL(D) is what may drift.
        equations.residuals = pressures(system).iter().map(Expr::from).collect();
        equations
            .residuals
            .extend_from_slice(system.constraints().holonomic());
    } else {
        equations.stages.push(legendre);
        equations.residuals = system.constraints().all_residuals(frame);
    }
    if !lambda.is_empty() {
        equations.stages.push(bordered.stage(system));
    }
    equations.multipliers = multipliers
        .iter()
        .map(|s| Quantity::new(s.name(), s.into()))
        .collect();
    equations.reactions = system.named_reactions(&lambda);
    equations.extras = vec![Quantity::new("hamiltonian", system.energy())];
    Ok(equations)
}

/// ν1, ν2, …: how far momenta are off the image of the constraints, one for each.
fn pressures(system: &System) -> Vec<Symbol> {
    let name = |s: usize| Symbol::variable(&format!("nu{s}"));
    (1..=system.constraints().len()).map(name).collect()
}

/// The velocities from momenta on the image of the constraints, for Lagrangians that are degenerate
/// elsewhere: W y + Aᵀν = p − b and A y = −a, where ν = 0 on that image.
fn on_constraints(system: &System, legendre: Stage) -> Stage {
    let Stage::Linear {
        unknowns,
        matrix,
        rhs,
    } = legendre
    else {
        return legendre;
    };
    let constraints = system.constraints();
    let (a, m) = (constraints.forms(), constraints.len());
    Stage::Linear {
        unknowns: unknowns.into_iter().chain(pressures(system)).collect(),
        matrix: matrix.bordered(&a.transpose(), a, &Matrix::zeros(m, m)),
        rhs: rhs
            .into_iter()
            .chain(constraints.offsets().iter().map(|e| -e))
            .collect(),
    }
}

/// The velocities from the momenta: linear where L is quadratic, Newton's method otherwise.
pub(super) fn legendre(momenta: &[Expr], velocities: &[Symbol], p: &[Expr]) -> Stage {
    let linear = momenta
        .iter()
        .all(|m| m.degree(velocities).is_some_and(|d| d <= 1));
    if linear {
        let rest: Vec<_> = velocities
            .iter()
            .map(|v| (v.clone(), Expr::zero()))
            .collect();
        let shift = rattleback_symbolic::substitute_all(momenta, &rest);
        let rows: Vec<Vec<Expr>> = momenta.iter().map(|m| m.gradient(velocities)).collect();
        Stage::Linear {
            unknowns: velocities.to_vec(),
            matrix: Matrix::from_rows(&rows),
            rhs: p.iter().zip(&shift).map(|(p, s)| p - s).collect(),
        }
    } else {
        Stage::Implicit {
            unknowns: velocities.to_vec(),
            residuals: momenta.iter().zip(p).map(|(m, p)| m - p).collect(),
        }
    }
}
