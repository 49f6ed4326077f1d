//! The Jacobiator of the constrained bracket in closed form (NG-B5, HJ-C09).

use super::coframe::columns;
use super::{FrameMomenta, PhaseError};
use crate::System;
use rattleback_geometry::{Frame, Section};
use rattleback_symbolic::{Expr, Matrix, dot};

/// With Jac(f, g, h) = {f, {g, h}} + cyclic and pr_⊥ the k-orthogonal projection off D:
///
/// ```text
/// Jac(z, z, ·) = 0
/// Jac(P_a, P_b, z^i) = ρ(pr_⊥[Z_a, Z_b])^i
/// Jac(P_a, P_b, P_e) = −Σ_cyc ⟨p, [Z_a, pr_⊥[Z_b, Z_e]]⟩
/// ```
///
/// At a point it vanishes exactly where [D, D] ⊂ D; everywhere exactly if D is involutive.
///
/// ```
/// # use rattleback_language::{Source, parse};
/// # use rattleback_symbolic::Expr;
/// use rattleback_mechanics::{Problem, phase::Jacobiator};
/// let text = "system knife\ncoord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\n\
///     constraint sin(phi)*x' = cos(phi)*y'\n";
/// let model = parse(&Source::new("knife.mech", text)).model.unwrap();
/// let knife = Problem::from_model(&model).unwrap().system;
/// let jacobiator = Jacobiator::of(&knife).unwrap();
/// // The bracket of sliding and turning points across the blade.
/// let across = jacobiator.with_positions(0, 1);
/// let phi = Expr::from(&knife.frame().base()[2]);
/// let size = across[0].powi(2) + across[1].powi(2) - 1;
/// let along = &across[0] * phi.cos() + &across[1] * phi.sin();
/// assert!(knife.prove_zero(&[size, along, across[2].clone()]).is_proven());
/// ```
#[derive(Clone, Debug)]
pub struct Jacobiator {
    frame: Frame,
    sections: Vec<Section>,
    covector: Vec<Expr>,
    complement: Matrix,
}

impl Jacobiator {
    /// For a system with a natural Lagrangian and linear constraints.
    pub fn of(system: &System) -> Result<Self, PhaseError> {
        let momenta = FrameMomenta::of(system)?;
        let projection = super::NonholonomicConnection::of(system)?;
        Ok(Self {
            frame: system.frame().clone(),
            sections: columns(&momenta.sections().basis),
            covector: momenta.covector().to_vec(),
            complement: projection.projection().complement(),
        })
    }

    /// pr_⊥[Z_a, Z_b], a section.
    pub fn normal_bracket(&self, a: usize, b: usize) -> Section {
        let bracket = self.frame.bracket(&self.sections[a], &self.sections[b]);
        self.complement.apply(&bracket)
    }

    /// Jac(P_a, P_b, z^i) for all i.
    pub fn with_positions(&self, a: usize, b: usize) -> Vec<Expr> {
        self.frame.anchored(&self.normal_bracket(a, b))
    }

    /// Jac(P_a, P_b, P_e), a function of (z, P).
    pub fn with_momenta(&self, a: usize, b: usize, e: usize) -> Expr {
        let term = |a: usize, b: usize, e: usize| {
            let inner = self.normal_bracket(b, e);
            dot(
                &self.covector,
                &self.frame.bracket(&self.sections[a], &inner),
            )
        };
        -(term(a, b, e) + term(b, e, a) + term(e, a, b))
    }
}
