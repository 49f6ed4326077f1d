//! Constraints on the momentum phase space: multipliers, projector and bracket
//! (HJ-C06, C07; DP-B4, B5, B6).

use super::coframe::{columns, linear_constraints, stacked};
use super::elimination::inverse;
use super::{CanonicalPhaseSpace, PhaseError, PhaseField};
use crate::System;
use crate::equations::BracketMatrix;
use rattleback_symbolic::{Expr, Matrix, dot};

/// Ψ = A ∂H/∂p on T*Q, C̄ = A H_pp Aᵀ, and with J the bracket matrix of T*Q
///
/// ```text
/// λ = −C̄⁻¹ {Ψ, H},      p' = −∂H − C p H_p + λ_s A^s        (λ̄ of DP-B4 is −λ)
/// P = 1 − W C̄⁻¹ dΨ, W = (0, Aᵀ):  on T𝓜 along the reactions      (DP-B5)
/// Λ = J − J χᵀ (χ J χᵀ)⁻¹ χ J, χ = (π*A; dΨ)                       (DP-B6)
/// ```
///
/// ```
/// # use rattleback_language::{Source, parse};
/// # use rattleback_symbolic::Expr;
/// use rattleback_mechanics::{Problem, phase::MomentumConstraints};
/// let text = "system knife\ncoord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\n\
///     constraint sin(phi)*x' = cos(phi)*y'\n";
/// let model = parse(&Source::new("knife.mech", text)).model.unwrap();
/// let knife = Problem::from_model(&model).unwrap().system;
/// let constraints = MomentumConstraints::of(&knife).unwrap();
/// let motion = constraints.field();
/// // The constraint Ψ = sin φ p_x − cos φ p_y is kept.
/// let p = constraints.phase().momenta();
/// let rate = motion.apply(knife.frame(), p, &constraints.residuals()[0]);
/// assert!(knife.prove_zero(&[rate]).is_proven());
/// ```
#[derive(Clone, Debug)]
pub struct MomentumConstraints {
    phase: CanonicalPhaseSpace,
    forms: Matrix,
    residuals: Vec<Expr>,
    differentials: Matrix,
    compatibility: Matrix,
    inverse_compatibility: Matrix,
}

impl MomentumConstraints {
    /// For systems with linear constraints and a Hamiltonian in closed form.
    pub fn of(system: &System) -> Result<Self, PhaseError> {
        linear_constraints(system, "the constrained momentum space")?;
        let phase = CanonicalPhaseSpace::of(system)?;
        let forms = system.constraints().forms().clone();
        let residuals = forms.apply(phase.velocities());
        let rows: Vec<Vec<Expr>> = residuals.iter().map(|r| phase.differential(r)).collect();
        let n = phase.frame().rank();
        let differentials = Matrix::new(rows.len(), 2 * n, |i, j| rows[i][j].clone());
        // ∂Ψ/∂p = A H_pp.
        let compatibility = Matrix::new(rows.len(), rows.len(), |a, b| {
            dot(&rows[a][n..], forms.row(b))
        });
        Ok(Self {
            inverse_compatibility: inverse("the constraint matrix A H_pp Aᵀ", &compatibility)?,
            phase,
            forms,
            residuals,
            differentials,
            compatibility,
        })
    }

    /// The momentum phase space.
    pub fn phase(&self) -> &CanonicalPhaseSpace {
        &self.phase
    }
    /// Ψ_s, which vanish exactly on 𝓜 = FL(D) (HJ-C07).
    pub fn residuals(&self) -> &[Expr] {
        &self.residuals
    }
    /// C̄ = A H_pp Aᵀ.
    pub fn compatibility(&self) -> &Matrix {
        &self.compatibility
    }

    /// The multipliers λ_s, with p' = … + λ_s A^s; the formula makes sense off 𝓜 too.
    pub fn multipliers(&self) -> Vec<Expr> {
        let x = self
            .phase
            .hamiltonian_field(self.phase.hamiltonian())
            .components();
        let rates = self.differentials.apply(&x);
        self.inverse_compatibility
            .apply(&rates)
            .iter()
            .map(|e| -e)
            .collect()
    }

    /// The constrained field P X_H.
    pub fn field(&self) -> PhaseField {
        let mut x = self.phase.hamiltonian_field(self.phase.hamiltonian());
        let reaction = self.forms.transpose().apply(&self.multipliers());
        for (p, r) in x.fibre.iter_mut().zip(reaction) {
            *p += r;
        }
        x
    }

    /// The projector P on T𝓜 along the reactions, in the basis (e_A, ∂/∂p_A) (DP-B5).
    pub fn projector(&self) -> Matrix {
        let n = self.phase.frame().rank();
        let reactions = stacked(
            &Matrix::zeros(n, self.forms.rows()),
            &self.forms.transpose(),
        );
        let off = &(&reactions * &self.inverse_compatibility) * &self.differentials;
        &Matrix::identity(2 * n) - &off
    }

    /// χ: the rows (A, 0) and dΨ, which cut out F ∩ T𝓜.
    fn annihilator(&self) -> Matrix {
        let n = self.phase.frame().rank();
        let pulled = Matrix::new(self.forms.rows(), 2 * n, |a, j| {
            if j < n {
                self.forms[(a, j)].clone()
            } else {
                Expr::zero()
            }
        });
        stacked(&pulled, &self.differentials)
    }

    /// The projector P̄ = 1 − J χᵀ (χ J χᵀ)⁻¹ χ on F ∩ T𝓜 along its symplectic complement; with
    /// K = {Ψ, Ψ} the inner matrix is [[0, C̄], [−C̄, K]], so that only C̄ is inverted.
    pub fn symplectic_projector(&self) -> Matrix {
        let (j, chi) = (self.phase.adapted_bracket(), self.annihilator());
        let raised = &j * &chi.transpose();
        let c = &self.inverse_compatibility;
        let k = &(&self.differentials * &j) * &self.differentials.transpose();
        let corner = &(c * &k) * c;
        let zero = Matrix::zeros(c.rows(), c.rows());
        let inner = corner.bordered(&c.map(|e| -e), c, &zero);
        let off = &(&raised * &inner) * &chi;
        &Matrix::identity(off.rows()) - &off
    }

    /// Λ = P̄ J as brackets of (z, p), valid on 𝓜, where {·, Ψ} = 0 (DP-B6).
    pub fn bracket(&self) -> BracketMatrix {
        let frame = self.phase.frame();
        let lambda = &self.symplectic_projector() * &self.phase.adapted_bracket();
        // Coordinates (z, p) against the adapted basis: z' = ρ y.
        let (m, n) = (frame.base().len(), frame.rank());
        let anchor = Matrix::new(m + n, 2 * n, |i, j| match (i < m, j < n) {
            (true, true) => frame.anchor()[(i, j)].clone(),
            (false, false) => i64::from(i - m == j - n).into(),
            _ => Expr::zero(),
        });
        BracketMatrix {
            coordinates: self.phase.bracket().coordinates.clone(),
            matrix: &(&anchor * &lambda) * &anchor.transpose(),
        }
    }

    /// The projection p − Aᵀ C̄⁻¹ Ψ of a momentum on 𝓜, for L = T − V (HJ-C07).
    pub fn project(&self) -> Vec<Expr> {
        let excess = self.inverse_compatibility.apply(&self.residuals);
        let reaction = columns(&self.forms.transpose());
        let p = super::coframe::values(self.phase.momenta());
        (0..p.len())
            .map(|i| {
                let off = Expr::sum(reaction.iter().zip(&excess).map(|(a, e)| &a[i] * e));
                &p[i] - off
            })
            .collect()
    }
}
