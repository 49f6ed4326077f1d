//! Convolutions: the sums Σ_j a_j b_(k−j) of up to four recurrences at once.

use crate::x86::Address;
use rattleback_compile::taylor::{Rule, Series};

use super::code::{Operation, Vector, Width};
use super::emit::Emitter;
use super::layout::{Layout, Pack, ROW, WORKSPACE};
use super::runtime;
use super::schedule::Kind;

/// How many sums run side by side, so that additions need not wait for each other.
const CHAINS: usize = 4;
/// Registers that hold factors, taken in turn.
const FACTORS: [Vector; 6] = [8, 9, 10, 11, 12, 13];

/// A group with its memory.
pub(super) struct GroupPlan {
    kind: Kind,
    members: Vec<Series>,
    /// What is convolved: both factors, or the divisor, or the rate.
    operands: Vec<Pack>,
    /// The results: one pack, or sines and cosines.
    results: Vec<Pack>,
    /// Numerators, radicands, angles or initial values.
    plain: Vec<Series>,
    /// 1/b_0 or 1/(2c_0).
    reciprocal: i32,
}

impl GroupPlan {
    pub(super) fn new(
        layout: &mut Layout,
        kind: Kind,
        members: &[Series],
        results: &[Pack],
    ) -> GroupPlan {
        let mut first = Vec::new();
        let mut second = Vec::new();
        let mut plain = Vec::new();
        for &series in members {
            match layout.plan.rules()[series as usize] {
                Rule::Mul(a, b) => {
                    let shared = first.contains(&b) || second.contains(&a);
                    let (a, b) = if shared { (b, a) } else { (a, b) };
                    first.push(a);
                    second.push(b);
                }
                Rule::Square(a) => first.push(a),
                Rule::Div(a, b) => {
                    plain.push(a);
                    first.push(b);
                }
                Rule::Sqrt(a) => plain.push(a),
                Rule::Growth { rate, start } => {
                    first.push(rate);
                    plain.extend(start.arguments());
                }
                Rule::Sine { rate, angle, .. } => {
                    first.push(rate);
                    plain.push(angle);
                }
                _ => {}
            }
        }
        let lanes = [first, second]
            .into_iter()
            .filter(|lanes| !lanes.is_empty());
        let operands = lanes.map(|lanes| layout.operand(&lanes)).collect();
        let reciprocal = match kind {
            Kind::Quotient | Kind::Root => layout.reserve(ROW),
            _ => 0,
        };
        GroupPlan {
            kind,
            members: members.to_vec(),
            operands,
            results: results.to_vec(),
            plain,
            reciprocal,
        }
    }

    /// What is used outside of packs.
    pub(super) fn plain_operands(&self) -> &[Series] {
        &self.plain
    }

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

    fn result(&self, emitter: &Emitter, k: usize) -> Address {
        emitter.layout.packs[self.results[0]].at(k)
    }

    /// Order 0.
    fn begin(&self, emitter: &mut Emitter) {
        let at = |emitter: &Emitter, pack: Pack| emitter.layout.packs[pack].at(0);
        let result = self.result(emitter, 0);
        let reciprocal = Address::At(WORKSPACE, self.reciprocal);
        match self.kind {
            Kind::Product | Kind::Square => {
                let a = at(emitter, self.operands[0]);
                let b = at(emitter, *self.operands.last().unwrap_or(&self.operands[0]));
                emitter.code.load(Width::Four, 0, a);
                emitter
                    .code
                    .with_memory(Operation::Mul, Width::Four, 0, 0, b);
                emitter.code.store(Width::Four, result, 0);
            }
            Kind::Quotient => {
                let divisor = at(emitter, self.operands[0]);
                let one = emitter.layout.constant(1.0);
                emitter.assemble(0, 1, &self.plain, 0);
                emitter.code.load(Width::Four, 2, divisor);
                emitter
                    .code
                    .with_register(Operation::Div, Width::Four, 0, 0, 2);
                emitter.code.store(Width::Four, result, 0);
                emitter.code.load(Width::Four, 1, one);
                emitter
                    .code
                    .with_register(Operation::Div, Width::Four, 1, 1, 2);
                emitter.code.store(Width::Four, reciprocal, 1);
            }
            Kind::Root => {
                let half = emitter.layout.constant(0.5);
                emitter.assemble(0, 1, &self.plain, 0);
                emitter.code.square_root(Width::Four, 0, 0);
                emitter.code.store(Width::Four, result, 0);
                emitter.code.load(Width::Four, 1, half);
                emitter
                    .code
                    .with_register(Operation::Div, Width::Four, 1, 1, 0);
                emitter.code.store(Width::Four, reciprocal, 1);
            }
            Kind::Growth => {
                for &series in &self.members {
                    let rule = emitter.layout.plan.rules()[series as usize];
                    let place = emitter.layout.value(series, 0);
                    if let (Rule::Growth { start, .. }, Some(place)) = (rule, place) {
                        emitter.start(start, place);
                    }
                }
            }
            Kind::Turn | Kind::HyperbolicTurn => {
                let arguments = Address::At(WORKSPACE, emitter.layout.arguments);
                emitter.assemble(0, 1, &self.plain, 0);
                emitter.code.store(Width::Four, arguments, 0);
                let (sine, cosine) = (at(emitter, self.results[0]), at(emitter, self.results[1]));
                let function = runtime::turn_address(self.kind == Kind::HyperbolicTurn);
                emitter.code.call(function, &[arguments, sine, cosine], &[]);
            }
        }
    }

    /// Order k ≥ 1.
    fn proceed(&self, emitter: &mut Emitter, k: usize) {
        let result = self.result(emitter, k);
        let reciprocal = Address::At(WORKSPACE, self.reciprocal);
        match self.kind {
            Kind::Product => {
                let terms = terms(
                    &emitter.layout,
                    self.operands[0],
                    self.operands[1],
                    k,
                    0..=k,
                );
                emitter.convolve(&terms);
            }
            Kind::Square => {
                let a = self.operands[0];
                emitter.square(a, k, 0);
            }
            Kind::Quotient => {
                let (b, c) = (self.operands[0], self.results[0]);
                let terms = terms(&emitter.layout, b, c, k, 1..=k);
                emitter.convolve(&terms);
                emitter.assemble(4, 5, &self.plain, k);
                emitter
                    .code
                    .with_register(Operation::Sub, Width::Four, 0, 4, 0);
                emitter
                    .code
                    .with_memory(Operation::Mul, Width::Four, 0, 0, reciprocal);
            }
            Kind::Root => {
                emitter.square(self.results[0], k, 1);
                emitter.assemble(4, 5, &self.plain, k);
                emitter
                    .code
                    .with_register(Operation::Sub, Width::Four, 0, 4, 0);
                emitter
                    .code
                    .with_memory(Operation::Mul, Width::Four, 0, 0, reciprocal);
            }
            Kind::Growth => {
                let terms = terms(&emitter.layout, self.operands[0], self.results[0], k, 1..=k);
                emitter.convolve(&terms);
                let inverse = emitter.layout.constant(1.0 / k as f64);
                emitter
                    .code
                    .with_memory(Operation::Mul, Width::Four, 0, 0, inverse);
            }
            Kind::Turn | Kind::HyperbolicTurn => {
                self.turn(emitter, k);
                return;
            }
        }
        emitter.code.store(Width::Four, result, 0);
    }

    /// s_k = (1/k) Σ q_j c_(k−j) and c_k = ∓(1/k) Σ q_j s_(k−j), with each q_j read once.
    fn turn(&self, emitter: &mut Emitter, k: usize) {
        let rate = self.operands[0];
        let (sine, cosine) = (self.results[0], self.results[1]);
        let with_cosine = terms(&emitter.layout, rate, cosine, k, 1..=k);
        let with_sine = terms(&emitter.layout, rate, sine, k, 1..=k);
        for (place, (c, s)) in with_cosine.iter().zip(&with_sine).enumerate() {
            let factor = FACTORS[place % FACTORS.len()];
            emitter.code.load(Width::Four, factor, c.0);
            let chain = (place % 2) as Vector;
            for (d, other) in [(chain, c.1), (chain + 2, s.1)] {
                emitter.multiply(place < 2, d, factor, other);
            }
        }
        if with_cosine.len() > 1 {
            for d in [0, 2] {
                emitter
                    .code
                    .with_register(Operation::Add, Width::Four, d, d, d + 1);
            }
        }
        let sign = if self.kind == Kind::Turn { -1.0 } else { 1.0 };
        let inverses = [1.0 / k as f64, sign / k as f64];
        for ((pack, d), inverse) in [(sine, 0), (cosine, 2)].into_iter().zip(inverses) {
            let inverse = emitter.layout.constant(inverse);
            let place = emitter.layout.packs[pack].at(k);
            emitter
                .code
                .with_memory(Operation::Mul, Width::Four, d, d, inverse);
            emitter.code.store(Width::Four, place, d);
        }
    }
}

/// The places of the factors a_j and b_(k−j), the latest coefficients last.
fn terms(
    layout: &Layout,
    a: Pack,
    b: Pack,
    k: usize,
    range: std::ops::RangeInclusive<usize>,
) -> Vec<(Address, Address)> {
    let (a, b) = (&layout.packs[a], &layout.packs[b]);
    let mut orders: Vec<usize> = range
        .filter(|&j| a.degree.reaches(j) && b.degree.reaches(k - j))
        .collect();
    orders.sort_by_key(|&j| j.max(k - j));
    orders.into_iter().map(|j| (a.at(j), b.at(k - j))).collect()
}

impl Emitter<'_, '_> {
    /// d += a·memory, or d = a·memory.
    fn multiply(&mut self, is_first: bool, d: Vector, a: Vector, b: Address) {
        let operation = if is_first {
            Operation::Mul
        } else {
            Operation::MulAdd
        };
        self.code.with_memory(operation, Width::Four, d, a, b);
    }

    /// Register 0 = the sum of the products.
    fn convolve(&mut self, terms: &[(Address, Address)]) {
        if terms.is_empty() {
            self.code.zero(0);
        }
        for (place, &(a, b)) in terms.iter().enumerate() {
            let factor = FACTORS[place % FACTORS.len()];
            self.code.load(Width::Four, factor, a);
            self.multiply(place < CHAINS, (place % CHAINS) as Vector, factor, b);
        }
        self.add_chains(terms.len().min(CHAINS));
    }

    /// Register 0 = the sum of the first `count` registers.
    fn add_chains(&mut self, count: usize) {
        // The chain that ends last is added last.
        for chain in (1..count).rev().skip(usize::from(count == 4)) {
            let d = chain as Vector;
            self.code
                .with_register(Operation::Add, Width::Four, 0, 0, d);
        }
        if count == 4 {
            self.code
                .with_register(Operation::Add, Width::Four, 0, 0, 3);
        }
    }

    /// Register 0 = Σ a_j a_(k−j) over first ≤ j ≤ k − first: every pair once, then doubled.
    fn square(&mut self, a: Pack, k: usize, first: usize) {
        let half = k.div_ceil(2);
        let pairs = if first < half {
            terms(&self.layout, a, a, k, first..=half - 1)
        } else {
            Vec::new()
        };
        self.convolve(&pairs);
        if !pairs.is_empty() {
            self.code
                .with_register(Operation::Add, Width::Four, 0, 0, 0);
        }
        let place = &self.layout.packs[a];
        if k.is_multiple_of(2) && k / 2 >= first && place.degree.reaches(k / 2) {
            let middle = place.at(k / 2);
            self.code.load(Width::Four, FACTORS[0], middle);
            self.code
                .with_memory(Operation::MulAdd, Width::Four, 0, FACTORS[0], middle);
        }
    }
}
