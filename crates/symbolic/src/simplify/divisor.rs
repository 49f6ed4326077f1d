//! A quick look for common divisors: in one atom, at random values of the others, modulo a prime.

use super::monomial::{Atom, Monomial};
use super::terms::Terms;
use crate::Rational;

const P: u64 = (1 << 31) - 1;

/// Whether two sums may have a divisor in common. "No" is wrong only by a rare coincidence, and
/// then costs a longer formula; "yes" is worth a proper computation.
pub(super) fn may_share_divisor(a: &Terms, b: &Terms) -> bool {
    b.atoms().iter().any(|x| {
        let (f, g) = (image(a, *x), image(b, *x));
        match (f, g) {
            (Some(f), Some(g)) => g.len() > 1 && gcd(f, g).len() > 1,
            _ => false,
        }
    })
}

/// The coefficients in `x`, constant first, with all other atoms replaced by numbers.
fn image(t: &Terms, x: Atom) -> Option<Vec<u64>> {
    let (_, _, t) = t.primitive();
    let mut out = Vec::new();
    for (m, c) in t.iter() {
        let degree = usize::try_from(m.exponent(x)).ok()?;
        if out.len() <= degree {
            out.resize(degree + 1, 0);
        }
        out[degree] = (out[degree] + value(m, x)? * residue(c)?) % P;
    }
    Some(trimmed(out))
}

/// The monomial without `x` at the numbers that stand for the atoms.
fn value(m: &Monomial, x: Atom) -> Option<u64> {
    let mut product = 1;
    for (atom, e) in m.factors().iter().filter(|f| f.0 != x) {
        // Any scattered numbers will do.
        let stand_in = (u64::from(*atom) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 34;
        product = product * power(stand_in % P, u64::try_from(*e).ok()?) % P;
    }
    Some(product)
}

fn residue(c: &Rational) -> Option<u64> {
    let (n, d) = c.as_small()?;
    let reduce = |x: i64| u64::try_from(x.rem_euclid(P as i64)).ok();
    Some(reduce(n)? * inverse(reduce(d)?) % P)
}

fn power(mut base: u64, mut e: u64) -> u64 {
    let mut result = 1;
    while e > 0 {
        if e & 1 == 1 {
            result = result * base % P;
        }
        base = base * base % P;
        e >>= 1;
    }
    result
}

/// 1/a by Fermat.
fn inverse(a: u64) -> u64 {
    power(a, P - 2)
}

fn trimmed(mut f: Vec<u64>) -> Vec<u64> {
    while f.last() == Some(&0) {
        f.pop();
    }
    f
}

/// Euclid's algorithm for polynomials in one unknown.
fn gcd(mut f: Vec<u64>, mut g: Vec<u64>) -> Vec<u64> {
    while let Some(lead) = g.last() {
        let scale = inverse(*lead);
        while f.len() >= g.len() {
            let factor = f.last().map_or(0, |top| top * scale % P);
            let shift = f.len() - g.len();
            for (i, c) in g.iter().enumerate() {
                f[i + shift] = (f[i + shift] + P - factor * c % P) % P;
            }
            f = trimmed(f);
        }
        (f, g) = (g, f);
    }
    f
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x^e y^f with a coefficient.
    fn sum(items: &[(i16, i16, i64)]) -> Terms {
        let term =
            |(e, f, c): &(i16, i16, i64)| (Monomial::powers([(0, *e), (1, *f)]), (*c).into());
        Terms::collect(items.iter().map(term).collect())
    }

    #[test]
    fn common_divisors_are_noticed() {
        // (x + y)(x + 2), (x + y)(y + 3), x + 5
        let a = sum(&[(2, 0, 1), (1, 1, 1), (1, 0, 2), (0, 1, 2)]);
        let b = sum(&[(1, 1, 1), (1, 0, 3), (0, 2, 1), (0, 1, 3)]);
        let c = sum(&[(1, 0, 1), (0, 0, 5)]);
        assert!(may_share_divisor(&a, &b));
        assert!(!may_share_divisor(&a, &c));
        assert!(!may_share_divisor(&b, &c));
    }
}
