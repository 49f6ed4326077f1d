//! What is proven of a discrete system as it stands, with groups, constraints and forces: which momenta it keeps, and
//! whether a node determines the next.

use super::system::{DiscreteSystem, expressions};
use super::{DiscreteError, lagrangian};
use crate::constraints::ConstraintOrigin;
use crate::system::{Regularity, System};
use rattleback_symbolic::{
    Expr, Matrix, SolvedWitness, Symbol, Verdict, dot, nullspace, substitute_all,
};

/// Is the momentum of a symmetry the same at all nodes?
#[derive(Clone, Debug, PartialEq)]
pub enum Kept {
    /// On every motion.
    Proven,
    /// Not on all: here is a step that changes it.
    Refuted {
        /// Where the step begins, and by how much it changes it.
        witness: SolvedWitness,
    },
    /// Neither could be shown.
    Undecided {
        /// What stood in the way.
        why: String,
    },
}

/// What stands for symbols.
type Substitution = Vec<(Symbol, Expr)>;

impl From<Verdict> for Kept {
    fn from(vanishes: Verdict) -> Self {
        match vanishes {
            Verdict::Proven { .. } => Kept::Proven,
            Verdict::Refuted { witness, value } => Kept::Refuted {
                witness: SolvedWitness {
                    point: witness.point,
                    solved: Vec::new(),
                    value,
                },
            },
            Verdict::Undecided { why } => Kept::Undecided {
                why: why.to_string(),
            },
        }
    }
}

impl DiscreteSystem {
    /// Is ⟨p, X⟩ kept, for a field X on the model's velocities? (discrete Noether theorem, DP-A10, CG-C6)
    pub fn keeps(&self, system: &System, field: &[Expr]) -> Result<Kept, DiscreteError> {
        match self.over_steps(system, field)? {
            Kept::Undecided { why } => Ok(match self.counterexample(system, field)? {
                Some(witness) => Kept::Refuted { witness },
                None => Kept::Undecided { why },
            }),
            decided => Ok(decided),
        }
    }

    /// Is it proven to be kept? Asks for no step that changes it.
    pub fn surely_keeps(&self, system: &System, field: &[Expr]) -> Result<bool, DiscreteError> {
        Ok(self.over_steps(system, field)? == Kept::Proven)
    }

    /// Is it kept over all steps that there are formulas for? With reactions Aᵀl at a node the field must not see them:
    /// A X = 0.
    fn over_steps(&self, system: &System, field: &[Expr]) -> Result<Kept, DiscreteError> {
        let undecided = |why: &str| Ok(Kept::Undecided { why: why.into() });
        let seen = self
            .forms
            .apply(&self.chart.body(&expressions(&self.z), field));
        if !matches!(system.prove_zero(&seen), Verdict::Proven { .. }) {
            return undecided(
                "reactions act along it, and no step was found on which they change it for certain",
            );
        }
        let change = self.change(field)?;
        let everywhere = system.prove_zero(std::slice::from_ref(&change));
        if !matches!(everywhere, Verdict::Refuted { .. }) {
            return Ok(everywhere.into());
        }
        if !self.inner.is_empty() {
            return undecided(
                "its change does not vanish for all paths of a step, and no step of a motion was found that changes it for certain",
            );
        }
        if self.forms.rows() == 0 {
            return Ok(everywhere.into());
        }
        let Some(allowed) = self.allowed(system)? else {
            return undecided(
                "its change does not vanish for all steps, and no step on the constraints was found that changes it for certain",
            );
        };
        match system.prove_zero(&[allowed.iter().fold(change, |f, pairs| f.substitute(pairs))]) {
            Verdict::Refuted { .. } if !self.is_quadratic() => undecided(
                "its change does not vanish for all steps on the constraints, and no step of a motion was found that changes it for certain",
            ),
            on_constraints => Ok(on_constraints.into()),
        }
    }

    /// Substitutions after which all steps that velocity constraints allow are free: positions are counted from where the
    /// constraints are placed, q₀ = q τ(−c x), and ξ runs through the solutions of A(q) ξ + a(q) = 0, which are
    /// Σ s_i b_i/Σ s_i β_i with (b_i, β_i) a basis of the kernel of (A, a). None where positions are constrained, or the
    /// kernel has no formula.
    fn allowed(&self, system: &System) -> Result<Option<[Substitution; 2]>, DiscreteError> {
        let origins = system.constraints().origins();
        let homogeneous = Matrix::new(self.forms.rows(), self.forms.cols() + 1, |s, a| {
            match a == self.forms.cols() {
                true => self.offsets[s].substitute(&system.on_groups),
                false => self.forms[(s, a)].substitute(&system.on_groups),
            }
        });
        let (Some(xi), Ok(kernel), false) = (
            self.velocities.last(),
            nullspace(&homogeneous),
            origins.contains(&ConstraintOrigin::Holonomic),
        ) else {
            return Ok(None);
        };
        let part = self.how.placement.part();
        let back: Vec<Expr> = self.displacements().iter().map(|x| -(&part * x)).collect();
        let positions = self.chart.moved(&expressions(&self.z), &back)?;
        let placed = self.at(&positions, &-part);
        let combined = |a: usize| {
            let terms = kernel.basis.iter().enumerate();
            Expr::sum(terms.map(|(i, b)| Expr::from(Symbol::variable(&format!("s~{i}"))) * &b[a]))
        };
        let scale = combined(xi.len());
        if scale.is_zero() {
            return Ok(None);
        }
        let solved = xi.iter().cloned().enumerate();
        let solved = solved.map(|(a, xi)| (xi, combined(a) / &scale)).collect();
        Ok(Some([placed, solved]))
    }

    /// Is L at most quadratic in the velocities? Then each step that the constraints allow belongs to a motion: its p₀ and
    /// the velocity at its node on the constraints solve [[M, Aᵀ], [A, 0]], which is regular on D.
    fn is_quadratic(&self) -> bool {
        let slopes = self.continuous.gradient(&self.y);
        let masses = slopes.iter().flat_map(|p| p.gradient(&self.y));
        masses.into_iter().all(|m| !m.contains_any(&self.y))
    }

    /// ⟨p₁, X(g₁)⟩ − ⟨p₀, X(g₀)⟩ without reactions, up to the inner equations:
    ///
    /// ```text
    /// X(g₁)·p₁ − X(g₀)·p₀ + Σ_j (X(q_j) − X(g₀))·∂L_d/∂q_j
    /// ```
    fn change(&self, field: &[Expr]) -> Result<Expr, DiscreteError> {
        let z = expressions(&self.z);
        let begins = self.chart.body(&z, field);
        let at = |place: &[Expr], part: &Expr| {
            let there = substitute_all(field, &self.at(place, part));
            self.chart.body(place, &there)
        };
        let ends = at(&self.next, &Expr::one());
        let mut terms = vec![dot(&ends, &self.after), -dot(&begins, &self.before)];
        let controls = self.how.rule.controls();
        let inner = controls.iter().zip(&self.velocities);
        let slopes = self.inner.chunks(self.y.len().max(1));
        for ((part, velocity), slopes) in inner.zip(slopes) {
            let x: Vec<Expr> = velocity.iter().map(|v| Expr::from(&self.h) * v).collect();
            let there = at(&self.chart.moved(&z, &x)?, part);
            let moved: Vec<Expr> = there.iter().zip(&begins).map(|(b, a)| b - a).collect();
            terms.push(dot(&moved, slopes));
        }
        Ok(Expr::sum(terms))
    }

    /// Is the step regular at these values of parameters and step: do p₀ and the constraints determine ξ and the impulses,
    /// [[∂(inner, p₀)/∂ξ, −Aᵀ], [∂(constraints)/∂ξ, 0]]? Where positions are not free it is asked at the start.
    pub fn regularity(&self, system: &System, values: &[(Symbol, Expr)]) -> Regularity {
        let is_free = !self.chart.has_groups() && self.forms.rows() == 0;
        let start = system.start_point().iter();
        let start = start.filter(|(s, _)| self.z.contains(s)).cloned();
        let place: Vec<(Symbol, Expr)> = match is_free {
            true => values.to_vec(),
            false => values.iter().cloned().chain(start).collect(),
        };
        match lagrangian::regularity_of(&self.bordered().substitute(&place)) {
            Regularity::Degenerate { .. } if !is_free => Regularity::Undecided {
                why: "the equations of a step are singular at the start position".into(),
            },
            found => found,
        }
    }

    fn bordered(&self) -> Matrix {
        let (inner, held) = (self.step_matrix(), &self.constraints);
        let unknowns = self.unknowns();
        let below: Vec<Vec<Expr>> = held.iter().map(|c| c.gradient(&unknowns)).collect();
        let (n, first) = (inner.rows(), self.inner.len());
        Matrix::new(n + held.len(), n + held.len(), |i, j| {
            match (i < n, j < n) {
                (true, true) => inner[(i, j)].clone(),
                (true, false) if i < first => Expr::zero(),
                (true, false) => -&self.forms[(j - n, i - first)],
                (false, true) => below[i - n][j].clone(),
                (false, false) => Expr::zero(),
            }
        })
    }
}
