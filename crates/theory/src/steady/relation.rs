//! Conditions on parameters and free coordinates under which a solution is real.

use rattleback_symbolic::{Expr, Kind, Rational, Sign, Symbol, enclose, prove_zero};
use std::fmt;

/// `greater > less`, or `greater >= less`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// The greater side.
    pub greater: Expr,
    /// The other.
    pub less: Expr,
    /// Does it hold where both sides are equal, too?
    pub or_equal: bool,
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
            or_equal: false,
        }
    }

    /// The same with its edge.
    pub(crate) fn with_edge(self) -> Self {
        Self {
            or_equal: true,
            ..self
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
            or_equal: false,
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
            _ if difference.is_zero() => Some(self.or_equal),
            Sign::Positive => Some(true),
            Sign::NonNegative if self.or_equal => Some(true),
            Sign::Negative => Some(false),
            Sign::NonPositive if !self.or_equal => Some(false),
            _ if difference.is_undefined() => Some(false),
            _ if difference.free_symbols().is_empty() => self.holds_of(&difference),
            _ => None,
        }
    }

    /// The same of a number.
    fn holds_of(&self, difference: &Expr) -> Option<bool> {
        match enclose(difference) {
            Some(e) if e.low > 0.0 => Some(true),
            Some(e) if e.high < 0.0 => Some(false),
            _ => prove_zero(difference).is_proven().then_some(self.or_equal),
        }
    }

    /// With values put in.
    pub(crate) fn substitute(&self, values: &[(Symbol, Expr)]) -> Self {
        Self {
            greater: self.greater.substitute(values),
            less: self.less.substitute(values),
            or_equal: self.or_equal,
        }
    }

    /// Does it hold wherever these do?
    pub(crate) fn follows_from(&self, known: &[Self]) -> bool {
        let difference = self.difference();
        let same = |r: &Self| {
            let gap = crate::exact::tidy(&(r.difference() - &difference));
            (self.or_equal || !r.or_equal) && gap.is_zero()
        };
        self.holds() == Some(true) || known.iter().any(same)
    }

    /// Does it hold for these numbers, surely?
    pub(crate) fn holds_at(&self, value: impl Fn(&Expr) -> Expr) -> bool {
        let difference = value(&self.difference());
        let above = enclose(&difference).is_some_and(|e| e.low > 0.0);
        above || (self.or_equal && prove_zero(&difference).is_proven())
    }
}

fn is_even(r: &Rational) -> bool {
    (r * &Rational::new(1, 2)).is_integer()
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.or_equal { ">=" } else { ">" };
        write!(f, "{} {sign} {}", self.greater, self.less)
    }
}
