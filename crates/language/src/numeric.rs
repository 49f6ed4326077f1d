//! Values of the parameters: exact, in the order in which they can be worked out.

use std::cmp::Ordering;
use std::collections::HashMap;

use rattleback_symbolic::{Expr, Symbol};

use crate::model::Model;

/// The values of all parameters, as exact constants.
#[derive(Clone, Debug, Default)]
pub struct Values {
    pairs: Vec<(Symbol, Expr)>,
    index: HashMap<Symbol, usize>,
}

impl Values {
    /// The values that a model gives to its parameters.
    pub fn of(model: &Model) -> Self {
        let mut values = Values::default();
        for parameter in &model.parameters {
            let value = values.at(&parameter.value);
            values
                .index
                .insert(parameter.symbol.clone(), values.pairs.len());
            values.pairs.push((parameter.symbol.clone(), value));
        }
        values
    }

    /// The value of a parameter.
    pub fn get(&self, symbol: &Symbol) -> Option<&Expr> {
        self.index.get(symbol).map(|&i| &self.pairs[i].1)
    }

    /// Parameters with their values.
    pub fn pairs(&self) -> &[(Symbol, Expr)] {
        &self.pairs
    }

    /// An expression at these values.
    pub fn at(&self, e: &Expr) -> Expr {
        let symbols = e.free_symbols();
        let pairs: Vec<(Symbol, Expr)> = symbols
            .into_iter()
            .filter_map(|s| self.get(&s).cloned().map(|value| (s, value)))
            .collect();
        if pairs.is_empty() {
            e.clone()
        } else {
            e.substitute(&pairs)
        }
    }

    /// The floating-point value of a constant expression in the parameters.
    pub fn number(&self, e: &Expr) -> Option<f64> {
        self.at(e).evaluate(&[]).ok()
    }

    /// A short text of the value of an expression.
    pub(crate) fn shown(&self, e: &Expr) -> String {
        match self.number(e) {
            Some(number) => number.to_string(),
            None => "the value".to_owned(),
        }
    }
}

/// How two expressions compare at the parameter values; none if they are not constant.
pub(crate) fn compare(a: &Expr, b: &Expr, values: &Values) -> Option<Ordering> {
    let difference = values.at(&(a - b));
    match difference.as_number() {
        Some(number) => Some(number.cmp(&rattleback_symbolic::Rational::ZERO)),
        None => difference.evaluate(&[]).ok()?.partial_cmp(&0.0),
    }
}
