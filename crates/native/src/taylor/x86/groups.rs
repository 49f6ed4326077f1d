//! Convolutions: the sums Σ_j a_j b_(k−j) of one recurrence or of four at once.

use rattleback_compile::taylor::{Rule, Series, Start};

use super::code::{Operand, Operation, Vector};
use super::emit::Emitter;
use crate::taylor::cache::Content;
use crate::taylor::groups::GroupPlan;
use crate::taylor::layout::{LANES, Pack, Place, Width};
use crate::taylor::runtime;
use crate::taylor::schedule::Kind;

/// The most sums that run side by side, so that additions need not wait for each other.
const CHAINS: usize = 4;
/// How many terms one chain takes before another one begins.
const TERMS_PER_CHAIN: usize = 4;
/// Holds a factor on its way.
const FACTOR: Vector = 4;
/// Holds another.
const SECOND_FACTOR: Vector = 5;

impl GroupPlan {
    pub(super) fn emit(&self, emitter: &mut Emitter, k: usize) {
        if !emitter.layout.packs[self.results[0]].degree.reaches(k) {
            return;
        }
        if k == 0 {
            self.begin(emitter);
        } else {
            self.proceed(emitter, k);
        }
    }

    /// The register that a result is worked out in.
    fn claim(&self, emitter: &mut Emitter, result: Pack, k: usize) -> Vector {
        let series = emitter.layout.packs[result].series;
        let content = series.map_or(Content::Row(result), Content::Value);
        emitter.cache.claim(content, k)
    }

    fn store(&self, emitter: &mut Emitter, result: Pack, k: usize, d: Vector) {
        let place = emitter.layout.packs[result].at(k);
        emitter.code.store(self.width, place, d);
    }

    /// Order 0.
    fn begin(&self, emitter: &mut Emitter) {
        let width = self.width;
        let result = self.results[0];
        let reciprocal = Place::workspace(self.reciprocal);
        match self.kind {
            Kind::Product | Kind::Square => {
                let d = self.claim(emitter, result, 0);
                let a = emitter.row(self.operands[0], 0);
                let b = emitter.row(*self.operands.last().unwrap_or(&self.operands[0]), 0);
                let a = emitter.in_register(width, FACTOR, a);
                emitter.code.apply(Operation::Mul, width, d, a, b);
                self.store(emitter, result, 0, d);
            }
            Kind::Quotient => {
                let d = self.claim(emitter, result, 0);
                let one = emitter.layout.constant(1.0);
                emitter.assemble(width, 0, &self.plain, 0);
                let divisor = emitter.row(self.operands[0], 0);
                emitter.code.apply(Operation::Div, width, d, 0, divisor);
                self.store(emitter, result, 0, d);
                emitter.code.load(width, 1, one);
                emitter.code.apply(Operation::Div, width, 1, 1, divisor);
                emitter.code.store(width, reciprocal, 1);
            }
            Kind::Root => {
                let d = self.claim(emitter, result, 0);
                let half = emitter.layout.constant(0.5);
                emitter.assemble(width, 0, &self.plain, 0);
                emitter.code.square_root(width, d, 0);
                self.store(emitter, result, 0, d);
                emitter.code.load(width, 1, half);
                emitter.code.apply(Operation::Div, width, 1, 1, d);
                emitter.code.store(width, reciprocal, 1);
            }
            Kind::Growth if self.begin_alike(emitter) => {}
            Kind::Growth => {
                for &series in &self.members {
                    let rule = emitter.layout.plan.rules()[series as usize];
                    let place = emitter.layout.value(series, 0);
                    if let (Rule::Growth { start, .. }, Some(place)) = (rule, place) {
                        emitter.start(start, place);
                    }
                }
            }
            Kind::Turn => {
                let [sine, cosine] = self.turned(emitter);
                emitter.assemble(width, 0, &self.plain, 0);
                emitter.code.assembler.call_label(emitter.sincos);
                emitter.cache.clear();
                emitter.code.store(width, sine, 0);
                emitter.code.store(width, cosine, 1);
            }
            Kind::HyperbolicTurn => {
                let [sine, cosine] = self.turned(emitter);
                let arguments = Place::workspace(emitter.layout.arguments);
                emitter.assemble(width, 0, &self.plain, 0);
                emitter.code.store(width, arguments, 0);
                let count = if width == Width::One { 1 } else { LANES as u64 };
                let function = runtime::hyperbolic_turn_address();
                emitter.call(function, &[arguments, sine, cosine], &[count]);
            }
        }
    }

    /// Initial values of one function side by side, by one call; false where they are of several functions.
    fn begin_alike(&self, emitter: &mut Emitter) -> bool {
        let rules = emitter.layout.plan.rules();
        let starts = self.members.iter().map(|&s| rules[s as usize]);
        let starts: Vec<Start> = starts
            .filter_map(|rule| match rule {
                Rule::Growth { start, .. } => Some(start),
                _ => None,
            })
            .collect();
        let is_alike = |start: &Start| match (*start, starts[0]) {
            (Start::Function(f, _), Start::Function(g, _)) => f == g,
            (Start::Power(_, p), Start::Power(_, q)) => p == q,
            _ => false,
        };
        if starts.len() < 2 || !starts.iter().all(is_alike) {
            return false;
        }
        let lanes: Vec<Series> = starts.iter().map(|start| start.arguments()[0]).collect();
        let arguments = Place::workspace(emitter.layout.arguments);
        emitter.assemble(Width::Four, 0, &lanes, 0);
        emitter.code.store(Width::Four, arguments, 0);
        let result = emitter.layout.packs[self.results[0]].at(0);
        emitter.call_start(starts[0], [arguments, arguments, result], LANES as u64);
        true
    }

    /// Where the sines and the cosines of order 0 are.
    fn turned(&self, emitter: &Emitter) -> [Place; 2] {
        [0, 1].map(|i| emitter.layout.packs[self.results[i]].at(0))
    }

    /// Order k ≥ 1. What depends on coefficients of order k comes last.
    fn proceed(&self, emitter: &mut Emitter, k: usize) {
        let width = self.width;
        let result = self.results[0];
        let reciprocal = Place::workspace(self.reciprocal);
        if matches!(self.kind, Kind::Turn | Kind::HyperbolicTurn) {
            self.turn(emitter, k);
            return;
        }
        let d = self.claim(emitter, result, k);
        match self.kind {
            Kind::Product => {
                let (a, b) = (self.operands[0], self.operands[1]);
                let mut sum = emitter.convolve(width, d, a, b, k, 1..k);
                sum.add(emitter, a, k, b, 0);
                sum.add(emitter, b, k, a, 0);
                sum.finish(emitter);
            }
            Kind::Square => {
                let a = self.operands[0];
                let mut sum = emitter.half_square(width, d, a, k);
                emitter
                    .code
                    .load(width, SECOND_FACTOR, emitter.layout.packs[a].at(0));
                let twice = SECOND_FACTOR;
                emitter
                    .code
                    .apply(Operation::Add, width, twice, twice, twice);
                if emitter.layout.packs[a].degree.reaches(k) {
                    let current = emitter.row(a, k);
                    sum.put(emitter, twice, current);
                }
                sum.finish(emitter);
            }
            Kind::Quotient => {
                let b = self.operands[0];
                emitter
                    .convolve(width, d, b, result, k, 1..k)
                    .finish(emitter);
                emitter.assemble(width, 0, &self.plain, k);
                emitter.code.apply(Operation::Sub, width, d, 0, d);
                if emitter.layout.packs[b].degree.reaches(k) {
                    emitter
                        .code
                        .load(width, FACTOR, emitter.layout.packs[result].at(0));
                    let newest = emitter.row(b, k);
                    emitter
                        .code
                        .apply(Operation::NegMulAdd, width, d, FACTOR, newest);
                }
                emitter.code.apply(Operation::Mul, width, d, d, reciprocal);
            }
            Kind::Root => {
                emitter.half_square(width, d, result, k).finish(emitter);
                emitter.assemble(width, 0, &self.plain, k);
                emitter.code.apply(Operation::Sub, width, d, 0, d);
                emitter.code.apply(Operation::Mul, width, d, d, reciprocal);
            }
            Kind::Growth => {
                let rate = self.operands[0];
                let mut sum = emitter.convolve(width, d, rate, result, k, 1..k);
                sum.add(emitter, rate, k, result, 0);
                sum.finish(emitter);
                let inverse = emitter.layout.constant(1.0 / k as f64);
                emitter.code.apply(Operation::Mul, width, d, d, inverse);
            }
            Kind::Turn | Kind::HyperbolicTurn => {}
        }
        self.store(emitter, result, k, d);
    }

    /// s_k = (1/k) Σ_(0<j<k) q_j c_(k−j) + u_k c_0 and c_k = ∓(1/k) Σ_(0<j<k) q_j s_(k−j) ∓ u_k s_0
    /// for the angle u and q = Θu, with each q_j read once.
    fn turn(&self, emitter: &mut Emitter, k: usize) {
        let width = self.width;
        let (sine, cosine) = (self.results[0], self.results[1]);
        let rate = &emitter.layout.packs[self.operands[0]];
        let reaches = rate.degree.reaches(k);
        let orders: Vec<usize> = (1..k).filter(|&j| rate.degree.reaches(j)).collect();
        let ds = self.claim(emitter, sine, k);
        let dc = self.claim(emitter, cosine, k);
        let chains = if orders.len() > TERMS_PER_CHAIN { 2 } else { 1 };
        let registers = [[ds, 0], [dc, 1]];
        for (place, &j) in orders.iter().enumerate() {
            let packs = &emitter.layout.packs;
            let q = packs[self.operands[0]].at(j);
            let others = [packs[cosine].at(k - j), packs[sine].at(k - j)];
            emitter.code.load(width, FACTOR, q);
            for (chain, other) in registers.iter().zip(others) {
                let operation = if place < chains {
                    Operation::Mul
                } else {
                    Operation::MulAdd
                };
                let sum = chain[place % chains];
                emitter.code.apply(operation, width, sum, FACTOR, other);
            }
        }
        let sign = if self.kind == Kind::Turn { -1.0 } else { 1.0 };
        for ([d, chain], inverse) in registers.into_iter().zip([1.0, sign]) {
            if orders.is_empty() {
                emitter.code.zero(d);
                continue;
            }
            if chains > 1 && orders.len() > 1 {
                emitter.code.apply(Operation::Add, width, d, d, chain);
            }
            let inverse = emitter.layout.constant(inverse / k as f64);
            emitter.code.apply(Operation::Mul, width, d, d, inverse);
        }
        if reaches {
            let angle = self.angle(emitter, k);
            let packs = &emitter.layout.packs;
            let starts = [packs[cosine].at(0), packs[sine].at(0)];
            let last = if self.kind == Kind::Turn {
                Operation::NegMulAdd
            } else {
                Operation::MulAdd
            };
            emitter
                .code
                .apply(Operation::MulAdd, width, ds, angle, starts[0]);
            emitter.code.apply(last, width, dc, angle, starts[1]);
        }
        self.store(emitter, sine, k, ds);
        self.store(emitter, cosine, k, dc);
    }

    /// The k-th coefficients of the angles, in a register.
    fn angle(&self, emitter: &mut Emitter, k: usize) -> Vector {
        let rate = self.operands[0];
        if emitter.layout.packs[rate].theta {
            let content = if k > 1 {
                Content::Source(rate)
            } else {
                Content::Row(rate)
            };
            if let Some(register) = emitter.cache.find(content, k) {
                return register;
            }
        }
        if self.width == emitter.layout.width {
            return match emitter.operand(self.plain[0], k) {
                Some(angle) => emitter.in_register(self.width, FACTOR, angle),
                None => {
                    emitter.code.zero(FACTOR);
                    FACTOR
                }
            };
        }
        emitter.assemble(self.width, FACTOR, &self.plain, k);
        FACTOR
    }
}

/// A sum that grows in a register.
pub(super) struct Sum {
    width: Width,
    d: Vector,
    is_empty: bool,
}

impl Sum {
    /// += a·b
    fn put(&mut self, emitter: &mut Emitter, a: Vector, b: Operand) {
        let operation = if self.is_empty {
            Operation::Mul
        } else {
            Operation::MulAdd
        };
        emitter.code.apply(operation, self.width, self.d, a, b);
        self.is_empty = false;
    }

    /// += a_k b_0, where a_k has just been worked out.
    fn add(&mut self, emitter: &mut Emitter, a: Pack, k: usize, b: Pack, zero: usize) {
        let packs = &emitter.layout.packs;
        if !packs[a].degree.reaches(k) {
            return;
        }
        let old = packs[b].at(zero);
        match emitter.row(a, k) {
            Operand::Register(current) => self.put(emitter, current, old.into()),
            current => {
                emitter.code.load(self.width, FACTOR, old);
                self.put(emitter, FACTOR, current);
            }
        }
    }

    fn finish(self, emitter: &mut Emitter) {
        if self.is_empty {
            emitter.code.zero(self.d);
        }
    }
}

impl Emitter<'_, '_> {
    /// Σ a_j b_(k−j) over a range of old coefficients, in register `d` and chains beside it.
    fn convolve(
        &mut self,
        width: Width,
        d: Vector,
        a: Pack,
        b: Pack,
        k: usize,
        range: std::ops::Range<usize>,
    ) -> Sum {
        let (a, b) = (&self.layout.packs[a], &self.layout.packs[b]);
        let mut orders: Vec<usize> = range
            .filter(|&j| a.degree.reaches(j) && b.degree.reaches(k - j))
            .collect();
        orders.sort_by_key(|&j| j.max(k - j));
        let terms: Vec<(Place, Place)> = orders.iter().map(|&j| (a.at(j), b.at(k - j))).collect();
        let chains = terms.len().div_ceil(TERMS_PER_CHAIN).min(CHAINS);
        let register = |chain: usize| if chain == 0 { d } else { chain as Vector - 1 };
        for (place, &(a, b)) in terms.iter().enumerate() {
            let operation = if place < chains {
                Operation::Mul
            } else {
                Operation::MulAdd
            };
            self.code.load(width, FACTOR, a);
            self.code
                .apply(operation, width, register(place % chains), FACTOR, b);
        }
        if chains == 4 {
            self.code.apply(Operation::Add, width, 0, 0, 2);
            self.code.apply(Operation::Add, width, d, d, 1);
            self.code.apply(Operation::Add, width, d, d, 0);
        } else {
            for chain in 1..chains {
                self.code
                    .apply(Operation::Add, width, d, d, register(chain));
            }
        }
        Sum {
            width,
            d,
            is_empty: terms.is_empty(),
        }
    }

    /// Σ a_j a_(k−j) over 0 < j < k: every pair once, then doubled.
    fn half_square(&mut self, width: Width, d: Vector, a: Pack, k: usize) -> Sum {
        let mut sum = self.convolve(width, d, a, a, k, 1..k.div_ceil(2));
        if !sum.is_empty {
            self.code.apply(Operation::Add, width, d, d, d);
        }
        let place = &self.layout.packs[a];
        if k.is_multiple_of(2) && place.degree.reaches(k / 2) {
            let middle = place.at(k / 2);
            self.code.load(width, FACTOR, middle);
            sum.put(self, FACTOR, middle.into());
        }
        sum
    }
}
