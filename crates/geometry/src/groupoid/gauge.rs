//! The gauge (Atiyah) groupoid of a trivial principal bundle, (Q × Q)/G.

use super::{GroupGroupoid, Groupoid, PairGroupoid};
use rattleback_lie::{DirectProduct, Scalar};

/// (x₀, x₁, h)(x₁, x₂, k) = (x₀, x₂, hk): steps of the shape and what the fibre does meanwhile.
///
/// ```
/// use rattleback_geometry::groupoid::{GaugeGroupoid, Groupoid};
/// use rattleback_geometry::{DirectProduct, Group};
/// let steps = GaugeGroupoid::new(1, DirectProduct::new(&[Group::R(1)]));
/// assert_eq!(steps.product(&[0.0, 1.0, 5.0], &[1.0, 4.0, 2.0]), [0.0, 4.0, 7.0]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GaugeGroupoid {
    shape: PairGroupoid,
    fibre: GroupGroupoid,
}

impl GaugeGroupoid {
    /// Over a shape space of this dimension.
    pub fn new(dimension: usize, group: DirectProduct) -> Self {
        Self {
            shape: PairGroupoid::new(dimension),
            fibre: GroupGroupoid::new(group),
        }
    }

    fn parts<'a, S>(&self, g: &'a [S]) -> (&'a [S], &'a [S]) {
        g.split_at(self.shape.coordinates())
    }

    fn sections<'a, S>(&self, x: &'a [S]) -> (&'a [S], &'a [S]) {
        x.split_at(self.shape.rank())
    }
}

impl Groupoid for GaugeGroupoid {
    fn coordinates(&self) -> usize {
        self.shape.coordinates() + self.fibre.coordinates()
    }
    fn base(&self) -> usize {
        self.shape.base()
    }
    fn rank(&self) -> usize {
        self.shape.rank() + self.fibre.rank()
    }

    fn source<S: Scalar>(&self, g: &[S]) -> Vec<S> {
        self.shape.source(self.parts(g).0)
    }
    fn target<S: Scalar>(&self, g: &[S]) -> Vec<S> {
        self.shape.target(self.parts(g).0)
    }
    fn unit<S: Scalar>(&self, x: &[S]) -> Vec<S> {
        [self.shape.unit(x), self.fibre.unit(&[])].concat()
    }
    fn inverse<S: Scalar>(&self, g: &[S]) -> Vec<S> {
        let (shape, fibre) = self.parts(g);
        [self.shape.inverse(shape), self.fibre.inverse(fibre)].concat()
    }
    fn product<S: Scalar>(&self, g: &[S], h: &[S]) -> Vec<S> {
        let ((x, g), (y, h)) = (self.parts(g), self.parts(h));
        [self.shape.product(x, y), self.fibre.product(g, h)].concat()
    }

    fn left<S: Scalar>(&self, g: &[S], x: &[S]) -> Vec<S> {
        let ((shape, fibre), (x, y)) = (self.parts(g), self.sections(x));
        [self.shape.left(shape, x), self.fibre.left(fibre, y)].concat()
    }
    fn right<S: Scalar>(&self, g: &[S], x: &[S]) -> Vec<S> {
        let ((shape, fibre), (x, y)) = (self.parts(g), self.sections(x));
        [self.shape.right(shape, x), self.fibre.right(fibre, y)].concat()
    }
    fn lifted<S: Scalar>(&self, g: &[S], u: &[S]) -> Vec<S> {
        let (shape, fibre) = self.parts(g);
        [self.shape.lifted(shape, u), self.fibre.lifted(fibre, &[])].concat()
    }
}
