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
/// what the printed local formula lacks (erratum E7).
pub(super) fn hamilton_dalembert(system: &System) -> Result<Equations, MechanicsError> {
    let sections = system.sections()?;
    let (frame, constraints) = (system.frame(), system.constraints());
    let n = frame.rank();
    let mass = hessian(system.lagrangian(), frame.fibre());
    let p = system.momenta();
    let skew = skew_block(frame, &p);
    let h = system.energy();
    let p_time = frame.unsteady(&p, frame.fibre());
    let (h_base, h_fibre) = (frame.differential(&h), h.gradient(frame.fibre()));

    let mut rows: Vec<Vec<Expr>> = Vec::new();
    let mut rhs = Vec::new();
    for k in 0..sections.rank() {
        let b = sections.basis.column(k);
        // w = (b, 0): u̇ = (a, α) enters as (aᵀS − αᵀW) b.
        let first = (0..n).map(|i| dot(skew.row(i), &b));
        let second = (0..n).map(|i| -dot(mass.row(i), &b));
        rows.push(first.chain(second).collect());
        rhs.push(dot(&h_base, &b) - dot(system.force(), &b) + dot(&p_time, &b));
    }
    for (i, slope) in h_fibre.into_iter().enumerate() {
        // w = (0, e_i): aᵀ W e_i.
        let zeros = std::iter::repeat_n(Expr::zero(), n);
        rows.push((0..n).map(|a| mass[(a, i)].clone()).chain(zeros).collect());
        rhs.push(slope);
    }
    let residuals = constraints.residuals(frame);
    let unsteady = frame.unsteady(&residuals, frame.fibre());
    for (s, c) in residuals.iter().enumerate() {
        let base = frame.differential(c);
        rows.push(
            base.into_iter()
                .chain(constraints.forms().row(s).iter().cloned())
                .collect(),
        );
        rhs.push(-&unsteady[s]);
    }
    let mut equations = second_order(system, Form::HamiltonDAlembert);
    let motion = frame.fibre().iter().map(|y| {
        Symbol::variable(&format!(
            "motion_{}{}",
            y.name(),
            "'".repeat(y.order() as usize)
        ))
    });
    let motion: Vec<Symbol> = motion.collect();
    let base_velocity: Vec<Expr> = motion.iter().map(Expr::from).collect();
    for (rate, z) in equations
        .rates
        .iter_mut()
        .zip(frame.anchored(&base_velocity))
    {
        *rate = z;
    }
    equations.stages.push(Stage::Linear {
        unknowns: motion
            .into_iter()
            .chain(frame.fibre().iter().map(Symbol::derivative))
            .collect(),
        matrix: Matrix::from_rows(&rows),
        rhs,
    });
    equations
        .conditions
        .extend(system.frame_conditions().iter().cloned());
    equations.basis = Some(sections.basis.clone());
    Ok(equations)
}
