//! The memory of an explicit Runge-Kutta step, and what it knows from the step before.

use super::tableau::Row;
use crate::control::{Tolerance, first_not_finite};
use crate::field::{Fault, VectorField};
use crate::simd::{Arithmetic, Block, LANES};

/// The stages of a step from (t, start) to (t + h, end). Every vector is padded to whole blocks.
#[derive(Clone, Debug)]
pub(crate) struct Stages {
    dimension: usize,
    pub start: Vec<Block>,
    pub end: Vec<Block>,
    /// The time and the state of a stage in one piece: the time is the last number of the first block.
    argument: Vec<Block>,
    /// The rates k_j of all stages, one after the other.
    pub rates: Vec<Block>,
    /// 1 / (atol + rtol max(|start|, |end|)).
    inverse_scale: Vec<Block>,
    t: f64,
    pub h: f64,
    /// Which stage is f(t + h, end).
    last: usize,
    start_known: bool,
    end_known: bool,
    /// Whether `end` is the end of a whole step.
    complete: bool,
    pub evaluations: u64,
}

impl Stages {
    /// Memory for `stages` stages, of which `last` is the rate at the end of the step.
    pub fn new(dimension: usize, stages: usize, last: usize) -> Self {
        let blocks = dimension.div_ceil(LANES);
        let zeros = vec![[0.0; LANES]; blocks];
        Stages {
            dimension,
            start: zeros.clone(),
            end: zeros.clone(),
            argument: vec![[0.0; LANES]; 1 + blocks],
            inverse_scale: zeros,
            rates: vec![[0.0; LANES]; stages * blocks],
            t: 0.0,
            h: 0.0,
            last,
            start_known: false,
            end_known: false,
            complete: false,
            evaluations: 0,
        }
    }

    pub fn blocks(&self) -> usize {
        self.start.len()
    }

    /// Forgets all rates.
    pub fn restart(&mut self) {
        self.start_known = false;
        self.complete = false;
    }

    /// Makes ready for a step from (t, x): k_0 = f(t, x), taken over where it is known, which is
    /// after an accepted step (x is the end of the last step) and after a rejected one (its start).
    #[inline(always)]
    pub fn begin<F: VectorField + ?Sized>(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
        h: f64,
    ) -> Result<(), Fault> {
        let n = self.dimension;
        if self.complete && same_time(t, self.t + self.h, h) && x == &self.end.as_flattened()[..n] {
            self.start.copy_from_slice(&self.end);
            self.start_known = self.end_known;
            if self.end_known {
                let blocks = self.blocks();
                let last = self.last * blocks;
                self.rates.copy_within(last..last + blocks, 0);
            }
        } else if !(self.start_known && t == self.t && x == &self.start.as_flattened()[..n]) {
            self.start.as_flattened_mut()[..n].copy_from_slice(x);
            self.start_known = false;
        }
        self.t = t;
        self.h = h;
        self.complete = false;
        self.end_known = false;
        if !self.start_known {
            self.evaluations += 1;
            let rates = &mut self.rates.as_flattened_mut()[..n];
            field.rates(t, &self.start.as_flattened()[..n], rates)?;
            self.start_known = true;
        }
        Ok(())
    }

    /// k_stage = f(t + node h, start + h Σ_j weights_j k_j).
    #[inline(always)]
    pub fn stage<A: Arithmetic, F: VectorField + ?Sized, const J: usize>(
        &mut self,
        field: &mut F,
        stage: usize,
        row: &Row<J>,
    ) -> Result<(), Fault> {
        row.advance_fresh::<A>(
            &self.rates,
            &self.start,
            [self.h; LANES],
            &mut self.argument[1..],
        );
        self.evaluations += 1;
        let (n, blocks) = (self.dimension, self.blocks());
        let inputs = &mut self.argument.as_flattened_mut()[LANES - 1..LANES + n];
        inputs[0] = self.t + row.node * self.h;
        let rates = &mut self.rates[stage * blocks..].as_flattened_mut()[..n];
        field.rates_of(inputs, rates)
    }

    /// end = start + h Σ_j weights_j k_j, also written to `next`.
    #[inline(always)]
    pub fn finish<A: Arithmetic, const J: usize>(&mut self, row: &Row<J>, next: &mut [f64]) {
        row.advance_fresh::<A>(&self.rates, &self.start, [self.h; LANES], &mut self.end);
        next.copy_from_slice(&self.end.as_flattened()[..self.dimension]);
        self.complete = true;
    }

    /// Evaluates f(t + h, end), unless that is done.
    #[inline(always)]
    pub fn end_rates<F: VectorField + ?Sized>(&mut self, field: &mut F) -> Result<(), Fault> {
        if self.end_known {
            return Ok(());
        }
        self.evaluations += 1;
        let (n, blocks) = (self.dimension, self.blocks());
        field.rates(
            self.t + self.h,
            &self.end.as_flattened()[..n],
            &mut self.rates[self.last * blocks..].as_flattened_mut()[..n],
        )?;
        self.end_known = true;
        Ok(())
    }

    /// Measures the scale of each component for [`Stages::mean_square`].
    #[inline(always)]
    pub fn measure(&mut self, tolerance: &Tolerance) {
        scales(tolerance, &self.start, &self.end, &mut self.inverse_scale);
    }

    /// The mean square over the components of Σ_j weights_j k_j over the scale.
    #[inline(always)]
    pub fn mean_square<A: Arithmetic, const J: usize>(&self, row: &Row<J>) -> f64 {
        // The padding adds 0: its rates are 0 and its scale is not.
        let squares = row.square::<A>(&self.rates, &self.inverse_scale);
        squares.iter().sum::<f64>() / self.dimension.max(1) as f64
    }

    /// The error of a step with a finite estimate; otherwise what is not finite.
    #[inline(always)]
    pub fn checked(&self, error: f64) -> Result<f64, Fault> {
        if error.is_finite() {
            return Ok(error);
        }
        Err(first_not_finite(&self.end.as_flattened()[..self.dimension]))
    }
}

/// 1 / (atol + rtol max(|start|, |end|)) for each component.
#[inline(always)]
pub(crate) fn scales(tolerance: &Tolerance, start: &[Block], end: &[Block], inverse: &mut [Block]) {
    for ((inverse, start), end) in inverse.iter_mut().zip(start).zip(end) {
        // A block of its own: one in memory is written number by number.
        let mut scaled = [0.0; LANES];
        for l in 0..LANES {
            let (a, b) = (start[l].abs(), end[l].abs());
            scaled[l] = 1.0 / tolerance.scale(if a > b { a } else { b });
        }
        *inverse = scaled;
    }
}

/// Whether two times agree up to the rounding of t + h.
#[inline(always)]
fn same_time(a: f64, b: f64, h: f64) -> bool {
    (a - b).abs() <= 4.0 * f64::EPSILON * (a.abs() + h.abs())
}
