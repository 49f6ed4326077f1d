//! Functions of several branches, and whether the set on which all of them are analytic hangs together.
//!
//! Roots, logarithms and inverse functions are analytic where their arguments stay in an open set. What is analytic on a
//! connected set and not zero at one of its points is zero almost nowhere on it; on another component it may be
//! another function. Poles of the other functions part nothing: complex paths lead around them.

use crate::function::Function;
use crate::meaning::doubles::Doubles;
use crate::meaning::enclosure::{Enclosures, Interval};
use crate::meaning::{Lowered, Numbers};
use crate::node::Kind;
use crate::walk::{free_symbols, postorder};
use crate::work::count_work;
use crate::{Expr, Rational, Sign, Symbol, facts, normalize};

/// Where one function is analytic.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Condition {
    /// Roots and logarithms: u > 0.
    Positive(Expr),
    /// Inverse sine and cosine: -1 < u < 1.
    Between(Expr),
    /// The inverse tangent: u has no pole.
    Finite(Expr),
    /// The angle of (u, v): not v = 0 with u ≤ 0.
    OffAxis { v: Expr, u: Expr },
}

impl Condition {
    /// What the nodes of an expression ask for.
    fn of(node: &Expr) -> Vec<Self> {
        match node.kind() {
            Kind::Product(factors) => {
                let roots = factors.iter().filter(|(_, r)| !r.is_integer());
                roots.map(|(b, _)| Self::positive(b)).collect()
            }
            Kind::Function(f, x) => match f {
                Function::Power | Function::Log => vec![Self::positive(&x[0])],
                Function::Asin | Function::Acos => vec![Self::Between(tame(&x[0]))],
                Function::Atan => vec![Self::Finite(tame(&x[0]))],
                Function::Atan2 => vec![Self::OffAxis {
                    v: tame(&x[0]),
                    u: tame(&x[1]),
                }],
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// u > 0, without factors that are positive anyway: 1 - v²/c² > 0 is c² - v² > 0.
    fn positive(u: &Expr) -> Self {
        let u = tame(u);
        if u.node_count() > SHORT || !has_quotient(&u) {
            return Self::Positive(u);
        }
        let (sign, core) = normalize(&u).split_coefficient();
        let Kind::Product(factors) = core.kind() else {
            return Self::Positive(u);
        };
        let open = factors.iter().filter(|(b, _)| b.sign() != Sign::Positive);
        let rest = Expr::product(open.map(|(b, r)| b.powr(r)));
        Self::Positive(if sign.is_negative() { -rest } else { rest })
    }

    fn parts(&self) -> Vec<Expr> {
        match self {
            Self::Positive(u) | Self::Between(u) | Self::Finite(u) => vec![u.clone()],
            Self::OffAxis { v, u } => vec![v.clone(), u.clone()],
        }
    }

    fn symbols(&self) -> Vec<Symbol> {
        free_symbols(&self.parts())
    }

    /// Does it hold everywhere, but for a set too thin to part anything?
    fn parts_nothing(&self) -> bool {
        let unbroken = || !self.parts().iter().any(has_pole);
        match self {
            Self::Positive(u) => {
                let sign = u.sign();
                let thin = || sign == Sign::NonNegative && vanishes_thinly(u);
                (sign == Sign::Positive || thin()) && unbroken()
            }
            Self::Finite(_) => unbroken(),
            Self::Between(_) | Self::OffAxis { .. } => false,
        }
    }

    /// Is the set connected and not empty along some symbols that no other condition contains, whatever the values of
    /// all others?
    fn is_fibred(&self, private: &[Symbol]) -> bool {
        let affine = |u: &Expr, s: &Symbol| is_affine(u, s) && !has_pole(u);
        match self {
            Self::Positive(u) => {
                let grows = |s: &Symbol| {
                    s.sign() == Sign::Positive
                        && u.degree(std::slice::from_ref(s)).is_some_and(|d| d > 0)
                        && u.diff(s).sign() == Sign::Positive
                        && !has_pole(u)
                };
                private
                    .iter()
                    .any(|s| affine(u, s) && !is_signed(s) || grows(s))
            }
            Self::Between(u) => private.iter().any(|s| affine(u, s) && !is_signed(s)),
            Self::Finite(_) => false,
            Self::OffAxis { v, u } => {
                let alone = |a: &Expr, b: &Expr| {
                    let mut all = private.iter();
                    all.any(|s| affine(a, s) && !b.contains(s) && !is_signed(s))
                };
                alone(v, u) && alone(u, v)
            }
        }
    }

    /// Is the set convex?
    fn is_convex(&self) -> bool {
        match self {
            Self::Positive(u) => is_concave(u),
            Self::Between(u) => u.degree(&u.free_symbols()).is_some_and(|d| d <= 1),
            Self::Finite(_) | Self::OffAxis { .. } => false,
        }
    }
}

/// The conditions under which all functions of some expressions are analytic.
///
/// ```
/// use rattleback_symbolic::{Branches, Expr, Rational, Symbol};
/// let [x, y] = ["x", "y"].map(Symbol::variable);
/// let [a, b] = [&x, &y].map(Expr::from);
/// let one = |e: &Expr| Branches::of(std::slice::from_ref(e));
/// assert!(one(&(1 - a.powi(2) - b.powi(2)).sqrt()).hang_together());
/// // x y > 0 holds in two quadrants.
/// let product = one(&(&a * &b).sqrt());
/// assert!(!product.hang_together());
/// let around = |c: i64| (Rational::from(c), Rational::from(c + 1));
/// let at = |p: i64, q: i64| [(x.clone(), around(p)), (y.clone(), around(q))];
/// assert!(product.hold_on(&at(1, 1)) && !product.hold_on(&at(-3, 1)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Branches(Vec<Condition>);

impl Branches {
    /// Those of all parts of the expressions.
    pub fn of(all: &[Expr]) -> Self {
        let mut found = Vec::new();
        for condition in postorder(all, |_| true).iter().flat_map(Condition::of) {
            let fixed = condition.symbols().is_empty();
            if !fixed && !found.contains(&condition) && !condition.parts_nothing() {
                found.push(condition);
            }
        }
        Self(found)
    }

    /// What they contain.
    pub fn symbols(&self) -> Vec<Symbol> {
        let parts: Vec<Expr> = self.0.iter().flat_map(Condition::parts).collect();
        free_symbols(&parts)
    }

    /// What vanishes, or has a pole, where one of them ends.
    pub fn borders(&self) -> Vec<Expr> {
        let border = |c: &Condition| match c {
            Condition::Positive(u) => u.clone(),
            Condition::Between(u) => 1 - u.powi(2),
            Condition::Finite(u) => u.recip(),
            Condition::OffAxis { v, .. } => v.clone(),
        };
        self.0.iter().map(border).collect()
    }

    /// Without those about symbols that are of no interest.
    pub fn retain(&mut self, of_interest: impl Fn(&[Symbol]) -> bool) {
        self.0.retain(|c| of_interest(&c.symbols()));
    }

    /// Is the set on which all of them hold certainly connected? Sets with connected fibres over a connected set are,
    /// and so are convex ones.
    pub fn hang_together(&self) -> bool {
        let mut open = self.0.clone();
        while let Some(k) = (0..open.len()).find(|&k| open[k].is_fibred(&private(&open, k))) {
            open.swap_remove(k);
        }
        open.iter().all(Condition::is_convex)
    }

    /// Do all of them hold for certain wherever each symbol lies between two numbers?
    pub fn hold_on(&self, sides: &[(Symbol, (Rational, Rational))]) -> bool {
        let parts: Vec<Expr> = self.0.iter().flat_map(Condition::parts).collect();
        let symbols: Vec<Symbol> = sides.iter().map(|(s, _)| s.plain()).collect();
        let plain: Vec<Expr> = parts.iter().map(facts::plain).collect();
        let Ok(lowered) = Lowered::new(&symbols, &plain) else {
            return false;
        };
        let program = lowered.prepare(Enclosures(Doubles));
        let meaning = program.meaning();
        count_work(program.len() as u64);
        let side = |(low, high): &(Rational, Rational)| {
            Some(Interval {
                low: meaning.number(low)?.low,
                high: meaning.number(high)?.high,
            })
        };
        let inputs: Vec<_> = sides.iter().map(|(_, ends)| side(ends)).collect();
        let values = program.evaluate(&inputs);
        let mut values = values
            .into_iter()
            .map(|v| v.map(|v| meaning.to_doubles(&v)));
        self.0.iter().all(|c| {
            let mut next = || values.next().flatten();
            match c {
                Condition::Positive(_) => next().is_some_and(|(low, _)| low > 0.0),
                Condition::Between(_) => next().is_some_and(|(a, b)| -1.0 < a && b < 1.0),
                Condition::Finite(_) => next().is_some(),
                Condition::OffAxis { .. } => {
                    let (v, u) = (next(), next());
                    let apart = v.is_some_and(|(low, high)| low > 0.0 || high < 0.0);
                    v.is_some() && u.is_some_and(|(low, _)| apart || low > 0.0)
                }
            }
        })
    }
}

/// The symbols that only the k-th condition contains.
fn private(all: &[Condition], k: usize) -> Vec<Symbol> {
    let others = all.iter().enumerate().filter(|(j, _)| *j != k);
    let taken: Vec<Symbol> = others.flat_map(|(_, c)| c.symbols()).collect();
    let mut own = all[k].symbols();
    own.retain(|s| !taken.contains(s));
    own
}

/// With symbols that know no more than a sign, and one with a convex set of values: what else is assumed may part the
/// set that is left, and functions are analytic beyond it.
fn tame(e: &Expr) -> Expr {
    let e = facts::plain(e);
    let apart = e.free_symbols().into_iter();
    let apart = apart.filter(|s| s.sign() == Sign::NonZero);
    let loose: Vec<(Symbol, Expr)> = apart
        .map(|s| (s.clone(), s.with_sign(Sign::Unknown).into()))
        .collect();
    match loose.is_empty() {
        true => e,
        false => e.substitute(&loose),
    }
}

fn is_signed(s: &Symbol) -> bool {
    s.sign() != Sign::Unknown
}

/// Is u = a s + b with a that is nowhere zero?
fn is_affine(u: &Expr, s: &Symbol) -> bool {
    let slope = u.diff(s);
    u.degree(std::slice::from_ref(s)) == Some(1) && slope.sign().is_nonzero()
}

/// What is brought over one denominator.
const SHORT: usize = 200;

/// Is something divided?
fn has_quotient(u: &Expr) -> bool {
    let divides = |node: &Expr| match node.kind() {
        Kind::Product(factors) => factors.iter().any(|(_, r)| r.is_negative()),
        _ => false,
    };
    postorder(std::slice::from_ref(u), |_| true)
        .iter()
        .any(divides)
}

/// May some part have a pole?
fn has_pole(u: &Expr) -> bool {
    let open = |node: &Expr| match node.kind() {
        Kind::Product(factors) => factors
            .iter()
            .any(|(b, r)| r.is_negative() && !b.sign().is_nonzero()),
        _ => false,
    };
    postorder(std::slice::from_ref(u), |_| true)
        .iter()
        .any(open)
}

/// Does a sum of terms that are not negative vanish on a set of codimension two at most? So do two terms without a
/// common symbol, and two squares of which one fixes a symbol that the other does not contain.
fn vanishes_thinly(u: &Expr) -> bool {
    let Kind::Sum(c, terms) = u.kind() else {
        return false;
    };
    let all: Vec<&Expr> = terms.iter().map(|(t, _)| t).collect();
    let fixes = |a: &Expr, b: &Expr| {
        let Kind::Product(factors) = a.kind() else {
            return false;
        };
        let [(root, _)] = factors.as_ref() else {
            return false;
        };
        let mut symbols = root.free_symbols().into_iter();
        symbols.any(|s| !b.contains(&s) && is_affine(root, &s))
    };
    let apart = |a: &Expr, b: &Expr| {
        let symbols = a.free_symbols();
        !symbols.is_empty() && !b.free_symbols().is_empty() && !b.contains_any(&symbols)
    };
    c.is_zero()
        && all.iter().enumerate().any(|(i, a)| {
            let mut others = all[i + 1..].iter();
            others.any(|b| apart(a, b) || fixes(a, b) || fixes(b, a))
        })
}

/// Is it a polynomial of degree two at most whose second derivatives are negative semidefinite?
fn is_concave(u: &Expr) -> bool {
    let symbols = u.free_symbols();
    match u.degree(&symbols) {
        Some(0 | 1) => true,
        Some(2) => {
            let rows = symbols.iter().map(|s| {
                let slope = u.diff(s);
                let row = symbols.iter().map(|r| slope.diff(r).as_number().cloned());
                row.collect::<Option<Vec<Rational>>>()
            });
            rows.collect::<Option<Vec<_>>>()
                .is_some_and(is_negative_semidefinite)
        }
        _ => false,
    }
}

/// By elimination: a pivot is negative, or its row is zero.
fn is_negative_semidefinite(mut m: Vec<Vec<Rational>>) -> bool {
    for k in 0..m.len() {
        let pivot = m[k][k].clone();
        if pivot.is_positive() {
            return false;
        }
        let Some(inverse) = pivot.recip() else {
            if m[k][k..].iter().any(|x| !x.is_zero()) {
                return false;
            }
            continue;
        };
        let row = m[k].clone();
        for below in m.iter_mut().skip(k + 1) {
            let factor = &below[k] * &inverse;
            for (x, y) in below.iter_mut().zip(&row) {
                *x = &*x - &(&factor * y);
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hang_together(e: &Expr) -> bool {
        Branches::of(std::slice::from_ref(e)).hang_together()
    }

    #[test]
    fn what_has_one_component_hangs_together() {
        let [x, y, z] = ["x", "y", "z"].map(|n| Expr::from(Symbol::variable(n)));
        let l = Expr::from(Symbol::constant("l").with_sign(Sign::Positive));
        let energy = Expr::from(Symbol::constant("E"));
        let r2 = x.powi(2) + y.powi(2);
        for e in [
            r2.sqrt(),
            (1 - &r2).sqrt(),
            (l.powi(2) - x.powi(2)).sqrt(),
            (&energy - x.powi(4)).sqrt(),
            (1 - (&r2 / l.powi(2))).sqrt(),
            (&x / 3).asin() + y.sqrt(),
            Expr::atan2(&y, &x) + r2.log(),
            ((&x - l.clone() * z.sin()).powi(2) + (&y - &l * z.cos()).powi(2)).sqrt(),
            (2 + x.cos()).sqrt() + x.recip() + (x.tan() + 1).exp(),
            (&x + x.recip()).sin(),
            x.sqrt() + x.log() + (1 - &x).log(),
        ] {
            assert!(hang_together(&e), "{e}");
        }
    }

    #[test]
    fn what_may_have_several_does_not() {
        let [x, y] = ["x", "y"].map(|n| Expr::from(Symbol::variable(n)));
        for e in [
            (&x * &y).sqrt(),
            (&x / &y).sqrt(),
            (x.powi(2) - 1).sqrt(),
            (1 + x.recip()).log(),
            x.recip().atan(),
            (x.cosh() - 1).sqrt(),
            (&x * x.sin()).sqrt(),
            (3 * &x - 4 * x.powi(3)).asin(),
            (&y - x.powi(2)).sqrt() + (2 - &y + x.powi(2) / 2 - x.powi(4)).sqrt(),
            Expr::atan2(&y, &x) + Expr::atan2(&x, &y),
            Expr::atan2(&(&x * &y), &(x.powi(2) - y.powi(2))),
            (x.powi(2) + (x.sinh() * &y).powi(2)).sqrt(),
            (&x - 2 * (&x - 1).sqrt()).sqrt(),
            (2 + x.recip().sin()).sqrt(),
        ] {
            assert!(!hang_together(&e), "{e}");
        }
    }
}
