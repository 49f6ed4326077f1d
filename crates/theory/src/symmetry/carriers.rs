//! The symmetries that may carry a steady motion.

use super::{SymmetryReport, is_symmetry};
use crate::Effort;
use rattleback_mechanics::{NamedSection, System};

/// The declared symmetries that hold, and cyclic coordinates.
pub fn stated_symmetries(system: &System) -> Vec<NamedSection> {
    let declared = system.symmetries().iter();
    let declared = declared.filter(|s| is_symmetry(system, s).is_proven());
    let mut all: Vec<NamedSection> = declared.cloned().collect();
    for cyclic in system.cyclic() {
        if !all.iter().any(|s| s.components == cyclic.components) {
            all.push(cyclic);
        }
    }
    all
}

/// What a search finds.
pub fn found_symmetries(system: &System, effort: Effort) -> Vec<NamedSection> {
    let found = SymmetryReport::of(system, effort).all.into_iter();
    let found = found.map(|s| NamedSection {
        name: s.name,
        components: s.components,
    });
    found
        .filter(|s| is_symmetry(system, s).is_proven())
        .collect()
}
