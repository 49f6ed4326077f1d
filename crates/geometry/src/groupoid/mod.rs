//! Lie groupoids: the spaces of steps that discrete mechanics lives on (CG-C3).
//!
//! An element g is a step from its source α(g) to its target β(g). Elements and points are lists of
//! coordinates over a scalar that is exact or floating, as for the groups of [`rattleback_lie`].

mod action;
mod cotangent;
mod gauge;
mod group;
mod morphism;
mod pair;
mod prolongation;

pub use action::{ActionGroupoid, Coadjoint, RightAction, RowVectors, Translations};
pub use cotangent::{
    Cotangent, cotangent_inverse, cotangent_product, cotangent_source, cotangent_target,
    cotangent_unit,
};
pub use gauge::GaugeGroupoid;
pub use group::GroupGroupoid;
pub use morphism::{Acting, Anchor, GroupoidMorphism, Shape};
pub use pair::PairGroupoid;
pub use prolongation::Prolongation;

use rattleback_lie::Scalar;

/// A Lie groupoid G ⇉ M with its algebroid AG = ker Tα along the units.
///
/// ```
/// use rattleback_geometry::groupoid::{Groupoid, PairGroupoid};
/// let steps = PairGroupoid::new(1);
/// assert_eq!(steps.composed(&[0.0, 1.0], &[1.0, 3.0], 0.0), Ok(vec![0.0, 3.0]));
/// assert!(steps.composed(&[0.0, 1.0], &[2.0, 3.0], 1e-9).is_err());
/// ```
pub trait Groupoid {
    /// How many coordinates an element has.
    fn coordinates(&self) -> usize;
    /// How many coordinates a point of the base has.
    fn base(&self) -> usize;
    /// The rank of the algebroid.
    fn rank(&self) -> usize;

    /// α(g), where a step begins.
    fn source<S: Scalar>(&self, g: &[S]) -> Vec<S>;
    /// β(g), where it ends.
    fn target<S: Scalar>(&self, g: &[S]) -> Vec<S>;
    /// ε(x), the step that stays at x.
    fn unit<S: Scalar>(&self, x: &[S]) -> Vec<S>;
    /// g⁻¹, the step back.
    fn inverse<S: Scalar>(&self, g: &[S]) -> Vec<S>;
    /// g h, one step after the other, for β(g) = α(h).
    fn product<S: Scalar>(&self, g: &[S], h: &[S]) -> Vec<S>;

    /// The left-invariant field X←(g) = T l_g X(β(g)): it moves the end of a step.
    fn left<S: Scalar>(&self, g: &[S], x: &[S]) -> Vec<S>;
    /// The right-invariant field X→(g) = −T(r_g ∘ i) X(α(g)): it moves the beginning, backwards.
    fn right<S: Scalar>(&self, g: &[S], x: &[S]) -> Vec<S>;

    /// A vector at g that moves the source by u, and nothing else where that is possible.
    fn lifted<S: Scalar>(&self, g: &[S], u: &[S]) -> Vec<S>;

    /// What must vanish for g h to exist: β(g) − α(h).
    fn gap<S: Scalar>(&self, g: &[S], h: &[S]) -> Vec<S> {
        let ends = self.target(g).into_iter().zip(self.source(h));
        ends.map(|(end, start)| end - start).collect()
    }

    /// g h where the steps meet within a tolerance.
    fn composed(&self, g: &[f64], h: &[f64], tolerance: f64) -> Result<Vec<f64>, NotComposable> {
        let gap = self.gap(g, h).iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        if gap <= tolerance {
            Ok(self.product(g, h))
        } else {
            Err(NotComposable { gap })
        }
    }
}

/// Two steps of which the second does not begin where the first ends.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the second step begins {gap:e} away from where the first ends")]
pub struct NotComposable {
    /// The largest difference of a coordinate.
    pub gap: f64,
}

/// The basis vector e_A of a fibre of this rank.
pub(crate) fn basis<S: Scalar>(rank: usize, a: usize) -> Vec<S> {
    (0..rank).map(|b| S::kronecker(a, b)).collect()
}

/// ⟨m, v⟩.
fn pairing<S: Scalar>(m: &[S], v: &[S]) -> S {
    let terms = m.iter().zip(v).map(|(m, v)| m.clone() * v);
    terms.fold(S::zero(), |sum, t| sum + t)
}

fn zeros<S: Scalar>(n: usize) -> Vec<S> {
    vec![S::zero(); n]
}

fn negated<S: Scalar>(v: &[S]) -> Vec<S> {
    v.iter().map(|x| -x.clone()).collect()
}
