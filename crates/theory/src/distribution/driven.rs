//! Constraints with a drift or a clock: the distribution of D and X₀ + ∂/∂t on positions and time.

use crate::exact::tidy;
use crate::{Answer, Named, Theorem};
use rattleback_geometry::{Distribution, DistributionError, Frame, Section};
use rattleback_mechanics::System;
use rattleback_symbolic::{Expr, Symbol, substitute_all};

/// Are motions more than curves along D: is there a drift, or do the constraints change with time?
pub(crate) fn is_driven(system: &System) -> bool {
    let constraints = system.constraints();
    !constraints.is_linear() || constraints.depend_on_time()
}

/// D and the drift X₀ + ∂/∂t, on positions and time.
pub(crate) fn with_time(system: &System) -> Result<Distribution, DistributionError> {
    let clock = Symbol::variable("time");
    let line = Frame::coordinates(std::slice::from_ref(&clock));
    let frame = Frame::direct_sum(&[system.frame().clone(), line]);
    let now = [(Symbol::time(), Expr::from(&clock))];
    let mut all: Vec<Section> = Vec::new();
    if let Ok(sections) = system.sections() {
        let directions = (0..sections.rank()).map(|a| (sections.basis.column(a), 0));
        for (section, pace) in directions.chain([(sections.drift.clone(), 1)]) {
            let mut section = substitute_all(&section, &now);
            section.push(Expr::from(pace));
            all.push(section);
        }
    }
    Distribution::spanned_by(&frame, &all, system.parametrization())
}

/// Do D and its drift leave no function of positions and time alone?
pub(super) fn generating(integrals: usize) -> Answer {
    match integrals {
        0 => Answer::proven(Theorem::DrivenGenerating),
        left => Answer::refuted(Theorem::DrivenIntegrals.with("integrals", left)),
    }
}

/// What a function that D keeps becomes along motions: itself, or itself less what a steady rate adds to it.
/// `None` where its rate depends on the position.
pub(super) fn along_motions(system: &System, f: &Expr) -> Option<Expr> {
    let drift = &system.sections().ok()?.drift;
    let rates = system
        .frame()
        .rates_along(drift, std::slice::from_ref(f), |_| true);
    if system.prove_zero(&rates).is_proven() {
        return Some(f.clone());
    }
    let rate = tidy(&rates[0]);
    let steady = rate.is_constant();
    steady.then(|| f - rate * Expr::from(Symbol::time()))
}
