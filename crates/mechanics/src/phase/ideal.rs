//! Two-forms in the ideal of the constraint forms (DP-B7, HJ-C19).

use super::PhaseError;
use super::elimination::inverse;
use crate::System;
use rattleback_symbolic::{Expr, Matrix, Symbol, Verdict, dot, prove_all_zero, substitute_all};

/// The ideal 𝓘(D⁰) that the constraint forms μ^i generate: ν is in it exactly if ν(Z_a, Z_b) = 0.
///
/// ```
/// # use rattleback_language::{Source, parse};
/// # use rattleback_symbolic::Expr;
/// use rattleback_mechanics::{Problem, phase::AnnihilatorIdeal};
/// let text = "system knife\ncoord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\n\
///     constraint sin(phi)*x' = cos(phi)*y'\n";
/// let model = parse(&Source::new("knife.mech", text)).model.unwrap();
/// let knife = Problem::from_model(&model).unwrap().system;
/// let ideal = AnnihilatorIdeal::of(&knife).unwrap();
/// // dφ ∧ μ with μ = sin φ dx − cos φ dy.
/// let mu = knife.constraints().forms().row(0).to_vec();
/// let nu = rattleback_symbolic::Matrix::new(3, 3, |a, b| {
///     let d_phi = |i: usize| Expr::from(i64::from(i == 2));
///     d_phi(a) * &mu[b] - d_phi(b) * &mu[a]
/// });
/// let beta = ideal.factors(&nu).unwrap();
/// assert!(knife.prove_zero(&[&beta[0][2] - 1]).is_proven());
/// ```
#[derive(Clone, Debug)]
pub struct AnnihilatorIdeal {
    forms: Matrix,
    sections: Matrix,
    /// W = Φᵀ(ΦΦᵀ)⁻¹, a right inverse of the forms.
    right_inverse: Matrix,
    on_groups: Vec<(Symbol, Expr)>,
}

/// A two-form outside the ideal.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("the two-form is not in the ideal of the constraint forms")]
pub struct NotInIdeal(pub Verdict);

impl AnnihilatorIdeal {
    /// The ideal of the constraints of a system.
    pub fn of(system: &System) -> Result<Self, PhaseError> {
        let forms = system.constraints().forms().clone();
        let transpose = forms.transpose();
        let gram = inverse("the constraint matrix ΦΦᵀ", &(&forms * &transpose))?;
        Ok(Self {
            right_inverse: &transpose * &gram,
            sections: system.sections()?.basis.clone(),
            on_groups: system.on_groups.clone(),
            forms,
        })
    }

    /// Z ν Zᵀ, which vanishes exactly for ν in the ideal; ν by its skew matrix in the frame.
    pub fn residual(&self, nu: &Matrix) -> Matrix {
        &(&self.sections.transpose() * nu) * &self.sections
    }

    /// Is ν in the ideal?
    pub fn contains(&self, nu: &Matrix) -> Verdict {
        let residual = self.residual(nu);
        prove_all_zero(&substitute_all(residual.entries(), &self.on_groups))
    }

    /// β_i with ν = β_i ∧ μ^i: s = −½ Wᵀ ν W, β_j = ν W_j + s_ij μ^i. They are unique up to
    /// β_i + c_ij μ^j with c symmetric, so on D they are unique.
    pub fn factors(&self, nu: &Matrix) -> Result<Vec<Vec<Expr>>, NotInIdeal> {
        let verdict = self.contains(nu);
        if !verdict.is_proven() {
            return Err(NotInIdeal(verdict));
        }
        let raised = nu * &self.right_inverse;
        let s = (&self.right_inverse.transpose() * &raised).map(|e| -e / 2);
        let m = self.forms.rows();
        Ok((0..m)
            .map(|j| {
                let turned = (0..self.forms.cols()).map(|a| {
                    let weights: Vec<Expr> = (0..m).map(|i| s[(i, j)].clone()).collect();
                    &raised[(a, j)] + dot(&weights, &self.forms.column(a))
                });
                turned.collect()
            })
            .collect())
    }
}
