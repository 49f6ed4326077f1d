//! From an expression to what stands on the page: fractions, roots, signed terms in human order.
//!
//! The layout has one item per distinct subexpression, so it is as small as the expression.

use super::compare::{Order, Places};
use super::letters::Name;
use crate::function::{Function, Parity};
use crate::hash::{Map, Set};
use crate::node::Kind;
use crate::walk::{free_symbols, postorder};
use crate::{Expr, Rational, Symbol};

/// Index of an item.
pub(super) type Id = usize;

/// Something to write. Numbers are not negative: signs belong to terms.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// A natural number.
    Number(Rational),
    Pi,
    Undefined,
    Symbol(Symbol),
    /// (is it subtracted?, term), two or more of them.
    Sum(Vec<(bool, Id)>),
    /// Two or more factors.
    Product(Vec<Id>),
    Fraction(Id, Id),
    Negated(Id),
    /// A positive exponent other than 1 and 1/2.
    Power(Id, Rational),
    /// A base and an exponent that is no number.
    PowerOf(Id, Id),
    /// A square root.
    Root(Id),
    Call(&'static str, Vec<Id>),
}

/// The layout of several expressions.
pub(super) struct Layout {
    items: Vec<Item>,
    /// Symbols whose names are spelled out, because others look like them.
    spelled: Set<Symbol>,
    /// One item per expression.
    pub(super) roots: Vec<Id>,
}

impl Layout {
    pub(super) fn new(expressions: &[Expr], order: &Order) -> Self {
        let symbols = free_symbols(expressions);
        let ranks = order.ranks(&symbols);
        let spelled = symbols.iter().filter(|s| order.is_spelled(s.name()));
        let spelled = spelled.cloned().collect();
        let mut builder = Builder {
            items: Vec::new(),
            places: Places::new(ranks),
            done: Map::default(),
        };
        for e in postorder(expressions, |_| true) {
            builder.add(e);
        }
        let roots = expressions.iter().map(|e| builder.whole(e)).collect();
        Layout {
            items: builder.items,
            spelled,
            roots,
        }
    }

    /// The parts of a symbol's name, or the whole of it where it has to be spelled out.
    pub(super) fn name<'a>(&self, s: &'a Symbol) -> Name<'a> {
        match self.spelled.contains(s) {
            true => Name::spelled(s.name()),
            false => Name::of(s.name()),
        }
    }

    pub(super) fn item(&self, id: Id) -> &Item {
        &self.items[id]
    }
}

/// Terms as they are written: a term that is added leads.
pub(super) fn leading_first(terms: &[(bool, Id)]) -> impl Iterator<Item = (bool, Id)> + '_ {
    let lead = terms
        .iter()
        .position(|(negative, _)| !negative)
        .unwrap_or(0);
    let others = terms.iter().enumerate().filter(move |(i, _)| *i != lead);
    terms
        .get(lead)
        .into_iter()
        .chain(others.map(|(_, t)| t))
        .copied()
}

/// An item and the sign in front of it.
#[derive(Clone, Copy)]
pub(super) struct Signed {
    pub(super) negative: bool,
    pub(super) id: Id,
}

pub(super) struct Builder {
    pub(super) items: Vec<Item>,
    pub(super) places: Places,
    done: Map<Expr, Signed>,
}

impl Builder {
    pub(super) fn push(&mut self, item: Item) -> Id {
        self.items.push(item);
        self.items.len() - 1
    }

    pub(super) fn number(&mut self, n: Rational) -> Id {
        self.push(Item::Number(n))
    }

    /// The item of an expression laid out before, its sign included.
    pub(super) fn whole(&mut self, e: &Expr) -> Id {
        let Signed { negative, id } = self.signed(e);
        if negative {
            return self.push(Item::Negated(id));
        }
        self.with_positive_lead(e, id).unwrap_or(id)
    }

    /// A sum of subtracted terms only: -(a - b)/c - 2 reads better as (b - a)/c - 2. (As a factor
    /// such a sum gives up its sign instead.)
    fn with_positive_lead(&mut self, e: &Expr, id: Id) -> Option<Id> {
        let (Kind::Sum(_, terms), Item::Sum(entries)) = (e.kind(), &self.items[id]) else {
            return None;
        };
        let mut entries = entries.clone();
        if entries.iter().any(|(negative, _)| !negative) {
            return None;
        }
        let sorted = self.places.sort_terms(terms);
        let (t, c) = sorted.first()?;
        let lead = self.fraction(c, &factors_of(t), false);
        entries[0] = (lead.negative, lead.id);
        Some(self.push(Item::Sum(entries)))
    }

    /// The item of an expression laid out before, and its sign apart.
    pub(super) fn signed(&mut self, e: &Expr) -> Signed {
        match self.done.get(e) {
            Some(signed) => *signed,
            None => self.plain(Item::Undefined),
        }
    }

    /// Lays out `e`, whose children are there already.
    fn add(&mut self, e: Expr) {
        let signed = match e.kind() {
            Kind::Number(r) => self.fraction(r, &[], false),
            Kind::Pi => self.plain(Item::Pi),
            Kind::Undefined => self.plain(Item::Undefined),
            Kind::Symbol(s) => self.plain(Item::Symbol(s.clone())),
            Kind::Scaled(c, x) => self.fraction(c, &factors_of(x), false),
            Kind::Product(factors) => self.fraction(&Rational::ONE, factors, false),
            Kind::Function(Function::Power, x) => {
                let (base, exponent) = (self.whole(&x[0]), self.whole(&x[1]));
                self.plain(Item::PowerOf(base, exponent))
            }
            Kind::Function(f, x) => self.call(f.name(), x),
            Kind::Sum(constant, terms) => {
                let sorted = self.places.sort_terms(terms);
                self.places.add(&e, &sorted);
                self.sum(constant, &sorted)
            }
        };
        if !matches!(e.kind(), Kind::Sum(..)) {
            self.places.add(&e, &[]);
        }
        self.done.insert(e, signed);
    }

    fn plain(&mut self, item: Item) -> Signed {
        Signed {
            negative: false,
            id: self.push(item),
        }
    }

    /// A function; the argument of an odd or even one is turned so that its first term is added.
    pub(super) fn call(&mut self, name: &'static str, x: &[Expr]) -> Signed {
        let mut arguments: Vec<Id> = x.iter().map(|a| self.whole(a)).collect();
        let parity = match name {
            "tan" | "cot" | "csc" => Parity::Odd,
            "sec" => Parity::Even,
            _ => Function::named(name).map_or(Parity::None, Function::parity),
        };
        let odd = parity == Parity::Odd;
        let mut negative = false;
        if parity != Parity::None
            && let Some(turned) = self.turned(arguments[0])
        {
            arguments[0] = turned;
            negative = odd;
        }
        Signed {
            negative,
            id: self.push(Item::Call(name, arguments)),
        }
    }

    /// The opposite of an item that starts with a minus sign, if necessary after a common number:
    /// of `-a`, `b - a` (a comes first), `2*(b - a)`, `(b - a)/2`.
    pub(super) fn turned(&mut self, id: Id) -> Option<Id> {
        let opposite = match &self.items[id] {
            Item::Negated(inner) => return Some(*inner),
            Item::Sum(terms) if terms[0].0 => opposite(terms),
            Item::Product(factors) => {
                let mut factors = factors.clone();
                let last = factors.pop()?;
                factors.push(self.turned(last)?);
                Item::Product(factors)
            }
            Item::Fraction(above, below) => {
                let (above, below) = (*above, *below);
                Item::Fraction(self.turned(above)?, below)
            }
            _ => return None,
        };
        Some(self.push(opposite))
    }

    /// A sum; a common number comes out in front of it where that is shorter, and of fractions alone: (a + b)/2 + c.
    fn sum(&mut self, constant: &Rational, terms: &[(Expr, Rational)]) -> Signed {
        let is_part = |(_, c): &&(Expr, Rational)| !c.is_integer();
        let parts: Vec<(Expr, Rational)> = terms.iter().filter(is_part).cloned().collect();
        let content = paying_content(&Rational::ZERO, parts.iter().map(|(_, c)| c));
        let has_others = parts.len() < terms.len() || !constant.is_zero();
        match has_others && constant.is_integer() && !content.is_one() {
            true => self.sum_beside(&parts, constant, terms),
            false => self.alike(constant, terms),
        }
    }

    /// The fractions of a sum as one, at the place of the first, and its other terms as they are.
    fn sum_beside(
        &mut self,
        parts: &[(Expr, Rational)],
        constant: &Rational,
        terms: &[(Expr, Rational)],
    ) -> Signed {
        let mut together = Some(self.alike(&Rational::ZERO, parts));
        let mut entries = Vec::new();
        for (t, c) in terms {
            let term = match c.is_integer() {
                true => Some(self.fraction(c, &factors_of(t), true)),
                false => together.take(),
            };
            entries.extend(term.map(|term| (term.negative, term.id)));
        }
        if !constant.is_zero() {
            let term = self.fraction(constant, &[], true);
            entries.push((term.negative, term.id));
        }
        self.plain(Item::Sum(entries))
    }

    /// A sum with one number in front of all of it.
    fn alike(&mut self, constant: &Rational, terms: &[(Expr, Rational)]) -> Signed {
        let content = paying_content(constant, terms.iter().map(|(_, c)| c));
        let scale = content.recip().unwrap_or(Rational::ONE);
        let mut entries = Vec::with_capacity(terms.len() + 1);
        for (t, c) in terms {
            let term = self.fraction(&(c * &scale), &factors_of(t), true);
            entries.push((term.negative, term.id));
        }
        if !constant.is_zero() {
            let term = self.fraction(&(constant * &scale), &[], true);
            entries.push((term.negative, term.id));
        }
        let negative = entries.iter().all(|(negative, _)| *negative);
        if content.is_one() {
            return self.plain(Item::Sum(entries));
        }
        if negative {
            entries.iter_mut().for_each(|t| t.0 = false);
        }
        let sum = self.push(Item::Sum(entries));
        let id = self.quotient(&content, vec![sum], Vec::new());
        Signed { negative, id }
    }

    /// `number·Π above / Π below` for a positive number.
    pub(super) fn quotient(&mut self, number: &Rational, above: Vec<Id>, below: Vec<Id>) -> Id {
        let whole = |n: Rational| (!n.is_one()).then_some(n);
        let over = whole(Rational::from(number.numerator()));
        let under = whole(Rational::from_parts(
            number.denominator().into(),
            1u8.into(),
        ));
        let above = self.joined(over, above);
        match self.joined_or_none(under, below) {
            Some(below) => self.push(Item::Fraction(above, below)),
            None => above,
        }
    }

    fn joined(&mut self, number: Option<Rational>, factors: Vec<Id>) -> Id {
        match self.joined_or_none(number, factors) {
            Some(id) => id,
            None => self.number(Rational::ONE),
        }
    }

    fn joined_or_none(&mut self, number: Option<Rational>, mut factors: Vec<Id>) -> Option<Id> {
        if let Some(n) = number {
            let n = self.number(n);
            factors.insert(0, n);
        }
        match factors.len() {
            0 => None,
            1 => factors.pop(),
            _ => Some(self.push(Item::Product(factors))),
        }
    }
}

/// A sum with all signs changed.
pub(super) fn opposite(terms: &[(bool, Id)]) -> Item {
    Item::Sum(terms.iter().map(|(negative, t)| (!negative, *t)).collect())
}

/// The factors of a term.
fn factors_of(t: &Expr) -> Vec<(Expr, Rational)> {
    match t.kind() {
        Kind::Product(factors) => factors.to_vec(),
        _ => vec![(t.clone(), Rational::ONE)],
    }
}

/// The number to write in front of a sum with these coefficients: 1 unless a common one is shorter.
pub(crate) fn paying_content<'a>(
    constant: &'a Rational,
    coefficients: impl Iterator<Item = &'a Rational> + Clone,
) -> Rational {
    let content = coefficients.clone().fold(constant.abs(), |g, c| g.gcd(c));
    let Some(scale) = content.recip().filter(|_| !content.is_one()) else {
        return Rational::ONE;
    };
    let length = |scale: &Rational| -> usize {
        let constant = constant * scale;
        // A lone number needs its digits even if it is 1.
        let lone = if constant.is_zero() {
            0
        } else {
            digits(&constant).max(2)
        };
        lone + coefficients
            .clone()
            .map(|c| digits(&(c * scale)))
            .sum::<usize>()
    };
    let brackets = 2;
    if length(&scale) + digits(&content) + brackets <= length(&Rational::ONE) {
        content
    } else {
        Rational::ONE
    }
}

/// How many characters a coefficient takes, its operator included.
fn digits(c: &Rational) -> usize {
    let part = |text: String| if text == "1" { 0 } else { text.len() + 1 };
    part(c.abs().numerator().to_string()) + part(c.denominator().to_string())
}
