//! The almost-Poisson bracket on the momenta of the constraint distribution.

use super::Form;
use super::hamiltonian::legendre;
use crate::SlotRole;
use crate::equations::{BracketMatrix, Equations, Quantity, Stage};
use crate::phase::frame_bracket_matrix;
use crate::{MechanicsError, System};
use rattleback_symbolic::{Expr, Symbol, dot};

/// {z^i, z^j} = 0, {z^i, P_a} = ρ(e_a)^i, {P_a, P_b} = −⟨p, [e_a, e_b]⟩ and f' = {f, H}
/// (HJ-C08, NG-B2 with our sign): frame momenta P_a = ⟨p, e_a⟩ and p = ∂L/∂y on the distribution.
/// Forces and a frame that turns with time act besides: P_a' = {P_a, H} + ⟨F, e_a⟩ + ⟨p, ∂e_a/∂t⟩.
pub(super) fn almost_poisson(system: &System) -> Result<Equations, MechanicsError> {
    let form = Form::AlmostPoisson;
    let (frame, sections) = (system.frame(), system.sections()?);
    let k = sections.rank();
    let restricted = sections.restrict(frame, &[system.lagrangian().clone(), system.energy()]);
    let momenta = restricted[0].gradient(&sections.velocities);
    let p_frame: Vec<Symbol> = sections
        .velocities
        .iter()
        .map(|v| system.names().reduced_momentum(v.name()))
        .collect();
    let p_values: Vec<Expr> = p_frame.iter().map(Expr::from).collect();
    let e: Vec<Vec<Expr>> = (0..k).map(|a| sections.basis.column(a)).collect();
    let n = frame.base().len();
    let matrix = frame_bracket_matrix(frame, sections, &system.momenta());
    // ∂H/∂z at fixed P is −∂l/∂z at fixed v, and ∂H/∂P = v.
    let velocity: Vec<Expr> = sections.velocities.iter().map(Expr::from).collect();
    let gradient: Vec<Expr> = restricted[0]
        .gradient(frame.base())
        .iter()
        .map(|d| -d)
        .chain(velocity)
        .collect();
    let mut rates = matrix.apply(&gradient);
    let force = sections.restrict(frame, system.force());
    let turning = sections.turning(frame, &sections.restrict(frame, &system.momenta()));
    for a in 0..k {
        rates[n + a] += dot(&force, &e[a]) + &turning[a];
    }
    let state = system.positions().with(SlotRole::Momentum, p_frame);
    let mut equations = Equations::new(form, state.clone(), rates, restricted[1].clone());
    equations.start_tail_from(sections.basis.transpose().apply(&system.momenta()));
    let legendre = legendre(&momenta, &sections.velocities, &p_values);
    if matches!(legendre, Stage::Implicit { .. }) {
        // Momenta may belong to several velocities: those of the start are known.
        equations.initial.stages = Stage::jets_on_subframe(frame, sections, 1);
    }
    equations.stages.push(legendre);
    equations.extras = vec![Quantity::new("hamiltonian", restricted[1].clone())];
    equations.bracket = Some(BracketMatrix {
        coordinates: state.to_vec(),
        matrix,
    });
    equations
        .conditions
        .extend(system.frame_conditions().iter().cloned());
    equations.basis = Some(sections.basis.clone());
    if system.force().iter().any(|f| !f.is_zero()) {
        equations
            .notes
            .push("external forces act besides the bracket: f' = {f, H} + F".into());
    }
    if turning.iter().any(|t| !t.is_zero()) {
        equations.notes.push(
            "the frame turns with time besides the bracket: P_a' = {P_a, H} + ⟨p, ∂e_a/∂t⟩".into(),
        );
    }
    Ok(equations)
}
