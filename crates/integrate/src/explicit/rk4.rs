//! The classical Runge-Kutta method of order 4.

use super::frame::{Explicit, HERMITE, Method, stepper};
use super::stages::Stages;
use super::tableau::Row;
use crate::control::first_not_finite;
use crate::field::{Fault, Jets, VectorField};
use crate::method::{AnyStepper, Family, Method as Description, Needs, Order, Setting};
use crate::simd::Arithmetic;
use crate::stepper::Step;

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

/// The classical Runge-Kutta method of order 4 with fixed steps; dense output by the cubic Hermite
/// polynomial.
pub type RungeKutta4 = Explicit<Classical>;

/// `rk4`.
pub const RK4: Description = Description {
    name: "rk4",
    aliases: &[],
    about: "the classical Runge-Kutta method",
    order: Order::Fixed(Classical::ORDER),
    adaptive: false,
    lanes: false,
    symplectic: false,
    symmetric: false,
    needs: Needs::RATES,
    work: "4 evaluations",
    dense: "cubic Hermite, order 3",
};

/// The tableau of [`RungeKutta4`].
#[derive(Clone, Copy, Debug)]
pub struct Classical;

impl RungeKutta4 {
    /// A stepper for this many state components.
    pub fn new(dimension: usize) -> Self {
        stepper(Classical, dimension)
    }
}

impl Family for RungeKutta4 {
    const METHODS: &'static [Description] = &[RK4];

    fn stepper<F: Jets + 'static, S: Setting>(
        _: &Description,
        setting: &S,
    ) -> Result<AnyStepper<F>, S::Refusal> {
        Ok(Box::new(RungeKutta4::new(setting.dimension())))
    }
}

impl Method for Classical {
    const ORDER: u32 = 4;
    const STAGES: usize = 5;
    // Kept for the dense output and the next step.
    const LAST: usize = 4;
    const DENSE: usize = HERMITE;

    #[inline(always)]
    fn take<A: Arithmetic, F: VectorField + ?Sized>(
        &self,
        stages: &mut Stages,
        field: &mut F,
        next: &mut [f64],
    ) -> Result<Step, Fault> {
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
