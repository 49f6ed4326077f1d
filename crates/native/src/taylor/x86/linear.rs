//! Coefficients that take no sum.

use rattleback_compile::taylor::{Degree, Rule, Series};

use super::code::{Operation, Vector};
use super::emit::Emitter;
use crate::taylor::cache::Content;
use crate::taylor::layout::Place;

impl Emitter<'_, '_> {
    /// A coefficient that takes no sum.
    pub(super) fn linear(&mut self, series: Series, k: usize) {
        let Some(own) = self.layout.value(series, k) else {
            return;
        };
        let width = self.layout.width;
        let rule = self.layout.plan.rules()[series as usize];
        if let (Rule::Integral { start, .. }, 0) = (rule, k) {
            self.start(start, own);
            return;
        }
        let d = self.cache.claim(Content::Value(series), k);
        match rule {
            Rule::Add(..) | Rule::Sub(..) if self.fused(d, rule, k) => {}
            Rule::Add(a, b) => self.sum(Operation::Add, d, a, b, k),
            Rule::Sub(a, b) => self.sum(Operation::Sub, d, a, b, k),
            Rule::Neg(a) => {
                self.code.zero(0);
                let a = self.operand(a, k);
                if let Some(a) = a {
                    self.code.apply(Operation::Sub, width, d, 0, a);
                } else {
                    self.code.zero(d);
                }
            }
            Rule::Theta(a) => {
                let order = self.layout.constant(k as f64);
                self.multiple(d, a, k, order);
            }
            Rule::Mul(a, b) => {
                let constant = self.layout.degree(a) == Degree::CONSTANT;
                let (factor, other) = if constant { (a, b) } else { (b, a) };
                self.scale(d, factor, other, k);
            }
            Rule::Square(a) => self.scale(d, a, a, k),
            Rule::Div(a, b) => self.divide(d, a, b, k, series),
            Rule::Integral { rate, .. } => {
                let inverse = self.layout.constant(1.0 / k as f64);
                self.multiple(d, rate, k, inverse);
            }
            // Given, or worked out in groups and blocks.
            _ => return,
        }
        self.code.store(width, own, d);
    }

    /// d = a_k ± f_0 x_k, where nobody else asks for f·x; false elsewhere.
    fn fused(&mut self, d: Vector, rule: Rule, k: usize) -> bool {
        let Some((rest, f, x)) = self.layout.fused(rule) else {
            return false;
        };
        let width = self.layout.width;
        self.load_or_zero(width, d, rest, k);
        if let (Some(f), Some(x)) = (self.layout.value(f, 0), self.operand(x, k)) {
            let x = self.in_register(width, 0, x);
            let operation = match rule {
                Rule::Sub(..) => Operation::NegMulAdd,
                _ => Operation::MulAdd,
            };
            self.code.apply(operation, width, d, x, f);
        }
        true
    }

    fn sum(&mut self, operation: Operation, d: Vector, a: Series, b: Series, k: usize) {
        let width = self.layout.width;
        let (a, b) = (self.operand(a, k), self.operand(b, k));
        match (a, b) {
            (None, None) => self.code.zero(d),
            (Some(a), None) => {
                let a = self.in_register(width, 0, a);
                self.code.copy(width, d, a);
            }
            (None, Some(b)) => {
                self.code.zero(0);
                self.code.apply(operation, width, d, 0, b);
            }
            (Some(a), Some(b)) => {
                let a = self.in_register(width, 0, a);
                self.code.apply(operation, width, d, a, b);
            }
        }
    }

    /// d = a_k times a number in memory.
    fn multiple(&mut self, d: Vector, a: Series, k: usize, factor: Place) {
        let width = self.layout.width;
        match self.operand(a, k) {
            Some(a) => {
                let a = self.in_register(width, 0, a);
                self.code.apply(Operation::Mul, width, d, a, factor);
            }
            None => self.code.zero(d),
        }
    }

    /// d = f_0 a_k, where f is constant.
    fn scale(&mut self, d: Vector, factor: Series, a: Series, k: usize) {
        match self.layout.value(factor, 0) {
            Some(factor) => self.multiple(d, a, k, factor),
            None => self.code.zero(d),
        }
    }

    /// d = a_k/b_0, where b is constant: by the reciprocal from order 1 on.
    fn divide(&mut self, d: Vector, a: Series, b: Series, k: usize, own: Series) {
        let width = self.layout.width;
        let zero = self.layout.constant(0.0);
        let divisor = self.layout.value(b, 0).unwrap_or(zero);
        if k > 0 {
            match self.reciprocals[own as usize] {
                Some(place) => self.multiple(d, a, k, Place::workspace(place)),
                None => self.code.zero(d),
            }
            return;
        }
        if self.layout.degree(a) != Degree::CONSTANT {
            let place = self.layout.reserve(width.bytes());
            let one = self.layout.constant(1.0);
            self.code.load(width, 1, one);
            self.code.apply(Operation::Div, width, 1, 1, divisor);
            self.code.store(width, Place::workspace(place), 1);
            self.reciprocals[own as usize] = Some(place);
        }
        self.load_or_zero(width, 0, a, 0);
        self.code.apply(Operation::Div, width, d, 0, divisor);
    }
}
