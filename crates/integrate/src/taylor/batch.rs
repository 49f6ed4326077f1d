//! The Taylor method for several members at once.

use super::defect::{LEAP, WITNESSES, defect, larger};
use super::horner::{mean_rate, rate};
use crate::batch::{BatchDop853, BatchField, BatchStepper, MemberError, Round, Span};
use crate::control::Tolerance;
use crate::simd::{Arithmetic, Block, LANES, Work, column, dispatch};
use crate::step_policy::StepPolicy;
use crate::stepper::{FEWEST_STEPS, longest_step};

/// A field of several members that can differentiate their motions.
pub trait BatchJets: BatchField {
    /// Writes the Taylor coefficients of all members for k = 0 ..= order, component i of x_k at
    /// `coefficients[k·n + i]`, and returns the mask of the lanes (bit `lane`) that have none.
    /// Numbers that are not finite are found by the caller.
    fn jets(
        &mut self,
        t: &[f64; LANES],
        x: &[Block],
        order: usize,
        coefficients: &mut [Block],
    ) -> u8;

    /// See [`Jets::may_turn`](crate::Jets::may_turn).
    fn may_turn(&self) -> bool {
        true
    }

    /// The mask of the lanes whose field may turn within a step of this length; see
    /// [`Jets::doubts`](crate::Jets::doubts).
    fn doubts(&mut self, _coefficients: &[Block], _steps: &Block) -> u8 {
        u8::MAX
    }
}

const ZERO: Block = [0.0; LANES];

/// What a lane is doing.
#[derive(Clone, Copy, Debug)]
struct Lane {
    is_resting: bool,
    end: f64,
    /// The longest step where the field may turn.
    longest: f64,
    /// The longest step, after one that the rates at its end did not confirm.
    limit: f64,
    /// The last step that was in order.
    trusted: f64,
    /// Whether the last trial from here met a state without rates.
    is_faulty: bool,
    failure: MemberError,
}

/// The Taylor method in every lane, each with its own time and step; see [`super::Taylor`]. Where a lane has no
/// series, DOP853 steps on, in this lane alone.
#[derive(Clone, Debug)]
pub struct BatchTaylor {
    policy: StepPolicy,
    lanes: [Lane; LANES],
    /// The times reached, and what rounding has left of them.
    t: Block,
    t_remainder: Block,
    /// The times at which the last steps began.
    begun: Block,
    /// The states reached, and what rounding has left of them.
    x: Vec<Block>,
    remainder: Vec<Block>,
    coefficients: Vec<Block>,
    /// Where the last steps began, with what rounding had left, and what holds at their ends.
    start: Vec<Block>,
    start_remainder: Vec<Block>,
    slope: Vec<Block>,
    rates: Vec<Block>,
    /// States inside the steps.
    inside: Vec<Block>,
    /// Where the field may turn, nothing that shows at this spacing is missed.
    spacing: f64,
    /// The lanes in whose last steps the field may turn.
    in_doubt: u8,
    /// Where there are no series, and the lanes whose last trial was one of its.
    rescue: BatchDop853,
    rescued: u8,
    /// One lane's state.
    column: Vec<f64>,
}

impl BatchTaylor {
    /// A stepper for this many state components.
    pub fn new(dimension: usize, tolerance: Tolerance) -> BatchTaylor {
        BatchTaylor::with_policy(dimension, StepPolicy::new(tolerance))
    }

    /// With an order and a tolerance of the caller's choice.
    pub fn with_policy(dimension: usize, policy: StepPolicy) -> BatchTaylor {
        let lane = Lane {
            is_resting: true,
            end: 0.0,
            longest: f64::INFINITY,
            limit: f64::INFINITY,
            trusted: 0.0,
            is_faulty: false,
            failure: MemberError::Fault,
        };
        BatchTaylor {
            policy,
            lanes: [lane; LANES],
            t: ZERO,
            t_remainder: ZERO,
            begun: ZERO,
            x: vec![ZERO; dimension],
            remainder: vec![ZERO; dimension],
            coefficients: vec![ZERO; dimension * (policy.order() + 1)],
            start: vec![ZERO; dimension],
            start_remainder: vec![ZERO; dimension],
            slope: vec![ZERO; dimension],
            rates: vec![ZERO; dimension],
            inside: vec![ZERO; dimension],
            spacing: f64::INFINITY,
            in_doubt: u8::MAX,
            rescue: BatchDop853::new(dimension, policy.tolerance()),
            rescued: 0,
            column: vec![0.0; dimension],
        }
    }

    /// Where the field may turn, misses nothing that shows at this spacing.
    pub fn spacing(mut self, spacing: f64) -> Self {
        self.spacing = spacing;
        self
    }

    /// The order and the step sizes.
    pub fn policy(&self) -> &StepPolicy {
        &self.policy
    }

    /// The lanes under way that have no series.
    fn lost(&self, failed: u8, lengths: Block) -> u8 {
        let is_lost = |l: &usize| {
            !self.lanes[*l].is_resting && (failed >> l & 1 == 1 || lengths[*l].is_nan())
        };
        mask(is_lost)
    }

    /// The step of each lane (0 for lanes that rest, fail or are lost), and what becomes of the lanes.
    fn choose(&mut self, lost: u8, turning: u8, lengths: Block) -> (Block, Round) {
        let mut steps = ZERO;
        let mut round = Round::default();
        for l in 0..LANES {
            let lane = &mut self.lanes[l];
            if lane.is_resting || lost >> l & 1 == 1 {
                continue;
            }
            let t = self.t[l];
            let rest = lane.end - t - self.t_remainder[l];
            let longest = if turning >> l & 1 == 1 {
                lane.longest
            } else {
                f64::INFINITY
            };
            let length = lengths[l].min(lane.limit).min(longest);
            let is_last = length >= rest.abs();
            let h = if is_last { rest } else { length.copysign(rest) };
            if !is_last && (t + h == t || h.abs() <= SHORTEST * t.abs()) {
                lane.failure = match lane.is_faulty {
                    true => MemberError::Fault,
                    false => MemberError::StepUnderflow { h },
                };
                round.failed |= 1 << l;
            } else {
                round.accepted |= 1 << l;
                steps[l] = h;
                self.begun[l] = t;
                if is_last {
                    self.t[l] = lane.end;
                    self.t_remainder[l] = 0.0;
                } else {
                    super::propagate::add(&mut self.t[l], &mut self.t_remainder[l], h);
                }
            }
        }
        (steps, round)
    }

    /// The lanes whose last coefficients cannot vouch for their steps.
    fn doubtful(&self, turning: u8, steps: Block) -> u8 {
        turning | mask(|l| steps[*l].abs() > LEAP * self.lanes[*l].trusted)
    }

    /// The lanes whose field may turn in steps of these lengths, as far as they may get.
    fn turning<F: BatchJets + ?Sized>(&self, field: &mut F, lengths: Block) -> u8 {
        let mut steps = lengths;
        for (l, lane) in self.lanes.iter().enumerate() {
            steps[l] = lengths[l].min(lane.limit).min((lane.end - self.t[l]).abs());
        }
        field.doubts(&self.coefficients, &steps)
    }

    /// Takes back the steps of doubtful lanes that the rates do not confirm, and returns these lanes.
    fn take_back<F: BatchJets + ?Sized>(
        &mut self,
        field: &mut F,
        steps: Block,
        t_remainder: Block,
        [doubtful, turning]: [u8; 2],
    ) -> u8 {
        let mut refuted = self.refuted(field, steps, 1.0, doubtful);
        for k in 1..WITNESSES {
            let left = doubtful & turning & !refuted;
            if left == 0 {
                break;
            }
            let share = f64::from(k) / f64::from(WITNESSES);
            refuted |= self.refuted(field, steps, share, left);
        }
        for l in (0..LANES).filter(|l| refuted >> l & 1 == 1) {
            self.lanes[l].limit = RETREAT * steps[l].abs();
            self.t[l] = self.begun[l];
            self.t_remainder[l] = t_remainder[l];
            for i in 0..self.x.len() {
                self.x[i][l] = self.start[i][l];
                self.remainder[i][l] = self.start_remainder[i][l];
            }
        }
        refuted
    }

    /// Those of the lanes that the rates after a share of the step do not confirm.
    fn refuted<F: BatchJets + ?Sized>(
        &mut self,
        field: &mut F,
        steps: Block,
        share: f64,
        lanes: u8,
    ) -> u8 {
        let defects = self.defects(field, steps, share);
        for l in (0..LANES).filter(|l| lanes >> l & 1 == 1) {
            self.lanes[l].is_faulty = defects[l].is_nan();
        }
        lanes & mask(|l| defects[*l].is_nan() || defects[*l] > 1.0)
    }

    /// What the polynomials miss of the rates after a share of the step, over what is allowed; not a number where
    /// there are no rates.
    fn defects<F: BatchJets + ?Sized>(&mut self, field: &mut F, steps: Block, share: f64) -> Block {
        let (mut tau, mut times) = (steps, self.t);
        if share < 1.0 {
            for l in (0..LANES).filter(|l| steps[*l] != 0.0) {
                tau[l] = share * steps[l];
                times[l] = self.begun[l] + tau[l];
            }
            self.inside.copy_from_slice(&self.start);
            self.slope.fill(ZERO);
            dispatch(Advance {
                coefficients: &self.coefficients,
                order: self.policy.order(),
                tau,
                x: &mut self.inside,
                // What rounding leaves does not matter here.
                remainder: &mut self.slope,
            });
        } else {
            self.inside.copy_from_slice(&self.x);
        }
        let failed = field.rates(&times, &self.inside, &mut self.rates);
        dispatch(Slopes {
            coefficients: &self.coefficients,
            order: self.policy.order(),
            tau,
            slope: &mut self.slope,
        });
        let mut defects = dispatch(Defects {
            tolerance: self.policy.tolerance(),
            steps,
            x: &self.inside,
            rates: &self.rates,
            slope: &self.slope,
        });
        for l in (0..LANES).filter(|l| failed >> l & 1 == 1) {
            defects[l] = f64::NAN;
        }
        defects
    }

    /// Tries a step of DOP853 in the lanes that are lost.
    fn rescue<F: BatchField + ?Sized>(&mut self, field: &mut F, lost: u8) -> Round {
        let rescue: &mut dyn BatchStepper<F> = &mut self.rescue;
        for l in 0..LANES {
            let (is_lost, was_lost) = (lost >> l & 1 == 1, self.rescued >> l & 1 == 1);
            if !is_lost || !was_lost {
                let span = Span {
                    start: self.t[l],
                    end: self.lanes[l].end,
                };
                column(&self.x, l, &mut self.column);
                rescue.load(l, span, &self.column);
            }
            if !is_lost {
                rescue.rest(l);
            }
        }
        let round = rescue.advance(field);
        for (l, lane) in self.lanes.iter_mut().enumerate() {
            if round.failed >> l & 1 == 1 {
                lane.failure = rescue.failure(l);
            }
            if round.accepted >> l & 1 == 1 {
                (self.t[l], self.t_remainder[l]) = (rescue.time(l), 0.0);
                rescue.state(l, &mut self.column);
                put(&self.column, l, &mut self.x, &mut self.remainder);
                (lane.limit, lane.is_faulty) = (f64::INFINITY, false);
            }
        }
        round
    }
}

/// A step that was taken back, over the next one.
const RETREAT: f64 = 0.4;
/// The shortest step that is worth its while, over the time.
const SHORTEST: f64 = 4.0 * f64::EPSILON;

/// The lanes of which this is true.
fn mask(is_true: impl Fn(&usize) -> bool) -> u8 {
    (0..LANES).filter(is_true).fold(0, |mask, l| mask | 1 << l)
}

/// Puts a state into a lane, with nothing left from rounding.
fn put(x: &[f64], lane: usize, blocks: &mut [Block], remainders: &mut [Block]) {
    for ((block, remainder), x) in blocks.iter_mut().zip(remainders).zip(x) {
        block[lane] = *x;
        remainder[lane] = 0.0;
    }
}

impl<F: BatchJets + ?Sized> BatchStepper<F> for BatchTaylor {
    fn load(&mut self, lane: usize, span: Span, x: &[f64]) {
        self.t[lane] = span.start;
        self.t_remainder[lane] = 0.0;
        self.rescued &= !(1 << lane);
        BatchStepper::<F>::replace(self, lane, x);
        self.lanes[lane].is_resting = false;
        self.lanes[lane].end = span.end;
        let longest = longest_step(FEWEST_STEPS, span.end - span.start, self.spacing);
        self.lanes[lane].longest = longest;
        self.lanes[lane].limit = f64::INFINITY;
        self.lanes[lane].trusted = 0.0;
        self.lanes[lane].is_faulty = false;
    }

    fn rest(&mut self, lane: usize) {
        self.lanes[lane].is_resting = true;
    }

    fn advance(&mut self, field: &mut F) -> Round {
        let order = self.policy.order();
        let failed = field.jets(&self.t, &self.x, order, &mut self.coefficients);
        let lengths = dispatch(Lengths {
            policy: &self.policy,
            coefficients: &self.coefficients,
            dimension: self.x.len(),
        });
        let t_remainder = self.t_remainder;
        self.start.copy_from_slice(&self.x);
        self.start_remainder.copy_from_slice(&self.remainder);
        let lost = self.lost(failed, lengths);
        let turns = if field.may_turn() { u8::MAX } else { 0 };
        let bold = self.turning(field, lengths);
        let (steps, mut round) = self.choose(lost, bold & turns, lengths);
        // Shorter steps may be in no doubt.
        self.in_doubt = match bold {
            0 => 0,
            _ => field.doubts(&self.coefficients, &steps),
        };
        let turning = self.in_doubt & turns;
        dispatch(Advance {
            coefficients: &self.coefficients,
            order,
            tau: steps,
            x: &mut self.x,
            remainder: &mut self.remainder,
        });
        let doubtful = round.accepted & self.doubtful(turning, steps);
        if doubtful != 0 {
            let asked = [doubtful, turning];
            round.accepted &= !self.take_back(field, steps, t_remainder, asked);
        }
        for l in (0..LANES).filter(|l| round.accepted >> l & 1 == 1) {
            let lane = &mut self.lanes[l];
            lane.trusted = steps[l].abs();
            (lane.limit, lane.is_faulty) = (f64::INFINITY, false);
        }
        if lost != 0 {
            let rescued = self.rescue(field, lost);
            round.accepted |= rescued.accepted;
            round.failed |= rescued.failed;
        }
        self.rescued = lost;
        round
    }

    fn time(&self, lane: usize) -> f64 {
        self.t[lane]
    }

    fn state(&self, lane: usize, x: &mut [f64]) {
        column(&self.x, lane, x);
    }

    fn replace(&mut self, lane: usize, x: &[f64]) {
        put(x, lane, &mut self.x, &mut self.remainder);
        if self.rescued >> lane & 1 == 1 {
            BatchStepper::<F>::replace(&mut self.rescue, lane, x);
        }
    }

    fn interpolate(&mut self, field: &mut F, lane: usize, t: f64, x: &mut [f64]) -> bool {
        if self.rescued >> lane & 1 == 1 {
            return self.rescue.interpolate(field, lane, t, x);
        }
        dispatch(Within {
            coefficients: &self.coefficients,
            order: self.policy.order(),
            tau: t - self.begun[lane],
            lane,
            x,
        });
        true
    }

    fn ways(&self, lane: usize, ways: &mut [f64]) -> bool {
        if self.rescued >> lane & 1 == 1 {
            return BatchStepper::<F>::ways(&self.rescue, lane, ways);
        }
        let (n, tau) = (self.x.len(), (self.t[lane] - self.begun[lane]).abs());
        for (i, way) in ways.iter_mut().enumerate() {
            let column = self.coefficients[n + i..].iter().step_by(n);
            *way = column
                .rev()
                .fold(0.0, |sum, row| (sum + row[lane].abs()) * tau);
        }
        true
    }

    fn vouches(&self, lane: usize) -> bool {
        (self.in_doubt | self.rescued) >> lane & 1 == 0
    }

    fn failure(&self, lane: usize) -> MemberError {
        self.lanes[lane].failure
    }
}

/// The step that each lane's last coefficients allow; NaN where they are not finite.
struct Lengths<'a> {
    policy: &'a StepPolicy,
    coefficients: &'a [Block],
    dimension: usize,
}

impl Work for Lengths<'_> {
    type Output = Block;

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> Block {
        let (n, order) = (self.dimension, self.policy.order());
        let row = |k: usize| &self.coefficients[k * n..(k + 1) * n];
        let (start, last, before) = (row(0), row(order), row(order - 1));
        let [absolute, relative] = self.policy.units();
        let mut largest = [ZERO; 2];
        // Comparisons lose what is not a number, a sum does not.
        let mut sums = ZERO;
        for i in 0..n {
            for l in 0..LANES {
                let unit = 1.0 / A::multiply_add(relative, start[i][l].abs(), absolute);
                let sizes = [last[i][l].abs() * unit, before[i][l].abs() * unit];
                for (largest, size) in largest.iter_mut().zip(sizes) {
                    largest[l] = if size <= largest[l] { largest[l] } else { size };
                    sums[l] += size;
                }
            }
        }
        let mut lengths = ZERO;
        for l in 0..LANES {
            let length = self.policy.step(largest[0][l], largest[1][l]);
            let is_finite = sums[l] < f64::INFINITY;
            lengths[l] = if is_finite { length } else { f64::NAN };
        }
        lengths
    }
}

/// Moves the lanes along their polynomials.
struct Advance<'a> {
    coefficients: &'a [Block],
    order: usize,
    tau: Block,
    x: &'a mut [Block],
    remainder: &'a mut [Block],
}

impl Work for Advance<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let n = self.x.len();
        let tau = self.tau;
        for i in 0..n {
            let row = |k: usize| self.coefficients[k * n + i];
            let mean = mean_rate::<A>(self.order, tau, row);
            let (mut x, mut remainder) = (self.x[i], self.remainder[i]);
            for l in 0..LANES {
                // A lane that stays where it is may have coefficients that are not finite.
                let change = if tau[l] == 0.0 { 0.0 } else { mean[l] * tau[l] };
                super::propagate::add(&mut x[l], &mut remainder[l], change);
            }
            (self.x[i], self.remainder[i]) = (x, remainder);
        }
    }
}

/// The state of one lane inside its step. All lanes are worked out: their coefficients stand side by side.
struct Within<'a> {
    coefficients: &'a [Block],
    order: usize,
    tau: f64,
    lane: usize,
    x: &'a mut [f64],
}

impl Work for Within<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let n = self.x.len();
        for i in 0..n {
            let row = |k: usize| self.coefficients[k * n + i];
            let mean = mean_rate::<A>(self.order, [self.tau; LANES], row);
            self.x[i] = row(0)[self.lane] + mean[self.lane] * self.tau;
        }
    }
}

/// The rates at the ends of the steps as the polynomials have them.
struct Slopes<'a> {
    coefficients: &'a [Block],
    order: usize,
    tau: Block,
    slope: &'a mut [Block],
}

impl Work for Slopes<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let n = self.slope.len();
        for i in 0..n {
            let row = |k: usize| self.coefficients[k * n + i];
            self.slope[i] = rate::<A>(self.order, self.tau, row);
        }
    }
}

/// What the polynomials miss of the rates at the ends of the steps, over what is allowed.
struct Defects<'a> {
    tolerance: Tolerance,
    steps: Block,
    x: &'a [Block],
    rates: &'a [Block],
    slope: &'a [Block],
}

impl Work for Defects<'_> {
    type Output = Block;

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> Block {
        let (mut biggest, mut defects) = (ZERO, ZERO);
        for (x, f) in self.x.iter().zip(self.rates) {
            for l in 0..LANES {
                biggest[l] = larger(biggest[l], x[l].abs() + (self.steps[l] * f[l]).abs());
            }
        }
        for i in 0..self.x.len() {
            for l in 0..LANES {
                let values = [self.slope[i][l], self.rates[i][l], self.x[i][l]];
                let here = defect(self.tolerance, self.steps[l], values, biggest[l]);
                defects[l] = larger(defects[l], here);
            }
        }
        defects
    }
}
