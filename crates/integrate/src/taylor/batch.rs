//! The Taylor method for several members at once.

use super::step_size::StepPolicy;
use crate::batch::{BatchField, BatchStepper, MemberError, Round, Span};
use crate::control::Tolerance;
use crate::simd::{Arithmetic, Block, LANES, Work, dispatch};

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
}

const ZERO: Block = [0.0; LANES];

/// What a lane is doing.
#[derive(Clone, Copy, Debug)]
struct Lane {
    is_resting: bool,
    end: f64,
    failure: MemberError,
}

/// The Taylor method in every lane, each with its own time and step; see [`super::Taylor`].
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
        }
    }

    /// The order and the step sizes.
    pub fn policy(&self) -> &StepPolicy {
        &self.policy
    }

    /// The step of each lane (0 for lanes that rest or fail), and what becomes of the lanes.
    fn choose(&mut self, failed: u8, lengths: Block) -> (Block, Round) {
        let mut steps = ZERO;
        let mut round = Round::default();
        for l in 0..LANES {
            let lane = &mut self.lanes[l];
            if lane.is_resting {
                continue;
            }
            let rest = lane.end - self.t[l] - self.t_remainder[l];
            let is_last = lengths[l] >= rest.abs();
            let h = if is_last {
                rest
            } else {
                lengths[l].copysign(rest)
            };
            if failed >> l & 1 == 1 || lengths[l].is_nan() {
                lane.failure = MemberError::Fault;
                round.failed |= 1 << l;
            } else if !is_last && self.t[l] + h == self.t[l] {
                lane.failure = MemberError::StepUnderflow { h };
                round.failed |= 1 << l;
            } else {
                round.accepted |= 1 << l;
                steps[l] = h;
                self.begun[l] = self.t[l];
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
}

impl<F: BatchJets + ?Sized> BatchStepper<F> for BatchTaylor {
    fn load(&mut self, lane: usize, span: Span, x: &[f64]) {
        self.t[lane] = span.start;
        self.t_remainder[lane] = 0.0;
        BatchStepper::<F>::replace(self, lane, x);
        self.lanes[lane].is_resting = false;
        self.lanes[lane].end = span.end;
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
        let (steps, round) = self.choose(failed, lengths);
        dispatch(Advance {
            coefficients: &self.coefficients,
            order,
            tau: steps,
            x: &mut self.x,
            remainder: &mut self.remainder,
        });
        round
    }

    fn time(&self, lane: usize) -> f64 {
        self.t[lane]
    }

    fn state(&self, lane: usize, x: &mut [f64]) {
        for (x, block) in x.iter_mut().zip(&self.x) {
            *x = block[lane];
        }
    }

    fn replace(&mut self, lane: usize, x: &[f64]) {
        for ((block, remainder), x) in self.x.iter_mut().zip(&mut self.remainder).zip(x) {
            block[lane] = *x;
            remainder[lane] = 0.0;
        }
    }

    fn interpolate(&mut self, _: &mut F, lane: usize, t: f64, x: &mut [f64]) -> bool {
        let (n, tau) = (self.x.len(), t - self.begun[lane]);
        for (i, x) in x.iter_mut().enumerate() {
            let column = self.coefficients[i..].iter().step_by(n);
            *x = column.rev().fold(0.0, |sum, row| sum * tau + row[lane]);
        }
        true
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
        for i in 0..n {
            for l in 0..LANES {
                let unit = 1.0 / A::multiply_add(relative, start[i][l].abs(), absolute);
                let sizes = [last[i][l].abs() * unit, before[i][l].abs() * unit];
                // Written so that NaN wins: comparisons with it are false.
                for (largest, size) in largest.iter_mut().zip(sizes) {
                    largest[l] = if size <= largest[l] { largest[l] } else { size };
                }
            }
        }
        let mut lengths = ZERO;
        for l in 0..LANES {
            let length = self.policy.step(largest[0][l], largest[1][l]);
            let is_finite = largest[0][l] < f64::MAX && largest[1][l] < f64::MAX;
            lengths[l] = if is_finite { length } else { f64::NAN };
        }
        lengths
    }
}

/// Moves the lanes along their polynomials, by Horner's rule for even and odd powers.
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
        let mut square = ZERO;
        for l in 0..LANES {
            square[l] = tau[l] * tau[l];
        }
        for i in 0..n {
            let row = |k: usize| self.coefficients[k * n + i];
            let (mut odd, mut even) = (ZERO, ZERO);
            let mut k = self.order;
            if k.is_multiple_of(2) {
                even = row(k);
                k -= 1;
            }
            while k > 1 {
                odd = multiply_add::<A>(square, odd, row(k));
                even = multiply_add::<A>(square, even, row(k - 1));
                k -= 2;
            }
            odd = multiply_add::<A>(square, odd, row(1));
            let sum = multiply_add::<A>(tau, even, odd);
            let (mut x, mut remainder) = (self.x[i], self.remainder[i]);
            for l in 0..LANES {
                // A lane that stays where it is may have coefficients that are not finite.
                let change = if tau[l] == 0.0 { 0.0 } else { sum[l] * tau[l] };
                super::propagate::add(&mut x[l], &mut remainder[l], change);
            }
            (self.x[i], self.remainder[i]) = (x, remainder);
        }
    }
}

/// a·b + c in each lane. A loop, since a closure is compiled for the least processor.
#[inline(always)]
fn multiply_add<A: Arithmetic>(a: Block, b: Block, c: Block) -> Block {
    let mut result = c;
    for l in 0..LANES {
        result[l] = A::multiply_add(a[l], b[l], c[l]);
    }
    result
}
