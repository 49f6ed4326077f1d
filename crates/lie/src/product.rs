//! Direct products of groups: everything happens factor by factor.

use crate::error::{ChartError, NoNearestElement};
use crate::group::Group;
use crate::law::Trivialization;
use crate::retraction::Retraction;
use crate::scalar::Scalar;

/// G_1 × G_2 × …, with the coordinates and velocities of the factors one after the other.
///
/// ```
/// use rattleback_lie::{DirectProduct, Group, Retraction};
/// let g = DirectProduct::new(&[Group::SO2, Group::R(2)]);
/// let x = g.retract(Retraction::Exponential, &[0.0, 3.0, 4.0]);
/// assert_eq!(x, [1.0, 0.0, 0.0, 1.0, 3.0, 4.0]);
/// assert_eq!(g.unretract(Retraction::Exponential, &x)?, [0.0, 3.0, 4.0]);
/// # Ok::<(), rattleback_lie::ChartError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectProduct {
    factors: Vec<Group>,
}

/// Cuts a list into pieces, one per factor.
fn pieces<'a, T>(
    factors: &'a [Group],
    all: &'a [T],
    size: fn(Group) -> usize,
) -> impl Iterator<Item = (Group, &'a [T])> + 'a {
    let mut rest = all;
    factors.iter().map(move |&g| {
        let (piece, tail) = rest.split_at(size(g).min(rest.len()));
        rest = tail;
        (g, piece)
    })
}

impl DirectProduct {
    /// The product of these groups.
    pub fn new(factors: &[Group]) -> Self {
        Self {
            factors: factors.to_vec(),
        }
    }

    /// The factors.
    pub fn factors(&self) -> &[Group] {
        &self.factors
    }
    /// The sum of the dimensions.
    pub fn dimension(&self) -> usize {
        self.factors.iter().map(|g| g.dimension()).sum()
    }
    /// How many coordinates an element has.
    pub fn coordinates(&self) -> usize {
        self.factors.iter().map(|g| g.coordinates()).sum()
    }

    /// The coordinates of each factor.
    pub fn elements<'a, T>(&'a self, g: &'a [T]) -> impl Iterator<Item = (Group, &'a [T])> + 'a {
        pieces(&self.factors, g, Group::coordinates)
    }

    /// The velocities of each factor.
    pub fn velocities<'a, T>(&'a self, x: &'a [T]) -> impl Iterator<Item = (Group, &'a [T])> + 'a {
        pieces(&self.factors, x, Group::dimension)
    }

    /// The coordinates of the identity.
    pub fn identity<S: Scalar>(&self) -> Vec<S> {
        self.factors.iter().flat_map(|g| g.identity()).collect()
    }

    /// The product.
    pub fn product<S: Scalar>(&self, g: &[S], h: &[S]) -> Vec<S> {
        let pairs = self.elements(g).zip(self.elements(h));
        pairs.flat_map(|((f, g), (_, h))| f.product(g, h)).collect()
    }

    /// The inverse.
    pub fn inverse<S: Scalar>(&self, g: &[S]) -> Vec<S> {
        self.elements(g).flat_map(|(f, g)| f.inverse(g)).collect()
    }

    /// The relations of all factors.
    pub fn relations<S: Scalar>(&self, g: &[S]) -> Vec<S> {
        self.elements(g).flat_map(|(f, g)| f.relations(g)).collect()
    }

    /// Replaces the coordinates by those of the nearest element.
    pub fn project(&self, g: &mut [f64]) -> Result<(), NoNearestElement> {
        let mut rest = g;
        for f in &self.factors {
            let (piece, tail) = rest.split_at_mut(f.coordinates().min(rest.len()));
            f.project(piece)?;
            rest = tail;
        }
        Ok(())
    }

    /// [x, y].
    pub fn bracket<S: Scalar>(&self, x: &[S], y: &[S]) -> Vec<S> {
        let pairs = self.velocities(x).zip(self.velocities(y));
        pairs.flat_map(|((f, x), (_, y))| f.bracket(x, y)).collect()
    }

    /// ad*_x m.
    pub fn ad_star<S: Scalar>(&self, x: &[S], m: &[S]) -> Vec<S> {
        let pairs = self.velocities(x).zip(self.velocities(m));
        pairs.flat_map(|((f, x), (_, m))| f.ad_star(x, m)).collect()
    }

    /// Ad_g x.
    pub fn adjoint<S: Scalar>(&self, g: &[S], x: &[S]) -> Vec<S> {
        let pairs = self.elements(g).zip(self.velocities(x));
        pairs.flat_map(|((f, g), (_, x))| f.adjoint(g, x)).collect()
    }

    /// Ad*_g m.
    pub fn coadjoint<S: Scalar>(&self, g: &[S], m: &[S]) -> Vec<S> {
        let pairs = self.elements(g).zip(self.velocities(m));
        pairs
            .flat_map(|((f, g), (_, m))| f.coadjoint(g, m))
            .collect()
    }

    /// τ(x).
    pub fn retract<S: Scalar>(&self, tau: Retraction, x: &[S]) -> Vec<S> {
        self.velocities(x)
            .flat_map(|(f, x)| tau.apply(f, x))
            .collect()
    }

    /// τ⁻¹(g).
    pub fn unretract<S: Scalar>(&self, tau: Retraction, g: &[S]) -> Result<Vec<S>, ChartError> {
        let parts: Result<Vec<_>, _> = self.elements(g).map(|(f, g)| tau.invert(f, g)).collect();
        Ok(parts?.concat())
    }

    /// dτ_x y.
    pub fn tangent<S: Scalar>(
        &self,
        tau: Retraction,
        side: Trivialization,
        x: &[S],
        y: &[S],
    ) -> Vec<S> {
        let pairs = self.velocities(x).zip(self.velocities(y));
        pairs
            .flat_map(|((f, x), (_, y))| tau.tangent(f, side, x, y))
            .collect()
    }

    /// dτ_x⁻¹ y.
    pub fn tangent_inverse<S: Scalar>(
        &self,
        tau: Retraction,
        side: Trivialization,
        x: &[S],
        y: &[S],
    ) -> Result<Vec<S>, ChartError> {
        let pairs = self.velocities(x).zip(self.velocities(y));
        let parts: Result<Vec<_>, _> = pairs
            .map(|((f, x), (_, y))| tau.tangent_inverse(f, side, x, y))
            .collect();
        Ok(parts?.concat())
    }
}
