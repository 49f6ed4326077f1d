//! The start state as a program of what is varied.

use super::Motion;
use crate::assembly::{Assembly, position_constraints};
use crate::program::Program;
use crate::start::{StartState, bordered, parts};
use rattleback_mechanics::{ConstraintKind, Equations, Origin, Problem, Relation, Stage, System};
use rattleback_symbolic::{Expr, Matrix, MissingInput, Rational, Symbol, substitute_all};

impl Motion {
    /// The program whose inputs are the varied values and whose outputs are the start state, followed
    /// by what must vanish there: constraints and relations of the groups.
    ///
    /// `start` is the start of the unvaried model: it tells which constraints are independent.
    pub fn start_program(
        &self,
        problem: &Problem,
        system: &System,
        equations: &Equations,
        start: &StartState,
    ) -> Result<Program, MissingInput> {
        let positions = self.positions(problem, system);
        // Positions first, then velocities: the state is stated in them.
        let mut ordered = Vec::new();
        let g = position_constraints(problem);
        let assembly = self.assembly(problem, system, start, &g, &positions);
        let mut found = positions.clone();
        if let Some(assembly) = &assembly {
            let stage = assembly.stage(&g);
            ordered.push(stage.map(|all| self.variation.apply(&substitute_all(all, &positions))));
            for (z, value) in assembly.found() {
                let value = value.substitute(&positions);
                found
                    .iter_mut()
                    .filter(|(s, _)| *s == z)
                    .for_each(|p| p.1 = value.clone());
            }
        }
        let (mut known, free) = self.velocities(problem, system, found);
        let (stated, left_out) = self.rest(problem, system);
        known.extend(stated);
        let place = |all: &[Expr]| self.variation.apply(&substitute_all(all, &known));
        if !free.is_empty() {
            ordered.push(least_energy(system, start, &known, &free).map(place));
        }
        ordered.extend(equations.initial.stages.iter().map(|s| s.map(place)));
        let reconstructed = self.state[equations.state.len()..].iter().map(Expr::from);
        let mut outputs: Vec<Expr> = equations.initial.values.clone();
        outputs.extend(reconstructed);
        outputs.extend(conditions(problem, system));
        if system.order() > 1 && system.is_constrained() {
            outputs.extend(equations.residuals.iter().cloned());
        }
        outputs.extend(self.stated_relations(problem, system));
        let inputs: Vec<Symbol> = self.variation.symbols().cloned().collect();
        let mut constants = self.constants.clone();
        constants.push((Symbol::time(), start.time));
        let unstated = system.frame().fibre().iter().cloned();
        let unstated = unstated.filter(|y| known.iter().all(|k| k.0 != *y) && !free.contains(y));
        let value = |s: Symbol| start.get(&s).map(|v| (s, v));
        constants.extend(left_out.into_iter().chain(unstated).filter_map(value));
        Program::new(&inputs, &constants, &ordered, &place(&outputs))
    }

    /// How positions follow those that are varied: as at the start, or where a varied value moves a constraint that
    /// holds there by itself.
    fn assembly(
        &self,
        problem: &Problem,
        system: &System,
        start: &StartState,
        g: &[(Expr, Origin)],
        positions: &[(Symbol, Expr)],
    ) -> Option<Assembly> {
        let inputs: Vec<Symbol> = self.variation.symbols().cloned().collect();
        let all: Vec<Expr> = g.iter().map(|(g, _)| g.clone()).collect();
        let there = self.variation.apply(&substitute_all(&all, positions));
        let moved = there.iter().any(|e| e.contains_any(&inputs));
        let is_varied = |z: &Symbol| self.variation.start(z).is_some();
        // The start has been assembled in these positions: what worked there works here.
        let known = start.assembly();
        if let Some(known) = known.filter(|a| !a.positions().any(is_varied)) {
            return Some(known.clone());
        }
        let known = known.cloned();
        let known = known.or_else(|| Assembly::of(problem, system).filter(|_| moved))?;
        start.ranked(known.without(is_varied), g)
    }

    /// The program of both sides of each assumption that depends on what is varied, and how they relate.
    pub fn assumptions(&self, problem: &Problem) -> Result<(Program, Vec<Relation>), MissingInput> {
        let inputs: Vec<Symbol> = self.variation.symbols().cloned().collect();
        let is_given = |s: &Symbol| inputs.contains(s) || self.constants.iter().any(|c| c.0 == *s);
        let (mut sides, mut relations) = (Vec::new(), Vec::new());
        for assumption in &problem.assumptions {
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

    /// The ends of the problem's time, each as a program where it depends on what is varied.
    pub fn varied_horizon(&self, problem: &Problem) -> Result<[Option<Program>; 2], MissingInput> {
        let Some(horizon) = &problem.horizon else {
            return Ok([None, None]);
        };
        let inputs: Vec<Symbol> = self.variation.symbols().cloned().collect();
        let program = |end: &Expr| {
            let end = self.variation.apply(std::slice::from_ref(end));
            let varies = end[0].contains_any(&inputs);
            let program = || Program::new(&inputs, &self.constants, &[], &end);
            varies.then(program).transpose()
        };
        Ok([program(&horizon.from)?, program(&horizon.to)?])
    }

    /// Auxiliary states and positions: varied, stated or neutral.
    fn positions(&self, problem: &Problem, system: &System) -> Vec<(Symbol, Expr)> {
        let all = parts::neutral_positions(system).into_iter();
        all.map(|(z, neutral)| {
            let value = self.stated(problem, &z).unwrap_or(neutral);
            (z, value)
        })
        .collect()
    }

    fn stated(&self, problem: &Problem, s: &Symbol) -> Option<Expr> {
        let varied = self.variation.start(s);
        varied.or_else(|| Some(problem.start.get(s)?.value.clone()))
    }

    /// The stated velocities with the positions, and the velocities that constraints determine.
    fn velocities(
        &self,
        problem: &Problem,
        system: &System,
        mut known: Vec<(Symbol, Expr)>,
    ) -> (Vec<(Symbol, Expr)>, Vec<Symbol>) {
        let mut free = Vec::new();
        for y in system.frame().fibre() {
            match self.stated(problem, y) {
                Some(value) => known.push((y.clone(), value)),
                // Constraints that are nonlinear in them hold for those of the unvaried model.
                None if !system.jet_constraints().is_empty() => {}
                None if system.constraints().is_empty() => known.push((y.clone(), Expr::zero())),
                None => free.push(y.clone()),
            }
        }
        (known, free)
    }

    /// What vanishes at a start where velocities are stated that a Lagrangian linear in them determines.
    fn stated_relations(&self, problem: &Problem, system: &System) -> Vec<Expr> {
        let fibre = system.frame().fibre();
        let relations = match system.first_order() {
            Some(first) if system.constraints().is_empty() => first.relations(),
            _ => return Vec::new(),
        };
        let is_stated = |y: &Symbol| self.stated(problem, y).is_some();
        let judged = |f: &&Expr| fibre.iter().filter(|y| f.contains(y)).all(is_stated);
        relations.iter().filter(judged).cloned().collect()
    }

    /// Higher jets and vakonomic multipliers that are stated, and those that are as the unvaried model starts them.
    fn rest(&self, problem: &Problem, system: &System) -> (Vec<(Symbol, Expr)>, Vec<Symbol>) {
        let jets = parts::levels(system).flat_map(|k| parts::jets(system, k));
        let momenta = system.state_momenta();
        let (mut stated, mut left_out) = (Vec::new(), Vec::new());
        for s in jets.chain(parts::multipliers(system)).chain(momenta) {
            let multiplier = problem.start.multiplier(&s);
            let value = self
                .stated(problem, &s)
                .or_else(|| multiplier.map(|a| a.value.clone()));
            match value {
                Some(value) => stated.push((s, value)),
                None => left_out.push(s),
            }
        }
        (stated, left_out)
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
    let weight = |i: usize, j: usize| match regular {
        true => mass[place[i] * fibre.len() + place[j]].clone(),
        false => Expr::from(Rational::from(i64::from(i == j))),
    };
    let row = |k: usize, j: usize| a[(rows[k], place[j])].clone();
    let matrix = Matrix::new(n + m, n + m, bordered(n, Expr::zero(), weight, row));
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
fn conditions(problem: &Problem, system: &System) -> Vec<Expr> {
    let mut all: Vec<Expr> = problem.constraints.iter().map(|c| c.expr.clone()).collect();
    let positional = problem.constraints.iter();
    let positional = positional.filter(|c| c.kind == ConstraintKind::Holonomic);
    all.extend(positional.map(|c| parts::on_velocities(system, c)));
    let factors = system.factors().iter();
    all.extend(factors.flat_map(|f| parts::relations(system, f)));
    all
}
