//! Members through the lanes of one thread: a lane that is done takes the next member at once.

use std::sync::atomic::{AtomicBool, Ordering};

use super::field::{BatchField, Ensemble, Span};
use super::stepper::{BatchStepper, MemberError, MemberOutcome};
use crate::simd::LANES;

/// The answer to the question for another member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// This one.
    Member(usize),
    /// Not now.
    Later,
    /// There are no more.
    Done,
}

/// Where lanes get their members from and bring the outcomes to.
pub trait Desk {
    /// The next member.
    fn next(&mut self) -> Next;

    /// A member has come to its end.
    fn done(&mut self, member: usize, outcome: MemberOutcome);
}

/// A member in a lane.
#[derive(Clone, Debug)]
struct Passenger {
    member: usize,
    span: Span,
    steps: u64,
    rejected: u64,
    samples: Vec<f64>,
    /// How many sample times it has passed.
    passed: usize,
}

impl Passenger {
    /// The number of the sample time that comes next on this member's way, and the time.
    fn next_sample(&self, times: &[f64]) -> Option<(usize, f64)> {
        let left = times.len().checked_sub(self.passed + 1)?;
        let slot = if self.is_backwards() {
            left
        } else {
            self.passed
        };
        Some((slot, times[slot]))
    }

    fn is_backwards(&self) -> bool {
        self.span.end < self.span.start
    }

    /// Whether time a is after b on this member's way.
    fn is_after(&self, a: f64, b: f64) -> bool {
        if self.is_backwards() { a < b } else { a > b }
    }
}

/// The lanes of one thread.
#[derive(Debug)]
pub struct Lanes<'a, E: Ensemble, S> {
    ensemble: &'a E,
    field: E::Field,
    stepper: S,
    /// Times at which every member is sampled, in ascending order.
    times: &'a [f64],
    most_steps: u64,
    passengers: [Option<Passenger>; LANES],
    /// Whether the lane has ever had a member.
    used: [bool; LANES],
    state: Vec<f64>,
}

impl<'a, E: Ensemble, S: BatchStepper<E::Field>> Lanes<'a, E, S> {
    /// Empty lanes with this method.
    pub fn new(ensemble: &'a E, stepper: S, times: &'a [f64], most_steps: u64) -> Self {
        let field = ensemble.field();
        let dimension = field.dimension();
        Lanes {
            ensemble,
            field,
            stepper,
            times,
            most_steps,
            passengers: std::array::from_fn(|_| None),
            used: [false; LANES],
            state: vec![0.0; dimension],
        }
    }

    /// Follows members until there are no more, or the stop flag is raised: members that are then
    /// under way are dropped.
    pub fn run(&mut self, desk: &mut impl Desk, stop: &AtomicBool) {
        let mut no_more = false;
        while !stop.load(Ordering::Relaxed) {
            if !no_more {
                no_more = self.fill(desk);
            }
            if self.passengers.iter().all(Option::is_none) {
                if no_more {
                    return;
                }
                // The others are far behind; a busy wait would only slow them down.
                std::thread::sleep(std::time::Duration::from_micros(100));
                continue;
            }
            self.round(desk);
        }
    }

    /// Fills empty lanes; true when there are no more members.
    fn fill(&mut self, desk: &mut impl Desk) -> bool {
        for lane in 0..LANES {
            while self.passengers[lane].is_none() {
                match desk.next() {
                    Next::Member(member) => self.board(lane, member, desk),
                    Next::Later => return false,
                    Next::Done => return true,
                }
            }
        }
        false
    }

    /// Puts a member into a lane, unless it has nowhere to go.
    fn board(&mut self, lane: usize, member: usize, desk: &mut impl Desk) {
        let span = self.ensemble.start(member, &mut self.state);
        let mut passenger = Passenger {
            member,
            span,
            steps: 0,
            rejected: 0,
            samples: vec![f64::NAN; self.times.len() * self.state.len()],
            passed: 0,
        };
        self.sample_start(&mut passenger);
        let is_finite = span.start.is_finite()
            && span.end.is_finite()
            && self.state.iter().all(|x| x.is_finite());
        if !is_finite || span.start == span.end {
            let error = (!is_finite).then_some(MemberError::BadStart);
            let outcome = outcome(passenger, span.start, self.state.clone(), error);
            desk.done(member, outcome);
            return;
        }
        self.field.assign(lane, member);
        self.stepper.load(lane, span, &self.state);
        self.used[lane] = true;
        // Lanes without a member compute along: give them numbers that make sense.
        for empty in 0..LANES {
            if !self.used[empty] {
                self.field.assign(empty, member);
                self.stepper.load(empty, span, &self.state);
                self.stepper.rest(empty);
                self.used[empty] = true;
            }
        }
        self.passengers[lane] = Some(passenger);
    }

    /// Samples the start, and passes over times before it.
    fn sample_start(&self, passenger: &mut Passenger) {
        let n = self.state.len();
        while let Some((slot, time)) = passenger.next_sample(self.times) {
            if passenger.is_after(time, passenger.span.start) {
                return;
            }
            if time == passenger.span.start {
                passenger.samples[slot * n..(slot + 1) * n].copy_from_slice(&self.state);
            }
            passenger.passed += 1;
        }
    }

    /// One trial in every lane, and what follows from it.
    fn round(&mut self, desk: &mut impl Desk) {
        let round = self.stepper.advance(&mut self.field);
        // All samples before any lane gets a new member.
        let mut errors = [None; LANES];
        for (lane, error) in errors.iter_mut().enumerate() {
            if round.failed >> lane & 1 == 1 {
                *error = Some(self.stepper.failure(lane));
            } else {
                *error = self.count(lane, round.accepted >> lane & 1 == 1);
            }
        }
        for (lane, error) in errors.into_iter().enumerate() {
            let Some(passenger) = &self.passengers[lane] else {
                continue;
            };
            let t = self.stepper.time(lane);
            if error.is_none() && t != passenger.span.end {
                continue;
            }
            if let Some(passenger) = self.passengers[lane].take() {
                self.stepper.state(lane, &mut self.state);
                self.stepper.rest(lane);
                let member = passenger.member;
                desk.done(member, outcome(passenger, t, self.state.clone(), error));
            }
        }
    }

    /// Counts a trial and samples it if it was accepted.
    fn count(&mut self, lane: usize, accepted: bool) -> Option<MemberError> {
        let passenger = self.passengers[lane].as_mut()?;
        if accepted {
            passenger.steps += 1;
        } else {
            passenger.rejected += 1;
        }
        let spent = passenger.steps + passenger.rejected;
        let complete = !accepted || self.sample(lane);
        let passenger = self.passengers[lane].as_ref()?;
        if !complete {
            Some(MemberError::Fault)
        } else if spent >= self.most_steps && self.stepper.time(lane) != passenger.span.end {
            Some(MemberError::TooManySteps)
        } else {
            None
        }
    }

    /// Samples the accepted step; false where the dense output has no value.
    fn sample(&mut self, lane: usize) -> bool {
        let Some(passenger) = self.passengers[lane].as_mut() else {
            return true;
        };
        let (n, t) = (self.state.len(), self.stepper.time(lane));
        while let Some((slot, time)) = passenger.next_sample(self.times) {
            if passenger.is_after(time, t) {
                break;
            }
            let sample = &mut passenger.samples[slot * n..(slot + 1) * n];
            if time == t {
                self.stepper.state(lane, sample);
            } else if !self
                .stepper
                .interpolate(&mut self.field, lane, time, sample)
            {
                sample.fill(f64::NAN);
                return false;
            }
            passenger.passed += 1;
        }
        true
    }
}

fn outcome(
    passenger: Passenger,
    t: f64,
    state: Vec<f64>,
    error: Option<MemberError>,
) -> MemberOutcome {
    MemberOutcome {
        t,
        state,
        steps: passenger.steps,
        rejected: passenger.rejected,
        samples: passenger.samples,
        error,
    }
}
