//! The symplectic distribution (H, ϖ) in a frame of the constraint distribution
//! (NG-H6, H7, H8, B1, B6, B7).

use super::PhaseError;
use super::coframe::{first_order, linear_constraints, values};
use super::elimination::inverse;
use crate::System;
use crate::engine::hessian;
use rattleback_geometry::{Frame, Section, Subframe};
use rattleback_symbolic::{Expr, Matrix, Symbol, Verdict, dot, prove_all_zero, substitute_all};

/// On Q × ℝ^d ∋ (z, v), y = v^a Z_a: H = D × ℝ^d with basis (Z_a, 0), (0, ∂/∂v^a) and
///
/// ```text
/// ϖ = [[−B, A], [−A, 0]],    A_ab = ∂²l/∂v^a∂v^b  (= k(Z_a, Z_b)),    l = L on D
/// B_ab = Z_a(p·Z_b) − Z_b(p·Z_a) − p·[Z_a, Z_b],  v frozen, p = ∂L/∂y on D
/// ```
///
/// The printed block +B is wrong (E9).
///
/// ```
/// # use rattleback_language::{Source, parse};
/// # use rattleback_symbolic::Expr;
/// use rattleback_mechanics::{Problem, phase::SymplecticDistribution};
/// let text = "system knife\ncoord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\n\
///     constraint sin(phi)*x' = cos(phi)*y'\n";
/// let model = parse(&Source::new("knife.mech", text)).model.unwrap();
/// let knife = Problem::from_model(&model).unwrap().system;
/// let h = SymplecticDistribution::of(&knife).unwrap();
/// let y_h = h.field(h.energy());
/// // Free: constant speed along the blade, constant turning.
/// assert!(knife.prove_zero(&y_h.rates).is_proven());
/// assert!(h.is_second_order(h.energy()).is_proven());
/// assert!(h.is_casimir(&Expr::from(&knife.frame().base()[0])).is_refuted());
/// ```
#[derive(Clone, Debug)]
pub struct SymplecticDistribution {
    frame: Frame,
    sections: Subframe,
    lagrangian: Expr,
    energy: Expr,
    metric: Matrix,
    inverse_metric: Matrix,
    twist: Matrix,
    on_groups: Vec<(Symbol, Expr)>,
}

/// A field in H: Σ a^a (Z_a, 0) + Σ b^a (0, ∂/∂v^a).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistributionField {
    /// Tτ of the field, in the frame Z_a of D.
    pub velocities: Vec<Expr>,
    /// The rates of v^a.
    pub rates: Vec<Expr>,
}

impl SymplecticDistribution {
    /// The symplectic distribution of a system with linear constraints.
    pub fn of(system: &System) -> Result<Self, PhaseError> {
        let what = "the symplectic distribution";
        first_order(system, what)?;
        linear_constraints(system, what)?;
        let (frame, sections) = (system.frame(), system.sections()?);
        let mut restricted =
            sections.restrict(frame, &[system.lagrangian().clone(), system.energy()]);
        let energy = restricted.remove(1);
        let lagrangian = restricted.remove(0);
        let metric = hessian(&lagrangian, &sections.velocities);
        Ok(Self {
            inverse_metric: inverse("the metric of the distribution", &metric)?,
            twist: symplectic_block(frame, sections, &system.momenta()),
            frame: frame.clone(),
            sections: sections.clone(),
            on_groups: system.on_groups.clone(),
            lagrangian,
            energy,
            metric,
        })
    }

    /// The frame of D.
    pub fn sections(&self) -> &Subframe {
        &self.sections
    }
    /// The section Z_a.
    pub fn section(&self, a: usize) -> Section {
        self.sections.basis.column(a)
    }
    /// The velocities v^a.
    pub fn velocities(&self) -> &[Symbol] {
        &self.sections.velocities
    }
    /// The restricted Lagrangian l(z, v).
    pub fn lagrangian(&self) -> &Expr {
        &self.lagrangian
    }
    /// The restricted energy h(z, v).
    pub fn energy(&self) -> &Expr {
        &self.energy
    }
    /// A_ab.
    pub fn metric(&self) -> &Matrix {
        &self.metric
    }
    /// A⁻¹.
    pub fn inverse_metric(&self) -> &Matrix {
        &self.inverse_metric
    }
    /// B_ab; ϖ((Z_a, 0), (Z_b, 0)) = −B_ab.
    pub fn twist(&self) -> &Matrix {
        &self.twist
    }

    /// ϖ on the basis (Z_a, 0), (0, ∂/∂v^a); its determinant is det(A)².
    pub fn form(&self) -> Matrix {
        let d = self.metric.rows();
        let (corner, below) = (self.twist.map(|e| -e), self.metric.map(|e| -e));
        corner.bordered(&self.metric, &below, &Matrix::zeros(d, d))
    }

    /// A function on TQ restricted to D, in (z, v).
    pub fn restrict(&self, f: &Expr) -> Expr {
        self.sections
            .restrict(&self.frame, std::slice::from_ref(f))
            .swap_remove(0)
    }

    /// Z_a\[f\] with v frozen, for all a.
    fn slopes(&self, f: &Expr) -> Vec<Expr> {
        let differential = self.frame.differential(f);
        (0..self.sections.rank())
            .map(|a| dot(&self.section(a), &differential))
            .collect()
    }

    /// Y_f with ϖ(Y_f, ·) = df on H: a = A⁻¹ f_v and b = A⁻¹(B a − Z·∂f) (NG-H7).
    pub fn field(&self, f: &Expr) -> DistributionField {
        let velocities = self.inverse_metric.apply(&f.gradient(self.velocities()));
        let turned = self.twist.apply(&velocities);
        let pull: Vec<Expr> = turned
            .iter()
            .zip(&self.slopes(f))
            .map(|(t, s)| t - s)
            .collect();
        DistributionField {
            rates: self.inverse_metric.apply(&pull),
            velocities,
        }
    }

    /// Y\[f\] for a field in H.
    pub fn apply(&self, y: &DistributionField, f: &Expr) -> Expr {
        dot(&y.velocities, &self.slopes(f)) + dot(&y.rates, &f.gradient(self.velocities()))
    }

    /// {f, g} = ϖ(Y_f, Y_g) = Y_g\[f\], so that f' = {f, h} (NG-B1).
    pub fn bracket(&self, f: &Expr, g: &Expr) -> Expr {
        self.apply(&self.field(g), f)
    }

    /// The same field on TQ along D: the frame components of z' and of y' = v'^a Z_a + v^a (Y Z_a).
    pub fn ambient(&self, y: &DistributionField) -> super::PhaseField {
        let base = self.sections.basis.apply(&y.velocities);
        let velocity = self.sections.velocity();
        let along = self.frame.act(&base, &velocity);
        let moved = self.sections.basis.apply(&y.rates);
        super::PhaseField {
            base,
            fibre: along.iter().zip(&moved).map(|(a, m)| a + m).collect(),
        }
    }

    fn proven(&self, all: &[Expr]) -> Verdict {
        prove_all_zero(&substitute_all(all, &self.on_groups))
    }

    /// Does Y_f project to the velocity, Tτ Y_f(u) = u? Exactly where f_v = A v, that is f = T + V on
    /// D (NG-H8).
    pub fn is_second_order(&self, f: &Expr) -> Verdict {
        let here = self.metric.apply(&values(self.velocities()));
        let gradient = f.gradient(self.velocities());
        let rest: Vec<Expr> = gradient.iter().zip(&here).map(|(g, h)| g - h).collect();
        self.proven(&rest)
    }

    /// Is Y_f = 0, that is df = 0 on H (NG-B6)?
    pub fn is_casimir(&self, f: &Expr) -> Verdict {
        let along = [f.gradient(self.velocities()), self.slopes(f)].concat();
        self.proven(&along)
    }

    /// Is f a first integral, {f, h} = 0?
    pub fn is_conserved(&self, f: &Expr) -> Verdict {
        self.proven(&[self.bracket(f, &self.energy)])
    }

    /// Is f homogeneous of degree r in v, v^a ∂f/∂v^a = r f? The bracket of degrees r and s has degree
    /// r + s − 1 (NG-B7) where L is natural.
    pub fn is_homogeneous(&self, f: &Expr, degree: i64) -> Verdict {
        let euler = dot(&values(self.velocities()), &f.gradient(self.velocities()));
        self.proven(&[euler - degree * f])
    }

    /// The section of D whose momentum P_Z = p(Z) restricts to a function linear in v: A⁻¹ f_v, in
    /// the frame Z_a (NG-B7).
    pub fn section_of_linear(&self, f: &Expr) -> Vec<Expr> {
        self.inverse_metric.apply(&f.gradient(self.velocities()))
    }
}

/// B_ab = Z_a(p·Z_b) − Z_b(p·Z_a) − p·[Z_a, Z_b] with the quasi-velocities frozen.
pub(crate) fn symplectic_block(frame: &Frame, sections: &Subframe, momenta: &[Expr]) -> Matrix {
    let p = sections.restrict(frame, momenta);
    let k = sections.rank();
    let z: Vec<Vec<Expr>> = (0..k).map(|a| sections.basis.column(a)).collect();
    let paired: Vec<Expr> = z.iter().map(|v| dot(&p, v)).collect();
    let slopes: Vec<Vec<Expr>> = z.iter().map(|v| frame.act(v, &paired)).collect();
    let mut b = Matrix::zeros(k, k);
    for i in 0..k {
        for j in i + 1..k {
            let value = &slopes[i][j] - &slopes[j][i] - dot(&p, &frame.bracket(&z[i], &z[j]));
            b[(j, i)] = -&value;
            b[(i, j)] = value;
        }
    }
    b
}
