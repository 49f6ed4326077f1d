//! Any method for several members at once: a stepper of its own in every lane.

use super::field::{BatchField, Span};
use super::stepper::{BatchStepper, MemberError, Round};
use crate::control::Controller;
use crate::drive::StepSize;
use crate::dynamics::Dynamics;
use crate::simd::LANES;
use crate::stepper::{FEWEST_STEPS, Stepper, longest_step};
use crate::tolerance::{NO_STEP, SAME_STEP};

/// A field whose members can be followed one by one.
pub trait Singly: BatchField {
    /// What moves one member.
    type One: Dynamics;

    /// That of the member in a lane.
    fn one(&mut self, lane: usize) -> &mut Self::One;
}

/// Steppers side by side; their steps are those that [`Drive`](crate::Drive) takes with one of them.
pub struct Abreast<F> {
    lanes: [Lane<F>; LANES],
    size: StepSize,
    spacing: f64,
}

/// A member on its way, and the step that it took last.
struct Lane<F> {
    stepper: AnyStepper<F>,
    resting: bool,
    span: Span,
    /// The steps of equal length from the start of the span.
    count: u64,
    /// Where the member is.
    t: f64,
    x: Vec<f64>,
    /// Where its last step began, and how long it was.
    from: f64,
    h: f64,
    next: Vec<f64>,
    pace: Option<Adaptive>,
    failure: MemberError,
}

/// How long the next step is to be.
struct Adaptive {
    controller: Controller,
    length: f64,
    longest: f64,
    /// Has a trial from here met states without rates, or too large an error?
    faulty: bool,
    rejected: bool,
}

/// A method for one member.
type AnyStepper<F> = Box<dyn Stepper<F>>;

/// Has a lane moved on?
type Moved = Result<bool, MemberError>;

impl<F> Abreast<F> {
    /// A stepper for each lane, for states with this many components.
    pub fn new(dimension: usize, steppers: [AnyStepper<F>; LANES], size: StepSize) -> Self {
        let lane = |stepper| Lane {
            stepper,
            resting: true,
            span: Span {
                start: 0.0,
                end: 0.0,
            },
            count: 0,
            t: 0.0,
            x: vec![0.0; dimension],
            from: 0.0,
            h: 0.0,
            next: vec![0.0; dimension],
            pace: None,
            failure: MemberError::Fault,
        };
        Self {
            lanes: steppers.map(lane),
            size,
            spacing: f64::INFINITY,
        }
    }

    /// Misses little that shows at this spacing.
    pub fn spacing(mut self, spacing: f64) -> Self {
        self.spacing = spacing;
        self
    }
}

impl<F: Dynamics> Lane<F> {
    /// Tries a step and returns its error; none where the equations have no value on the way.
    fn trial(&mut self, one: &mut F, h: f64) -> Option<f64> {
        let step = self.stepper.step(one, self.t, &self.x, h, &mut self.next);
        let error = step.ok()?.error;
        (error.is_finite() && self.next.iter().all(|x| x.is_finite())).then_some(error)
    }

    fn accept(&mut self, target: f64, h: f64) {
        (self.from, self.h, self.t) = (self.t, h, target);
        self.x.copy_from_slice(&self.next);
    }

    /// Equal steps; the last one ends at the end of the span.
    fn fixed(&mut self, one: &mut F, length: f64) -> Moved {
        let Span { start, end } = self.span;
        let h = length.copysign(end - start);
        // A remainder that is only rounding is no step of its own.
        let all = ((end - start) / h * (1.0 - NO_STEP)).ceil().max(1.0) as u64;
        let (k, rest) = (self.count + 1, end - self.t);
        let target = if k >= all { end } else { start + k as f64 * h };
        // Methods that keep things for one step size should see the same one to the last bit.
        let step = match k >= all && (rest - h).abs() > SAME_STEP * h.abs() {
            true => rest,
            false => h,
        };
        if self.t + step == self.t {
            return Err(MemberError::StepUnderflow { h: step });
        }
        self.trial(one, step).ok_or(MemberError::Fault)?;
        self.count = k;
        self.accept(target, step);
        Ok(true)
    }

    /// Steps that keep the error of the method within its tolerance.
    fn adaptive(&mut self, one: &mut F, spacing: f64) -> Moved {
        let mut pace = match self.pace.take() {
            Some(pace) => pace,
            None => self.begin(one, spacing)?,
        };
        let moved = self.attempt(one, &mut pace);
        self.pace = Some(pace);
        moved
    }

    fn attempt(&mut self, one: &mut F, pace: &mut Adaptive) -> Moved {
        let rest = self.span.end - self.t;
        let limit = rest.abs().min(pace.longest).copysign(rest);
        // After a fault the method's own wish has already failed.
        let proposed = match pace.faulty {
            true => None,
            false => self.proposed(one, limit)?,
        };
        let wanted = match proposed {
            Some(proposed) if pace.rejected => proposed.min(pace.length),
            Some(proposed) => proposed,
            None => pace.length,
        };
        let wanted = wanted.min(pace.longest);
        // A little longer rather than a tiny step at the end.
        let last = wanted * 1.01 >= rest.abs() && rest.abs() <= pace.longest;
        let target = match last {
            true => self.span.end,
            false => self.t + wanted.copysign(rest),
        };
        let h = target - self.t;
        if h == 0.0 || h.abs() <= 4.0 * f64::EPSILON * self.t.abs() && !last {
            return Err(match pace.faulty {
                true => MemberError::Fault,
                false => MemberError::StepUnderflow { h: wanted },
            });
        }
        match self.trial(one, h) {
            None => {
                let here = one.probe(self.t, &self.x, &mut self.next);
                here.map_err(|_| MemberError::Fault)?;
                (pace.faulty, pace.rejected) = (true, true);
                pace.length = h.abs() * pace.controller.retreat();
                Ok(false)
            }
            Some(error) if error > 1.0 => {
                pace.rejected = true;
                pace.length = h.abs() * pace.controller.reject(error);
                Ok(false)
            }
            Some(error) => {
                (pace.faulty, pace.rejected) = (false, false);
                pace.length = h.abs() * pace.controller.accept(error);
                self.accept(target, h);
                Ok(true)
            }
        }
    }

    fn proposed(&mut self, one: &mut F, limit: f64) -> Result<Option<f64>, MemberError> {
        let proposed = self.stepper.proposed_step(one, self.t, &self.x, limit);
        proposed.map_err(|_| MemberError::Fault)
    }

    /// The first step, and the longest in which the method misses nothing.
    fn begin(&mut self, one: &mut F, spacing: f64) -> Result<Adaptive, MemberError> {
        let span = self.span.end - self.t;
        self.stepper
            .beware(longest_step(FEWEST_STEPS, span, spacing));
        let longest = match self.stepper.fewest_steps(one) {
            0 | 1 => f64::INFINITY,
            fewest => longest_step(fewest, span, spacing),
        };
        let order = self.stepper.error_order();
        let length = match (self.proposed(one, span)?, self.stepper.tolerance()) {
            (Some(_), _) => Some(span.abs()),
            (None, Some(tolerance)) => one
                .first_step(self.t, &self.x, span, tolerance, order)
                .map_err(|_| MemberError::Fault)?,
            (None, None) => None,
        };
        Ok(Adaptive {
            controller: Controller::new(order),
            length: length.ok_or(MemberError::Fault)?,
            longest,
            faulty: false,
            rejected: false,
        })
    }
}

impl<F: Singly + ?Sized> BatchStepper<F> for Abreast<F::One> {
    fn load(&mut self, lane: usize, span: Span, x: &[f64]) {
        let lane = &mut self.lanes[lane];
        lane.stepper.restart();
        lane.resting = false;
        lane.span = span;
        lane.count = 0;
        lane.t = span.start;
        lane.x.copy_from_slice(x);
        lane.pace = None;
    }

    fn rest(&mut self, lane: usize) {
        self.lanes[lane].resting = true;
    }

    fn advance(&mut self, field: &mut F) -> Round {
        let mut round = Round::default();
        for (l, lane) in self.lanes.iter_mut().enumerate() {
            if lane.resting {
                continue;
            }
            let one = field.one(l);
            let moved = match self.size {
                StepSize::Fixed(length) => lane.fixed(one, length),
                StepSize::Adaptive { .. } => lane.adaptive(one, self.spacing),
            };
            match moved {
                Ok(moved) => round.accepted |= u8::from(moved) << l,
                Err(why) => {
                    lane.failure = why;
                    round.failed |= 1 << l;
                }
            }
        }
        round
    }

    fn time(&self, lane: usize) -> f64 {
        self.lanes[lane].t
    }

    fn state(&self, lane: usize, x: &mut [f64]) {
        x.copy_from_slice(&self.lanes[lane].x);
    }

    fn replace(&mut self, lane: usize, x: &[f64]) {
        self.lanes[lane].x.copy_from_slice(x);
    }

    fn interpolate(&mut self, field: &mut F, lane: usize, t: f64, x: &mut [f64]) -> bool {
        let one = field.one(lane);
        let lane = &mut self.lanes[lane];
        let theta = (t - lane.from) / lane.h;
        lane.stepper.interpolate(one, theta, x).is_ok()
    }

    fn ways(&self, lane: usize, ways: &mut [f64]) -> bool {
        self.lanes[lane].stepper.ways(ways)
    }

    fn vouches(&self, lane: usize) -> bool {
        self.lanes[lane].stepper.vouches()
    }

    fn failure(&self, lane: usize) -> MemberError {
        self.lanes[lane].failure
    }
}
