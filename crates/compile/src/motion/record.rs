//! What is recorded along a motion beside its state.

use super::ambient::Ambient;
use rattleback_language::{CoordinateKind, Factor, Model};
use rattleback_mechanics::{Equations, System};
use rattleback_symbolic::{Expr, Symbol, dot};

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
    /// A momentum.
    Momentum,
    /// A multiplier.
    Multiplier,
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
}

/// What a state component is.
pub(super) fn kind_of(model: &Model, s: &Symbol) -> RecordKind {
    for factor in &model.configuration {
        if factor.positions().contains(s) {
            return match factor {
                Factor::Group { .. } => RecordKind::GroupEntry,
                Factor::Coordinate { kind, .. } => match kind {
                    CoordinateKind::Line => RecordKind::Line,
                    CoordinateKind::Angle => RecordKind::Angle,
                },
            };
        }
    }
    // The language reserves these names for what formulations generate.
    if s.order() == 0 && (s.name().starts_with("p_") || s.name().starts_with("P_")) {
        RecordKind::Momentum
    } else if s.order() == 0 && is_numbered(s.name(), "mu") {
        RecordKind::Multiplier
    } else {
        RecordKind::Velocity
    }
}

fn is_numbered(name: &str, stem: &str) -> bool {
    name.strip_prefix(stem)
        .is_some_and(|k| !k.is_empty() && k.bytes().all(|b| b.is_ascii_digit()))
}

/// Velocities, multipliers, momenta, observables, energy and residuals; and the names of the
/// observables that the state does not determine.
pub(super) fn records(
    model: &Model,
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
    for q in &equations.momenta {
        push(q.name.clone(), RecordKind::Momentum, q.value.clone());
    }
    let unobserved = observables(model, equations, ambient, &mut push);
    if !equations.energy.is_undefined() {
        push(
            "energy".into(),
            RecordKind::Energy,
            equations.energy.clone(),
        );
    }
    if system.order() == 1 {
        let momenta = system.momenta();
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
    for symmetry in system.symmetries() {
        let name = format!("momentum_{}", symmetry.name);
        let momentum = |r: &&mut Record| r.kind == RecordKind::SymmetryMomentum && r.name == name;
        if let Some(record) = all.iter_mut().find(momentum) {
            record.conserved = system.conserves(symmetry, equations.form);
        }
    }
    (all, unobserved)
}

fn observables(
    model: &Model,
    equations: &Equations,
    ambient: &Ambient,
    push: &mut impl FnMut(String, RecordKind, Expr),
) -> Vec<String> {
    let mut unobserved = Vec::new();
    for observable in &model.observables {
        let entries = ambient.express(observable.value.entries());
        let mut symbols = entries.iter().flat_map(Expr::free_symbols);
        if !symbols.all(|s| ambient.determines(equations, &s)) {
            unobserved.push(observable.name.clone());
            continue;
        }
        let single = entries.len() == 1;
        for (i, value) in entries.into_iter().enumerate() {
            let name = if single {
                observable.name.clone()
            } else {
                format!("{}[{}]", observable.name, i + 1)
            };
            push(name, RecordKind::Observable, value);
        }
    }
    unobserved
}
