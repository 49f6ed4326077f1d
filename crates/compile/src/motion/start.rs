//! The start state as a program of what is varied.

use super::Motion;
use crate::program::Program;
use crate::start::StartState;
use rattleback_geometry::LieGroup;
use rattleback_language::{ConstraintKind, Model, Relation};
use rattleback_mechanics::{Equations, Stage, System};
use rattleback_symbolic::{Expr, Matrix, MissingInput, Rational, Symbol, substitute_all};

impl Motion {
    /// The program whose inputs are the varied values and whose outputs are the start state, followed
    /// by what must vanish there: constraints and relations of the groups.
    ///
    /// `start` is the start of the unvaried model: it tells which constraints are independent.
    pub fn start_program(
        &self,
        model: &Model,
        system: &System,
        equations: &Equations,
        start: &StartState,
    ) -> Result<Program, MissingInput> {
        let positions = self.positions(model, system);
        let (mut known, free) = self.velocities(model, system, positions.clone());
        known.extend(self.rest(model, system));
        let mut stages = Vec::new();
        if !free.is_empty() {
            stages.push(least_energy(system, start, &known, &free));
        }
        let place = |all: &[Expr]| self.variation.apply(&substitute_all(all, &known));
        let all = equations.initial.stages.iter().chain(&stages);
        // The velocities come first: the state is stated in them.
        let mut ordered: Vec<Stage> = all.map(|s| s.map(place)).collect();
        ordered.rotate_right(stages.len());
        let reconstructed = self.state[equations.state.len()..].iter().map(Expr::from);
        let mut outputs: Vec<Expr> = equations.initial.values.clone();
        outputs.extend(reconstructed);
        outputs.extend(conditions(model, system));
        outputs.extend(self.stated_relations(model, system));
        let inputs: Vec<Symbol> = self.variation.symbols().cloned().collect();
        let mut constants = self.constants.clone();
        constants.push((Symbol::time(), start.time));
        Program::new(&inputs, &constants, &ordered, &place(&outputs))
    }

    /// The program of both sides of each assumption that depends on what is varied, and how they relate.
    pub fn assumptions(&self, model: &Model) -> Result<(Program, Vec<Relation>), MissingInput> {
        let inputs: Vec<Symbol> = self.variation.symbols().cloned().collect();
        let is_given = |s: &Symbol| inputs.contains(s) || self.constants.iter().any(|c| c.0 == *s);
        let (mut sides, mut relations) = (Vec::new(), Vec::new());
        for assumption in &model.assumptions {
            let pair = [assumption.lhs.clone(), assumption.rhs.clone()];
            let pair = self.variation.apply(&pair);
            let symbols = || pair.iter().flat_map(Expr::free_symbols);
            if symbols().any(|s| inputs.contains(&s)) && symbols().all(|s| is_given(&s)) {
                sides.extend(pair);
                relations.push(assumption.relation);
            }
        }
        let program = Program::new(&inputs, &self.constants, &[], &sides)?;
        Ok((program, relations))
    }

    /// Varied, stated or neutral.
    fn positions(&self, model: &Model, system: &System) -> Vec<(Symbol, Expr)> {
        let mut all = Vec::new();
        for factor in system.factors() {
            let base = &system.frame().base()[factor.base.clone()];
            let neutral = factor
                .group
                .map_or_else(|| vec![Expr::zero()], |g| g.identity());
            for (z, neutral) in base.iter().zip(neutral) {
                all.push((z.clone(), self.stated(model, z).unwrap_or(neutral)));
            }
        }
        all
    }

    fn stated(&self, model: &Model, s: &Symbol) -> Option<Expr> {
        let varied = self.variation.start(s);
        varied.or_else(|| Some(model.start.get(s)?.value.clone()))
    }

    /// The stated velocities with the positions, and the velocities that constraints determine.
    fn velocities(
        &self,
        model: &Model,
        system: &System,
        mut known: Vec<(Symbol, Expr)>,
    ) -> (Vec<(Symbol, Expr)>, Vec<Symbol>) {
        let mut free = Vec::new();
        for y in system.frame().fibre() {
            match self.stated(model, y) {
                Some(value) => known.push((y.clone(), value)),
                None if system.constraints().is_empty() => known.push((y.clone(), Expr::zero())),
                None => free.push(y.clone()),
            }
        }
        (known, free)
    }

    /// What vanishes at a start where velocities are stated that a Lagrangian linear in them determines.
    fn stated_relations(&self, model: &Model, system: &System) -> Vec<Expr> {
        let fibre = system.frame().fibre();
        let relations = match system.first_order() {
            Some(first) if system.constraints().is_empty() => first.relations(),
            _ => return Vec::new(),
        };
        let is_stated = |y: &Symbol| self.stated(model, y).is_some();
        let judged = |f: &&Expr| fibre.iter().filter(|y| f.contains(y)).all(is_stated);
        relations.iter().filter(judged).cloned().collect()
    }

    /// Higher jets and vakonomic multipliers: as stated, else 0.
    fn rest(&self, model: &Model, system: &System) -> Vec<(Symbol, Expr)> {
        let fibre = system.frame().fibre();
        let jets = (1..2 * system.order() - 1)
            .flat_map(|k| fibre.iter().map(move |y| y.jet(y.order() + k)));
        let multipliers = system.variational_multipliers();
        let value = |s: Symbol| {
            let named = |a: &&rattleback_language::Assignment| a.symbol.name() == s.name();
            let multiplier = model.start.multipliers.iter().find(named);
            let value = self
                .stated(model, &s)
                .or_else(|| multiplier.map(|a| a.value.clone()));
            (s, value.unwrap_or_else(Expr::zero))
        };
        jets.chain(multipliers).map(value).collect()
    }
}

/// Minimises ½ W_ff y_f y_f subject to A_f y_f = −(a + A_s y_s): [[W, Aᵀ], [A, 0]] (y, ν) = (0, −r).
fn least_energy(
    system: &System,
    start: &StartState,
    known: &[(Symbol, Expr)],
    free: &[Symbol],
) -> Stage {
    let (frame, constraints) = (system.frame(), system.constraints());
    let fibre = frame.fibre();
    let place: Vec<usize> = free
        .iter()
        .filter_map(|y| fibre.iter().position(|x| x == y))
        .collect();
    let still: Vec<(Symbol, Expr)> = free.iter().map(|y| (y.clone(), Expr::zero())).collect();
    let at_rest = |all: &[Expr]| substitute_all(&substitute_all(all, &still), known);
    let a = constraints.forms();
    let rows = start.independent_rows(a, &place);
    let mass = at_rest(system.mass_matrix().entries());
    let residuals = at_rest(&constraints.residuals(frame));
    let (n, m) = (free.len(), rows.len());
    let regular = start.has_regular_completion(system, &place, &rows);
    let matrix = Matrix::new(n + m, n + m, |i, j| match (i < n, j < n) {
        (true, true) if regular => mass[place[i] * fibre.len() + place[j]].clone(),
        (true, true) => Expr::from(Rational::from(i64::from(i == j))),
        (true, false) => a[(rows[j - n], place[i])].clone(),
        (false, true) => a[(rows[i - n], place[j])].clone(),
        (false, false) => Expr::zero(),
    });
    let pressed = (1..=m).map(|s| Symbol::variable(&format!("nu{s}")));
    Stage::Linear {
        unknowns: free.iter().cloned().chain(pressed).collect(),
        matrix,
        rhs: (0..n)
            .map(|_| Expr::zero())
            .chain(rows.iter().map(|&s| -&residuals[s]))
            .collect(),
    }
}

/// What must vanish at a start state: constraints, and the rates of those on positions.
fn conditions(model: &Model, system: &System) -> Vec<Expr> {
    let mut all: Vec<Expr> = model.constraints.iter().map(|c| c.expr.clone()).collect();
    let positional = model.constraints.iter();
    let positional = positional.filter(|c| c.kind == ConstraintKind::Holonomic);
    all.extend(positional.map(|c| system.frame().rate(&c.expr)));
    for factor in system.factors() {
        if let Some(group) = factor.group {
            let entries = &system.frame().base()[factor.base.clone()];
            all.extend(group.relations(&group.element(entries)));
        }
    }
    all
}
