//! Images of polynomials in one variable over a prime field, the others replaced by numbers.

use super::{Polynomial, monomial};
use crate::prove::field::{Element, Field};

struct Term {
    /// Power of the main variable.
    main: u32,
    coefficient: Element,
    /// The other variables that occur, with their exponents.
    powers: Vec<(usize, u32)>,
}

/// A polynomial reduced modulo p, ready for evaluation of all variables but `main`.
pub(crate) struct Image {
    terms: Vec<Term>,
    degree: u32,
}

impl Image {
    /// `others` are the variables that will get values, in the order of those values.
    pub(crate) fn new(p: &Polynomial, field: &Field, main: usize, others: &[usize]) -> Self {
        let terms = p.terms().map(|(m, c)| {
            let powers = others.iter().enumerate().filter_map(|(i, &g)| {
                let e = monomial::exponent(m, g);
                (e > 0).then_some((i, e))
            });
            Term {
                main: monomial::exponent(m, main),
                coefficient: field.integer(c),
                powers: powers.collect(),
            }
        });
        Self {
            terms: terms.collect(),
            degree: p.degree(main),
        }
    }

    /// The number of terms.
    pub(crate) fn len(&self) -> usize {
        self.terms.len()
    }

    /// The value of each term's coefficient and other variables at a point.
    pub(crate) fn values(&self, field: &Field, point: &[Element]) -> Vec<Element> {
        self.terms
            .iter()
            .map(|t| field.mul(t.coefficient, monomial_value(field, &t.powers, point)))
            .collect()
    }

    /// The value of each term's other variables alone: what one step along the powers of `point`
    /// multiplies [`Image::values`] by.
    pub(crate) fn steps(&self, field: &Field, point: &[Element]) -> Vec<Element> {
        self.terms
            .iter()
            .map(|t| monomial_value(field, &t.powers, point))
            .collect()
    }

    /// Adds the terms' values up by powers of the main variable.
    pub(crate) fn gather(&self, field: &Field, values: &[Element]) -> Vec<Element> {
        let mut p = vec![Element::ZERO; self.degree as usize + 1];
        for (t, v) in self.terms.iter().zip(values) {
            let c = &mut p[t.main as usize];
            *c = field.add(*c, *v);
        }
        p
    }

    /// The image at a point.
    pub(crate) fn at(&self, field: &Field, point: &[Element]) -> Vec<Element> {
        self.gather(field, &self.values(field, point))
    }
}

fn monomial_value(field: &Field, powers: &[(usize, u32)], point: &[Element]) -> Element {
    powers.iter().fold(field.one, |v, &(i, e)| {
        let power = match e {
            1 => point[i],
            _ => field.power(point[i], e.into()),
        };
        field.mul(v, power)
    })
}
