//! Conditions on parameters and free coordinates under which a solution is real.

use rattleback_symbolic::{Expr, Kind, Rational, Sign, Symbol};
use std::fmt;

/// `greater > less`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// The greater side.
    pub greater: Expr,
    /// The other.
    pub less: Expr,
}

impl Relation {
    /// An expression is positive: the terms with a minus go to the other side.
    pub(crate) fn positive(e: &Expr) -> Self {
        let (mut greater, mut less) = (Vec::new(), Vec::new());
        match e.kind() {
            Kind::Sum(c, terms) => {
                let all = terms.iter().map(|(t, c)| (c.clone(), Expr::from(c) * t));
                let all = all.chain([(c.clone(), Expr::from(c))]);
                for (c, term) in all {
                    match c.is_negative() {
                        true => less.push(-term),
                        false => greater.push(term),
                    }
                }
            }
            _ => greater.push(e.clone()),
        }
        Self {
            greater: Expr::sum(greater),
            less: Expr::sum(less),
        }
    }

    /// −1 < k < 1, with even powers of one factor brought to the other side: g/(R Ω²) < 1 is Ω² > g/R.
    pub(crate) fn within_unit(k: &Expr) -> Vec<Self> {
        let even = match k.split_coefficient().1.kind() {
            Kind::Product(factors) => {
                let below = factors.iter().filter(|(_, r)| r.is_negative());
                let mut even = below.filter(|(_, r)| is_even(r));
                even.next().map(|(b, r)| b.powr(&-r))
            }
            _ => None,
        };
        let greater = even.unwrap_or_else(Expr::one);
        let side = |sign: i64| Self {
            greater: greater.clone(),
            less: crate::exact::tidy(&(sign * k * &greater)),
        };
        let both = [side(1), side(-1)];
        both.into_iter()
            .filter(|r| r.holds() != Some(true))
            .collect()
    }

    /// Greater less the other side.
    pub fn difference(&self) -> Expr {
        &self.greater - &self.less
    }

    /// Is it so by the assumptions, or never?
    pub fn holds(&self) -> Option<bool> {
        let difference = crate::exact::tidy(&self.difference());
        match difference.sign() {
            _ if difference.is_zero() => Some(false),
            Sign::Positive => Some(true),
            Sign::Negative | Sign::NonPositive => Some(false),
            _ => None,
        }
    }

    /// With values put in.
    pub(crate) fn substitute(&self, values: &[(Symbol, Expr)]) -> Self {
        Self {
            greater: self.greater.substitute(values),
            less: self.less.substitute(values),
        }
    }
}

fn is_even(r: &Rational) -> bool {
    (r * &Rational::new(1, 2)).is_integer()
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} > {}", self.greater, self.less)
    }
}
