//! Looking into every step for a place where the motion leaves what the model assumes.
//!
//! A step is divided until each piece is decided: there is a margin throughout, by enclosures of the condition over a
//! tube around the motion, or the condition goes one way and its ends tell.

use super::assumed::Assumed;
use super::leap::Leaps;
use rattleback_compile::Motion;
use rattleback_integrate::{Inside, Tube};
use rattleback_mechanics::Problem;
use rattleback_symbolic::MissingInput;

/// Intervals between the samples of a piece.
const WITHIN: usize = 4;
/// Pieces of a step that are looked at before enclosures of a condition are given up for samples of it.
const MOST_PIECES: u32 = 1 << 12;
/// Pieces of a step that are not divided further.
const SHORTEST: f64 = 1.0 / (1u64 << 26) as f64;
/// The room beside a box in which conditions hold, as a part of it, that is taken in for the steps to come.
const ROOM: f64 = 1.0;
/// A box that could not be made larger is left alone for at most two to this many steps.
const MOST_REFUSALS: u32 = 10;
/// Halvings that locate where a condition breaks.
const HALVINGS: u32 = 44;
/// A place at which something may jump is looked at from so many times farther off, too.
const FARTHER: f64 = 65536.0;

/// The watch over the assumptions of a model inside steps.
#[derive(Clone)]
pub(crate) struct Confinement {
    pub(super) assumed: Assumed,
    leaps: Option<Leaps>,
    dimension: usize,
    /// (t, x, what is varied).
    inputs: Vec<f64>,
    tube: Tube,
    /// Pieces of a step that are still to be looked at.
    open: Vec<(f64, f64)>,
    /// A box of (t, x), in what the conditions are about, in which all of them hold.
    safe: Vec<(f64, f64)>,
    /// Steps until another one is tried, and how often in turn one was not found.
    rest: u32,
    refusals: u32,
    /// How far the components of the state go in a step, the box of the step, and memory for boxes.
    ways: Vec<f64>,
    around: Vec<(f64, f64)>,
    sides: Vec<(f64, f64)>,
    /// No slopes.
    still: Vec<(f64, f64)>,
    /// What the conditions are about, at one place and at both ends of a step.
    picked: Vec<f64>,
    ends: Vec<f64>,
    /// The mean rates along the step before.
    before: Vec<f64>,
    /// The end of the step before.
    reached: Option<f64>,
    end: Vec<f64>,
    /// The first condition whose enclosures were given up, and when.
    blurred: Option<(usize, f64)>,
}

/// Where a step leaves what is assumed.
#[derive(Clone, Debug)]
pub(crate) struct Breach {
    /// The part of the step.
    pub(crate) theta: f64,
    /// What the motion does there.
    pub(crate) words: String,
}

impl Confinement {
    /// Of a motion with so many varied constants; none where nothing is assumed of it.
    pub(crate) fn of(
        problem: &Problem,
        motion: &Motion,
        varied: &[f64],
    ) -> Result<Option<Self>, MissingInput> {
        // A form that leaves out what the Lagrangian is made of has its own energy to be judged by.
        let leaps = Leaps::of(problem, motion).unwrap_or(None);
        let cuts = leaps.as_ref().map_or(&[][..], |leaps| &leaps.cuts);
        let Some(assumed) = Assumed::of(problem, motion, cuts)? else {
            return Ok(None);
        };
        let dimension = motion.state.len();
        let mut inputs = vec![0.0; 1 + dimension];
        inputs.extend_from_slice(varied);
        Ok(Some(Self {
            assumed,
            leaps,
            blurred: None,
            dimension,
            inputs,
            tube: Tube::default(),
            open: Vec::new(),
            safe: Vec::new(),
            rest: 0,
            refusals: 0,
            ways: vec![0.0; dimension],
            around: Vec::new(),
            sides: Vec::new(),
            still: vec![(0.0, 0.0); 1 + dimension],
            picked: Vec::new(),
            ends: Vec::new(),
            before: Vec::new(),
            reached: None,
            end: vec![0.0; dimension],
        }))
    }

    /// Puts other values in the place of what is varied.
    pub(crate) fn set_constants(&mut self, varied: &[f64]) {
        self.inputs[1 + self.dimension..].copy_from_slice(varied);
        self.safe.clear();
        (self.rest, self.refusals) = (0, 0);
    }

    /// Another motion begins, with these values of what is varied.
    pub(crate) fn restart(&mut self, varied: &[f64]) {
        self.set_constants(varied);
        self.assumed.restart();
        self.before.clear();
        self.reached = None;
    }

    /// The first place of a step at which a condition breaks.
    pub(crate) fn breach(&mut self, step: &mut dyn Inside) -> Option<Breach> {
        if self.reached == Some(step.time(0.0)) {
            self.inputs[0] = step.time(0.0);
            self.inputs[1..=self.dimension].copy_from_slice(&self.end);
        } else {
            self.go_to(step, 0.0);
        }
        self.assumed.take_sides(&self.inputs);
        if self.reached.is_none()
            && let Some(words) = self.assumed.broken(&self.inputs)
        {
            let words = words.to_owned();
            return Some(Breach { theta: 0.0, words });
        }
        let known = step.state(1.0, &mut self.end);
        self.reached = known.is_ok().then(|| step.time(1.0));
        match self.assumed.is_idle() || self.is_calm(step) {
            true => None,
            false => self.search(step),
        }
    }

    /// What the motion must not do that is looked at in samples only from a time on, because it turns too often.
    pub(crate) fn blurred(&self) -> Option<(&str, f64)> {
        let (condition, t) = self.blurred?;
        Some((self.assumed.words(condition), t))
    }

    /// What the motion must not do that is looked at in samples all along, because nothing encloses it.
    pub(crate) fn sampled(&self) -> Option<&str> {
        let all = &self.assumed.conditions;
        let condition = all.iter().position(|c| !c.is_enclosed)?;
        Some(self.assumed.words(condition))
    }

    /// The first place at which a condition breaks, by a look at all of the step.
    fn search(&mut self, step: &mut dyn Inside) -> Option<Breach> {
        let (mut end, mut first) = (1.0, None);
        for condition in 0..self.assumed.conditions.len() {
            if let Some(theta) = self.first(step, condition, end) {
                (end, first) = (theta, Some(condition));
            }
        }
        first.map(|condition| Breach {
            theta: end,
            words: self.assumed.words(condition).to_owned(),
        })
    }

    /// Is the whole step, from the state in the inputs on, far from breaking anything? Most steps are.
    fn is_calm(&mut self, step: &mut dyn Inside) -> bool {
        let all = &self.assumed.conditions;
        if all.iter().any(|c| c.course.is_none()) {
            return false;
        }
        if step.ways(&mut self.ways) {
            self.surround(step);
            if self.is_safe() || self.becomes_safe(0.0) {
                return true;
            }
        }
        if !self.sketch(step) {
            return false;
        }
        self.around.clear();
        let has_time = self.assumed.about.first() == Some(&0);
        let first = usize::from(!has_time);
        self.around.extend_from_slice(&self.tube.inside()[first..]);
        if self.is_safe() || self.becomes_safe(ROOM) {
            return true;
        }
        let holds = self.all_hold();
        if holds {
            self.safe.clone_from(&self.around);
        }
        holds
    }

    /// The box of a step from the state in the inputs on, by how far each component goes at most.
    fn surround(&mut self, step: &mut dyn Inside) {
        let (from, to) = (step.time(0.0), step.time(1.0));
        let side = |k: &usize| match k {
            0 => (from.min(to), from.max(to)),
            k => (
                self.inputs[*k] - self.ways[k - 1],
                self.inputs[*k] + self.ways[k - 1],
            ),
        };
        self.around.clear();
        self.around.extend(self.assumed.about.iter().map(side));
    }

    /// Is the box at hand inside the one in which all conditions hold?
    fn is_safe(&self) -> bool {
        let mut both = self.around.iter().zip(&self.safe);
        self.safe.len() == self.around.len() && both.all(|(a, safe)| safe.0 <= a.0 && a.1 <= safe.1)
    }

    /// Can that box take in the one at hand, and some room beside it for the steps to come? Where it could not, it is
    /// tried again after twice as many steps.
    fn becomes_safe(&mut self, room: f64) -> bool {
        if self.rest > 0 {
            self.rest -= 1;
            return false;
        }
        let kept = self.around.clone();
        for (k, side) in self.around.iter_mut().enumerate() {
            let room = room * (side.1 - side.0);
            *side = (side.0 - room, side.1 + room);
            if let Some(safe) = self.safe.get(k) {
                *side = (side.0.min(safe.0), side.1.max(safe.1));
            }
        }
        if self.all_hold() {
            self.safe.clone_from(&self.around);
            self.refusals = 0;
            return true;
        }
        self.around = kept;
        self.refusals = (self.refusals + 1).min(MOST_REFUSALS);
        self.rest = 1 << self.refusals;
        false
    }

    /// Do all conditions hold in the box at hand?
    fn all_hold(&mut self) -> bool {
        self.sides.clear();
        self.sides
            .extend(self.inputs[..=self.dimension].iter().map(|x| (*x, *x)));
        for (k, side) in self.assumed.about.iter().zip(&self.around) {
            self.sides[*k] = *side;
        }
        let varied = &self.inputs[1 + self.dimension..];
        self.assumed.conditions.iter().all(|c| {
            let course = c.course.as_ref();
            let range = course.and_then(|course| course.over(varied, &self.sides, &self.still)[0]);
            range.is_some_and(|range| c.least(range) >= 0.0)
        })
    }

    /// The tube around a whole step, in what the conditions are about, from what is known of it without more work; is it
    /// known so?
    fn sketch(&mut self, step: &mut dyn Inside) -> bool {
        let mut all_exact = true;
        self.tube.clear();
        self.ends.clear();
        for k in 0..=WITHIN {
            let theta = k as f64 / WITHIN as f64;
            let Ok(is_exact) = step.sketch(theta, &mut self.inputs[1..=self.dimension]) else {
                return false;
            };
            all_exact &= is_exact;
            let about = self.assumed.about.iter().filter(|k| **k > 0);
            self.picked.clear();
            self.picked.extend(about.map(|k| self.inputs[*k]));
            self.tube.push(step.time(theta), &self.picked);
            if k == 0 || k == WITHIN {
                self.ends.extend_from_slice(&self.picked);
            }
        }
        self.tube.close(WITHIN + 1, 1.0 / WITHIN as f64);
        all_exact || self.widen(step.time(1.0) - step.time(0.0))
    }

    /// Widens a tube of sketches by what rates change from one step to the next; is the step before known?
    fn widen(&mut self, h: f64) -> bool {
        let (from, to) = self.ends.split_at(self.ends.len() / 2);
        let rates: Vec<f64> = from.iter().zip(to).map(|(x, y)| (y - x) / h).collect();
        let is_known = self.before.len() == rates.len();
        let changes = rates.iter().zip(&self.before);
        let changes = changes.map(|(now, before)| ((now - before) * h).abs());
        self.tube.widen(changes);
        self.before = rates;
        is_known
    }

    /// The first place up to a part of the step at which one condition breaks.
    fn first(&mut self, step: &mut dyn Inside, condition: usize, end: f64) -> Option<f64> {
        let mut pieces = 0;
        self.open.clear();
        self.open.push((0.0, end));
        while let Some((a, b)) = self.open.pop() {
            let (least, goes_one_way) = self.outlook(step, condition, (a, b));
            if least >= 0.0 {
                continue;
            }
            pieces += 1;
            if pieces == MOST_PIECES {
                self.assumed.conditions[condition].course = None;
                self.blurred.get_or_insert((condition, step.time(a)));
            }
            if goes_one_way || b - a <= SHORTEST || pieces > 2 * MOST_PIECES {
                if self.margin(step, condition, b) < 0.0 {
                    let (holds, breaks) = self.edge(step, condition, (a, b));
                    if !self.passes(step, condition, (holds, breaks)) {
                        return Some(holds);
                    }
                    self.assumed.conditions[condition].pass();
                }
                continue;
            }
            let middle = 0.5 * (a + b);
            self.open.extend([(middle, b), (a, middle)]);
        }
        None
    }

    /// The least margin of a condition over a piece of the step, and whether its ends tell all: by its enclosure in a tube
    /// around the motion, or else in a tube around its own samples.
    fn outlook(
        &mut self,
        step: &mut dyn Inside,
        condition: usize,
        (a, b): (f64, f64),
    ) -> (f64, bool) {
        let distance = (b - a) / WITHIN as f64;
        let has_course = self.assumed.conditions[condition].course.is_some();
        self.tube.clear();
        for k in 0..=WITHIN {
            let theta = if k == WITHIN {
                b
            } else {
                a + distance * k as f64
            };
            if has_course {
                self.go_to(step, theta);
                self.tube
                    .push(self.inputs[0], &self.inputs[1..=self.dimension]);
            } else {
                let margin = self.margin(step, condition, theta);
                self.tube.push(step.time(theta), &[margin]);
            }
        }
        self.tube.close(WITHIN + 1, distance);
        let one_way = |(low, high): (f64, f64)| low >= 0.0 || high <= 0.0;
        let c = &self.assumed.conditions[condition];
        let (inside, slopes) = (self.tube.inside(), self.tube.slopes());
        let Some(course) = &c.course else {
            return (inside[1].0, one_way(slopes[1]));
        };
        let varied = &self.inputs[1 + self.dimension..];
        match course.over(varied, inside, slopes) {
            [None, _] => (f64::NEG_INFINITY, false),
            [Some(value), slope] => (c.least(value), slope.is_some_and(one_way)),
        }
    }

    /// May a motion pass between these two places from one side to the other, because its Lagrangian does not jump there?
    fn passes(
        &mut self,
        step: &mut dyn Inside,
        condition: usize,
        (holds, breaks): (f64, f64),
    ) -> bool {
        if !self.assumed.conditions[condition].may_pass {
            return false;
        }
        let wide = FARTHER * (breaks - holds);
        let [far, near] = [wide, 0.0].map(|by| {
            self.go_to(step, (holds - by).max(0.0));
            let before = self.inputs.clone();
            self.go_to(step, (breaks + by).min(1.0));
            let after = &self.inputs;
            let leaps = self.leaps.as_mut();
            leaps.map_or(0.0, |leaps| leaps.apart(&before, after))
        });
        !Leaps::is_jump(far, near)
    }

    /// The last place of a piece, from its beginning on, at which a condition that breaks at its end still holds, and the
    /// next one.
    fn edge(&mut self, step: &mut dyn Inside, condition: usize, piece: (f64, f64)) -> (f64, f64) {
        let (mut holds, mut breaks) = piece;
        for _ in 0..HALVINGS {
            let middle = 0.5 * (holds + breaks);
            match self.margin(step, condition, middle) < 0.0 {
                true => breaks = middle,
                false => holds = middle,
            }
        }
        (holds, breaks)
    }

    /// How far a condition is from being broken at a part of the step.
    fn margin(&mut self, step: &mut dyn Inside, condition: usize, theta: f64) -> f64 {
        match self.go_to(step, theta) {
            true => self.assumed.margin(condition, &self.inputs),
            false => f64::NAN,
        }
    }

    /// Takes the time and the state at a part of the step; are they known?
    fn go_to(&mut self, step: &mut dyn Inside, theta: f64) -> bool {
        self.inputs[0] = step.time(theta);
        step.state(theta, &mut self.inputs[1..=self.dimension])
            .is_ok()
    }
}
