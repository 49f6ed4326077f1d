//! Features of a model that are so narrow, in time, position or speed, that a step may pass them without noticing.
//!
//! The arguments of steep functions are followed along each step. Where one of them vanishes or turns in a long step,
//! the rates are integrated over shells around that place and held against what the step says. What they have and the
//! step has not, it has missed: methods that choose their steps end it before the feature and go through it with steps
//! of its width, and of the others it is told.

mod arguments;
mod cubic;
mod kinks;
mod misses;
mod places;
mod shells;

use super::method::Method;
use crate::compiled::Compiled;
use arguments::{Argument, arguments};
use cubic::{Cubic, Knot, bounds};
pub(crate) use misses::{Missed, Misses};
use places::{Course, PROBES};
use rattleback_compile::Motion;
use rattleback_integrate::{Inside, Tolerance, gauss_legendre};
use rattleback_mechanics::{Form, Problem, System};
use rattleback_numeric::tolerance::ROUNDING;
use rattleback_symbolic::{Cut, MissingInput};
use shells::{Shell, shells};

/// What a step may miss, in tolerances.
const ALLOWED: f64 = 100.0;
/// A step that misses this part of a component is wrong, whether or not it sees something of what is narrow.
const GROSS: f64 = 1e-3;
/// Parts of a step of series.
const PARTS: usize = 4;
/// An angle that turns farther in a step is followed on its way...
const TURN: f64 = 1.0;
/// ...if it does not turn this much farther.
const MOST: f64 = 512.0;
/// Nodes of the quadrature over a shell.
const NODES: usize = 3;
/// A step ends so many distances before the shell in which something is missed.
const BEFORE: f64 = 4.0;
/// Shells with this part of the largest miss have it too.
const PART: f64 = 0.25;
/// A step that ends this part of its length from where it was asked to ends there.
const ASKED: f64 = 1e-9;

/// What may be missed by a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Judge {
    /// What its error estimate cannot have seen.
    Estimate,
    /// The same for a method whose estimate does not look at the rates at the end.
    Series,
    /// What stands out against all that equal steps of the method miss anyway.
    Fixed,
}

impl Judge {
    /// For the steps of a method.
    pub(crate) fn of(method: Method) -> Self {
        match method {
            Method::TAYLOR => Judge::Series,
            _ if method.is_adaptive() => Judge::Estimate,
            _ => Judge::Fixed,
        }
    }
}

/// One end of a step, with the arguments of steep functions, their angles and the rates of both.
#[derive(Clone, Debug, Default)]
struct End {
    knot: Knot,
    values: Vec<f64>,
    slopes: Vec<f64>,
}

/// The watch over a motion for what is narrow in its model. Cheap to clone: the code is shared.
#[derive(Clone)]
pub(crate) struct Features {
    arguments: std::sync::Arc<[Argument]>,
    /// Where functions of the model may have kinks, where somebody is to be told.
    kinks: std::sync::Arc<[Cut]>,
    /// Values of the arguments, of all angles and of what vanishes at kinks, and all of them with their slopes.
    values: Compiled,
    slopes: Compiled,
    rates: Compiled,
    tolerance: Tolerance,
    judge: Judge,
    nodes: Vec<(f64, f64)>,
    dimension: usize,
    /// Time, state, varied values.
    inputs: Vec<f64>,
    /// The end of the step before, and memory for that of the next.
    ends: [End; 2],
    /// What a function is given or gives, and values inside a step of series.
    memory: Vec<f64>,
    inside: Vec<Vec<f64>>,
    /// Where a step was asked to end.
    asked: Option<f64>,
}

impl Features {
    /// Of a motion with these rates; none where the model has no steep functions of time or state.
    pub(crate) fn of(
        problem: &Problem,
        system: &System,
        motion: &Motion,
        rates: impl FnOnce() -> Result<Compiled, MissingInput>,
        tolerance: Tolerance,
        judge: Judge,
    ) -> Result<Option<Self>, MissingInput> {
        // Between the nodes of a map there is nothing to miss.
        if motion.form == Form::Map {
            return Ok(None);
        }
        let arguments = arguments(problem, system, motion);
        // Error estimates meet kinks.
        let kinks = match judge {
            Judge::Fixed => kinks::kinks(problem, system, motion),
            Judge::Estimate | Judge::Series => Vec::new(),
        };
        if arguments.is_empty() && kinks.is_empty() {
            return Ok(None);
        }
        let values = arguments.iter().map(|a| a.value.clone());
        let angles = arguments.iter().flat_map(|a| a.angles.iter().cloned());
        let places = kinks.iter().map(|k| k.at.clone());
        let values = motion.program(&values.chain(angles).chain(places).collect::<Vec<_>>())?;
        let dimension = motion.state.len();
        Ok(Some(Self {
            arguments: arguments.into(),
            kinks: kinks.into(),
            slopes: Compiled::new(values.along_motion(dimension)),
            inputs: vec![0.0; values.inputs],
            values: Compiled::new(values),
            rates: rates()?,
            tolerance,
            judge,
            nodes: gauss_legendre(NODES),
            dimension,
            ends: Default::default(),
            memory: Vec::new(),
            inside: Vec::new(),
            asked: None,
        }))
    }

    /// For a motion with other values of what is varied.
    pub(crate) fn restart(&mut self, varied: &[f64]) {
        self.inputs[1 + self.dimension..].copy_from_slice(varied);
        self.ends[0].values.clear();
        self.asked = None;
    }

    /// For members, of whose kinks nobody is told.
    pub(crate) fn without_kinks(mut self) -> Self {
        self.kinks = Vec::new().into();
        self
    }

    /// May steps be shortened?
    pub(crate) fn may_shorten(&self) -> bool {
        self.judge != Judge::Fixed
    }

    /// The first thing that a step misses.
    pub(crate) fn missed(&mut self, step: &mut dyn Inside) -> Option<Missed> {
        let is_hidden = self.arguments.iter().any(|a| a.is_hidden);
        if self.asked.is_none() && step.is_known() && !is_hidden {
            return None;
        }
        let (begun, ended) = (step.time(0.0), step.time(1.0));
        let [mut from, mut to] = std::mem::take(&mut self.ends);
        if from.values.is_empty() || from.knot.time != begun {
            self.set_end(step, 0.0, &mut from);
        }
        self.set_end(step, 1.0, &mut to);
        let is_first = self.asked.is_none();
        let is_near = |t: &f64| (t - ended).abs() <= ASKED * (ended - begun).abs();
        let is_asked = self.asked.take().filter(is_near).is_some();
        let missed = match self.judge {
            Judge::Fixed => {
                let mut cubic = Cubic([&from.knot, &to.knot]);
                let kink = self.kink(&mut cubic, [&from, &to]);
                kink.or_else(|| self.missed_between(&mut cubic, [&from, &to], false))
            }
            Judge::Estimate => self.missed_between(step, [&from, &to], is_first),
            Judge::Series => self
                .missed_between(step, [&from, &to], is_first)
                .or_else(|| is_asked.then(|| self.look(step, 1.0)).flatten()),
        };
        self.asked = missed.as_ref().map(|missed| step.time(missed.end));
        let is_again = missed.is_some() && self.may_shorten();
        self.ends = if is_again { [from, to] } else { [to, from] };
        missed
    }

    /// The first thing that a step between two ends misses where an argument vanishes or turns, or, with its ends, where
    /// it is about to.
    fn missed_between(
        &mut self,
        step: &mut dyn Inside,
        [from, to]: [&End; 2],
        with_ends: bool,
    ) -> Option<Missed> {
        let mut inside = std::mem::take(&mut self.inside);
        if self.judge == Judge::Series {
            // Series reach far, and cost little inside.
            inside.resize_with(PARTS - 1, Vec::new);
            for (k, values) in inside.iter_mut().enumerate() {
                self.evaluate(step, (k + 1) as f64 / PARTS as f64, values);
            }
        }
        let mut all: Vec<(f64, usize)> = Vec::new();
        let mut angles = self.arguments.len()..self.arguments.len();
        for k in 0..self.arguments.len() {
            let Argument { scale, .. } = self.arguments[k];
            angles = angles.end..angles.end + self.arguments[k].angles.len();
            let turns = angles.clone().map(|i| {
                let (least, largest) = bounds(values(i, [from, to]), slopes(i, [from, to]));
                largest - least
            });
            let turn = turns.fold(0.0, f64::max);
            let (ends, slopes) = (values(k, [from, to]), slopes(k, [from, to]));
            let (least, largest) = bounds(ends, slopes);
            if inside.is_empty() && turn <= TURN && !scale.is_wide(least, largest) {
                continue;
            }
            let mut g = |theta: f64| self.value(step, theta, k);
            let rough = match inside.is_empty() {
                _ if turn > TURN => Course::along(&mut g, parts(turn), slopes),
                true => Course::between(ends, slopes),
                false => {
                    let between = inside.iter().map(|values| values[k]);
                    let all = [ends[0]].into_iter().chain(between).chain([ends[1]]);
                    Course::of(all.collect(), slopes)
                }
            };
            let (least, largest) = rough.range();
            if !scale.is_wide(least, largest) {
                continue;
            }
            if rough.has_places() {
                let found = Course::along(&mut g, parts(turn), slopes).places(&mut g);
                all.extend(found.into_iter().map(|place| (place, k)));
            } else if with_ends && scale.is_alive(ends) {
                all.push((scale.livelier(ends), k));
            }
        }
        self.inside = inside;
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.dedup_by_key(|(place, _)| *place);
        all.into_iter().find_map(|(place, k)| {
            let missed = self.look(step, place)?;
            let function = Some(self.arguments[k].function.clone());
            Some(Missed { function, ..missed })
        })
    }

    /// What a step misses in the shells around a place, if that is too much.
    fn look(&mut self, step: &mut dyn Inside, place: f64) -> Option<Missed> {
        let all = shells(place);
        let misses: Vec<Vec<f64>> = all.iter().map(|shell| self.miss(step, *shell)).collect();
        // A step over a place where the rates have no value is judged by who looks for such places.
        if misses.iter().flatten().any(|m| !m.is_finite()) {
            return None;
        }
        let worst = (0..self.dimension)
            .map(|i| all.iter().zip(misses.iter().map(|m| m[i])).collect())
            .filter(|shells: &Vec<(&Shell, f64)>| self.is_too_much(shells))
            .max_by(|a, b| sum(a, false).total_cmp(&sum(b, false)))?;
        let inner = || worst.iter().filter(|(shell, _)| !shell.is_outermost());
        let largest = inner().map(|(_, m)| *m).fold(0.0, f64::max);
        let (shell, _) = inner().find(|(_, m)| *m >= PART * largest)?;
        Some(Missed {
            end: end_before(place, **shell),
            time: step.time(place),
            width: 2.0 * shell.distance * (step.time(1.0) - step.time(0.0)).abs(),
            is_kink: false,
            function: None,
        })
    }

    /// Is what a component misses in each shell too much?
    fn is_too_much(&self, shells: &[(&Shell, f64)]) -> bool {
        let [inside, outside] = [false, true].map(|outermost| sum(shells, outermost));
        let is_told = self.judge != Judge::Fixed || inside > outside;
        inside > ALLOWED && (is_told || inside + outside > GROSS / self.tolerance.relative)
    }

    /// |∫ f dt − Δx| over a shell, in tolerances.
    fn miss(&mut self, step: &mut dyn Inside, shell: Shell) -> Vec<f64> {
        let n = self.dimension;
        let duration = (shell.to - shell.from) * (step.time(1.0) - step.time(0.0));
        let mut rates = vec![0.0; n];
        let mut sum = vec![0.0; n];
        for k in 0..self.nodes.len() {
            let (node, weight) = self.nodes[k];
            self.set(step, shell.from + node * (shell.to - shell.from));
            if self.rates.call(&self.inputs, &mut rates).is_err() {
                rates.fill(f64::NAN);
            }
            for (sum, rate) in sum.iter_mut().zip(&rates) {
                *sum += weight * duration * rate;
            }
        }
        for (theta, sign) in [(shell.from, 1.0), (shell.to, -1.0)] {
            self.set(step, theta);
            let state = &self.inputs[1..=n];
            sum.iter_mut()
                .zip(state)
                .for_each(|(sum, x)| *sum += sign * x);
        }
        let state = &self.inputs[1..=n];
        let largest = state.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let pairs = sum.iter().zip(state);
        pairs
            .map(|(sum, x)| {
                let allowed = self.tolerance.scale(x.abs()) + ROUNDING * largest;
                sum.abs() / allowed
            })
            .collect()
    }

    /// Takes an end of a step with the arguments there and their rates; not numbers where there are none.
    fn set_end(&mut self, step: &mut dyn Inside, theta: f64, end: &mut End) {
        self.evaluate(step, theta, &mut end.values);
        let Knot { time, state, rates } = &mut end.knot;
        *time = self.inputs[0];
        state.clear();
        state.extend_from_slice(&self.inputs[1..=self.dimension]);
        rates.resize(self.dimension, 0.0);
        let count = end.values.len();
        let mut found = self.rates.call(&self.inputs, rates).is_ok();
        self.memory.clear();
        self.memory.extend_from_slice(&self.inputs);
        self.memory.extend_from_slice(rates);
        end.slopes.resize(2 * count, 0.0);
        found &= self.slopes.call(&self.memory, &mut end.slopes).is_ok();
        end.slopes.drain(..count);
        if !found {
            end.slopes.fill(f64::NAN);
        }
    }

    /// Writes the arguments and angles at a part of a step; not numbers where they have no value.
    fn evaluate(&mut self, step: &mut dyn Inside, theta: f64, values: &mut Vec<f64>) {
        self.set(step, theta);
        values.resize(self.values.outputs(), f64::NAN);
        if self.values.call(&self.inputs, values).is_err() {
            values.fill(f64::NAN);
        }
    }

    /// An argument at a part of a step.
    fn value(&mut self, step: &mut dyn Inside, theta: f64, argument: usize) -> f64 {
        let mut values = std::mem::take(&mut self.memory);
        values.clear();
        self.evaluate(step, theta, &mut values);
        let value = values[argument];
        self.memory = values;
        value
    }

    /// Takes time and state at a part of a step.
    fn set(&mut self, step: &mut dyn Inside, theta: f64) {
        self.inputs[0] = step.time(theta);
        let state = &mut self.inputs[1..=self.dimension];
        if step.state(theta, state).is_err() {
            state.fill(f64::NAN);
        }
    }
}

/// The change of a number per step at the ends of a step.
fn slopes(number: usize, [from, to]: [&End; 2]) -> [f64; 2] {
    let h = to.knot.time - from.knot.time;
    [from, to].map(|end| h * end.slopes[number])
}

/// A number at the ends of a step.
fn values(number: usize, ends: [&End; 2]) -> [f64; 2] {
    ends.map(|end| end.values[number])
}

/// Into how many parts a step is divided in which an angle turns so far.
fn parts(turn: f64) -> usize {
    PROBES * (turn / (2.0 * TURN)).ceil().clamp(1.0, MOST) as usize
}

/// What is missed in the outermost shells, or in all others.
fn sum(shells: &[(&Shell, f64)], outermost: bool) -> f64 {
    let counted = shells.iter().filter(|(s, _)| s.is_outermost() == outermost);
    counted.map(|(_, m)| m).sum()
}

/// Where a step is to end that misses something in a shell around a place: well before it or, from near by, in the
/// midst of it, where no error estimate can overlook it.
fn end_before(place: f64, shell: Shell) -> f64 {
    let before = place - BEFORE * shell.distance;
    match before > place / 2.0 {
        true => before,
        false => shell.middle(),
    }
}
