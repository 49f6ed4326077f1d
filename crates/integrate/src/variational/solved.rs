//! Steps that solve equations: found from the steps before them, on the branch that short steps are on.

use super::factors::{Factors, NEAR, Volume};
use super::rank::Rank;
use super::stepper::StepMap;
use crate::convergence::{
    Convergence, MAX_ITERATIONS, SMALLEST_PART, Verdict, larger, relative_size,
};
use crate::field::Fault;
use crate::tolerance::SAME_TIME;
use rattleback_numeric::copy_few;

/// The equations r(t, x, h; u) = 0 of a step and the state that their solution leads to. For h → 0 the solution is u = 0.
pub trait StepEquations {
    /// The number of state components.
    fn dimension(&self) -> usize;

    /// The number of unknowns.
    fn unknowns(&self) -> usize;

    /// So many of the unknowns, the first, are velocities; the others follow them linearly.
    fn velocities(&self) -> usize;

    /// So many constraints act on the velocities.
    fn constraints(&self) -> usize {
        0
    }

    /// Writes the forms of the constraints by rows: those where they hold in the step, then those at its end.
    fn forms(&mut self, _u: &[f64], _forms: &mut [f64]) -> Result<(), Fault> {
        Ok(())
    }

    /// Takes the numbers that differ between motions, or between stretches of one.
    fn give(&mut self, _given: &[f64]) {}

    /// Takes the step that the calls after it are about.
    fn set(&mut self, t: f64, x: &[f64], h: f64);

    /// Writes r, and behind it the velocities that the unknown ones are counted from.
    fn residual(&mut self, u: &[f64], residual: &mut [f64]) -> Result<(), Fault>;

    /// Writes ∂r/∂u by rows, and behind it what [`residual`](Self::residual) writes.
    fn linearized(&mut self, u: &[f64], linearized: &mut [f64]) -> Result<(), Fault>;

    /// Writes the state at the end of the step.
    fn land(&mut self, u: &[f64], next: &mut [f64]) -> Result<(), Fault>;
}

/// The second correction of an iteration without new factors is at most this part of the first: then the solution is the
/// only one around the guess (Newton and Kantorovich: |J₀⁻¹r(u₁)| ≤ |u₁ − u₀|/4).
const CALM: f64 = 0.25;
/// A first correction below this part of the velocities is at the solution, and may be noise in velocities near zero.
const AT_ONCE: f64 = 1e-7;
/// Corrections below this part say nothing about the factors.
const ROUND_OFF: f64 = 1e-12;
/// A correction of this part of the velocities is not seen any more.
const UNSEEN: f64 = 1.4e-17;
/// Factors are kept for the next step while corrections shrink to this part with old ones, or new ones differ from those
/// before them by no more,
const KEPT: f64 = 1e-4;
/// and for the next correction while they shrink to this one.
const SLOW: f64 = 0.03;
/// A step of this part is so short that nothing happens in it; the solution is followed in parts that are not shorter.
const SHORT: f64 = 1.0 / 1_048_576.0;
/// A pivot above this part of what it was may be small without vanishing.
const SMALL: f64 = 1.0 / 64.0;
/// The first part that is tried: the only solution around rest need not be that of shorter steps.
const FIRST_PART: f64 = 1.0 / 16.0;
/// So many steps are extrapolated.
const REMEMBERED: usize = 4;

/// A map whose steps solve equations, by Newton's method with the factors kept while they serve.
///
/// The equations may have several solutions. The one that belongs to the motion goes over into rest as the step is
/// shortened, and ∂r/∂u is regular on the way. It is followed from short steps where a motion begins; from step to step it
/// is the one around the extrapolated guess, as long as the iteration contracts at once and the volume of ∂r/∂u changes
/// little. Where either fails, it is followed from short steps again, and where it ends (in a fold, or at infinity) the
/// step is too long.
#[derive(Clone, Debug)]
pub struct SolvedMap<E> {
    equations: E,
    u: Vec<f64>,
    guess: Vec<f64>,
    correction: Vec<f64>,
    /// ∂r/∂u, r, and the velocities that the first unknowns are counted from.
    values: Vec<f64>,
    factors: Factors,
    /// Those of a shorter step.
    before: Factors,
    /// The length of the steps that the factors serve.
    factored_for: Option<f64>,
    /// The volume of ∂r/∂u on the branch of the motion, per length of the step where rows grow with it,
    volume: Volume,
    /// as those of constraints on positions do, so many of them.
    growing: Vec<bool>,
    lengths: usize,
    /// How much the rows have grown since a shorter step.
    growth: Vec<f64>,
    /// The rank of the constraints, beside that in a step so short that nothing happens in it.
    rank: Rank,
    past: Past,
    /// Velocities that move nothing in the step at hand, but by rounding.
    unseen: f64,
    evaluations: u64,
}

/// Which factors of ∂r/∂u an iteration works with.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Slopes {
    /// Those that there are.
    Kept,
    /// New ones, in the units of those before them.
    Renewed,
    /// New ones of another step, in units of their own.
    OfStep,
}

/// How an iteration ended.
enum Ending {
    /// At the only solution around; the slowest contraction on the way.
    Calm(f64),
    /// Elsewhere or nowhere.
    Unsure,
}

impl<E: StepEquations> SolvedMap<E> {
    /// The map of these equations.
    pub fn new(equations: E) -> Self {
        let (n, velocities) = (equations.unknowns(), equations.velocities());
        Self {
            u: vec![0.0; n],
            guess: vec![0.0; n],
            correction: vec![0.0; n],
            values: vec![0.0; n * n + n + velocities],
            factors: Factors::new(n),
            before: Factors::new(n),
            factored_for: None,
            volume: Volume::ONE,
            growing: vec![false; n],
            lengths: 0,
            growth: vec![1.0; n],
            rank: Rank::new(equations.constraints(), velocities),
            past: Past::new(n),
            unseen: 0.0,
            evaluations: 0,
            equations,
        }
    }

    /// Takes a step to be solved.
    fn set(&mut self, t: f64, x: &[f64], h: f64) {
        self.equations.set(t, x, h);
        let size = x.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        self.unseen = f64::EPSILON * size / h.abs();
    }

    /// Finds the unknowns of a step.
    fn solve(&mut self, t: f64, x: &[f64], h: f64) -> Result<(), Fault> {
        self.set(t, x, h);
        let found = self.past.extrapolate(t, h, &mut self.guess) && self.is_found(h);
        if !found {
            self.factored_for = None;
            self.follow(t, x, h)?;
            self.volume = self.volume_for(h);
        }
        Ok(())
    }

    /// The volume at hand per length h of the step.
    fn volume_for(&self, h: f64) -> Volume {
        self.factors.volume().without(h, self.lengths)
    }

    /// Does the iteration from the guess find the solution on the branch of the step before, with the old factors or with
    /// new ones?
    fn is_found(&mut self, h: f64) -> bool {
        let old = self.factored_for == Some(h);
        let slopes = if old { Slopes::Kept } else { Slopes::Renewed };
        let ending = match self.iterate(slopes) {
            Ok(Ending::Unsure) | Err(_) if old => self.iterate(Slopes::Renewed),
            ending => ending,
        };
        let Ok(Ending::Calm(contraction)) = ending else {
            return false;
        };
        let volume = self.volume_for(h);
        let change = volume.change(self.volume);
        self.factored_for = (contraction.max(change) <= KEPT).then_some(h);
        self.volume = volume;
        change <= NEAR
    }

    /// u ← u − J⁻¹ r(u) from the guess, until corrections are not seen any more or are round-off.
    fn iterate(&mut self, slopes: Slopes) -> Result<Ending, Fault> {
        copy_few(&self.guess, &mut self.u);
        self.evaluate(slopes)?;
        let mut convergence = Convergence::new(1.0);
        let (mut last, mut slowest) = (self.correct(), 0.0f64);
        convergence.judge(last);
        for k in 1..MAX_ITERATIONS {
            if last == 0.0 || k == 1 && self.rests() {
                return Ok(Ending::Calm(slowest));
            }
            let is_slow = k > 1 && slowest > SLOW;
            self.evaluate(if is_slow {
                Slopes::Renewed
            } else {
                Slopes::Kept
            })?;
            let size = self.correct();
            let contraction = size / last;
            if k == 1 && !(contraction <= CALM || last <= AT_ONCE) {
                return Ok(Ending::Unsure);
            }
            if size > ROUND_OFF {
                slowest = slowest.max(contraction);
            }
            match convergence.judge(size) {
                Verdict::Stalled => return Ok(Ending::Unsure),
                Verdict::Converged => return Ok(Ending::Calm(slowest)),
                // What the next correction would be.
                Verdict::Onward if contraction * size <= UNSEEN => {
                    return Ok(Ending::Calm(slowest));
                }
                Verdict::Onward => last = size,
            }
        }
        Ok(Ending::Unsure)
    }

    /// Does nothing move, before the correction at hand and after it? Then the solution is rest, and rounding about it says
    /// nothing.
    fn rests(&self) -> bool {
        let n = self.u.len();
        let from = &self.values[n * n + n..];
        let all = self.u.iter().zip(&self.correction).zip(from);
        all.into_iter()
            .all(|((u, c), v)| u.abs().max(c.abs()).max(v.abs()) <= self.unseen)
    }

    /// r at u, with these factors of its derivative.
    fn evaluate(&mut self, slopes: Slopes) -> Result<(), Fault> {
        self.evaluations += 1;
        let n = self.u.len();
        if slopes == Slopes::Kept {
            return self.equations.residual(&self.u, &mut self.values[n * n..]);
        }
        self.equations.linearized(&self.u, &mut self.values)?;
        let matrix = &self.values[..n * n];
        let found = match slopes {
            Slopes::OfStep => self.factors.factor(matrix),
            _ => self.factors.refactor(matrix),
        };
        Ok(found?)
    }

    /// Applies the correction of the residual at hand and returns its size beside the velocities.
    #[inline]
    fn correct(&mut self) -> f64 {
        let n = self.u.len();
        let (residual, from) = self.values[n * n..].split_at(n);
        self.factors.solve(residual, &mut self.correction);
        let speed = |u: f64, v: f64| u.abs().max(v.abs());
        let velocities = self.u.iter().zip(from);
        let fastest = velocities.fold(0.0f64, |m, (u, v)| m.max(speed(*u, *v)));
        let least = SMALLEST_PART * fastest;
        let mut size = 0.0;
        for ((u, c), v) in self.u.iter_mut().zip(&self.correction).zip(from) {
            let before = speed(*u, *v);
            *u -= c;
            size = larger(size, relative_size(*c, u.abs().max(before).max(least)));
        }
        let others = self.u.iter_mut().zip(&self.correction).skip(from.len());
        others.for_each(|(u, c)| *u -= c);
        size
    }

    /// Linearises at rest for a step so short that nothing happens in it, and finds out which rows grow with it.
    fn begin(&mut self, t: f64, x: &[f64], h: f64) -> Result<(), Fault> {
        self.u.fill(0.0);
        self.set(t, x, SHORT / 2.0 * h);
        self.evaluate(Slopes::OfStep)?;
        std::mem::swap(&mut self.factors, &mut self.before);
        self.set(t, x, SHORT * h);
        self.evaluate(Slopes::OfStep)?;
        for (i, grows) in self.growing.iter_mut().enumerate() {
            *grows = self.factors.row_size(i) > 1.5 * self.before.row_size(i);
        }
        self.lengths = self.growing.iter().filter(|grows| **grows).count();
        self.equations.forms(&self.u, self.rank.forms())?;
        self.rank.begin();
        Ok(())
    }

    /// What ends the branch of the step of length h behind a part of it, where the unknowns are these. The end is known to
    /// SHORT: what vanishes there like a root of the rest of the way has come to such a part.
    fn ending(&mut self, (t, x, h): (f64, &[f64], f64), done: f64, known: &[f64]) -> Fault {
        self.set(t, x, done * h);
        let vanished = 2.0 * (SHORT / done).sqrt();
        match vanished <= SMALL && self.is_rank_lost(known, vanished) {
            true => Fault::ConstraintsLost,
            false => Fault::LongStep,
        }
    }

    /// Have the constraints, where these unknowns lead, so small a part of their rank in a short step?
    fn is_rank_lost(&mut self, u: &[f64], part: f64) -> bool {
        let found = self
            .rank
            .is_of_any()
            .then(|| self.equations.forms(u, self.rank.forms()));
        found.is_some_and(|found| found.is_ok() && self.rank.is_lost(part))
    }

    /// Lands where the unknowns lead. On constraints without their rank no velocity is determined: the square of their
    /// smallest pivot is one of the landing, and has vanished there.
    fn land(&mut self, (t, x, h): (f64, &[f64], f64), next: &mut [f64]) -> Result<(), Fault> {
        self.evaluations += 1;
        let landed = self.equations.land(&self.u, next);
        if landed != Err(Fault::Singular) || !self.rank.is_of_any() {
            return landed;
        }
        let u = std::mem::take(&mut self.u);
        self.set(t, x, SHORT * h);
        let begun = self.equations.forms(&vec![0.0; u.len()], self.rank.forms());
        self.rank.begin();
        self.set(t, x, h);
        let is_lost = begun.is_ok() && self.is_rank_lost(&u, f64::EPSILON.sqrt());
        self.u = u;
        Err(if is_lost {
            Fault::ConstraintsLost
        } else {
            Fault::Singular
        })
    }

    /// Follows the solution from short steps to that of length h.
    fn follow(&mut self, t: f64, x: &[f64], h: f64) -> Result<(), Fault> {
        self.begin(t, x, h)?;
        let (mut done, mut part) = (SHORT, FIRST_PART);
        let mut known = vec![0.0; self.u.len()];
        while done < 1.0 {
            std::mem::swap(&mut self.factors, &mut self.before);
            let reach = f64::min(done + part, 1.0);
            self.set(t, x, reach * h);
            // Unknowns grow with the length in the beginning.
            for (guess, known) in self.guess.iter_mut().zip(&known) {
                *guess = reach / done * known;
            }
            for (growth, grows) in self.growth.iter_mut().zip(&self.growing) {
                *growth = if *grows { reach / done } else { 1.0 };
            }
            let calm = matches!(self.iterate(Slopes::OfStep), Ok(Ending::Calm(_)));
            let n = self.u.len();
            let matrix = &self.values[..n * n];
            if calm && self.factors.are_near(matrix, &self.before, &self.growth) {
                done = reach;
                part *= 2.0;
                known.copy_from_slice(&self.u);
                continue;
            }
            if part <= SHORT {
                return Err(self.ending((t, x, h), done, &known));
            }
            part /= 2.0;
            std::mem::swap(&mut self.factors, &mut self.before);
        }
        Ok(())
    }
}

impl<E: StepEquations> StepMap for SolvedMap<E> {
    fn dimension(&self) -> usize {
        self.equations.dimension()
    }

    fn advance(&mut self, t: f64, x: &[f64], h: f64, next: &mut [f64]) -> Result<(), Fault> {
        if h == 0.0 {
            next.copy_from_slice(x);
            return Ok(());
        }
        self.solve(t, x, h)?;
        self.past.remember(t, h, &self.u);
        self.land((t, x, h), next)
    }

    fn give(&mut self, given: &[f64]) {
        self.equations.give(given);
    }

    fn restart(&mut self) {
        self.past.count = 0;
        self.factored_for = None;
    }

    fn evaluations(&self) -> u64 {
        self.evaluations
    }
}

/// The solutions of the last steps, by their backward differences: the newest, less the one before it, ….
#[derive(Clone, Debug)]
struct Past {
    differences: Vec<[f64; REMEMBERED]>,
    count: usize,
    /// The step that was taken last.
    t: f64,
    h: f64,
}

impl Past {
    fn new(unknowns: usize) -> Self {
        Self {
            differences: vec![[0.0; REMEMBERED]; unknowns],
            count: 0,
            t: 0.0,
            h: 0.0,
        }
    }

    /// Writes the polynomial through the last solutions at the next step, or a part of the last one inside it; false where
    /// this step is another.
    fn extrapolate(&self, t: f64, h: f64, guess: &mut [f64]) -> bool {
        let all = guess.iter_mut().zip(&self.differences);
        if self.count > 0 && self.is_inside(t) {
            let part = h / self.h;
            all.for_each(|(g, d)| *g = part * d[0]);
            return true;
        }
        if self.count == 0 || !self.goes_on(t, h) {
            return false;
        }
        all.for_each(|(g, d)| *g = d.iter().sum());
        true
    }

    /// A look inside the last step is not the next one.
    fn remember(&mut self, t: f64, h: f64, solution: &[f64]) {
        if self.count > 0 && self.is_inside(t) {
            return;
        }
        if self.count > 0 && !self.goes_on(t, h) {
            self.count = 0;
        }
        // Differences to solutions that there are not count as zero.
        self.count = (self.count + 1).min(REMEMBERED);
        for (known, u) in self.differences.iter_mut().zip(solution) {
            let mut newer = [0.0; REMEMBERED];
            newer[0] = *u;
            for k in 1..self.count {
                newer[k] = newer[k - 1] - known[k - 1];
            }
            *known = newer;
        }
        (self.t, self.h) = (t, h);
    }

    fn is_inside(&self, t: f64) -> bool {
        t == self.t
    }

    fn goes_on(&self, t: f64, h: f64) -> bool {
        let same = |a: f64, b: f64| (a - b).abs() <= SAME_TIME * self.h.abs();
        same(t, self.t + self.h) && same(h, self.h)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The midpoint rule for x'' = a x^n: v_m − v = (h/2) a (x + h v_m/2)^n with v_m = v + u.
    #[derive(Clone)]
    struct Power {
        a: f64,
        n: i32,
        at: (f64, f64, f64),
    }

    impl Power {
        fn force(&self, u: f64) -> (f64, f64) {
            let (x, v, h) = self.at;
            let middle = x + h / 2.0 * (v + u);
            let n = self.n;
            (
                self.a * middle.powi(n),
                self.a * f64::from(n) * middle.powi(n - 1) * h / 2.0,
            )
        }
    }

    impl StepEquations for Power {
        fn dimension(&self) -> usize {
            2
        }
        fn unknowns(&self) -> usize {
            1
        }
        fn velocities(&self) -> usize {
            1
        }
        fn set(&mut self, _: f64, x: &[f64], h: f64) {
            self.at = (x[0], x[1], h);
        }
        fn residual(&mut self, u: &[f64], residual: &mut [f64]) -> Result<(), Fault> {
            let (_, v, h) = self.at;
            residual.copy_from_slice(&[u[0] - h / 2.0 * self.force(u[0]).0, v]);
            Ok(())
        }
        fn linearized(&mut self, u: &[f64], linearized: &mut [f64]) -> Result<(), Fault> {
            linearized[0] = 1.0 - self.at.2 / 2.0 * self.force(u[0]).1;
            self.residual(u, &mut linearized[1..])
        }
        fn land(&mut self, u: &[f64], next: &mut [f64]) -> Result<(), Fault> {
            let (x, v, h) = self.at;
            next.copy_from_slice(&[x + h * (v + u[0]), v + 2.0 * u[0]]);
            Ok(())
        }
    }

    fn map(a: f64, n: i32) -> SolvedMap<Power> {
        SolvedMap::new(Power {
            a,
            n,
            at: (0.0, 0.0, 0.0),
        })
    }

    #[test]
    fn a_step_beyond_the_fold_is_too_long() {
        // From rest at 1 the midpoint m solves m = 1 + h² m³, which has its fold at m = 3/2, h² = 4/27; beyond it there
        // is a solution far below zero.
        let fold = (4.0f64 / 27.0).sqrt();
        let mut next = [0.0; 2];
        for part in [0.1, 0.5, 0.9, 0.99, 0.999] {
            let h = part * fold;
            map(4.0, 3).advance(0.0, &[1.0, 0.0], h, &mut next).unwrap();
            let middle = (1.0 + next[0]) / 2.0;
            assert!((middle - 1.0 - h * h * middle.powi(3)).abs() < 1e-14);
            assert!(middle > 1.0 && middle < 1.5, "{part}: {middle}");
        }
        for part in [1.001, 1.1, 2.0, 10.0] {
            let found = map(4.0, 3).advance(0.0, &[1.0, 0.0], part * fold, &mut next);
            assert_eq!(found, Err(Fault::LongStep), "{part}");
        }
    }

    #[test]
    fn a_step_beyond_a_pole_is_too_long() {
        // x'' = x: the midpoint is x/(1 − h²/4) from rest, on the other side of zero for h > 2.
        let mut next = [0.0; 2];
        let mut step = |h: f64| map(1.0, 1).advance(0.0, &[1.0, 0.0], h, &mut next);
        for h in [0.1, 1.0, 1.9, 1.99] {
            assert_eq!(step(h), Ok(()), "{h}");
        }
        for h in [2.01, 2.8, 3.0, 14.0, 100.0] {
            assert_eq!(step(h), Err(Fault::LongStep), "{h}");
        }
    }

    #[test]
    fn long_steps_with_one_solution_are_taken() {
        let mut next = [0.0; 2];
        for h in [0.1, 1.0, 10.0, 1000.0] {
            map(-4.0, 3)
                .advance(0.0, &[1.0, 0.0], h, &mut next)
                .unwrap();
            let middle = (1.0 + next[0]) / 2.0;
            assert!((middle - 1.0 + h * h * middle.powi(3)).abs() < 1e-12, "{h}");
        }
    }

    /// The midpoint rule for a falling point on x²y = y³, from (x, x) with a velocity along the line x = y.
    #[derive(Clone)]
    struct Cusp {
        at: (f64, f64, f64),
    }

    impl Cusp {
        fn normal(x: f64, y: f64) -> [f64; 2] {
            [2.0 * x * y, x * x - 3.0 * y * y]
        }
    }

    impl StepEquations for Cusp {
        fn dimension(&self) -> usize {
            2
        }
        fn unknowns(&self) -> usize {
            3
        }
        fn velocities(&self) -> usize {
            2
        }
        fn constraints(&self) -> usize {
            1
        }
        fn forms(&mut self, u: &[f64], forms: &mut [f64]) -> Result<(), Fault> {
            let (q, v, h) = self.at;
            let held = Self::normal(q + h * (v + u[0]), q + h * (v + u[1]));
            forms.copy_from_slice(&[held, held].concat());
            Ok(())
        }
        fn set(&mut self, _: f64, x: &[f64], h: f64) {
            self.at = (x[0], x[1], h);
        }
        fn residual(&mut self, u: &[f64], residual: &mut [f64]) -> Result<(), Fault> {
            let (q, v, h) = self.at;
            let push = Self::normal(q, q);
            let (x, y) = (q + h * (v + u[0]), q + h * (v + u[1]));
            residual.copy_from_slice(&[
                u[0] - push[0] * u[2],
                u[1] + h / 2.0 - push[1] * u[2],
                x * x * y - y * y * y,
                v,
                v,
            ]);
            Ok(())
        }
        fn linearized(&mut self, u: &[f64], linearized: &mut [f64]) -> Result<(), Fault> {
            let (q, v, h) = self.at;
            let push = Self::normal(q, q);
            let held = Self::normal(q + h * (v + u[0]), q + h * (v + u[1]));
            let matrix = [
                1.0,
                0.0,
                -push[0],
                0.0,
                1.0,
                -push[1],
                h * held[0],
                h * held[1],
                0.0,
            ];
            linearized[..9].copy_from_slice(&matrix);
            self.residual(u, &mut linearized[9..])
        }
        fn land(&mut self, u: &[f64], next: &mut [f64]) -> Result<(), Fault> {
            let (q, v, h) = self.at;
            next.copy_from_slice(&[q + h * (v + u[0]), v + u[0]]);
            Ok(())
        }
    }

    #[test]
    fn constraints_that_lose_their_rank_are_no_long_steps() {
        let mut next = [0.0; 2];
        let mut step = |h: f64| {
            let mut map = SolvedMap::new(Cusp {
                at: (0.0, 0.0, 0.0),
            });
            map.advance(0.0, &[0.1775, -1.35], h, &mut next)
        };
        for h in [0.02, 0.09, 0.1, 0.12] {
            assert_eq!(step(h), Ok(()), "{h}");
        }
        for h in [0.13, 0.14, 0.2, 1.0] {
            assert_eq!(step(h), Err(Fault::ConstraintsLost), "{h}");
        }
    }

    #[test]
    fn steps_before_make_steps_cheap() {
        let mut map = map(-1.0, 1);
        let (mut x, mut next) = ([1.0, 0.0], [0.0; 2]);
        for k in 0..1000 {
            map.advance(0.01 * f64::from(k), &x, 0.01, &mut next)
                .unwrap();
            x = next;
        }
        // Equations that are linear: a correction, one that shows that it was right, and the landing; the first step is
        // followed from short ones.
        assert!(map.evaluations() <= 3 * 1000 + 20, "{}", map.evaluations());
        // The midpoint rule turns by 2 atan(h/2).
        let turned = 1000.0 * 2.0 * 0.005f64.atan();
        assert!((x[0] - turned.cos()).abs() < 1e-12);
    }

    #[test]
    fn looks_inside_leave_the_way_alone() {
        let follow = |looks: &[f64]| {
            let mut map = map(-2.0, 3);
            let (mut x, mut next, mut seen) = ([1.0, 0.3], [0.0; 2], [0.0; 2]);
            for k in 0..50 {
                let t = 0.1 * f64::from(k);
                map.advance(t, &x, 0.1, &mut next).unwrap();
                for part in looks {
                    map.advance(t, &x, 0.1 * part, &mut seen).unwrap();
                }
                x = next;
            }
            x
        };
        let (plain, looked) = (follow(&[]), follow(&[0.0, 0.3, 0.9]));
        assert!((plain[0] - looked[0]).abs() < 1e-13);
    }
}
