//! Morphisms of groupoids, and what they are on algebroids (AC-C15).

use super::{ActionGroupoid, GaugeGroupoid, GroupGroupoid, Groupoid, PairGroupoid};
use super::{RightAction, Translations, basis, pairing};
use rattleback_lie::{DirectProduct, Scalar, tangent_map};

/// Φ: G → G' over φ: M → M' with α'Φ = φα, β'Φ = φβ and Φ(gh) = Φ(g)Φ(h).
pub trait GroupoidMorphism {
    /// Where steps come from.
    type From: Groupoid;
    /// Where they go.
    type To: Groupoid;

    /// G.
    fn from(&self) -> &Self::From;
    /// G'.
    fn to(&self) -> &Self::To;
    /// Φ.
    fn map<S: Scalar>(&self, g: &[S]) -> Vec<S>;
    /// φ.
    fn base_map<S: Scalar>(&self, x: &[S]) -> Vec<S>;

    /// The induced morphism of algebroids at a point: the components of TΦ(ε(x))·e_A on the basis of AG', a column for each
    /// A. None where they cannot be read off, because rounding hides the basis.
    fn induced(&self, x: &[f64]) -> Option<Vec<Vec<f64>>> {
        let (from, to) = (self.from(), self.to());
        let unit = from.unit(x);
        let there = to.unit(&self.base_map(x));
        let rank = to.rank();
        let fields: Vec<Vec<f64>> = (0..rank)
            .map(|b| to.left(&there, &basis(rank, b)))
            .collect();
        let column = |a: usize| {
            let moved = tangent_map(
                |g| self.map(g),
                &unit,
                &from.left(&unit, &basis(from.rank(), a)),
            );
            components(&fields, &moved)
        };
        (0..from.rank()).map(column).collect()
    }
}

/// c with Σ c_b v_b = w, by the normal equations of independent vectors v_b.
pub(super) fn components(vectors: &[Vec<f64>], w: &[f64]) -> Option<Vec<f64>> {
    let n = vectors.len();
    let mut rows: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            let gram = vectors.iter().map(|v| pairing(&vectors[i], v));
            gram.chain([pairing(&vectors[i], w)]).collect()
        })
        .collect();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| rows[i][k].abs().total_cmp(&rows[j][k].abs()))?;
        rows.swap(k, pivot);
        let head = rows[k].clone();
        if head[k].is_negligible() {
            return None;
        }
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != k) {
            let part = row[k] / head[k];
            row.iter_mut().zip(&head).for_each(|(x, h)| *x -= part * h);
        }
    }
    Some((0..n).map(|k| rows[k][n] / rows[k][k]).collect())
}

/// (α, β): G → M × M, the anchor of a groupoid; it induces the anchor of the algebroid.
///
/// ```
/// use rattleback_geometry::groupoid::{ActionGroupoid, Anchor, GroupoidMorphism, Translations};
/// use rattleback_geometry::{DirectProduct, Group};
/// let line = ActionGroupoid::new(Translations(DirectProduct::new(&[Group::R(1)])));
/// let ends = Anchor::new(line);
/// assert_eq!(ends.map(&[1.0, 2.0]), [1.0, 3.0]);
/// assert_eq!(ends.induced(&[1.0]), Some(vec![vec![1.0]]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anchor<G> {
    groupoid: G,
    pairs: PairGroupoid,
}

impl<G: Groupoid> Anchor<G> {
    /// The anchor of a groupoid.
    pub fn new(groupoid: G) -> Self {
        Self {
            pairs: PairGroupoid::new(groupoid.base()),
            groupoid,
        }
    }
}

impl<G: Groupoid> GroupoidMorphism for Anchor<G> {
    type From = G;
    type To = PairGroupoid;
    fn from(&self) -> &G {
        &self.groupoid
    }
    fn to(&self) -> &PairGroupoid {
        &self.pairs
    }
    fn map<S: Scalar>(&self, g: &[S]) -> Vec<S> {
        [self.groupoid.source(g), self.groupoid.target(g)].concat()
    }
    fn base_map<S: Scalar>(&self, x: &[S]) -> Vec<S> {
        x.to_vec()
    }
}

/// (p, g) ↦ g from an action groupoid to its group. For translations, (p, p⁻¹q) ↦ p⁻¹q is the reduction of steps of a group
/// by itself (CG-D9).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acting<A> {
    groupoid: ActionGroupoid<A>,
    group: GroupGroupoid,
}

impl<A: RightAction> Acting<A> {
    /// The projection of an action groupoid.
    pub fn new(action: A) -> Self {
        Self {
            group: GroupGroupoid::new(action.group().clone()),
            groupoid: ActionGroupoid::new(action),
        }
    }
}

impl Acting<Translations> {
    /// The reduction of steps of a group by itself.
    pub fn reduction(group: DirectProduct) -> Self {
        Self::new(Translations(group))
    }
}

impl<A: RightAction> GroupoidMorphism for Acting<A> {
    type From = ActionGroupoid<A>;
    type To = GroupGroupoid;
    fn from(&self) -> &ActionGroupoid<A> {
        &self.groupoid
    }
    fn to(&self) -> &GroupGroupoid {
        &self.group
    }
    fn map<S: Scalar>(&self, g: &[S]) -> Vec<S> {
        self.groupoid.parts(g).1.to_vec()
    }
    fn base_map<S: Scalar>(&self, _: &[S]) -> Vec<S> {
        Vec::new()
    }
}

/// (x₀, x₁, h) ↦ (x₀, x₁): the shape of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    gauge: GaugeGroupoid,
    pairs: PairGroupoid,
}

impl Shape {
    /// Of steps over a shape space of this dimension.
    pub fn new(dimension: usize, group: DirectProduct) -> Self {
        Self {
            gauge: GaugeGroupoid::new(dimension, group),
            pairs: PairGroupoid::new(dimension),
        }
    }
}

impl GroupoidMorphism for Shape {
    type From = GaugeGroupoid;
    type To = PairGroupoid;
    fn from(&self) -> &GaugeGroupoid {
        &self.gauge
    }
    fn to(&self) -> &PairGroupoid {
        &self.pairs
    }
    fn map<S: Scalar>(&self, g: &[S]) -> Vec<S> {
        g[..self.pairs.coordinates()].to_vec()
    }
    fn base_map<S: Scalar>(&self, x: &[S]) -> Vec<S> {
        x.to_vec()
    }
}
