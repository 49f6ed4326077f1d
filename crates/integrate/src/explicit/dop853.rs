//! DOP853: the method of Dormand & Prince of order 8.

use super::dop853_tableau as tableau;
use super::stages::Stages;
use crate::control::Tolerance;
use crate::field::{Fault, VectorField};
use crate::simd::{Arithmetic, Block, LANES, Work, dispatch};
use crate::stepper::{Step, Stepper};

/// The stage f(t + h, x₁).
pub(crate) const LAST: usize = 12;
pub(crate) const STAGES: usize = 16;

/// The method of Dormand & Prince of order 8 with error estimates of orders 5 and 3: twelve
/// evaluations per step. The dense output of order 7 costs three more, only in steps that need it.
#[derive(Clone, Debug)]
pub struct Dop853 {
    stages: Stages,
    tolerance: Tolerance,
    /// Coefficients 1 to 7 of the dense output, one after the other.
    dense: Vec<Block>,
    dense_known: bool,
}

impl Dop853 {
    /// A stepper for this many state components.
    pub fn new(dimension: usize, tolerance: Tolerance) -> Self {
        let blocks = dimension.div_ceil(LANES);
        Dop853 {
            stages: Stages::new(dimension, STAGES, LAST),
            tolerance,
            dense: vec![[0.0; LANES]; 7 * blocks],
            dense_known: false,
        }
    }
}

struct Take<'a, F: ?Sized> {
    stages: &'a mut Stages,
    tolerance: &'a Tolerance,
    field: &'a mut F,
    next: &'a mut [f64],
}

impl<F: VectorField + ?Sized> Work for Take<'_, F> {
    type Output = Result<Step, Fault>;

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> Self::Output {
        let Take {
            stages,
            tolerance,
            field,
            next,
        } = self;
        stages.stage::<A, F, 1>(field, 1, &tableau::STAGE_1)?;
        stages.stage::<A, F, 2>(field, 2, &tableau::STAGE_2)?;
        stages.stage::<A, F, 2>(field, 3, &tableau::STAGE_3)?;
        stages.stage::<A, F, 3>(field, 4, &tableau::STAGE_4)?;
        stages.stage::<A, F, 3>(field, 5, &tableau::STAGE_5)?;
        stages.stage::<A, F, 4>(field, 6, &tableau::STAGE_6)?;
        stages.stage::<A, F, 5>(field, 7, &tableau::STAGE_7)?;
        stages.stage::<A, F, 6>(field, 8, &tableau::STAGE_8)?;
        stages.stage::<A, F, 7>(field, 9, &tableau::STAGE_9)?;
        stages.stage::<A, F, 8>(field, 10, &tableau::STAGE_10)?;
        stages.stage::<A, F, 9>(field, 11, &tableau::STAGE_11)?;
        stages.finish::<A, 8>(&tableau::END, next);
        stages.measure(tolerance);
        let fifth = stages.mean_square::<A, 8>(&tableau::ERROR_5);
        let third = stages.mean_square::<A, 8>(&tableau::ERROR_3);
        let error = stages.checked(stages.h.abs() * blend(fifth, third))?;
        if error <= 1.0 {
            // The next step begins with it; and a state without rates must not be accepted.
            stages.end_rates(field)?;
        }
        Ok(Step { error })
    }
}

/// The error from the mean squares of both estimates, E₅² / √(E₅² + 0.01 E₃²): of order 8, and
/// not fooled where one of them vanishes by chance.
#[inline(always)]
pub(crate) fn blend(fifth: f64, third: f64) -> f64 {
    let both = fifth + 0.01 * third;
    // Both estimates vanish where the field is a polynomial of low degree in t.
    if both > 0.0 {
        fifth / both.sqrt()
    } else {
        both
    }
}

/// The stages and coefficients of the dense output.
struct Densify<'a, F: ?Sized> {
    stages: &'a mut Stages,
    dense: &'a mut [Block],
    field: &'a mut F,
}

impl<F: VectorField + ?Sized> Work for Densify<'_, F> {
    type Output = Result<(), Fault>;

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> Self::Output {
        let Densify {
            stages,
            dense,
            field,
        } = self;
        stages.end_rates(field)?;
        stages.stage::<A, F, 8>(field, 13, &tableau::STAGE_13)?;
        stages.stage::<A, F, 8>(field, 14, &tableau::STAGE_14)?;
        stages.stage::<A, F, 8>(field, 15, &tableau::STAGE_15)?;
        coefficients::<A>(
            &stages.rates,
            &stages.start,
            &stages.end,
            [stages.h; LANES],
            dense,
        );
        Ok(())
    }
}

/// Writes coefficients 1 to 7 of the dense output.
#[inline(always)]
pub(crate) fn coefficients<A: Arithmetic>(
    rates: &[Block],
    start: &[Block],
    end: &[Block],
    h: Block,
    dense: &mut [Block],
) {
    let blocks = start.len();
    let last = &rates[LAST * blocks..];
    for i in 0..blocks {
        for l in 0..LANES {
            let delta = end[i][l] - start[i][l];
            let bend = h[l] * rates[i][l] - delta;
            dense[i][l] = delta;
            dense[blocks + i][l] = bend;
            dense[2 * blocks + i][l] = delta - h[l] * last[i][l] - bend;
        }
    }
    let high = &mut dense[3 * blocks..7 * blocks];
    tableau::DENSE_4.combine::<A>(rates, &mut high[..blocks]);
    tableau::DENSE_5.combine::<A>(rates, &mut high[blocks..2 * blocks]);
    tableau::DENSE_6.combine::<A>(rates, &mut high[2 * blocks..3 * blocks]);
    tableau::DENSE_7.combine::<A>(rates, &mut high[3 * blocks..]);
    for block in high {
        for l in 0..LANES {
            block[l] *= h[l];
        }
    }
}

/// start + θ(d₁ + ϑ(d₂ + θ(d₃ + ϑ(d₄ + θ(d₅ + ϑ(d₆ + θ d₇)))))), ϑ = 1 − θ.
#[inline(always)]
pub(crate) fn polynomial(start: f64, d: [f64; 7], theta: f64) -> f64 {
    let rest = 1.0 - theta;
    let high = d[3] + theta * (d[4] + rest * (d[5] + theta * d[6]));
    start + theta * (d[0] + rest * (d[1] + theta * (d[2] + rest * high)))
}

impl<F: VectorField + ?Sized> Stepper<F> for Dop853 {
    fn order(&self) -> u32 {
        8
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
            stages: &mut self.stages,
            tolerance: &self.tolerance,
            field,
            next,
        })
    }

    fn interpolate(&mut self, field: &mut F, theta: f64, state: &mut [f64]) -> Result<(), Fault> {
        if !self.dense_known {
            dispatch(Densify {
                stages: &mut self.stages,
                dense: &mut self.dense,
                field,
            })?;
            self.dense_known = true;
        }
        let stride = self.stages.blocks() * LANES;
        let start = self.stages.start.as_flattened();
        let dense = self.dense.as_flattened();
        for (i, out) in state.iter_mut().enumerate() {
            let d = std::array::from_fn(|k| dense[k * stride + i]);
            *out = polynomial(start[i], d, theta);
        }
        Ok(())
    }

    fn tolerance(&self) -> Option<Tolerance> {
        Some(self.tolerance)
    }

    fn restart(&mut self) {
        self.stages.restart();
    }

    fn evaluations(&self) -> u64 {
        self.stages.evaluations
    }
}
