//! Assumptions: relations between symbols that the symbols themselves carry.
//!
//! A symbol knows the relations it was declared with, so no proof can forget them. The relations are
//! written in plain symbols, which carry signs but no relations: there is no cycle.

mod certificate;
mod region;
mod simplex;

pub use region::Region;

pub(crate) use certificate::sign_by_facts;

use crate::hash::Mixer;
use crate::prove::enclosed_sign;
use crate::{Expr, Map, Rational, Sign, Symbol};
use certificate::{Prover, closure};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// One assumption: an expression is positive, at least zero, or not zero.
///
/// ```
/// use rattleback_symbolic::{Expr, Fact, Rational, Sign, Symbol};
/// let [a, b] = ["a", "b"].map(Symbol::constant);
/// let fact = Fact::new(Expr::from(&a) - Expr::from(&b), Sign::Negative);
/// assert_eq!(fact.to_string(), "b - a > 0");
/// let point = [(a, Rational::from(1)), (b, Rational::from(2))];
/// assert_eq!(fact.holds_at(&point), Some(true));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    expression: Expr,
    sign: Sign,
}

impl Fact {
    /// The expression has this sign. What symbols carry beyond their sign is taken off.
    pub fn new(expression: Expr, sign: Sign) -> Self {
        let expression = plain(&expression);
        match sign {
            Sign::Negative | Sign::NonPositive => Self {
                expression: -expression,
                sign: sign.opposite(),
            },
            _ => Self { expression, sign },
        }
    }

    /// What is compared with zero, in plain symbols.
    pub fn expression(&self) -> &Expr {
        &self.expression
    }

    /// How it compares: positive, at least zero, or not zero.
    pub fn sign(&self) -> Sign {
        self.sign
    }

    /// Does it hold at a point? Nothing where a value is missing or cannot be told from zero.
    pub fn holds_at(&self, point: &[(Symbol, Rational)]) -> Option<bool> {
        let values: Vec<(Symbol, Expr)> = point
            .iter()
            .map(|(s, r)| (s.plain(), Expr::from(r)))
            .collect();
        let value = self.expression.substitute(&values);
        match value.as_number() {
            Some(r) => Some(self.allows(r)),
            None => {
                let found = enclosed_sign(&value)?;
                Some(found == Sign::Positive || self.sign == Sign::NonZero)
            }
        }
    }

    fn allows(&self, value: &Rational) -> bool {
        match self.sign {
            Sign::Positive => value.is_positive(),
            Sign::NonNegative => !value.is_negative(),
            Sign::NonZero => !value.is_zero(),
            _ => true,
        }
    }

    /// Does the sign of its only symbol say it already?
    fn is_plain(&self) -> bool {
        let (c, core) = self.expression.split_coefficient();
        let Some(s) = core.as_symbol() else {
            return self.expression.as_number().is_some();
        };
        let known = if c.is_negative() {
            s.sign().opposite()
        } else {
            s.sign()
        };
        known.and(self.sign) == known
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let relation = match self.sign {
            Sign::Positive => ">",
            Sign::NonNegative => ">=",
            _ => "!=",
        };
        write!(f, "{} {relation} 0", self.expression)
    }
}

/// The relations that a symbol carries: those of its connected component.
#[derive(PartialEq, Eq)]
pub(crate) struct Facts {
    hash: u64,
    all: Box<[Fact]>,
}

impl Facts {
    /// In an order that does not depend on that of the statements.
    fn new(mut all: Vec<Fact>) -> Self {
        all.sort_by_key(|f| (f.expression.0.hash, f.sign));
        all.dedup();
        let mut h = Mixer::default();
        for f in &all {
            (f.expression.0.hash, f.sign).hash(&mut h);
        }
        Self {
            hash: h.finish(),
            all: all.into(),
        }
    }

    pub(crate) fn all(&self) -> &[Fact] {
        &self.all
    }

    pub(crate) fn fingerprint(&self) -> u64 {
        self.hash
    }
}

/// The expression with symbols that carry no relations.
pub(crate) fn plain(e: &Expr) -> Expr {
    let pairs: Vec<(Symbol, Expr)> = e
        .free_symbols()
        .into_iter()
        .filter(|s| !s.facts().is_empty())
        .map(|s| (s.clone(), s.plain().into()))
        .collect();
    match pairs.is_empty() {
        true => e.clone(),
        false => e.substitute(&pairs),
    }
}

/// The relations that hold between these symbols and those that they are tied to.
///
/// ```
/// use rattleback_symbolic::{Assumptions, Expr, Fact, Sign, Symbol, facts_of};
/// let [a, b] = ["a", "b"].map(Symbol::constant);
/// let above = Fact::new(Expr::from(&a) - Expr::from(&b), Sign::Positive);
/// let a = Assumptions::new(&[above.clone()]).apply(&a);
/// assert_eq!(facts_of(&[a]), [above]);
/// assert!(facts_of(&[b]).is_empty());
/// ```
pub fn facts_of(symbols: &[Symbol]) -> Vec<Fact> {
    closure(symbols).into_iter().map(|(f, _)| f).collect()
}

/// A set of assumptions, ready to be given to symbols.
///
/// ```
/// use rattleback_symbolic::{Assumptions, Expr, Fact, Sign, Symbol};
/// let [a, b] = ["a", "b"].map(Symbol::constant);
/// let above = Fact::new(Expr::from(&a) - Expr::from(&b), Sign::Positive);
/// let given = Assumptions::new(&[above]);
/// let [a, b] = [a, b].map(|s| Expr::from(given.apply(&s)));
/// assert_eq!((&a - &b).sign(), Sign::Positive);
/// assert_eq!(((&b - &a) * 2).sign(), Sign::Negative);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Assumptions {
    /// By name: the sign that follows, and the relations.
    by_name: Map<String, (Sign, Arc<Facts>)>,
}

impl Assumptions {
    /// What the facts say together. A fact about the sign of one symbol that the symbol has already adds
    /// nothing.
    pub fn new(facts: &[Fact]) -> Self {
        let open: Vec<Fact> = facts.iter().filter(|f| !f.is_plain()).cloned().collect();
        let signs = implied_signs(&open);
        let sharper: Vec<(Symbol, Expr)> = signs
            .iter()
            .map(|(s, sign)| (s.clone(), s.with_sign(*sign).into()))
            .collect();
        let sharp = open.iter().map(|f| Fact {
            expression: f.expression.substitute(&sharper),
            sign: f.sign,
        });
        let mut by_name = Map::default();
        for component in components(sharp.collect()) {
            let facts = Arc::new(Facts::new(component));
            for s in facts.all.iter().flat_map(|f| f.expression.free_symbols()) {
                by_name
                    .entry(s.name().to_owned())
                    .or_insert((Sign::Unknown, Arc::clone(&facts)));
            }
        }
        for (s, sign) in signs {
            if let Some(entry) = by_name.get_mut(s.name()) {
                entry.0 = sign;
            }
        }
        Self { by_name }
    }

    /// The symbol with what is assumed of it.
    pub fn apply(&self, symbol: &Symbol) -> Symbol {
        match self.by_name.get(symbol.name()) {
            Some((sign, facts)) if symbol.order() == 0 => symbol
                .with_sign(symbol.sign().and(*sign))
                .with_facts(Arc::clone(facts)),
            Some((_, facts)) => symbol.with_facts(Arc::clone(facts)),
            None => symbol.clone(),
        }
    }

    /// Which of the facts contradict each other, where an exact certificate for it was found.
    ///
    /// ```
    /// use rattleback_symbolic::{Assumptions, Expr, Fact, Sign, Symbol};
    /// let [a, b, c] = ["a", "b", "c"].map(|n| Expr::from(Symbol::constant(n)));
    /// let facts = [&a - &b, c.clone(), &b - &a - 1].map(|e| Fact::new(e, Sign::Positive));
    /// assert_eq!(Assumptions::contradiction(&facts), Some(vec![0, 2]));
    /// assert_eq!(Assumptions::contradiction(&facts[..2]), None);
    /// ```
    pub fn contradiction(facts: &[Fact]) -> Option<Vec<usize>> {
        certificate::contradiction(facts)
    }
}

impl fmt::Debug for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.all.iter()).finish()
    }
}

/// Signs of single symbols that the relations imply together.
fn implied_signs(facts: &[Fact]) -> Vec<(Symbol, Sign)> {
    let expressions: Vec<Expr> = facts.iter().map(|f| f.expression.clone()).collect();
    let prover = Prover::new(facts.to_vec());
    crate::free_symbols(&expressions)
        .into_iter()
        .filter(|s| s.order() == 0)
        .filter_map(|s| {
            let sign = s.sign().and(prover.sign(&Expr::from(&s)));
            (sign != s.sign()).then_some((s, sign))
        })
        .collect()
}

/// Relations that share a name, directly or through others, stay together.
fn components(facts: Vec<Fact>) -> Vec<Vec<Fact>> {
    let mut groups: Vec<(Vec<String>, Vec<Fact>)> = Vec::new();
    for fact in facts {
        let symbols = fact.expression.free_symbols();
        let mut names: Vec<String> = symbols.iter().map(|s| s.name().to_owned()).collect();
        let mut all = vec![fact];
        let mut apart = Vec::new();
        for (n, f) in groups {
            if n.iter().any(|x| names.contains(x)) {
                names.extend(n);
                all.extend(f);
            } else {
                apart.push((n, f));
            }
        }
        apart.push((names, all));
        groups = apart;
    }
    groups.into_iter().map(|(_, f)| f).collect()
}
