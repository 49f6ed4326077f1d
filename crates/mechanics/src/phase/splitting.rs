//! Splittings of the tangent of phase space along linear constraints, and their projectors
//! (NG-H4, H5, P1, P2).

use super::coframe::{from_columns, linear_constraints, stacked};
use super::elimination::inverse;
use super::{PhaseError, PhaseField, VelocityPhaseSpace};
use crate::System;
use rattleback_geometry::Frame;
use rattleback_symbolic::{Expr, Matrix, dot};

/// The velocity phase space with constraints c_a(z, y) = φ_a(y) = 0. Along D = {c = 0}
///
/// ```text
/// T(TQ) = TD ⊕ F^ω = F ⊕ T^ωD = H ⊕ H^ω,    H = F ∩ TD,    H^ω = F^ω ⊕ T^ωD
/// F = {w : Tτ w ∈ D},   F^ω = span ω♯(τ*φ_a) = span −ι(W⁻¹φ_a),   T^ωD = span X_{c_a}
/// ```
///
/// All expressions are functions on TQ; the statements hold where c = 0.
///
/// ```
/// # use rattleback_language::{Source, parse};
/// # use rattleback_symbolic::Expr;
/// use rattleback_mechanics::{Problem, phase::ConstrainedPhaseSpace};
/// let text = "system knife\ncoord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\n\
///     constraint sin(phi)*x' = cos(phi)*y'\n";
/// let model = parse(&Source::new("knife.mech", text)).model.unwrap();
/// let knife = Problem::from_model(&model).unwrap().system;
/// let space = ConstrainedPhaseSpace::of(&knife).unwrap();
/// // Two fields over D and two vertical ones span H; one reaction pushes.
/// assert_eq!(space.horizontal_basis().len(), 4);
/// assert_eq!(space.reaction_basis().len(), 1);
/// let motion = space.distributional_field(space.phase().energy());
/// let velocity = knife.sections().unwrap().restrict(knife.frame(), &motion.base);
/// assert!(knife.prove_zero(&knife.constraints().forms().apply(&velocity)).is_proven());
/// ```
#[derive(Clone, Debug)]
pub struct ConstrainedPhaseSpace {
    phase: VelocityPhaseSpace,
    forms: Matrix,
    functions: Vec<Expr>,
    sections: Matrix,
    /// M_ab = φ_a W⁻¹ φ_b and its inverse.
    compatibility: Matrix,
    inverse_compatibility: Matrix,
    /// ω♯(τ*φ_a).
    reactions: Vec<PhaseField>,
    /// X_{c_a}.
    transversals: Vec<PhaseField>,
    /// dc_a in the coframe.
    differentials: Vec<Vec<Expr>>,
    /// dc_a(X_{c_b}).
    crossed: Matrix,
}

/// A projection on TD along the reactions, and the multipliers that it takes.
#[derive(Clone, Debug)]
pub struct TangentProjection {
    /// The projected field.
    pub field: PhaseField,
    /// μ_a with X = field + Σ μ_a ω♯(τ*φ_a); for X_h they are the multipliers λ_a.
    pub multipliers: Vec<Expr>,
}

impl ConstrainedPhaseSpace {
    /// The splittings of a system with linear constraints.
    pub fn of(system: &System) -> Result<Self, PhaseError> {
        linear_constraints(system, "the splitting of phase space")?;
        let phase = VelocityPhaseSpace::of(system)?;
        let forms = system.constraints().forms().clone();
        let functions = system.constraints().residuals(system.frame());
        let raised = phase.raise(&forms);
        let m = forms.rows();
        let compatibility = Matrix::new(m, m, |a, b| dot(forms.row(a), &raised[b]));
        let reactions = raised
            .iter()
            .map(|w| PhaseField::vertical(w.iter().map(|e| -e).collect()))
            .collect();
        let transversals: Vec<PhaseField> = functions
            .iter()
            .map(|c| phase.hamiltonian_field(c))
            .collect();
        let differentials: Vec<Vec<Expr>> =
            functions.iter().map(|c| phase.differential(c)).collect();
        let crossed = Matrix::new(m, m, |a, b| {
            dot(&differentials[a], &transversals[b].components())
        });
        Ok(Self {
            inverse_compatibility: inverse("the constraint matrix φ W⁻¹ φᵀ", &compatibility)?,
            sections: system.sections()?.basis.clone(),
            phase,
            forms,
            functions,
            compatibility,
            reactions,
            transversals,
            differentials,
            crossed,
        })
    }

    /// The phase space without constraints.
    pub fn phase(&self) -> &VelocityPhaseSpace {
        &self.phase
    }
    /// The frame.
    pub fn frame(&self) -> &Frame {
        self.phase.frame()
    }
    /// The functions c_a = φ_a(y).
    pub fn constraint_functions(&self) -> &[Expr] {
        &self.functions
    }
    /// M_ab = φ_a W⁻¹ φ_b = −𝒞: the constraints are regular where it is invertible (HJ-C11).
    pub fn compatibility(&self) -> &Matrix {
        &self.compatibility
    }
    /// M⁻¹.
    pub fn inverse_compatibility(&self) -> &Matrix {
        &self.inverse_compatibility
    }
    /// The regularity matrix 𝒞^ab = −φ_a W⁻¹ φ_b, negative definite for a definite metric (HJ-C11).
    pub fn regularity_matrix(&self) -> Matrix {
        self.compatibility.map(|e| -e)
    }
    /// A basis ω♯(τ*φ_a) of F^ω, the directions of reaction forces.
    pub fn reaction_basis(&self) -> &[PhaseField] {
        &self.reactions
    }
    /// A basis X_{c_a} of T^ωD.
    pub fn transversal_basis(&self) -> &[PhaseField] {
        &self.transversals
    }
    /// {c_a, c_b} = ω(X_{c_a}, X_{c_b}): where it does not vanish, H^ω ∩ TD is not isotropic.
    pub fn constraint_brackets(&self) -> &Matrix {
        &self.crossed
    }

    /// A basis of F = {w : Tτ w ∈ D}: (Z_a, 0), then (0, e_A).
    pub fn compatible_basis(&self) -> Vec<PhaseField> {
        let n = self.frame().rank();
        let still = |z: Vec<Expr>| PhaseField {
            base: z,
            fibre: vec![Expr::zero(); n],
        };
        let over = (0..self.sections.cols()).map(|a| still(self.sections.column(a)));
        let up = (0..n).map(|a| PhaseField::vertical(self.frame().basis(a)));
        over.chain(up).collect()
    }

    /// A basis of TD: the frame fields lifted, (e_A, ·), then (0, Z_a).
    pub fn tangent_basis(&self) -> Vec<PhaseField> {
        let n = self.frame().rank();
        let lifted = (0..n).map(|a| self.lift(self.frame().basis(a)));
        lifted.chain(self.vertical_sections()).collect()
    }

    /// A basis of H = F ∩ TD, of rank 2d: lifts of Z_a, then (0, Z_a) (NG-H4).
    pub fn horizontal_basis(&self) -> Vec<PhaseField> {
        let lifted = (0..self.sections.cols()).map(|a| self.lift(self.sections.column(a)));
        lifted.chain(self.vertical_sections()).collect()
    }

    fn vertical_sections(&self) -> impl Iterator<Item = PhaseField> + '_ {
        (0..self.sections.cols()).map(|a| PhaseField::vertical(self.sections.column(a)))
    }

    /// The field over `z` tangent to D whose vertical part is orthogonal to D.
    fn lift(&self, z: Vec<Expr>) -> PhaseField {
        let n = z.len();
        let still = PhaseField {
            base: z,
            fibre: vec![Expr::zero(); n],
        };
        self.project_tangent(&still).field
    }

    /// ϖ, the matrix of ω on [`Self::horizontal_basis`] (NG-H5): nondegenerate.
    pub fn symplectic_form(&self) -> Matrix {
        let h = self.horizontal_basis();
        super::coframe::skew(h.len(), |i, j| self.phase.pair(&h[i], &h[j]))
    }

    /// dc_a(X).
    fn leaves(&self, x: &PhaseField) -> Vec<Expr> {
        let components = x.components();
        self.differentials
            .iter()
            .map(|dc| dot(dc, &components))
            .collect()
    }

    /// Projection on TD along F^ω: X − Σ μ_a ω♯(τ*φ_a) with dc(X) = −M μ (NG-P1).
    ///
    /// For f with ∂f along F^ω zero, such as the energy, this is Y_f; for others it is not (E13).
    pub fn project_tangent(&self, x: &PhaseField) -> TangentProjection {
        let leaves = self.leaves(x);
        let multipliers: Vec<Expr> = self
            .inverse_compatibility
            .apply(&leaves)
            .iter()
            .map(|e| -e)
            .collect();
        TangentProjection {
            field: x.minus(multipliers.iter().zip(&self.reactions)),
            multipliers,
        }
    }

    /// Projection on F along T^ωD: X − Σ x_a X_{c_a} with φ(Tτ X) = M x.
    pub fn project_compatible(&self, x: &PhaseField) -> PhaseField {
        let off = self.inverse_compatibility.apply(&self.forms.apply(&x.base));
        x.minus(off.iter().zip(&self.transversals))
    }

    /// Projection on H along H^ω: X − Σ x_a X_{c_a} − Σ μ_a ω♯(τ*φ_a) with
    /// M x = φ(Tτ X) and M μ = dc(X_c) x − dc(X) (NG-P2).
    pub fn project_horizontal(&self, x: &PhaseField) -> PhaseField {
        let off = self.inverse_compatibility.apply(&self.forms.apply(&x.base));
        let turned = self.crossed.apply(&off);
        let leaves = self.leaves(x);
        let rest: Vec<Expr> = turned.iter().zip(&leaves).map(|(t, l)| t - l).collect();
        let mu = self.inverse_compatibility.apply(&rest);
        x.minus(off.iter().zip(&self.transversals))
            .minus(mu.iter().zip(&self.reactions))
    }

    /// Y_f, the projection of X_f on H: the distributional Hamiltonian field of f on D (NG-H7).
    /// On D it depends on the restriction of f only.
    pub fn distributional_field(&self, f: &Expr) -> PhaseField {
        self.project_horizontal(&self.phase.hamiltonian_field(f))
    }

    /// The matrix of a projection, column by column.
    pub fn projector(&self, project: impl Fn(&PhaseField) -> PhaseField) -> Matrix {
        let n = self.frame().rank();
        let unit = |j: usize| (0..2 * n).map(|i| i64::from(i == j).into()).collect();
        let columns: Vec<Vec<Expr>> = (0..2 * n)
            .map(|j| project(&PhaseField::from_components(unit(j), n)).components())
            .collect();
        from_columns(2 * n, &columns)
    }

    /// The rows τ*φ_a and dc_a, which cut out H.
    pub fn annihilator(&self) -> Matrix {
        let n = self.frame().rank();
        let pulled = Matrix::new(self.forms.rows(), 2 * n, |a, j| {
            if j < n {
                self.forms[(a, j)].clone()
            } else {
                Expr::zero()
            }
        });
        let dc = Matrix::new(self.forms.rows(), 2 * n, |a, j| {
            self.differentials[a][j].clone()
        });
        stacked(&pulled, &dc)
    }
}
