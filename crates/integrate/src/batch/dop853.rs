//! DOP853 for several members at once.

use super::field::{BatchField, Span};
use super::stepper::{BatchStepper, MemberError, Round};
use crate::control::{Controller, Guess, Tolerance};
use crate::explicit::dop853::{OrderEight, blend, high_coefficients};
use crate::explicit::dop853_tableau as tableau;
use crate::explicit::frame::{HERMITE, Method, hermite, polynomial};
use crate::explicit::{Row, scales};
use crate::simd::{Arithmetic, Block, LANES, Work, column, dispatch};
use crate::stepper::{FEWEST_STEPS, longest_step};

const ORDER: u32 = OrderEight::ORDER;
const LAST: usize = OrderEight::LAST;
const ZERO: Block = [0.0; LANES];

/// What a lane is doing.
#[derive(Clone, Debug)]
struct Lane {
    resting: bool,
    /// Whether the first step is still to be chosen.
    fresh: bool,
    end: f64,
    /// The longest step.
    longest: f64,
    /// The length of the next trial.
    length: f64,
    /// Whether the trial ends at the end.
    last: bool,
    /// Whether the last trial from here met states without rates.
    faulty: bool,
    controller: Controller,
    failure: MemberError,
}

impl Lane {
    fn new() -> Self {
        Lane {
            resting: true,
            fresh: false,
            end: 0.0,
            longest: f64::INFINITY,
            length: 0.0,
            last: false,
            faulty: false,
            controller: Controller::new(ORDER),
            failure: MemberError::Fault,
        }
    }

    /// The end of the trial.
    fn target(&self, t: f64, h: f64) -> f64 {
        if self.last { self.end } else { t + h }
    }

    /// A trial has met a state without rates.
    fn retreat(&mut self, h: f64) {
        self.faulty = true;
        self.length = h.abs() * self.controller.retreat();
    }

    /// The next trial from time t.
    fn trial(&mut self, t: f64) -> f64 {
        let rest = self.end - t;
        let length = self.length.min(self.longest);
        self.last = length * 1.01 >= rest.abs();
        if self.last {
            rest
        } else {
            length.copysign(rest)
        }
    }
}

/// The method of Dormand & Prince of order 8 in every lane; see [`crate::Dop853`].
#[derive(Clone, Debug)]
pub struct BatchDop853 {
    tolerance: Tolerance,
    /// Little that shows at this spacing is missed.
    spacing: f64,
    lanes: [Lane; LANES],
    memory: Memory,
    /// Coefficients 1 to 7 of the dense output.
    dense: Vec<Block>,
    dense_known: bool,
    dense_failed: u8,
    /// The lanes that have accepted the step from `start` to `end`.
    accepted: u8,
    /// Whether some lane has a start without rates.
    start_unknown: bool,
    /// One lane's state, its rates, and the state and rates ahead of it.
    columns: [Vec<f64>; 4],
}

/// The stages of the current trials; component i of all lanes together.
#[derive(Clone, Debug)]
struct Memory {
    t: Block,
    h: Block,
    start: Vec<Block>,
    end: Vec<Block>,
    argument: Vec<Block>,
    inverse_scale: Vec<Block>,
    rates: Vec<Block>,
}

impl BatchDop853 {
    /// A stepper for this many state components.
    pub fn new(dimension: usize, tolerance: Tolerance) -> Self {
        let zeros = vec![ZERO; dimension];
        BatchDop853 {
            tolerance,
            spacing: f64::INFINITY,
            lanes: std::array::from_fn(|_| Lane::new()),
            memory: Memory {
                t: ZERO,
                h: ZERO,
                start: zeros.clone(),
                end: zeros.clone(),
                argument: zeros.clone(),
                inverse_scale: zeros,
                rates: vec![ZERO; OrderEight::STAGES * dimension],
            },
            dense: vec![ZERO; OrderEight::DENSE * dimension],
            dense_known: false,
            dense_failed: 0,
            accepted: 0,
            start_unknown: true,
            columns: std::array::from_fn(|_| vec![0.0; dimension]),
        }
    }

    /// Misses little that shows at this spacing.
    pub fn spacing(mut self, spacing: f64) -> Self {
        self.spacing = spacing;
        self
    }

    /// Moves the lanes that have accepted their step on to its end.
    fn commit(&mut self) {
        let accepted = bits(self.accepted);
        let memory = &mut self.memory;
        let n = memory.start.len();
        let (first, later) = memory.rates.split_at_mut(n);
        select(accepted, &memory.end, &mut memory.start);
        select(accepted, &later[(LAST - 1) * n..LAST * n], first);
        for (l, lane) in self.lanes.iter().enumerate() {
            if accepted[l] {
                memory.t[l] = lane.target(memory.t[l], memory.h[l]);
            }
        }
        self.accepted = 0;
    }

    /// Evaluates the rates at the start of every lane, where some are not known; returns the lanes
    /// that have none.
    fn start_rates<F: BatchField + ?Sized>(&mut self, field: &mut F) -> u8 {
        if !std::mem::take(&mut self.start_unknown) {
            return 0;
        }
        let memory = &mut self.memory;
        let n = memory.start.len();
        field.rates(&memory.t, &memory.start, &mut memory.rates[..n])
    }

    /// Evaluates the rates at the end of the accepted steps: the next ones begin with them. Lanes
    /// that have none there must try a shorter step; returns the others.
    fn end_rates<F: BatchField + ?Sized>(&mut self, field: &mut F, accepted: u8) -> u8 {
        if accepted == 0 {
            return 0;
        }
        let memory = &mut self.memory;
        let mut time = memory.t;
        for (l, lane) in self.lanes.iter().enumerate() {
            if accepted >> l & 1 == 1 {
                time[l] = lane.target(time[l], memory.h[l]);
            }
        }
        // The other lanes only keep the vectors full; their starts are known to have rates.
        memory.argument.copy_from_slice(&memory.start);
        select(bits(accepted), &memory.end, &mut memory.argument);
        let n = memory.start.len();
        let rates = &mut memory.rates[LAST * n..(LAST + 1) * n];
        let failed = accepted & field.rates(&time, &memory.argument, rates);
        for (l, lane) in self.lanes.iter_mut().enumerate() {
            if failed >> l & 1 == 1 {
                lane.retreat(memory.h[l]);
            }
        }
        accepted & !failed
    }

    /// Chooses the first step of fresh lanes, from rates that are known at the start.
    fn choose_first_steps<F: BatchField + ?Sized>(&mut self, field: &mut F) {
        let mut guesses = [None; LANES];
        let memory = &mut self.memory;
        memory.argument.copy_from_slice(&memory.start);
        let mut ahead_time = memory.t;
        let [x, rates, ahead, ahead_rates] = &mut self.columns;
        for (l, lane) in self.lanes.iter_mut().enumerate() {
            if !lane.fresh {
                continue;
            }
            column(&memory.start, l, x);
            column(&memory.rates, l, rates);
            let span = lane.end - memory.t[l];
            // Rates that are not finite fail the first trial, whatever its length.
            let Ok(guess) = Guess::new(self.tolerance, x, rates, span) else {
                lane.length = span.abs();
                continue;
            };
            guess.ahead(x, rates, ahead);
            for (block, ahead) in memory.argument.iter_mut().zip(&*ahead) {
                block[l] = *ahead;
            }
            ahead_time[l] += guess.euler;
            guesses[l] = Some(guess);
        }
        let n = memory.start.len();
        let target = &mut memory.rates[n..2 * n];
        let failed = field.rates(&ahead_time, &memory.argument, target);
        for (l, lane) in self.lanes.iter_mut().enumerate() {
            lane.fresh = false;
            let Some(guess) = guesses[l] else { continue };
            column(&memory.start, l, x);
            column(&memory.rates, l, rates);
            column(&memory.rates[n..], l, ahead_rates);
            lane.length = if failed >> l & 1 == 1 {
                guess.cautious()
            } else {
                guess.refine(self.tolerance, x, rates, ahead_rates, ORDER)
            };
        }
    }

    /// Decides on each lane's trial.
    fn judge(&mut self, failed_here: u8, failed: u8, errors: Block) -> Round {
        let mut round = Round::default();
        for (l, lane) in self.lanes.iter_mut().enumerate() {
            if lane.resting {
                continue;
            }
            let bit = 1 << l;
            let (t, h) = (self.memory.t[l], self.memory.h[l]);
            if failed_here & bit != 0 {
                lane.failure = MemberError::Fault;
                round.failed |= bit;
            } else if t + h == t || !lane.last && h.abs() <= 4.0 * f64::EPSILON * t.abs() {
                lane.failure = if lane.faulty {
                    MemberError::Fault
                } else {
                    MemberError::StepUnderflow { h }
                };
                round.failed |= bit;
            } else if failed & bit != 0 || !errors[l].is_finite() {
                lane.retreat(h);
            } else if errors[l] > 1.0 {
                lane.length = h.abs() * lane.controller.reject(errors[l]);
            } else {
                lane.length = h.abs() * lane.controller.accept(errors[l]);
                round.accepted |= bit;
            }
        }
        round
    }
}

/// A mask as one truth per lane.
fn bits(mask: u8) -> [bool; LANES] {
    std::array::from_fn(|l| mask >> l & 1 == 1)
}

/// Overwrites the lanes that are true.
fn select(lanes: [bool; LANES], from: &[Block], to: &mut [Block]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = std::array::from_fn(|l| if lanes[l] { from[l] } else { to[l] });
    }
}

impl Memory {
    /// k_stage = f(t + node h, start + h Σ_j weights_j k_j); returns the lanes that failed.
    #[inline(always)]
    fn stage<A: Arithmetic, F: BatchField + ?Sized, const J: usize>(
        &mut self,
        field: &mut F,
        stage: usize,
        row: &Row<J>,
    ) -> u8 {
        row.advance::<A>(&self.rates, &self.start, self.h, &mut self.argument);
        let time = A::scaled(row.node, self.h, self.t);
        let n = self.start.len();
        let rates = &mut self.rates[stage * n..(stage + 1) * n];
        field.rates(&time, &self.argument, rates)
    }
}

struct Take<'a, F: ?Sized> {
    memory: &'a mut Memory,
    tolerance: &'a Tolerance,
    field: &'a mut F,
}

impl<F: BatchField + ?Sized> Work for Take<'_, F> {
    /// The lanes that failed, and the errors.
    type Output = (u8, Block);

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> Self::Output {
        let Take {
            memory,
            tolerance,
            field,
        } = self;
        let failed = memory.stage::<A, F, 1>(field, 1, &tableau::STAGE_1)
            | memory.stage::<A, F, 2>(field, 2, &tableau::STAGE_2)
            | memory.stage::<A, F, 2>(field, 3, &tableau::STAGE_3)
            | memory.stage::<A, F, 3>(field, 4, &tableau::STAGE_4)
            | memory.stage::<A, F, 3>(field, 5, &tableau::STAGE_5)
            | memory.stage::<A, F, 4>(field, 6, &tableau::STAGE_6)
            | memory.stage::<A, F, 5>(field, 7, &tableau::STAGE_7)
            | memory.stage::<A, F, 6>(field, 8, &tableau::STAGE_8)
            | memory.stage::<A, F, 7>(field, 9, &tableau::STAGE_9)
            | memory.stage::<A, F, 8>(field, 10, &tableau::STAGE_10)
            | memory.stage::<A, F, 9>(field, 11, &tableau::STAGE_11);
        tableau::END.advance::<A>(&memory.rates, &memory.start, memory.h, &mut memory.end);
        scales(
            tolerance,
            &memory.start,
            &memory.end,
            &mut memory.inverse_scale,
        );
        let fifth = tableau::ERROR_5.square::<A>(&memory.rates, &memory.inverse_scale);
        let third = tableau::ERROR_3.square::<A>(&memory.rates, &memory.inverse_scale);
        let n = memory.start.len().max(1) as f64;
        let errors = std::array::from_fn(|l| memory.h[l].abs() * blend(fifth[l] / n, third[l] / n));
        (failed, errors)
    }
}

struct Densify<'a, F: ?Sized> {
    memory: &'a mut Memory,
    dense: &'a mut [Block],
    field: &'a mut F,
}

impl<F: BatchField + ?Sized> Work for Densify<'_, F> {
    type Output = u8;

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> Self::Output {
        let Densify {
            memory,
            dense,
            field,
        } = self;
        let failed = memory.stage::<A, F, 8>(field, 13, &tableau::STAGE_13)
            | memory.stage::<A, F, 8>(field, 14, &tableau::STAGE_14)
            | memory.stage::<A, F, 8>(field, 15, &tableau::STAGE_15);
        let (low, high) = dense.split_at_mut(HERMITE * memory.start.len());
        let last = &memory.rates[LAST * memory.start.len()..];
        let (ends, rates) = ((&*memory.start, &*memory.end), (&*memory.rates, last));
        hermite(ends, rates, memory.h, low);
        high_coefficients::<A>(&memory.rates, memory.h, high);
        failed
    }
}

impl<F: BatchField + ?Sized> BatchStepper<F> for BatchDop853 {
    fn load(&mut self, lane: usize, span: Span, x: &[f64]) {
        // Or else a step accepted by the member before would end in the new one's state.
        self.accepted &= !(1 << lane);
        self.start_unknown = true;
        self.memory.t[lane] = span.start;
        for (block, x) in self.memory.start.iter_mut().zip(x) {
            block[lane] = *x;
        }
        self.lanes[lane] = Lane {
            resting: false,
            fresh: true,
            end: span.end,
            longest: longest_step(FEWEST_STEPS, span.end - span.start, self.spacing),
            ..Lane::new()
        };
    }

    fn rest(&mut self, lane: usize) {
        self.lanes[lane].resting = true;
        self.lanes[lane].fresh = false;
    }

    fn advance(&mut self, field: &mut F) -> Round {
        self.commit();
        self.dense_known = false;
        let failed_here = self.start_rates(field);
        if self.lanes.iter().any(|lane| lane.fresh) {
            self.choose_first_steps(field);
        }
        let memory = &mut self.memory;
        for (l, lane) in self.lanes.iter_mut().enumerate() {
            memory.h[l] = if lane.resting {
                0.0
            } else {
                lane.trial(memory.t[l])
            };
        }
        let (failed, errors) = dispatch(Take {
            memory,
            tolerance: &self.tolerance,
            field,
        });
        let mut round = self.judge(failed_here, failed, errors);
        round.accepted = self.end_rates(field, round.accepted);
        self.accepted = round.accepted;
        for (lane, accepted) in self.lanes.iter_mut().zip(bits(round.accepted)) {
            lane.faulty &= !accepted;
        }
        round
    }

    fn time(&self, lane: usize) -> f64 {
        let (t, h) = (self.memory.t[lane], self.memory.h[lane]);
        if self.accepted >> lane & 1 == 1 {
            self.lanes[lane].target(t, h)
        } else {
            t
        }
    }

    fn state(&self, lane: usize, x: &mut [f64]) {
        if self.accepted >> lane & 1 == 1 {
            column(&self.memory.end, lane, x);
        } else {
            column(&self.memory.start, lane, x);
        }
    }

    fn replace(&mut self, lane: usize, x: &[f64]) {
        let reached = match self.accepted >> lane & 1 {
            1 => &mut self.memory.end,
            _ => &mut self.memory.start,
        };
        for (block, x) in reached.iter_mut().zip(x) {
            block[lane] = *x;
        }
        // The rates at the end of the step are those of another state.
        self.start_unknown = true;
    }

    fn interpolate(&mut self, field: &mut F, lane: usize, t: f64, x: &mut [f64]) -> bool {
        if !self.dense_known {
            self.dense_failed = dispatch(Densify {
                memory: &mut self.memory,
                dense: &mut self.dense,
                field,
            });
            self.dense_known = true;
        }
        let theta = (t - self.memory.t[lane]) / self.memory.h[lane];
        let n = self.memory.start.len();
        for (i, x) in x.iter_mut().enumerate() {
            let d = |k: usize| self.dense[k * n + i][lane];
            *x = polynomial(self.memory.start[i][lane], OrderEight::DENSE, d, theta);
        }
        self.dense_failed >> lane & 1 == 0
    }

    /// By the fastest of its stages, and as much again for what is between them.
    fn ways(&self, lane: usize, ways: &mut [f64]) -> bool {
        let Memory { h, rates, .. } = &self.memory;
        ways.fill(0.0);
        for stage in rates.chunks_exact(ways.len().max(1)) {
            for (way, rate) in ways.iter_mut().zip(stage) {
                let further = 2.0 * (h[lane] * rate[lane]).abs();
                *way = if further > *way { further } else { *way };
            }
        }
        true
    }

    fn failure(&self, lane: usize) -> MemberError {
        self.lanes[lane].failure
    }
}
