//! A discrete Lagrangian L_d(q₀, q₁) in coordinates, as a formula (DP-A1 to A6).

use super::error::DiscreteError;
use super::step::{Step, solving};
use super::system::{DiscreteSystem, expressions};
use crate::at_next;
use crate::system::{Regularity, System};
use rattleback_symbolic::{
    Expr, Matrix, Symbol, diff_all, dot, generic_rank, simplify, solve, substitute_all,
};

/// A function of two points, or of two points and the time at the first.
#[derive(Clone, Debug, PartialEq)]
pub struct DiscreteLagrangian {
    /// q₀.
    pub start: Vec<Symbol>,
    /// q₁.
    pub end: Vec<Symbol>,
    /// L_d.
    pub value: Expr,
}

impl DiscreteLagrangian {
    /// A discrete Lagrangian that is given as a function of the symbols of two points.
    pub fn new(start: &[Symbol], end: &[Symbol], value: Expr) -> Self {
        Self {
            start: start.to_vec(),
            end: end.to_vec(),
            value,
        }
    }

    /// The one that a model states in `x` and `next(x)`, of these symbols.
    pub fn given(system: &System) -> Result<Self, DiscreteError> {
        let has = match () {
            () if system.has_groups() => "group factors",
            () if system.is_constrained() => "constraints",
            () if system.is_forced() => "forces",
            () => {
                let here = system.frame().base();
                let there: Vec<Symbol> = here.iter().map(at_next).collect();
                return Ok(Self::new(here, &there, system.lagrangian().clone()));
            }
        };
        Err(DiscreteError::NotTwoPoints { has })
    }

    /// The same function of other symbols.
    pub fn between(&self, start: &[Symbol], end: &[Symbol]) -> Self {
        let old = self.start.iter().chain(&self.end).cloned();
        let new = start.iter().chain(end).map(Expr::from);
        let pairs: Vec<(Symbol, Expr)> = old.zip(new).collect();
        Self::new(start, end, self.value.substitute(&pairs))
    }

    /// X(q₀)·D₁L_d + X(q₁)·D₂L_d, by how much X·p changes over a step (DP-A10).
    pub fn change(&self, before: &[Expr], after: &[Expr]) -> Expr {
        dot(before, &self.value.gradient(&self.start)) + dot(after, &self.value.gradient(&self.end))
    }

    /// p₀ = −D₁L_d.
    pub fn momenta_before(&self) -> Vec<Expr> {
        self.value
            .gradient(&self.start)
            .iter()
            .map(|e| -e)
            .collect()
    }

    /// p₁ = D₂L_d.
    pub fn momenta_after(&self) -> Vec<Expr> {
        self.value.gradient(&self.end)
    }

    /// D₂L_d(t, q₀, q₁) + D₁L_d(t + h, q₁, q₂), with the symbols of a third point (DP-A4).
    pub fn equations(&self, third: &[Symbol], h: &Expr) -> Vec<Expr> {
        let old = self.start.iter().chain(&self.end).cloned();
        let new = expressions(&self.end).into_iter().chain(expressions(third));
        let later = (Symbol::time(), Expr::from(Symbol::time()) + h);
        let shifted: Vec<(Symbol, Expr)> = old.zip(new).chain([later]).collect();
        let departs = substitute_all(&self.momenta_before(), &shifted);
        let both = self.momenta_after().into_iter().zip(departs);
        both.map(|(arrives, departs)| arrives - departs).collect()
    }

    /// F̃, the map on positions and momenta: p₀ = −D₁L_d is solved for q₁ from q₀ on (DP-A5).
    pub fn momentum_step(&self, h: &Symbol, momenta: &[Symbol]) -> Step {
        self.constrained_step(h, momenta, &[], &[])
    }

    /// The same with constraints Φ^a(q₀, q₁) = 0 on each step, by multipliers of the step: p₀ = −D₁(L_d + λ_a Φ^a) and
    /// Φ = 0 are solved for q₁ and λ, and p₁ = D₂(L_d + λ_a Φ^a) (CG-E10). The multipliers come behind positions and momenta.
    pub fn constrained_step(
        &self,
        h: &Symbol,
        momenta: &[Symbol],
        constraints: &[Expr],
        multipliers: &[Symbol],
    ) -> Step {
        let augmented = self.augmented(constraints, multipliers);
        let mut unknowns: Vec<Symbol> = self
            .end
            .iter()
            .map(|s| Symbol::variable(&format!("{}~delta", s.name())))
            .collect();
        let ends = self
            .start
            .iter()
            .zip(&unknowns)
            .map(|(q, d)| Expr::from(q) + d);
        let ends: Vec<Expr> = ends.collect();
        let shift: Vec<(Symbol, Expr)> = self.end.iter().cloned().zip(ends.clone()).collect();
        let departs = substitute_all(&augmented.momenta_before(), &shift);
        let departs = departs.iter().zip(momenta).map(|(p, p0)| p - p0);
        let held = substitute_all(constraints, &shift);
        let equations = departs.chain(held).collect();
        let after = substitute_all(&augmented.momenta_after(), &shift);
        unknowns.extend(multipliers.iter().cloned());
        Step {
            inputs: [
                vec![Symbol::time(), h.clone()],
                self.start.clone(),
                momenta.to_vec(),
            ]
            .concat(),
            stages: vec![solving(unknowns, equations)],
            from: Vec::new(),
            next: [ends, after, expressions(multipliers)].concat(),
            action: self.value.substitute(&shift),
            forms: Step::without_forms(),
            turns: Vec::new(),
        }
    }

    /// L_d + λ_a Φ^a.
    pub fn augmented(&self, constraints: &[Expr], multipliers: &[Symbol]) -> Self {
        let push = constraints.iter().zip(multipliers).map(|(phi, l)| phi * l);
        Self {
            value: &self.value + Expr::sum(push),
            ..self.clone()
        }
    }

    /// [[D₁D₂L̂, D₁Φ], [D₂Φᵀ, 0]] of the augmented L̂: a node and its momentum determine the next one and its
    /// multipliers where it is regular (CG-E10).
    pub fn step_matrix(&self, constraints: &[Expr], multipliers: &[Symbol]) -> Matrix {
        let n = self.start.len();
        let mixed = self.augmented(constraints, multipliers).mixed_block();
        let slopes = |by: &[Symbol]| -> Vec<Vec<Expr>> {
            constraints.iter().map(|phi| phi.gradient(by)).collect()
        };
        let (before, after) = (slopes(&self.start), slopes(&self.end));
        let size = n + constraints.len();
        Matrix::new(size, size, |i, j| match (i < n, j < n) {
            (true, true) => mixed[(i, j)].clone(),
            (true, false) => before[j - n][i].clone(),
            (false, true) => after[i - n][j].clone(),
            (false, false) => Expr::zero(),
        })
    }

    /// D₁D₁L_d.
    pub fn start_block(&self) -> Matrix {
        block(&self.value, &self.start, &self.start)
    }
    /// D₁D₂L_d, rows by q₀: the discrete two-form is −D₁D₂L_d dq₀ ∧ dq₁ (DP-A6).
    pub fn mixed_block(&self) -> Matrix {
        block(&self.value, &self.start, &self.end)
    }
    /// D₂D₂L_d.
    pub fn end_block(&self) -> Matrix {
        block(&self.value, &self.end, &self.end)
    }

    /// Is D₁D₂L_d regular at these values of parameters and step? (DP-A4)
    pub fn regularity(&self, values: &[(Symbol, Expr)]) -> Regularity {
        regularity_of(&self.mixed_block().substitute(values))
    }
}

/// Has a matrix of a step full rank?
pub(super) fn regularity_of(m: &Matrix) -> Regularity {
    match generic_rank(m) {
        Ok(rank) if rank < m.rows() => Regularity::Degenerate {
            on: "positions at both ends of a step",
        },
        Ok(_) => Regularity::Regular,
        Err(open) => Regularity::Undecided {
            why: open.to_string(),
        },
    }
}

/// ∂²f/∂a_i∂b_j.
fn block(f: &Expr, a: &[Symbol], b: &[Symbol]) -> Matrix {
    let slopes = f.gradient(a);
    let columns: Vec<Vec<Expr>> = b.iter().map(|s| diff_all(&slopes, s)).collect();
    Matrix::new(a.len(), b.len(), |i, j| columns[j][i].clone())
}

impl DiscreteSystem {
    /// L_d as a function of two points, for systems in coordinates: `x_0`, `x_1`. Inner controls are eliminated
    /// where their equations are linear.
    pub fn in_coordinates(
        &self,
        start: &[Symbol],
        end: &[Symbol],
    ) -> Result<DiscreteLagrangian, DiscreteError> {
        if self.z.len() != self.y.len() || self.chart.has_groups() {
            let has = "group factors";
            return Err(DiscreteError::NotTwoPoints { has });
        }
        let h = Expr::from(&self.h);
        let mut density = self.density.clone();
        let inner: Vec<Symbol> = self.velocities[..self.velocities.len() - 1].concat();
        if !inner.is_empty() {
            density = density.substitute(&self.eliminated(&inner)?);
        }
        let ends = self.velocities.last().into_iter().flatten().cloned();
        let displacements = start.iter().zip(end).map(|(a, b)| (Expr::from(b) - a) / &h);
        let positions = self.z.iter().cloned().zip(expressions(start));
        let pairs: Vec<(Symbol, Expr)> = positions.chain(ends.zip(displacements)).collect();
        let value = simplify(&(density.substitute(&pairs) * h));
        Ok(DiscreteLagrangian::new(start, end, value))
    }

    /// The inner velocities by those of the end, from equations linear in them. A force has no say in L_d.
    fn eliminated(&self, inner: &[Symbol]) -> Result<Vec<(Symbol, Expr)>, DiscreteError> {
        let equations = self.density.gradient(inner);
        let rows: Vec<Vec<Expr>> = equations.iter().map(|e| e.gradient(inner)).collect();
        let matrix = Matrix::from_rows(&rows);
        let rule = self.how.rule;
        if matrix.entries().iter().any(|e| e.contains_any(inner)) {
            return Err(DiscreteError::InnerEquations { rule });
        }
        let zero: Vec<(Symbol, Expr)> = inner.iter().map(|s| (s.clone(), Expr::zero())).collect();
        let rest = substitute_all(&equations, &zero);
        let minus: Vec<Expr> = rest.iter().map(|e| -e).collect();
        let solved = solve(&matrix, &Matrix::column_vector(&minus))
            .map_err(|_| DiscreteError::InnerEquations { rule })?;
        Ok(inner
            .iter()
            .cloned()
            .zip(solved.solution.column(0))
            .collect())
    }
}
