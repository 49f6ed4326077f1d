//! What the products of a program have in common.
//!
//! Every product is a bag of atoms. The pair of atoms that most bags share becomes an atom of its own,
//! again and again: x·y·z and x·y·w become p·z and p·w with p = x·y.

use super::builder::Builder;
use super::op::Slot;
use rattleback_symbolic::{Expr, Rational, checkpoint};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// Longer products are multiplied from left to right: their pairs are too many.
const MOST_FACTORS: usize = 16;

type Atom = u32;

#[derive(Clone, PartialEq, Eq, Hash)]
enum Kind {
    /// A number, by its bits.
    Number(u64),
    /// base^exponent, perhaps below the line.
    Power(Expr, Rational),
    /// The product of two atoms.
    Pair(Atom, Atom),
}

/// A positive number times an expression without its own numbers.
pub(super) type Term = (u64, Expr);

/// The products of a program, cut into what they share.
#[derive(Default)]
pub(super) struct Factors {
    atoms: Vec<Kind>,
    known: HashMap<Kind, Atom>,
    terms: Vec<Vec<Atom>>,
    places: HashMap<Term, usize>,
    /// How many terms and pairs an atom is part of.
    users: Vec<u32>,
}

impl Factors {
    fn atom(&mut self, kind: Kind) -> Atom {
        let next = self.atoms.len() as Atom;
        let atom = *self.known.entry(kind.clone()).or_insert(next);
        if atom == next {
            self.atoms.push(kind);
        }
        atom
    }

    /// Adds size·Π base^exponent under the name of the expression that it comes from.
    pub(super) fn add(&mut self, size: f64, e: &Expr, factors: &[(&Expr, &Rational)]) {
        let term = (size.to_bits(), e.clone());
        if self.places.contains_key(&term) {
            return;
        }
        let mut atoms = Vec::with_capacity(factors.len() + 1);
        for &(base, exponent) in factors {
            if exponent == &Rational::from(2) {
                // Two atoms: c·x² and c·x·y share c·x.
                atoms.extend([self.atom(Kind::Power(base.clone(), Rational::ONE)); 2]);
            } else {
                atoms.push(self.atom(Kind::Power(base.clone(), exponent.clone())));
            }
        }
        // The number comes last: there it is multiplied together with an addition.
        if size != 1.0 || atoms.is_empty() {
            atoms.push(self.atom(Kind::Number(size.to_bits())));
        }
        self.places.insert(term, self.terms.len());
        self.terms.push(atoms);
    }

    /// Makes atoms of the pairs that several terms share, the most popular first.
    pub(super) fn share(&mut self) {
        let mut pairs: HashMap<(Atom, Atom), Vec<usize>> = HashMap::new();
        for (k, term) in self.terms.iter().enumerate() {
            if (2..=MOST_FACTORS).contains(&term.len()) {
                for (i, &a) in term.iter().enumerate() {
                    for &b in &term[i + 1..] {
                        let at = pairs.entry((a.min(b), a.max(b))).or_default();
                        if at.last() != Some(&k) {
                            at.push(k);
                        }
                    }
                }
            }
        }
        let mut queue: BinaryHeap<_> = pairs
            .iter()
            .filter(|(_, at)| at.len() > 1)
            .map(|(&pair, at)| self.popularity(pair, at.len()))
            .collect();
        while let Some((_, count, Reverse((a, b)))) = queue.pop() {
            checkpoint();
            let at: Vec<usize> = pairs[&(a, b)]
                .iter()
                .copied()
                .filter(|&k| without(&self.terms[k], a, b).is_some())
                .collect();
            if at.len() < 2 {
                continue;
            }
            if at.len() < count {
                queue.push(self.popularity((a, b), at.len()));
                pairs.insert((a, b), at);
                continue;
            }
            let joined = self.atom(Kind::Pair(a, b));
            let mut new: HashMap<(Atom, Atom), Vec<usize>> = HashMap::new();
            for k in at {
                let Some(rest) = without(&self.terms[k], a, b) else {
                    continue;
                };
                for &c in &rest {
                    let at = new.entry((c, joined)).or_default();
                    if at.last() != Some(&k) {
                        at.push(k);
                    }
                }
                self.terms[k] = [&[joined], &rest[..]].concat();
            }
            let shared = new.iter().filter(|(_, at)| at.len() > 1);
            queue.extend(shared.map(|(&pair, at)| self.popularity(pair, at.len())));
            pairs.extend(new);
        }
        self.count_users();
    }

    /// Pairs without a number first: for power series they are convolutions.
    fn popularity(&self, pair: (Atom, Atom), count: usize) -> (bool, usize, Reverse<(Atom, Atom)>) {
        let is_number = |a: Atom| matches!(self.atoms[a as usize], Kind::Number(_));
        (
            !is_number(pair.0) && !is_number(pair.1),
            count,
            Reverse(pair),
        )
    }

    fn count_users(&mut self) {
        self.users = vec![0; self.atoms.len()];
        let pairs = self.atoms.iter().filter_map(|kind| match kind {
            Kind::Pair(a, b) => Some([*a, *b]),
            _ => None,
        });
        for a in pairs.flatten().chain(self.terms.iter().flatten().copied()) {
            self.users[a as usize] += 1;
        }
    }

    /// The value of a term that was added. `place` tells where bases are.
    pub(super) fn multiply(
        &self,
        b: &mut Builder,
        term: &Term,
        place: &HashMap<Expr, Slot>,
    ) -> Slot {
        let values: Vec<Value> = self.terms[self.places[term]]
            .iter()
            .map(|&a| self.value(b, a, place))
            .collect();
        product(b, &values)
    }

    /// The value of an atom. Pairs nest no deeper than a product has factors.
    fn value(&self, b: &mut Builder, atom: Atom, place: &HashMap<Expr, Slot>) -> Value {
        let users = self.users[atom as usize];
        match &self.atoms[atom as usize] {
            Kind::Number(bits) => Value::Above(b.constant(f64::from_bits(*bits))),
            Kind::Power(base, exponent) if exponent.is_negative() => {
                Value::Below(power(b, place[base], &-exponent), users)
            }
            Kind::Power(base, exponent) => Value::Above(power(b, place[base], exponent)),
            Kind::Pair(x, y) => match [self.value(b, *x, place), self.value(b, *y, place)] {
                [Value::Below(x, _), Value::Below(y, _)] => Value::Below(b.mul(x, y), users),
                values => Value::Above(product(b, &values)),
            },
        }
    }
}

/// The bag without one a and one b, if both are in it.
fn without(term: &[Atom], a: Atom, b: Atom) -> Option<Vec<Atom>> {
    let mut rest = term.to_vec();
    for x in [a, b] {
        rest.remove(rest.iter().position(|&y| y == x)?);
    }
    Some(rest)
}

/// What is multiplied by: a value, or one below the line with the number of its users.
#[derive(Clone, Copy)]
enum Value {
    Above(Slot),
    Below(Slot, u32),
}

/// One numerator over one denominator; a divisor with several users is inverted once for all.
fn product(b: &mut Builder, values: &[Value]) -> Slot {
    let (mut above, mut below) = (None, None);
    for value in values {
        let (line, factor) = match *value {
            Value::Above(slot) => (&mut above, slot),
            Value::Below(slot, users) if users > 1 => (&mut above, b.recip(slot)),
            Value::Below(slot, _) => (&mut below, slot),
        };
        *line = Some(line.map_or(factor, |product| b.mul(product, factor)));
    }
    match (above, below) {
        (Some(n), Some(d)) => b.div(n, d),
        (Some(n), None) => n,
        (None, Some(d)) => b.recip(d),
        (None, None) => b.constant(1.0),
    }
}

/// base^exponent for a positive exponent.
pub(super) fn power(b: &mut Builder, base: Slot, exponent: &Rational) -> Slot {
    let twice = exponent * &Rational::from(2);
    match twice.as_integer().and_then(|k| u64::try_from(k).ok()) {
        Some(k) if k <= 64 => b.half_power(base, k),
        _ => b.power(base, exponent.to_f64()),
    }
}
