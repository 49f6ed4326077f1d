//! The order in which a person writes factors and terms.
//!
//! Factors: numbers, parameters, coordinates, sums, functions, velocities. Terms: highest derivatives
//! first, then higher degree, then symbol by symbol.

use super::letters::Name;
use crate::hash::{Map, Set};
use crate::node::Kind;
use crate::{Expr, Rational, Role, Symbol};
use std::cmp::Ordering;

/// Which symbols come first: those listed, in that order, then the others by name.
///
/// A symbol stands for all its derivatives.
///
/// ```
/// use rattleback_symbolic::{Expr, Order, Style, Symbol, text};
/// let (g, m) = (Symbol::constant("g"), Symbol::constant("m"));
/// let weight = Expr::from(&g) * &m;
/// assert_eq!(weight.to_string(), "g*m");
/// let style = Style::ascii().with_order(Order::new(&[m, g]));
/// assert_eq!(text(&weight, &style), "m*g");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Order {
    places: Map<String, u32>,
    velocities: Set<String>,
    /// What names look like, with the first that does.
    looks: Map<Vec<String>, String>,
}

impl Order {
    /// The order of a list; of a name that occurs twice the first place counts.
    pub fn new(symbols: &[Symbol]) -> Self {
        let mut places = Map::default();
        let mut looks = Map::default();
        for s in symbols {
            let next = places.len() as u32;
            places.entry(s.name().to_owned()).or_insert(next);
            looks
                .entry(look(s.name()))
                .or_insert_with(|| s.name().to_owned());
        }
        Order {
            places,
            velocities: Set::default(),
            looks,
        }
    }

    /// Is a name spelled out where subscripts are set? It is if an earlier one looks like it: `I_1` beside `I1`, both I₁;
    /// then `p_I_1` is spelled out too.
    pub(super) fn is_spelled(&self, name: &str) -> bool {
        let is_second = |name: &str| {
            let first = self.looks.get(&look(name));
            first.is_some_and(|first| first != name)
        };
        let of_another = || {
            let (_, owner) = name.split_once('_')?;
            let owner = owner.split('[').next()?;
            Some(self.contains(owner) && is_second(owner))
        };
        is_second(name) || of_another().unwrap_or(false)
    }

    /// Also writes these symbols where derivatives stand: body velocities, momenta, multipliers.
    ///
    /// ```
    /// use rattleback_symbolic::{Expr, Order, Style, Symbol, text};
    /// let (w, q) = (Symbol::variable("w"), Expr::from(Symbol::variable("q")));
    /// let style = Style::ascii().with_order(Order::default().with_velocities(&[w.clone()]));
    /// assert_eq!(text(&(Expr::from(&w) * q.sin()), &style), "sin(q)*w");
    /// ```
    pub fn with_velocities(mut self, symbols: &[Symbol]) -> Self {
        let names = symbols.iter().filter(|s| s.order() == 0).map(Symbol::name);
        self.velocities.extend(names.map(str::to_owned));
        self
    }

    /// Is the name on the list?
    pub fn contains(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }

    /// How many time derivatives a symbol counts as.
    fn jet(&self, s: &Symbol) -> u32 {
        s.order() + u32::from(self.velocities.contains(s.name()))
    }

    /// Place and derivatives of all of these symbols: listed names first, the rest in natural order
    /// (x2 before x10).
    pub(super) fn ranks(&self, symbols: &[Symbol]) -> Map<Symbol, Rank> {
        let mut names: Vec<&str> = symbols.iter().map(Symbol::name).collect();
        names.sort_by(|a, b| self.compare_names(a, b));
        names.dedup();
        let place: Map<&str, u32> = names
            .iter()
            .zip(1u32..)
            .map(|(name, place)| (*name, place))
            .collect();
        symbols
            .iter()
            .map(|s| {
                let rank = Rank {
                    place: place[s.name()],
                    jet: self.jet(s),
                };
                (s.clone(), rank)
            })
            .collect()
    }

    fn compare_names(&self, a: &str, b: &str) -> Ordering {
        let place = |n: &str| self.places.get(n).copied().unwrap_or(u32::MAX);
        place(a)
            .cmp(&place(b))
            .then_with(|| natural(a, b))
            .then_with(|| a.cmp(b))
    }
}

/// The stem and the subscripts of a name.
fn look(name: &str) -> Vec<String> {
    let parts = Name::of(name);
    let parts = std::iter::once(parts.stem).chain(parts.subscripts());
    parts.map(str::to_owned).collect()
}

/// Where a symbol stands.
#[derive(Clone, Copy)]
pub(super) struct Rank {
    place: u32,
    jet: u32,
}

/// Letters regardless of case, digit runs by value.
fn natural(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a, b);
    while let (Some(x), Some(y)) = (a.chars().next(), b.chars().next()) {
        let (m, n) = (digits(a), digits(b));
        let order = if m > 0 && n > 0 {
            let (p, q) = (
                a[..m].trim_start_matches('0'),
                b[..n].trim_start_matches('0'),
            );
            (a, b) = (&a[m..], &b[n..]);
            p.len().cmp(&q.len()).then_with(|| p.cmp(q))
        } else {
            (a, b) = (&a[x.len_utf8()..], &b[y.len_utf8()..]);
            x.to_lowercase().cmp(y.to_lowercase())
        };
        if order.is_ne() {
            return order;
        }
    }
    a.len().cmp(&b.len())
}

fn digits(s: &str) -> usize {
    s.bytes().take_while(u8::is_ascii_digit).count()
}

/// What stands where in a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Number,
    Pi,
    Constant,
    ConstantSum,
    Time,
    Coordinate,
    Sum,
    Function,
    Velocity,
    MovingFunction,
    MovingSum,
}

const LEAD: usize = 6;

/// Where an expression stands among factors, and its degrees as a term.
///
/// Of the symbols below only the first few are looked at: beyond those the kernel's order decides.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    class: Class,
    jet: u32,
    lead: [u32; LEAD],
    function: u8,
    velocity_degree: i64,
    coordinate_degree: i64,
}

impl Place {
    fn atom(class: Class) -> Self {
        Place {
            class,
            jet: 0,
            lead: [0; LEAD],
            function: 0,
            velocity_degree: 0,
            coordinate_degree: 0,
        }
    }

    fn symbol(s: &Symbol, Rank { place, jet }: Rank) -> Self {
        let class = match (s.role(), jet) {
            (Role::Constant, 0) => Class::Constant,
            (Role::Time, _) => Class::Time,
            (_, 0) => Class::Coordinate,
            _ => Class::Velocity,
        };
        let mut own = Self::atom(class);
        own.jet = jet;
        own.lead[0] = place.saturating_mul(16) + jet.min(15);
        // x'' counts as much as x'^2: both are second order in time.
        own.velocity_degree = i64::from(jet);
        own.coordinate_degree = i64::from(class == Class::Coordinate);
        own
    }

    /// The place of an operation on `children`, which come in printed order.
    fn of_parts<'a>(class: Class, children: impl Iterator<Item = &'a Place>) -> Self {
        let mut place = Self::atom(class);
        let mut filled = 0;
        for child in children {
            place.jet = place.jet.max(child.jet);
            for lead in child.lead.iter().take_while(|l| **l > 0) {
                if filled < LEAD {
                    place.lead[filled] = *lead;
                    filled += 1;
                }
            }
        }
        place
    }
}

/// The factors of a term in printed order.
pub(super) type Factors = Vec<(Expr, Rational)>;

/// Places of all expressions seen so far; children must be added before parents.
pub(super) struct Places {
    ranks: Map<Symbol, Rank>,
    places: Map<Expr, Place>,
    unknown: Place,
}

impl Places {
    pub(super) fn new(ranks: Map<Symbol, Rank>) -> Self {
        Places {
            ranks,
            places: Map::default(),
            unknown: Place::atom(Class::Number),
        }
    }

    fn of(&self, e: &Expr) -> &Place {
        self.places.get(e).unwrap_or(&self.unknown)
    }

    /// Works out the place of `e`; its terms, if it is a sum, come in printed order.
    pub(super) fn add(&mut self, e: &Expr, printed_terms: &[(Expr, Rational)]) {
        let place = match e.kind() {
            Kind::Number(_) | Kind::Undefined => Place::atom(Class::Number),
            Kind::Pi => Place::atom(Class::Pi),
            Kind::Symbol(s) => {
                let unknown = Rank {
                    place: u32::MAX,
                    jet: s.order(),
                };
                Place::symbol(s, self.ranks.get(s).copied().unwrap_or(unknown))
            }
            Kind::Scaled(_, x) => self.of(x).clone(),
            Kind::Product(factors) => self.of_product(&self.sorted(factors)),
            Kind::Sum(..) => self.of_sum(printed_terms),
            Kind::Function(f, x) => {
                let mut place =
                    Place::of_parts(Class::Function, x.iter().map(|argument| self.of(argument)));
                if place.jet > 0 {
                    place.class = Class::MovingFunction;
                }
                place.function = *f as u8 + 1;
                place
            }
        };
        self.places.insert(e.clone(), place);
    }

    fn of_product(&self, factors: &[(Expr, Rational)]) -> Place {
        let class = factors
            .iter()
            .map(|(b, _)| self.of(b).class)
            .max()
            .unwrap_or(Class::Number);
        let mut place = Place::of_parts(class, factors.iter().map(|(b, _)| self.of(b)));
        (place.velocity_degree, place.coordinate_degree) = self.degrees(factors);
        place
    }

    fn of_sum(&self, terms: &[(Expr, Rational)]) -> Place {
        let mut place = Place::of_parts(Class::Sum, terms.iter().map(|(t, _)| self.of(t)));
        if place.jet > 0 {
            place.class = Class::MovingSum;
        } else if terms
            .iter()
            .all(|(t, _)| self.of(t).class <= Class::ConstantSum)
        {
            place.class = Class::ConstantSum;
        }
        let largest = |degree: fn(&Place) -> i64| {
            let degrees = terms.iter().map(|(t, _)| degree(self.of(t)));
            degrees.max().unwrap_or(0)
        };
        place.velocity_degree = largest(|p| p.velocity_degree);
        place.coordinate_degree = largest(|p| p.coordinate_degree);
        place
    }

    fn degrees(&self, factors: &[(Expr, Rational)]) -> (i64, i64) {
        let total = |degree: fn(&Place) -> i64| {
            factors.iter().fold(0i64, |sum, (b, r)| {
                let exponent = r.floor().as_integer().unwrap_or(0);
                sum.saturating_add(degree(self.of(b)).saturating_mul(exponent))
            })
        };
        (total(|p| p.velocity_degree), total(|p| p.coordinate_degree))
    }

    fn compare_factors(&self, a: &Expr, b: &Expr) -> Ordering {
        self.of(a).cmp(self.of(b)).then_with(|| a.cmp(b))
    }

    /// Factors in the order in which they are written.
    pub(super) fn sorted(&self, factors: &[(Expr, Rational)]) -> Factors {
        let mut sorted = factors.to_vec();
        sorted.sort_by(|a, b| self.compare_factors(&a.0, &b.0));
        sorted
    }

    /// Terms in the order in which they are written, signs not yet looked at.
    pub(super) fn sort_terms(&self, terms: &[(Expr, Rational)]) -> Vec<(Expr, Rational)> {
        let mut keyed: Vec<(TermKey, &(Expr, Rational))> = terms
            .iter()
            .map(|term| (self.term_key(&term.0), term))
            .collect();
        keyed.sort_by(|a, b| self.compare_terms(&a.0, &b.0));
        keyed.into_iter().map(|(_, term)| term.clone()).collect()
    }

    fn term_key(&self, t: &Expr) -> TermKey {
        let mut factors = match t.kind() {
            Kind::Product(factors) => self.sorted(factors),
            _ => vec![(t.clone(), Rational::ONE)],
        };
        // The fastest-moving factors tell terms apart first: m*x'' before m*y''.
        factors.sort_by_key(|f| std::cmp::Reverse(self.of(&f.0).class));
        let place = self.of(t);
        TermKey {
            jet: place.jet,
            velocity_degree: place.velocity_degree,
            coordinate_degree: place.coordinate_degree,
            factors,
        }
    }

    fn compare_terms(&self, a: &TermKey, b: &TermKey) -> Ordering {
        let degrees = |t: &TermKey| (t.jet, t.velocity_degree, t.coordinate_degree);
        let by_degree = degrees(b).cmp(&degrees(a));
        if by_degree.is_ne() {
            return by_degree;
        }
        for ((x, r), (y, s)) in a.factors.iter().zip(&b.factors) {
            let order = self.compare_factors(x, y).then_with(|| s.cmp(r));
            if order.is_ne() {
                return order;
            }
        }
        b.factors.len().cmp(&a.factors.len())
    }
}

struct TermKey {
    jet: u32,
    velocity_degree: i64,
    coordinate_degree: i64,
    factors: Factors,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_naturally() {
        let mut names = ["x10", "x2", "X1", "a", "B"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["a", "B", "X1", "x2", "x10"]);
    }

    #[test]
    fn names_that_look_alike_are_spelled() {
        let order = Order::new(&["I1", "I_1", "lambda_1", "x"].map(Symbol::variable));
        for name in ["I_1", "I[1]", "lambda1", "p_I_1", "F_I_1"] {
            assert!(order.is_spelled(name), "{name}");
        }
        for name in ["I1", "lambda_1", "x", "x1", "p_x", "p_I1"] {
            assert!(!order.is_spelled(name), "{name}");
        }
    }
}
