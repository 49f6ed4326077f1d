//! The nonholonomic Dirac bracket of functions on TQ (NG-B4).

use super::{ConstrainedPhaseSpace, PhaseError, PhaseField};
use crate::System;
use rattleback_symbolic::{Expr, Matrix, dot};

/// With e = (dc_1, …, dc_m, τ*φ_1, …, τ*φ_m) and C_IJ = {e_I, e_J},
///
/// ```text
/// {f, g}_D = {f, g} − {f, e_J} (C⁻¹)_JI {e_I, g}
/// C = [[K, −M], [M, 0]],    C⁻¹ = [[0, M⁻¹], [−M⁻¹, M⁻¹ K M⁻¹]]
/// ```
///
/// K_ab = {c_a, c_b} and M = φ W⁻¹ φᵀ: only M is inverted. On D the value does not depend on how f
/// and g are continued off D; the formula makes sense off D too, so that brackets can be nested.
/// The printed sign of C⁻¹ and the printed one-constraint matrix are wrong (E16, E17).
///
/// ```
/// # use rattleback_language::{Source, parse};
/// # use rattleback_symbolic::Expr;
/// use rattleback_mechanics::{Problem, phase::DiracBracket};
/// let text = "system knife\ncoord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\n\
///     constraint sin(phi)*x' = cos(phi)*y'\n";
/// let model = parse(&Source::new("knife.mech", text)).model.unwrap();
/// let knife = Problem::from_model(&model).unwrap().system;
/// let dirac = DiracBracket::of(&knife).unwrap();
/// let x = Expr::from(&knife.frame().base()[0]);
/// let [vx, vy] = [0, 1].map(|i| Expr::from(&knife.frame().fibre()[i]));
/// let phi = Expr::from(&knife.frame().base()[2]);
/// // {x, x'} = cos²φ instead of 1: the velocity across the blade is gone.
/// assert!(knife.prove_zero(&[dirac.bracket(&x, &vx) - phi.cos().powi(2)]).is_proven());
/// assert!(knife.prove_zero(&[dirac.bracket(&x, &vy) - phi.cos() * phi.sin()]).is_proven());
/// ```
#[derive(Clone, Debug)]
pub struct DiracBracket {
    space: ConstrainedPhaseSpace,
    forms: Matrix,
}

impl DiracBracket {
    /// The bracket of a system with linear constraints.
    pub fn of(system: &System) -> Result<Self, PhaseError> {
        Ok(Self {
            space: ConstrainedPhaseSpace::of(system)?,
            forms: system.constraints().forms().clone(),
        })
    }

    /// The constrained phase space.
    pub fn space(&self) -> &ConstrainedPhaseSpace {
        &self.space
    }

    /// C_IJ.
    pub fn matrix(&self) -> Matrix {
        let m = self.space.compatibility();
        let zero = Matrix::zeros(m.rows(), m.rows());
        self.space
            .constraint_brackets()
            .bordered(&m.map(|e| -e), m, &zero)
    }

    /// C⁻¹ in closed form.
    pub fn inverse_matrix(&self) -> Matrix {
        let inverse = self.space.inverse_compatibility();
        let corner = &(inverse * self.space.constraint_brackets()) * inverse;
        let zero = Matrix::zeros(inverse.rows(), inverse.rows());
        zero.bordered(inverse, &inverse.map(|e| -e), &corner)
    }

    /// {e_I, g} = e_I(X_g) for all I.
    fn against(&self, x: &PhaseField) -> Vec<Expr> {
        let phase = self.space.phase();
        let leaving = self
            .space
            .constraint_functions()
            .iter()
            .map(|c| phase.apply(x, c));
        let pulled = (0..self.forms.rows()).map(|a| dot(self.forms.row(a), &x.base));
        leaving.chain(pulled).collect()
    }

    /// {f, g}_D for functions on TQ.
    pub fn bracket(&self, f: &Expr, g: &Expr) -> Expr {
        let phase = self.space.phase();
        let (x_f, x_g) = (phase.hamiltonian_field(f), phase.hamiltonian_field(g));
        // {f, e_J} = −{e_J, f}.
        let left = self.against(&x_f);
        let right = self.inverse_matrix().apply(&self.against(&x_g));
        phase.apply(&x_g, f) + dot(&left, &right)
    }

    /// {f, {g, h}} + {g, {h, f}} + {h, {f, g}} by nested brackets.
    pub fn jacobiator(&self, f: &Expr, g: &Expr, h: &Expr) -> Expr {
        let nested = |a: &Expr, b: &Expr, c: &Expr| self.bracket(a, &self.bracket(b, c));
        nested(f, g, h) + nested(g, h, f) + nested(h, f, g)
    }
}
