//! Looking into every step for places where the equations end: dependent constraints, the end of a frame, a
//! singular solve, a condition that vanishes, a pole.

use super::oriented::Shape;
use crate::compiled::Compiled;
use rattleback_compile::{Motion, Regular, RegularKind};
use rattleback_integrate::Inside;
use rattleback_symbolic::MissingInput;
use std::ops::Range;

/// States of a step that are looked at.
const PROBES: u32 = 4;
/// Where so many numbers are to be worked out for each, only the end is.
const LARGE: usize = 4096;
/// Rows whose cosine is no less than this have turned continuously.
const CONTINUOUS: f64 = 0.5;
/// A place is found to this part of a step.
const CLOSE: f64 = 1e-10;
/// A volume that falls or grows to this part between two probes may have a zero or a pole between them.
const STEEP: f64 = 0.5;
/// A volume that varies by no more than this part in a step has neither.
const CALM: f64 = 0.7;
/// A volume that falls to this part of what it is elsewhere in the step has vanished.
const VANISHED: f64 = 1e-6;
/// A frame of this part of the volume that it had has faded away, if velocities are large by this part of it.
const FADED: f64 = 1e-2;
const GROWN: f64 = 0.1;
/// A frame that had this part of its volume before has come to a pole.
const SWOLLEN: f64 = 1e-8;
/// A volume that falls to this part within a step tells of a singular position near by.
const NEAR: f64 = 0.3;
/// Constraints whose volume is this part of what it was elsewhere leave rounding too much room: small steps
/// would go on along another branch.
const TIGHT: f64 = 1e-4;
/// Forms or sections that are dependent but for this part of their length are dependent to rounding.
const ROUNDING: f64 = 1e-12;
/// The step of a search for the least value, (√5 − 1)/2.
const GOLDEN: f64 = 0.618_033_988_749_894_8;

/// A place in a step where something is not regular.
#[derive(Clone, Debug)]
pub(super) struct Loss {
    /// What.
    pub(super) what: RegularKind,
    /// The part of the step.
    pub(super) theta: f64,
}

/// What must stay regular at one state.
#[derive(Clone, Default)]
struct Sample {
    theta: f64,
    /// The largest component of the state.
    size: f64,
    /// The rows of all parts, oriented.
    rows: Vec<f64>,
    /// The logarithm of the volume of each part; that of nothing where it is not regular.
    volumes: Vec<f64>,
}

/// Rows that must stay independent, and their place among all.
#[derive(Clone)]
struct Part {
    what: RegularKind,
    shape: Shape,
    place: Range<usize>,
}

/// The watch over what must stay regular.
#[derive(Clone)]
pub(crate) struct Regularity {
    dimension: usize,
    program: Compiled,
    parts: Vec<Part>,
    has_frame: bool,
    probes: u32,
    inputs: Vec<f64>,
    values: Vec<f64>,
    /// The states of a step that are looked at, and memory for more of them.
    samples: Vec<Sample>,
    spare: Vec<Sample>,
    memory: Vec<f64>,
    /// The end of the step before.
    last: Option<Sample>,
    /// Where the last step comes near a singular position.
    dip: Option<Loss>,
    /// The largest volume that the constraints had.
    widest: f64,
    /// Does the last step end where they are nearly dependent?
    tight: Option<Loss>,
    /// The largest volume that the frame had, and the size of the state there.
    best: Option<(f64, f64)>,
    /// The least volume that it had.
    least: Option<f64>,
}

impl Regularity {
    /// Of a motion with so many varied constants; none where nothing is to be watched.
    pub(crate) fn of(motion: &Motion, varied: usize) -> Result<Option<Self>, MissingInput> {
        let Some(program) = motion.regularity()? else {
            return Ok(None);
        };
        let numbers = program.outputs.len();
        Ok(Some(Self {
            program: Compiled::new(program),
            parts: parts(motion.regular()),
            has_frame: motion.has_moving_frame(),
            probes: if numbers > LARGE { 1 } else { PROBES },
            dimension: motion.state.len(),
            inputs: vec![0.0; 1 + motion.state.len() + varied],
            values: vec![0.0; numbers],
            samples: Vec::new(),
            spare: Vec::new(),
            memory: Vec::new(),
            last: None,
            dip: None,
            widest: f64::NEG_INFINITY,
            tight: None,
            best: None,
            least: None,
        }))
    }

    /// The first place of a step at which something is not regular.
    pub(super) fn inspect(&mut self, step: &mut dyn Inside) -> Option<Loss> {
        let start = match self.last.take() {
            Some(sample) => Sample {
                theta: 0.0,
                ..sample
            },
            None => self.sample(step, 0.0),
        };
        let mut samples = std::mem::take(&mut self.samples);
        samples.push(start);
        let loss = self.look(step, &mut samples);
        self.dip = match loss {
            None => self.dip(&samples),
            Some(_) => None,
        };
        self.tight = match loss {
            None => samples.last().and_then(|end| self.tightness(end)),
            Some(_) => None,
        };
        // From where the next step begins, or this one once more.
        self.last = match loss {
            Some(_) => Some(samples.swap_remove(0)),
            None => samples.pop(),
        };
        self.spare.append(&mut samples);
        self.samples = samples;
        loss
    }

    /// Goes through a step from its first sample on.
    fn look(&mut self, step: &mut dyn Inside, samples: &mut Vec<Sample>) -> Option<Loss> {
        if let Some(part) = samples[0].lost() {
            return Some(self.loss(part, 0.0));
        }
        let is_exact = self.probe(step, samples, Self::sketch);
        if !self.is_calm(samples) {
            if !is_exact {
                self.spare.extend(samples.drain(1..));
                self.probe(step, samples, Self::exact);
            }
            let loss = self.search(step, samples);
            if loss.is_some() {
                return loss;
            }
        }
        self.fading(&samples[samples.len() - 1])
    }

    /// Looks at places of the step; are the states there those of the method?
    fn probe(
        &mut self,
        step: &mut dyn Inside,
        samples: &mut Vec<Sample>,
        sample: impl Fn(&mut Self, &mut dyn Inside, f64) -> (Sample, bool),
    ) -> bool {
        let mut all_exact = true;
        for k in 1..=self.probes {
            let theta = f64::from(k) / f64::from(self.probes);
            let (sample, is_exact) = sample(self, step, theta);
            samples.push(sample);
            all_exact &= is_exact;
        }
        all_exact
    }

    /// Has nothing in the step turned, grown or shrunk so much that it could have vanished or had a pole?
    fn is_calm(&mut self, samples: &[Sample]) -> bool {
        let is_level = |part: usize| {
            let volumes = || samples.iter().map(|s| s.volumes[part]);
            let lowest = volumes().fold(f64::INFINITY, f64::min);
            let highest = volumes().fold(f64::NEG_INFINITY, f64::max);
            highest - lowest < -CALM.ln()
        };
        (0..self.parts.len()).all(is_level)
            && samples
                .windows(2)
                .all(|pair| self.discontinuous(&pair[0], &pair[1]).is_none())
    }

    /// The first place of a step, with these samples of it, at which something is not regular.
    fn search(&mut self, step: &mut dyn Inside, samples: &[Sample]) -> Option<Loss> {
        let mut pairs = samples.windows(2);
        let lost = pairs.find_map(|pair| self.between(step, &pair[0], &pair[1]));
        lost.or_else(|| (0..self.parts.len()).find_map(|part| self.touched(step, samples, part)))
    }

    /// A frame that fades away under a motion which goes on, its velocities growing as it shrinks, or that
    /// grows without bound.
    fn fading(&mut self, end: &Sample) -> Option<Loss> {
        let part = self
            .parts
            .iter()
            .position(|r| r.what == RegularKind::Frame)?;
        let now = (end.volumes[part], end.size);
        let best = *self.best.get_or_insert(now);
        if now.0 >= best.0 {
            self.best = Some(now);
        }
        let least = self.least.map_or(now.0, |least| least.min(now.0));
        self.least = Some(least);
        let fades = now.0 < best.0 + FADED.ln() && now.1 * GROWN > best.1;
        // Sections so long leave their velocities no digits.
        let swells = now.0 > least - SWOLLEN.ln();
        (fades || swells).then(|| self.loss(part, 1.0))
    }

    /// Where the volume of the constraint forms or of the frame is much smaller in the step looked at last than
    /// elsewhere in it: near a singular position.
    pub(super) fn near(&self) -> Option<&Loss> {
        self.dip.as_ref()
    }

    /// Where the step looked at last ends, if constraints are nearly dependent there.
    pub(super) fn tight(&self) -> Option<&Loss> {
        self.tight.as_ref()
    }

    fn tightness(&mut self, end: &Sample) -> Option<Loss> {
        let constraints = self
            .parts
            .iter()
            .position(|r| r.what == RegularKind::Constraints)?;
        let now = end.volumes[constraints];
        self.widest = self.widest.max(now);
        (now < self.widest + TIGHT.ln()).then(|| self.loss(constraints, end.theta))
    }

    /// Are the equations written on a frame of the constraints?
    pub(super) fn has_frame(&self) -> bool {
        self.has_frame
    }

    fn dip(&self, samples: &[Sample]) -> Option<Loss> {
        (0..self.parts.len()).find_map(|part| {
            if self.parts[part].shape.least == 0.0 {
                return None;
            }
            let volumes = || samples.iter().map(|s| (s.theta, s.volumes[part]));
            let (theta, lowest) = volumes().min_by(|x, y| x.1.total_cmp(&y.1))?;
            let highest = volumes().map(|v| v.1).fold(f64::NEG_INFINITY, f64::max);
            (lowest < highest + NEAR.ln()).then(|| self.loss(part, theta))
        })
    }

    /// Another motion begins, with these values of what is varied.
    pub(crate) fn restart(&mut self, varied: &[f64]) {
        self.inputs[1 + self.dimension..].copy_from_slice(varied);
        self.last = None;
        self.dip = None;
        self.tight = None;
        self.widest = f64::NEG_INFINITY;
        self.best = None;
        self.least = None;
    }

    /// The first place of a step beyond which no motion may be followed without a look at what lies there.
    pub(crate) fn barrier(&mut self, step: &mut dyn Inside) -> Option<f64> {
        let lost = self.inspect(step);
        lost.or_else(|| self.tight().cloned())
            .map(|loss| loss.theta)
    }

    /// The step looked at last is not taken: another begins where it began.
    pub(super) fn forget(&mut self) {
        self.last = None;
    }

    /// Takes the end of a step that is passed all the same for what comes next.
    pub(super) fn resume(&mut self, step: &mut dyn Inside) {
        let end = self.sample(step, 1.0);
        self.tight = self.tightness(&end);
        self.last = Some(end);
    }

    fn loss(&self, part: usize, theta: f64) -> Loss {
        Loss {
            what: self.parts[part].what.clone(),
            theta,
        }
    }

    /// What must be regular, at a part of the step.
    fn sample(&mut self, step: &mut dyn Inside, theta: f64) -> Sample {
        self.exact(step, theta).0
    }

    fn exact(&mut self, step: &mut dyn Inside, theta: f64) -> (Sample, bool) {
        self.inputs[0] = step.time(theta);
        let state = 1..=self.dimension;
        let is_known = step.state(theta, &mut self.inputs[state]).is_ok();
        (self.oriented(theta, is_known), true)
    }

    /// The same where the state is roughly known; is it the state itself?
    fn sketch(&mut self, step: &mut dyn Inside, theta: f64) -> (Sample, bool) {
        self.inputs[0] = step.time(theta);
        let state = 1..=self.dimension;
        let sketched = step.sketch(theta, &mut self.inputs[state]);
        let sample = self.oriented(theta, sketched.is_ok());
        (sample, sketched.unwrap_or(false))
    }

    /// What is not regular at a state by itself, where all that it is judged by has a value.
    pub(super) fn lost_at(&mut self, t: f64, state: &[f64]) -> Option<RegularKind> {
        self.inputs[0] = t;
        self.inputs[1..=self.dimension].copy_from_slice(state);
        let lost = self.oriented(0.0, true).lost()?;
        let has_values = self.values.iter().all(|v| v.is_finite());
        has_values.then(|| self.parts[lost].what.clone())
    }

    /// What must be regular, at the state in the inputs.
    fn oriented(&mut self, theta: f64, is_known: bool) -> Sample {
        let found = is_known && self.program.call(&self.inputs, &mut self.values).is_ok();
        let state = self.inputs[1..=self.dimension].iter();
        let mut sample = self.spare.pop().unwrap_or_default();
        sample.theta = theta;
        sample.size = state.fold(0.0, |m: f64, x| m.max(x.abs()));
        sample.rows.clear();
        sample.rows.extend_from_slice(&self.values);
        sample.volumes.clear();
        for part in &self.parts {
            let rows = &mut sample.rows[part.place.clone()];
            let volume = found.then(|| part.shape.orient(rows, &mut self.memory));
            let volume = volume.flatten().unwrap_or(f64::NEG_INFINITY);
            sample.volumes.push(volume);
        }
        sample
    }

    /// The first place between two states across which rows do not turn continuously.
    fn between(&mut self, step: &mut dyn Inside, from: &Sample, to: &Sample) -> Option<Loss> {
        let part = self.discontinuous(from, to)?;
        if to.theta - from.theta < CLOSE {
            return Some(self.loss(part, from.theta));
        }
        let middle = self.sample(step, from.theta + (to.theta - from.theta) / 2.0);
        let first = self.between(step, from, &middle);
        let loss = first.or_else(|| self.between(step, &middle, to));
        self.spare.push(middle);
        loss
    }

    /// The first part that has not turned continuously.
    fn discontinuous(&mut self, from: &Sample, to: &Sample) -> Option<usize> {
        let memory = &mut self.memory;
        (0..self.parts.len()).find(|&k| {
            let Part { shape, place, .. } = &self.parts[k];
            if !(from.is_regular(k) && to.is_regular(k)) {
                return true;
            }
            let [a, b] = [from, to].map(|sample| &sample.rows[place.clone()]);
            let cosine = shape.cosine(a, b, memory);
            cosine.is_nan() || cosine < CONTINUOUS
        })
    }

    /// A place inside the step where a volume vanishes, or has a pole, without a change of orientation.
    fn touched(&mut self, step: &mut dyn Inside, samples: &[Sample], part: usize) -> Option<Loss> {
        let last = samples.len() - 1;
        let volume = |k: usize| samples[k].volumes[part];
        for sign in [1.0, -1.0] {
            let volumes = (0..=last).map(|k| sign * volume(k));
            let level = volumes.fold(f64::NEG_INFINITY, f64::max);
            for k in 0..=last {
                let around = [k.saturating_sub(1), (k + 1).min(last)];
                let lies = |i: usize| sign * (volume(k) - volume(i));
                let is_least = around.iter().all(|&i| lies(i) <= 0.0);
                let is_steep = around.iter().any(|&i| lies(i) <= STEEP.ln());
                if !(is_least && is_steep) {
                    continue;
                }
                let ends = around.map(|i| samples[i].theta);
                let (theta, least) = self.least(step, ends, part, sign);
                if least.min(sign * volume(k)) <= level + VANISHED.ln() {
                    return Some(self.loss(part, theta));
                }
            }
        }
        None
    }

    /// The least value of ± ln V between two parts of a step, by golden sections.
    fn least(
        &mut self,
        step: &mut dyn Inside,
        [mut from, mut to]: [f64; 2],
        part: usize,
        sign: f64,
    ) -> (f64, f64) {
        let mut value = |theta: f64| {
            let sample = self.sample(step, theta);
            // What is dependent to rounding has no volume.
            let value = match sample.is_regular(part) {
                true => sign * sample.volumes[part],
                false => f64::NEG_INFINITY,
            };
            self.spare.push(sample);
            value
        };
        let mut inner = [to - GOLDEN * (to - from), from + GOLDEN * (to - from)];
        let mut values = inner.map(&mut value);
        while to - from > CLOSE {
            if values[0] <= values[1] {
                to = inner[1];
                inner = [to - GOLDEN * (to - from), inner[0]];
                values = [value(inner[0]), values[0]];
            } else {
                from = inner[0];
                inner = [inner[1], from + GOLDEN * (to - from)];
                values = [values[1], value(inner[1])];
            }
        }
        if values[0] <= values[1] {
            (inner[0], values[0])
        } else {
            (inner[1], values[1])
        }
    }
}

impl Sample {
    fn is_regular(&self, part: usize) -> bool {
        self.volumes[part] > f64::NEG_INFINITY
    }

    /// The first part that is not regular.
    fn lost(&self) -> Option<usize> {
        (0..self.volumes.len()).find(|&part| !self.is_regular(part))
    }
}

/// What is watched, one after the other.
fn parts(all: &[Regular]) -> Vec<Part> {
    let mut end = 0;
    let part = |r: &Regular| {
        let begin = end;
        end += r.rows * r.columns;
        // A solve may be ill-scaled and regular all the same.
        let least = match r.what {
            RegularKind::Constraints | RegularKind::Frame => ROUNDING,
            RegularKind::Solve(_) | RegularKind::Condition(_) => 0.0,
        };
        Part {
            what: r.what.clone(),
            shape: Shape {
                columns: r.columns,
                least,
                is_square: least == 0.0 && r.rows == r.columns,
            },
            place: begin..end,
        }
    };
    all.iter().map(part).collect()
}
