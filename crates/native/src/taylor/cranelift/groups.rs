//! Recurrences with convolutions: one, or four at once.

use rattleback_compile::taylor::Rule;

use super::code::Number;
use super::emit::Emitter;
use super::sums::{Factor, Sum};
use crate::taylor::groups::GroupPlan;
use crate::taylor::layout::{LANES, Pack, Place, Width};
use crate::taylor::runtime;
use crate::taylor::schedule::Kind;

impl Emitter<'_, '_, '_> {
    /// What a group sums up over earlier orders.
    pub(super) fn group_sums(&self, group: &GroupPlan) -> Vec<Sum> {
        let factor = |pack: Pack| self.factor(pack);
        let first = group.operands.first().copied().map(factor);
        let [result, last] =
            [&group.results[0], &group.results[group.results.len() - 1]].map(|&pack| factor(pack));
        let sum = |a: Factor, b: Factor| Sum {
            width: group.width,
            products: vec![(a, b)],
        };
        let first = first.unwrap_or(result);
        match group.kind {
            Kind::Product => vec![sum(first, factor(group.operands[1]))],
            Kind::Square => vec![sum(first, first)],
            Kind::Root => vec![sum(result, result)],
            Kind::Quotient | Kind::Growth => vec![sum(first, result)],
            Kind::Turn | Kind::HyperbolicTurn => vec![sum(first, last), sum(first, result)],
        }
    }

    /// Works out a group from its sums over earlier orders.
    pub(super) fn group(&mut self, group: &GroupPlan, sums: &[Option<Number>]) {
        if !self.reaches(group.results[0]) {
            return;
        }
        if self.order.is_first() {
            self.begin_group(group);
        } else if let &[sines, cosines] = sums {
            self.turn(group, sines, cosines);
        } else {
            let sum = sums.first().copied().flatten();
            let number = self.proceed(group, sum);
            self.put(group.results[0], number);
        }
    }

    /// Order 0.
    fn begin_group(&mut self, group: &GroupPlan) {
        let (width, result) = (group.width, group.results[0]);
        match group.kind {
            Kind::Product | Kind::Square => {
                let a = self.row(group.operands[0]);
                let b = self.row(group.operands[group.operands.len() - 1]);
                let product = self.code.mul(a, b);
                self.put(result, product);
            }
            Kind::Quotient => {
                let a = self.assemble(width, &group.plain);
                let b = self.row(group.operands[0]);
                let quotient = self.code.div(a, b);
                self.put(result, quotient);
                self.keep_reciprocal(group, 1.0, b);
            }
            Kind::Root => {
                let a = self.assemble(width, &group.plain);
                let root = self.code.sqrt(a);
                self.put(result, root);
                self.keep_reciprocal(group, 0.5, root);
            }
            Kind::Growth => {
                for &series in &group.members {
                    let rule = self.sketch.layout.plan.rules()[series as usize];
                    let place = self.sketch.layout.value(series, 0);
                    if let (Rule::Growth { start, .. }, Some(place)) = (rule, place) {
                        self.start(start, place);
                    }
                }
            }
            Kind::Turn => self.begin_turn(group, runtime::turn_address()),
            Kind::HyperbolicTurn => self.begin_turn(group, runtime::hyperbolic_turn_address()),
        }
    }

    fn begin_turn(&mut self, group: &GroupPlan, function: u64) {
        let angles = Place::workspace(self.sketch.layout.arguments);
        let to = self.code.address(angles);
        let numbers = self.assemble(group.width, &group.plain);
        self.code.store(to, numbers);
        let [sines, cosines] = [0, 1].map(|i| self.sketch.layout.packs[group.results[i]].at(0));
        let count = match group.width {
            Width::One => 1,
            Width::Four => LANES as u64,
        };
        self.code
            .call(function, &[angles, sines, cosines], &[count]);
    }

    /// Keeps a number divided by what all orders are divided by.
    fn keep_reciprocal(&mut self, group: &GroupPlan, numerator: f64, divisor: Number) {
        let numerator = self.code.constant(group.width, numerator);
        let reciprocal = self.code.div(numerator, divisor);
        let to = self.code.address(Place::workspace(group.reciprocal));
        self.code.store(to, reciprocal);
    }

    fn times_reciprocal(&mut self, group: &GroupPlan, number: Number) -> Number {
        let from = self.code.address(Place::workspace(group.reciprocal));
        let reciprocal = self.code.load(group.width, from);
        self.code.mul(number, reciprocal)
    }

    /// Order k ≥ 1: the sum over earlier orders, and what depends on coefficients of order k.
    fn proceed(&mut self, group: &GroupPlan, sum: Option<Number>) -> Number {
        let (width, result) = (group.width, group.results[0]);
        match group.kind {
            Kind::Product => {
                let (a, b) = (group.operands[0], group.operands[1]);
                let sum = self.plus_newest(sum, a, b);
                let sum = self.plus_newest(sum, b, a);
                self.or_zero(width, sum)
            }
            Kind::Square => {
                let a = group.operands[0];
                if !self.reaches(a) {
                    return self.or_zero(width, sum);
                }
                let (newest, first) = (self.row(a), self.first_row(a));
                let twice = self.code.add(first, first);
                self.plus_product(sum, twice, newest)
            }
            Kind::Quotient => {
                let a = self.assemble(width, &group.plain);
                let mut rest = self.less(a, sum);
                if self.reaches(group.operands[0]) {
                    let (newest, first) = (self.row(group.operands[0]), self.first_row(result));
                    rest = self.code.neg_mul_add(newest, first, rest);
                }
                self.times_reciprocal(group, rest)
            }
            Kind::Root => {
                let a = self.assemble(width, &group.plain);
                let rest = self.less(a, sum);
                self.times_reciprocal(group, rest)
            }
            // Turns have sums of their own.
            Kind::Growth | Kind::Turn | Kind::HyperbolicTurn => {
                let sum = self.plus_newest(sum, group.operands[0], result);
                let sum = self.or_zero(width, sum);
                let inverse = self.inverse(width);
                self.code.mul(sum, inverse)
            }
        }
    }

    /// sum + a_k b_0
    fn plus_newest(&mut self, sum: Option<Number>, a: Pack, b: Pack) -> Option<Number> {
        if !self.reaches(a) {
            return sum;
        }
        let (newest, first) = (self.row(a), self.first_row(b));
        Some(self.plus_product(sum, newest, first))
    }

    fn or_zero(&mut self, width: Width, sum: Option<Number>) -> Number {
        match sum {
            Some(sum) => sum,
            None => self.code.constant(width, 0.0),
        }
    }

    /// a − sum
    fn less(&mut self, a: Number, sum: Option<Number>) -> Number {
        match sum {
            Some(sum) => self.code.sub(a, sum),
            None => a,
        }
    }

    /// s_k = (1/k) Σ_(0<j<k) q_j c_(k−j) + u_k c_0 and c_k = ∓(1/k) Σ_(0<j<k) q_j s_(k−j) ∓ u_k s_0
    /// for the angle u and q = Θu.
    fn turn(&mut self, group: &GroupPlan, sines: Option<Number>, cosines: Option<Number>) {
        let width = group.width;
        let is_circular = group.kind == Kind::Turn;
        let inverse = self.inverse(width);
        let [mut sine, mut cosine] = [sines, cosines].map(|sum| match sum {
            Some(sum) => self.code.mul(sum, inverse),
            None => self.code.constant(width, 0.0),
        });
        if is_circular {
            cosine = self.code.neg(cosine);
        }
        if self.reaches(group.operands[0]) {
            let angle = match self.source(group.operands[0]) {
                Some(angle) => angle,
                None => self.assemble(width, &group.plain),
            };
            let [first_sine, first_cosine] = [0, 1].map(|i| self.first_row(group.results[i]));
            sine = self.code.mul_add(angle, first_cosine, sine);
            cosine = if is_circular {
                self.code.neg_mul_add(angle, first_sine, cosine)
            } else {
                self.code.mul_add(angle, first_sine, cosine)
            };
        }
        self.put(group.results[0], sine);
        self.put(group.results[1], cosine);
    }
}
