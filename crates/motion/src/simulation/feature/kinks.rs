//! Kinks that equal steps go over: places at which a function of the model is not smooth.
//!
//! A step that is a polynomial in time knows of no kink inside it: what the rates jump by, and what their slopes do, is
//! missed for a part of the step, whatever the order of the method. Methods that choose their steps meet kinks by their
//! error estimates.

use super::arguments::{moves, stated};
use super::cubic::{Cubic, bounds, cubic};
use super::misses::Missed;
use super::places::Course;
use super::{ALLOWED, End, Features, slopes, values};
use rattleback_compile::Motion;
use rattleback_integrate::Inside;
use rattleback_mechanics::{Problem, System};
use rattleback_numeric::tolerance::ROUNDING;
use rattleback_symbolic::{Cut, cuts, jumps};

/// Rates are looked at so many parts of a step beside a kink.
const BESIDE: f64 = 1e-3;
/// f, and its slope per distance, at the end of a row of three equally distant values.
const VALUE: [f64; 3] = [3.0, -3.0, 1.0];
const SLOPE: [f64; 3] = [-2.5, 4.0, -1.5];

/// The places at which what a model says is not smooth that a motion may pass, as its state has them.
pub(super) fn kinks(problem: &Problem, system: &System, motion: &Motion) -> Vec<Cut> {
    let stated = stated(problem, system);
    let mut found: Vec<Cut> = Vec::new();
    for cut in cuts(&stated).into_iter().chain(jumps(&stated)) {
        let at = motion.express(&[cut.at]).swap_remove(0);
        let is_new = !found.iter().any(|k| k.at == at);
        if is_new && moves(&at) && motion.program(std::slice::from_ref(&at)).is_ok() {
            found.push(Cut { at, of: cut.of });
        }
    }
    found
}

impl Features {
    /// The first kink between two ends by which a step of equal ones misses more than its tolerance.
    pub(super) fn kink(&mut self, step: &mut Cubic<'_>, [from, to]: [&End; 2]) -> Option<Missed> {
        let first = from.values.len() - self.kinks.len();
        let mut all: Vec<(f64, usize)> = Vec::new();
        for k in 0..self.kinks.len() {
            let number = first + k;
            let (ends, slopes) = (values(number, [from, to]), slopes(number, [from, to]));
            let (least, largest) = bounds(ends, slopes);
            if least <= 0.0 && 0.0 <= largest {
                let mut g = |s: f64| cubic(ends, slopes, s);
                let found = Course::along(&mut g, super::PROBES, slopes).places(&mut g);
                all.extend(found.into_iter().map(|place| (place, k)));
            }
        }
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let passed = |(place, k): &(f64, usize)| self.passes(step, *place, first + *k);
        let (place, k) = all.iter().copied().find(passed)?;
        Some(Missed {
            end: place,
            time: step.time(place),
            width: 0.0,
            is_kink: true,
            function: Some(self.kinks[k].of.clone()),
        })
    }

    /// Do the rates on both sides of a place say that a step over it misses too much?
    fn passes(&mut self, step: &mut Cubic<'_>, place: f64, number: usize) -> bool {
        let mut beside = |side: f64| -> Option<([Vec<f64>; 3], f64)> {
            let mut at = 0.0;
            let mut rates = [const { Vec::new() }; 3];
            for (k, rates) in rates.iter_mut().enumerate() {
                let theta = place + side * BESIDE * (k + 1) as f64;
                self.memory.clear();
                let mut values = std::mem::take(&mut self.memory);
                self.evaluate(step, theta, &mut values);
                at = values[number];
                self.memory = values;
                rates.resize(self.dimension, 0.0);
                self.rates.call(&self.inputs, rates).ok()?;
            }
            Some((rates, at))
        };
        let (Some((before, below)), Some((after, above))) = (beside(-1.0), beside(1.0)) else {
            return false;
        };
        // A place that is touched, or one that the cubic misses, is on one side.
        if below * above >= 0.0 {
            return false;
        }
        let h = (step.time(1.0) - step.time(0.0)).abs();
        let state = &self.inputs[1..=self.dimension];
        let largest = state.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let end = |rates: &[Vec<f64>; 3], i: usize, weights: [f64; 3]| -> f64 {
            rates.iter().zip(weights).map(|(f, w)| w * f[i]).sum()
        };
        (0..self.dimension).any(|i| {
            let jump = end(&after, i, VALUE) - end(&before, i, VALUE);
            // Slopes before the place go the other way.
            let bend = (end(&after, i, SLOPE) + end(&before, i, SLOPE)) / BESIDE;
            // The mean of what a step misses that has the place anywhere.
            let missed = h * (jump.abs() / 4.0 + bend.abs() / 12.0);
            missed > ALLOWED * (self.tolerance.scale(state[i].abs()) + ROUNDING * largest)
        })
    }
}
