//! Steps of a configuration space in the chart of a retraction: g₁ = g₀ τ(x).
//!
//! Coordinates are a group under addition, where τ is the identity and x = q₁ − q₀. So the steps of any
//! configuration space are the action groupoid of a group on itself, (g₀, x), and its invariant fields are
//!
//! ```text
//! X← = (0, dτ⁻¹_{−x} X)        X→ = (−g₀X, dτ⁻¹_x X)
//! ```

use super::Reading;
use super::error::DiscreteError;
use super::series::Series;
use crate::system::Factor;
use rattleback_lie::{ChartError, Group, Retraction, Scalar, Trivialization};
use rattleback_symbolic::Expr;

/// The factors of a configuration space with a retraction.
#[derive(Clone, Debug)]
pub(super) struct Chart {
    factors: Vec<Factor>,
    retraction: Retraction,
    reading: Reading,
}

/// Calls a map of a group with the scalars of a reading.
macro_rules! read_as {
    ($reading:expr, [$($argument:ident),*] => $value:expr) => {
        match $reading {
            Reading::Formula => $value,
            Reading::Program => {
                $(let $argument = as_series($argument);)*
                as_expressions($value)
            }
        }
    };
}

fn as_series(all: &[Expr]) -> Vec<Series> {
    all.iter().cloned().map(Series).collect()
}

/// Results of maps of groups, with errors or without.
trait Expressions {
    type Output;
    fn expressions(self) -> Self::Output;
}

impl Expressions for Vec<Series> {
    type Output = Vec<Expr>;
    fn expressions(self) -> Vec<Expr> {
        self.into_iter().map(|s| s.0).collect()
    }
}

impl Expressions for Result<Vec<Series>, ChartError> {
    type Output = Result<Vec<Expr>, ChartError>;
    fn expressions(self) -> Self::Output {
        self.map(Expressions::expressions)
    }
}

fn as_expressions<T: Expressions>(found: T) -> T::Output {
    found.expressions()
}

impl Chart {
    pub(super) fn new(factors: &[Factor], retraction: Retraction, reading: Reading) -> Self {
        Self {
            factors: factors.to_vec(),
            retraction,
            reading,
        }
    }

    /// Is a factor a group?
    pub(super) fn has_groups(&self) -> bool {
        self.factors.iter().any(|f| f.group.is_some())
    }

    /// One value per velocity, worked out factor by factor; coordinates have a map of their own.
    fn each(
        &self,
        group: impl Fn(Group, &Factor) -> Result<Vec<Expr>, ChartError>,
        coordinate: impl Fn(&Factor) -> Vec<Expr>,
    ) -> Result<Vec<Expr>, DiscreteError> {
        let mut all = Vec::new();
        for factor in &self.factors {
            all.extend(match factor.group {
                Some(g) => group(g, factor).map_err(|_| DiscreteError::FullTurn)?,
                None => coordinate(factor),
            });
        }
        Ok(all)
    }

    /// g₀ τ(x).
    pub(super) fn moved(&self, z: &[Expr], x: &[Expr]) -> Result<Vec<Expr>, DiscreteError> {
        let group = |group: Group, f: &Factor| {
            let (z, x) = (&z[f.base.clone()], &x[f.fibre.clone()]);
            Ok(group.product(z, &self.retract(group, x)))
        };
        self.each(group, |f| vec![&z[f.base.start] + &x[f.fibre.start]])
    }

    fn retract(&self, group: Group, x: &[Expr]) -> Vec<Expr> {
        read_as!(self.reading, [x] => self.retraction.apply(group, x.as_ref()))
    }

    /// (dτ⁻¹_x)* m for the beginning of a step, (dτ⁻¹_{−x})* m for its end.
    pub(super) fn momentum(
        &self,
        end: End,
        x: &[Expr],
        m: &[Expr],
    ) -> Result<Vec<Expr>, DiscreteError> {
        let side = match end {
            End::Before => Trivialization::Space,
            End::After => Trivialization::Body,
        };
        let group = |group: Group, f: &Factor| {
            let (x, m) = (&x[f.fibre.clone()], &m[f.fibre.clone()]);
            let tau = self.retraction;
            read_as!(self.reading, [x, m] => tau.cotangent_inverse(group, side, x.as_ref(), m.as_ref()))
        };
        self.each(group, |f| vec![m[f.fibre.start].clone()])
    }

    /// A force at g₀ τ(x), by its work on variations of g₀ with x held: Ad*_{τ(−x)} F.
    pub(super) fn carried_back(
        &self,
        x: &[Expr],
        force: &[Expr],
    ) -> Result<Vec<Expr>, DiscreteError> {
        let group = |group: Group, f: &Factor| {
            let back = group.inverse(&self.retract(group, &x[f.fibre.clone()]));
            Ok(group.coadjoint(&back, &force[f.fibre.clone()]))
        };
        self.each(group, |f| vec![force[f.fibre.start].clone()])
    }

    /// A force at g₀ τ(x), by its work on variations of x with g₀ held: (dτ_{−x})* F.
    pub(super) fn pulled_back(
        &self,
        x: &[Expr],
        force: &[Expr],
    ) -> Result<Vec<Expr>, DiscreteError> {
        let group = |group: Group, f: &Factor| {
            let (x, m) = (&x[f.fibre.clone()], &force[f.fibre.clone()]);
            let (tau, side) = (self.retraction, Trivialization::Body);
            Ok(read_as!(self.reading, [x, m] => tau.cotangent(group, side, x.as_ref(), m.as_ref())))
        };
        self.each(group, |f| vec![force[f.fibre.start].clone()])
    }

    /// Body velocities from those of the model, which may be of the space: Ad_{z⁻¹} y.
    pub(super) fn body(&self, z: &[Expr], y: &[Expr]) -> Vec<Expr> {
        self.turned(z, y, |group, z| group.inverse(z))
    }

    /// The velocities of the model from body velocities: Ad_z y on the space side.
    pub(super) fn stated(&self, z: &[Expr], y: &[Expr]) -> Vec<Expr> {
        self.turned(z, y, |_, z| z.to_vec())
    }

    /// A covector on the model's velocities as one on body velocities: Ad*_z m on the space side.
    pub(super) fn body_covector(&self, z: &[Expr], m: &[Expr]) -> Vec<Expr> {
        let turn = |f: &Factor| match (f.group, f.trivialization) {
            (Some(group), Trivialization::Space) => {
                group.coadjoint(&z[f.base.clone()], &m[f.fibre.clone()])
            }
            _ => m[f.fibre.clone()].to_vec(),
        };
        self.factors.iter().flat_map(turn).collect()
    }

    fn turned(
        &self,
        z: &[Expr],
        y: &[Expr],
        by: impl Fn(Group, &[Expr]) -> Vec<Expr>,
    ) -> Vec<Expr> {
        let turn = |f: &Factor| match (f.group, f.trivialization) {
            (Some(group), Trivialization::Space) => {
                let g = by(group, &z[f.base.clone()]);
                group.adjoint(&g, &y[f.fibre.clone()])
            }
            _ => y[f.fibre.clone()].to_vec(),
        };
        self.factors.iter().flat_map(turn).collect()
    }

    /// The squared angle by which each group factor turns in a step: by x where the exponential takes it there, by the
    /// `expected` displacement, h times the velocity at the node, under Cayley, which reaches no rotation by half a turn
    /// and would find a shorter one in its place.
    pub(super) fn turns(&self, x: &[Expr], expected: &[Expr]) -> Vec<Expr> {
        let turning = self.factors.iter().filter_map(|f| Some((f, f.group?)));
        let x = match self.retraction {
            Retraction::Exponential => x,
            Retraction::Cayley => expected,
        };
        let square = |(f, group): (&Factor, Group)| group.angle(&x[f.fibre.clone()]).square();
        turning.map(square).filter(|e| !e.is_zero()).collect()
    }
}

/// An end of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Before,
    After,
}
