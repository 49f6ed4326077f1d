//! Features of a model that are so narrow, in time, position or speed, that a step may pass them without noticing.
//!
//! The arguments of steep functions are followed along each step. Where one of them vanishes or turns in a long step,
//! the rates are integrated over shells around that place and held against what the step says. What they have and the
//! step has not, it has missed: methods that choose their steps end it before the feature and go through it with steps
//! of its width, and of the others it is told.

mod arguments;
mod cubic;
mod misses;
mod places;
mod shells;

use super::field::Compiled;
use super::method::Method;
use arguments::{Argument, arguments};
use cubic::{Cubic, Knot};
pub(crate) use misses::{Missed, Misses};
use places::{Ends, places};
use rattleback_compile::Motion;
use rattleback_integrate::{Inside, Tolerance, gauss_legendre};
use rattleback_language::Model;
use rattleback_symbolic::MissingInput;
use shells::{Shell, shells};

/// What a step may miss, in tolerances.
const ALLOWED: f64 = 100.0;
/// A step that misses this part of a component is wrong, whether or not it sees something of what is narrow.
const GROSS: f64 = 1e-3;
/// What rounding takes of the integral over a shell, relative to the largest component.
const ROUNDING: f64 = 1e-14;
/// Nodes of the quadrature over a shell.
const NODES: usize = 3;
/// A step ends so many distances before the shell in which something is missed.
const BEFORE: f64 = 4.0;
/// Shells with this part of the largest miss have it too.
const PART: f64 = 0.25;

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
            Method::Taylor => Judge::Series,
            _ if method.is_adaptive() => Judge::Estimate,
            _ => Judge::Fixed,
        }
    }
}

/// One end of a step, with the arguments of steep functions and their rates.
#[derive(Clone, Debug)]
struct End {
    knot: Knot,
    values: Vec<f64>,
    slopes: Vec<f64>,
}

/// The watch over a motion for what is narrow in its model. Cheap to clone: the code is shared.
#[derive(Clone)]
pub(crate) struct Features {
    arguments: std::sync::Arc<[Argument]>,
    /// Their values, and their derivatives by time and state.
    values: Compiled,
    gradients: Compiled,
    rates: Compiled,
    tolerance: Tolerance,
    judge: Judge,
    nodes: Vec<(f64, f64)>,
    dimension: usize,
    /// Time, state, varied values.
    inputs: Vec<f64>,
    /// The end of the step before.
    last: Option<End>,
    /// Where a step was asked to end.
    asked: Option<f64>,
}

impl Features {
    /// Of a motion with these rates; none where the model has no steep functions of time or state.
    pub(crate) fn of(
        model: &Model,
        motion: &Motion,
        rates: impl FnOnce() -> Result<Compiled, MissingInput>,
        tolerance: Tolerance,
        judge: Judge,
    ) -> Result<Option<Self>, MissingInput> {
        let arguments = arguments(model, motion);
        if arguments.is_empty() {
            return Ok(None);
        }
        let values: Vec<_> = arguments.iter().map(|a| a.value.clone()).collect();
        let values = motion.program(&values)?;
        let dimension = motion.state.len();
        Ok(Some(Self {
            arguments: arguments.into(),
            gradients: Compiled::new(values.jacobian(0..1 + dimension)),
            inputs: vec![0.0; values.inputs],
            values: Compiled::new(values),
            rates: rates()?,
            tolerance,
            judge,
            nodes: gauss_legendre(NODES),
            dimension,
            last: None,
            asked: None,
        }))
    }

    /// For a motion with other values of what is varied.
    pub(crate) fn restart(&mut self, varied: &[f64]) {
        self.inputs[1 + self.dimension..].copy_from_slice(varied);
        (self.last, self.asked) = (None, None);
    }

    /// May steps be shortened?
    pub(crate) fn may_shorten(&self) -> bool {
        self.judge != Judge::Fixed
    }

    /// The first thing that a step misses.
    pub(crate) fn missed(&mut self, step: &mut dyn Inside) -> Option<Missed> {
        let (begun, ended) = (step.time(0.0), step.time(1.0));
        let from = self.last.take().filter(|end| end.knot.time == begun);
        let from = match from {
            Some(end) => end,
            None => self.end(step, 0.0),
        };
        let to = self.end(step, 1.0);
        let is_near = |t: &f64| (t - ended).abs() <= 1e-9 * (ended - begun).abs();
        let is_asked = self.asked.take().filter(is_near).is_some();
        let missed = match self.judge {
            Judge::Fixed => self.missed_between(&mut Cubic([&from.knot, &to.knot]), [&from, &to]),
            Judge::Estimate => self.missed_between(step, [&from, &to]),
            Judge::Series => self
                .missed_between(step, [&from, &to])
                .or_else(|| is_asked.then(|| self.look(step, 1.0)).flatten()),
        };
        self.asked = missed.as_ref().map(|missed| step.time(missed.end));
        let is_again = missed.is_some() && self.may_shorten();
        self.last = Some(if is_again { from } else { to });
        missed
    }

    /// The first thing that a step between two ends misses where an argument vanishes or turns.
    fn missed_between(
        &mut self,
        step: &mut dyn Inside,
        [from, to]: [&End; 2],
    ) -> Option<Missed> {
        let h = to.knot.time - from.knot.time;
        let mut all: Vec<(f64, usize)> = Vec::new();
        for k in 0..self.arguments.len() {
            let ends = Ends {
                values: [from.values[k], to.values[k]],
                slopes: [h * from.slopes[k], h * to.slopes[k]],
            };
            let scale = self.arguments[k].scale;
            if ends.range().is_some_and(|(a, b)| scale.is_wide(a, b)) {
                let found = places(&mut |theta| self.value(step, theta, k), ends.slopes);
                all.extend(found.into_iter().map(|place| (place, k)));
            }
        }
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
            sum.iter_mut().zip(state).for_each(|(sum, x)| *sum += sign * x);
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

    /// The arguments at an end of a step and their rates along the motion; not numbers where there are none.
    fn end(&mut self, step: &mut dyn Inside, theta: f64) -> End {
        let count = self.arguments.len();
        self.set(step, theta);
        let (mut values, mut rates) = (vec![f64::NAN; count], vec![0.0; self.dimension]);
        let mut gradients = vec![0.0; count * (1 + self.dimension)];
        let found = self.values.call(&self.inputs, &mut values).is_ok()
            && self.rates.call(&self.inputs, &mut rates).is_ok()
            && self.gradients.call(&self.inputs, &mut gradients).is_ok();
        let slope = |row: &[f64]| {
            let along = row[1..].iter().zip(&rates).map(|(d, f)| d * f);
            row[0] + along.sum::<f64>()
        };
        let slopes = gradients.chunks_exact(1 + self.dimension).map(slope);
        End {
            slopes: match found {
                true => slopes.collect(),
                false => vec![f64::NAN; count],
            },
            values,
            knot: Knot {
                time: self.inputs[0],
                state: self.inputs[1..=self.dimension].to_vec(),
                rates,
            },
        }
    }

    /// An argument at a part of a step; not a number where it has no value.
    fn value(&mut self, step: &mut dyn Inside, theta: f64, argument: usize) -> f64 {
        self.set(step, theta);
        let mut values = vec![f64::NAN; self.arguments.len()];
        match self.values.call(&self.inputs, &mut values) {
            Ok(()) => values[argument],
            Err(_) => f64::NAN,
        }
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
