//! The method of Dormand & Prince of order 5(4).

use super::dormand_prince_tableau as tableau;
use super::frame::{Explicit, HERMITE, Method, stepper};
use super::stages::Stages;
use crate::control::Tolerance;
use crate::field::{Fault, Jets, VectorField};
use crate::method::{AnyStepper, Family, Method as Description, Needs, Order, Setting};
use crate::simd::{Arithmetic, Block};
use crate::stepper::Step;

/// The method of Dormand & Prince of order 5 with an embedded solution of order 4: six evaluations
/// per step, dense output of order 4 for free.
pub type DormandPrince = Explicit<OrderFive>;

/// `dopri5`.
pub const DOPRI5: Description = Description {
    name: "dopri5",
    aliases: &[],
    about: "Dormand and Prince's explicit Runge-Kutta method of order 5",
    order: Order::Fixed(OrderFive::ORDER),
    adaptive: true,
    lanes: false,
    symplectic: false,
    symmetric: false,
    needs: Needs::RATES,
    work: "6 evaluations",
    dense: "order 4, free",
};

/// The tableau of [`DormandPrince`], with the tolerance.
#[derive(Clone, Copy, Debug)]
pub struct OrderFive(Tolerance);

impl DormandPrince {
    /// A stepper for this many state components.
    pub fn new(dimension: usize, tolerance: Tolerance) -> Self {
        stepper(OrderFive(tolerance), dimension)
    }
}

impl Family for DormandPrince {
    const METHODS: &'static [Description] = &[DOPRI5];

    fn stepper<F: Jets + 'static, S: Setting>(
        _: &Description,
        setting: &S,
    ) -> Result<AnyStepper<F>, S::Refusal> {
        let (n, tolerance) = (setting.dimension(), setting.tolerance());
        Ok(Box::new(DormandPrince::new(n, tolerance)))
    }
}

impl Method for OrderFive {
    const ORDER: u32 = 5;
    const STAGES: usize = 7;
    const LAST: usize = 6;
    const DENSE: usize = HERMITE + 1;

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
        stages.stage::<A, F, 3>(field, 3, &tableau::STAGE_3)?;
        stages.stage::<A, F, 4>(field, 4, &tableau::STAGE_4)?;
        stages.stage::<A, F, 5>(field, 5, &tableau::STAGE_5)?;
        stages.finish::<A, 5>(&tableau::END, next);
        stages.end_rates(field)?;
        stages.measure(&self.0);
        let error = stages.h.abs() * stages.mean_square::<A, 6>(&tableau::ERROR).sqrt();
        Ok(Step {
            error: stages.checked(error)?,
        })
    }

    #[inline(always)]
    fn densify<A: Arithmetic, F: VectorField + ?Sized>(
        stages: &mut Stages,
        _: &mut F,
        high: &mut [Block],
    ) -> Result<(), Fault> {
        tableau::DENSE.combine::<A>(&stages.rates, high);
        for x in high.as_flattened_mut() {
            *x *= stages.h;
        }
        Ok(())
    }
}
