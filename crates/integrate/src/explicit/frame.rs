//! The frame of an explicit Runge-Kutta method: everything but its tableau.

use super::stages::Stages;
use crate::control::Tolerance;
use crate::field::{Fault, VectorField};
use crate::simd::{Arithmetic, Block, LANES, Work, dispatch};
use crate::stepper::{FEWEST_STEPS, Step, Stepper};

/// What is a method's own. Everything here must be `#[inline(always)]`: it becomes part of a
/// function that is compiled for the widest arithmetic.
pub(crate) trait Method {
    /// The order of convergence.
    const ORDER: u32;
    /// How many rates are kept.
    const STAGES: usize;
    /// Which of them is f(t + h, x₁).
    const LAST: usize;
    /// How many coefficients the dense output has, at least [`HERMITE`].
    const DENSE: usize;

    /// What the error is measured in; none where there is no estimate.
    fn tolerance(&self) -> Option<Tolerance> {
        None
    }

    /// Evaluates the stages, finishes the step and measures its error.
    fn take<A: Arithmetic, F: VectorField + ?Sized>(
        &self,
        stages: &mut Stages,
        field: &mut F,
        next: &mut [f64],
    ) -> Result<Step, Fault>;

    /// The coefficients of the dense output beyond those of Hermite's cubic. The rate at the end is
    /// known.
    fn densify<A: Arithmetic, F: VectorField + ?Sized>(
        _stages: &mut Stages,
        _field: &mut F,
        _high: &mut [Block],
    ) -> Result<(), Fault> {
        Ok(())
    }
}

/// An explicit Runge-Kutta method with all its memory.
#[derive(Clone, Debug)]
pub struct Explicit<M> {
    method: M,
    stages: Stages,
    /// The coefficients of the dense output, one after the other.
    dense: Vec<Block>,
    dense_known: bool,
}

/// A stepper for this many state components.
pub(super) fn stepper<M: Method>(method: M, dimension: usize) -> Explicit<M> {
    let blocks = dimension.div_ceil(LANES);
    Explicit {
        method,
        stages: Stages::new(dimension, M::STAGES, M::LAST),
        dense: vec![[0.0; LANES]; M::DENSE * blocks],
        dense_known: false,
    }
}

struct Take<'a, M, F: ?Sized> {
    method: &'a M,
    stages: &'a mut Stages,
    field: &'a mut F,
    next: &'a mut [f64],
}

impl<M: Method, F: VectorField + ?Sized> Work for Take<'_, M, F> {
    type Output = Result<Step, Fault>;

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> Self::Output {
        (self.method).take::<A, F>(self.stages, self.field, self.next)
    }
}

struct Densify<'a, M, F: ?Sized> {
    stepper: &'a mut Explicit<M>,
    field: &'a mut F,
}

impl<M: Method, F: VectorField + ?Sized> Work for Densify<'_, M, F> {
    type Output = Result<(), Fault>;

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> Self::Output {
        let Explicit { stages, dense, .. } = self.stepper;
        stages.end_rates(self.field)?;
        let last = &stages.rates[M::LAST * stages.blocks()..];
        let (ends, rates) = ((&*stages.start, &*stages.end), (&*stages.rates, last));
        hermite(ends, rates, [stages.h; LANES], dense);
        let high = &mut dense[HERMITE * stages.blocks()..];
        M::densify::<A, F>(stages, self.field, high)
    }
}

impl<M: Method, F: VectorField + ?Sized> Stepper<F> for Explicit<M> {
    fn order(&self) -> u32 {
        M::ORDER
    }

    fn step(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
        h: f64,
        next: &mut [f64],
    ) -> Result<Step, Fault> {
        self.dense_known = false;
        self.stages.begin(field, t, x, h)?;
        dispatch(Take {
            method: &self.method,
            stages: &mut self.stages,
            field,
            next,
        })
    }

    fn interpolate(&mut self, field: &mut F, theta: f64, state: &mut [f64]) -> Result<(), Fault> {
        if !self.dense_known {
            dispatch(Densify {
                stepper: self,
                field,
            })?;
            self.dense_known = true;
        }
        let stride = self.stages.blocks() * LANES;
        let (start, dense) = (self.stages.start.as_flattened(), self.dense.as_flattened());
        for (i, out) in state.iter_mut().enumerate() {
            *out = polynomial(start[i], M::DENSE, |k| dense[k * stride + i], theta);
        }
        Ok(())
    }

    /// Hermite's cubic, which the rates at the ends determine.
    fn sketch(&mut self, field: &mut F, theta: f64, state: &mut [f64]) -> Result<bool, Fault> {
        if self.dense_known || M::DENSE == HERMITE {
            self.interpolate(field, theta, state)?;
            return Ok(true);
        }
        self.stages.end_rates(field)?;
        let Stages {
            start,
            end,
            rates,
            h,
            ..
        } = &self.stages;
        let last = &rates[M::LAST * start.len()..];
        let [start, end] = [start, end].map(|x| x.as_flattened());
        let [first, last] = [rates, last].map(|x| x.as_flattened());
        for (i, out) in state.iter_mut().enumerate() {
            let delta = end[i] - start[i];
            let bend = h * first[i] - delta;
            let cubic = [delta, bend, delta - h * last[i] - bend];
            *out = polynomial(start[i], HERMITE, |k| cubic[k], theta);
        }
        Ok(false)
    }

    /// By the fastest of its stages, and as much again for what is between them.
    fn ways(&self, ways: &mut [f64]) -> bool {
        let Stages {
            start, rates, h, ..
        } = &self.stages;
        // A block of components at a time: its stages are compared in registers.
        for (k, ways) in ways.chunks_mut(LANES).enumerate() {
            let mut fastest = [0.0; LANES];
            for rate in rates[k..].iter().step_by(start.len()) {
                for (most, rate) in fastest.iter_mut().zip(rate) {
                    *most = if rate.abs() > *most {
                        rate.abs()
                    } else {
                        *most
                    };
                }
            }
            for (way, rate) in ways.iter_mut().zip(&fastest) {
                *way = 2.0 * h.abs() * rate;
            }
        }
        true
    }

    fn tolerance(&self) -> Option<Tolerance> {
        self.method.tolerance()
    }

    /// An error estimate sees what the stages see.
    fn fewest_steps(&self, _: &F) -> u32 {
        self.method.tolerance().map_or(1, |_| FEWEST_STEPS)
    }

    fn restart(&mut self) {
        self.stages.restart();
    }

    fn evaluations(&self) -> u64 {
        self.stages.evaluations
    }
}

/// How many coefficients Hermite's cubic has besides its start.
pub(crate) const HERMITE: usize = 3;

/// Writes the coefficients of the cubic through both ends with their rates: δ, h k₀ − δ and
/// 2δ − h k₀ − h k₁, where δ = end − start.
#[inline(always)]
pub(crate) fn hermite(
    ends: (&[Block], &[Block]),
    rates: (&[Block], &[Block]),
    h: Block,
    dense: &mut [Block],
) {
    let blocks = ends.0.len();
    for i in 0..blocks {
        for l in 0..LANES {
            let delta = ends.1[i][l] - ends.0[i][l];
            let bend = h[l] * rates.0[i][l] - delta;
            dense[i][l] = delta;
            dense[blocks + i][l] = bend;
            dense[2 * blocks + i][l] = delta - h[l] * rates.1[i][l] - bend;
        }
    }
}

/// start + θ(d₀ + ϑ(d₁ + θ(d₂ + ϑ(d₃ + …)))), ϑ = 1 − θ, with `count` coefficients.
#[inline(always)]
pub(crate) fn polynomial(start: f64, count: usize, d: impl Fn(usize) -> f64, theta: f64) -> f64 {
    let rest = 1.0 - theta;
    let mut sum = d(count - 1);
    for k in (0..count - 1).rev() {
        sum = d(k) + if k % 2 == 0 { rest } else { theta } * sum;
    }
    start + theta * sum
}
