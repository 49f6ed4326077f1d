//! Implicit stages written about what their unknowns are at a start.
//!
//! Programs have no memory, and Newton's method begins at zero in them. Written as x = x₀ + δ, the unknown δ is zero at the
//! start, where the right one of several solutions is known: momenta may belong to several velocities, and a Lagrangian
//! that is regular at its start need not be so at rest.

use crate::StartState;
use rattleback_mechanics::{Equations, Stage};
use rattleback_symbolic::{Expr, Rational, Symbol, substitute_all};

/// What unknowns of implicit stages are, by how far they are off what they were at the start.
#[derive(Clone, Debug, Default)]
pub(crate) struct Guesses {
    /// Solves for unknowns that are no velocities of the model, at the start.
    begun: Vec<Stage>,
    written: Vec<(Symbol, Expr)>,
}

impl Guesses {
    /// Of equations whose start varies in these values.
    pub fn of(
        equations: &Equations,
        start: &StartState,
        varied: impl Fn(&Symbol) -> Option<Expr>,
    ) -> Self {
        let value = |s: &Symbol| match *s == Symbol::time() {
            true => exact(start.time),
            false => varied(s).or_else(|| start.get(s).and_then(exact)),
        };
        let implicit = equations.stages.iter();
        let implicit = implicit.filter(|s| matches!(s, Stage::Implicit { .. }));
        let unknowns: Vec<&Symbol> = implicit.flat_map(Stage::unknowns).collect();
        let solved = |x: &Symbol| {
            let mut stages = equations.initial.stages.iter();
            stages.any(|s| s.unknowns().contains(x))
        };
        let mut guesses = Self::default();
        if unknowns.iter().any(|x| value(x).is_none() && solved(x)) {
            let begun = equations.initial.stages.iter();
            guesses.begun = begun.map(|s| begun_with(s, &value)).collect();
        }
        for x in unknowns {
            let guess = match value(x) {
                None if solved(x) => Some(Expr::from(begun(x))),
                known => known.filter(|e| !e.is_zero()),
            };
            let written = guess.map(|e| (x.clone(), e + Expr::from(change(x))));
            guesses.written.extend(written);
        }
        guesses
    }

    /// Expressions in the unknowns, as expressions in their changes.
    pub fn apply(&self, all: &[Expr]) -> Vec<Expr> {
        match self.written.is_empty() {
            true => all.to_vec(),
            false => substitute_all(all, &self.written),
        }
    }

    /// The stages, solved for the changes.
    pub fn stages(&self, stages: &[Stage]) -> Vec<Stage> {
        let is_written = |x: &Symbol| self.written.iter().any(|(known, _)| known == x);
        let renamed = |x: &Symbol| match is_written(x) {
            true => change(x),
            false => x.clone(),
        };
        let written = stages.iter().map(|s| match s.map(|all| self.apply(all)) {
            Stage::Implicit {
                unknowns,
                residuals,
            } => Stage::Implicit {
                unknowns: unknowns.iter().map(renamed).collect(),
                residuals,
            },
            linear => linear,
        });
        self.begun.iter().cloned().chain(written).collect()
    }
}

/// A stage that is solved at the start, for what its unknowns are there.
fn begun_with(stage: &Stage, value: &impl Fn(&Symbol) -> Option<Expr>) -> Stage {
    let there = |all: &[Expr]| {
        let symbols = all.iter().flat_map(Expr::free_symbols);
        let known: Vec<(Symbol, Expr)> = symbols
            .filter_map(|s| Some((s.clone(), value(&s)?)))
            .collect();
        substitute_all(all, &known)
    };
    let mut solved = stage.map(there);
    let (Stage::Linear { unknowns, .. } | Stage::Implicit { unknowns, .. }) = &mut solved;
    unknowns.iter_mut().for_each(|x| *x = begun(x));
    solved
}

/// What an unknown is at the start. No name of the language contains a space.
fn begun(x: &Symbol) -> Symbol {
    Symbol::variable(&format!("{x} at the start"))
}

/// By how much it has changed since.
fn change(x: &Symbol) -> Symbol {
    Symbol::variable(&format!("change of {x} since the start"))
}

/// A floating-point number as an exact one.
fn exact(x: f64) -> Option<Expr> {
    let digits = x.is_finite().then(|| format!("{x:e}"))?;
    digits.parse().ok().map(|r: Rational| r.into())
}
