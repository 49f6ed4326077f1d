//! Reduced Chaplygin equations: the motion on the base, and its reconstruction.

use super::Form;
use super::hamiltonian::legendre;
use crate::chaplygin::{Chaplygin, Orbits};
use crate::equations::{Equations, Quantity};
use crate::{MechanicsError, System};
use crate::{SlotRole, StateSpace};
use rattleback_symbolic::{Expr, Symbol, dot};

/// r' = ∂H̄/∂P, P_α' = −e_α[H̄] − c^γ_αβ P_γ r'^β + Ξ_αβ r'^β + F_α with Ξ_αβ = −⟨hl P, [h_α, h_β] − c^γ_αβ h_γ⟩
/// (HJ-C29 to C31, C41), and the fibre from z' = h_α r'^α. On a base with a group c are its structure constants.
pub(super) fn chaplygin(system: &System) -> Result<Equations, MechanicsError> {
    let reduced = Chaplygin::of_any(system)?;
    let velocities = &reduced.sections.velocities;
    let named = velocities.iter();
    let p: Vec<Symbol> = named
        .map(|r| system.names().reduced_momentum(r.name()))
        .collect();
    let p_values: Vec<Expr> = p.iter().map(Expr::from).collect();
    let velocity: Vec<Expr> = velocities.iter().map(Expr::from).collect();
    let slope = reduced.frame.differential(&reduced.lagrangian);
    let bracket = reduced.frame.gyroscopic(&velocity, &p_values);
    let p_rates = (0..velocity.len()).map(|a| {
        let turned = dot(reduced.gyroscopic.row(a), &velocity);
        &slope[a] - &bracket[a] + turned + &reduced.force[a]
    });

    let state = StateSpace::default()
        .with(SlotRole::Position, reduced.base.clone())
        .with(SlotRole::Momentum, p);
    let moved = reduced.frame.anchored(&velocity);
    let rates = moved.into_iter().chain(p_rates).collect();
    let mut equations = Equations::new(Form::Chaplygin, state, rates, reduced.energy.clone());
    equations.start_tail_from(reduced.sections.basis.transpose().apply(&system.momenta()));
    equations.stages.push(legendre(
        &reduced.lagrangian.gradient(velocities),
        velocities,
        &p_values,
    ));
    equations.extras = vec![
        Quantity::stated("reduced_lagrangian", reduced.lagrangian.clone()),
        Quantity::new("reduced_hamiltonian", reduced.energy.clone()),
    ];
    for (i, a) in velocities.iter().enumerate() {
        for (j, b) in velocities.iter().enumerate().skip(i + 1) {
            let name = format!("gyroscopic[{},{}]", a.name(), b.name());
            equations
                .extras
                .push(Quantity::new(name, reduced.gyroscopic[(i, j)].clone()));
        }
    }
    equations.reconstruction = reconstruction(system, &reduced);
    if let Some(orbits) = &reduced.orbits {
        on_slice(&mut equations, system, &reduced, orbits);
    }
    equations
        .conditions
        .extend(reduced.conditions.iter().cloned());
    equations.basis = Some(reduced.sections.basis.clone());
    equations.notes.extend(reduced.notes.iter().cloned());
    Ok(equations)
}

/// The rates of positions that the base leaves out; along orbits the velocities along the fields, carried back to the
/// slice: η = g⁻¹g' with z = g·s, η^a = −A^a_α r'^α.
fn reconstruction(system: &System, reduced: &Chaplygin) -> Vec<Quantity> {
    let rate = |(name, value): (String, Expr)| Quantity::new(format!("{name}'"), value);
    let velocity = reduced.sections.velocities.iter().map(Expr::from);
    if let Some(orbits) = &reduced.orbits {
        let along = reduced.connection.apply(&velocity.collect::<Vec<_>>());
        let along = along.iter().map(|e| -e);
        return orbits.fields.iter().cloned().zip(along).map(rate).collect();
    }
    let frame = system.frame();
    let lifted = frame.anchored(&reduced.sections.velocity());
    let all = frame.base().iter().zip(lifted);
    let left_out = all.filter(|(z, _)| !reduced.base.contains(z));
    left_out
        .map(|(z, e)| rate((z.name().to_owned(), e)))
        .collect()
}

/// The state at the point of the slice that the orbit of the start meets. Momenta ⟨p, h_α⟩ take the lifts there and p at
/// the start: what carries along straight lines leaves its components alone.
fn on_slice(equations: &mut Equations, system: &System, reduced: &Chaplygin, orbits: &Orbits) {
    equations.slice = orbits.held.clone();
    let initial = &mut equations.initial;
    match &orbits.met {
        None => initial.on = orbits.held.clone(),
        Some(met) => {
            let lifts = reduced.sections.basis.substitute(met).transpose();
            let positions = met.iter().map(|(_, e)| e.clone());
            initial.values = positions.chain(lifts.apply(&system.momenta())).collect();
        }
    }
}
