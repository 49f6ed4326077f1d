//! The symmetries along which steady motions are looked for.

use super::setting::{Mover, gauge};
use crate::Effort;
use crate::symmetry::{
    changes_by_derivative, found_symmetries, is_independent, stated_symmetries,
    translations_and_rotations,
};
use rattleback_mechanics::{NamedSection, System};
use rattleback_symbolic::{Expr, Symbol, substitute_all};

/// Longer Lagrangians are not searched for symmetries.
const SEARCHED: usize = 400;

/// Declared symmetries that hold and cyclic coordinates; what a search finds where none are declared.
pub(super) fn movers(
    system: &System,
    start: &dyn Fn(&Symbol) -> Expr,
    effort: Effort,
) -> Vec<Mover> {
    // Where symmetries are declared they are the ones that are meant.
    let searched = system.symmetries().is_empty() && system.lagrangian().node_count() <= SEARCHED;
    let fields = match searched {
        true => found_symmetries(system, effort.part(3)),
        false => stated_symmetries(system),
    };
    let of_equations = of_equations(system, &fields, searched);
    let strict = fields.into_iter().map(|f| (f, true));
    let all = strict.chain(of_equations.into_iter().map(|f| (f, false)));
    let all: Vec<(NamedSection, bool)> = all
        .filter(|(field, _)| keeps_positions(system, field))
        .collect();
    let mut movers: Vec<Mover> = all
        .into_iter()
        .map(|(field, strict)| Mover {
            rate: Symbol::variable(&format!("rate_{}", field.name)),
            scale: Expr::one(),
            field,
            strict,
        })
        .collect();
    // A rate is the velocity of a coordinate that no other field moves where the coordinates are put.
    let here = gauge(system, &movers, start);
    let moved: Vec<Vec<Expr>> = movers
        .iter()
        .map(|m| substitute_all(&m.field.components, &here))
        .collect();
    for (k, mover) in movers.iter_mut().enumerate() {
        if let Some((velocity, speed)) = only_velocity(system, k, &moved) {
            mover.rate = velocity;
            mover.scale = 1 / speed;
        }
    }
    movers
}

/// Declared fields, translations and rotations that leave the equations alone and not the Lagrangian: those of a charge
/// in a magnetic field, of a body that falls.
fn of_equations(system: &System, strict: &[NamedSection], searched: bool) -> Vec<NamedSection> {
    let declared = system.symmetries().iter().cloned();
    let usual = translations_and_rotations(system).into_iter().enumerate();
    let usual = usual.map(|(k, components)| NamedSection {
        name: name_of(system, &components).unwrap_or_else(|| format!("Q{}", k + 1)),
        components,
    });
    let tried: Vec<NamedSection> = match searched {
        true => usual.collect(),
        false => declared.collect(),
    };
    let mut known: Vec<Vec<Expr>> = strict.iter().map(|f| f.components.clone()).collect();
    let mut found = Vec::new();
    for field in tried {
        let new = is_independent(system, &known, &field.components);
        if new && changes_by_derivative(system, &field) {
            known.push(field.components.clone());
            found.push(field);
        }
    }
    found
}

/// Does a field stay on the level of the position constraints?
fn keeps_positions(system: &System, field: &NamedSection) -> bool {
    system.constraints().positions().all(|g| {
        let slopes = system.frame().differential(g);
        let along = slopes.iter().zip(&field.components).map(|(s, c)| s * c);
        crate::exact::tidy(&Expr::sum(along)).is_zero()
    })
}

/// The velocity of a coordinate that a field moves evenly, with its speed, and that no other field moves.
fn only_velocity(system: &System, k: usize, fields: &[Vec<Expr>]) -> Option<(Symbol, Expr)> {
    let mut plain = system.factors().iter().filter(|f| f.group.is_none());
    let is_even = |c: &Expr| c.as_number().is_some_and(|c| !c.is_zero());
    let alone = |a: usize| {
        let mut others = fields.iter().enumerate().filter(|(i, _)| *i != k);
        others.all(|(_, f)| f[a].is_zero())
    };
    let along = plain.find_map(|f| {
        let a = f.fibre.start;
        (is_even(&fields[k][a]) && alone(a)).then_some(a)
    })?;
    Some((
        system.frame().fibre()[along].clone(),
        fields[k][along].clone(),
    ))
}

/// The coordinate that a field moves with unit speed, and no other.
fn name_of(system: &System, field: &[Expr]) -> Option<String> {
    let plain = system.factors().iter().filter(|f| f.group.is_none());
    let mut along = plain.filter(|f| system.frame().basis(f.fibre.start) == field);
    along.next().map(|f| f.name.clone())
}
