//! Members through the lanes of one thread: a lane that is done takes the next member at once.

use std::sync::atomic::{AtomicBool, Ordering};

use super::events::{Crossings, MemberEvent, parts};
use super::field::{BatchField, Ensemble, Inspector, Span};
use super::inspected::Inspected;
use super::passenger::{Ending, Passenger, Turn};
use super::stepper::{BatchStepper, MemberError, MemberOutcome};
use crate::drive::{Inside, Inspection};
use crate::event::{Bounds, Direction, Passage, Tube, Watch};
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

/// The lanes of one thread.
pub struct Lanes<'a, E: Ensemble, S> {
    ensemble: &'a E,
    field: E::Field,
    stepper: S,
    /// Times at which every member is sampled, in ascending order.
    times: &'a [f64],
    events: &'a [MemberEvent],
    /// Where the fields change.
    knots: &'a [f64],
    most_steps: u64,
    spacing: f64,
    passengers: [Option<Passenger>; LANES],
    /// One for each lane, where steps are looked into.
    inspectors: Vec<Box<dyn Inspector>>,
    /// Whether the lane has ever had a member.
    used: [bool; LANES],
    /// The state at the end of the step that is looked through, and one inside it.
    end: Vec<f64>,
    dense: Vec<f64>,
}

/// An accepted step of a lane.
#[derive(Clone, Copy)]
struct Taken {
    lane: usize,
    from: f64,
    to: f64,
}

impl Taken {
    /// The time at a part of the step.
    fn time(&self, theta: f64) -> f64 {
        if theta >= 1.0 {
            self.to
        } else {
            self.from + theta * (self.to - self.from)
        }
    }
}

/// Why a member cannot simply go on.
type Halt = Result<(), Ending>;

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
            events: ensemble.events(),
            knots: ensemble.knots(),
            most_steps,
            spacing: f64::INFINITY,
            passengers: std::array::from_fn(|_| None),
            inspectors: (0..LANES).filter_map(|_| ensemble.inspector()).collect(),
            used: [false; LANES],
            end: vec![0.0; dimension],
            dense: vec![0.0; dimension],
        }
    }

    /// Looks for events at least this close to each other in time.
    pub fn spacing(mut self, spacing: f64) -> Self {
        self.spacing = spacing;
        self
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
        let span = self.ensemble.start(member, &mut self.end);
        let samples = vec![f64::NAN; self.times.len() * self.end.len()];
        let mut passenger = Passenger::new(member, span, samples, self.most_steps);
        passenger.events = vec![Crossings::none(); self.events.len()];
        self.sample_start(&mut passenger);
        let is_finite = span.start.is_finite()
            && span.end.is_finite()
            && self.end.iter().all(|x| x.is_finite());
        if !is_finite || span.start == span.end {
            let why = match is_finite {
                true => Ending::Reached,
                false => Ending::Error(MemberError::BadStart),
            };
            desk.done(member, passenger.outcome(self.end.clone(), why));
            return;
        }
        self.field.assign(lane, member);
        if let Some(inspector) = self.inspectors.get_mut(lane) {
            inspector.start(member);
        }
        let leg = self.enter(lane, &mut passenger);
        self.stepper.load(lane, leg, &self.end);
        self.used[lane] = true;
        // Lanes without a member compute along: give them numbers that make sense.
        for empty in 0..LANES {
            if !self.used[empty] {
                self.field.assign(empty, member);
                self.stepper.load(empty, span, &self.end);
                self.stepper.rest(empty);
                self.used[empty] = true;
            }
        }
        self.passengers[lane] = Some(passenger);
    }

    /// The member of a lane, in the state in `end`, comes into the stretch up to the next knot. What its events
    /// look for may jump there: that is no crossing.
    fn enter(&mut self, lane: usize, passenger: &mut Passenger) -> Span {
        let leg = passenger.next_leg(self.knots);
        passenger.leg = leg.end;
        if !self.knots.is_empty() {
            let around = 0.5 * (leg.start + leg.end);
            self.field.enter(lane, around);
            if let Some(inspector) = self.inspectors.get_mut(lane) {
                inspector.enter(around);
            }
        }
        let (field, x) = (&mut self.field, &self.end);
        let values = (0..self.events.len()).map(|event| field.event(lane, event, leg.start, x));
        let before = &passenger.watches;
        let watch = |(k, value): (usize, f64)| {
            before
                .get(k)
                .map_or(Watch::new(value), |w: &Watch| w.behind(value))
        };
        passenger.watches = values.enumerate().map(watch).collect();
        leg
    }

    /// Samples the start, and passes over times before it.
    fn sample_start(&self, passenger: &mut Passenger) {
        let n = self.end.len();
        while let Some((slot, time)) = passenger.next_sample(self.times) {
            if passenger.is_after(time, passenger.span.start) {
                return;
            }
            if time == passenger.span.start {
                passenger.samples[slot * n..(slot + 1) * n].copy_from_slice(&self.end);
            }
            passenger.passed += 1;
        }
    }

    /// One trial in every lane, and what follows from it.
    fn round(&mut self, desk: &mut impl Desk) {
        let round = self.stepper.advance(&mut self.field);
        // All steps are looked through before any lane gets a new member.
        let mut turns: [Option<Turn>; LANES] = std::array::from_fn(|_| None);
        for (lane, turn) in turns.iter_mut().enumerate() {
            *turn = if round.failed >> lane & 1 == 1 {
                Some(Ending::Error(self.stepper.failure(lane)).into())
            } else {
                self.count(lane, round.accepted >> lane & 1 == 1).err()
            };
        }
        for (lane, turn) in turns.into_iter().enumerate() {
            let why = match turn {
                None => continue,
                Some(Turn::Leg(leg, x)) => {
                    self.stepper.load(lane, leg, &x);
                    continue;
                }
                Some(Turn::Out(why)) => why,
            };
            if let Some(passenger) = self.passengers[lane].take() {
                self.stepper.state(lane, &mut self.end);
                self.stepper.rest(lane);
                let member = passenger.member;
                desk.done(member, passenger.outcome(self.end.clone(), why));
            }
        }
    }

    /// Counts a trial and looks through it if it was accepted.
    fn count(&mut self, lane: usize, accepted: bool) -> Result<(), Turn> {
        let Some(passenger) = &mut self.passengers[lane] else {
            return Ok(());
        };
        let (from, to) = (passenger.t, self.stepper.time(lane));
        let mut turn = Ok(());
        if accepted {
            turn = self.look_through(Taken { lane, from, to });
        }
        let Some(passenger) = &mut self.passengers[lane] else {
            return Ok(());
        };
        if accepted && !matches!(turn, Err(Turn::Leg(..))) {
            passenger.t = to;
            passenger.steps += 1;
        } else {
            passenger.rejected += 1;
        }
        if let Err(Turn::Out(_)) = turn {
            return turn;
        }
        let rest = passenger.span.end - passenger.t;
        if rest == 0.0 {
            return Err(Ending::Reached.into());
        }
        if passenger.steps + passenger.rejected >= self.most_steps {
            return Err(Ending::Error(MemberError::TooManySteps).into());
        }
        if let Some(h) = passenger.pace.trial(passenger.t, rest) {
            return Err(Ending::Error(MemberError::Stalled { h }).into());
        }
        if passenger.t == passenger.leg {
            return Err(self.next_leg(lane));
        }
        turn
    }

    /// Goes on to the next knot, or to the end of the span.
    fn next_leg(&mut self, lane: usize) -> Turn {
        self.stepper.state(lane, &mut self.end);
        let Some(mut passenger) = self.passengers[lane].take() else {
            return Ending::Reached.into();
        };
        let at = self.knots.partition_point(|k| *k < passenger.t);
        let leg = match self.knots.get(at) == Some(&passenger.t) {
            true => self.enter(lane, &mut passenger),
            false => passenger.next_leg(self.knots),
        };
        passenger.leg = leg.end;
        self.passengers[lane] = Some(passenger);
        Turn::Leg(leg, self.end.clone())
    }

    /// Looks into a step, from its start to the state in `end`.
    fn inspect(&mut self, step: Taken) -> Result<(), Turn> {
        let Taken { lane, from, to } = step;
        let Some(inspector) = self.inspectors.get_mut(lane) else {
            return Ok(());
        };
        let mut inside = Inspected {
            stepper: &mut self.stepper,
            field: &mut self.field,
            lane,
            from,
            to,
            end: &self.end,
        };
        let part = match inspector.inspect(&mut inside) {
            Inspection::Passed => return Ok(()),
            Inspection::Barred(theta) => return Err(self.barred(step, theta).into()),
            Inspection::Again(part) => part,
        };
        let end = inside.time(part);
        if (end - from).abs() <= 4.0 * f64::EPSILON * from.abs() {
            return Err(Ending::Error(MemberError::StepUnderflow { h: end - from }).into());
        }
        let mut start = vec![0.0; self.end.len()];
        if inside.state(0.0, &mut start).is_err() {
            return Err(Ending::Error(MemberError::Fault).into());
        }
        if let Some(passenger) = &mut self.passengers[lane] {
            passenger.leg = end;
        }
        Err(Turn::Leg(Span { start: from, end }, start))
    }

    /// Ends a member at a part of a step, beyond which it must not go.
    fn barred(&mut self, step: Taken, theta: f64) -> Ending {
        let t = step.time(theta);
        if let Err(why) = self.interpolate(step, t) {
            return why;
        }
        self.stepper.replace(step.lane, &self.dense);
        Ending::Barred { t }
    }

    /// Puts the end of a step to where it belongs, looks into it, and looks for events and samples.
    fn look_through(&mut self, step: Taken) -> Result<(), Turn> {
        let projects = self.field.projects();
        let shows = !self.events.is_empty() || !self.times.is_empty();
        if !projects && !shows && self.inspectors.is_empty() {
            return Ok(());
        }
        self.stepper.state(step.lane, &mut self.end);
        if projects {
            self.field.project(step.lane, step.to, &mut self.end);
        }
        self.inspect(step)?;
        if !self.events.is_empty() {
            self.find_events(step)?;
        }
        self.sample_until(step, step.to)?;
        if projects {
            self.stepper.replace(step.lane, &self.end);
        }
        Ok(())
    }

    /// Writes the state at a time inside the step into `dense`.
    fn interpolate(&mut self, step: Taken, time: f64) -> Halt {
        if time == step.to {
            self.dense.copy_from_slice(&self.end);
            return Ok(());
        }
        let Taken { lane, .. } = step;
        let (stepper, field) = (&mut self.stepper, &mut self.field);
        if !stepper.interpolate(field, lane, time, &mut self.dense) {
            return Err(Ending::Error(MemberError::Fault));
        }
        if field.projects() {
            field.project(lane, time, &mut self.dense);
        }
        Ok(())
    }

    /// Samples the step up to a time.
    fn sample_until(&mut self, step: Taken, t: f64) -> Halt {
        let n = self.end.len();
        loop {
            let Some(passenger) = &self.passengers[step.lane] else {
                return Ok(());
            };
            let next = passenger.next_sample(self.times);
            let Some((slot, time)) = next.filter(|(_, time)| !passenger.is_after(*time, t)) else {
                return Ok(());
            };
            self.interpolate(step, time)?;
            if let Some(passenger) = &mut self.passengers[step.lane] {
                passenger.samples[slot * n..(slot + 1) * n].copy_from_slice(&self.dense);
                passenger.passed += 1;
            }
        }
    }

    /// Looks for events in the step.
    fn find_events(&mut self, step: Taken) -> Halt {
        let Some(passenger) = &mut self.passengers[step.lane] else {
            return Ok(());
        };
        let mut walk = std::mem::take(&mut passenger.walk);
        let parts = parts(step.to - step.from, self.spacing);
        let found = walk.through(&mut Within { lanes: self, step }, 1.0, parts);
        if let Some(passenger) = &mut self.passengers[step.lane] {
            if let Some((event, _)) = walk.blurred() {
                passenger.events[event].blurred = true;
            }
            passenger.walk = walk;
        }
        found
    }

    /// Notes an event inside the step, after the samples before it; a terminal one ends the motion there.
    fn fire(&mut self, step: Taken, t: f64, event: usize) -> Halt {
        self.sample_until(step, t)?;
        let Some(passenger) = &mut self.passengers[step.lane] else {
            return Ok(());
        };
        passenger.events[event].add(t);
        if !self.events[event].terminal {
            return Ok(());
        }
        self.interpolate(step, t)?;
        self.stepper.replace(step.lane, &self.dense);
        Err(Ending::Event { event, t })
    }
}

/// A step of a lane that is looked through for events.
struct Within<'l, L> {
    lanes: &'l mut L,
    step: Taken,
}

impl<E: Ensemble, S: BatchStepper<E::Field>> Passage for Within<'_, Lanes<'_, E, S>> {
    type Halt = Ending;

    fn events(&self) -> usize {
        self.lanes.events.len()
    }

    fn direction(&self, event: usize) -> Direction {
        self.lanes.events[event].direction
    }

    fn watch(&mut self, event: usize) -> Option<&mut Watch> {
        let passenger = self.lanes.passengers[self.step.lane].as_mut();
        passenger.and_then(|p| p.watches.get_mut(event))
    }

    fn state(&mut self, theta: f64) -> Result<(f64, &[f64]), Ending> {
        let time = self.step.time(theta);
        self.lanes.interpolate(self.step, time)?;
        Ok((time, &self.lanes.dense))
    }

    fn value(&mut self, event: usize, theta: f64) -> Result<f64, Ending> {
        let (time, lane) = (self.step.time(theta), self.step.lane);
        self.lanes.interpolate(self.step, time)?;
        let lanes = &mut *self.lanes;
        Ok(lanes.field.event(lane, event, time, &lanes.dense))
    }

    fn is_bounded(&self, event: usize) -> bool {
        self.lanes.field.is_bounded(event)
    }

    fn bounds(&mut self, event: usize, tube: &Tube) -> Bounds {
        self.lanes.field.bounds(self.step.lane, event, tube)
    }

    fn rounding(&self) -> f64 {
        let Taken { from, to, .. } = self.step;
        f64::EPSILON * (from / (to - from)).abs()
    }

    fn is_first(&self) -> bool {
        let passenger = self.lanes.passengers[self.step.lane].as_ref();
        passenger.is_some_and(|p| p.steps == 0)
    }

    fn fire(&mut self, theta: f64, event: usize) -> Halt {
        self.lanes.fire(self.step, self.step.time(theta), event)
    }
}
