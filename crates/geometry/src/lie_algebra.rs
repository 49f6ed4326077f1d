//! Lie algebras by structure constants: brackets, adjoint maps, subalgebras, quotients (AC-C3).

use crate::distribution::{Distribution, DistributionError};
use crate::express::Basis;
use crate::frame::{Frame, Section};
use crate::structure::StructureFunctions;
use rattleback_lie::Group;
use rattleback_symbolic::{Expr, Matrix, Symbol, Verdict, dot, prove_all_zero};

/// A Lie algebra with basis e_A and [e_A, e_B] = C^D_AB e_D.
///
/// ```
/// use rattleback_geometry::{Group, LieAlgebra};
/// use rattleback_symbolic::Expr;
/// let so3 = LieAlgebra::of(Group::SO3);
/// let (e1, e2) = ([1, 0, 0].map(Expr::from), [0, 1, 0].map(Expr::from));
/// assert_eq!(so3.bracket(&e1, &e2), [0, 0, 1].map(Expr::from));
/// assert!(so3.check_jacobi().is_proven());
/// ```
#[derive(Clone, Debug)]
pub struct LieAlgebra {
    dimension: usize,
    structure: StructureFunctions,
}

impl LieAlgebra {
    /// From structure constants, which may contain parameters; see [`LieAlgebra::check_jacobi`].
    pub fn new(dimension: usize, structure: StructureFunctions) -> Self {
        debug_assert!(
            structure
                .iter()
                .all(|(a, b, d, _)| a.max(b).max(d) < dimension)
        );
        Self {
            dimension,
            structure,
        }
    }

    /// The Lie algebra of left-invariant fields.
    pub fn of(group: Group) -> Self {
        let constants = group.structure_constants();
        Self::new(
            group.dimension(),
            StructureFunctions::from_constants(&constants),
        )
    }

    /// The direct sum.
    pub fn direct_sum(parts: &[LieAlgebra]) -> Self {
        let mut all = Self::new(0, StructureFunctions::default());
        for part in parts {
            all.structure.extend_shifted(&part.structure, all.dimension);
            all.dimension += part.dimension;
        }
        all
    }

    /// The dimension.
    pub fn dimension(&self) -> usize {
        self.dimension
    }
    /// The structure constants.
    pub fn structure(&self) -> &StructureFunctions {
        &self.structure
    }

    /// The algebra as a frame over a point.
    pub fn frame(&self, fibre: &[Symbol]) -> Frame {
        let anchor = Matrix::zeros(0, self.dimension);
        Frame::new(Vec::new(), fibre.to_vec(), anchor, self.structure.clone())
    }

    fn anonymous_frame(&self) -> Frame {
        let fibre: Vec<Symbol> = (1..=self.dimension)
            .map(|a| Symbol::variable(&format!("xi{a}")))
            .collect();
        self.frame(&fibre)
    }

    /// The basis vector e_A.
    pub fn basis(&self, a: usize) -> Section {
        (0..self.dimension)
            .map(|b| i64::from(a == b).into())
            .collect()
    }

    /// [ξ, η].
    pub fn bracket(&self, x: &[Expr], y: &[Expr]) -> Section {
        let mut result = vec![Expr::zero(); self.dimension];
        for (d, term) in self.structure.contract(x, y) {
            result[d] += term;
        }
        result
    }

    /// The matrix of ad_ξ = [ξ, ·].
    pub fn ad(&self, x: &[Expr]) -> Matrix {
        let columns: Vec<Section> = (0..self.dimension)
            .map(|b| self.bracket(x, &self.basis(b)))
            .collect();
        Matrix::new(self.dimension, self.dimension, |d, b| columns[b][d].clone())
    }

    /// ad*_ξ μ with ⟨ad*_ξ μ, η⟩ = ⟨μ, [ξ, η]⟩: components μ_D C^D_BA ξ^B.
    ///
    /// On so(3) it is μ × ξ. It is the derivative of Ad*_g at the identity ([`Group::coadjoint`]).
    pub fn ad_star(&self, x: &[Expr], mu: &[Expr]) -> Vec<Expr> {
        self.ad(x).transpose().apply(mu)
    }

    /// The Jacobi residuals Σ_cyc C^D_AF C^F_BE, which must vanish.
    pub fn jacobi_defect(&self) -> Vec<Expr> {
        self.anonymous_frame().jacobi_defect()
    }

    /// Is the Jacobi identity satisfied?
    pub fn check_jacobi(&self) -> Verdict {
        prove_all_zero(&self.jacobi_defect())
    }

    /// δ[e_A, e_B] - [δ e_A, e_B] - [e_A, δ e_B] for A < B: zero for a derivation δ.
    pub fn derivation_defect(&self, delta: &Matrix) -> Vec<Expr> {
        let mut all = Vec::new();
        for a in 0..self.dimension {
            for b in a + 1..self.dimension {
                let whole = delta.apply(&self.bracket(&self.basis(a), &self.basis(b)));
                let first = self.bracket(&delta.column(a), &self.basis(b));
                let second = self.bracket(&self.basis(a), &delta.column(b));
                all.extend((0..self.dimension).map(|d| &whole[d] - &first[d] - &second[d]));
            }
        }
        all
    }

    /// ξ with ad_ξ = δ, if the derivation δ is inner.
    pub fn inner_generator(&self, delta: &Matrix) -> Option<Section> {
        let rows: Vec<Vec<Expr>> = (0..self.dimension)
            .map(|a| self.ad(&self.basis(a)).entries().to_vec())
            .collect();
        let rows = Matrix::from_rows(&rows);
        let basis = Basis::of_rows(&rows, &[]).ok()?;
        let solver = basis.solver();
        let c = solver.coefficients(delta.entries());
        let residual = solver.residual(delta.entries(), &c);
        prove_all_zero(&residual).is_proven().then(|| {
            let mut x = vec![Expr::zero(); self.dimension];
            for (&a, value) in basis.kept.iter().zip(c) {
                x[a] = value;
            }
            x
        })
    }

    fn span(&self, vectors: &[Section]) -> Result<Distribution, DistributionError> {
        Distribution::spanned_by(&self.anonymous_frame(), vectors, &[])
    }

    /// Is the span of independent vectors closed under brackets?
    pub fn is_subalgebra(&self, vectors: &[Section]) -> Result<Verdict, DistributionError> {
        Ok(self.span(vectors)?.is_involutive())
    }

    /// Is [g, span] inside the span?
    pub fn is_ideal(&self, vectors: &[Section]) -> Result<Verdict, DistributionError> {
        let annihilator = self.span(vectors)?.annihilator().clone();
        let mut defect = Vec::new();
        for a in 0..self.dimension {
            for v in vectors {
                defect.extend(annihilator.apply(&self.bracket(&self.basis(a), v)));
            }
        }
        Ok(prove_all_zero(&defect))
    }

    /// g / h for an ideal h, with the classes of some e_A as basis, and those A; `None` if the
    /// vectors do not span an ideal.
    pub fn quotient(
        &self,
        ideal: &[Section],
    ) -> Result<Option<(LieAlgebra, Vec<usize>)>, DistributionError> {
        if !self.is_ideal(ideal)?.is_proven() {
            return Ok(None);
        }
        // Forms that vanish on h are the coordinates of g / h.
        let forms = self.span(ideal)?.annihilator().clone();
        let basis = Basis::of_rows(&forms, &[])?;
        let (chosen, solver) = (basis.pivots.clone(), basis.solver());
        let mut structure = StructureFunctions::default();
        for (i, &a) in chosen.iter().enumerate() {
            for (j, &b) in chosen.iter().enumerate().skip(i + 1) {
                let class = forms.apply(&self.bracket(&self.basis(a), &self.basis(b)));
                for (d, c) in solver.combine_columns(&class).into_iter().enumerate() {
                    structure.set(i, j, d, c);
                }
            }
        }
        Ok(Some((LieAlgebra::new(chosen.len(), structure), chosen)))
    }

    /// The Killing form tr(ad_A ad_B).
    pub fn killing_form(&self) -> Matrix {
        let ads: Vec<Matrix> = (0..self.dimension)
            .map(|a| self.ad(&self.basis(a)))
            .collect();
        Matrix::new(self.dimension, self.dimension, |a, b| {
            let right = ads[b].transpose();
            dot(ads[a].entries(), right.entries())
        })
    }

    /// tr ad_A for each A; all zero on a unimodular algebra.
    pub fn modular_character(&self) -> Vec<Expr> {
        (0..self.dimension)
            .map(|a| Expr::sum((0..self.dimension).map(|b| self.structure.get(a, b, b))))
            .collect()
    }
}
