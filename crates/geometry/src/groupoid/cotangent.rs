//! The cotangent groupoid T*G ⇉ A*G.

use super::{ActionGroupoid, Coadjoint, Groupoid, PairGroupoid, basis, negated, pairing};
use rattleback_lie::{DirectProduct, Scalar};

/// α̃(μ) on the basis of AG: ⟨μ, e_A→(g)⟩. With μ = dL_d this is the momentum at the beginning of a step.
pub fn cotangent_source<S: Scalar>(groupoid: &impl Groupoid, g: &[S], mu: &[S]) -> Vec<S> {
    let rank = groupoid.rank();
    (0..rank)
        .map(|a| pairing(mu, &groupoid.right(g, &basis(rank, a))))
        .collect()
}

/// β̃(μ) on the basis of AG: ⟨μ, e_A←(g)⟩. With μ = dL_d this is the momentum at the end of a step.
pub fn cotangent_target<S: Scalar>(groupoid: &impl Groupoid, g: &[S], mu: &[S]) -> Vec<S> {
    let rank = groupoid.rank();
    (0..rank)
        .map(|a| pairing(mu, &groupoid.left(g, &basis(rank, a))))
        .collect()
}

/// Cotangent groupoids by what they are isomorphic to.
///
/// The product is that of covectors over composable steps, (μ·ν)(X·Y) = μ(X) + ν(Y), and its graph is
/// Lagrangian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cotangent;

impl Cotangent {
    /// T*G of a group is the action groupoid g* ⋊ G of the coadjoint action: a covector over g is
    /// (α̃(μ), g), and β̃(μ) = Ad*_g α̃(μ).
    pub fn of_group(group: DirectProduct) -> ActionGroupoid<Coadjoint> {
        ActionGroupoid::new(Coadjoint(group))
    }

    /// T*(Q × Q) of a pair groupoid is the pair groupoid of T*Q: a covector (μ₀, μ₁) over (q₀, q₁) goes
    /// from (q₀, −μ₀) to (q₁, μ₁).
    pub fn of_pairs(dimension: usize) -> PairGroupoid {
        PairGroupoid::new(2 * dimension)
    }

    /// The element of [`Cotangent::of_pairs`] that a covector over a pair of points is.
    pub fn of_pair<S: Scalar>(pair: &[S], mu: &[S]) -> Vec<S> {
        let n = pair.len() / 2;
        let (q0, q1) = pair.split_at(n);
        [q0, &negated(&mu[..n]), q1, &mu[n..]].concat()
    }
}
