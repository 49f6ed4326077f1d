//! From the name of a method to the method.

use super::error::SimulationError;
use super::field::Field;
use super::method::Method;
use super::options::Options;
use rattleback_compile::Motion;
use rattleback_integrate::implicit::{Gauss, GaussOrder, Radau5};
use rattleback_integrate::{Dop853, DormandPrince, RungeKutta4, Stepper, Tolerance};
use rattleback_mechanics::{Form, System};

pub(super) type AnyStepper = Box<dyn Stepper<Field>>;

/// The formulation to simulate in: momenta for methods that need them, a frame of the constraints
/// where there are constraints, the plain equations otherwise.
pub(super) fn form(system: &System, options: &Options) -> Form {
    match (options.form, options.method) {
        (Some(form), _) => form,
        (None, Some(method)) if method.needs_momenta() => Form::Hamiltonian,
        _ if system.order() == 1 && !system.constraints().is_empty() => Form::Hamel,
        _ => Form::default_for(system),
    }
}

/// The method, ready to step.
pub(super) fn stepper(
    method: Method,
    motion: &Motion,
    options: &Options,
) -> Result<AnyStepper, SimulationError> {
    let n = motion.state.len();
    let tolerance = Tolerance {
        relative: options.rtol,
        absolute: options.atol,
    };
    Ok(match method {
        Method::Dop853 | Method::Taylor => Box::new(Dop853::new(n, tolerance)),
        Method::Dopri5 => Box::new(DormandPrince::new(n, tolerance)),
        Method::Rk4 => Box::new(RungeKutta4::new(n)),
        Method::Gauss(stages) => Box::new(Gauss::new(order(stages), n)),
        Method::Radau5 => Box::new(Radau5::new(n, options.rtol, options.atol)),
        _ => return Err(SimulationError::method(method, motion.form, "not there")),
    })
}

fn order(stages: u8) -> GaussOrder {
    match stages {
        1 => GaussOrder::Two,
        2 => GaussOrder::Four,
        3 => GaussOrder::Six,
        _ => GaussOrder::Eight,
    }
}

/// The method that is asked for, or the one that suits the system, with the reason.
pub(super) fn choose(
    motion: &Motion,
    options: &Options,
) -> Result<(Method, Option<String>), SimulationError> {
    let _ = motion;
    Ok((options.method.unwrap_or(Method::Dop853), None))
}

/// The group factors of a state.
#[derive(Clone, Debug)]
pub(super) struct Groups {}

impl Groups {
    pub(super) fn of(_motion: &Motion) -> Option<Self> {
        None
    }
    pub(super) fn project(&mut self, _x: &mut [f64]) {}
    pub(super) fn distance(&self, _x: &[f64]) -> f64 {
        0.0
    }
}
