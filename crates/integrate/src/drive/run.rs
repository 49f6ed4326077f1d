//! The loop over the steps of a motion.

use crate::tolerance::{NO_STEP, SAME_STEP};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use super::samples::Samples;
use super::{Drive, DriveError, End, Inside, Inspection, Observer, Output, StepSize, Summary};
use crate::control::{Controller, first_not_finite};
use crate::dynamics::Dynamics;
use crate::event::{Bounds, Direction, Event, Passage, Tube, Walk, Watch};
use crate::field::Fault;
use crate::pace::Pace;
use crate::stepper::{FEWEST_STEPS, Stepper, longest_step};

/// The most parts that a step is divided into for events, however close the samples.
const MOST_PARTS: f64 = 4096.0;

/// A motion under way at (t, x).
pub(super) struct Run<'a, 'e, F: ?Sized, S: ?Sized, O: ?Sized> {
    drive: &'a Drive<'a>,
    field: &'a mut F,
    stepper: &'a mut S,
    observer: &'a mut O,
    events: &'a mut [Event<'e>],
    watches: Vec<Watch>,
    /// Is this the next stretch of a motion?
    goes_on: bool,
    walk: Walk,
    samples: Samples<'a>,
    /// The time of the last sample before the end.
    sampled: f64,
    t: f64,
    x: &'a mut [f64],
    next: Vec<f64>,
    dense: Vec<f64>,
    summary: Summary,
    evaluations_before: u64,
    /// The last fault of a trial from the current state.
    fault: Option<Fault>,
    /// Whether a trial from the current state has been rejected.
    rejected: bool,
}

/// A step from (t, from) to (t + h, to) that nobody has seen yet.
struct Taken<'a, F: ?Sized, S: ?Sized> {
    stepper: &'a mut S,
    field: &'a mut F,
    t: f64,
    h: f64,
    from: &'a [f64],
    to: &'a [f64],
}

impl<F, S> Inside for Taken<'_, F, S>
where
    F: Dynamics + ?Sized,
    S: Stepper<F> + ?Sized,
{
    fn time(&self, theta: f64) -> f64 {
        self.t + theta * self.h
    }

    fn state(&mut self, theta: f64, x: &mut [f64]) -> Result<(), Fault> {
        if theta <= 0.0 {
            x.copy_from_slice(self.from);
        } else if theta >= 1.0 {
            x.copy_from_slice(self.to);
        } else {
            self.stepper.interpolate(self.field, theta, x)?;
        }
        Ok(())
    }

    fn sketch(&mut self, theta: f64, x: &mut [f64]) -> Result<bool, Fault> {
        if theta <= 0.0 || theta >= 1.0 {
            self.state(theta, x)?;
            return Ok(true);
        }
        self.stepper.sketch(self.field, theta, x)
    }

    fn ways(&mut self, ways: &mut [f64]) -> bool {
        self.stepper.ways(ways)
    }

    fn is_known(&self) -> bool {
        self.stepper.vouches()
    }
}

/// The step from (t, x) that is looked through for events.
struct Step<'r, R> {
    run: &'r mut R,
    h: f64,
}

impl<F, S, O> Passage for Step<'_, Run<'_, '_, F, S, O>>
where
    F: Dynamics + ?Sized,
    S: Stepper<F> + ?Sized,
    O: Observer + ?Sized,
{
    type Halt = Halt;

    fn events(&self) -> usize {
        self.run.events.len()
    }

    fn direction(&self, event: usize) -> Direction {
        self.run.events[event].counted()
    }

    fn watch(&mut self, event: usize) -> Option<&mut Watch> {
        self.run.watches.get_mut(event)
    }

    fn state(&mut self, theta: f64) -> Result<(f64, &[f64]), Halt> {
        self.run.interpolate(self.h, theta)?;
        Ok((self.run.t + theta * self.h, &self.run.dense))
    }

    fn value(&mut self, event: usize, theta: f64) -> Result<f64, Halt> {
        self.run.interpolate(self.h, theta)?;
        let t = self.run.t + theta * self.h;
        Ok(self.run.events[event].value(t, &self.run.dense))
    }

    fn is_bounded(&self, event: usize) -> bool {
        self.run.events[event].is_bounded()
    }

    fn bounds(&mut self, event: usize, tube: &Tube) -> Bounds {
        self.run.events[event].bounds(tube)
    }

    fn rounding(&self) -> f64 {
        f64::EPSILON * (self.run.t / self.h).abs()
    }

    fn tolerance(&self) -> Option<f64> {
        self.run.stepper.tolerance().map(|t| t.relative)
    }

    fn is_first(&self) -> bool {
        self.run.summary.steps <= 1 && !self.run.goes_on
    }

    fn fire(&mut self, theta: f64, event: usize) -> Flow {
        self.run.fire(self.h, theta, event)
    }

    fn reached(&mut self, theta: f64) -> Flow {
        if !self.run.is_stopped() {
            return Ok(());
        }
        self.run.interpolate(self.h, theta)?;
        Err(self.run.stop_at(self.run.t + theta * self.h))
    }
}

/// The end of a motion before its time.
enum Halt {
    End(End),
    Error(DriveError),
}

type Flow = Result<(), Halt>;

impl<'a, 'e, F, S, O> Run<'a, 'e, F, S, O>
where
    F: Dynamics + ?Sized,
    S: Stepper<F> + ?Sized,
    O: Observer + ?Sized,
{
    pub fn new(
        drive: &'a Drive<'a>,
        field: &'a mut F,
        stepper: &'a mut S,
        x: &'a mut [f64],
        events: &'a mut [Event<'e>],
        observer: &'a mut O,
    ) -> Self {
        // The field may have changed since the stepper was last used.
        stepper.restart();
        let goes_on = events.iter().any(Event::goes_on);
        let watches = events.iter_mut().map(|event| event.watch(drive.t0, x));
        let watches = watches.collect();
        Run {
            drive,
            goes_on,
            evaluations_before: stepper.evaluations(),
            watches,
            walk: Walk::default(),
            samples: Samples::new(drive.output, drive.t0, drive.t1),
            sampled: f64::NAN,
            t: drive.t0,
            next: x.to_vec(),
            dense: x.to_vec(),
            summary: Summary {
                t: drive.t0,
                end: End::Reached,
                steps: 0,
                rejected: 0,
                evaluations: 0,
                events: vec![0; events.len()],
                blurred: None,
            },
            fault: None,
            rejected: false,
            field,
            stepper,
            observer,
            events,
            x,
        }
    }

    /// Follows the motion to its end, whatever that is.
    pub fn follow(mut self) -> (Summary, Result<(), DriveError>) {
        let (end, result) = match self.motion() {
            Ok(()) => (End::Reached, Ok(())),
            Err(Halt::End(end)) => (end, Ok(())),
            Err(Halt::Error(error)) => (End::Stopped, Err(error)),
        };
        for (event, watch) in self.events.iter_mut().zip(&self.watches) {
            event.keep(*watch);
        }
        self.summary.end = end;
        self.summary.t = self.t;
        self.summary.blurred = self.walk.blurred();
        self.summary.evaluations += self.stepper.evaluations() - self.evaluations_before;
        (self.summary, result)
    }

    fn motion(&mut self) -> Flow {
        flow(self.observer.sample(self.t, self.x))?;
        if self.drive.t1 == self.drive.t0 {
            return Ok(());
        }
        match self.drive.step_size {
            StepSize::Fixed(h) => self.fixed(h)?,
            StepSize::Adaptive { first, longest } => self.adaptive(first, longest)?,
        }
        if self.drive.output != Output::Steps {
            flow(self.observer.sample(self.t, self.x))?;
        }
        Ok(())
    }

    /// Equal steps; the last one ends at t1.
    fn fixed(&mut self, length: f64) -> Flow {
        let (t0, t1) = (self.drive.t0, self.drive.t1);
        let h = length.copysign(t1 - t0);
        // A remainder that is only rounding is no step of its own.
        let count = ((t1 - t0) / h * (1.0 - NO_STEP)).ceil().max(1.0) as u64;
        for k in 1..=count {
            self.guard()?;
            let target = if k == count { t1 } else { t0 + k as f64 * h };
            let rest = t1 - self.t;
            // Methods that keep things for one step size should see the same one to the last bit.
            let step = if k == count && (rest - h).abs() > SAME_STEP * h.abs() {
                rest
            } else {
                h
            };
            if self.t + step == self.t {
                return Err(self.underflow(step));
            }
            if let Err(fault) = self.trial(step) {
                return Err(self.failure(fault));
            }
            if self.look(step, target)?.is_some() {
                return Err(self.barred(step, 0.0));
            }
            self.accept(step, target)?;
        }
        Ok(())
    }

    /// Steps that keep the error of the method within its tolerance.
    fn adaptive(&mut self, first: Option<f64>, longest: f64) -> Flow {
        let t1 = self.drive.t1;
        let longest = longest.min(self.longest_seen());
        let mut controller = Controller::new(self.stepper.error_order());
        let mut length = match first {
            Some(length) => length,
            None => self.first_step()?,
        };
        let mut pace = Pace::new(self.t, self.drive.most_steps);
        let mut asked = None;
        loop {
            self.guard()?;
            let rest = t1 - self.t;
            if let Some(h) = pace.trial(self.t, rest) {
                return Err(self.stalled(h));
            }
            let wanted = match self.proposed(rest, longest)? {
                // What the method wants has just been rejected.
                Some(proposed) if self.rejected => proposed.min(length),
                Some(proposed) => proposed,
                None => length,
            };
            let wanted = match asked.take() {
                Some(length) => rest.abs().min(length),
                None => wanted.min(longest),
            };
            // A little longer rather than a tiny step at the end.
            let last = wanted * 1.01 >= rest.abs() && rest.abs() <= longest;
            let target = if last {
                t1
            } else {
                reached(self.t, wanted.copysign(rest))
            };
            // Late times are coarse: the step is what lies between two of them.
            let h = target - self.t;
            if self.t + h == self.t || h.abs() <= 4.0 * f64::EPSILON * self.t.abs() && !last {
                return Err(self.underflow(h));
            }
            let error = match self.trial(h) {
                Ok(error) => error,
                Err(fault) => {
                    self.check_here()?;
                    self.fault = Some(fault);
                    self.reject();
                    length = h.abs() * controller.retreat();
                    continue;
                }
            };
            if error > 1.0 {
                self.reject();
                length = h.abs() * controller.reject(error);
                continue;
            }
            asked = self.look(h, target)?;
            if asked.is_some() {
                self.reject();
                continue;
            }
            length = h.abs() * controller.accept(error);
            self.accept(h, target)?;
            self.fault = None;
            self.rejected = false;
            if last {
                return Ok(());
            }
        }
    }

    /// The longest step in which the method misses nothing, nor anything between so many samples.
    fn longest_seen(&mut self) -> f64 {
        let spacing = match self.drive.output {
            Output::Spacing(spacing) => spacing,
            _ => f64::INFINITY,
        };
        let span = self.drive.t1 - self.drive.t0;
        (self.stepper).beware(longest_step(FEWEST_STEPS, span, spacing));
        match self.stepper.fewest_steps(self.field) {
            0 | 1 => f64::INFINITY,
            fewest => longest_step(fewest, span, spacing),
        }
    }

    fn reject(&mut self) {
        self.summary.rejected += 1;
        self.rejected = true;
    }

    /// What the method itself wants, where it does.
    fn proposed(&mut self, rest: f64, longest: f64) -> Result<Option<f64>, Halt> {
        // After a fault the method's own wish has already failed.
        if self.fault.is_some() {
            return Ok(None);
        }
        let limit = rest.abs().min(longest).copysign(rest);
        match self
            .stepper
            .proposed_step(self.field, self.t, self.x, limit)
        {
            Ok(proposed) => Ok(proposed),
            Err(fault) => Err(self.failure(fault)),
        }
    }

    fn first_step(&mut self) -> Result<f64, Halt> {
        let span = self.drive.t1 - self.t;
        if self.proposed(span, f64::INFINITY)?.is_some() {
            return Ok(span.abs());
        }
        let Some(tolerance) = self.stepper.tolerance() else {
            return Err(Halt::Error(DriveError::NoErrorEstimate));
        };
        self.summary.evaluations += 2;
        let order = self.stepper.error_order();
        match (self.field).first_step(self.t, self.x, span, tolerance, order) {
            Ok(Some(length)) => Ok(length),
            Ok(None) => Err(Halt::Error(DriveError::NoErrorEstimate)),
            Err(fault) => Err(self.failure(fault)),
        }
    }

    /// Tries a step and returns its error.
    fn trial(&mut self, h: f64) -> Result<f64, Fault> {
        let step = self
            .stepper
            .step(self.field, self.t, self.x, h, &mut self.next)?;
        // A method without an error estimate has nothing to say of its end.
        if step.error.is_finite() && self.next.iter().all(|x| x.is_finite()) {
            Ok(step.error)
        } else {
            Err(first_not_finite(&self.next))
        }
    }

    /// Takes the step that was tried, to the time `target`.
    fn accept(&mut self, h: f64, target: f64) -> Flow {
        self.summary.steps += 1;
        self.show(h, 1.0, target)?;
        self.visit_nodes(h, 1.0)?;
        self.x.copy_from_slice(&self.next);
        self.t = target;
        flow(self.observer.after_step(self.t, self.x))?;
        if self.drive.output == Output::Steps {
            self.sampled = self.t;
            flow(self.observer.sample(self.t, self.x))?;
        }
        Ok(())
    }

    /// Puts the end of the step that was tried to where it belongs, and asks whether it may be taken; if
    /// another is to be tried first, its length.
    fn look(&mut self, h: f64, target: f64) -> Result<Option<f64>, Halt> {
        self.observer.project(target, &mut self.next);
        let said = self.observer.inspect(&mut Taken {
            stepper: &mut *self.stepper,
            field: &mut *self.field,
            t: self.t,
            h,
            from: self.x,
            to: &self.next,
        });
        match said {
            Inspection::Passed => Ok(None),
            Inspection::Again(times) => Ok(Some(times * h.abs())),
            Inspection::Barred(theta) => Err(self.barred(h, theta)),
        }
    }

    /// Ends the motion at a part of the step, beyond which it must not go.
    fn barred(&mut self, h: f64, theta: f64) -> Halt {
        let t = self.t + theta * h;
        if let Err(halt) = self.show(h, theta, t) {
            return halt;
        }
        match self.interpolate(h, theta) {
            Err(halt) => halt,
            Ok(()) => Halt::Error(DriveError::Barred {
                t,
                state: self.dense.clone(),
            }),
        }
    }

    /// Shows what happens in the step up to a part θ of it, at time t: events and samples.
    fn show(&mut self, h: f64, theta: f64, t: f64) -> Flow {
        if self.events.is_empty() {
            self.sample_until(h, t)
        } else {
            self.find_events(h, theta, t)
        }
    }

    /// Shows the nodes of the observer's quadrature over a part of the step.
    fn visit_nodes(&mut self, h: f64, part: f64) -> Flow {
        let count = self.observer.nodes().len();
        let mut open = Vec::new();
        let mut piece = (count > 0).then_some((0.0, part));
        while let Some((from, to)) = piece {
            for k in 0..count {
                let (place, weight) = self.observer.nodes()[k];
                let theta = from + (to - from) * place;
                self.interpolate(h, theta)?;
                let t = self.t + theta * h;
                self.observer.node(t, (to - from) * weight * h, &self.dense);
            }
            piece = if self.observer.is_weighed(to - from) {
                open.pop()
            } else {
                let middle = 0.5 * (from + to);
                open.push((middle, to));
                Some((from, middle))
            };
        }
        Ok(())
    }

    /// Shows the samples up to time t inside the step.
    fn sample_until(&mut self, h: f64, t: f64) -> Flow {
        while let Some(time) = self.samples.take_until(t) {
            self.interpolate(h, (time - self.t) / h)?;
            self.sampled = time;
            flow(self.observer.sample(time, &self.dense))?;
            // One step may have more samples than anyone waits for.
            if self.is_stopped() {
                return Err(self.stop_at(time));
            }
        }
        Ok(())
    }

    /// Ends the motion inside a step, at the state in `dense`.
    fn stop_at(&mut self, t: f64) -> Halt {
        self.x.copy_from_slice(&self.dense);
        self.t = t;
        Halt::End(End::Stopped)
    }

    /// Writes the state at a part of the step into `dense`.
    fn interpolate(&mut self, h: f64, theta: f64) -> Flow {
        if theta >= 1.0 {
            self.dense.copy_from_slice(&self.next);
            return Ok(());
        }
        if let Err(fault) = self.stepper.interpolate(self.field, theta, &mut self.dense) {
            return Err(Halt::Error(DriveError::Fault {
                t: self.t + theta * h,
                state: self.x.to_vec(),
                fault,
            }));
        }
        self.observer.project(self.t + theta * h, &mut self.dense);
        Ok(())
    }

    /// Into how many parts a step is divided for events: probes are no farther apart than the samples,
    /// so that who looks at the samples sees no crossing that was missed.
    fn parts(&self, h: f64) -> u32 {
        let shown = match self.drive.output {
            Output::Spacing(spacing) => (h / spacing).abs().ceil(),
            _ => 1.0,
        };
        self.drive.probes.max(shown.min(MOST_PARTS) as u32)
    }

    /// Looks for events up to a part `end` of the step, at time `target`.
    fn find_events(&mut self, h: f64, end: f64, target: f64) -> Flow {
        let parts = self.parts(h);
        let mut walk = std::mem::take(&mut self.walk);
        let found = walk.through(&mut Step { run: self, h }, end, parts);
        self.walk = walk;
        found?;
        self.sample_until(h, target)
    }

    /// Tells of an event inside the step, after the samples before it.
    fn fire(&mut self, h: f64, theta: f64, event: usize) -> Flow {
        let t = self.t + theta * h;
        self.sample_until(h, t)?;
        self.interpolate(h, theta)?;
        self.summary.events[event] += 1;
        let said = self.observer.event(event, t, &self.dense);
        if self.events[event].is_terminal() {
            self.visit_nodes(h, theta)?;
            self.interpolate(h, theta)?;
            self.x.copy_from_slice(&self.dense);
            self.t = t;
            flow(self.observer.after_step(t, self.x))?;
            if self.sampled != t {
                flow(self.observer.sample(t, self.x))?;
            }
            return Err(Halt::End(End::Event(event)));
        }
        flow(said)
    }

    fn is_stopped(&self) -> bool {
        let flag = self.drive.stop;
        flag.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Stops where someone wants that.
    fn guard(&self) -> Flow {
        if self.is_stopped() {
            return Err(Halt::End(End::Stopped));
        }
        if self.summary.steps + self.summary.rejected >= self.drive.most_steps {
            return Err(Halt::Error(DriveError::TooManySteps {
                t: self.t,
                state: self.x.to_vec(),
                steps: self.drive.most_steps,
            }));
        }
        Ok(())
    }

    /// Fails where the motion cannot go on from the state reached: no shorter step helps then.
    fn check_here(&mut self) -> Flow {
        self.summary.evaluations += 1;
        let probed = self.field.probe(self.t, self.x, &mut self.dense);
        probed.map_err(|fault| self.failure(fault))
    }

    fn failure(&self, fault: Fault) -> Halt {
        Halt::Error(DriveError::Fault {
            t: self.t,
            state: self.x.to_vec(),
            fault,
        })
    }

    fn stalled(&self, h: f64) -> Halt {
        Halt::Error(DriveError::Stalled {
            t: self.t,
            h,
            state: self.x.to_vec(),
        })
    }

    /// The step is too short: because of the last fault, or of the error alone.
    fn underflow(&self, h: f64) -> Halt {
        match self.fault {
            Some(fault) => self.failure(fault),
            None => Halt::Error(DriveError::StepUnderflow {
                t: self.t,
                h,
                state: self.x.to_vec(),
            }),
        }
    }
}

/// The time after a step of at most h.
fn reached(t: f64, h: f64) -> f64 {
    let target = t + h;
    match (target - t).abs() > h.abs() {
        true if h > 0.0 => target.next_down(),
        true => target.next_up(),
        false => target,
    }
}

fn flow(said: ControlFlow<()>) -> Flow {
    match said {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Halt::End(End::Observer)),
    }
}
