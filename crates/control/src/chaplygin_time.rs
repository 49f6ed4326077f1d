//! The time in which a symplectic method follows a nonholonomic motion.

use rattleback_mechanics::{System, Varied};
use rattleback_motion::simulation::{Method, Options, SimulationError};
use rattleback_theory::{Effort, HamiltonizationReport};

/// The options of a simulation, with the Hamiltonization where its method needs one: that of the system, or else, where
/// these values are the only ones, the one that it has at the values of its parameters.
pub fn with_chaplygin_time(
    options: &Options,
    system: &System,
    varied: &[Varied],
) -> Result<Options, SimulationError> {
    let mut options = options.clone();
    if options.method != Some(Method::ChaplyginSymplectic) {
        return Ok(options);
    }
    let found = |system: &System| {
        HamiltonizationReport::of(system, Effort::default()).chaplygin_time(system)
    };
    let same = varied.iter().all(|v| matches!(v, Varied::Start(_)));
    let at_values = |why| match same {
        true => found(&system.at_parameter_values()).map_err(|_| why),
        false => Err(why),
    };
    let time = found(system).or_else(at_values);
    let time = time.map_err(|why| SimulationError::Method {
        method: Box::new(Method::ChaplyginSymplectic),
        why: why.to_string(),
    })?;
    options.chaplygin_time = Some(time);
    Ok(options)
}
