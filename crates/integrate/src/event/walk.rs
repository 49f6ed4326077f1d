//! The search for crossings inside a step, of one motion or of a member of an ensemble.

use super::root::{locate, turn};
use super::tube::{Bounds, Tube};
use super::{Direction, Watch};

/// A step that is looked through for events.
pub(crate) trait Passage {
    /// Why the motion ends.
    type Halt;
    /// How many events there are.
    fn events(&self) -> usize;
    /// Which crossings of an event count.
    fn direction(&self, event: usize) -> Direction;
    /// What is known of an event so far.
    fn watch(&mut self, event: usize) -> Option<&mut Watch>;
    /// The time and the state at a part of the step.
    fn state(&mut self, theta: f64) -> Result<(f64, &[f64]), Self::Halt>;
    /// The event function there.
    fn value(&mut self, event: usize, theta: f64) -> Result<f64, Self::Halt>;
    /// Has the event function bounds?
    fn is_bounded(&self, event: usize) -> bool;
    /// What is known of it in a tube.
    fn bounds(&mut self, event: usize, tube: &Tube) -> Bounds;
    /// The rounding of times, as a part of the step.
    fn rounding(&self) -> f64;
    /// The part of themselves to which states follow the motion; none where that is not known.
    fn tolerance(&self) -> Option<f64> {
        None
    }
    /// The part of themselves to which states inside the step are known.
    fn accuracy(&self) -> f64 {
        INSIDE * self.tolerance().map_or(ACCURACY, |t| t.max(ACCURACY))
    }
    /// Is it the first step of the motion?
    fn is_first(&self) -> bool;
    /// Tells of a crossing.
    fn fire(&mut self, theta: f64, event: usize) -> Result<(), Self::Halt>;
    /// Up to here all crossings are told.
    fn reached(&mut self, _theta: f64) -> Result<(), Self::Halt> {
        Ok(())
    }
}

/// Pieces of one part of a step that are looked at before the search is content with what it sees.
const MOST_PIECES: u32 = 1 << 15;
/// Intervals between the samples of a piece, and of a whole step.
const WITHIN: usize = 4;
const WITHIN_STEP: usize = 16;
/// States are not followed more accurately than this.
const ACCURACY: f64 = 1e-9;
/// What the rounding of a start on zero may look like, as a part of the step.
const AT_START: f64 = 1e-10;
/// States inside a step are known to so many tolerances.
const INSIDE: f64 = 10.0;
/// Pieces of this length in which a function says nothing at some places, at no even distances, are not divided.
const SHORT: f64 = 1.0 / 64.0;
const APART: [f64; 5] = [0.0, 0.17, 0.43, 0.71, 1.0];
/// Pieces of a step that are not divided further.
const SHORTEST: f64 = 1.0 / (1u64 << 26) as f64;

/// The memory of a search along one motion.
#[derive(Clone, Debug, Default)]
pub(crate) struct Walk {
    /// Crossings in the part of the step at hand: time as a part of the step, and event.
    crossings: Vec<(f64, usize)>,
    /// Places in that part between which every event function crosses once at most.
    places: Vec<f64>,
    /// Parts that are still to be looked at.
    open: Vec<(f64, f64)>,
    tube: Tube,
    /// The events whose crossings may be missing: the search for them was cut short, and is not begun again.
    blurred: Vec<usize>,
    /// The first of them, and the time.
    first_blurred: Option<(usize, f64)>,
}

impl Walk {
    /// The first event that turns too often to be followed, and the time from which on crossings of it may be missing.
    pub fn blurred(&self) -> Option<(usize, f64)> {
        self.first_blurred
    }

    /// Looks through a step up to a part `end` of it, in so many parts at least.
    pub fn through<P: Passage>(
        &mut self,
        step: &mut P,
        end: f64,
        parts: u32,
    ) -> Result<(), P::Halt> {
        if self.is_calm(step, end)? {
            return self.cross(step, 0.0, end);
        }
        for part in 0..parts {
            let from = end * f64::from(part) / f64::from(parts);
            let to = end * f64::from(part + 1) / f64::from(parts);
            step.reached(from)?;
            self.places.clear();
            for event in 0..step.events() {
                self.divide(step, event, (from, to))?;
            }
            self.places.push(to);
            self.places.sort_by(f64::total_cmp);
            let mut begin = from;
            for k in 0..self.places.len() {
                let end = self.places[k];
                self.cross(step, begin, end)?;
                begin = end;
            }
        }
        Ok(())
    }

    /// Does every event function cross once at most in the whole step? Most steps are far from any event.
    fn is_calm<P: Passage>(&mut self, step: &mut P, end: f64) -> Result<bool, P::Halt> {
        let events = step.events();
        if (0..events).any(|e| !step.is_bounded(e) || self.blurred.contains(&e)) {
            return Ok(false);
        }
        self.enclose(step, (0.0, end), WITHIN_STEP)?;
        Ok((0..events).all(|event| step.bounds(event, &self.tube).settle()))
    }

    /// Adds places between which an event function crosses once at most: pieces are halved until the function or its
    /// slope has one sign on each.
    fn divide<P: Passage>(
        &mut self,
        step: &mut P,
        event: usize,
        (from, to): (f64, f64),
    ) -> Result<(), P::Halt> {
        if !step.is_bounded(event) || self.blurred.contains(&event) {
            let found = turn((from, to), |theta| step.value(event, theta))?;
            self.places.extend(found);
            return Ok(());
        }
        let mut pieces = 0;
        self.open.clear();
        self.open.push((from, to));
        while let Some((a, b)) = self.open.pop() {
            if self.bounds(step, event, (a, b))?.settle() || self.is_silent(step, event, (a, b))? {
                continue;
            }
            pieces += 1;
            if pieces > MOST_PIECES {
                self.blurred.push(event);
                let t = step.state(a)?.0;
                self.first_blurred.get_or_insert((event, t));
                return Ok(());
            }
            if b - a <= SHORTEST {
                continue;
            }
            let middle = 0.5 * (a + b);
            // A function that touches zero, to the accuracy of a motion, does not cross it there.
            if step.value(event, middle)?.abs() > self.noise(step, event, middle, ACCURACY)? {
                self.places.push(middle);
            }
            self.open.extend([(middle, b), (a, middle)]);
        }
        Ok(())
    }

    /// Does a function say nothing over a short piece of the step: has it no value, or does it stay where the accuracy of the
    /// motion does not tell it from zero?
    fn is_silent<P: Passage>(
        &mut self,
        step: &mut P,
        event: usize,
        (a, b): (f64, f64),
    ) -> Result<bool, P::Halt> {
        if b - a > SHORT {
            return Ok(false);
        }
        let accuracy = step.accuracy();
        for place in APART {
            let theta = a + (b - a) * place;
            // Where it has no value nothing is seen.
            let value = step.value(event, theta)?.abs();
            if value > self.noise(step, event, theta, accuracy)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What an event function may be off because the state is, by this part of itself.
    fn noise<P: Passage>(
        &mut self,
        step: &mut P,
        event: usize,
        theta: f64,
        accuracy: f64,
    ) -> Result<f64, P::Halt> {
        let (t, x) = step.state(theta)?;
        self.tube.around(t, x, accuracy);
        let off = step.bounds(event, &self.tube).slope;
        Ok(off.map_or(0.0, |(low, high)| high.max(-low)))
    }

    /// What is known of an event function over a piece of the step.
    fn bounds<P: Passage>(
        &mut self,
        step: &mut P,
        event: usize,
        piece: (f64, f64),
    ) -> Result<Bounds, P::Halt> {
        self.enclose(step, piece, WITHIN)?;
        Ok(step.bounds(event, &self.tube))
    }

    /// The tube around a piece of the step, from samples with so many intervals between.
    fn enclose<P: Passage>(
        &mut self,
        step: &mut P,
        (a, b): (f64, f64),
        intervals: usize,
    ) -> Result<(), P::Halt> {
        let distance = (b - a) / intervals as f64;
        self.tube.clear();
        for k in 0..=intervals {
            let theta = if k == intervals {
                b
            } else {
                a + distance * k as f64
            };
            let (t, x) = step.state(theta)?;
            self.tube.push(t, x);
        }
        self.tube.close(intervals + 1, distance);
        Ok(())
    }

    /// Tells of the crossings between two places of the step in the order of time.
    fn cross<P: Passage>(&mut self, step: &mut P, from: f64, to: f64) -> Result<(), P::Halt> {
        self.crossings.clear();
        let rounding = step.rounding();
        // At the very start, what looks like a crossing may be the rounding of a start on zero.
        let slack = match step.is_first() {
            true => AT_START + 8.0 * rounding,
            false => 0.0,
        };
        for event in 0..step.events() {
            let value = step.value(event, to)?;
            let direction = step.direction(event);
            let Some(watch) = step.watch(event) else {
                continue;
            };
            let was = *watch;
            let Some(before) = watch.advance(value, direction) else {
                continue;
            };
            let accuracy = step.accuracy();
            if before.abs().max(value.abs()) <= self.noise(step, event, to, accuracy)?
                && !self.bounds(step, event, (from, to))?.settle()
            {
                // It has not left what it may be off, and goes to and fro: its sign is that of rounding.
                if let Some(watch) = step.watch(event) {
                    *watch = was;
                }
                continue;
            }
            let tolerance = 2.0 * (f64::EPSILON + rounding);
            let crossing = locate((from, before), (to, value), tolerance, |theta| {
                step.value(event, theta)
            })?;
            if let Some(theta) = crossing.filter(|theta| slack == 0.0 || *theta > slack) {
                self.crossings.push((theta, event));
            }
        }
        self.crossings.sort_by(|a, b| a.0.total_cmp(&b.0));
        for &(theta, event) in &self.crossings {
            step.fire(theta, event)?;
        }
        Ok(())
    }
}
