//! Action groupoids P ⋊ G ⇉ P of right actions.

use super::group::translated;
use super::{Groupoid, basis, negated, pairing, zeros};
use rattleback_lie::{DirectProduct, Group, Scalar, Trivialization};

/// A right action of a group on a space of points, (p·g)·h = p·(gh).
pub trait RightAction {
    /// The group.
    fn group(&self) -> &DirectProduct;
    /// How many coordinates a point has.
    fn points(&self) -> usize;
    /// p·g.
    fn act<S: Scalar>(&self, p: &[S], g: &[S]) -> Vec<S>;
    /// The generator X_P(p), the velocity of p·exp(εX) at ε = 0.
    fn generator<S: Scalar>(&self, p: &[S], x: &[S]) -> Vec<S>;
}

/// A group on itself, p·g = pg. Its action groupoid is the pair groupoid of the group in left
/// trivialisation, (p, p⁻¹q): what integrators on groups run on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translations(pub DirectProduct);

impl RightAction for Translations {
    fn group(&self) -> &DirectProduct {
        &self.0
    }
    fn points(&self) -> usize {
        self.0.coordinates()
    }
    fn act<S: Scalar>(&self, p: &[S], g: &[S]) -> Vec<S> {
        self.0.product(p, g)
    }
    fn generator<S: Scalar>(&self, p: &[S], x: &[S]) -> Vec<S> {
        translated(&self.0, Trivialization::Body, p, x)
    }
}

/// A matrix group on rows, v·g = vg, so that Γ·R = RᵀΓ for rotations: an advected direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowVectors {
    group: DirectProduct,
    size: usize,
}

impl RowVectors {
    /// The action of a group of matrices; none for groups that are stored otherwise.
    pub fn of(group: Group) -> Option<Self> {
        Some(Self {
            size: group.matrix_size()?,
            group: DirectProduct::new(&[group]),
        })
    }

    fn row_times<S: Scalar>(&self, v: &[S], matrix: &[S]) -> Vec<S> {
        let column = |j: usize| -> Vec<S> {
            let entries = (0..self.size).map(|i| matrix[i * self.size + j].clone());
            entries.collect()
        };
        (0..self.size).map(|j| pairing(v, &column(j))).collect()
    }
}

impl RightAction for RowVectors {
    fn group(&self) -> &DirectProduct {
        &self.group
    }
    fn points(&self) -> usize {
        self.size
    }
    fn act<S: Scalar>(&self, p: &[S], g: &[S]) -> Vec<S> {
        self.row_times(p, g)
    }
    fn generator<S: Scalar>(&self, p: &[S], x: &[S]) -> Vec<S> {
        let tangents = self.group.factors().iter().flat_map(|f| f.hat(x));
        self.row_times(p, &tangents.collect::<Vec<S>>())
    }
}

/// A group on the dual of its algebra, m·g = Ad*_g m, with ⟨Ad*_g m, x⟩ = ⟨m, Ad_g x⟩.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coadjoint(pub DirectProduct);

impl RightAction for Coadjoint {
    fn group(&self) -> &DirectProduct {
        &self.0
    }
    fn points(&self) -> usize {
        self.0.dimension()
    }
    fn act<S: Scalar>(&self, p: &[S], g: &[S]) -> Vec<S> {
        self.0.coadjoint(g, p)
    }
    fn generator<S: Scalar>(&self, p: &[S], x: &[S]) -> Vec<S> {
        self.0.ad_star(x, p)
    }
}

/// (p, g)(p·g, h) = (p, gh); X← = (0, gX) and X→ = (−X_P(p), Xg).
///
/// ```
/// use rattleback_geometry::groupoid::{ActionGroupoid, Groupoid, Translations};
/// use rattleback_geometry::{DirectProduct, Group};
/// let line = ActionGroupoid::new(Translations(DirectProduct::new(&[Group::R(1)])));
/// // From 1 by 2.
/// assert_eq!(line.target(&[1.0, 2.0]), [3.0]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionGroupoid<A> {
    action: A,
}

impl<A: RightAction> ActionGroupoid<A> {
    /// The groupoid of an action.
    pub fn new(action: A) -> Self {
        Self { action }
    }

    /// The action.
    pub fn action(&self) -> &A {
        &self.action
    }

    /// The point and the group element of an element.
    pub fn parts<'a, S>(&self, g: &'a [S]) -> (&'a [S], &'a [S]) {
        g.split_at(self.action.points())
    }

    /// The anchor ρ(e_A) = X_P of each basis vector, at a point.
    pub fn anchor<S: Scalar>(&self, p: &[S]) -> Vec<Vec<S>> {
        let rank = self.rank();
        (0..rank)
            .map(|a| self.action.generator(p, &basis(rank, a)))
            .collect()
    }
}

impl<A: RightAction> Groupoid for ActionGroupoid<A> {
    fn coordinates(&self) -> usize {
        self.action.points() + self.action.group().coordinates()
    }
    fn base(&self) -> usize {
        self.action.points()
    }
    fn rank(&self) -> usize {
        self.action.group().dimension()
    }

    fn source<S: Scalar>(&self, g: &[S]) -> Vec<S> {
        self.parts(g).0.to_vec()
    }
    fn target<S: Scalar>(&self, g: &[S]) -> Vec<S> {
        let (p, g) = self.parts(g);
        self.action.act(p, g)
    }
    fn unit<S: Scalar>(&self, x: &[S]) -> Vec<S> {
        [x.to_vec(), self.action.group().identity()].concat()
    }
    fn inverse<S: Scalar>(&self, g: &[S]) -> Vec<S> {
        let back = self.action.group().inverse(self.parts(g).1);
        [self.target(g), back].concat()
    }
    fn product<S: Scalar>(&self, g: &[S], h: &[S]) -> Vec<S> {
        let (p, g) = self.parts(g);
        let together = self.action.group().product(g, self.parts(h).1);
        [p.to_vec(), together].concat()
    }

    fn left<S: Scalar>(&self, g: &[S], x: &[S]) -> Vec<S> {
        let g = self.parts(g).1;
        let moved = translated(self.action.group(), Trivialization::Body, g, x);
        [zeros(self.base()), moved].concat()
    }
    fn right<S: Scalar>(&self, g: &[S], x: &[S]) -> Vec<S> {
        let (p, g) = self.parts(g);
        let moved = translated(self.action.group(), Trivialization::Space, g, x);
        [negated(&self.action.generator(p, x)), moved].concat()
    }
    fn lifted<S: Scalar>(&self, g: &[S], u: &[S]) -> Vec<S> {
        [u.to_vec(), zeros(self.parts(g).1.len())].concat()
    }
}
