//! Signs of exact constants and of functions of free rates, and matrices of them.

use super::polynomial::has_no_real_root;
use rattleback_symbolic::{
    Expr, Kind, Matrix, Sign, Symbol, enclose, normalize, prove_zero, together,
};
use std::cmp::Ordering;

/// The signs of expressions in which some rates are open: any real numbers, not all of them zero.
#[derive(Clone, Debug, Default)]
pub(super) struct Signs {
    open: Vec<Symbol>,
    /// Only zero is told from the rest: for formulas with parameters.
    generic: bool,
}

impl Signs {
    /// Of constants.
    #[cfg(test)]
    pub fn known() -> Self {
        Self::default()
    }

    /// With these rates open.
    pub fn with(open: Vec<Symbol>) -> Self {
        Self {
            open,
            generic: false,
        }
    }

    /// For formulas: what does not vanish identically counts as positive.
    pub fn generic() -> Self {
        Self {
            open: Vec::new(),
            generic: true,
        }
    }

    /// Is some rate open?
    pub fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// The sign; none where neither proof nor enclosure tells, or the rates decide.
    pub fn of(&self, e: &Expr) -> Option<Ordering> {
        if self.generic {
            return Some(match e.is_zero() || prove_zero(e).is_proven() {
                true => Ordering::Equal,
                false => Ordering::Greater,
            });
        }
        let used: Vec<&Symbol> = self.open.iter().filter(|s| e.contains(s)).collect();
        match used.as_slice() {
            [] => sign(e),
            [rate] if self.open.len() == 1 => self.by_factors(e, rate),
            _ if prove_zero(e).is_proven() => Some(Ordering::Equal),
            _ => match crate::exact::tidy(e).sign() {
                Sign::Positive => Some(Ordering::Greater),
                Sign::Negative => Some(Ordering::Less),
                _ => None,
            },
        }
    }

    /// The sign of a fraction in one rate that is not zero: each factor has one, or is squared.
    fn by_factors(&self, e: &Expr, rate: &Symbol) -> Option<Ordering> {
        if prove_zero(e).is_proven() {
            return Some(Ordering::Equal);
        }
        let e = together(&normalize(e));
        let (number, core) = e.split_coefficient();
        let factors = match core.kind() {
            Kind::Product(items) => items.to_vec(),
            _ => vec![(core, rattleback_symbolic::Rational::ONE)],
        };
        let mut found = sign(&Expr::from(number))?;
        for (base, power) in factors {
            let power = power.as_integer()?;
            let here = match base.as_symbol() == Some(rate) {
                true if power % 2 == 0 => Ordering::Greater,
                true => return None,
                false => definite(&base, rate)?,
            };
            if power % 2 != 0 && here == Ordering::Less {
                found = found.reverse();
            }
        }
        Some(found)
    }

    /// Is it zero?
    pub fn is_zero(&self, e: &Expr) -> bool {
        self.of(e) == Some(Ordering::Equal)
    }

    /// Are all of these different from zero, whatever the open rates?
    pub fn never_vanish(&self, all: &[Expr]) -> bool {
        all.iter().all(|e| self.differs_from_zero(e))
    }

    /// A single open rate is not zero itself, though it may have either sign.
    fn differs_from_zero(&self, e: &Expr) -> bool {
        let nonzero = |e: &Expr| self.of(e).is_some_and(|s| s != Ordering::Equal);
        match self.open.as_slice() {
            [rate] => nonzero(e) || nonzero(&(e * Expr::from(rate))),
            _ => nonzero(e),
        }
    }

    /// Is a symmetric matrix positive definite? By its leading minors.
    pub fn is_positive(&self, m: &Matrix) -> Option<bool> {
        for n in 1..=m.rows() {
            let first: Vec<usize> = (0..n).collect();
            let minor = rattleback_symbolic::determinant(&m.select(&first, &first)).ok()?;
            if self.of(&minor)? != Ordering::Greater {
                return Some(false);
            }
        }
        Some(true)
    }
}

/// The sign of a polynomial in one symbol that has no real root, but perhaps the root 0 an even number of times.
fn definite(p: &Expr, s: &Symbol) -> Option<Ordering> {
    if !p.contains(s) {
        return sign(p).filter(|o| *o != Ordering::Equal);
    }
    let p = p.coefficients(s).ok()?;
    let known = Signs::default();
    let zeros = p.iter().take_while(|e| known.is_zero(e)).count();
    let rest = &p[zeros..];
    let same = zeros % 2 == 0 && has_no_real_root(rest, &known)?;
    same.then(|| sign(rest.first()?)).flatten()
}

/// The sign of a constant; none where neither proof nor enclosure tells.
fn sign(e: &Expr) -> Option<Ordering> {
    if let Some(r) = e.as_number() {
        return Some(match (r.is_zero(), r.is_negative()) {
            (true, _) => Ordering::Equal,
            (false, true) => Ordering::Less,
            (false, false) => Ordering::Greater,
        });
    }
    match enclose(e) {
        Some(value) if value.low > 0.0 => Some(Ordering::Greater),
        Some(value) if value.high < 0.0 => Some(Ordering::Less),
        _ => prove_zero(e).is_proven().then_some(Ordering::Equal),
    }
}

/// In normal form.
pub(super) fn settled(e: &Expr) -> Expr {
    match e.as_number() {
        Some(_) => e.clone(),
        None => normalize(e),
    }
}
