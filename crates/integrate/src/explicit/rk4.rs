//! The classical Runge-Kutta method of order 4.

use super::stages::{Stages, hermite};
use super::tableau::Row;
use crate::control::first_not_finite;
use crate::field::{Fault, VectorField};
use crate::simd::{Arithmetic, Work, dispatch};
use crate::stepper::{Step, Stepper};

const STAGE_1: Row<1> = Row {
    node: 0.5,
    stages: [0],
    weights: [0.5],
};
const STAGE_2: Row<1> = Row {
    node: 0.5,
    stages: [1],
    weights: [0.5],
};
const STAGE_3: Row<1> = Row {
    node: 1.0,
    stages: [2],
    weights: [1.0],
};
const END: Row<4> = Row {
    node: 1.0,
    stages: [0, 1, 2, 3],
    weights: [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
};
/// Where f(t + h, x₁) is kept for the dense output and the next step.
const LAST: usize = 4;

/// The classical Runge-Kutta method of order 4 with fixed steps; dense output by the cubic Hermite
/// polynomial.
#[derive(Clone, Debug)]
pub struct RungeKutta4 {
    stages: Stages,
}

impl RungeKutta4 {
    /// A stepper for this many state components.
    pub fn new(dimension: usize) -> Self {
        RungeKutta4 {
            stages: Stages::new(dimension, LAST + 1, LAST),
        }
    }
}

struct Take<'a, F: ?Sized> {
    stages: &'a mut Stages,
    field: &'a mut F,
    next: &'a mut [f64],
}

impl<F: VectorField + ?Sized> Work for Take<'_, F> {
    type Output = Result<Step, Fault>;

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> Self::Output {
        let Take {
            stages,
            field,
            next,
        } = self;
        stages.stage::<A, F, 1>(field, 1, &STAGE_1)?;
        stages.stage::<A, F, 1>(field, 2, &STAGE_2)?;
        stages.stage::<A, F, 1>(field, 3, &STAGE_3)?;
        stages.finish::<A, 4>(&END, next);
        if next.iter().all(|x| x.is_finite()) {
            Ok(Step { error: 0.0 })
        } else {
            Err(first_not_finite(next))
        }
    }
}

impl<F: VectorField + ?Sized> Stepper<F> for RungeKutta4 {
    fn order(&self) -> u32 {
        4
    }

    fn step(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
        h: f64,
        next: &mut [f64],
    ) -> Result<Step, Fault> {
        self.stages.begin(field, t, x, h)?;
        dispatch(Take {
            stages: &mut self.stages,
            field,
            next,
        })
    }

    fn interpolate(&mut self, field: &mut F, theta: f64, state: &mut [f64]) -> Result<(), Fault> {
        self.stages.end_rates(field)?;
        let stages = &self.stages;
        let last = &stages.rates[LAST * stages.blocks()..];
        hermite(
            theta,
            stages.h,
            (stages.start.as_flattened(), stages.end.as_flattened()),
            (stages.rates.as_flattened(), last.as_flattened()),
            state,
        );
        Ok(())
    }

    fn restart(&mut self) {
        self.stages.restart();
    }

    fn evaluations(&self) -> u64 {
        self.stages.evaluations
    }
}
