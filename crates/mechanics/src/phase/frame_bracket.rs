//! The almost-Poisson bracket on the momenta of the constraint distribution
//! (HJ-C07, C08, C12; NG-B2, M3; CG-A3).

use super::PhaseError;
use super::coframe::{first_order, legendre_inverse, linear_constraints, skew, values};
use super::elimination::inverse;
use crate::System;
use crate::engine::hessian;
use crate::equations::BracketMatrix;
use rattleback_geometry::{Frame, Subframe};
use rattleback_symbolic::{Expr, Matrix, Symbol, dot, substitute_all};

/// The bracket of (z, P), P_a = ⟨p, e_a⟩, with entries in the positions and velocities of D:
///
/// ```text
/// {z^i, z^j} = 0,   {z^i, P_a} = ρ(e_a)^i,   {P_a, P_b} = −⟨p, [e_a, e_b]⟩,   p = ∂L/∂y on D
/// ```
pub(crate) fn frame_bracket_matrix(frame: &Frame, sections: &Subframe, momenta: &[Expr]) -> Matrix {
    let p = sections.restrict(frame, momenta);
    let (n, k) = (frame.base().len(), sections.rank());
    let e: Vec<Vec<Expr>> = (0..k).map(|a| sections.basis.column(a)).collect();
    let anchored: Vec<Vec<Expr>> = e.iter().map(|x| frame.anchored(x)).collect();
    skew(n + k, |i, j| match (i < n, j < n) {
        (true, true) => Expr::zero(),
        (true, false) => anchored[j - n][i].clone(),
        _ => -dot(&p, &frame.bracket(&e[i - n], &e[j - n])),
    })
}

/// The constrained momentum space 𝓜 = FL(D) with coordinates (z, P), for L quadratic in the
/// velocities: v = A⁻¹(P − …), the bracket and the Hamiltonian as functions of (z, P).
///
/// ```
/// # use rattleback_language::{Source, parse};
/// # use rattleback_symbolic::Expr;
/// use rattleback_mechanics::{Problem, phase::FrameMomenta};
/// let text = "system knife\ncoord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\n\
///     constraint sin(phi)*x' = cos(phi)*y'\n";
/// let model = parse(&Source::new("knife.mech", text)).model.unwrap();
/// let knife = Problem::from_model(&model).unwrap().system;
/// let momenta = FrameMomenta::of(&knife).unwrap();
/// assert_eq!(momenta.bracket().coordinates.len(), 5);
/// assert_eq!(momenta.bracket().symplectic_space(&[]).unwrap().rank(), 4);
/// // A knife edge is not holonomic, so its bracket is not Poisson.
/// assert!(momenta.bracket().is_poisson(&[]).is_refuted());
/// ```
#[derive(Clone, Debug)]
pub struct FrameMomenta {
    frame: Frame,
    sections: Subframe,
    momenta: Vec<Symbol>,
    /// v^a in (z, P).
    velocities: Vec<Expr>,
    /// The full momentum p_A in (z, P).
    covector: Vec<Expr>,
    hamiltonian: Expr,
    bracket: BracketMatrix,
}

impl FrameMomenta {
    /// The momenta of the frame of D.
    pub fn of(system: &System) -> Result<Self, PhaseError> {
        let what = "the constrained momentum space";
        first_order(system, what)?;
        linear_constraints(system, what)?;
        let (frame, sections) = (system.frame(), system.sections()?);
        let named = sections.velocities.iter();
        let momenta: Vec<Symbol> = named
            .map(|v| system.names().reduced_momentum(v.name()))
            .collect();
        let restricted = sections.restrict(frame, &[system.lagrangian().clone(), system.energy()]);
        let values = values(&momenta);
        let v = legendre_inverse(
            what,
            &restricted[0].gradient(&sections.velocities),
            &sections.velocities,
            &values,
        )?;
        let known: Vec<(Symbol, Expr)> = sections
            .velocities
            .iter()
            .cloned()
            .zip(v.iter().cloned())
            .collect();
        let p = substitute_all(&sections.restrict(frame, &system.momenta()), &known);
        let matrix = frame_bracket_matrix(frame, sections, &system.momenta());
        let entries = substitute_all(matrix.entries(), &known);
        let size = matrix.cols();
        Ok(Self {
            bracket: BracketMatrix {
                coordinates: [frame.base(), &momenta].concat(),
                matrix: Matrix::new(size, size, |i, j| entries[i * size + j].clone()),
            },
            hamiltonian: restricted[1].substitute(&known),
            frame: frame.clone(),
            sections: sections.clone(),
            momenta,
            velocities: v,
            covector: p,
        })
    }

    /// The momentum symbols P_a.
    pub fn momenta(&self) -> &[Symbol] {
        &self.momenta
    }
    /// The frame of D.
    pub fn sections(&self) -> &Subframe {
        &self.sections
    }
    /// v^a = ∂H/∂P_a.
    pub fn velocities(&self) -> &[Expr] {
        &self.velocities
    }
    /// The parametrisation of 𝓜 by (z, P): p = g Z_a g_D^ab P_b for natural L (HJ-C07).
    pub fn covector(&self) -> &[Expr] {
        &self.covector
    }
    /// H on 𝓜, as a function of (z, P).
    pub fn hamiltonian(&self) -> &Expr {
        &self.hamiltonian
    }
    /// The bracket of (z, P), so that f' = {f, H}; rank 2d (HJ-C08, NG-B2).
    pub fn bracket(&self) -> &BracketMatrix {
        &self.bracket
    }

    /// Ω on the basis (lift of Z_a, ∂/∂P_a) of F ∩ T𝓜: [[p([Z_a, Z_b]), 1], [−1, 0]], of
    /// determinant 1 (HJ-C12).
    pub fn two_form(&self) -> Matrix {
        let k = self.sections.rank();
        let e: Vec<Vec<Expr>> = (0..k).map(|a| self.sections.basis.column(a)).collect();
        let corner = skew(k, |a, b| {
            dot(&self.covector, &self.frame.bracket(&e[a], &e[b]))
        });
        let one = Matrix::identity(k);
        corner.bordered(&one, &one.map(|e| -e), &Matrix::zeros(k, k))
    }
}

/// Brackets of ambient positions and velocities restricted to D (NG-B2).
///
/// ```
/// # use rattleback_language::{Source, parse};
/// # use rattleback_symbolic::Expr;
/// use rattleback_mechanics::{Problem, phase::VelocityBrackets};
/// let text = "system knife\ncoord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\n\
///     constraint sin(phi)*x' = cos(phi)*y'\n";
/// let model = parse(&Source::new("knife.mech", text)).model.unwrap();
/// let knife = Problem::from_model(&model).unwrap().system;
/// let brackets = VelocityBrackets::of(&knife).unwrap();
/// let phi = Expr::from(&knife.frame().base()[2]);
/// let gap = &brackets.position_velocity[(0, 0)] - phi.cos().powi(2);
/// assert!(knife.prove_zero(&[gap]).is_proven());
/// ```
#[derive(Clone, Debug)]
pub struct VelocityBrackets {
    /// {z^i, y^A} = ρ(Y_A)^i.
    pub position_velocity: Matrix,
    /// {y^A, y^B} = −⟨p, [Y_A, Y_B]⟩ on D, in (z, v).
    pub velocity_velocity: Matrix,
}

impl VelocityBrackets {
    /// With Y_A = pr_D k♯e^A = Z A⁻¹ Zᵀ e^A, for L quadratic in the velocities.
    pub fn of(system: &System) -> Result<Self, PhaseError> {
        let what = "the bracket of velocities";
        first_order(system, what)?;
        linear_constraints(system, what)?;
        let (frame, sections) = (system.frame(), system.sections()?);
        let l = sections
            .restrict(frame, std::slice::from_ref(system.lagrangian()))
            .swap_remove(0);
        let metric = hessian(&l, &sections.velocities);
        if metric
            .entries()
            .iter()
            .any(|e| e.contains_any(&sections.velocities))
        {
            return Err(PhaseError::NotQuadratic { what });
        }
        let upper = inverse("the metric of the distribution", &metric)?;
        let z = &sections.basis;
        let fields = &(z * &upper) * &z.transpose();
        let p = sections.restrict(frame, &system.momenta());
        let y: Vec<Vec<Expr>> = super::coframe::columns(&fields);
        Ok(Self {
            position_velocity: frame.anchor() * &fields,
            velocity_velocity: skew(frame.rank(), |a, b| -dot(&p, &frame.bracket(&y[a], &y[b]))),
        })
    }
}
