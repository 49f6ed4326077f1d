//! The velocity phase space with its Lagrangian two-form (NG-H1, H2; DP-B1; AC-C16).

use super::coframe::{columns, differential, first_order, skew};
use super::elimination::inverse;
use super::{PhaseError, PhaseField};
use crate::System;
use crate::engine::hessian;
use rattleback_geometry::Frame;
use rattleback_symbolic::{Expr, Matrix, dot};

/// Positions z and velocities y with θ = p_A e^A, p = ∂L/∂y, and ω = −dθ:
///
/// ```text
/// ω((a, α), (b, β)) = W(a, β) − W(α, b) + S(a, b)
/// W_AB = ∂²L/∂y^A∂y^B,   S_AB = −e_A[p_B] + e_B[p_A] + p_D C^D_AB
/// ```
///
/// S is what the printed local formula lacks (NG erratum E7).
///
/// ```
/// use rattleback_mechanics::{System, phase::VelocityPhaseSpace};
/// use rattleback_symbolic::{Expr, Symbol};
/// let q = ["r", "phi"].map(Symbol::variable);
/// let r = Expr::from(&q[0]);
/// let v = q.each_ref().map(|s| Expr::from(s.derivative()));
/// let plane = System::on_coordinates("plane", &q, (v[0].powi(2) + r.powi(2) * v[1].powi(2)) / 2);
/// let phase = VelocityPhaseSpace::of(&plane).unwrap();
/// // {r, r'} = 1 and {φ, φ'} = 1/r²
/// assert!(phase.bracket(&r, &v[0]).is_one());
/// assert_eq!(phase.bracket(&Expr::from(&q[1]), &v[1]), r.powi(-2));
/// ```
#[derive(Clone, Debug)]
pub struct VelocityPhaseSpace {
    frame: Frame,
    momenta: Vec<Expr>,
    energy: Expr,
    mass: Matrix,
    inverse_mass: Matrix,
    skew: Matrix,
}

impl VelocityPhaseSpace {
    /// The phase space of a system with a regular first-order Lagrangian; constraints are not used.
    pub fn of(system: &System) -> Result<Self, PhaseError> {
        first_order(system, "the velocity phase space")?;
        let frame = system.frame();
        let mass = hessian(system.lagrangian(), frame.fibre());
        let momenta = system.momenta();
        Ok(Self {
            inverse_mass: inverse("the velocity Hessian", &mass)?,
            skew: skew_block(frame, &momenta),
            frame: frame.clone(),
            energy: system.energy(),
            momenta,
            mass,
        })
    }

    /// The frame.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }
    /// θ = p_A e^A, by components; its fibre components vanish.
    pub fn theta(&self) -> &[Expr] {
        &self.momenta
    }
    /// The energy h = ⟨p, y⟩ − L.
    pub fn energy(&self) -> &Expr {
        &self.energy
    }
    /// W, the velocity Hessian (the metric k for L = T − V).
    pub fn mass(&self) -> &Matrix {
        &self.mass
    }
    /// W⁻¹.
    pub fn inverse_mass(&self) -> &Matrix {
        &self.inverse_mass
    }
    /// The block S of ω.
    pub fn skew(&self) -> &Matrix {
        &self.skew
    }

    /// The matrix [[S, W], [−W, 0]] of ω in the basis (e_A, ∂/∂y^A).
    pub fn omega(&self) -> Matrix {
        let n = self.frame.rank();
        let below = self.mass.map(|e| -e);
        self.skew.bordered(&self.mass, &below, &Matrix::zeros(n, n))
    }

    /// ω(X, Y).
    pub fn pair(&self, x: &PhaseField, y: &PhaseField) -> Expr {
        let through = |m: &Matrix, a: &[Expr], b: &[Expr]| dot(a, &m.apply(b));
        through(&self.mass, &x.base, &y.fibre) - through(&self.mass, &x.fibre, &y.base)
            + through(&self.skew, &x.base, &y.base)
    }

    /// ω♯α, the field X with ω(X, ·) = α for a one-form α = (α_base, α_fibre).
    pub fn sharp(&self, alpha: &[Expr]) -> PhaseField {
        let (along, up) = alpha.split_at(self.frame.rank());
        let base = self.inverse_mass.apply(up);
        // −W ẏ + Sᵀ base = α_base.
        let turned = self.skew.transpose().apply(&base);
        let pull: Vec<Expr> = turned.iter().zip(along).map(|(s, a)| s - a).collect();
        PhaseField {
            fibre: self.inverse_mass.apply(&pull),
            base,
        }
    }

    /// df in the coframe.
    pub fn differential(&self, f: &Expr) -> Vec<Expr> {
        differential(&self.frame, self.frame.fibre(), f)
    }

    /// X_f with ω(X_f, ·) = df (NG-H2).
    pub fn hamiltonian_field(&self, f: &Expr) -> PhaseField {
        self.sharp(&self.differential(f))
    }

    /// X\[f\].
    pub fn apply(&self, x: &PhaseField, f: &Expr) -> Expr {
        x.apply(&self.frame, self.frame.fibre(), f)
    }

    /// {f, g} = ω(X_f, X_g) = X_g\[f\].
    pub fn bracket(&self, f: &Expr, g: &Expr) -> Expr {
        self.apply(&self.hamiltonian_field(g), f)
    }

    /// k♯φ for covectors φ, one per row: the columns W⁻¹φᵀ.
    pub fn raise(&self, forms: &Matrix) -> Vec<Vec<Expr>> {
        columns(&(&self.inverse_mass * &forms.transpose()))
    }
}

/// S_AB = −e_A[p_B] + e_B[p_A] + p_D C^D_AB.
pub(crate) fn skew_block(frame: &Frame, p: &[Expr]) -> Matrix {
    let n = frame.rank();
    let slopes: Vec<Vec<Expr>> = (0..n).map(|a| frame.act_basis(a, p)).collect();
    skew(n, |a, b| {
        let c = frame.bracket(&frame.basis(a), &frame.basis(b));
        &slopes[b][a] - &slopes[a][b] + dot(p, &c)
    })
}
