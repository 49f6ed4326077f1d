//! Hamilton-d'Alembert on the velocity phase space, with the full two-form of the Lagrangian.

use super::Form;
use super::newton::second_order;
use crate::engine::hessian;
use crate::equations::{Equations, Stage};
use crate::phase::skew_block;
use crate::{MechanicsError, System};
use rattleback_symbolic::{Expr, Matrix, Symbol, dot};

/// ω(u̇, w) = dh(w) − F(w) for w ∈ F = {Tτ w ∈ D}, and dc_a(u̇) = 0 (NG-H3), with
/// ω((a, α), (b, β)) = W(a, β) − W(α, b) − a[p]·b + b[p]·a + p·C(a, b): the last three terms are
/// what the printed local formula lacks (erratum E7). Along w = (0, β) it says W a = W y, since h = p·y − L has the
/// slopes W y along the fibre: the motion is of second order, a = y, and α is what is left to be solved for.
pub(super) fn hamilton_dalembert(system: &System) -> Result<Equations, MechanicsError> {
    let sections = system.sections()?;
    let (frame, constraints) = (system.frame(), system.constraints());
    let mass = hessian(system.lagrangian(), frame.fibre());
    let y = frame.velocity();
    let p = system.momenta();
    let turned = skew_block(frame, &p).transpose().apply(&y);
    let slope = frame.differential(&system.energy());
    let p_time = frame.unsteady(&p, frame.fibre());

    let mut rows: Vec<Vec<Expr>> = Vec::new();
    let mut rhs = Vec::new();
    for k in 0..sections.rank() {
        let b = sections.basis.column(k);
        // w = (b, 0): u̇ = (y, α) enters as (yᵀS − αᵀW) b.
        rows.push(mass.apply(&b));
        rhs.push(dot(&turned, &b) - dot(&slope, &b) + dot(system.force(), &b) - dot(&p_time, &b));
    }
    let residuals = constraints.residuals(frame);
    let unsteady = frame.unsteady(&residuals, frame.fibre());
    for (s, c) in residuals.iter().enumerate() {
        rows.push(constraints.forms().row(s).to_vec());
        rhs.push(-(&unsteady[s] + dot(&frame.differential(c), &y)));
    }
    let mut equations = second_order(system, Form::HamiltonDAlembert);
    equations.stages.push(Stage::Linear {
        unknowns: frame.fibre().iter().map(Symbol::derivative).collect(),
        matrix: Matrix::from_rows(&rows),
        rhs,
    });
    equations
        .conditions
        .extend(system.frame_conditions().iter().cloned());
    equations.basis = Some(sections.basis.clone());
    Ok(equations)
}
