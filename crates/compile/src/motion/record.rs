//! What is recorded along a motion beside its state.

use super::ambient::Ambient;
use rattleback_mechanics::{Equations, Form, Problem, Slot, SlotRole, StateSpace, System};
use rattleback_symbolic::{Expr, Symbol, dot, substitute_all};

/// What a recorded number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordKind {
    /// A coordinate on the line.
    Line,
    /// A coordinate on the circle.
    Angle,
    /// An entry of a group element.
    GroupEntry,
    /// A velocity, or a higher derivative.
    Velocity,
    /// A velocity in a frame that the formulation chose.
    FrameVelocity,
    /// A momentum.
    Momentum,
    /// A multiplier.
    Multiplier,
    /// A variable of first order beside the configuration.
    Auxiliary,
    /// What is fed into a control.
    Control,
    /// An observable of the model.
    Observable,
    /// The energy.
    Energy,
    /// The momentum of a declared symmetry.
    SymmetryMomentum,
    /// What a constraint is off by.
    Residual,
}

/// A recorded quantity.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: RecordKind,
    /// Is it proven that it does not change along motions? (The energy goes by its power.)
    pub conserved: bool,
    /// Its value in the state and the unknowns of the stages.
    pub value: Expr,
    /// Its unit, where the model states one.
    pub unit: Option<String>,
    /// The number of the declared symmetry whose momentum it is.
    pub symmetry: Option<usize>,
}

/// What a state component is.
pub fn kind_of(system: &System, slot: &Slot) -> RecordKind {
    match slot.role {
        SlotRole::Position => position_kind(system, slot),
        SlotRole::Velocity => RecordKind::Velocity,
        // A frame may keep velocities of the model.
        SlotRole::FrameVelocity if system.frame().fibre().contains(&slot.symbol) => {
            RecordKind::Velocity
        }
        SlotRole::FrameVelocity => RecordKind::FrameVelocity,
        SlotRole::Momentum | SlotRole::Costate => RecordKind::Momentum,
        SlotRole::Multiplier => RecordKind::Multiplier,
        SlotRole::Auxiliary => RecordKind::Auxiliary,
    }
}

fn position_kind(system: &System, slot: &Slot) -> RecordKind {
    let factor = slot.factor.map(|i| &system.factors()[i]);
    match factor.is_some_and(|f| f.group.is_some()) {
        true => RecordKind::GroupEntry,
        false if system.circles().contains(&slot.symbol) => RecordKind::Angle,
        false => RecordKind::Line,
    }
}

/// Velocities, multipliers, momenta, controls, observables, energy and residuals; and the names of the
/// observables that the state does not determine.
pub(super) fn records(
    problem: &Problem,
    system: &System,
    equations: &Equations,
    ambient: &Ambient,
) -> (Vec<Record>, Vec<String>) {
    let mut all = Vec::new();
    let in_state = |name: &str| ambient.state.iter().any(|s| s.to_string() == name);
    let mut push = |name: String, kind, value| {
        // What a coordinate happens to share its name with, such as the energy, is recorded all the same.
        let may_be_state = matches!(
            kind,
            RecordKind::Velocity | RecordKind::Multiplier | RecordKind::Momentum
        );
        if !(may_be_state && in_state(&name)) {
            let conserved = kind == RecordKind::Residual;
            all.push(Record {
                name,
                kind,
                conserved,
                value,
                unit: None,
                symmetry: None,
            });
        }
    };
    for y in system.frame().fibre() {
        if let Some(value) = ambient.velocity(y) {
            push(y.to_string(), RecordKind::Velocity, value);
        }
    }
    for q in &equations.multipliers {
        push(q.name.clone(), RecordKind::Multiplier, q.value.clone());
    }
    // The conditions of a control problem have momenta of its symmetries alone.
    let of_symmetries = equations.form == Form::Optimality;
    let momentum = match of_symmetries {
        true => RecordKind::SymmetryMomentum,
        false => RecordKind::Momentum,
    };
    for q in &equations.momenta {
        push(q.name.clone(), momentum, q.value.clone());
    }
    for (u, value) in system.feed() {
        let fed = ambient.express(std::slice::from_ref(value)).swap_remove(0);
        push(u.to_string(), RecordKind::Control, fed);
    }
    let unobserved = observables(problem, system, equations, ambient, &mut push);
    if !equations.energy.is_undefined() {
        push(
            "energy".into(),
            RecordKind::Energy,
            equations.energy.clone(),
        );
    }
    if system.order() == 1 && !of_symmetries {
        let momenta = system.momenta_on_motions();
        for symmetry in system.symmetries() {
            let value = ambient.express(&[dot(&momenta, &symmetry.components)]);
            let name = format!("momentum_{}", symmetry.name);
            push(name, RecordKind::SymmetryMomentum, value[0].clone());
        }
    }
    let residuals = ambient.residuals(system, equations);
    for (s, value) in residuals.into_iter().enumerate() {
        push(format!("residual{}", s + 1), RecordKind::Residual, value);
    }
    mark(&mut all, system, equations.form);
    (all, unobserved)
}

/// Which momentum is that of which symmetry, which are conserved, and the units of velocities.
fn mark(all: &mut [Record], system: &System, form: Form) {
    for (i, symmetry) in system.symmetries().iter().enumerate() {
        let name = format!("momentum_{}", symmetry.name);
        let momentum = |r: &&mut Record| r.kind == RecordKind::SymmetryMomentum && r.name == name;
        if let Some(record) = all.iter_mut().find(momentum) {
            record.symmetry = Some(i);
            record.conserved = form == Form::Optimality || system.conserves(symmetry, form);
        }
    }
    let velocities = system.frame().fibre().to_vec();
    let velocities = StateSpace::default().with(SlotRole::Velocity, velocities);
    for slot in system.located(&velocities).slots() {
        let name = slot.symbol.to_string();
        let own = |r: &&mut Record| r.kind == RecordKind::Velocity && r.name == name;
        if let Some(record) = all.iter_mut().find(own) {
            record.unit = slot.unit.clone();
        }
    }
}

fn observables(
    problem: &Problem,
    system: &System,
    equations: &Equations,
    ambient: &Ambient,
    push: &mut impl FnMut(String, RecordKind, Expr),
) -> Vec<String> {
    let mut unobserved = Vec::new();
    let generated = generated(system, equations, ambient);
    for observable in &problem.observables {
        let fed = substitute_all(&observable.entries, system.feed());
        let entries = substitute_all(&ambient.express(&fed), &generated);
        let mut symbols = entries.iter().flat_map(Expr::free_symbols);
        if !symbols.all(|s| ambient.determines(system, equations, &s)) {
            unobserved.push(observable.name.clone());
            continue;
        }
        for ((name, _), value) in observable.named_entries().zip(entries) {
            push(name, RecordKind::Observable, value);
        }
    }
    unobserved
}

/// What an observable may use beside the state: multipliers, momenta and the energy.
pub(super) fn generated(
    system: &System,
    equations: &Equations,
    ambient: &Ambient,
) -> Vec<(Symbol, Expr)> {
    let names = system.names();
    let quantities = equations.multipliers.iter().chain(&equations.momenta);
    let quantities = quantities.map(|q| (Symbol::variable(&q.name), q.value.clone()));
    // p = ∂L/∂y, whatever the form.
    let momenta = match system.order() {
        _ if equations.form == Form::Optimality => Vec::new(),
        1 if system.state_momenta().is_empty() => ambient.express(&system.momenta()),
        _ => Vec::new(),
    };
    let momenta = system.momentum_symbols().into_iter().zip(momenta);
    let energy = (Symbol::variable("energy"), equations.energy.clone());
    quantities
        .chain(momenta)
        .chain([energy])
        .filter(|(s, _)| !names.declares(s.name()) && equations.state.role(s).is_none())
        .collect()
}
