//! DOP853: the method of Dormand & Prince of order 8.

use super::dop853_tableau as tableau;
use super::frame::{Explicit, HERMITE, Method, stepper};
use super::stages::Stages;
use crate::control::Tolerance;
use crate::field::{Fault, Jets, VectorField};
use crate::method::{AnyStepper, Family, Method as Description, Needs, Order, Setting};
use crate::simd::{Arithmetic, Block, LANES};
use crate::stepper::Step;

/// The method of Dormand & Prince of order 8 with error estimates of orders 5 and 3: twelve
/// evaluations per step. The dense output of order 7 costs three more, only in steps that need it.
pub type Dop853 = Explicit<OrderEight>;

/// `dop853`.
pub const DOP853: Description = Description {
    name: "dop853",
    aliases: &[],
    about: "Dormand and Prince's explicit Runge-Kutta method of order 8",
    order: Order::Fixed(OrderEight::ORDER),
    adaptive: true,
    lanes: true,
    symplectic: false,
    symmetric: false,
    needs: Needs::RATES,
    work: "12 evaluations",
    dense: "order 7, three more evaluations where sampled",
};

/// The tableau of [`Dop853`], with the tolerance.
#[derive(Clone, Copy, Debug)]
pub struct OrderEight(Tolerance);

impl Dop853 {
    /// A stepper for this many state components.
    pub fn new(dimension: usize, tolerance: Tolerance) -> Self {
        stepper(OrderEight(tolerance), dimension)
    }
}

impl Family for Dop853 {
    const METHODS: &'static [Description] = &[DOP853];

    fn stepper<F: Jets + 'static, S: Setting>(
        _: &Description,
        setting: &S,
    ) -> Result<AnyStepper<F>, S::Refusal> {
        Ok(Box::new(Dop853::new(
            setting.dimension(),
            setting.tolerance(),
        )))
    }
}

impl Method for OrderEight {
    const ORDER: u32 = 8;
    const STAGES: usize = 16;
    const LAST: usize = 12;
    const DENSE: usize = HERMITE + 4;

    #[inline(always)]
    fn tolerance(&self) -> Option<Tolerance> {
        Some(self.0)
    }

    #[inline(always)]
    fn take<A: Arithmetic, F: VectorField + ?Sized>(
        &self,
        stages: &mut Stages,
        field: &mut F,
        next: &mut [f64],
    ) -> Result<Step, Fault> {
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
        stages.measure(&self.0);
        let fifth = stages.mean_square::<A, 8>(&tableau::ERROR_5);
        let third = stages.mean_square::<A, 8>(&tableau::ERROR_3);
        let error = stages.checked(stages.h.abs() * blend(fifth, third))?;
        if error <= 1.0 {
            // The next step begins with it; and a state without rates must not be accepted.
            stages.end_rates(field)?;
        }
        Ok(Step { error })
    }

    #[inline(always)]
    fn densify<A: Arithmetic, F: VectorField + ?Sized>(
        stages: &mut Stages,
        field: &mut F,
        high: &mut [Block],
    ) -> Result<(), Fault> {
        stages.stage::<A, F, 8>(field, 13, &tableau::STAGE_13)?;
        stages.stage::<A, F, 8>(field, 14, &tableau::STAGE_14)?;
        stages.stage::<A, F, 8>(field, 15, &tableau::STAGE_15)?;
        high_coefficients::<A>(&stages.rates, [stages.h; LANES], high);
        Ok(())
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

/// Writes the four coefficients of the dense output beyond those of Hermite's cubic.
#[inline(always)]
pub(crate) fn high_coefficients<A: Arithmetic>(rates: &[Block], h: Block, high: &mut [Block]) {
    let blocks = high.len() / 4;
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
