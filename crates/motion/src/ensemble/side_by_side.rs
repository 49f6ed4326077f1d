//! Members that methods without lanes follow side by side.

use super::given::Given;
use super::run::Ensemble;
use crate::simulation::{AnyMap, Field, Method, Options, SimulationError, stepper};
use rattleback_compile::Motion;
use rattleback_integrate::{Abreast, Fault, Step, StepSize, Stepper};

/// The field of single members, for methods that need one; fails where the method does not fit the motion.
pub(super) fn single(
    motion: &Motion,
    options: &Options,
    method: Method,
    (given, discrete): (&Given, Option<&AnyMap>),
) -> Result<Option<Field>, SimulationError> {
    if method.has_lanes() || method == Method::Iteration {
        return Ok(None);
    }
    let field = Field::new(motion.rates()?, method, None, &vec![0.0; given.len()]);
    stepper(method, motion, &field, options, discrete)?;
    Ok(Some(field))
}

impl Ensemble {
    /// The method for the lanes of one thread.
    pub(super) fn abreast(&self) -> Abreast<Field> {
        let size = match self.method.is_adaptive() {
            true => StepSize::Adaptive {
                first: None,
                longest: f64::INFINITY,
            },
            false => StepSize::Fixed(self.spacing),
        };
        let steppers = std::array::from_fn(|_| self.stepper());
        Abreast::new(self.motion.state.len(), steppers, size).spacing(self.spacing)
    }

    /// It was made once when the ensemble was compiled; what could not be made would follow nobody.
    fn stepper(&self) -> Box<dyn Stepper<Field>> {
        let made = self.code.one().map(|field| {
            let (motion, discrete) = (&self.motion, self.discrete.as_ref());
            stepper(self.method, motion, field, &self.options, discrete)
        });
        match made {
            Some(Ok(made)) => made,
            _ => Box::new(Refused),
        }
    }
}

/// A method that takes no step.
struct Refused;

impl Stepper<Field> for Refused {
    fn order(&self) -> u32 {
        1
    }

    fn step(
        &mut self,
        _: &mut Field,
        _: f64,
        _: &[f64],
        _: f64,
        _: &mut [f64],
    ) -> Result<Step, Fault> {
        Err(Fault::NotConverged)
    }

    fn interpolate(&mut self, _: &mut Field, _: f64, _: &mut [f64]) -> Result<(), Fault> {
        Err(Fault::NotConverged)
    }
}
