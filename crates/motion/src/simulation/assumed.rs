//! What the model assumes of time, positions and velocities, watched along a motion.
//!
//! Formulas are simplified under assumptions: where one of them breaks, the equations are no longer those of the model.

use crate::compiled::Compiled;
use rattleback_compile::{Course, Motion};
use rattleback_mechanics::{Origin, Problem, Relation};
use rattleback_symbolic::{Expr, MissingInput, Symbol};

/// Sides that differ by this part are equal to the accuracy of a motion.
const ROUNDING: f64 = 1e-8;

/// One assumption: how two sides relate.
#[derive(Clone)]
pub(super) struct Condition {
    relation: Relation,
    /// What a motion does that breaks it.
    words: String,
    /// How left minus right goes between two states, where that is known.
    pub(super) course: Option<Course>,
    /// The sign of left minus right so far, which sides that are to differ must keep.
    sign: f64,
}

impl Condition {
    /// How far two sides are from breaking it; negative where they do, not a number where one of them has no value.
    fn margin(&self, left: f64, right: f64) -> f64 {
        let difference = left - right;
        self.within((difference, difference), band(left, right))
    }

    /// The least margin while left minus right lies between two numbers.
    pub(super) fn least(&self, range: (f64, f64)) -> f64 {
        self.within(range, ROUNDING)
    }

    fn within(&self, (low, high): (f64, f64), band: f64) -> f64 {
        match self.relation {
            Relation::Greater | Relation::GreaterOrEqual => low + band,
            Relation::Less | Relation::LessOrEqual => band - high,
            Relation::Equal => band - low.abs().max(high.abs()),
            Relation::NotEqual if self.sign < 0.0 => band - high,
            Relation::NotEqual if self.sign > 0.0 => low + band,
            Relation::NotEqual => band,
        }
    }
}

/// By how much two sides may differ that are equal to the accuracy of a motion.
fn band(left: f64, right: f64) -> f64 {
    ROUNDING * left.abs().max(right.abs()).max(1.0)
}

/// The compiled assumptions.
#[derive(Clone)]
pub(super) struct Assumed {
    /// Both sides of each.
    sides: Compiled,
    pub(super) conditions: Vec<Condition>,
    values: Vec<f64>,
    /// Which of (t, x) they are about.
    pub(super) about: Vec<usize>,
}

impl Assumed {
    /// Those of a problem that a motion can break and its state determines; none where there are none.
    pub(super) fn of(problem: &Problem, motion: &Motion) -> Result<Option<Self>, MissingInput> {
        let frame = problem.system.frame();
        let time = Symbol::time();
        let moves = |e: &Expr| {
            e.contains(&time) || e.contains_any(frame.base()) || e.contains_any(frame.fibre())
        };
        let moving = problem.assumptions.iter();
        let moving = moving.filter(|a| moves(&a.lhs) || moves(&a.rhs));
        let mut sides: Vec<Expr> = Vec::new();
        let mut conditions = Vec::new();
        for a in moving {
            let both = motion.express(&[a.lhs.clone(), a.rhs.clone()]);
            if motion.program(&both).is_ok() {
                conditions.push(Condition {
                    relation: a.relation,
                    words: words(a.origin, &a.text),
                    course: motion.course(&(&both[0] - &both[1])),
                    sign: 0.0,
                });
                sides.extend(both);
            }
        }
        if conditions.is_empty() {
            return Ok(None);
        }
        let inputs = std::iter::once(&time)
            .chain(motion.state.iter())
            .enumerate();
        let taken = inputs.filter(|(_, s)| sides.iter().any(|e| e.contains(s)));
        Ok(Some(Self {
            sides: Compiled::new(motion.program(&sides)?),
            values: vec![0.0; sides.len()],
            about: taken.map(|(k, _)| k).collect(),
            conditions,
        }))
    }

    /// What the motion does where one does not hold, with inputs (t, x, …).
    pub(super) fn broken(&mut self, inputs: &[f64]) -> Option<&str> {
        let found = (0..self.conditions.len()).find(|&k| self.margin(k, inputs) < 0.0);
        found.map(|k| self.words(k))
    }

    /// What a motion does that breaks a condition.
    pub(super) fn words(&self, condition: usize) -> &str {
        &self.conditions[condition].words
    }

    /// How far one is from being broken; not a number where it has no value.
    pub(super) fn margin(&mut self, condition: usize, inputs: &[f64]) -> f64 {
        if self.sides.call(inputs, &mut self.values).is_err() {
            return f64::NAN;
        }
        let [left, right] = [0, 1].map(|k| self.values[2 * condition + k]);
        self.conditions[condition].margin(left, right)
    }

    /// Sides that are to differ keep the order that they have here.
    pub(super) fn take_sides(&mut self, inputs: &[f64]) {
        let mut all = self.conditions.iter();
        let differ = all.any(|c| c.relation == Relation::NotEqual);
        if !differ || self.sides.call(inputs, &mut self.values).is_err() {
            return;
        }
        for (c, sides) in self.conditions.iter_mut().zip(self.values.chunks_exact(2)) {
            let difference = sides[0] - sides[1];
            if difference.abs() > band(sides[0], sides[1]) {
                c.sign = difference.signum();
            }
        }
    }

    /// Another motion begins.
    pub(super) fn restart(&mut self) {
        self.conditions.iter_mut().for_each(|c| c.sign = 0.0);
    }
}

/// What a motion does that breaks it.
fn words(origin: Origin, text: &str) -> String {
    match origin {
        Origin::Domain(_) => format!("leaves the domain of the model, `{text}`,"),
        _ => format!("breaks the assumption `{text}` of the model"),
    }
}
