//! What the model assumes of time, positions and velocities, watched along a motion.
//!
//! Formulas are simplified under assumptions: where one of them breaks, the equations are no longer those of the model.

use super::diagnosis::short;
use crate::compiled::Compiled;
use rattleback_compile::{Course, Motion};
use rattleback_mechanics::{Origin, Problem, Relation};
use rattleback_symbolic::{Cut, Expr, MissingInput, Symbol};
use std::collections::BTreeSet;

/// Sides that differ by this part are equal to the accuracy of a motion.
const ROUNDING: f64 = 1e-8;

/// Values of each condition: both sides and the exponent.
const EACH: usize = 3;

/// One assumption: how two sides relate.
#[derive(Clone)]
pub(super) struct Condition {
    relation: Relation,
    /// What a motion does that breaks it.
    words: String,
    /// How left minus right goes between two states, where that is known.
    pub(super) course: Option<Course>,
    /// Is it known at all?
    pub(super) is_enclosed: bool,
    /// The sign of left minus right so far, which sides that are to differ must keep.
    sign: f64,
    /// May a motion pass on to the other sign where the Lagrangian does not jump?
    pub(super) may_pass: bool,
    /// Is it asked for, or does it belong to a power with a whole exponent?
    is_asked: bool,
}

impl Condition {
    /// How far two sides are from breaking it; negative where they do, not a number where one of them has no value.
    fn margin(&self, left: f64, right: f64) -> f64 {
        let difference = left - right;
        self.within((difference, difference), self.slack(left, right))
    }

    /// By how much two sides may differ that are equal to the accuracy of a motion; nothing where it is looked at what
    /// lies behind.
    fn slack(&self, left: f64, right: f64) -> f64 {
        match self.may_pass {
            true => 0.0,
            false => ROUNDING * left.abs().max(right.abs()).max(1.0),
        }
    }

    /// The motion is on the other side now.
    pub(super) fn pass(&mut self) {
        self.sign = -self.sign;
    }

    /// Takes the side on which a motion is.
    fn take_side(&mut self, left: f64, right: f64) {
        let difference = left - right;
        if self.may_pass {
            // Zero has the angle of what is above it.
            self.sign = if difference < 0.0 { -1.0 } else { 1.0 };
        } else if difference.abs() > self.slack(left, right) {
            self.sign = difference.signum();
        }
    }

    /// The least margin while left minus right lies between two numbers.
    pub(super) fn least(&self, range: (f64, f64)) -> f64 {
        self.within(range, self.slack(0.0, 0.0))
    }

    fn within(&self, (low, high): (f64, f64), band: f64) -> f64 {
        if !self.is_asked {
            return f64::INFINITY;
        }
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

/// The compiled assumptions.
#[derive(Clone)]
pub(super) struct Assumed {
    /// Both sides of each, and an exponent without which it is not asked for.
    sides: Compiled,
    pub(super) conditions: Vec<Condition>,
    values: Vec<f64>,
    /// Which of (t, x) those are about whose courses are known.
    pub(super) about: Vec<usize>,
    /// Does it depend on the state what is asked for?
    depends: bool,
}

impl Assumed {
    /// Those of a problem that a motion can break and its state determines, and the places at which its Lagrangian may
    /// jump; none where there are none.
    pub(super) fn of(
        problem: &Problem,
        motion: &Motion,
        cuts: &[Cut],
    ) -> Result<Option<Self>, MissingInput> {
        let frame = problem.system.frame();
        let time = Symbol::time();
        let moves = |e: &Expr| {
            e.contains(&time) || e.contains_any(frame.base()) || e.contains_any(frame.fibre())
        };
        let moving = problem.assumptions.iter();
        let moving = moving.filter(|a| moves(&a.lhs) || moves(&a.rhs));
        let mut sides: Vec<Expr> = Vec::new();
        let mut conditions = Vec::new();
        let mut add = |relation, words: String, all: [Expr; 3], may_pass: bool| {
            let all = motion.express(&all);
            if motion.program(&all).is_ok() {
                let course = motion.course(&(&all[0] - &all[1]));
                conditions.push(Condition {
                    relation,
                    words,
                    is_enclosed: course.is_some(),
                    course,
                    sign: 0.0,
                    may_pass,
                    is_asked: true,
                });
                sides.extend(all);
            }
        };
        for a in moving {
            let exponent = a.unless_whole.clone().unwrap_or_else(|| Expr::ratio(1, 2));
            let all = [a.lhs.clone(), a.rhs.clone(), exponent];
            add(a.relation, words(a.origin, &a.text), all, false);
        }
        for cut in cuts {
            let all = [cut.at.clone(), Expr::zero(), Expr::ratio(1, 2)];
            let words = format!(
                "meets a jump of its Lagrangian, in `{}`,",
                short(&cut.of.to_string())
            );
            add(Relation::NotEqual, words, all, true);
        }
        if conditions.is_empty() {
            return Ok(None);
        }
        let courses = conditions.iter().filter_map(|c| c.course.as_ref());
        let about: BTreeSet<usize> = courses.flat_map(Course::about).copied().collect();
        Ok(Some(Self {
            sides: Compiled::new(motion.program(&sides)?),
            values: vec![0.0; sides.len()],
            about: about.into_iter().collect(),
            depends: conditions
                .iter()
                .any(|c: &Condition| c.relation == Relation::NotEqual)
                || problem.assumptions.iter().any(|a| a.unless_whole.is_some()),
            conditions,
        }))
    }

    /// What the motion does where one does not hold, with inputs (t, x, …).
    pub(super) fn broken(&mut self, inputs: &[f64]) -> Option<&str> {
        let stated = self.conditions.iter().take_while(|c| !c.may_pass).count();
        let found = (0..stated).find(|&k| self.margin(k, inputs) < 0.0);
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
        let [left, right, exponent] = [0, 1, 2].map(|k| self.values[EACH * condition + k]);
        self.conditions[condition].is_asked = exponent.fract() != 0.0;
        self.conditions[condition].margin(left, right)
    }

    /// Takes from a state which conditions are asked for; sides that are to differ keep the order that they have there.
    pub(super) fn take_sides(&mut self, inputs: &[f64]) {
        if !self.depends || self.sides.call(inputs, &mut self.values).is_err() {
            return;
        }
        let all = self.values.chunks_exact(EACH);
        for (c, sides) in self.conditions.iter_mut().zip(all) {
            c.take_side(sides[0], sides[1]);
            c.is_asked = sides[2].fract() != 0.0;
        }
    }

    /// Is nothing asked for?
    pub(super) fn is_idle(&self) -> bool {
        self.conditions.iter().all(|c| !c.is_asked)
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
