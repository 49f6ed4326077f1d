//! Gyroscopic data of constraints in normal form, and the reduced equations
//! (VE-C04, C05, C06, C18; DP-B13).

use super::coframe::{first_order, skew, values};
use super::elimination::inverse;
use super::{NormalForm, PhaseError, lagrange_derivative};
use crate::System;
use crate::engine::hessian;
use rattleback_symbolic::{Expr, Matrix, Symbol, dot, prove_all_zero, substitute_all};

/// With L_c(r, s, r') = L on D, pc_a = (∂L/∂s'^a) on D and B^a_αβ = [h_α, h_β]^a (VE's sign):
///
/// ```text
/// Λ_αβ = pc_a B^a_αβ,    F_γαβ = ∂Λ_αβ/∂r'^γ,    gc = ∂²L_c/∂r'∂r',    K = gc⁻¹
/// E_α(L_c) = −Λ_αβ r'^β − A^a_α ∂_a L_c + F(h_α)                          nonholonomic
/// ```
///
/// Our gyroscopic form Ξ is −Λ; the force α* of DP-B13 is Λ_αβ r'^β. On a group factor ∂_a is the
/// invariant field e_a and nothing else changes (VE-C18).
///
/// ```
/// # use rattleback_language::{Source, parse};
/// # use rattleback_symbolic::Expr;
/// use rattleback_mechanics::{Problem, phase::Gyroscopic};
/// let text = "system knife\ncoord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\n\
///     constraint sin(phi)*x' = cos(phi)*y'\n";
/// let model = parse(&Source::new("knife.mech", text)).model.unwrap();
/// let knife = Problem::from_model(&model).unwrap().system;
/// use rattleback_mechanics::phase::NormalForm;
/// let split = NormalForm::with_fibre(&knife, &[1]).unwrap();
/// let data = Gyroscopic::of(&knife, &split).unwrap();
/// // Λ = −x' tan φ / cos² φ
/// let phi = Expr::from(&knife.frame().base()[2]);
/// let speed = Expr::from(&knife.frame().fibre()[0]);
/// let gap = &data.form()[(0, 1)] + speed * phi.tan() / phi.cos().powi(2);
/// assert!(knife.prove_zero(&[gap]).is_proven());
/// assert!(data.check_projectable().is_ok());
/// ```
#[derive(Clone, Debug)]
pub struct Gyroscopic {
    split: NormalForm,
    lagrangian: Expr,
    fibre_momenta: Vec<Expr>,
    metric: Matrix,
    form: Matrix,
    force: Vec<Expr>,
    on_groups: Vec<(Symbol, Expr)>,
}

impl Gyroscopic {
    /// The data of a system for an Ehresmann connection of its constraints.
    pub fn of(system: &System, split: &NormalForm) -> Result<Self, PhaseError> {
        first_order(system, "the constrained Lagrangian")?;
        let (frame, sections) = (system.frame(), split.sections());
        let lagrangian = sections
            .restrict(frame, std::slice::from_ref(system.lagrangian()))
            .swap_remove(0);
        let p = sections.restrict(frame, &system.momenta());
        let fibre_momenta: Vec<Expr> = split
            .connection()
            .fibre()
            .iter()
            .map(|&s| p[s].clone())
            .collect();
        let curvature = split.bracket_curvature();
        let form = skew(sections.rank(), |i, j| {
            let b: Vec<Expr> = curvature.iter().map(|m| m[(i, j)].clone()).collect();
            dot(&fibre_momenta, &b)
        });
        let force = sections.restrict(frame, system.force());
        Ok(Self {
            metric: hessian(&lagrangian, &sections.velocities),
            force: split.lifts().iter().map(|h| dot(h, &force)).collect(),
            split: split.clone(),
            on_groups: system.on_groups.clone(),
            lagrangian,
            fibre_momenta,
            form,
        })
    }

    /// The normal form of the constraints.
    pub fn split(&self) -> &NormalForm {
        &self.split
    }
    /// L_c(r, s, r') (VE-C04).
    pub fn lagrangian(&self) -> &Expr {
        &self.lagrangian
    }
    /// pc_a = (∂L/∂s'^a) on D.
    pub fn fibre_momenta(&self) -> &[Expr] {
        &self.fibre_momenta
    }
    /// gc_αβ.
    pub fn metric(&self) -> &Matrix {
        &self.metric
    }
    /// K = gc⁻¹.
    pub fn inverse_metric(&self) -> Result<Matrix, PhaseError> {
        inverse("the constrained metric", &self.metric)
    }
    /// Λ_αβ (VE-C06).
    pub fn form(&self) -> &Matrix {
        &self.form
    }
    /// F_γαβ = ∂Λ_αβ/∂r'^γ: one matrix per γ.
    pub fn tensor(&self) -> Vec<Matrix> {
        let v = self.split.base_velocities();
        v.iter().map(|s| self.form.map(|e| e.diff(s))).collect()
    }

    /// C^δ_αβ = F_γαβ K^γδ: one matrix per δ, so that Λ = C^δ p̃_δ with p̃ = ∂L_c/∂r'.
    pub fn structure(&self) -> Result<Vec<Matrix>, PhaseError> {
        let (k, f) = (self.inverse_metric()?, self.tensor());
        let d = f.len();
        let entry = |delta: usize, a: usize, b: usize| {
            Expr::sum((0..d).map(|g| &f[g][(a, b)] * &k[(g, delta)]))
        };
        Ok((0..d)
            .map(|delta| Matrix::new(d, d, |a, b| entry(delta, a, b)))
            .collect())
    }

    /// α*_α = Λ_αβ r'^β, the gyroscopic force of DP-B13; it does no work.
    pub fn gyroscopic_force(&self) -> Vec<Expr> {
        self.form.apply(&values(&self.split.base_velocities()))
    }

    /// Refuses a reduction whose Lagrangian or gyroscopic force sees the fibre: invariance of L on D
    /// alone is not enough (DP-B13, erratum 13).
    pub fn check_projectable(&self) -> Result<(), PhaseError> {
        let frame = self.split.frame();
        let data = [
            std::slice::from_ref(&self.lagrangian),
            &self.gyroscopic_force(),
        ]
        .concat();
        for component in &data {
            let slopes: Vec<Expr> = self
                .split
                .vertical_fields()
                .iter()
                .flat_map(|e| frame.act(e, std::slice::from_ref(component)))
                .collect();
            if !prove_all_zero(&substitute_all(&slopes, &self.on_groups)).is_proven() {
                return Err(PhaseError::NotProjectable {
                    component: component.clone(),
                });
            }
        }
        Ok(())
    }

    /// E_α(L_c) + A^a_α ∂_a L_c = d/dt ∂L_c/∂r'^α − h_α\[L_c\] along motions in D, by base
    /// accelerations.
    pub fn horizontal_derivative(&self) -> Vec<Expr> {
        lagrange_derivative(&self.split.horizontal_frame(), &self.lagrangian)
    }

    /// What vanishes along nonholonomic motions, in (r, s, r', r'') (VE-C05a, C18).
    pub fn nonholonomic_residual(&self) -> Vec<Expr> {
        let push = self.gyroscopic_force();
        let free = self.horizontal_derivative();
        free.iter()
            .zip(&push)
            .zip(&self.force)
            .map(|((e, p), f)| e + p - f)
            .collect()
    }

    /// What vanishes along vakonomic motions with multipliers μ_a, in (r, s, r', r'', μ):
    /// E_α(L_c) = (μ_a − pc_a) B^a_αβ r'^β − A^a_α ∂_a L_c (VE-C07c, C18).
    pub fn vakonomic_residual(&self, mu: &[Expr]) -> Vec<Expr> {
        let curvature = self.split.bracket_curvature();
        let v = values(&self.split.base_velocities());
        let free = self.horizontal_derivative();
        let excess: Vec<Expr> = mu
            .iter()
            .zip(&self.fibre_momenta)
            .map(|(m, p)| m - p)
            .collect();
        (0..free.len())
            .map(|alpha| {
                let turned: Vec<Expr> = curvature.iter().map(|b| dot(b.row(alpha), &v)).collect();
                &free[alpha] - dot(&excess, &turned) - &self.force[alpha]
            })
            .collect()
    }

    /// The rate of π = pc − μ along vakonomic motions, e_a\[L_c\] − ⟨P, [e_a, V]⟩ with V = r'^α h_α
    /// and P = (p̃, π) on (h_α, e_a): VE-C07c in coordinates, π' = ad*_ξ π on a group (VE-C18).
    pub fn multiplier_transport(&self, pi: &[Expr]) -> Vec<Expr> {
        let (frame, forms) = (self.split.frame(), self.split.connection().forms());
        let sections = self.split.sections();
        let momenta = self.lagrangian.gradient(&sections.velocities);
        let velocity = sections.velocity();
        let slope = frame.differential(&self.lagrangian);
        self.split
            .vertical_fields()
            .iter()
            .zip(self.split.connection().fibre())
            .map(|(e, &s)| {
                let bracket = frame.bracket(e, &velocity);
                let along: Vec<Expr> = self
                    .split
                    .connection()
                    .base()
                    .iter()
                    .map(|&b| bracket[b].clone())
                    .collect();
                &slope[s] - dot(&momenta, &along) - dot(pi, &forms.apply(&bracket))
            })
            .collect()
    }
}
