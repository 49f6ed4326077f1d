//! Arithmetic modulo a prime p < 2^61 in Montgomery form.
//!
//! The primes are ≡ -1 modulo [`TORSION`]. Hence -1 is not a square, the circle x² + y² = 1 has p + 1
//! points and among them the angles 2πk/480, and 2, 3 and 5 are squares.

use super::random::Random;
use crate::Rational;
use dashu::integer::{IBig, UBig};

/// p + 1 is a multiple of this, so the angles 2πk/TORSION are points of the circle over GF(p).
pub(crate) const TORSION: u64 = 480;

/// An element in Montgomery form: x·2^64 mod p.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Element(u64);

impl Element {
    /// Zero, in every field.
    pub const ZERO: Element = Element(0);

    /// Is it zero?
    pub fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The bits of the representation: equal elements of one field, equal bits.
    pub(crate) fn bits(self) -> u64 {
        self.0
    }
}

/// A point (cos, sin) of the circle.
pub(crate) type Point = (Element, Element);

/// The field with p elements.
#[derive(Clone, Debug)]
pub struct Field {
    p: u64,
    /// -1/p modulo 2^64.
    negative_inverse: u64,
    /// 2^128 mod p: multiplying by it enters Montgomery form.
    enter: u64,
    /// One.
    pub one: Element,
}

impl Field {
    pub(crate) const fn new(p: u64) -> Self {
        // Newton's iteration doubles the correct bits of 1/p mod 2^64: 3, 6, 12, 24, 48, 96.
        let mut inverse = p;
        let mut round = 0;
        while round < 5 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(p.wrapping_mul(inverse)));
            round += 1;
        }
        let r = ((1u128 << 64) % p as u128) as u64;
        Self {
            p,
            negative_inverse: inverse.wrapping_neg(),
            enter: (r as u128 * r as u128 % p as u128) as u64,
            one: Element(r),
        }
    }

    /// The field where one guess is enough, and whose values are compared across programs: the largest
    /// p < 2^61 for which p + 1 is a multiple of TORSION and of all primes up to 37, so that these have
    /// square roots and unique odd roots and part the circle.
    pub const SHARED: Field = Field::new(0x1ffe_0f3f_d003_beff);

    /// Has every number in `squares` a root, and every number an odd root of degree `odd`?
    pub(crate) fn suits(&self, odd: u64, squares: &[UBig]) -> bool {
        gcd(self.p - 1, odd) == 1 && squares.iter().all(|n| self.is_square(self.natural(n)))
    }

    /// A random prime of the family with gcd(p - 1, `odd`) = 1 and all of `squares` quadratic residues.
    pub(crate) fn random(random: &mut Random, odd: u64, squares: &[UBig]) -> Option<Self> {
        Self::random_with_angles(random, TORSION, odd, squares)
    }

    /// The same with p + 1 a multiple of `turns`, itself one of TORSION.
    pub(crate) fn random_with_angles(
        random: &mut Random,
        turns: u64,
        odd: u64,
        squares: &[UBig],
    ) -> Option<Self> {
        for _ in 0..100_000 {
            let k = (1u64 << 60) / turns + random.next() % ((1 << 60) / turns);
            let p = k * turns - 1;
            if SIEVE.iter().any(|q| p.is_multiple_of(*q)) {
                continue;
            }
            let field = Self::new(p);
            if field.is_prime() && field.suits(odd, squares) {
                return Some(field);
            }
        }
        None
    }

    /// The strong test for bases that are known to leave no composite below 2^64.
    fn is_prime(&self) -> bool {
        const BASES: [u64; 7] = [2, 325, 9375, 28178, 450_775, 9_780_504, 1_795_265_022];
        let minus_one = self.negate(self.one);
        // p ≡ 3 mod 4: one halving of p - 1 leaves an odd number.
        BASES.iter().all(|&a| {
            let x = self.power(self.small(a), (self.p - 1) / 2);
            x == self.one || x == minus_one
        })
    }

    fn reduce(&self, t: u128) -> u64 {
        let m = (t as u64).wrapping_mul(self.negative_inverse);
        let r = ((t + u128::from(m) * u128::from(self.p)) >> 64) as u64;
        if r >= self.p { r - self.p } else { r }
    }

    /// a·b.
    pub fn mul(&self, a: Element, b: Element) -> Element {
        Element(self.reduce(u128::from(a.0) * u128::from(b.0)))
    }

    /// a + b.
    pub fn add(&self, a: Element, b: Element) -> Element {
        let s = a.0 + b.0;
        Element(if s >= self.p { s - self.p } else { s })
    }

    /// -a.
    pub fn negate(&self, a: Element) -> Element {
        Element(if a.0 == 0 { 0 } else { self.p - a.0 })
    }

    /// a - b.
    pub fn sub(&self, a: Element, b: Element) -> Element {
        self.add(a, self.negate(b))
    }

    pub(crate) fn power(&self, mut base: Element, mut e: u64) -> Element {
        let mut result = self.one;
        while e > 0 {
            if e & 1 == 1 {
                result = self.mul(result, base);
            }
            e >>= 1;
            if e > 0 {
                base = self.mul(base, base);
            }
        }
        result
    }

    /// `None` for a negative power of zero.
    pub(crate) fn signed_power(&self, base: Element, e: i64) -> Option<Element> {
        let base = if e < 0 { self.invert(base)? } else { base };
        Some(match e.unsigned_abs() {
            1 => base,
            2 => self.mul(base, base),
            n => self.power(base, n),
        })
    }

    /// One over it, by the extended Euclidean algorithm; `None` for zero.
    pub fn invert(&self, a: Element) -> Option<Element> {
        if a.is_zero() {
            return None;
        }
        let (mut r0, mut r1) = (self.p, a.0);
        let (mut t0, mut t1) = (0i64, 1i64);
        while r1 != 0 {
            let q = r0 / r1;
            (r0, r1) = (r1, r0 - q * r1);
            (t0, t1) = (t1, t0 - q as i64 * t1);
        }
        let inverse = if t0 < 0 {
            self.p - t0.unsigned_abs()
        } else {
            t0 as u64
        };
        // `inverse` is 1/(x 2^64): three Montgomery factors bring back 2^64/x.
        let entered = self.reduce(u128::from(inverse) * u128::from(self.enter));
        Some(Element(
            self.reduce(u128::from(entered) * u128::from(self.enter)),
        ))
    }

    pub(crate) fn is_square(&self, a: Element) -> bool {
        a.is_zero() || self.power(a, (self.p - 1) / 2) == self.one
    }

    /// The square root that is a square itself.
    pub fn square_root(&self, a: Element) -> Option<Element> {
        let root = self.power(a, self.p.div_ceil(4));
        (self.mul(root, root) == a).then_some(root)
    }

    /// The unique m-th root, for m prime to p - 1.
    pub(crate) fn odd_root(&self, a: Element, m: u64) -> Option<Element> {
        if m == 1 {
            return Some(a);
        }
        let order = i128::from(self.p - 1);
        let (mut r0, mut r1) = (order, i128::from(m));
        let (mut t0, mut t1) = (0i128, 1i128);
        while r1 != 0 {
            let q = r0 / r1;
            (r0, r1) = (r1, r0 - q * r1);
            (t0, t1) = (t1, t0 - q * t1);
        }
        (r0 == 1).then(|| self.power(a, t0.rem_euclid(order) as u64))
    }

    pub(crate) fn small(&self, n: u64) -> Element {
        Element(self.reduce(u128::from(n % self.p) * u128::from(self.enter)))
    }

    fn signed(&self, n: i64) -> Element {
        let m = self.small(n.unsigned_abs());
        if n < 0 { self.negate(m) } else { m }
    }

    pub(crate) fn natural(&self, n: &UBig) -> Element {
        self.small(n % self.p)
    }

    pub(crate) fn integer(&self, n: &IBig) -> Element {
        use dashu::base::{Signed, UnsignedAbs};
        let m = self.natural(&n.clone().unsigned_abs());
        if n.is_negative() { self.negate(m) } else { m }
    }

    /// The representative of smallest absolute value.
    pub(crate) fn lift(&self, a: Element) -> i64 {
        let x = self.reduce(u128::from(a.0));
        if x > self.p / 2 {
            -((self.p - x) as i64)
        } else {
            x as i64
        }
    }

    /// The fraction n/d with small n and d that an element is the image of.
    pub fn small_fraction(&self, a: Element) -> Option<Rational> {
        const SMALL: i128 = 1 << 20;
        let x = self.reduce(u128::from(a.0));
        let (mut r0, mut r1) = (i128::from(self.p), i128::from(x));
        let (mut t0, mut t1) = (0i128, 1i128);
        while r1.abs() >= SMALL {
            let q = r0 / r1;
            (r0, r1) = (r1, r0 - q * r1);
            (t0, t1) = (t1, t0 - q * t1);
        }
        let small = t1 != 0 && t1.abs() < SMALL;
        small.then(|| Rational::new(r1 as i64 * t1.signum() as i64, t1.abs() as i64))
    }

    /// Are the angles 2πk/turns points of the circle?
    pub(crate) fn has_angles(&self, turns: u64) -> bool {
        (self.p + 1).is_multiple_of(turns)
    }

    /// The number of elements.
    pub(crate) fn order(&self) -> u64 {
        self.p
    }

    /// `None` where p divides the denominator.
    pub fn rational(&self, r: &Rational) -> Option<Element> {
        let (n, d) = match r.as_small() {
            Some((n, 1)) => return Some(self.signed(n)),
            Some((n, d)) => (self.signed(n), self.signed(d)),
            None => (self.integer(&r.numerator()), self.natural(&r.denominator())),
        };
        Some(self.mul(n, self.invert(d)?))
    }

    /// A uniform element.
    pub(crate) fn draw(&self, random: &mut Random) -> Element {
        loop {
            let x = random.next() >> 3;
            if x < self.p {
                return Element(x);
            }
        }
    }

    /// A random point of the circle: ((1 - t²)/(1 + t²), 2t/(1 + t²)).
    pub(crate) fn draw_point(&self, random: &mut Random) -> Point {
        loop {
            let t = self.draw(random);
            let t2 = self.mul(t, t);
            // 1 + t² has no zero because -1 is not a square.
            if let Some(d) = self.invert(self.add(self.one, t2)) {
                let c = self.mul(self.sub(self.one, t2), d);
                return (c, self.mul(self.add(t, t), d));
            }
        }
    }

    /// The sum of two angles.
    pub(crate) fn rotate(&self, a: Point, b: Point) -> Point {
        (
            self.sub(self.mul(a.0, b.0), self.mul(a.1, b.1)),
            self.add(self.mul(a.0, b.1), self.mul(a.1, b.0)),
        )
    }

    /// A multiple of an angle.
    pub(crate) fn turn(&self, a: Point, k: i64) -> Point {
        let mut square = if k < 0 { (a.0, self.negate(a.1)) } else { a };
        let mut result = (self.one, Element::ZERO);
        let mut k = k.unsigned_abs();
        while k > 0 {
            if k & 1 == 1 {
                result = self.rotate(result, square);
            }
            k >>= 1;
            if k > 0 {
                square = self.rotate(square, square);
            }
        }
        result
    }

    /// The angle 2π/turns, up to a symmetry of the number field that contains it.
    pub(crate) fn torsion_point(&self, random: &mut Random, turns: u64) -> Point {
        let primes = prime_divisors(turns);
        let unit = (self.one, Element::ZERO);
        loop {
            let g = self.turn(self.draw_point(random), ((self.p + 1) / turns) as i64);
            let proper = |q: &u64| self.turn(g, (turns / q) as i64) != unit;
            if primes.iter().all(proper) {
                // sin φ = cos(φ - π/2) must go along: a quarter turn is (0, 1), not (0, -1).
                let quarter = self.turn(g, turns as i64 / 4).1;
                return (g.0, self.mul(g.1, quarter));
            }
        }
    }
}

/// The primes that divide a number.
pub(crate) fn prime_divisors(n: u64) -> Vec<u64> {
    let (mut rest, mut q, mut all) = (n, 2, Vec::new());
    while rest > 1 {
        if rest.is_multiple_of(q) {
            all.push(q);
            while rest.is_multiple_of(q) {
                rest /= q;
            }
        }
        q += 1;
    }
    all
}

/// Small primes other than 2, 3, 5: they sieve candidates before the costly test.
const SIEVE: [u64; 15] = [7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61];

pub(crate) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field() -> (Field, Random) {
        let mut random = Random::new(7);
        let f = Field::random(&mut random, 3 * 5 * 7, &[UBig::from(7u8)]).unwrap();
        (f, random)
    }

    #[test]
    fn the_shared_prime_is_one_of_the_family() {
        let f = Field::SHARED;
        assert!(f.is_prime() && f.has_angles(TORSION) && f.order() < 1 << 61);
        let primes = [2u8, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37].map(UBig::from);
        assert!(f.suits(3 * 5 * 7 * 11 * 13 * 17 * 19 * 23 * 29 * 31 * 37, &primes));
    }

    #[test]
    fn fractions_come_back() {
        let f = Field::SHARED;
        for (n, d) in [(1, 2), (-3, 7), (0, 1), (12, 1), (-1, 1)] {
            let r = Rational::new(n, d);
            assert_eq!(f.rational(&r).and_then(|x| f.small_fraction(x)), Some(r));
        }
    }

    #[test]
    fn inverts_and_takes_roots() {
        let (f, mut random) = field();
        for _ in 0..1000 {
            let a = f.draw(&mut random);
            assert_eq!(f.mul(a, f.invert(a).unwrap()), f.one);
            let square = f.mul(a, a);
            let root = f.square_root(square).unwrap();
            assert!(root == a || root == f.negate(a));
            assert_eq!(f.power(f.odd_root(a, 15).unwrap(), 15), a);
        }
        assert!(f.square_root(f.negate(f.one)).is_none());
    }

    #[test]
    fn rationals_are_a_homomorphism() {
        let (f, _) = field();
        let (a, b) = (Rational::new(-7, 12), Rational::new(i64::MAX, 5));
        let image = |r: &Rational| f.rational(r).unwrap();
        assert_eq!(image(&(&a * &b)), f.mul(image(&a), image(&b)));
        let big = &b * &b;
        assert_eq!(image(&(&big + &a)), f.add(image(&big), image(&a)));
    }

    #[test]
    fn torsion_contains_the_square_roots() {
        let (f, mut random) = field();
        let g = f.torsion_point(&mut random, TORSION);
        let twice = |k| {
            let c = f.turn(g, k).0;
            f.add(c, c)
        };
        assert_eq!(f.mul(twice(60), twice(60)), f.small(2));
        assert_eq!(f.mul(twice(40), twice(40)), f.small(3));
        let five = f.sub(f.add(twice(48), twice(48)), f.one);
        assert_eq!(f.mul(five, five), f.small(5));
    }
}
