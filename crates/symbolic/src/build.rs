//! Canonical constructors of sums, products and powers.

use crate::function::Function;
use crate::node::{Kind, intern};
use crate::power::{joined_powers, unworked};
use crate::rational::extract_root;
use crate::{Expr, Rational};
use dashu::base::BitTest;
use dashu::integer::IBig;

type Weighted = (Expr, Rational);

/// Sorts by expression and adds the weights of equal ones, dropping zeros.
fn merge(items: &mut Vec<Weighted>) {
    if items.len() > 1 {
        items.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        items.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = &kept.1 + &next.1;
            }
            same
        });
    }
    items.retain(|(_, weight)| !weight.is_zero());
}

/// `Σ weight·item` in canonical form: nested sums are flattened, like terms merged.
pub(crate) fn sum(items: impl IntoIterator<Item = Weighted>) -> Expr {
    let mut constant = Rational::ZERO;
    let mut terms: Vec<Weighted> = Vec::new();
    for (e, w) in items {
        match e.kind() {
            Kind::Undefined => return e,
            Kind::Number(r) => constant = &constant + &(r * &w),
            Kind::Scaled(c, core) => terms.push((core.clone(), c * &w)),
            Kind::Sum(c, inner) => {
                constant = &constant + &(c * &w);
                terms.extend(inner.iter().map(|(t, c)| (t.clone(), c * &w)));
            }
            _ => terms.push((e, w)),
        }
    }
    merge(&mut terms);
    canonical_sum(constant, terms)
}

fn canonical_sum(constant: Rational, mut terms: Vec<Weighted>) -> Expr {
    match terms.len() {
        0 => constant.into(),
        1 if constant.is_zero() => {
            let (e, c) = terms.swap_remove(0);
            scaled(c, e)
        }
        _ => intern(Kind::Sum(constant, terms.into())),
    }
}

/// `c·e` for a canonical term `e`.
fn scaled(c: Rational, e: Expr) -> Expr {
    if c.is_one() {
        e
    } else {
        intern(Kind::Scaled(c, e))
    }
}

/// Splits a sum into its numeric content and a primitive sum. The sign of the first term goes with
/// the content where the power allows it, so that a - b and b - a share one base.
fn primitive(constant: &Rational, terms: &[Weighted], take_sign: bool) -> Option<(Rational, Expr)> {
    let negative = take_sign && terms[0].1.is_negative();
    let mut content = constant.abs();
    for (_, c) in terms {
        content = content.gcd(c);
    }
    if negative {
        content = -content;
    }
    if content.is_one() {
        return None;
    }
    let inverse = content.recip()?;
    let terms: Vec<_> = terms
        .iter()
        .map(|(t, c)| (t.clone(), c * &inverse))
        .collect();
    Some((
        content,
        intern(Kind::Sum(constant * &inverse, terms.into())),
    ))
}

/// Collects the factors of a product; `None` once it is undefined.
struct Factors {
    coefficient: Rational,
    factors: Vec<Weighted>,
}

impl Factors {
    /// Multiplies by `e^r`.
    fn push(&mut self, e: &Expr, r: &Rational) -> Option<()> {
        if r.is_zero() {
            return (!e.is_undefined()).then_some(());
        }
        let integer = r.as_integer();
        match e.kind() {
            Kind::Undefined => return None,
            Kind::Number(n) => return self.push_number(n, r),
            Kind::Scaled(c, core) if integer.is_some() || c.is_positive() => {
                self.push_number(c, r)?;
                self.push(core, r)?;
            }
            Kind::Scaled(c, core) => {
                // A root of -|c|·core: only |c| comes out.
                self.push_number(&-c, r)?;
                self.factors
                    .push((scaled(Rational::MINUS_ONE, core.clone()), r.clone()));
            }
            Kind::Sum(c, terms) => match primitive(c, terms, integer.is_some()) {
                Some((content, base)) => {
                    self.push_number(&content, r)?;
                    self.factors.push((base, r.clone()));
                }
                None => self.factors.push((e.clone(), r.clone())),
            },
            Kind::Product(inner) if integer.is_some() => {
                for (b, s) in inner {
                    self.push_power(b, &(s * r))?;
                }
            }
            Kind::Product(inner) => self.push_root(inner, r)?,
            _ => self.factors.push((e.clone(), r.clone())),
        }
        Some(())
    }

    /// A factor whose base is canonical already, except that a number may lose its radical.
    fn push_power(&mut self, b: &Expr, r: &Rational) -> Option<()> {
        match b.kind() {
            Kind::Number(n) => self.push_number(n, r),
            _ if r.is_integer() && matches!(b.kind(), Kind::Product(_) | Kind::Scaled(..)) => {
                self.push(b, r)
            }
            _ => {
                self.factors.push((b.clone(), r.clone()));
                Some(())
            }
        }
    }

    /// A non-integer power of a product: factors known not to be negative come out.
    fn push_root(&mut self, inner: &[Weighted], r: &Rational) -> Option<()> {
        let (out, kept): (Vec<_>, Vec<_>) = inner
            .iter()
            .cloned()
            .partition(|(b, _)| b.sign().is_nonnegative());
        for (b, s) in &out {
            self.push_power(b, &(s * r))?;
        }
        if kept.is_empty() {
            return Some(());
        }
        let base = product(kept);
        // x^3 under a root may be written (x^(3·…)) only if x is not negative, so keep it whole.
        self.factors.push((base, r.clone()));
        Some(())
    }

    /// Multiplies by the power `n^r` of a number, extracting exact roots.
    fn push_number(&mut self, n: &Rational, r: &Rational) -> Option<()> {
        if n.is_zero() {
            if r.is_negative() {
                return None;
            }
            self.coefficient = Rational::ZERO;
            return Some(());
        }
        if r.is_integer() {
            self.push_whole_power(n, r);
            return Some(());
        }
        if n.is_negative() {
            return None;
        }
        if n.is_one() {
            return Some(());
        }
        // n^r = n^floor · n^(p/q), and n^(p/q) = (numerator·denominator^(q-1))^(p/q)/denominator^p.
        let floor = r.floor();
        let Some(whole) = floor.as_integer().and_then(|k| short_power(n, k)) else {
            self.factors.push((unworked(n, r), Rational::ONE));
            return Some(());
        };
        self.coefficient = &self.coefficient * &whole;
        let fraction = r - &floor;
        let Some((p, q)) = short_fraction(n, &fraction) else {
            self.factors.push((Expr::from(n), fraction));
            return Some(());
        };
        let denominator = n.denominator();
        let radicand =
            dashu::base::UnsignedAbs::unsigned_abs(n.numerator()) * denominator.pow(q as usize - 1);
        let radicand = radicand.pow(p as usize);
        let (outside, inside) = extract_root(&radicand, q);
        let scale = Rational::from_parts(IBig::from(outside), denominator.pow(p as usize));
        self.coefficient = &self.coefficient * &scale;
        if inside > dashu::integer::UBig::ONE {
            let base = Expr::from(Rational::from(IBig::from(inside)));
            self.factors.push((base, Rational::new(1, i64::from(q))));
        }
        Some(())
    }

    /// Multiplies by a whole power of a number other than zero. One that is too long for any use stays a power.
    fn push_whole_power(&mut self, n: &Rational, k: &Rational) {
        if let Some(power) = k.as_integer().and_then(|k| short_power(n, k)) {
            self.coefficient = &self.coefficient * &power;
            return;
        }
        let half = k * &Rational::new(1, 2);
        if n.is_negative() && !half.is_integer() {
            self.coefficient = -&self.coefficient;
        }
        let size = n.abs();
        if !size.is_one() {
            self.factors.push((unworked(&size, k), Rational::ONE));
        }
    }

    /// Merges equal bases. A merge can free a radical (√2·√2), so those factors go round again.
    fn finish(mut self) -> Option<Expr> {
        loop {
            merge(&mut self.factors);
            merge_tangents(&mut self.factors);
            let joined = joined_powers(&mut self.factors);
            for e in &joined {
                self.push(e, &Rational::ONE)?;
            }
            if !joined.is_empty() {
                continue;
            }
            if !self.factors.iter().any(is_unstable) {
                return Some(self.assemble());
            }
            let (again, stable) = self.factors.into_iter().partition::<Vec<_>, _>(is_unstable);
            self.factors = stable;
            for (b, r) in &again {
                self.push(b, r)?;
            }
        }
    }

    fn assemble(mut self) -> Expr {
        if self.coefficient.is_zero() {
            return Expr::zero();
        }
        let core = match self.factors.len() {
            0 => return self.coefficient.into(),
            1 if self.factors[0].1.is_one() => self.factors.swap_remove(0).0,
            _ => intern(Kind::Product(self.factors.into())),
        };
        match core.kind() {
            Kind::Sum(c, terms) if !self.coefficient.is_one() => {
                let k = &self.coefficient;
                let terms: Vec<_> = terms.iter().map(|(t, c)| (t.clone(), c * k)).collect();
                intern(Kind::Sum(c * k, terms.into()))
            }
            _ => scaled(self.coefficient, core),
        }
    }
}

/// sinhᵃ coshᵇ with a and b of opposite signs is a power of tanh times what is left of one of them; of
/// the same sign, there is no tanh. So every such product has one form, in which large arguments do no
/// harm.
fn merge_tangents(factors: &mut Vec<Weighted>) {
    let argument = |e: &Expr| match e.kind() {
        Kind::Function(Function::Sinh | Function::Cosh | Function::Tanh, x) => Some(x[0].clone()),
        _ => None,
    };
    let mut arguments: Vec<Expr> = factors.iter().filter_map(|(b, _)| argument(b)).collect();
    if arguments.len() < 2 {
        return;
    }
    arguments.sort_unstable();
    arguments.dedup();
    for x in arguments {
        let [sinh, cosh, tanh] = [x.sinh(), x.cosh(), x.tanh()];
        let exponent = |e: &Expr| {
            let found = factors.iter().find(|(b, _)| b == e);
            found.map_or(Some(0), |(_, r)| r.as_integer())
        };
        let (Some(s), Some(c), Some(t)) = (exponent(&sinh), exponent(&cosh), exponent(&tanh))
        else {
            continue;
        };
        let (s, c) = (s.saturating_add(t), c.saturating_sub(t));
        let k = match s.signum() * c.signum() {
            -1 => s.signum() * s.abs().min(c.abs()),
            _ => 0,
        };
        if k == t {
            continue;
        }
        factors.retain(|(b, _)| *b != sinh && *b != cosh && *b != tanh);
        let new = [(sinh, s - k), (cosh, c + k), (tanh, k)];
        factors.extend(new.map(|(b, k)| (b, Rational::from(k))));
        merge(factors);
    }
}

/// The bits of a number whose roots are looked for: what is longer stays under its root as it is.
const ROOT_BITS: usize = 1 << 15;
/// The bits of a number that is kept; nothing a person writes, or a point that is tried, needs more.
const MOST_BITS: usize = 1 << 22;

/// n^k, unless it is too long for any use.
fn short_power(n: &Rational, k: i64) -> Option<Rational> {
    let bits = BitTest::bit_len(&n.numerator()).max(BitTest::bit_len(&n.denominator()));
    let length = bits.saturating_mul(usize::try_from(k.unsigned_abs()).ok()?);
    (n.abs().is_one() || length <= MOST_BITS).then(|| n.pow(k))?
}

/// The exponent p/q where n^(p/q) can be looked at for exact roots.
fn short_fraction(n: &Rational, fraction: &Rational) -> Option<(u32, u32)> {
    let (p, q) = fraction.as_small()?;
    let (p, q) = (u32::try_from(p).ok()?, u32::try_from(q).ok()?);
    let below = BitTest::bit_len(&n.denominator()).saturating_mul(q as usize);
    let length = BitTest::bit_len(&n.numerator()).saturating_add(below);
    (length.saturating_mul(p as usize) <= ROOT_BITS).then_some((p, q))
}

/// A factor that is not in canonical form (any more).
fn is_unstable((b, r): &Weighted) -> bool {
    match b.kind() {
        Kind::Number(_) => r.is_integer() || r.is_negative() || *r > Rational::ONE,
        Kind::Product(_) | Kind::Scaled(..) => r.is_integer(),
        _ => false,
    }
}

/// `Π base^exponent` in canonical form.
pub(crate) fn product(items: impl IntoIterator<Item = Weighted>) -> Expr {
    let mut all = Factors {
        coefficient: Rational::ONE,
        factors: Vec::new(),
    };
    for (e, r) in items {
        if all.push(&e, &r).is_none() {
            return Expr::undefined();
        }
    }
    all.finish().unwrap_or_else(Expr::undefined)
}

/// `base^exponent`.
pub(crate) fn power(base: &Expr, exponent: &Rational) -> Expr {
    if exponent.is_one() {
        return base.clone();
    }
    product([(base.clone(), exponent.clone())])
}
