//! The Lagrange derivative of any Lagrangian, and the test of an ideal reaction (NG-L1, K6).

use super::PhaseError;
use super::coframe::first_order;
use crate::System;
use crate::engine::{MassForm, euler_lagrange};
use rattleback_geometry::Frame;
use rattleback_symbolic::{Expr, Symbol, dot};

/// δℓ_A = d/dt ∂ℓ/∂y^A − ρ^i_A ∂ℓ/∂z^i + C^D_AB y^B ∂ℓ/∂y^D, in positions, velocities and
/// accelerations (NG-L1). It is natural: for z = f(s), δ(ℓ∘Tf) = (Df)ᵀ δℓ.
///
/// ```
/// use rattleback_geometry::Frame;
/// use rattleback_mechanics::phase::lagrange_derivative;
/// use rattleback_symbolic::{Expr, Symbol};
/// let x = Symbol::variable("x");
/// let l = Expr::from(x.jet(1)).powi(2) / 2 - Expr::from(&x).powi(2) / 2;
/// let free = lagrange_derivative(&Frame::coordinates(&[x.clone()]), &l);
/// assert_eq!(free, [Expr::from(x.jet(2)) + Expr::from(&x)]);
/// ```
pub fn lagrange_derivative(frame: &Frame, l: &Expr) -> Vec<Expr> {
    let none = vec![Expr::zero(); frame.rank()];
    let MassForm { mass, bias } = euler_lagrange(frame, l, 1, &none, &[]);
    let accelerations: Vec<Expr> = frame
        .fibre()
        .iter()
        .map(|y| y.derivative().into())
        .collect();
    mass.apply(&accelerations)
        .iter()
        .zip(&bias)
        .map(|(m, b)| m + b)
        .collect()
}

/// What vanishes at (z, y, y') exactly if the motion obeys the constraints with an ideal reaction
/// (NG-K6).
///
/// ```
/// # use rattleback_language::{Source, parse};
/// # use rattleback_symbolic::Expr;
/// use rattleback_mechanics::{Problem, phase::IdealReaction};
/// let text = "system knife\ncoord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\n\
///     constraint sin(phi)*x' = cos(phi)*y'\n";
/// let model = parse(&Source::new("knife.mech", text)).model.unwrap();
/// let knife = Problem::from_model(&model).unwrap().system;
/// let test = IdealReaction::of(&knife).unwrap();
/// // Two directions without work, one constraint and its derivative.
/// assert_eq!(test.all().len(), 4);
/// # let _ = Expr::zero();
/// ```
#[derive(Clone, Debug)]
pub struct IdealReaction {
    /// Z_b·(δL − F): the reaction does no work on D.
    pub work: Vec<Expr>,
    /// φ(y) + a.
    pub velocity: Vec<Expr>,
    /// d/dt(φ(y) + a).
    pub acceleration: Vec<Expr>,
}

impl IdealReaction {
    /// The residuals of a system, in positions, velocities and accelerations.
    pub fn of(system: &System) -> Result<Self, PhaseError> {
        first_order(system, "the test of an ideal reaction")?;
        let (frame, constraints) = (system.frame(), system.constraints());
        let sections = system.sections()?;
        let delta = lagrange_derivative(frame, system.lagrangian());
        let net: Vec<Expr> = delta
            .iter()
            .zip(system.force())
            .map(|(d, f)| d - f)
            .collect();
        let accelerations: Vec<Expr> = frame
            .fibre()
            .iter()
            .map(|y| Symbol::derivative(y).into())
            .collect();
        let bent = constraints.forms().apply(&accelerations);
        let drift = constraints.rate_at_rest(frame);
        Ok(Self {
            work: (0..sections.rank())
                .map(|b| dot(&sections.basis.column(b), &net))
                .collect(),
            velocity: constraints.residuals(frame),
            acceleration: bent.iter().zip(&drift).map(|(b, d)| b + d).collect(),
        })
    }

    /// All of them.
    pub fn all(&self) -> Vec<Expr> {
        [self.work.as_slice(), &self.velocity, &self.acceleration].concat()
    }
}
