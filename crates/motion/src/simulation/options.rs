//! What may be asked of a simulation.

use super::diagnosis::short;
use super::error::SimulationError;
use super::method::Method;
use rattleback_integrate::Tolerance;
use rattleback_mechanics::discrete::{Placement, Retraction};
use rattleback_mechanics::{ChaplyginTime, Clock, Form, Problem, System, Varied};
use rattleback_symbolic::{Expr, Symbol};

/// What may be asked of a simulation; everything left out is chosen by what the system is.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The formulation.
    pub form: Option<Form>,
    /// The method.
    pub method: Option<Method>,
    /// The end time.
    pub until: Option<f64>,
    /// The step of fixed-step methods, and the output spacing of the others.
    pub step: Option<f64>,
    /// The relative tolerance of adaptive methods.
    pub rtol: f64,
    /// The absolute tolerance of adaptive methods.
    pub atol: f64,
    /// The most steps of an adaptive method: a motion that creeps towards a singularity ends here.
    pub most_steps: u64,
    /// Is what drifts moved back onto constraints and groups after each step?
    pub project: bool,
    /// The retraction of variational methods on groups.
    pub retraction: Retraction,
    /// Where variational methods place velocity constraints.
    pub placement: Placement,
    /// The time in which the reduced system is Hamiltonian, for the method that follows it there.
    pub chaplygin_time: Option<ChaplyginTime>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            form: None,
            method: None,
            until: None,
            step: None,
            rtol: 1e-9,
            atol: 1e-12,
            most_steps: 100_000_000,
            project: true,
            retraction: Retraction::Cayley,
            placement: Placement::Midpoint,
            chaplygin_time: None,
        }
    }
}

impl Options {
    /// The tolerance of adaptive methods.
    pub fn tolerance(&self) -> Tolerance {
        Tolerance {
            relative: self.rtol,
            absolute: self.atol,
        }
    }

    /// With the time in which their method follows a reduced system, where it needs one. `found` looks for that of a
    /// system; where these values of the parameters are the only ones, that at them will do.
    pub fn in_chaplygin_time<W: ToString>(
        &self,
        system: &System,
        varied: &[Varied],
        found: impl Fn(&System) -> Result<ChaplyginTime, W>,
    ) -> Result<Self, SimulationError> {
        let method = Method::ChaplyginSymplectic;
        if self.method != Some(method) {
            return Ok(self.clone());
        }
        let same = varied.iter().all(|v| matches!(v, Varied::Start(_)));
        let at_values = |why| match same {
            true => found(&system.at_parameter_values()).map_err(|_| why),
            false => Err(why),
        };
        let time = found(system).or_else(at_values);
        let time = time.map_err(|why| SimulationError::Method {
            method: Box::new(method),
            why: why.to_string(),
        })?;
        Ok(Self {
            chaplygin_time: Some(time),
            ..self.clone()
        })
    }

    /// The formulation to simulate in: momenta for methods that are symplectic in them; where there are
    /// constraints a frame of them, or multipliers if the frame may end on the way; the plain
    /// equations otherwise.
    pub fn form_for(&self, system: &System) -> Form {
        self.form_for_varied(system, &[])
    }

    /// The same for motions that differ in some parameters.
    pub fn form_for_varied(&self, system: &System, varied: &[Symbol]) -> Form {
        match (self.form, self.method) {
            (Some(form), _) => form,
            (None, Some(method)) if method.needs_momenta() => Form::Hamiltonian,
            (None, Some(Method::Variational(_) | Method::ChaplyginSymplectic)) => {
                Form::default_for(system)
            }
            (None, Some(method)) if method.likes_momenta() && has_momenta(system) => {
                Form::Hamiltonian
            }
            _ if is_constrained(system) && end_of_frame(system, varied).is_none() => Form::Hamel,
            _ => Form::default_for(system),
        }
    }

    /// Why [`Options::form_for`] takes multipliers where there are constraints.
    pub(super) fn form_reason(&self, system: &System) -> Option<String> {
        let chosen = self.form.is_none() && !self.method.is_some_and(Method::needs_momenta);
        let asked = chosen && is_constrained(system);
        let lost = asked.then(|| end_of_frame(system, &[])).flatten()?;
        let lost = short(&lost.to_string());
        Some(format!("a frame of the constraints ends where {lost} = 0"))
    }
}

fn is_constrained(system: &System) -> bool {
    system.order() == 1 && !system.constraints().is_empty()
}

/// Are there canonical equations? In velocities no method is symplectic, unless their metric is constant.
fn has_momenta(system: &System) -> bool {
    let on_lines = system.factors().iter().all(|factor| factor.group.is_none());
    let is_free = system.order() == 1 && system.constraints().is_empty();
    on_lines && is_free && system.equations(Form::Hamiltonian).is_ok()
}

/// A function of the state and of what is varied at whose zeros the frame of the constraints is none, though
/// the constraints themselves are regular there: a motion may pass.
fn end_of_frame<'s>(system: &'s System, varied: &[Symbol]) -> Option<&'s Expr> {
    let positions = system.frame().base();
    let conditions = system.frame_conditions().iter();
    // Linkages pass positions where their constraints lose rank, and a computed frame vanishes there; a declared
    // one is used as it stands.
    let is_linkage = !system.constraints().holonomic().is_empty();
    let has_own_frame = system.has_declared_frame();
    let drops = system.rank_drop().iter();
    let mut all = conditions.chain(drops.filter(|_| is_linkage && !has_own_frame));
    all.find(|c| c.contains_any(positions) || c.contains_any(varied))
}

/// The horizon where neither the model nor the options say one.
const DEFAULT_UNTIL: f64 = 10.0;
/// Rows of output where no spacing is said.
const DEFAULT_ROWS: f64 = 1000.0;

/// When a motion is followed, and how finely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Horizon {
    /// The start time.
    pub from: f64,
    /// The end time.
    pub until: f64,
    /// The step, or the spacing of the rows.
    pub step: f64,
}

impl Horizon {
    /// What the options say, else the problem, else a default.
    pub fn of(problem: &Problem, options: &Options, from: f64) -> Result<Self, SimulationError> {
        let values = &problem.values;
        let stated = problem.horizon.as_ref();
        let until = options
            .until
            .or_else(|| values.number(&stated?.to))
            .unwrap_or(from + DEFAULT_UNTIL);
        // Maps count nodes.
        let counts = problem.clock != Clock::Continuous;
        let step = counts.then_some(1.0).or(options.step);
        let step = step
            .or_else(|| values.number(stated?.step.as_ref()?))
            .filter(|h| *h != 0.0)
            .unwrap_or((until - from) / DEFAULT_ROWS);
        let horizon = Self {
            from,
            until,
            step: step.abs(),
        };
        horizon.check(options)?;
        Ok(horizon)
    }

    /// Refuses numbers that no motion can be followed with.
    fn check(&self, options: &Options) -> Result<(), SimulationError> {
        let refuse = |text: String| Err(SimulationError::Request(text));
        let span = self.until - self.from;
        if !span.is_finite() {
            return refuse(format!(
                "the end time {} is not finite: give one with ‹until›",
                self.until
            ));
        }
        if !(self.step > 0.0 && self.step.is_finite()) && span != 0.0 {
            return refuse(format!(
                "the step {} is not a positive number: give one with ‹step›",
                self.step
            ));
        }
        let rounding = f64::EPSILON * self.from.abs().max(self.until.abs());
        if self.step < rounding && span != 0.0 {
            return refuse(format!(
                "the step {:e} is below the rounding of times up to {}: try ‹step {:.0e}› or more",
                self.step,
                self.until,
                (span.abs() / DEFAULT_ROWS).max(10.0 * rounding)
            ));
        }
        for (name, value) in [("rtol", options.rtol), ("atol", options.atol)] {
            if !(value >= 0.0 && value.is_finite()) {
                return refuse(format!(
                    "‹{name}› is {value}, but a tolerance is a number from 0 on: try ‹{name} 1e-9›"
                ));
            }
        }
        if options.rtol + options.atol == 0.0 {
            return refuse("‹rtol› and ‹atol› are both 0: one of them must be positive".into());
        }
        Ok(())
    }
}
