//! The prolongation P^αG ⇉ G of a groupoid: where second-order discrete mechanics lives (CG-D7).

use super::{Groupoid, negated, zeros};
use rattleback_lie::{Scalar, tangent_map};

/// (g, h, r) with α(g) = α(h), β(h) = α(r), and (g, h, r)(r, k, s) = (g, hk, s).
///
/// A section is Z = (X, W) over the basis of AG twice: it moves h by X and r by Y = W← − X→, so that
/// Tβ X = Tα Y; then Z← = (0, X←(h), Y(r)) and Z→ = (−Y(g), X→(h), 0).
///
/// ```
/// use rattleback_geometry::groupoid::{Groupoid, PairGroupoid, Prolongation};
/// let twice = Prolongation::new(PairGroupoid::new(1));
/// let both = twice.of_pair(&[0.0, 1.0], &[1.0, 3.0]);
/// assert_eq!(twice.target(&both), [1.0, 3.0]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prolongation<G> {
    groupoid: G,
}

impl<G: Groupoid> Prolongation<G> {
    /// The prolongation of a groupoid.
    pub fn new(groupoid: G) -> Self {
        Self { groupoid }
    }

    /// The composable pair (g₁, g₂) as the element (g₁, g₁, g₂).
    pub fn of_pair<S: Scalar>(&self, first: &[S], second: &[S]) -> Vec<S> {
        [first, first, second].concat()
    }

    /// g, h and r.
    fn parts<'a, S>(&self, element: &'a [S]) -> [&'a [S]; 3] {
        let n = self.groupoid.coordinates();
        [0, 1, 2].map(|k| &element[k * n..(k + 1) * n])
    }

    /// Y(g) = W←(g) − X→(g).
    fn along<S: Scalar>(&self, g: &[S], z: &[S]) -> Vec<S> {
        let (x, w) = z.split_at(self.groupoid.rank());
        let parts = self.groupoid.left(g, w).into_iter();
        let parts = parts.zip(self.groupoid.right(g, x));
        parts.map(|(left, right)| left - right).collect()
    }
}

impl<G: Groupoid> Groupoid for Prolongation<G> {
    fn coordinates(&self) -> usize {
        3 * self.groupoid.coordinates()
    }
    fn base(&self) -> usize {
        self.groupoid.coordinates()
    }
    fn rank(&self) -> usize {
        2 * self.groupoid.rank()
    }

    fn source<S: Scalar>(&self, element: &[S]) -> Vec<S> {
        self.parts(element)[0].to_vec()
    }
    fn target<S: Scalar>(&self, element: &[S]) -> Vec<S> {
        self.parts(element)[2].to_vec()
    }
    fn unit<S: Scalar>(&self, g: &[S]) -> Vec<S> {
        let stay = self.groupoid.unit(&self.groupoid.source(g));
        [g, &stay, g].concat()
    }
    fn inverse<S: Scalar>(&self, element: &[S]) -> Vec<S> {
        let [g, h, r] = self.parts(element);
        [r, &self.groupoid.inverse(h), g].concat()
    }
    fn product<S: Scalar>(&self, first: &[S], second: &[S]) -> Vec<S> {
        let ([g, h, _], [_, k, s]) = (self.parts(first), self.parts(second));
        [g, &self.groupoid.product(h, k), s].concat()
    }

    fn left<S: Scalar>(&self, element: &[S], z: &[S]) -> Vec<S> {
        let [_, h, r] = self.parts(element);
        let x = &z[..self.groupoid.rank()];
        let still = zeros(self.groupoid.coordinates());
        [still, self.groupoid.left(h, x), self.along(r, z)].concat()
    }
    fn right<S: Scalar>(&self, element: &[S], z: &[S]) -> Vec<S> {
        let [g, h, _] = self.parts(element);
        let x = &z[..self.groupoid.rank()];
        let still = zeros(self.groupoid.coordinates());
        let back = negated(&self.along(g, z));
        [back, self.groupoid.right(h, x), still].concat()
    }
    /// h begins where g does, and r where h ends.
    fn lifted<S: Scalar>(&self, element: &[S], u: &[S]) -> Vec<S> {
        let [g, h, r] = self.parts(element);
        let begins = tangent_map(|g| self.groupoid.source(g), g, u);
        let step = self.groupoid.lifted(h, &begins);
        let ends = tangent_map(|h| self.groupoid.target(h), h, &step);
        [u, &step, &self.groupoid.lifted(r, &ends)].concat()
    }
}
