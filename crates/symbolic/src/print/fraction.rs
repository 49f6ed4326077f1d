//! A product as one fraction: signs pulled out, short names of quotients, roots drawn together.

use super::layout::{Builder, Id, Item, Signed, opposite};
use crate::function::Function;
use crate::node::Kind;
use crate::{Expr, Rational};

/// A base as it is written.
#[derive(Clone)]
enum Base {
    Plain(Expr),
    /// A function that the kernel knows only as a quotient: tan, cot, sec, csc.
    Named(&'static str, Expr),
    /// The root of a product, laid out already.
    Laid(Id),
}

type Written = Vec<(Base, Rational)>;

impl Builder {
    /// `c·Π base^exponent` as a signed fraction. Inside a sum a minus sign costs nothing.
    pub(super) fn fraction(
        &mut self,
        c: &Rational,
        factors: &[(Expr, Rational)],
        in_sum: bool,
    ) -> Signed {
        let factors = self.places.sorted(factors);
        let written = self.with_merged_roots(with_short_names(&factors, c));
        let mut above = Vec::new();
        let mut below = Vec::new();
        let mut sums = Sums {
            negative: c.is_negative(),
            mixed: Vec::new(),
        };
        for (base, exponent) in written {
            let id = self.base(&base, &exponent, &mut sums);
            if let (Item::PowerOf(base, e), true) = (self.items[id].clone(), exponent.is_one())
                && let Some(opposite) = self.turned(e)
            {
                // x^(-n) is 1/x^n.
                below.push((self.push(Item::PowerOf(base, opposite)), exponent));
                continue;
            }
            let side = if exponent.is_negative() {
                &mut below
            } else {
                &mut above
            };
            side.push((id, exponent.abs()));
        }
        if sums.negative && !in_sum {
            // -a·(b - c) is a·(c - b).
            if let Some(id) = sums.mixed.first()
                && let Item::Sum(terms) = &self.items[*id]
            {
                self.items[*id] = opposite(terms);
                sums.negative = false;
            }
        }
        let above = self.powers(above);
        let below = self.powers(below);
        Signed {
            negative: sums.negative,
            id: self.quotient(&c.abs(), above, below),
        }
    }

    /// The item of a base. A sum under an integer power is turned so that its first term is added.
    fn base(&mut self, base: &Base, exponent: &Rational, sums: &mut Sums) -> Id {
        let Some(k) = exponent.as_integer() else {
            return match base {
                Base::Laid(id) => *id,
                Base::Plain(e) => self.whole(e),
                Base::Named(name, x) => self.call(name, std::slice::from_ref(x)).id,
            };
        };
        let odd = k % 2 != 0;
        let Signed { negative, id } = match base {
            Base::Laid(id) => return *id,
            Base::Plain(e) => self.signed(e),
            Base::Named(name, x) => self.call(name, std::slice::from_ref(x)),
        };
        sums.negative ^= negative && odd;
        let Item::Sum(terms) = &self.items[id] else {
            return id;
        };
        let mixed = terms.iter().any(|t| t.0) && terms.iter().any(|t| !t.0);
        let own = if terms[0].0 {
            sums.negative ^= odd;
            opposite(terms)
        } else {
            self.items[id].clone()
        };
        let own = self.push(own);
        if mixed && odd && k > 0 {
            sums.mixed.push(own);
        }
        own
    }

    fn powers(&mut self, factors: Vec<(Id, Rational)>) -> Vec<Id> {
        factors
            .into_iter()
            .map(|(id, r)| {
                if r.is_one() {
                    id
                } else if r == Rational::new(1, 2) {
                    self.push(Item::Root(id))
                } else {
                    self.push(Item::Power(id, r))
                }
            })
            .collect()
    }

    /// √a·√b/√c as √(ab/c), where reading that back gives the same: everything known not to be
    /// negative, except perhaps one factor above.
    fn with_merged_roots(&mut self, written: Written) -> Written {
        let half = Rational::new(1, 2);
        // A sign or a root within the root could merge with its neighbours.
        let nested = |e: &Expr| match e.kind() {
            Kind::Scaled(..) => true,
            Kind::Product(inner) => inner.iter().any(|(_, r)| !r.is_integer()),
            _ => false,
        };
        let is_root = |(base, r): &(Base, Rational)| match base {
            Base::Plain(e) => r.abs() == half && !nested(e),
            _ => false,
        };
        let unsure = |(base, r): &(Base, Rational)| match base {
            Base::Plain(e) if e.sign().is_nonnegative() => 0,
            _ if r.is_negative() => 2,
            _ => 1,
        };
        let (roots, mut rest): (Written, Written) = written.iter().cloned().partition(is_root);
        if roots.len() < 2 || roots.iter().map(unsure).sum::<u32>() > 1 {
            return written;
        }
        let mut number = Rational::ONE;
        let mut radicand = Vec::new();
        for (base, r) in roots {
            let Base::Plain(e) = base else { continue };
            match e.as_number() {
                Some(n) if r.is_positive() => number = &number * n,
                _ => radicand.push((e, &r + &r)),
            }
        }
        // The radicand's own powers are 1 and -1, so this goes no deeper.
        let inner = self.fraction(&number, &radicand, false);
        let id = if inner.negative {
            self.push(Item::Negated(inner.id))
        } else {
            inner.id
        };
        let first = written.iter().position(is_root).unwrap_or(0);
        rest.insert(first.min(rest.len()), (Base::Laid(id), half));
        rest
    }
}

/// What the sums among the factors do to the sign.
struct Sums {
    negative: bool,
    /// Sums above the bar, under an odd power, that have both signs: either way round reads well.
    mixed: Vec<Id>,
}

/// sin/cos as tan and the like, where that is shorter.
fn with_short_names(factors: &[(Expr, Rational)], c: &Rational) -> Written {
    let mut exponents: Vec<Rational> = factors.iter().map(|(_, r)| r.clone()).collect();
    let names: Vec<_> = (0..factors.len())
        .map(|i| tangent(factors, &mut exponents, i))
        .collect();
    let mut written = Written::new();
    for ((name, exponent), (base, _)) in names.into_iter().zip(exponents).zip(factors) {
        written.extend(name.map(|(name, x, k)| (Base::Named(name, x), k)));
        if !exponent.is_zero() {
            written.push((Base::Plain(base.clone()), exponent));
        }
    }
    reciprocal_name(written, c)
}

/// For a sine at `i` whose cosine is on the other side of the fraction: the name, the argument and
/// the power of their quotient, which is taken out of both exponents.
fn tangent(
    factors: &[(Expr, Rational)],
    exponents: &mut [Rational],
    i: usize,
) -> Option<(&'static str, Expr, Rational)> {
    let Kind::Function(f, x) = factors[i].0.kind() else {
        return None;
    };
    if *f != Function::Sin {
        return None;
    }
    let is_partner = |e: &Expr| matches!(e.kind(), Kind::Function(Function::Cos, y) if y == x);
    let j = factors.iter().position(|(e, _)| is_partner(e))?;
    let (a, b) = (exponents[i].as_integer()?, exponents[j].as_integer()?);
    let k = a.unsigned_abs().min(b.unsigned_abs());
    let left_over = a.unsigned_abs().max(b.unsigned_abs()) - k;
    if a.signum() * b.signum() >= 0 || left_over > 1 {
        return None;
    }
    let name = if a > 0 { "tan" } else { "cot" };
    let k = i64::try_from(k).ok()?;
    exponents[i] = (a - k * a.signum()).into();
    exponents[j] = (b - k * b.signum()).into();
    Some((name, x[0].clone(), k.into()))
}

/// 1/cos(x) alone is sec(x).
fn reciprocal_name(mut written: Written, c: &Rational) -> Written {
    if !c.abs().is_one() {
        return written;
    }
    let [(base, r)] = written.as_mut_slice() else {
        return written;
    };
    let Base::Plain(e) = base else {
        return written;
    };
    let name = match e.kind() {
        Kind::Function(Function::Cos, _) => "sec",
        Kind::Function(Function::Sin, _) => "csc",
        _ => return written,
    };
    if let (Kind::Function(_, x), true) = (e.clone().kind(), r.is_integer() && r.is_negative()) {
        *base = Base::Named(name, x[0].clone());
        *r = r.abs();
    }
    written
}
