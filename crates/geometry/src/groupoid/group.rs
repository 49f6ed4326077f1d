//! A Lie group as a groupoid over a point.

use super::{Groupoid, zeros};
use rattleback_lie::{DirectProduct, Scalar, Trivialization};

/// Every two elements can be multiplied; X← = gX and X→ = Xg.
///
/// ```
/// use rattleback_geometry::groupoid::{GroupGroupoid, Groupoid};
/// use rattleback_geometry::{DirectProduct, Group};
/// let turns = GroupGroupoid::new(DirectProduct::new(&[Group::SO2]));
/// assert_eq!((turns.base(), turns.rank()), (0, 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupGroupoid {
    group: DirectProduct,
}

impl GroupGroupoid {
    /// The groupoid of a group.
    pub fn new(group: DirectProduct) -> Self {
        Self { group }
    }
}

impl Groupoid for GroupGroupoid {
    fn coordinates(&self) -> usize {
        self.group.coordinates()
    }
    fn base(&self) -> usize {
        0
    }
    fn rank(&self) -> usize {
        self.group.dimension()
    }

    fn source<S: Scalar>(&self, _: &[S]) -> Vec<S> {
        Vec::new()
    }
    fn target<S: Scalar>(&self, _: &[S]) -> Vec<S> {
        Vec::new()
    }
    fn unit<S: Scalar>(&self, _: &[S]) -> Vec<S> {
        self.group.identity()
    }
    fn inverse<S: Scalar>(&self, g: &[S]) -> Vec<S> {
        self.group.inverse(g)
    }
    fn product<S: Scalar>(&self, g: &[S], h: &[S]) -> Vec<S> {
        self.group.product(g, h)
    }

    fn left<S: Scalar>(&self, g: &[S], x: &[S]) -> Vec<S> {
        translated(&self.group, Trivialization::Body, g, x)
    }
    fn right<S: Scalar>(&self, g: &[S], x: &[S]) -> Vec<S> {
        translated(&self.group, Trivialization::Space, g, x)
    }
    fn lifted<S: Scalar>(&self, g: &[S], _: &[S]) -> Vec<S> {
        zeros(g.len())
    }
}

/// gX for the body side, Xg for the space side.
pub(super) fn translated<S: Scalar>(
    group: &DirectProduct,
    side: Trivialization,
    g: &[S],
    x: &[S],
) -> Vec<S> {
    let parts = group.elements(g).zip(group.velocities(x));
    parts
        .flat_map(|((f, g), (_, x))| f.rates(side, g, x))
        .collect()
}
