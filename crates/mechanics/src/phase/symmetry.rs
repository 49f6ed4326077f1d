//! Algebras of vector fields: structure constants, momentum maps and equivariance (HJ-C03, C27).

use super::coframe::from_columns;
use super::elimination::linear_solution;
use super::{CanonicalPhaseSpace, PhaseError};
use crate::System;
use crate::system::NamedSection;
use rattleback_geometry::Frame;
use rattleback_symbolic::{Expr, Matrix, Symbol, Verdict, dot, prove_all_zero, substitute_all};

/// Vector fields ξ_i with [ξ_i, ξ_j] = c^k_ij ξ_k, c constant.
///
/// The fields of a left action close with minus the structure constants of its group.
///
/// ```
/// # use rattleback_language::{Source, parse};
/// # use rattleback_symbolic::Expr;
/// use rattleback_mechanics::{Problem, phase::SymmetryAlgebra};
/// let text = "system knife\ncoord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\n\
///     constraint sin(phi)*x' = cos(phi)*y'\n";
/// let model = parse(&Source::new("knife.mech", text)).model.unwrap();
/// let knife = Problem::from_model(&model).unwrap().system;
/// use rattleback_mechanics::NamedSection;
/// let [x, y] = [0, 1].map(|i| Expr::from(&knife.frame().base()[i]));
/// let slide = NamedSection { name: "slide".into(), components: vec![Expr::one(), Expr::zero(), Expr::zero()] };
/// let rise = NamedSection { name: "rise".into(), components: vec![Expr::zero(), Expr::one(), Expr::zero()] };
/// let turn = NamedSection { name: "turn".into(), components: vec![-y, x, Expr::one()] };
/// let algebra = SymmetryAlgebra::of(&knife, &[slide, rise, turn]).unwrap();
/// assert!(algebra.constant(0, 2, 1).is_one()); // [slide, turn] = rise
/// assert!(algebra.leaves_alone(&knife).unwrap().is_proven());
/// ```
#[derive(Clone, Debug)]
pub struct SymmetryAlgebra {
    frame: Frame,
    fields: Vec<NamedSection>,
    /// c^k_ij at `constants[i][j][k]`.
    constants: Vec<Vec<Vec<Expr>>>,
    on_groups: Vec<(Symbol, Expr)>,
}

impl SymmetryAlgebra {
    /// The algebra that fields span, which must be independent and closed under brackets.
    pub fn of(system: &System, fields: &[NamedSection]) -> Result<Self, PhaseError> {
        let (frame, on) = (system.frame().clone(), system.on_groups.clone());
        let columns: Vec<Vec<Expr>> = fields.iter().map(|f| f.components.clone()).collect();
        let span = from_columns(frame.rank(), &columns);
        let gram = &span.transpose() * &span;
        let mut constants =
            vec![vec![vec![Expr::zero(); fields.len()]; fields.len()]; fields.len()];
        for i in 0..fields.len() {
            for j in i + 1..fields.len() {
                let bracket = frame.bracket(&columns[i], &columns[j]);
                let rhs = Matrix::column_vector(&span.transpose().apply(&bracket));
                let c = linear_solution(&gram, &rhs)
                    .map_err(|source| PhaseError::Singular {
                        what: "the span of the symmetries",
                        source,
                    })?
                    .solution
                    .column(0);
                let c = constant_values(&frame, &c, &on);
                let back = c.as_ref().map(|c| span.apply(c));
                let closed = back.is_some_and(|back| {
                    let defect: Vec<Expr> = back.iter().zip(&bracket).map(|(b, x)| b - x).collect();
                    prove_all_zero(&substitute_all(&defect, &on)).is_proven()
                });
                let (Some(c), true) = (c, closed) else {
                    return Err(PhaseError::NotClosed {
                        first: fields[i].name.clone(),
                        second: fields[j].name.clone(),
                    });
                };
                constants[j][i] = c.iter().map(|e| -e).collect();
                constants[i][j] = c;
            }
        }
        Ok(Self {
            frame,
            fields: fields.to_vec(),
            constants,
            on_groups: on,
        })
    }

    /// The algebra of fields that may be dependent at points, with c^k_ij at `constants[i][j][k]` from
    /// elsewhere; they are checked.
    pub fn with_constants(
        system: &System,
        fields: &[NamedSection],
        constants: Vec<Vec<Vec<Expr>>>,
    ) -> Result<Self, PhaseError> {
        let frame = system.frame();
        let components: Vec<&[Expr]> = fields.iter().map(|f| &f.components[..]).collect();
        for i in 0..fields.len() {
            for j in 0..fields.len() {
                let mut defect = frame.bracket(components[i], components[j]);
                for (c, field) in constants[i][j].iter().zip(&components) {
                    for (d, x) in defect.iter_mut().zip(*field) {
                        *d -= c * x;
                    }
                }
                if !system.prove_zero(&defect).is_proven() {
                    return Err(PhaseError::NotClosed {
                        first: fields[i].name.clone(),
                        second: fields[j].name.clone(),
                    });
                }
            }
        }
        Ok(Self {
            frame: frame.clone(),
            fields: fields.to_vec(),
            constants,
            on_groups: system.on_groups.clone(),
        })
    }

    /// The fields ξ_i.
    pub fn fields(&self) -> &[NamedSection] {
        &self.fields
    }

    /// c^k_ij.
    pub fn constant(&self, i: usize, j: usize, k: usize) -> &Expr {
        &self.constants[i][j][k]
    }

    /// Do all fields commute?
    pub fn is_abelian(&self) -> bool {
        self.constants.iter().flatten().flatten().all(Expr::is_zero)
    }

    /// The momentum map J_i = ⟨p, ξ_i⟩.
    pub fn momentum_map(&self, phase: &CanonicalPhaseSpace) -> Vec<Expr> {
        self.fields
            .iter()
            .map(|f| phase.momentum(&f.components))
            .collect()
    }

    /// Infinitesimal equivariance {J_i, J_j} = −c^k_ij J_k.
    pub fn check_equivariance(&self, phase: &CanonicalPhaseSpace) -> Verdict {
        let j = self.momentum_map(phase);
        let mut defects = Vec::new();
        for (a, first) in j.iter().enumerate() {
            for (b, second) in j.iter().enumerate().skip(a + 1) {
                let bracket = phase.bracket().bracket(first, second);
                defects.push(bracket + dot(&self.constants[a][b], &j));
            }
        }
        prove_all_zero(&substitute_all(&defects, &self.on_groups))
    }

    /// Do the fields leave the distribution in place, φ([ξ_i, Z_a]) = 0, the Lagrangian alone, ξ_TQ\[L\] = 0, and the
    /// force?
    pub fn leaves_alone(&self, system: &System) -> Result<Verdict, PhaseError> {
        let sections = system.sections()?;
        let mut defects = Vec::new();
        for field in &self.fields {
            defects.extend(system.changes_of_constraints(sections, &field.components));
            defects.push(system.change_of_lagrangian(&field.components));
            defects.extend(system.changes_of_forces(&field.components));
        }
        Ok(system.prove_zero(&defects))
    }

    /// TQ = D ⊕ span ξ: det [Z_a | ξ_b], which must not vanish (HJ-C27).
    pub fn transversality(&self, system: &System) -> Result<Matrix, PhaseError> {
        let basis = &system.sections()?.basis;
        let d = basis.cols();
        Ok(Matrix::new(
            self.frame.rank(),
            d + self.fields.len(),
            |i, j| {
                if j < d {
                    basis[(i, j)].clone()
                } else {
                    self.fields[j - d].components[i].clone()
                }
            },
        ))
    }
}

/// The expressions as constants: their value wherever they have one, if they do not vary on Q.
fn constant_values(frame: &Frame, c: &[Expr], on: &[(Symbol, Expr)]) -> Option<Vec<Expr>> {
    let slopes: Vec<Expr> = (0..frame.rank())
        .flat_map(|a| frame.act_basis(a, c))
        .collect();
    if !prove_all_zero(&substitute_all(&slopes, on)).is_proven() {
        return None;
    }
    let here = substitute_all(c, on);
    let free: Vec<Symbol> = rattleback_symbolic::free_symbols(&here);
    // A constant has the same value at every point: the first integer point without a pole will do.
    (0..8i64)
        .map(|shift| {
            let point: Vec<(Symbol, Expr)> = free
                .iter()
                .enumerate()
                .filter(|(_, s)| s.role() == rattleback_symbolic::Role::Variable)
                .map(|(i, s)| (s.clone(), Expr::ratio(shift * (2 * i as i64 + 1), 7)))
                .collect();
            substitute_all(&here, &point)
        })
        .find(|value| value.iter().all(|e| !e.is_undefined()))
}
