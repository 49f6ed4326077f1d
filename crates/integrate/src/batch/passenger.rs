//! A member on its way through a lane.

use super::events::Crossings;
use super::field::Span;
use super::stepper::{MemberError, MemberOutcome};
use crate::event::{Walk, Watch};
use crate::pace::Pace;

/// A member in a lane.
#[derive(Clone, Debug)]
pub(super) struct Passenger {
    pub member: usize,
    pub span: Span,
    /// The time that it has reached.
    pub t: f64,
    /// The end of the leg that it is on: that of its span, or where a step is to end before.
    pub leg: f64,
    pub steps: u64,
    pub rejected: u64,
    pub samples: Vec<f64>,
    /// How many sample times it has passed.
    pub passed: usize,
    /// The signs of the events, and what has happened.
    pub watches: Vec<Watch>,
    pub walk: Walk,
    pub events: Vec<Crossings>,
    pub pace: Pace,
}

impl Passenger {
    pub fn new(member: usize, span: Span, samples: Vec<f64>, most_steps: u64) -> Self {
        Passenger {
            member,
            span,
            t: span.start,
            leg: span.end,
            steps: 0,
            rejected: 0,
            samples,
            passed: 0,
            watches: Vec::new(),
            walk: Walk::default(),
            events: Vec::new(),
            pace: Pace::new(span.start, most_steps),
        }
    }

    /// The number of the sample time that comes next on this member's way, and the time.
    pub fn next_sample(&self, times: &[f64]) -> Option<(usize, f64)> {
        let left = times.len().checked_sub(self.passed + 1)?;
        let slot = if self.is_backwards() {
            left
        } else {
            self.passed
        };
        Some((slot, times[slot]))
    }

    /// The way to the next of these times, in ascending order, or to the end of its span.
    pub fn next_leg(&self, knots: &[f64]) -> Span {
        let next = match self.is_backwards() {
            false => knots.get(knots.partition_point(|k| *k <= self.t)),
            true => knots[..knots.partition_point(|k| *k < self.t)].last(),
        };
        let end = next.filter(|k| self.is_after(self.span.end, **k));
        Span {
            start: self.t,
            end: end.copied().unwrap_or(self.span.end),
        }
    }

    fn is_backwards(&self) -> bool {
        self.span.end < self.span.start
    }

    /// Whether time a is after b on this member's way.
    pub fn is_after(&self, a: f64, b: f64) -> bool {
        if self.is_backwards() { a < b } else { a > b }
    }

    /// The member at its end.
    pub fn outcome(self, state: Vec<f64>, why: Ending) -> MemberOutcome {
        let (t, stopped_by, error) = match why {
            Ending::Reached => (self.t, None, None),
            Ending::Event { event, t } => (t, Some(event), None),
            Ending::Barred { t } => (t, None, Some(MemberError::Fault)),
            Ending::Error(error) => (self.t, None, Some(error)),
        };
        MemberOutcome {
            t,
            state,
            steps: self.steps,
            rejected: self.rejected,
            samples: self.samples,
            events: self.events,
            stopped_by,
            error,
        }
    }
}

/// What becomes of a member that cannot simply go on.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Turn {
    /// It leaves its lane.
    Out(Ending),
    /// It goes on from another state, with a leg of its own.
    Leg(Span, Vec<f64>),
}

impl From<Ending> for Turn {
    fn from(why: Ending) -> Self {
        Turn::Out(why)
    }
}

/// Why a member leaves its lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ending {
    /// It has come to the end of its span.
    Reached,
    /// A terminal event, at this time inside the last step.
    Event { event: usize, t: f64 },
    /// It must not go on from this time inside the last step.
    Barred { t: f64 },
    /// It cannot go on.
    Error(MemberError),
}
