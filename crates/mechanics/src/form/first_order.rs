//! The equations of Lagrangians that are linear in some velocities, which the state then determines.

use crate::equations::{Equations, Quantity, Stage};
use crate::{FirstOrder, Form, MechanicsError, SlotRole, System};
use rattleback_symbolic::{Expr, Symbol};

/// State (z, the velocities that are free), with z' and their rates.
pub(super) fn equations(
    system: &System,
    first: &FirstOrder,
    form: Form,
) -> Result<Equations, MechanicsError> {
    let frame = system.frame();
    let velocity = system.free_velocity()?;
    let free = first.free();
    let role = match system.constraints().is_empty() {
        true => SlotRole::Velocity,
        false => SlotRole::FrameVelocity,
    };
    let state = system.positions().with(role, free.clone());
    let rates = [
        frame.anchored(&velocity),
        free.iter().map(|v| v.derivative().into()).collect(),
    ]
    .concat();
    let along = |e: Expr| match system.constraints().is_empty() {
        true => Ok::<_, MechanicsError>(e),
        false => Ok(system.sections()?.restrict(frame, &[e]).swap_remove(0)),
    };
    let energy: Expr = along(system.energy())?;
    // ∂E/∂v = W v has no component along the kernel, so E does not depend on these velocities.
    let rest: Vec<_> = first
        .determined()
        .into_iter()
        .map(|w| (w, Expr::zero()))
        .collect();
    let energy = match first.is_split && system.constraints().is_linear() {
        true => energy.substitute(&rest),
        false => energy,
    };
    let mut equations = Equations::new(form, state, rates, energy);
    equations.stages.push(first.solve());
    if !free.is_empty() {
        equations.stages.push(first.rates(system, &velocity));
    }
    if system.constraints().is_empty() {
        equations.momenta = system.named_momenta(&[system.momenta()]);
    } else {
        let sections = system.sections()?;
        equations
            .initial
            .stages
            .push(Stage::on_subframe(sections, &frame.velocity()));
        let momenta = along(system.lagrangian().clone())?.gradient(&sections.velocities);
        let named = sections.velocities.iter().zip(momenta);
        equations.momenta = named
            .map(|(v, p)| Quantity::new(system.names().reduced_momentum(v.name()).name(), p))
            .collect();
        equations
            .conditions
            .extend(system.frame_conditions().iter().cloned());
    }
    let names: Vec<String> = first.determined().iter().map(Symbol::to_string).collect();
    equations.notes.push(format!(
        "a first-order system: the Lagrangian is linear in {}, which the state determines",
        names.join(", ")
    ));
    Ok(equations)
}
