//! Coefficients that take no sum.

use rattleback_compile::taylor::{Degree, Rule, Series};

use super::code::{Code, Number};
use super::emit::Emitter;
use crate::taylor::cache::Content;
use crate::taylor::layout::Place;

impl<'a> Emitter<'a, '_, '_> {
    /// A coefficient that takes no sum.
    pub(super) fn linear(&mut self, series: Series) {
        let Some(own) = self.own_place(series) else {
            return;
        };
        let width = self.width();
        let rule = self.sketch.layout.plan.rules()[series as usize];
        let number = match rule {
            Rule::Integral { start, .. } if self.order.is_first() => {
                if let Some(place) = self.sketch.layout.value(series, 0) {
                    self.start(start, place);
                }
                return;
            }
            Rule::Add(a, b) => match self.sketch.layout.fused(rule) {
                Some(parts) => self.fused(Code::mul_add, parts),
                None => self.combined(Code::add, a, b),
            },
            Rule::Sub(a, b) => match self.sketch.layout.fused(rule) {
                Some(parts) => self.fused(Code::neg_mul_add, parts),
                None => self.combined(Code::sub, a, b),
            },
            Rule::Neg(a) => {
                let a = self.operand(a);
                a.map(|a| self.code.neg(a))
            }
            Rule::Theta(a) => {
                let order = self.order_number(width);
                self.multiple(a, order)
            }
            Rule::Mul(a, b) => {
                let constant = self.sketch.layout.degree(a) == Degree::CONSTANT;
                let (factor, other) = if constant { (a, b) } else { (b, a) };
                self.scaled(factor, other)
            }
            Rule::Square(a) => self.scaled(a, a),
            Rule::Div(a, b) => self.divided(a, b, series),
            Rule::Integral { rate, .. } => {
                let inverse = self.inverse(width);
                self.multiple(rate, inverse)
            }
            // Given, or worked out in groups and blocks.
            _ => return,
        };
        let number = match number {
            Some(number) => number,
            None => self.code.constant(width, 0.0),
        };
        self.code.store(own, number);
        self.hold(Content::Value(series), number);
    }

    /// a_k + f_0 x_k or a_k − f_0 x_k, where f is constant.
    fn fused(
        &mut self,
        operation: fn(&mut Code<'a>, Number, Number, Number) -> Number,
        (rest, f, x): (Series, Series, Series),
    ) -> Option<Number> {
        let rest = self.operand(rest);
        let (Some(f), Some(x)) = (self.constant_value(f), self.operand(x)) else {
            return rest;
        };
        let rest = rest.unwrap_or_else(|| self.code.constant(self.width(), 0.0));
        Some(operation(&mut self.code, f, x, rest))
    }

    /// a_k + b_k or a_k − b_k
    fn combined(
        &mut self,
        operation: fn(&mut Code<'a>, Number, Number) -> Number,
        a: Series,
        b: Series,
    ) -> Option<Number> {
        match (self.operand(a), self.operand(b)) {
            (a, None) => a,
            (None, Some(b)) => {
                let zero = self.code.constant(self.width(), 0.0);
                Some(operation(&mut self.code, zero, b))
            }
            (Some(a), Some(b)) => Some(operation(&mut self.code, a, b)),
        }
    }

    fn multiple(&mut self, a: Series, factor: Number) -> Option<Number> {
        let a = self.operand(a)?;
        Some(self.code.mul(a, factor))
    }

    /// f_0 a_k, where f is constant.
    fn scaled(&mut self, factor: Series, a: Series) -> Option<Number> {
        let factor = self.constant_value(factor)?;
        self.multiple(a, factor)
    }

    /// The value of a series that is constant; none if it is zero.
    fn constant_value(&mut self, series: Series) -> Option<Number> {
        let place = self.sketch.layout.value(series, 0)?;
        let from = self.code.address(place);
        Some(self.code.load(self.width(), from))
    }

    /// a_k/b_0, where b is constant: by the reciprocal from order 1 on.
    fn divided(&mut self, a: Series, b: Series, own: Series) -> Option<Number> {
        let width = self.width();
        if !self.order.is_first() {
            let place = self.sketch.reciprocals[own as usize]?;
            let from = self.code.address(Place::workspace(place));
            let reciprocal = self.code.load(width, from);
            return self.multiple(a, reciprocal);
        }
        let divisor = match self.constant_value(b) {
            Some(divisor) => divisor,
            None => self.code.constant(width, 0.0),
        };
        if self.sketch.layout.degree(a) != Degree::CONSTANT {
            let place = self.sketch.layout.reserve(width.bytes());
            let one = self.code.constant(width, 1.0);
            let reciprocal = self.code.div(one, divisor);
            let to = self.code.address(Place::workspace(place));
            self.code.store(to, reciprocal);
            self.sketch.reciprocals[own as usize] = Some(place);
        }
        let a = self.operand_or_zero(a);
        Some(self.code.div(a, divisor))
    }
}
