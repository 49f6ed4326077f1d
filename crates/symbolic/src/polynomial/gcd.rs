//! Greatest common divisors.
//!
//! Images modulo a prime bound the degree of the gcd in each variable; variables that it does not
//! contain are eliminated through contents, the rest is interpolated from images and verified by exact
//! division. Randomness costs time at worst, never correctness.

use super::image::Image;
use super::interpolate::{Failure, Images, Problem, pack};
use super::univariate::gcd as univariate_gcd;
use super::{Polynomial, monomial};
use crate::TooLarge;
use crate::budget::Meter;
use crate::prove::field::{Element, Field};
use crate::prove::random::Random;
use dashu::base::{Gcd, UnsignedAbs};
use dashu::integer::{IBig, UBig};
use std::cmp::Reverse;

/// Attempts with fresh primes before the gcd is given up.
const ATTEMPTS: usize = 24;

impl Polynomial {
    /// The greatest common divisor, with positive leading coefficient.
    pub(crate) fn gcd(&self, o: &Self, meter: &Meter) -> Result<Self, TooLarge> {
        if self.is_zero() {
            return Ok(o.positive());
        }
        if o.is_zero() {
            return Ok(self.positive());
        }
        let (f, mf, cf) = self.stripped();
        let (g, mut m, cg) = o.stripped();
        monomial::meet(&mut m, &mf);
        let core = primitive_gcd(f, g, meter)?;
        core.scaled(&IBig::from(cf.gcd(cg))).shifted(&m)
    }

    /// Without monomial and integer content, leading coefficient positive; with both contents.
    fn stripped(&self) -> (Self, Vec<u64>, UBig) {
        let m = self.monomial_content();
        let c = self.content();
        let stripped = self.unshifted(&m).unwrap_or_else(|| self.clone());
        (stripped.unscaled(&c).positive(), m, c)
    }

    /// With a positive leading coefficient.
    pub(crate) fn positive(&self) -> Self {
        if self.is_negative() {
            self.negated()
        } else {
            self.clone()
        }
    }

    /// The gcd of the coefficients of the powers of one variable.
    pub(crate) fn content_in(&self, generator: usize, meter: &Meter) -> Result<Self, TooLarge> {
        let parts = self.split(generator);
        gcd_of_all(self.words, parts, meter)
    }
}

/// The gcd of several polynomials, short ones first: they decide early.
fn gcd_of_all(
    words: usize,
    mut parts: Vec<Polynomial>,
    meter: &Meter,
) -> Result<Polynomial, TooLarge> {
    parts.sort_by_key(Polynomial::len);
    let mut all = Polynomial::zero(words);
    for p in parts.iter().filter(|p| !p.is_zero()) {
        all = all.gcd(p, meter)?;
        if all.is_one() {
            break;
        }
    }
    Ok(all)
}

fn one(words: usize) -> Polynomial {
    Polynomial::constant(words, IBig::ONE)
}

fn variables(p: &Polynomial) -> Vec<usize> {
    let degrees = p.degrees();
    (0..8 * p.words)
        .filter(|&g| monomial::exponent(&degrees, g) > 0)
        .collect()
}

/// The gcd of polynomials without integer or monomial content.
fn primitive_gcd(
    mut f: Polynomial,
    mut g: Polynomial,
    meter: &Meter,
) -> Result<Polynomial, TooLarge> {
    let words = f.words;
    loop {
        meter.spend(f.len() + g.len())?;
        if f.len() < g.len() {
            std::mem::swap(&mut f, &mut g);
        }
        // A single term without content is 1.
        if g.len() <= 1 {
            return Ok(one(words));
        }
        if f == g {
            return Ok(g);
        }
        let (vf, vg) = (variables(&f), variables(&g));
        if let Some(&x) = vf.iter().find(|x| !vg.contains(x)) {
            f = reduce_by(f.split(x), &g, meter)?;
            continue;
        }
        if let Some(&x) = vg.iter().find(|x| !vf.contains(x)) {
            g = reduce_by(g.split(x), &f, meter)?;
            continue;
        }
        let probe = Probe::new(&f, &g, &vf, meter)?;
        if probe.degrees.iter().all(|(_, d)| *d == 0) {
            return Ok(one(words));
        }
        if let Some(&(x, _)) = probe.degrees.iter().find(|(_, d)| *d == 0) {
            // The gcd is free of x: it divides the contents.
            f = f.content_in(x, meter)?;
            g = g.content_in(x, meter)?;
            continue;
        }
        for (p, q) in [(&g, &f), (&f, &g)] {
            if probe.degrees.iter().all(|&(x, d)| d == p.degree(x)) && q.divide(p, meter)?.is_some()
            {
                return Ok(p.clone());
            }
        }
        return interpolated_gcd(&f, &g, &probe, meter);
    }
}

/// The gcd of `g` (free of a variable) and a polynomial is that of `g` and the polynomial's parts.
fn reduce_by(
    parts: Vec<Polynomial>,
    g: &Polynomial,
    meter: &Meter,
) -> Result<Polynomial, TooLarge> {
    let mut parts = parts;
    parts.push(g.clone());
    gcd_of_all(g.words, parts, meter)
}

/// Upper bounds for the degrees of the gcd from one random image per variable.
struct Probe {
    degrees: Vec<(usize, u32)>,
    random: Random,
}

impl Probe {
    fn new(f: &Polynomial, g: &Polynomial, all: &[usize], meter: &Meter) -> Result<Self, TooLarge> {
        let mut random = Random::new(0x6763_6421 ^ ((f.len() as u64) << 32 | g.len() as u64));
        let field = Field::random(&mut random, 1, &[]).ok_or(TooLarge)?;
        let mut degrees = Vec::with_capacity(all.len());
        for &x in all {
            let others: Vec<usize> = all.iter().copied().filter(|y| *y != x).collect();
            meter.spend((f.len() + g.len()) / 2)?;
            let bound = f.degree(x).min(g.degree(x));
            let point: Vec<Element> = others.iter().map(|_| field.draw(&mut random)).collect();
            let image = |p: &Polynomial| Image::new(p, &field, x, &others).at(&field, &point);
            let (a, b) = (image(f), image(g));
            // Where both leading coefficients vanish the image says nothing.
            let lost = |p: &[Element]| p.last().is_some_and(|c| c.is_zero());
            let degree = if lost(&a) && lost(&b) {
                bound
            } else {
                (univariate_gcd(&field, a, b).len() as u32 - 1).min(bound)
            };
            degrees.push((x, degree));
        }
        Ok(Self { degrees, random })
    }
}

/// The variable with the simplest leading coefficients, then the lowest degree.
fn main_variable(f: &Polynomial, g: &Polynomial, probe: &Probe) -> (usize, u32) {
    let leading_terms = |p: &Polynomial, x: usize| {
        let d = p.degree(x);
        p.terms()
            .filter(|(m, _)| monomial::exponent(m, x) == d)
            .count()
    };
    probe
        .degrees
        .iter()
        .copied()
        .min_by_key(|&(x, d)| (leading_terms(f, x).min(leading_terms(g, x)), Reverse(d)))
        .unwrap_or((0, 0))
}

fn interpolated_gcd(
    f: &Polynomial,
    g: &Polynomial,
    probe: &Probe,
    meter: &Meter,
) -> Result<Polynomial, TooLarge> {
    let (main, degree) = main_variable(f, g, probe);
    let (cf, cg) = (f.content_in(main, meter)?, g.content_in(main, meter)?);
    let content = cf.gcd(&cg, meter)?;
    let f = f.divide(&cf, meter)?.ok_or(TooLarge)?;
    let g = g.divide(&cg, meter)?.ok_or(TooLarge)?;
    let leading = |p: &Polynomial| p.split(main).pop().unwrap_or_else(|| p.clone());
    let gamma = leading(&f).gcd(&leading(&g), meter)?;
    let mut others = Vec::new();
    for &(x, d) in probe.degrees.iter().filter(|(x, _)| *x != main) {
        let bound = d + gamma.degree(x);
        if bound > monomial::MAX_EXPONENT {
            return Err(TooLarge);
        }
        others.push((x, bound));
    }
    let mut random = probe.random.clone();
    let mut degree = degree as usize;
    let mut attempts = 0;
    while degree > 0 {
        let problem = Problem {
            f: &f,
            g: &g,
            leading: &gamma,
            main,
            others: &others,
            degree,
            meter,
        };
        match lifted_gcd(&problem, &mut random) {
            Ok(h) => return h.times(&content, meter),
            Err(Failure::DegreeTooHigh(d)) => degree = d,
            Err(Failure::Unlucky) => {}
            Err(Failure::Budget) => return Err(TooLarge),
        }
        attempts += 1;
        if attempts > ATTEMPTS {
            return Err(TooLarge);
        }
    }
    Ok(content)
}

/// Interpolates modulo one prime, then lifts the coefficients over further primes until the candidate
/// divides both.
fn lifted_gcd(problem: &Problem, random: &mut Random) -> Result<Polynomial, Failure> {
    let field = |random: &mut Random| Field::random(random, 1, &[]).ok_or(Failure::Budget);
    let images = Images::new(problem, field(random)?);
    let sparse = images.interpolate(random)?;
    let support: Vec<Vec<Vec<u32>>> = sparse
        .iter()
        .map(|terms| terms.iter().map(|(m, _)| m.clone()).collect())
        .collect();
    let residues = sparse
        .into_iter()
        .map(|terms| terms.into_iter().map(|(_, c)| c).collect())
        .collect::<Vec<Vec<Element>>>();
    let mut lift = Lift::new(&images.field, &residues);
    for _ in 0..ATTEMPTS {
        if let Some(g) = verified(problem, &support, &lift)? {
            return Ok(g);
        }
        let images = Images::new(problem, field(random)?);
        let base: Vec<Element> = problem
            .others
            .iter()
            .map(|_| images.field.draw(random))
            .collect();
        let residues = images.on_support(&support, &base, base.len())?;
        if !lift.add(&images.field, &residues) {
            // The coefficients are complete, yet the candidate fails: the support was wrong.
            return Err(Failure::Unlucky);
        }
    }
    Err(Failure::Unlucky)
}

/// The primitive part of the lifted candidate, if it divides both polynomials.
fn verified(
    problem: &Problem,
    support: &[Vec<Vec<u32>>],
    lift: &Lift,
) -> Result<Option<Polynomial>, Failure> {
    let meter = problem.meter;
    let mut values = lift.values.iter();
    let mut terms = Vec::new();
    for (j, monomials) in support.iter().enumerate() {
        for m in monomials {
            let c = values.next().cloned().unwrap_or(IBig::ZERO);
            terms.push((pack(problem, j, m), c));
        }
    }
    let h = Polynomial::collect(problem.f.words(), terms);
    if h.is_zero() {
        return Ok(None);
    }
    let content = h.content_in(problem.main, meter)?;
    let Some(h) = h.divide(&content, meter)? else {
        return Ok(None);
    };
    let h = h.positive();
    let divides = problem.f.divide(&h, meter)?.is_some() && problem.g.divide(&h, meter)?.is_some();
    Ok(divides.then_some(h))
}

/// Integers known modulo a product of primes, as representatives of least absolute value.
struct Lift {
    modulus: UBig,
    values: Vec<IBig>,
}

impl Lift {
    fn new(field: &Field, residues: &[Vec<Element>]) -> Self {
        Self {
            modulus: UBig::from(field.order()),
            values: residues
                .iter()
                .flatten()
                .map(|r| IBig::from(field.lift(*r)))
                .collect(),
        }
    }

    /// Takes one more prime into account; did any value change?
    fn add(&mut self, field: &Field, residues: &[Vec<Element>]) -> bool {
        let Some(inverse) = field.invert(field.natural(&self.modulus)) else {
            return true;
        };
        let next = &self.modulus * field.order();
        let half = IBig::from(&next / 2u8);
        let mut changed = false;
        for (v, r) in self.values.iter_mut().zip(residues.iter().flatten()) {
            let step = field.mul(field.sub(*r, field.integer(v)), inverse);
            if step.is_zero() {
                continue;
            }
            changed = true;
            *v += IBig::from(self.modulus.clone()) * IBig::from(field.lift(step));
            if v.clone().unsigned_abs() > half.clone().unsigned_abs() {
                let whole = IBig::from(next.clone());
                if *v > IBig::ZERO {
                    *v -= whole;
                } else {
                    *v += whole;
                }
            }
        }
        self.modulus = next;
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Budget;

    fn random_polynomial(
        r: &mut Random,
        variables: usize,
        terms: usize,
        degree: u32,
    ) -> Polynomial {
        let term = |r: &mut Random| {
            let mut m = vec![0; monomial::words(variables)];
            for x in 0..variables {
                monomial::set_exponent(&mut m, x, r.below(degree + 1));
            }
            (m, IBig::from(i64::from(r.below(41)) - 20))
        };
        let all: Vec<_> = (0..terms).map(|_| term(r)).collect();
        Polynomial::collect(monomial::words(variables), all)
    }

    #[test]
    fn finds_planted_factors() {
        let mut r = Random::new(3);
        for i in 0..300 {
            let meter = Meter::new(Budget::default());
            let variables = 1 + i % 10;
            let terms = 2 + i % 7;
            let mut draw = |n| loop {
                let p = random_polynomial(&mut r, variables, n, 3);
                if !p.is_zero() {
                    return p;
                }
            };
            let (a, b, c) = (draw(terms), draw(terms), draw(terms));
            let (f, g) = (a.times(&c, &meter).unwrap(), b.times(&c, &meter).unwrap());
            let h = f.gcd(&g, &meter).unwrap();
            // c divides it, it divides both, and the cofactors are coprime.
            assert!(h.divide(&c, &meter).unwrap().is_some(), "case {i}");
            let (p, q) = (f.divide(&h, &meter).unwrap(), g.divide(&h, &meter).unwrap());
            let (p, q) = (p.unwrap(), q.unwrap());
            assert!(p.gcd(&q, &meter).unwrap().is_one(), "case {i}");
        }
    }

    #[test]
    fn large_coefficients_need_several_primes() {
        let meter = Meter::new(Budget::default());
        let huge = IBig::from(10).pow(60) + IBig::ONE;
        let x = Polynomial::generator(1, 0, 1);
        let y = Polynomial::generator(1, 1, 1);
        let c = x
            .scaled(&huge)
            .plus(&y.scaled(&IBig::from(7)))
            .plus(&one(1));
        let a = x.times(&x, &meter).unwrap().plus(&y);
        let b = x.times(&y, &meter).unwrap().minus(&one(1));
        let (f, g) = (a.times(&c, &meter).unwrap(), b.times(&c, &meter).unwrap());
        assert_eq!(f.gcd(&g, &meter).unwrap(), c);
    }

    #[test]
    fn contents_count() {
        let meter = Meter::new(Budget::default());
        let x = Polynomial::generator(1, 0, 1);
        let y = Polynomial::generator(1, 1, 2);
        let f = x
            .plus(&one(1))
            .times(&y, &meter)
            .unwrap()
            .scaled(&IBig::from(6));
        let g = x
            .plus(&one(1))
            .scaled(&IBig::from(-4))
            .times(&y.times(&y, &meter).unwrap(), &meter);
        let h = f.gcd(&g.unwrap(), &meter).unwrap();
        assert_eq!(
            h,
            x.plus(&one(1))
                .times(&y, &meter)
                .unwrap()
                .scaled(&IBig::from(2))
        );
    }
}
