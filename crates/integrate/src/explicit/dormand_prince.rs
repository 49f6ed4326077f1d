//! The method of Dormand & Prince of order 5(4).

use super::dormand_prince_tableau as tableau;
use super::stages::Stages;
use crate::control::Tolerance;
use crate::field::{Fault, VectorField};
use crate::simd::{Arithmetic, Block, LANES, Work, dispatch};
use crate::stepper::{Step, Stepper};

/// The stage f(t + h, x₁).
const LAST: usize = 6;

/// The method of Dormand & Prince of order 5 with an embedded solution of order 4: six evaluations
/// per step, dense output of order 4 for free.
#[derive(Clone, Debug)]
pub struct DormandPrince {
    stages: Stages,
    tolerance: Tolerance,
    /// The last coefficient of the dense output.
    dense: Vec<Block>,
    dense_known: bool,
}

impl DormandPrince {
    /// A stepper for this many state components.
    pub fn new(dimension: usize, tolerance: Tolerance) -> Self {
        DormandPrince {
            stages: Stages::new(dimension, LAST + 1, LAST),
            tolerance,
            dense: vec![[0.0; LANES]; dimension.div_ceil(LANES)],
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
        stages.stage::<A, F, 3>(field, 3, &tableau::STAGE_3)?;
        stages.stage::<A, F, 4>(field, 4, &tableau::STAGE_4)?;
        stages.stage::<A, F, 5>(field, 5, &tableau::STAGE_5)?;
        stages.finish::<A, 5>(&tableau::END, next);
        stages.end_rates(field)?;
        stages.measure(tolerance);
        let error = stages.h.abs() * stages.mean_square::<A, 6>(&tableau::ERROR).sqrt();
        Ok(Step {
            error: stages.checked(error)?,
        })
    }
}

impl<F: VectorField + ?Sized> Stepper<F> for DormandPrince {
    fn order(&self) -> u32 {
        5
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

    fn interpolate(&mut self, _: &mut F, theta: f64, state: &mut [f64]) -> Result<(), Fault> {
        let stages = &self.stages;
        if !self.dense_known {
            tableau::DENSE.combine::<crate::simd::Plain>(&stages.rates, &mut self.dense);
            self.dense_known = true;
        }
        let (start, end) = (stages.start.as_flattened(), stages.end.as_flattened());
        let first = stages.rates.as_flattened();
        let last = stages.rates[LAST * stages.blocks()..].as_flattened();
        let (h, rest) = (stages.h, 1.0 - theta);
        for (i, out) in state.iter_mut().enumerate() {
            // Hermite's cubic, and θ²(1−θ)² times one more coefficient.
            let delta = end[i] - start[i];
            let bend = h * first[i] - delta;
            let twist = delta - h * last[i] - bend;
            let more = h * self.dense.as_flattened()[i];
            *out = start[i] + theta * (delta + rest * (bend + theta * (twist + rest * more)));
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
