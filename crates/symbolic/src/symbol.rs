//! Symbols: constants, time-dependent variables with their jets x, x', x'', and time.

use crate::Rational;
use crate::facts::{Fact, Facts};
use crate::hash::Mixer;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// What a symbol does as time passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Does not change: a parameter.
    Constant,
    /// Changes along a motion; its time derivative is the next jet.
    Variable,
    /// Time itself; its time derivative is 1.
    Time,
}

/// What is known about the sign of a real quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sign {
    /// Nothing.
    Unknown,
    /// Not zero.
    NonZero,
    /// Zero or above.
    NonNegative,
    /// Above zero.
    Positive,
    /// Zero or below.
    NonPositive,
    /// Below zero.
    Negative,
}

impl Sign {
    /// Known to be different from zero?
    pub fn is_nonzero(self) -> bool {
        matches!(self, Sign::NonZero | Sign::Positive | Sign::Negative)
    }
    /// Known to be at least zero?
    pub fn is_nonnegative(self) -> bool {
        matches!(self, Sign::NonNegative | Sign::Positive)
    }
    /// The sign of a number; zero is at least zero.
    pub fn of(r: &Rational) -> Self {
        if r.is_positive() {
            Sign::Positive
        } else if r.is_negative() {
            Sign::Negative
        } else {
            Sign::NonNegative
        }
    }
    /// The sign of the negative.
    pub fn opposite(self) -> Self {
        match self {
            Sign::Positive => Sign::Negative,
            Sign::Negative => Sign::Positive,
            Sign::NonNegative => Sign::NonPositive,
            Sign::NonPositive => Sign::NonNegative,
            Sign::NonZero | Sign::Unknown => self,
        }
    }
    /// What both say together of one quantity.
    pub fn and(self, other: Self) -> Self {
        use Sign::{Negative, NonNegative, NonPositive, NonZero, Positive, Unknown};
        match (self, other) {
            (Unknown, x) | (x, Unknown) => x,
            (Positive, _) | (_, Positive) => Positive,
            (Negative, _) | (_, Negative) => Negative,
            (NonZero, NonNegative) | (NonNegative, NonZero) => Positive,
            (NonZero, NonPositive) | (NonPositive, NonZero) => Negative,
            (x, _) => x,
        }
    }
}

#[derive(PartialEq, Eq)]
struct Data {
    hash: u64,
    order: u32,
    role: Role,
    sign: Sign,
    facts: Option<Arc<Facts>>,
    name: Box<str>,
}

/// A named real quantity. Two symbols are equal if name, jet order, role and what is assumed of them are.
///
/// ```
/// use rattleback_symbolic::Symbol;
/// let x = Symbol::variable("x");
/// assert_eq!(x.derivative().to_string(), "x'");
/// assert_eq!(x.derivative(), x.jet(1));
/// ```
#[derive(Clone)]
pub struct Symbol(Arc<Data>);

impl Symbol {
    /// A constant (parameter).
    pub fn constant(name: &str) -> Self {
        Self::build(name, 0, Role::Constant, Sign::Unknown, None)
    }

    /// A variable: something with a time derivative.
    pub fn variable(name: &str) -> Self {
        Self::build(name, 0, Role::Variable, Sign::Unknown, None)
    }

    /// The time `t`.
    pub fn time() -> Self {
        Self::build("t", 0, Role::Time, Sign::Unknown, None)
    }

    fn build(name: &str, order: u32, role: Role, sign: Sign, facts: Option<Arc<Facts>>) -> Self {
        let mut h = Mixer::default();
        name.hash(&mut h);
        (order, role, sign).hash(&mut h);
        if let Some(facts) = &facts {
            h.write_u64(facts.fingerprint());
        }
        Symbol(Arc::new(Data {
            hash: h.finish(),
            order,
            role,
            sign,
            facts,
            name: name.into(),
        }))
    }

    /// The same symbol with an assumption about its sign.
    pub fn with_sign(&self, sign: Sign) -> Self {
        let facts = self.0.facts.clone();
        Self::build(self.name(), self.order(), self.role(), sign, facts)
    }

    /// The same symbol with relations to others.
    pub(crate) fn with_facts(&self, facts: Arc<Facts>) -> Self {
        let (name, order, role) = (self.name(), self.order(), self.role());
        Self::build(name, order, role, self.sign(), Some(facts))
    }

    /// The same symbol with its sign, but without relations to others.
    pub fn plain(&self) -> Self {
        match &self.0.facts {
            None => self.clone(),
            Some(_) => Self::build(self.name(), self.order(), self.role(), self.sign(), None),
        }
    }

    /// The relations that it was declared with, and those that these are tied to.
    pub fn facts(&self) -> &[Fact] {
        self.source().map_or(&[], |f| f.all())
    }

    pub(crate) fn source(&self) -> Option<&Arc<Facts>> {
        self.0.facts.as_ref()
    }

    /// The next jet: x to x'. A constant has none of interest: see [`crate::Expr::total_derivative`].
    pub fn derivative(&self) -> Self {
        self.jet(self.order() + 1)
    }

    /// The jet of a given order of the same quantity.
    pub fn jet(&self, order: u32) -> Self {
        if order == self.order() {
            return self.clone();
        }
        // The sign of x says nothing about x'; a relation says which jet it is about.
        let facts = self.0.facts.clone();
        Self::build(self.name(), order, self.role(), Sign::Unknown, facts)
    }

    /// The name without primes.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// How many times the quantity has been differentiated.
    pub fn order(&self) -> u32 {
        self.0.order
    }

    /// What it does as time passes.
    pub fn role(&self) -> Role {
        self.0.role
    }

    /// What is assumed of its sign.
    pub fn sign(&self) -> Sign {
        self.0.sign
    }

    pub(crate) fn fingerprint(&self) -> u64 {
        self.0.hash
    }
}

impl PartialEq for Symbol {
    fn eq(&self, o: &Self) -> bool {
        Arc::ptr_eq(&self.0, &o.0) || self.0 == o.0
    }
}
impl Eq for Symbol {}

impl Hash for Symbol {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl PartialOrd for Symbol {
    fn partial_cmp(&self, o: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(o))
    }
}
impl Ord for Symbol {
    fn cmp(&self, o: &Self) -> std::cmp::Ordering {
        let facts = |s: &Self| s.source().map(|f| f.fingerprint());
        let key = |s: &Self| (s.role(), s.order(), s.sign(), facts(s));
        self.name()
            .cmp(o.name())
            .then_with(|| key(self).cmp(&key(o)))
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        (0..self.order()).try_for_each(|_| f.write_str("'"))
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
