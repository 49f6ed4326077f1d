//! Retractions from a Lie algebra to its group (AC-C5, CG-F1).

use crate::error::ChartError;
use crate::group::{Group, pairing};
use crate::law::Trivialization;
use crate::scalar::Scalar;

/// A map τ with τ(0) = e, T₀τ = 1 and τ(x) τ(−x) = e.
///
/// Tangents are trivialised by their side: for [`Trivialization::Space`], on the right,
/// dτ_x y = (Tτ·y) τ(x)⁻¹; for [`Trivialization::Body`], on the left, τ(x)⁻¹(Tτ·y) = dτ_{−x} y.
///
/// ```
/// use rattleback_lie::{Group, Retraction, ChartError};
/// let half_turn = [-1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 1.0];
/// let outside = Retraction::Cayley.invert(Group::SO3, &half_turn);
/// assert_eq!(outside, Err(ChartError::HalfTurn));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Retraction {
    /// τ = exp.
    Exponential,
    /// τ = cay, rational; it reaches no half turn.
    Cayley,
}

impl Retraction {
    /// All retractions.
    pub const ALL: [Retraction; 2] = [Retraction::Exponential, Retraction::Cayley];

    /// τ(x).
    pub fn apply<S: Scalar>(self, group: Group, x: &[S]) -> Vec<S> {
        match self {
            Retraction::Exponential => group.exp(x),
            Retraction::Cayley => group.cayley(x),
        }
    }

    /// τ⁻¹(g).
    pub fn invert<S: Scalar>(self, group: Group, g: &[S]) -> Result<Vec<S>, ChartError> {
        match self {
            Retraction::Exponential => group.log(g),
            Retraction::Cayley => group.cayley_inverse(g),
        }
    }

    /// dτ_x y.
    pub fn tangent<S: Scalar>(
        self,
        group: Group,
        side: Trivialization,
        x: &[S],
        y: &[S],
    ) -> Vec<S> {
        let mut out = y.to_vec();
        match self {
            Retraction::Exponential => group.dexp(side, x, y, &mut out),
            Retraction::Cayley => group.dcay(side, x, y, &mut out),
        }
        out
    }

    /// dτ_x⁻¹ y.
    pub fn tangent_inverse<S: Scalar>(
        self,
        group: Group,
        side: Trivialization,
        x: &[S],
        y: &[S],
    ) -> Result<Vec<S>, ChartError> {
        let mut out = y.to_vec();
        match self {
            Retraction::Exponential => group.dexp_inverse(side, x, y, &mut out)?,
            Retraction::Cayley => group.dcay_inverse(side, x, y, &mut out),
        }
        Ok(out)
    }

    /// (dτ_x)* m, with ⟨(dτ_x)* m, y⟩ = ⟨m, dτ_x y⟩.
    pub fn cotangent<S: Scalar>(
        self,
        group: Group,
        side: Trivialization,
        x: &[S],
        m: &[S],
    ) -> Vec<S> {
        group.transposed(m, |e| self.tangent(group, side, x, e))
    }

    /// (dτ_x⁻¹)* m, with ⟨(dτ_x⁻¹)* m, y⟩ = ⟨m, dτ_x⁻¹ y⟩: how a discrete momentum is read off.
    pub fn cotangent_inverse<S: Scalar>(
        self,
        group: Group,
        side: Trivialization,
        x: &[S],
        m: &[S],
    ) -> Result<Vec<S>, ChartError> {
        (0..group.dimension())
            .map(|b| self.tangent_inverse(group, side, x, &group.basis(b)))
            .map(|column| Ok(pairing(m, &column?)))
            .collect()
    }
}
