//! The step of a lane, for those who look into it.

use super::field::BatchField;
use super::stepper::BatchStepper;
use crate::drive::Inside;
use crate::field::Fault;

/// The step that a lane has accepted last, with its end.
pub(super) struct Inspected<'a, F: ?Sized, S> {
    pub stepper: &'a mut S,
    pub field: &'a mut F,
    pub lane: usize,
    pub from: f64,
    pub to: f64,
    pub end: &'a [f64],
}

impl<F: BatchField + ?Sized, S: BatchStepper<F>> Inside for Inspected<'_, F, S> {
    fn time(&self, theta: f64) -> f64 {
        if theta >= 1.0 {
            self.to
        } else {
            self.from + theta * (self.to - self.from)
        }
    }

    fn state(&mut self, theta: f64, x: &mut [f64]) -> Result<(), Fault> {
        if theta >= 1.0 {
            x.copy_from_slice(self.end);
            return Ok(());
        }
        let t = self.time(theta.max(0.0));
        match self.stepper.interpolate(self.field, self.lane, t, x) {
            true => Ok(()),
            false => Err(Fault::NotFinite(0)),
        }
    }

    fn ways(&mut self, ways: &mut [f64]) -> bool {
        self.stepper.ways(self.lane, ways)
    }

    fn is_known(&self) -> bool {
        self.stepper.vouches(self.lane)
    }
}
