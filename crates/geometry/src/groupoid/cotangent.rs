//! The cotangent groupoid T*G ⇉ A*G.

use super::morphism::components;
use super::{ActionGroupoid, Coadjoint, Groupoid, PairGroupoid, basis, negated, pairing};
use rattleback_lie::{DirectProduct, Scalar, tangent_map};

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

/// μ ⊕ ν over gh for covectors with β̃(μ) = α̃(ν), by its values on the coordinate directions (AC-PR9):
///
/// ```text
/// (μ ⊕ ν)(Tm(X, Y)) = μ(X) + ν(Y)
/// ```
///
/// A direction Z at gh is Tm(X, Y) with any X that moves the source as Z does, and Y = Tm(Ti X, Z).
pub fn cotangent_product<S: Scalar>(
    groupoid: &impl Groupoid,
    (g, mu): (&[S], &[S]),
    (h, nu): (&[S], &[S]),
) -> Vec<S> {
    let (n, both) = (groupoid.coordinates(), groupoid.product(g, h));
    let back = groupoid.inverse(g);
    let value = |i: usize| {
        let z = basis(n, i);
        let begins = tangent_map(|g| groupoid.source(g), &both, &z);
        let x = groupoid.lifted(g, &begins);
        let turned = tangent_map(|g| groupoid.inverse(g), g, &x);
        let pair = [back.clone(), both.clone()].concat();
        let y = tangent_map(
            |pair| groupoid.product(&pair[..n], &pair[n..]),
            &pair,
            &[turned, z].concat(),
        );
        pairing(mu, &x) + pairing(nu, &y)
    };
    (0..n).map(value).collect()
}

/// ĩ(μ)(X) = −μ(Ti X), over g⁻¹.
pub fn cotangent_inverse<S: Scalar>(groupoid: &impl Groupoid, g: &[S], mu: &[S]) -> Vec<S> {
    let (n, back) = (groupoid.coordinates(), groupoid.inverse(g));
    let value = |i: usize| {
        let there = tangent_map(|g| groupoid.inverse(g), &back, &basis(n, i));
        -pairing(mu, &there)
    };
    (0..n).map(value).collect()
}

/// ε̃(a) over ε(x): a on AG, zero on units. None where rounding hides the basis of AG.
pub fn cotangent_unit(groupoid: &impl Groupoid, x: &[f64], a: &[f64]) -> Option<Vec<f64>> {
    let (unit, rank) = (groupoid.unit(x), groupoid.rank());
    let fields = (0..rank).map(|b| groupoid.left(&unit, &basis(rank, b)));
    let along = (0..x.len()).map(|i| tangent_map(|x| groupoid.unit(x), x, &basis(x.len(), i)));
    let vectors: Vec<Vec<f64>> = fields.chain(along).collect();
    let values: Vec<f64> = a.iter().copied().chain(x.iter().map(|_| 0.0)).collect();
    dual(&vectors, &values)
}

/// A covector with these values on independent vectors, in their span.
fn dual(vectors: &[Vec<f64>], values: &[f64]) -> Option<Vec<f64>> {
    let gram: Vec<Vec<f64>> = vectors
        .iter()
        .map(|v| vectors.iter().map(|w| pairing(v, w)).collect())
        .collect();
    let parts = components(&gram, values)?;
    let n = vectors.first().map_or(0, Vec::len);
    let entry = |i: usize| parts.iter().zip(vectors).map(|(c, v)| c * v[i]).sum();
    Some((0..n).map(entry).collect())
}

/// Cotangent groupoids by what they are isomorphic to.
///
/// The product is that of covectors over composable steps, (μ·ν)(X·Y) = μ(X) + ν(Y), and its graph is
/// Lagrangian.
///
/// ```
/// use rattleback_geometry::groupoid::{Cotangent, Groupoid};
/// // A step from 0 to 1 with the slopes −2 and 2: the momentum is 2 at both ends.
/// let covector = Cotangent::of_pair(&[0.0, 1.0], &[-2.0, 2.0]);
/// let steps = Cotangent::of_pairs(1);
/// assert_eq!((steps.source(&covector), steps.target(&covector)), (vec![0.0, 2.0], vec![1.0, 2.0]));
/// ```
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
