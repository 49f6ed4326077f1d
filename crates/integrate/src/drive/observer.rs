//! Those who watch a motion.

use crate::field::Fault;
use std::ops::ControlFlow;

/// A step that has been taken and that nobody has seen yet.
pub trait Inside {
    /// The time at a part 0 ≤ θ ≤ 1 of the step.
    fn time(&self, theta: f64) -> f64;

    /// Writes the state there, as the method left it.
    fn state(&mut self, theta: f64, x: &mut [f64]) -> Result<(), Fault>;

    /// Writes a state near it, if that takes less work, and says whether it is the state itself.
    fn sketch(&mut self, theta: f64, x: &mut [f64]) -> Result<bool, Fault> {
        self.state(theta, x)?;
        Ok(true)
    }

    /// Writes how far each component of the state goes at most from the beginning of the step, where that is known without
    /// more work; is it?
    fn ways(&mut self, _ways: &mut [f64]) -> bool {
        false
    }

    /// Does the method itself know that nothing narrow lies inside?
    fn is_known(&self) -> bool {
        false
    }
}

/// What is said of a step by who looks into it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Inspection {
    /// It may be taken.
    Passed,
    /// Try one of this many times its length instead.
    Again(f64),
    /// The motion must not be followed beyond this part of it.
    Barred(f64),
}

/// Sees a motion as it comes into being, and may end it. Every closure
/// `FnMut(f64, &[f64]) -> ControlFlow<()>` is one that looks at the samples.
pub trait Observer {
    /// A state that was asked for.
    fn sample(&mut self, t: f64, x: &[f64]) -> ControlFlow<()>;

    /// Event number `event` has fired. Events and samples come in the order of the motion.
    fn event(&mut self, _event: usize, _t: f64, _x: &[f64]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Puts a state back to where it belongs (on a group, on constraints): called for the end of
    /// every accepted step and for every state of the dense output, before anyone else sees it.
    fn project(&mut self, _t: f64, _x: &mut [f64]) {}

    /// Looks into a step before its states are shown. A motion that is barred ends there with
    /// [`DriveError::Barred`](super::DriveError::Barred); so does one of equal steps that is to try another.
    fn inspect(&mut self, _step: &mut dyn Inside) -> Inspection {
        Inspection::Passed
    }

    /// Places in each step, as parts of it, and weights of a quadrature along the motion.
    fn nodes(&self) -> &[(f64, f64)] {
        &[]
    }

    /// One of these places, and the time that it stands for: the sum of weight · f(t, x) is the integral of f.
    /// All of them come between the samples of a step and its end.
    fn node(&mut self, _t: f64, _weight: f64, _x: &[f64]) {}

    /// All places of a part of a step have come, of which this part of the step is made: is their sum good, or are its
    /// halves to be summed up instead?
    fn is_weighed(&mut self, _part: f64) -> bool {
        true
    }

    /// An accepted step has ended here, or a terminal event has ended it.
    fn after_step(&mut self, _t: f64, _x: &[f64]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl<T: FnMut(f64, &[f64]) -> ControlFlow<()>> Observer for T {
    fn sample(&mut self, t: f64, x: &[f64]) -> ControlFlow<()> {
        self(t, x)
    }
}
