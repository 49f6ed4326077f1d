//! Signs that follow from relations, each with an exact certificate.
//!
//! An expression is positive if it is a sum, with positive weights, of products of what is known to be
//! positive (Handelman, Krivine); the weights are found by linear programming over rational numbers.

use super::region::Region;
use super::simplex::conic_combination;
use super::{Fact, Facts, plain};
use crate::node::Kind;
use crate::sign::times;
use crate::work::{cancelled, uncounted};
use crate::{
    Budget, Expr, Map, Rational, Sign, Symbol, Tape, cancel_within, expand_within, free_symbols,
};
use std::cell::RefCell;
use std::sync::Arc;

/// Larger expressions are not looked at.
const MAX_NODES: usize = 120;
/// Products of known quantities that are tried.
const MAX_PRODUCTS: usize = 300;
/// Rows and columns of a linear program.
const MAX_SIZE: usize = 80;
/// Degree of products beyond which none are tried.
const MAX_DEGREE: u32 = 4;
/// Known quantities by which an expression is divided, one after the other.
const MAX_FACTORS: usize = 6;
/// Points that tell which sign is worth a proof.
const POINTS: usize = 6;
/// Remembered signs.
const MEMORY: usize = 4_096;

const CHEAP: Budget = Budget {
    terms: 200,
    work: 20_000,
};

/// The relations tied to the symbols, directly or through others, each with where it came from.
pub(super) fn closure(symbols: &[Symbol]) -> Vec<(Fact, Arc<Facts>)> {
    let mut sources: Vec<&Arc<Facts>> = symbols.iter().filter_map(Symbol::source).collect();
    sources.sort_by_key(|f| f.fingerprint());
    sources.dedup();
    let mut waiting: Vec<(&Fact, &Arc<Facts>, Vec<Symbol>)> = sources
        .iter()
        .flat_map(|&f| f.all().iter().map(move |fact| (fact, f)))
        .map(|(fact, f)| (fact, f, fact.expression().free_symbols()))
        .collect();
    let mut reached: Vec<Symbol> = symbols.iter().map(Symbol::plain).collect();
    let mut found = Vec::new();
    loop {
        let (near, far): (Vec<_>, Vec<_>) = waiting
            .into_iter()
            .partition(|(_, _, s)| s.iter().any(|s| reached.contains(s)));
        if near.is_empty() {
            return found;
        }
        for (fact, source, symbols) in near {
            reached.extend(symbols);
            found.push((fact.clone(), Arc::clone(source)));
        }
        waiting = far;
    }
}

/// The sign of an expression that follows from the relations of its symbols.
pub(crate) fn sign_by_facts(e: &Expr) -> Sign {
    thread_local! {
        static KNOWN: RefCell<Map<Expr, Sign>> = RefCell::new(Map::default());
    }
    if let Some(sign) = KNOWN.with_borrow(|known| known.get(e).copied()) {
        return sign;
    }
    // What is kept for the next one who asks counts for nobody.
    let sign = uncounted(|| {
        let facts = super::facts_of(&e.free_symbols());
        match facts.is_empty() || e.node_count() > MAX_NODES {
            true => Sign::Unknown,
            false => Prover::new(facts).sign(&plain(e)),
        }
    });
    if cancelled() {
        return Sign::Unknown;
    }
    KNOWN.with_borrow_mut(|known| {
        if known.len() >= MEMORY {
            known.clear();
        }
        known.insert(e.clone(), sign);
    });
    sign
}

/// A sum as weights of terms; the constant belongs to the term 1.
type Terms = Map<Expr, Rational>;

fn terms(e: &Expr) -> Option<Terms> {
    let expanded = expand_within(e, CHEAP)?;
    let mut all = Terms::default();
    match expanded.kind() {
        Kind::Sum(c, terms) => {
            all.extend(terms.iter().cloned());
            if !c.is_zero() {
                all.insert(Expr::one(), c.clone());
            }
        }
        Kind::Undefined => return None,
        _ => {
            let (c, core) = expanded.split_coefficient();
            if !c.is_zero() {
                all.insert(core, c);
            }
        }
    }
    Some(all)
}

/// The bases of a term with their exponents; what has no positive whole exponent counts as one thing.
fn bases(term: &Expr) -> Vec<(Expr, u32)> {
    let one = |base: &Expr, r: &Rational| match r.as_integer().and_then(|k| u32::try_from(k).ok()) {
        Some(k) => (base.clone(), k),
        None => (base.powr(r), 1),
    };
    match term.kind() {
        Kind::Number(_) => Vec::new(),
        Kind::Product(factors) => factors.iter().map(|(b, r)| one(b, r)).collect(),
        _ => vec![(term.clone(), 1)],
    }
}

fn degree(terms: &Terms) -> u32 {
    let of = |t: &Expr| bases(t).iter().map(|(_, k)| k).sum();
    terms.keys().map(of).max().unwrap_or(0)
}

/// Something that is at least zero.
#[derive(Clone)]
struct Known {
    expression: Expr,
    degree: u32,
    /// Never zero?
    strict: bool,
}

/// Proves signs from a set of relations in plain symbols.
pub(super) struct Prover {
    facts: Vec<Fact>,
}

impl Prover {
    pub(super) fn new(facts: Vec<Fact>) -> Self {
        Self { facts }
    }

    /// The sign that follows, if one is found.
    pub(super) fn sign(&self, e: &Expr) -> Sign {
        let mut rest = e.clone();
        let mut sign = Sign::Positive;
        for _ in 0..MAX_FACTORS {
            let Some((factor, quotient)) = self.divide(&rest) else {
                break;
            };
            sign = times(sign, factor);
            rest = quotient;
        }
        let (c, core) = rest.split_coefficient();
        let known = match core.is_one() {
            true => Sign::Positive,
            false => core.sign().and(self.of_sum(&core)),
        };
        times(sign, times(Sign::of(&c), known))
    }

    /// A relation that divides the expression: its sign, and the quotient.
    fn divide(&self, e: &Expr) -> Option<(Sign, Expr)> {
        let symbols = e.free_symbols();
        self.facts.iter().find_map(|f| {
            let inside = |s: &Symbol| symbols.contains(s);
            if !f.expression.free_symbols().iter().all(inside) {
                return None;
            }
            let quotient = cancel_within(&(e / &f.expression), CHEAP)?;
            let shorter = quotient.node_count() < e.node_count();
            (shorter && is_whole(&quotient)).then_some((f.sign, quotient))
        })
    }

    /// The sign of an irreducible sum.
    fn of_sum(&self, e: &Expr) -> Sign {
        let (may_be_positive, may_be_negative) = self.seen(e);
        if may_be_positive && may_be_negative {
            return Sign::Unknown;
        }
        if !may_be_negative {
            let found = self.lower_bound(e);
            if found != Sign::Unknown {
                return found;
            }
        }
        if !may_be_positive {
            return self.lower_bound(&-e).opposite();
        }
        Sign::Unknown
    }

    /// Which signs occur at a few points that satisfy the relations? No proof, but it spares many.
    fn seen(&self, e: &Expr) -> (bool, bool) {
        let region = Region::with_facts(&e.free_symbols(), &self.facts);
        let Ok(tape) = Tape::new(region.symbols(), std::slice::from_ref(e)) else {
            return (false, false);
        };
        let values = region.points().take(POINTS).map(|point| {
            let inputs: Vec<f64> = point.iter().map(Rational::to_f64).collect();
            tape.evaluate(&inputs)[0]
        });
        values.fold((false, false), |(plus, minus), v| {
            (plus || v > 1e-12, minus || v < -1e-12)
        })
    }

    /// Positive or at least zero, by a sum of products of known quantities; also after a multiplication by
    /// something positive.
    fn lower_bound(&self, e: &Expr) -> Sign {
        let found = self.sum_of_products(e);
        if found != Sign::Unknown {
            return found;
        }
        let Some(target) = terms(e) else {
            return Sign::Unknown;
        };
        let known = self.known(&target);
        let multipliers = known.iter().filter(|k| k.strict).take(MAX_FACTORS);
        multipliers
            .map(|k| self.sum_of_products(&(e * &k.expression)))
            .find(|sign| *sign != Sign::Unknown)
            .unwrap_or(Sign::Unknown)
    }

    fn sum_of_products(&self, e: &Expr) -> Sign {
        let Some(target) = terms(e) else {
            return Sign::Unknown;
        };
        let known = self.known(&target);
        let most = degree(&target).clamp(1, MAX_DEGREE);
        let Some(products) = products(&known, most) else {
            return Sign::Unknown;
        };
        let Some(weights) = combine(&products, &target) else {
            return Sign::Unknown;
        };
        let strict = products.iter().zip(&weights);
        match strict
            .into_iter()
            .any(|(p, w)| p.0.strict && w.is_positive())
        {
            true => Sign::Positive,
            false => Sign::NonNegative,
        }
    }

    /// What is at least zero: the relations, the bases of known sign, and the squares of the others.
    fn known(&self, target: &Terms) -> Vec<Known> {
        let mut known = Vec::new();
        let mut atoms: Vec<Expr> = target.keys().cloned().collect();
        for f in &self.facts {
            let Some(t) = terms(&f.expression).filter(|_| f.sign.is_nonnegative()) else {
                continue;
            };
            known.push(Known {
                expression: f.expression.clone(),
                degree: degree(&t),
                strict: f.sign == Sign::Positive,
            });
            atoms.extend(t.into_keys());
        }
        let mut seen: Vec<Expr> = Vec::new();
        for (base, _) in atoms.iter().flat_map(bases) {
            if !seen.contains(&base) {
                seen.push(base);
            }
        }
        // The order of the bases must not depend on that of a hash table.
        seen.sort_by_key(|b| b.0.hash);
        for base in seen {
            let sign = base.sign();
            let (expression, degree) = match sign {
                Sign::Positive | Sign::NonNegative => (base, 1),
                Sign::Negative | Sign::NonPositive => (-base, 1),
                Sign::NonZero | Sign::Unknown => (base.powi(2), 2),
            };
            known.push(Known {
                expression,
                degree,
                strict: sign.is_nonzero(),
            });
        }
        known
    }
}

/// Has it no denominator?
fn is_whole(e: &Expr) -> bool {
    crate::postorder(std::slice::from_ref(e), |_| true)
        .iter()
        .all(|n| match n.kind() {
            Kind::Product(factors) => factors.iter().all(|(_, r)| !r.is_negative()),
            _ => true,
        })
}

/// A product with its terms, and which known quantities it is made of.
type Product = (Known, Terms, Vec<usize>);

/// All products up to a degree, the constant 1 among them; nothing where they are too many.
fn products(known: &[Known], most: u32) -> Option<Vec<Product>> {
    let one = Known {
        expression: Expr::one(),
        degree: 0,
        strict: true,
    };
    let mut all: Vec<(Known, Vec<usize>)> = vec![(one, Vec::new())];
    for (i, k) in known.iter().enumerate().filter(|(_, k)| k.degree > 0) {
        // Those made of earlier quantities, times powers of this one.
        let mut last = all.clone();
        loop {
            let next: Vec<(Known, Vec<usize>)> = last
                .iter()
                .filter(|(p, _)| p.degree + k.degree <= most)
                .map(|(p, parts)| {
                    let product = Known {
                        expression: &p.expression * &k.expression,
                        degree: p.degree + k.degree,
                        strict: p.strict && k.strict,
                    };
                    (product, [parts.as_slice(), &[i]].concat())
                })
                .collect();
            if next.is_empty() {
                break;
            }
            if all.len() + next.len() > MAX_PRODUCTS {
                return None;
            }
            all.extend(next.iter().cloned());
            last = next;
        }
    }
    let with_terms = all.into_iter().filter_map(|(p, parts)| {
        let t = terms(&p.expression)?;
        Some((p, t, parts))
    });
    Some(with_terms.collect())
}

/// Weights of the products that add up to the target.
fn combine(products: &[Product], target: &Terms) -> Option<Vec<Rational>> {
    let columns: Vec<&Terms> = products.iter().map(|(_, t, _)| t).collect();
    let used = useful(&columns, target);
    let mut rows: Vec<&Expr> = target.keys().collect();
    for &j in &used {
        rows.extend(columns[j].keys().filter(|t| !target.contains_key(*t)));
    }
    rows.sort_by_key(|t| t.0.hash);
    rows.dedup();
    if rows.len() > MAX_SIZE || used.len() > MAX_SIZE {
        return None;
    }
    let entry = |t: &Terms, row: &Expr| t.get(row).cloned().unwrap_or(Rational::ZERO);
    let vector = |t: &Terms| rows.iter().map(|row| entry(t, row)).collect();
    let table: Vec<Vec<Rational>> = used.iter().map(|&j| vector(columns[j])).collect();
    let strict: Vec<bool> = used.iter().map(|&j| products[j].0.strict).collect();
    let found = conic_combination(&table, &vector(target), &strict)?;
    let mut weights = vec![Rational::ZERO; products.len()];
    for (j, w) in used.into_iter().zip(found) {
        weights[j] = w;
    }
    Some(weights)
}

/// The columns that can have a weight: a term that the target does not have must be able to cancel.
fn useful(columns: &[&Terms], target: &Terms) -> Vec<usize> {
    let mut used: Vec<usize> = (0..columns.len()).collect();
    loop {
        let mut signs: Map<&Expr, (bool, bool)> = Map::default();
        for (t, c) in used.iter().flat_map(|&j| columns[j]) {
            let entry = signs.entry(t).or_default();
            entry.0 |= c.is_positive();
            entry.1 |= c.is_negative();
        }
        let cancels = |t: &Expr| target.contains_key(t) || signs.get(t) == Some(&(true, true));
        let left: Vec<usize> = used
            .iter()
            .copied()
            .filter(|&j| columns[j].keys().all(cancels))
            .collect();
        if left.len() == used.len() {
            return left;
        }
        used = left;
    }
}

/// Which facts contradict each other: a sum of products, one of them strict, that is zero.
pub(super) fn contradiction(facts: &[Fact]) -> Option<Vec<usize>> {
    let bare: Vec<Fact> = facts.iter().map(without_signs).collect();
    if let Some(i) = bare.iter().position(is_false) {
        return Some(vec![i]);
    }
    let mut culprits: Vec<usize> = (0..bare.len()).collect();
    if !is_contradictory(&bare) {
        return None;
    }
    for i in 0..bare.len() {
        let without: Vec<usize> = culprits.iter().copied().filter(|&k| k != i).collect();
        let rest: Vec<Fact> = without.iter().map(|&k| bare[k].clone()).collect();
        if is_contradictory(&rest) {
            culprits = without;
        }
    }
    Some(culprits)
}

fn is_false(f: &Fact) -> bool {
    f.expression.as_number().is_some_and(|r| !f.allows(r))
}

/// The same relation between symbols of unknown sign.
fn without_signs(f: &Fact) -> Fact {
    let free = free_symbols(std::slice::from_ref(&f.expression));
    let pairs: Vec<(Symbol, Expr)> = free
        .into_iter()
        .map(|s| (s.clone(), s.with_sign(Sign::Unknown).into()))
        .collect();
    Fact {
        expression: f.expression.substitute(&pairs),
        sign: f.sign,
    }
}

fn is_contradictory(facts: &[Fact]) -> bool {
    let zero = Terms::default();
    let prover = Prover::new(facts.to_vec());
    let known = prover.known(&zero);
    (1..=2).any(|degree| {
        let Some(products) = products(&known, degree) else {
            return false;
        };
        // -(one strict product) as a sum of all: then the sum of both is zero and positive.
        products
            .iter()
            .filter(|(p, _, parts)| p.strict && parts.len() <= 1)
            .any(|(_, t, _)| {
                let minus = t.iter().map(|(t, c)| (t.clone(), -c)).collect();
                combine(&products, &minus).is_some()
            })
    })
}
