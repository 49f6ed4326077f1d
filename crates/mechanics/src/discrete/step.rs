//! A step as equations: from positions and velocities at one node to those at the next.

use super::system::{DiscreteSystem, expressions};
use crate::equations::Stage;
use rattleback_symbolic::{Expr, Matrix, Symbol, substitute_all};

/// The map of a discrete system on positions and velocities, the velocity being that of the momentum at a node:
///
/// ```text
/// p_k = p₀(g_k, ξ) − A(q_k)ᵀ l            constraints on ξ            g_{k+1} = g_k τ(hξ)
/// p_{k+1} = p₁(g_k, ξ) + A(q_{k+1})ᵀ m    A(q_{k+1}) v_{k+1} + a = 0
/// ```
///
/// with p = ∂L/∂v at both nodes. The unknowns of the first stage are counted from the velocity at the node, so
/// that a search from zero begins there.
#[derive(Clone, Debug)]
pub struct Step {
    /// Time, the step, positions and velocities: the inputs, besides parameters and controls.
    pub inputs: Vec<Symbol>,
    /// What is solved for.
    pub stages: Vec<Stage>,
    /// The velocities that the first unknowns of the step are counted from; none where it is solved for positions.
    pub from: Vec<Expr>,
    /// Positions and velocities at the next node.
    pub next: Vec<Expr>,
    /// The forms of the constraints on body velocities: where these hold in the step, and at its end; empty where the step
    /// is without multipliers.
    pub forms: [Matrix; 2],
    /// L_d of the step.
    pub action: Expr,
    /// The squared angles by which group factors turn, where the retraction is good for
    /// [`LONGEST_TURN`](super::LONGEST_TURN) at most.
    pub turns: Vec<Expr>,
}

impl Step {
    /// No constraint that acts by a multiplier.
    pub(crate) fn without_forms() -> [Matrix; 2] {
        [0, 0].map(|rows| Matrix::zeros(rows, 0))
    }
}

impl DiscreteSystem {
    /// The step map of the system.
    pub fn step(&self) -> Step {
        let (z, y) = (expressions(&self.z), expressions(&self.y));
        let here = self.chart.body(&z, &y);
        let momentum = self.continuous.gradient(&self.y);
        let at_node = pairs(&self.y, &here);
        let p0 = substitute_all(&momentum, &at_node);

        let (solve, from, shift) = self.solve_step(&p0, &here);
        let after = substitute_all(&self.after, &shift);
        let positions = substitute_all(&self.next, &shift);
        let (land, velocities) = self.land(&momentum, &positions, &after);
        let velocities = self.chart.stated(&positions, &velocities);
        let x = self.displacements();
        Step {
            inputs: [
                vec![Symbol::time(), self.h.clone()],
                self.z.clone(),
                self.y.clone(),
            ]
            .concat(),
            stages: vec![solve, land],
            from,
            next: [positions, velocities].concat(),
            forms: self
                .forms_along()
                .map(|forms| forms.map(|e| e.substitute(&shift))),
            action: self.lagrangian().substitute(&shift),
            turns: substitute_all(&self.chart.turns(&x, &self.expected(&here)), &shift),
        }
    }

    /// F̃, the map on positions and momenta, in these symbols for the momenta (DP-A5); for systems without
    /// constraints. The velocity of the momentum is found first, so that the search for the step begins there.
    pub fn momentum_step(&self, momenta: &[Symbol]) -> Step {
        let names: Vec<Symbol> = self
            .y
            .iter()
            .map(|y| Symbol::variable(&format!("{}~now", y.name())))
            .collect();
        let here = expressions(&names);
        let p0 = expressions(momenta);
        let legendre = substitute_all(&self.continuous.gradient(&self.y), &pairs(&self.y, &here));
        let departs = legendre.iter().zip(&p0).map(|(l, p)| l - p).collect();
        let (solve, from, shift) = self.solve_step(&p0, &here);
        let positions = substitute_all(&self.next, &shift);
        let after = substitute_all(&self.after, &shift);
        let x = self.displacements();
        Step {
            inputs: [
                vec![Symbol::time(), self.h.clone()],
                self.z.clone(),
                momenta.to_vec(),
            ]
            .concat(),
            stages: vec![solving(names, departs), solve],
            from,
            next: [positions, after].concat(),
            forms: Step::without_forms(),
            action: self.lagrangian().substitute(&shift),
            turns: substitute_all(&self.chart.turns(&x, &self.expected(&here)), &shift),
        }
    }

    /// The forms of the constraints where these hold in a step, and at its end.
    fn forms_along(&self) -> [Matrix; 2] {
        let end = self.at(&self.next, &Expr::one());
        [
            self.placed_forms.clone(),
            self.forms.map(|e| e.substitute(&end)),
        ]
    }

    /// h times the velocity at the node.
    pub(super) fn expected(&self, here: &[Expr]) -> Vec<Expr> {
        here.iter().map(|v| Expr::from(&self.h) * v).collect()
    }

    /// x = h ξ_s.
    pub(super) fn displacements(&self) -> Vec<Expr> {
        let last = self.velocities.last().into_iter().flatten();
        last.map(|v| Expr::from(&self.h) * v).collect()
    }

    /// The stage that finds ξ and the impulses l, the d_j v_k, and ξ in its unknowns: ξ_j = d_j v_k + δ_j.
    pub(super) fn solve_step(
        &self,
        p0: &[Expr],
        here: &[Expr],
    ) -> (Stage, Vec<Expr>, Vec<(Symbol, Expr)>) {
        let names = self.unknowns();
        let moved = |s: &Symbol| Symbol::variable(&format!("{}delta", s.name()));
        let mut unknowns: Vec<Symbol> = names.iter().map(moved).collect();
        let starts = self.how.rule.controls().into_iter().zip(&self.velocities);
        let starts = starts.flat_map(|(d, _)| here.iter().map(move |v| v * &d));
        let starts: Vec<Expr> = starts.collect();
        let deltas = starts.iter().zip(&unknowns).map(|(v, d)| v + d);
        let shift: Vec<(Symbol, Expr)> = names.iter().cloned().zip(deltas).collect();

        let impulses = numbered("impulse", self.forms.rows());
        let reaction = self.forms.transpose().apply(&expressions(&impulses));
        let departs = self.before.iter().zip(p0).zip(&reaction);
        let departs = departs.map(|((p, p0), r)| p - p0 - r);
        let residuals: Vec<Expr> = self
            .inner
            .iter()
            .cloned()
            .chain(departs)
            .chain(self.constraints.iter().cloned())
            .collect();
        unknowns.extend(impulses);
        let solve = solving(unknowns, substitute_all(&residuals, &shift));
        (solve, starts, shift)
    }

    /// The stage that finds the velocity of the momentum at the next node, on the constraints there.
    pub(super) fn land(&self, momentum: &[Expr], z: &[Expr], after: &[Expr]) -> (Stage, Vec<Expr>) {
        let names: Vec<Symbol> = self
            .y
            .iter()
            .map(|y| Symbol::variable(&format!("{}~next", y.name())))
            .collect();
        let velocities = expressions(&names);
        let mut there = self.at(z, &Expr::one());
        let forms = self.forms.map(|e| e.substitute(&there));
        let offsets = substitute_all(&self.offsets, &there);
        there.extend(pairs(&self.y, &velocities));
        let momentum = substitute_all(momentum, &there);
        let kicks = numbered("kick", forms.rows());
        let reaction = forms.transpose().apply(&expressions(&kicks));
        let lands = momentum.iter().zip(after).zip(&reaction);
        let lands = lands.map(|((p, after), r)| p - after - r);
        let allowed = forms.apply(&velocities);
        let allowed = allowed.iter().zip(&offsets).map(|(l, a)| l + a);
        let residuals: Vec<Expr> = lands.chain(allowed).collect();
        let unknowns = [names, kicks].concat();
        (solving(unknowns, residuals), velocities)
    }
}

pub(super) fn pairs(symbols: &[Symbol], values: &[Expr]) -> Vec<(Symbol, Expr)> {
    symbols
        .iter()
        .cloned()
        .zip(values.iter().cloned())
        .collect()
}

fn numbered(what: &str, n: usize) -> Vec<Symbol> {
    let name = |s: usize| Symbol::variable(&format!("{what}~{}", s + 1));
    (0..n).map(name).collect()
}

/// Equations to be solved: a linear system where they are affine in the unknowns.
pub(super) fn solving(unknowns: Vec<Symbol>, residuals: Vec<Expr>) -> Stage {
    let rows: Vec<Vec<Expr>> = residuals.iter().map(|r| r.gradient(&unknowns)).collect();
    let matrix = Matrix::from_rows(&rows);
    if matrix.entries().iter().any(|e| e.contains_any(&unknowns)) {
        return Stage::Implicit {
            unknowns,
            residuals,
        };
    }
    let zero: Vec<(Symbol, Expr)> = unknowns.iter().map(|u| (u.clone(), Expr::zero())).collect();
    let rhs = substitute_all(&residuals, &zero);
    Stage::Linear {
        unknowns,
        matrix,
        rhs: rhs.iter().map(|e| -e).collect(),
    }
}
