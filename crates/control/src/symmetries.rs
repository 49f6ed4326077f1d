//! The symmetries that may carry a state along.

use rattleback_mechanics::{NamedSection, System};
use rattleback_symbolic::Symbol;
use rattleback_theory::{Effort, found_symmetries, stated_symmetries};

/// Where symmetries that may carry a state are taken from: the first that do are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Carriers {
    /// Those that are stated.
    Stated,
    /// What a search finds.
    Found,
    /// What a search finds for the values of the parameters: a body with two equal moments of inertia is a top.
    AtValues,
}

impl Carriers {
    pub const ALL: [Self; 3] = [Self::Stated, Self::Found, Self::AtValues];

    /// Those of a system.
    pub fn of(self, system: &System) -> Vec<NamedSection> {
        if system.is_kinematic() || system.is_map() || system.order() != 1 {
            return Vec::new();
        }
        let effort = Effort::of(1.0);
        match self {
            Self::Stated => stated_symmetries(system),
            Self::Found => found_symmetries(system, effort),
            Self::AtValues => found_symmetries(&system.at_parameter_values(), effort),
        }
    }
}

/// Does a field shift coordinates, all states alike?
pub(crate) fn is_shift(system: &System, field: &NamedSection) -> bool {
    let is_plain = |k: usize| {
        let mut factors = system.factors().iter();
        factors.any(|f| f.group.is_none() && f.fibre.contains(&k))
    };
    let moved = field.components.iter().enumerate();
    let mut moved = moved.filter(|(_, e)| !e.is_zero());
    moved.all(|(k, e)| is_plain(k) && e.is_constant())
}

/// The coordinate that a field moves with unit speed, where it moves nothing else.
pub(crate) fn only_coordinate(system: &System, field: &NamedSection) -> Option<Symbol> {
    let mut moved = field
        .components
        .iter()
        .enumerate()
        .filter(|(_, c)| !c.is_zero());
    let (along, one) = moved.next().filter(|(_, c)| c.is_one())?;
    debug_assert!(one.is_one());
    if moved.next().is_some() {
        return None;
    }
    let factors = system.factors().iter();
    let mut plain = factors.filter(|f| f.group.is_none() && f.fibre.start == along);
    plain
        .next()
        .map(|f| system.frame().base()[f.base.start].clone())
}
