//! Newton's law with the Levi-Civita connection, and its orthogonal projection on the constraints.

use super::Form;
use crate::SlotRole;
use crate::engine::{energy, hessian};
use crate::equations::{Equations, Quantity, Stage};
use crate::{MechanicsError, System};
use rattleback_geometry::Frame;
use rattleback_symbolic::{Expr, Matrix, Symbol};

/// The geodesic term Γ_AB,D y^A y^B with the lowered Christoffel symbols of the frame (CG-A4):
/// 2 Γ_AB,D = e_A(G_BD) + e_B(G_AD) − e_D(G_AB) + C^E_AB G_ED − C^E_AD G_EB − C^E_BD G_EA.
/// Contracted with y y the C_AB term drops and the last two agree: −C^E_AD y^A G_EB y^B.
fn geodesic_term(frame: &Frame, metric: &Matrix) -> Vec<Expr> {
    let y = frame.velocity();
    let n = frame.rank();
    let along: Vec<Expr> = frame.act(&y, metric.entries());
    let momentum = metric.apply(&y);
    let bracket = frame.gyroscopic(&y, &momentum);
    (0..n)
        .map(|d| {
            let slope = frame.act_basis(d, metric.entries());
            let quadratic = |table: &[Expr]| {
                let entries = table.iter().enumerate().filter(|(_, g)| !g.is_zero());
                Expr::sum(entries.map(|(i, g)| g * &y[i / n] * &y[i % n]))
            };
            let transported = Expr::sum((0..n).map(|b| &along[b * n + d] * &y[b]));
            transported - quadratic(&slope) / 2 + &bracket[d]
        })
        .collect()
}

/// The covector that accelerates: F − dV for L = T − V with a metric that does not depend on time.
pub(super) fn applied_force(system: &System) -> Vec<Expr> {
    let rest: Vec<_> = system
        .frame()
        .fibre()
        .iter()
        .map(|y| (y.clone(), Expr::zero()))
        .collect();
    let slope = system
        .frame()
        .differential(&system.lagrangian().substitute(&rest));
    slope
        .iter()
        .zip(system.force())
        .map(|(s, f)| s + f)
        .collect()
}

/// G (y' + Γ(y, y)) = F − dV + λ_s A^s (NG-K2, K3, K6).
pub(super) fn newton(system: &System) -> Result<Equations, MechanicsError> {
    let (metric, rhs) = newton_sides(system);
    let a = system.constraints().forms();
    let corner = Matrix::zeros(a.rows(), a.rows());
    let matrix = metric.bordered(&a.transpose().map(|e| -e), a, &corner);
    let lambda = system.multiplier_symbols();
    let mut equations = second_order(system, Form::Newton);
    let drift = system.constraints().rate_at_rest(system.frame());
    equations.stages.push(Stage::Linear {
        unknowns: accelerations(system.frame())
            .chain(lambda.iter().cloned())
            .collect(),
        matrix,
        rhs: rhs.into_iter().chain(drift.iter().map(|e| -e)).collect(),
    });
    let values: Vec<Expr> = lambda.iter().map(Expr::from).collect();
    equations.multipliers = lambda
        .iter()
        .map(|s| Quantity::new(s.name(), s.into()))
        .collect();
    equations.reactions = system.named_reactions(&values);
    Ok(equations)
}

/// Bᵀ G (y' + Γ(y, y) − G⁻¹(F − dV)) = 0 and A y' = −(A y + a)' at rest (NG-L3).
pub(super) fn orthogonal_projection(system: &System) -> Result<Equations, MechanicsError> {
    let (metric, rhs) = newton_sides(system);
    let basis = system.sections()?.basis.transpose();
    let a = system.constraints().forms();
    let top = &basis * &metric;
    let k = top.rows();
    let matrix = Matrix::new(k + a.rows(), metric.cols(), |i, j| {
        if i < k {
            top[(i, j)].clone()
        } else {
            a[(i - k, j)].clone()
        }
    });
    let drift = system.constraints().rate_at_rest(system.frame());
    let mut equations = second_order(system, Form::Projection);
    equations.stages.push(Stage::Linear {
        unknowns: accelerations(system.frame()).collect(),
        matrix,
        rhs: basis
            .apply(&rhs)
            .into_iter()
            .chain(drift.iter().map(|e| -e))
            .collect(),
    });
    equations
        .conditions
        .extend(system.frame_conditions().iter().cloned());
    equations.basis = Some(basis.transpose());
    Ok(equations)
}

/// The metric and F − dV − Γ(y, y), lowered.
fn newton_sides(system: &System) -> (Matrix, Vec<Expr>) {
    let frame = system.frame();
    let metric = hessian(system.lagrangian(), frame.fibre());
    let geodesic = geodesic_term(frame, &metric);
    let force = applied_force(system);
    let rhs = force.iter().zip(&geodesic).map(|(f, g)| f - g).collect();
    (metric, rhs)
}

fn accelerations(frame: &Frame) -> impl Iterator<Item = Symbol> {
    frame.fibre().iter().map(Symbol::derivative)
}

/// State (z, y) with accelerations as unknowns.
pub(super) fn second_order(system: &System, form: Form) -> Equations {
    let frame = system.frame();
    let state = system
        .positions()
        .with(SlotRole::Velocity, frame.fibre().to_vec());
    let rates = frame
        .anchored(&frame.velocity())
        .into_iter()
        .chain(accelerations(frame).map(Expr::from))
        .collect();
    let mut equations = Equations::new(form, state, rates, energy(frame, system.lagrangian(), 1));
    equations.momenta = system.named_momenta(&[system.momenta()]);
    equations.residuals = system.constraints().all_residuals(frame);
    equations
}
