//! A guard over a motion: what must hold along it, how far that is off, and how much of it the tolerance explains.
//!
//! Local errors of a quantity Q that the exact motion keeps only add up: after many steps Q is off by at most the
//! sum of |∇Q · δx| over the steps, with δx the error that a step may make. That sum is measured on the way, by
//! looking at Q once more beside the motion, every few steps and wherever steps become shorter or longer, as they do
//! where ∇Q changes; a quantity that is off by far more is not off because of the steps.
//!
//! Where the coordinates of a formulation end, as a frame of constraints does at a singular position, that sum grows
//! without bounds, and the tolerance explains nothing any more. So it is limited by what the energy is made of,
//! Σ |p_A y^A|, which is the same in every formulation.

use crate::compiled::Compiled;
use rattleback_compile::{Motion, RecordKind};
use rattleback_integrate::taylor::StepPolicy;
use rattleback_integrate::{Tolerance, gauss_legendre, legendre_on_unit};
use rattleback_numeric::tolerance::ROUNDING;
use rattleback_symbolic::{Expr, MissingInput};
use std::sync::Arc;

/// A quantity may be off by so many times what the tolerance explains.
pub(crate) const FAR: f64 = 1e3;
/// Off by this part of what it is made of, a quantity is not merely inaccurate.
pub(crate) const GROSS: f64 = 1e-2;
/// How far beside the motion a quantity is looked at, relative to the state.
pub(crate) const BESIDE: f64 = 1e-6;
/// A change of the state by its own size changes the energy by no more than so many times what it is made of, unless
/// the coordinates of the state are about to end.
const LIMIT: f64 = 100.0;
/// A balance that stays off by this part of what the energy usually is has lost its digits on the way.
const LOST: f64 = 1e-5;
/// Squares of components beyond this have no floating-point value, though the motion has one.
const HUGE: f64 = 1e150;
/// Equal steps from one look beside the motion to the next, and the factor in their lengths that makes them unequal.
const STEPS_PER_LOOK: u64 = 4;
const UNEQUAL: f64 = 1.5;

/// What sums of work may leave out, over the tolerance.
const UNSEEN: f64 = 1e-3;
/// Gauss's rule leaves out about the square of what power has of the highest degrees that its places see; so many times
/// more of these than asked for still leave less than the tolerance.
const LOOSE: f64 = 30.0;
/// Parts of a step that are not halved.
const SHORTEST_PART: f64 = 1.0 / 256.0;
/// Places at which two degrees can be told from the mean.
const FEWEST_PLACES: usize = 3;

/// One quantity that is watched.
#[derive(Clone, Debug)]
pub(super) struct Watched {
    pub(super) name: Arc<str>,
    pub(super) kind: RecordKind,
    /// Does the exact motion keep it, with the work of forces taken off the energy?
    pub(super) is_kept: bool,
    start: f64,
    /// Its largest change.
    pub(super) change: f64,
    /// The largest part of the change that the exact motion does not have.
    pub(super) error: f64,
    /// That part at the state looked at last.
    last: f64,
    /// What the tolerance explains of that.
    explained: f64,
    /// And what rounding explains, whatever the tolerance.
    rounding: f64,
    /// How much it changes where the state changes by its own size: at the last look beside the motion, and at most.
    slope: f64,
    scale: f64,
    /// When it came to be off.
    since: Option<f64>,
}

/// What is to be said of a motion at its end.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Judgement {
    /// The motion is wrong.
    pub(super) failure: Option<String>,
    /// The motion is less accurate than was asked for.
    pub(super) warnings: Vec<String>,
}

/// What the energy of a motion is measured by.
#[derive(Clone, Copy, Debug)]
struct Energies {
    /// The sum of the absolute values of all work.
    exchanged: f64,
    /// The largest Σ |p_A y^A|.
    kinetic: Option<f64>,
}

/// The watch over all of them. Cheap to clone: the code is shared.
#[derive(Clone)]
pub(super) struct Guard {
    pub(super) watched: Vec<Watched>,
    monitor: Compiled,
    /// The power that forces, time and moving constraints have, where there is any.
    power: Option<Compiled>,
    nodes: Arc<[(f64, f64)]>,
    /// The Legendre polynomials of the two highest degrees that the nodes see, at each of them.
    highest: Arc<[[f64; 2]]>,
    /// Weight times power at the nodes of the part at hand.
    parts: Vec<f64>,
    /// The work so far, and the sum of its absolute values.
    work: f64,
    exchanged: f64,
    /// The largest Σ |p_A y^A| so far; none where it is not known.
    kinetic: Option<f64>,
    /// ∫ Σ |p_A y^A| dt so far, since when and until when.
    lived: f64,
    since: Option<f64>,
    until: f64,
    tolerance: Option<Tolerance>,
    /// Has the energy grown beyond all numbers on a motion that has not?
    overflowed: bool,
    steps: u64,
    /// The step, and its length, after which there was the last look beside the motion.
    looked: Option<(u64, f64)>,
    /// The largest size of each component of the state so far.
    sizes: Vec<f64>,
    beside: Vec<f64>,
    values: Vec<f64>,
    values_beside: Vec<f64>,
}

impl Guard {
    /// Over a motion that is followed with a tolerance if the method has one.
    pub(super) fn new(
        motion: &Motion,
        exchange: &[Expr],
        tolerance: Option<Tolerance>,
    ) -> Result<Self, MissingInput> {
        let is_watched = |kind: RecordKind| {
            matches!(
                kind,
                RecordKind::Energy | RecordKind::Residual | RecordKind::SymmetryMomentum
            )
        };
        let records = motion.records.iter().filter(|r| is_watched(r.kind));
        let quantities: Vec<_> = records.clone().map(|r| r.value.clone()).collect();
        let watched: Vec<Watched> = records
            .map(|r| Watched {
                name: r.name.as_str().into(),
                kind: r.kind,
                is_kept: match r.kind {
                    RecordKind::Energy => motion.power.is_some(),
                    _ => r.conserved,
                },
                // A residual is measured from zero, everything else from where it was.
                start: match r.kind {
                    RecordKind::Residual => 0.0,
                    _ => f64::NAN,
                },
                change: 0.0,
                error: 0.0,
                last: 0.0,
                explained: 0.0,
                rounding: 0.0,
                slope: 0.0,
                scale: 0.0,
                since: None,
            })
            .collect();
        let working = motion.power.as_ref().filter(|p| !p.is_zero());
        let has_energy = watched.iter().any(|w| w.kind == RecordKind::Energy);
        let power = working
            .filter(|_| has_energy)
            .map(|p| motion.program(std::slice::from_ref(p)))
            .transpose()?
            .map(Compiled::new);
        let n = watched.len() + exchange.len();
        let monitored = [&quantities[..], exchange].concat();
        Ok(Self {
            monitor: Compiled::new(motion.program(&monitored)?),
            power,
            nodes: Arc::default(),
            highest: Arc::default(),
            parts: Vec::new(),
            work: 0.0,
            exchanged: 0.0,
            kinetic: (!exchange.is_empty()).then_some(0.0),
            lived: 0.0,
            since: None,
            until: f64::NAN,
            tolerance,
            overflowed: false,
            steps: 0,
            looked: None,
            sizes: vec![0.0; motion.state.len()],
            beside: Vec::new(),
            values: vec![0.0; n],
            values_beside: vec![0.0; n],
            watched,
        })
    }

    /// Sums up the work of forces at so many places of each step.
    pub(super) fn look_at_places(&mut self, count: usize) {
        let count = count.max(FEWEST_PLACES);
        if self.power.is_some() && self.nodes.len() != count {
            self.nodes = gauss_legendre(count).into();
            let highest = |x: f64| [1, 2].map(|k| legendre_on_unit(count - k, x));
            self.highest = self.nodes.iter().map(|(x, _)| highest(*x)).collect();
        }
    }

    /// Places and weights of the quadrature of the work along a step.
    pub(super) fn nodes(&self) -> &[(f64, f64)] {
        &self.nodes
    }

    /// A place of that quadrature.
    pub(super) fn node(&mut self, weight: f64, inputs: &[f64]) {
        let mut power = [f64::NAN];
        if let Some(compiled) = &mut self.power {
            // Without a value the work has none, and neither has the balance.
            let _ = compiled.call(inputs, &mut power);
            self.parts.push(weight * power[0]);
        }
    }

    /// Takes the sum over a part of a step whose places have all come, if it is accurate: power that still varies at the
    /// highest degrees that they see varies beyond.
    pub(super) fn is_weighed(&mut self, part: f64) -> bool {
        let sum: f64 = self.parts.iter().sum();
        let size: f64 = self.parts.iter().map(|p| p.abs()).sum();
        let both = || self.parts.iter().zip(self.highest.iter());
        let [last, before] = [0, 1].map(|k| both().map(|(p, h)| p * h[k]).sum::<f64>());
        let left = last.abs().max(before.abs());
        self.parts.clear();
        let scale = self.exchanged + self.kinetic.unwrap_or(0.0);
        let is_rough = |allowed: f64| {
            left > LOOSE * allowed.sqrt() * size && size > allowed * scale && sum.is_finite()
        };
        if part > SHORTEST_PART && self.tolerance.map(unseen).is_some_and(is_rough) {
            return false;
        }
        self.work += sum;
        self.exchanged += size;
        true
    }

    /// Looks at a state between the ends of steps, with inputs (t, x, …): the work is not known there.
    pub(super) fn sample(&mut self, inputs: &[f64]) {
        if !self.overflowed && self.evaluate(inputs) {
            let has_work = self.power.is_some();
            for (w, &value) in self.watched.iter_mut().zip(&self.values) {
                let is_balanced = has_work && w.kind == RecordKind::Energy;
                w.compare(value, (!is_balanced).then_some(0.0));
            }
        }
    }

    /// Looks at the end of a step; the name of what has no finite value there.
    pub(super) fn step(&mut self, inputs: &[f64]) -> Option<(String, f64)> {
        if !self.evaluate(inputs) {
            // A solve without a solution: nothing that is watched has a value.
            let first = self.watched.first();
            return first.map(|w| (w.name.to_string(), f64::NAN));
        }
        self.steps += 1;
        self.give_up(&inputs[1..]);
        if self.overflowed {
            return None;
        }
        for (w, &value) in self.watched.iter_mut().zip(&self.values) {
            let is_energy = w.kind == RecordKind::Energy;
            w.compare(value, Some(if is_energy { self.work } else { 0.0 }));
        }
        let length = self.live(inputs[0]);
        if self.is_due(length) {
            self.looked = Some((self.steps, length));
            self.look_beside(inputs);
        }
        self.explain();
        let (t, sizes) = (inputs[0], self.energies());
        for w in &mut self.watched {
            if w.since.is_none() && w.is_gross(sizes) {
                w.since = Some(t);
            }
        }
        let mut all = self.watched.iter().zip(&self.values);
        let lost = all.find(|(w, v)| w.is_kept && !v.is_finite());
        let lost = lost.map(|(w, v)| (w.name.to_string(), *v));
        let without_work = || (!self.work.is_finite()).then(|| ("power".into(), self.work));
        lost.or_else(without_work)
    }

    /// Is a value beyond all numbers because the state is nearly so? Then it says nothing against the motion.
    pub(super) fn is_overflow(value: f64, state: &[f64]) -> bool {
        value.is_infinite() && state.iter().any(|x| x.abs() > HUGE)
    }

    /// Gives up what cannot be watched any more.
    fn give_up(&mut self, state: &[f64]) {
        let is_overflow = |value: &f64| Self::is_overflow(*value, state);
        if self.values.iter().chain([&self.work]).any(is_overflow) {
            self.overflowed = true;
            self.power = None;
            self.watched.iter_mut().for_each(|w| w.is_kept = false);
        }
    }

    /// Adds a step to what the energy usually is, and at most; the length of the step.
    fn live(&mut self, t: f64) -> f64 {
        if self.since.is_none() {
            (self.since, self.until) = (Some(t), t);
        }
        let terms = &self.values[self.watched.len()..];
        let now: f64 = terms.iter().map(|e| e.abs()).sum();
        let length = (t - self.until).abs();
        self.lived += now * length;
        self.until = t;
        self.kinetic = self.kinetic.map(|kinetic| kinetic.max(now));
        length
    }

    /// What the energy is made of along most of the motion; none where that is not known.
    fn usual(&self, energy: &Watched) -> Option<f64> {
        let time = (self.until - self.since?).abs();
        self.kinetic?;
        (time > 0.0).then(|| self.lived / time + energy.start.abs())
    }

    fn energies(&self) -> Energies {
        Energies {
            exchanged: self.exchanged,
            kinetic: self.kinetic,
        }
    }

    fn evaluate(&mut self, inputs: &[f64]) -> bool {
        !self.watched.is_empty() && self.monitor.call(inputs, &mut self.values).is_ok()
    }

    /// The part of its size by which a step may be off, and the least of these sizes.
    fn errors(&self) -> (f64, f64) {
        let tolerance = self.tolerance.unwrap_or(Tolerance::both(0.0));
        let relative = tolerance.relative + ROUNDING;
        (relative, tolerance.absolute / relative)
    }

    /// Is another look beside the motion due after a step of this length?
    fn is_due(&self, length: f64) -> bool {
        let Some((step, before)) = self.looked else {
            return true;
        };
        let is_equal = length <= UNEQUAL * before && before <= UNEQUAL * length;
        !is_equal || self.steps >= step + STEPS_PER_LOOK
    }

    /// ∇Q · δx over the errors δx of a step, all its components of either sign.
    fn look_beside(&mut self, inputs: &[f64]) {
        let (_, least) = self.errors();
        self.beside.clear();
        self.beside.extend_from_slice(inputs);
        for (k, (x, size)) in self.beside[1..].iter_mut().zip(&mut self.sizes).enumerate() {
            *size = size.max(x.abs());
            *x += (BESIDE * (*size + least)).copysign(sign(self.steps, k));
        }
        let found = self.monitor.call(&self.beside, &mut self.values_beside);
        if found.is_err() {
            return;
        }
        let credible = self.credible();
        let exchanged = self.kinetic.unwrap_or(0.0);
        let largest = || self.sizes.iter().copied().fold(0.0, f64::max);
        for (k, w) in self.watched.iter_mut().enumerate() {
            let slope = credible * (self.values_beside[k] - self.values[k]).abs() / BESIDE;
            // What a residual is made of may cancel for whatever state: it is as large as the state. An energy may be
            // zero beside large ones.
            let terms = match w.kind {
                RecordKind::Residual => largest(),
                RecordKind::Energy => self.values[k].abs().max(exchanged),
                _ => self.values[k].abs(),
            };
            w.rounding = w.rounding.max(ROUNDING * terms);
            if slope.is_finite() {
                w.slope = slope;
                w.scale = w.scale.max(slope);
            }
        }
    }

    /// Adds |∇Q · δx| of a step.
    fn explain(&mut self) {
        let (relative, _) = self.errors();
        for w in &mut self.watched {
            w.explained += relative * w.slope;
        }
    }

    /// The part of what is seen beside the motion that the motion itself can have.
    fn credible(&self) -> f64 {
        let Some(kinetic) = self.kinetic else {
            return 1.0;
        };
        let energy = self
            .watched
            .iter()
            .position(|w| w.kind == RecordKind::Energy);
        let slope = energy.map_or(0.0, |k| {
            (self.values_beside[k] - self.values[k]).abs() / BESIDE
        });
        let limit = LIMIT * kinetic;
        if slope > limit { limit / slope } else { 1.0 }
    }

    /// The energy at the start; none where it has no value there.
    pub(super) fn energy_at_start(&self) -> Option<f64> {
        let start = self.largest(RecordKind::Energy, |w| Some(w.start));
        start.filter(|e| e.is_finite())
    }

    /// The work of forces until a time; none where there are no forces, or where the time is inside a step.
    pub(super) fn work_until(&self, t: f64) -> Option<f64> {
        (self.power.is_some() && self.until == t).then_some(self.work)
    }

    /// The largest of a kind; none where nothing is of that kind.
    pub(super) fn largest(
        &self,
        kind: RecordKind,
        of: impl Fn(&Watched) -> Option<f64>,
    ) -> Option<f64> {
        let all = self.watched.iter().filter(|w| w.kind == kind);
        all.filter_map(of).reduce(f64::max)
    }

    /// A motion through places where energies are huge may keep to its tolerance there and have no digits afterwards.
    fn spent(&self, w: &Watched) -> Option<String> {
        let is_energy = w.kind == RecordKind::Energy;
        let usual = self.usual(w).filter(|_| is_energy)?;
        let asked = self.tolerance.map_or(0.0, |t| t.relative);
        (w.last > LOST.max(FAR * asked) * usual).then(|| {
            format!(
                "the balance of energy ends off by {:.1e}, where energies are about {usual:.1e}: digits were lost \
                 where they are much larger; try a smaller ‹rtol›",
                w.last
            )
        })
    }

    /// What is to be said at the end.
    pub(super) fn judgement(&self) -> Judgement {
        let mut judgement = Judgement::default();
        if self.overflowed {
            let told =
                "the energy is beyond all floating-point numbers: the motion is not under guard";
            judgement.warnings.push(told.into());
        }
        for w in self.watched.iter().filter(|w| w.is_kept) {
            match self.tolerance {
                Some(_) if !w.is_far(self.energies()) => {
                    judgement.warnings.extend(self.spent(w));
                }
                Some(_) if w.is_gross(self.energies()) => {
                    judgement.failure.get_or_insert(w.broken(self.energies()));
                }
                Some(tolerance) => judgement.warnings.push(format!(
                    "{}, more than ‹rtol {:e}› explains: try a smaller ‹rtol›, another ‹method› or another ‹form›",
                    w.off(),
                    tolerance.relative
                )),
                None if w.is_gross(self.energies()) => judgement.warnings.push(format!(
                    "{}: try a smaller ‹step›",
                    w.off()
                )),
                None => {}
            }
        }
        judgement
    }
}

impl Watched {
    /// Takes its value, and the work that was done on it where that is known.
    fn compare(&mut self, value: f64, work: Option<f64>) {
        if self.start.is_nan() {
            self.start = value;
        }
        let change = value - self.start;
        self.change = self.change.max(change.abs());
        if let Some(work) = work.filter(|_| self.is_kept) {
            self.last = (change - work).abs();
            self.error = self.error.max(self.last);
        }
    }

    /// Is it off by far more than the tolerance and rounding explain?
    fn is_far(&self, sizes: Energies) -> bool {
        let worked = match self.kind {
            RecordKind::Energy => ROUNDING * sizes.exchanged,
            _ => 0.0,
        };
        // Inside the first step nothing has been explained yet.
        let rounding = self.rounding.max(f64::EPSILON * self.start.abs());
        self.is_kept && self.error > FAR * (self.explained + rounding + worked)
    }

    /// And by a good part of what it is made of?
    fn is_gross(&self, sizes: Energies) -> bool {
        self.is_far(sizes) && self.error > GROSS * self.size(sizes)
    }

    fn size(&self, sizes: Energies) -> f64 {
        match self.kind {
            RecordKind::Energy => sizes.kinetic.unwrap_or(self.scale).max(sizes.exchanged),
            _ => self.scale,
        }
    }

    fn off(&self) -> String {
        let Watched { name, error, .. } = self;
        match self.kind {
            RecordKind::Energy => format!("the balance of energy is off by {error:.1e}"),
            RecordKind::Residual => format!("a constraint (`{name}`) is off by {error:.1e}"),
            _ => format!("`{name}`, which is conserved, has changed by {error:.1e}"),
        }
    }

    fn broken(&self, sizes: Energies) -> String {
        let (off, size) = (self.off(), self.size(sizes));
        let since = self
            .since
            .map_or(String::new(), |t| format!(" from t = {t} on"));
        format!(
            "{off}{since}, where it is made of {size:.1e}: the motion is wrong\n  help: try another ‹form› or \
             ‹method›, or end before it with ‹until›"
        )
    }
}

/// The part of the work that its sum may leave out.
fn unseen(tolerance: Tolerance) -> f64 {
    UNSEEN * tolerance.relative.max(tolerance.absolute)
}

/// At how many places Gauss's rule sums up the work along a step of a method, with the series that it follows, if any.
///
/// Steps of other methods are polynomials in time, and power is made of products of them. A series that reaches the part
/// r of its radius of convergence is analytic in an ellipse around the step, whose half axes add up to
/// ϱ = u + √(u² − 1) half steps with u = 2/r − 1; m places leave an error of ϱ^(−2m) (Trefethen 2013, Theorem 19.3).
pub(super) fn places(order: u32, series: Option<StepPolicy>) -> usize {
    let exact = order as usize / 2 + 2;
    let Some(series) = series else {
        return exact;
    };
    let u = 2.0 / series.reach() - 1.0;
    let half_axes = u + (u * u - 1.0).sqrt();
    let allowed = unseen(series.tolerance());
    let enough = (-allowed.ln() / (2.0 * half_axes.ln())).ceil();
    // Not a number where the tolerance is none.
    if enough >= 1.0 {
        exact.min(enough as usize)
    } else {
        exact
    }
}

/// The sign of a component at a step: it looks random and is the same in every run. None waits for another.
#[inline(always)]
fn sign(step: u64, component: usize) -> f64 {
    let both = (step.wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .wrapping_add((component as u64).wrapping_mul(0xd1b5_4a32_d192_ed03));
    let mixed = (both ^ both >> 32).wrapping_mul(6_364_136_223_846_793_005);
    f64::from_bits(mixed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_compile::{StartState, Variation};
    use rattleback_language::{Source, parse};
    use rattleback_mechanics::{Form, Problem};

    fn guard() -> Guard {
        let text = "system s\ncoord q\nlagrangian q'^2/2 - q^2/2\nstart q = 1\ntime 0 .. 1\n";
        let model = parse(&Source::new("model.mech", text)).model.unwrap();
        let problem = Problem::from_model(&model).unwrap();
        let system = &problem.system;
        let equations = system.equations(Form::Hamiltonian).unwrap();
        let start = StartState::of(&problem, system).unwrap();
        let variation = Variation::of_constants(&[]);
        let motion = Motion::new(&problem, system, &equations, &start, variation);
        Guard::new(&motion, &[], Some(Tolerance::both(1e-9))).unwrap()
    }

    #[test]
    fn looks_beside_a_motion_are_few_unless_its_steps_change() {
        let mut guard = guard();
        let (mut t, mut looks) = (0.0f64, Vec::new());
        for length in [0.1; 9].into_iter().chain([0.01, 0.01, 0.1]) {
            t += length;
            assert_eq!(guard.step(&[t, t.cos(), -t.sin()]), None);
            looks.extend(guard.looked.map(|(step, _)| step));
        }
        // The first step has no length that is known.
        assert_eq!(looks, [1, 2, 2, 2, 2, 6, 6, 6, 6, 10, 10, 12]);
        // |∇H · δx| is below |q δq| + |p δp| and adds up over all steps.
        let energy = &guard.watched[0];
        assert!(energy.explained > 1e-9 && energy.explained < 12.0 * 4e-9);
    }

    #[test]
    fn work_along_series_needs_few_places() {
        let series = |digits: i32, order| {
            StepPolicy::with_order(Tolerance::both(10f64.powi(-digits)), order)
        };
        assert_eq!(places(8, None), 6);
        assert_eq!(places(26, Some(series(8, 26))), 7);
        // Gauss's rule at these places, on a pole as near as the step size says.
        for (digits, order) in [(3, 4), (6, 12), (9, 18), (9, 26), (12, 24)] {
            let policy = series(digits, order);
            let h = policy.reach();
            for pole in [1.0, -1.0] {
                let nodes = gauss_legendre(places(order as u32, Some(policy)));
                let found: f64 = nodes.iter().map(|(x, w)| w / (pole - h * x)).sum();
                let exact = -(1.0 - h / pole).ln() / h;
                let error = (found - exact).abs() / 10f64.powi(-digits);
                assert!(error < 0.01, "{digits}, {order}: {error}");
            }
        }
    }

    #[test]
    fn signs_are_as_often_up_as_down() {
        let signs = (0..40).flat_map(|step| (0..40).map(move |k| sign(step, k).is_sign_negative()));
        let down = signs.filter(|is_down| *is_down).count();
        assert!((700..900).contains(&down), "{down}");
    }
}
