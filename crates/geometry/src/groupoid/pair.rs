//! The pair groupoid Q × Q ⇉ Q of a coordinate space.

use super::{Groupoid, negated, zeros};
use rattleback_lie::Scalar;

/// (q, s)(s, r) = (q, r); its algebroid is TQ, X← = (0, X) and X→ = (−X, 0).
///
/// ```
/// use rattleback_geometry::groupoid::{Groupoid, PairGroupoid};
/// let pairs = PairGroupoid::new(2);
/// let step = [0.0, 1.0, 2.0, 3.0];
/// assert_eq!((pairs.source(&step), pairs.target(&step)), (vec![0.0, 1.0], vec![2.0, 3.0]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairGroupoid {
    dimension: usize,
}

impl PairGroupoid {
    /// Over a space of this dimension.
    pub fn new(dimension: usize) -> Self {
        Self { dimension }
    }
}

impl Groupoid for PairGroupoid {
    fn coordinates(&self) -> usize {
        2 * self.dimension
    }
    fn base(&self) -> usize {
        self.dimension
    }
    fn rank(&self) -> usize {
        self.dimension
    }

    fn source<S: Scalar>(&self, g: &[S]) -> Vec<S> {
        g[..self.dimension].to_vec()
    }
    fn target<S: Scalar>(&self, g: &[S]) -> Vec<S> {
        g[self.dimension..].to_vec()
    }
    fn unit<S: Scalar>(&self, x: &[S]) -> Vec<S> {
        [x, x].concat()
    }
    fn inverse<S: Scalar>(&self, g: &[S]) -> Vec<S> {
        [self.target(g), self.source(g)].concat()
    }
    fn product<S: Scalar>(&self, g: &[S], h: &[S]) -> Vec<S> {
        [self.source(g), self.target(h)].concat()
    }

    fn left<S: Scalar>(&self, _: &[S], x: &[S]) -> Vec<S> {
        [zeros(self.dimension), x.to_vec()].concat()
    }
    fn right<S: Scalar>(&self, _: &[S], x: &[S]) -> Vec<S> {
        [negated(x), zeros(self.dimension)].concat()
    }
    fn lifted<S: Scalar>(&self, _: &[S], u: &[S]) -> Vec<S> {
        [u.to_vec(), zeros(self.dimension)].concat()
    }
}
