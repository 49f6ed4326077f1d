//! Following a motion from one time to another.

mod error;
mod observer;
mod run;
mod samples;

use std::sync::atomic::AtomicBool;

pub use error::DriveError;
pub use observer::{Inside, Inspection, Observer};

use crate::dynamics::Dynamics;
use crate::event::Event;
use crate::stepper::Stepper;

/// Which states the observer sees. The first and the last one it always sees.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Output<'a> {
    /// Only the first and the last one.
    Ends,
    /// Every accepted step.
    #[default]
    Steps,
    /// The times t0, t0 ± spacing, t0 ± 2 spacing, …
    Spacing(f64),
    /// These times, in the order of the motion; those outside of it are left out.
    Times(&'a [f64]),
}

/// How steps are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepSize {
    /// By the error of the method, or by the method itself.
    Adaptive {
        /// The first step; chosen by looking at the field where there is none.
        first: Option<f64>,
        /// The longest step.
        longest: f64,
    },
    /// All the same, but for the last one, which ends at the end.
    Fixed(f64),
}

/// Why a motion ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It came to the end time.
    Reached,
    /// The terminal event of this number.
    Event(usize),
    /// The observer had seen enough.
    Observer,
    /// The stop flag was raised.
    Stopped,
}

/// What a motion took.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The time at the end.
    pub t: f64,
    /// Why it ended; where it failed, [`End::Stopped`].
    pub end: End,
    /// Accepted steps.
    pub steps: u64,
    /// Rejected trials.
    pub rejected: u64,
    /// Evaluations of the field by the method.
    pub evaluations: u64,
    /// How often each event has fired.
    pub events: Vec<u64>,
    /// An event whose function turns too often to be followed, and the time from which on crossings of it may be missing.
    pub blurred: Option<(usize, f64)>,
}

/// A motion from t0 to t1 (forwards or backwards), to be followed with any method.
///
/// ```
/// use rattleback_integrate::*;
/// use std::ops::ControlFlow;
///
/// struct Oscillator;
/// impl VectorField for Oscillator {
///     fn dimension(&self) -> usize { 2 }
///     fn rates(&mut self, _t: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
///         rates[0] = x[1];
///         rates[1] = -x[0];
///         Ok(())
///     }
///     fn jacobian(&mut self, _t: f64, _x: &[f64], jacobian: &mut [f64]) -> Result<(), Fault> {
///         jacobian.copy_from_slice(&[0.0, 1.0, -1.0, 0.0]);
///         Ok(())
///     }
/// }
///
/// let mut x = [1.0, 0.0];
/// let mut method = Dop853::new(2, Tolerance::both(1e-10));
/// let mut rows = Vec::new();
/// let summary = Drive::new(0.0, 10.0)
///     .output(Output::Spacing(0.5))
///     .run(&mut Oscillator, &mut method, &mut x, &mut [], &mut |t: f64, x: &[f64]| {
///         rows.push((t, x[0]));
///         ControlFlow::Continue(())
///     })?;
/// assert_eq!(rows.len(), 21);
/// assert_eq!(summary.end, End::Reached);
/// assert!((x[0] - 10_f64.cos()).abs() < 1e-8);
/// # Ok::<(), DriveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Drive<'a> {
    t0: f64,
    t1: f64,
    step_size: StepSize,
    output: Output<'a>,
    most_steps: u64,
    stop: Option<&'a AtomicBool>,
    probes: u32,
}

impl<'a> Drive<'a> {
    /// From t0 to t1 with adaptive steps, observed at every step.
    pub fn new(t0: f64, t1: f64) -> Self {
        Drive {
            t0,
            t1,
            step_size: StepSize::Adaptive {
                first: None,
                longest: f64::INFINITY,
            },
            output: Output::Steps,
            most_steps: u64::MAX,
            stop: None,
            probes: 4,
        }
    }

    /// How steps are chosen.
    pub fn step_size(mut self, step_size: StepSize) -> Self {
        self.step_size = step_size;
        self
    }

    /// Which states the observer sees.
    pub fn output(mut self, output: Output<'a>) -> Self {
        self.output = output;
        self
    }

    /// The most steps to take, accepted and rejected ones together. A motion whose steps shrink so much
    /// that they can never suffice is given up early.
    pub fn most_steps(mut self, most_steps: u64) -> Self {
        self.most_steps = most_steps;
        self
    }

    /// A flag that ends the motion after the current step or sample when raised from elsewhere.
    pub fn stop_flag(mut self, stop: &'a AtomicBool) -> Self {
        self.stop = Some(stop);
        self
    }

    /// In how many parts of a step at least to look for sign changes of event functions (4 unless told). Functions
    /// with bounds are followed however often they turn; of others one that comes back once in a part is seen too, but
    /// one that turns more often there may hide crossings.
    pub fn probes(mut self, probes: u32) -> Self {
        self.probes = probes.max(1);
        self
    }

    /// Follows the motion. `x` is the state at t0 before and the last state after, also after an
    /// error.
    pub fn run<F, S, O>(
        &self,
        field: &mut F,
        stepper: &mut S,
        x: &mut [f64],
        events: &mut [Event<'_>],
        observer: &mut O,
    ) -> Result<Summary, DriveError>
    where
        F: Dynamics + ?Sized,
        S: Stepper<F> + ?Sized,
        O: Observer + ?Sized,
    {
        let (summary, result) = self.run_counted(field, stepper, x, events, observer);
        result.map(|()| summary)
    }

    /// Follows the motion as [`Drive::run`] does, and tells what it took also where it failed.
    pub fn run_counted<F, S, O>(
        &self,
        field: &mut F,
        stepper: &mut S,
        x: &mut [f64],
        events: &mut [Event<'_>],
        observer: &mut O,
    ) -> (Summary, Result<(), DriveError>)
    where
        F: Dynamics + ?Sized,
        S: Stepper<F> + ?Sized,
        O: Observer + ?Sized,
    {
        if let Err(error) = self.check(field.components(), x, stepper) {
            let summary = Summary {
                t: self.t0,
                end: End::Stopped,
                steps: 0,
                rejected: 0,
                evaluations: 0,
                events: vec![0; events.len()],
                blurred: None,
            };
            return (summary, Err(error));
        }
        run::Run::new(self, field, stepper, x, events, observer).follow()
    }

    /// Refuses numbers that no motion can be followed with.
    fn check<F, S>(&self, dimension: usize, x: &[f64], stepper: &S) -> Result<(), DriveError>
    where
        F: Dynamics + ?Sized,
        S: Stepper<F> + ?Sized,
    {
        let refuse = |what: &'static str| Err(DriveError::BadRequest(what));
        if !(self.t0.is_finite() && self.t1.is_finite()) {
            return refuse("the start and end times must be finite");
        }
        if x.len() != dimension {
            return refuse("the start state must have as many components as what is followed");
        }
        if !x.iter().all(|x| x.is_finite()) {
            return refuse("the start state must be finite");
        }
        match self.step_size {
            StepSize::Fixed(h) if !(is_positive(h) && h.is_finite()) => {
                return refuse("a fixed step must be positive");
            }
            StepSize::Adaptive { longest, first } => {
                if !is_positive(longest) || first.is_some_and(|h| !is_positive(h)) {
                    return refuse("step lengths must be positive");
                }
            }
            StepSize::Fixed(_) => {}
        }
        if matches!(self.output, Output::Spacing(s) if !is_positive(s)) {
            return refuse("the spacing of the output must be positive");
        }
        if let Some(tolerance) = stepper.tolerance()
            && !(tolerance.relative >= 0.0
                && tolerance.absolute >= 0.0
                && tolerance.relative + tolerance.absolute > 0.0)
        {
            return refuse("tolerances must not be negative, nor both 0");
        }
        Ok(())
    }
}

/// Whether a number is positive; what is not a number is not.
fn is_positive(number: f64) -> bool {
    number > 0.0
}
