//! Looking into every step for places where the equations end: dependent constraints, the end of a frame, a
//! singular solve, a condition that vanishes, a pole.

use super::field::Compiled;
use super::oriented::Oriented;
use rattleback_compile::{Motion, Regular, RegularKind};
use rattleback_integrate::Inside;
use rattleback_symbolic::MissingInput;

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
#[derive(Clone)]
struct Sample {
    theta: f64,
    /// The largest component of the state.
    size: f64,
    /// None where it is not regular.
    parts: Vec<Option<Oriented>>,
}

/// The watch over what must stay regular.
#[derive(Clone)]
pub(crate) struct Regularity {
    dimension: usize,
    program: Compiled,
    parts: Vec<Regular>,
    probes: u32,
    inputs: Vec<f64>,
    values: Vec<f64>,
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
            parts: motion.regular().to_vec(),
            probes: if numbers > LARGE { 1 } else { PROBES },
            dimension: motion.state.len(),
            inputs: vec![0.0; 1 + motion.state.len() + varied],
            values: vec![0.0; numbers],
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
        let mut samples = vec![start];
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
            Some(_) => samples.into_iter().next(),
            None => samples.pop(),
        };
        loss
    }

    /// Goes through a step from its first sample on.
    fn look(&mut self, step: &mut dyn Inside, samples: &mut Vec<Sample>) -> Option<Loss> {
        if let Some(part) = samples[0].parts.iter().position(Option::is_none) {
            return Some(self.loss(part, 0.0));
        }
        for k in 1..=self.probes {
            let next = self.sample(step, f64::from(k) / f64::from(self.probes));
            let before = &samples[samples.len() - 1];
            if let Some(loss) = self.between(step, before, &next) {
                return Some(loss);
            }
            samples.push(next);
        }
        let touched = (0..self.parts.len()).find_map(|part| self.touched(step, samples, part));
        touched.or_else(|| self.fading(&samples[samples.len() - 1]))
    }

    /// A frame that fades away under a motion which goes on, its velocities growing as it shrinks, or that
    /// grows without bound.
    fn fading(&mut self, end: &Sample) -> Option<Loss> {
        let part = self
            .parts
            .iter()
            .position(|r| r.what == RegularKind::Frame)?;
        let now = (volume(end, part), end.size);
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
        let now = volume(end, constraints);
        self.widest = self.widest.max(now);
        (now < self.widest + TIGHT.ln()).then(|| self.loss(constraints, end.theta))
    }

    /// Are the equations written on a frame of the constraints?
    pub(super) fn has_frame(&self) -> bool {
        self.parts.iter().any(|r| r.what == RegularKind::Frame)
    }

    fn dip(&self, samples: &[Sample]) -> Option<Loss> {
        (0..self.parts.len()).find_map(|part| {
            if least(&self.parts[part].what) == 0.0 {
                return None;
            }
            let volumes = || samples.iter().map(|s| (s.theta, volume(s, part)));
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
        self.inputs[0] = step.time(theta);
        let state = 1..=self.dimension;
        let is_known = step.state(theta, &mut self.inputs[state]).is_ok();
        self.oriented(theta, is_known)
    }

    /// What is not regular at a state by itself, where all that it is judged by has a value.
    pub(super) fn lost_at(&mut self, t: f64, state: &[f64]) -> Option<RegularKind> {
        self.inputs[0] = t;
        self.inputs[1..=self.dimension].copy_from_slice(state);
        let parts = self.oriented(0.0, true).parts;
        let lost = parts.iter().position(Option::is_none)?;
        let has_values = self.values.iter().all(|v| v.is_finite());
        has_values.then(|| self.parts[lost].what.clone())
    }

    /// What must be regular, at the state in the inputs.
    fn oriented(&mut self, theta: f64, is_known: bool) -> Sample {
        let state = 1..=self.dimension;
        let found = is_known && self.program.call(&self.inputs, &mut self.values).is_ok();
        let mut offset = 0;
        let part = |r: &Regular| {
            let entries = &self.values[offset..offset + r.rows * r.columns];
            offset += entries.len();
            found
                .then(|| Oriented::of(entries, r.columns, least(&r.what)))
                .flatten()
        };
        let state = self.inputs[state].iter();
        Sample {
            theta,
            size: state.fold(0.0, |m: f64, x| m.max(x.abs())),
            parts: self.parts.iter().map(part).collect(),
        }
    }

    /// The first place between two states across which rows do not turn continuously.
    fn between(&mut self, step: &mut dyn Inside, from: &Sample, to: &Sample) -> Option<Loss> {
        let part = discontinuous(from, to)?;
        if to.theta - from.theta < CLOSE {
            return Some(self.loss(part, from.theta));
        }
        let middle = self.sample(step, from.theta + (to.theta - from.theta) / 2.0);
        let first = self.between(step, from, &middle);
        first.or_else(|| self.between(step, &middle, to))
    }

    /// A place inside the step where a volume vanishes, or has a pole, without a change of orientation.
    fn touched(&mut self, step: &mut dyn Inside, samples: &[Sample], part: usize) -> Option<Loss> {
        let volumes: Vec<f64> = samples.iter().map(|s| volume(s, part)).collect();
        for sign in [1.0, -1.0] {
            let level = volumes
                .iter()
                .map(|v| sign * v)
                .fold(f64::NEG_INFINITY, f64::max);
            for k in 0..samples.len() {
                let neighbours = [k.checked_sub(1), (k + 1 < samples.len()).then_some(k + 1)];
                let lies = |i: usize| sign * (volumes[k] - volumes[i]);
                let around: Vec<usize> = neighbours.into_iter().flatten().collect();
                let is_least = around.iter().all(|&i| lies(i) <= 0.0);
                let is_steep = around.iter().any(|&i| lies(i) <= STEEP.ln());
                if !(is_least && is_steep) {
                    continue;
                }
                let ends = [around[0].min(k), around[around.len() - 1].max(k)];
                let ends = ends.map(|i| samples[i].theta);
                let (theta, least) = self.least(step, ends, part, sign);
                if least.min(sign * volumes[k]) <= level + VANISHED.ln() {
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
            sample.parts[part]
                .as_ref()
                .map_or(f64::NEG_INFINITY, |o| sign * o.volume)
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

/// How independent rows must be: a solve may be ill-scaled and regular all the same.
fn least(what: &RegularKind) -> f64 {
    match what {
        RegularKind::Constraints | RegularKind::Frame => ROUNDING,
        RegularKind::Solve(_) | RegularKind::Condition(_) => 0.0,
    }
}

fn volume(sample: &Sample, part: usize) -> f64 {
    let part = sample.parts[part].as_ref();
    part.map_or(f64::NEG_INFINITY, |o| o.volume)
}

/// The first part that has not turned continuously.
fn discontinuous(from: &Sample, to: &Sample) -> Option<usize> {
    let mut pairs = from.parts.iter().zip(&to.parts);
    pairs.position(|pair| match pair {
        (Some(a), Some(b)) => {
            let cosine = a.cosine(b);
            cosine.is_nan() || cosine < CONTINUOUS
        }
        _ => true,
    })
}
