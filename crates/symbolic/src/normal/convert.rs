//! From expressions to fractions over their ring.

use super::fraction::Fraction;
use super::generator::{Depth, Pair};
use super::ring::{Relation, Ring};
use super::survey::{Angle, Family, Survey, is_natural};
use crate::budget::{Meter, TooLarge};
use crate::function::Function;
use crate::hash::Map;
use crate::node::Kind;
use crate::polynomial::{Polynomial, monomial};
use crate::power::as_exponentials;
use crate::prove::program::factorize;
use crate::{Expr, Rational};
use dashu::integer::IBig;
use std::rc::Rc;

/// The ring of some expressions, and the expressions in it.
pub(crate) struct Converted {
    pub(crate) ring: Ring,
    pub(crate) fractions: Vec<Fraction>,
}

/// Why there is no normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoForm {
    /// A divisor is zero by the relations.
    DivisionByZero,
    TooLarge,
}

impl From<TooLarge> for NoForm {
    fn from(_: TooLarge) -> Self {
        NoForm::TooLarge
    }
}

struct Converter {
    survey: Survey,
    ring: Ring,
    done: Map<Expr, Fraction>,
    /// Cosine and sine (as fractions) of each angle that was needed.
    circular: Map<usize, (Fraction, Fraction)>,
    hyperbolic: Map<usize, (Fraction, Fraction)>,
    /// The generator and scale of the root of each base.
    roots: Map<Expr, (usize, Polynomial)>,
}

/// Writes expressions over their common ring.
pub(crate) fn convert(
    roots: &[Expr],
    depth: Depth,
    meter: &Rc<Meter>,
) -> Result<Converted, NoForm> {
    // Where nothing is known of functions, a power stands for itself.
    let roots = &match depth {
        Depth::Plain => roots.to_vec(),
        _ => as_exponentials(roots, false),
    };
    let survey = Survey::new(roots, depth)?;
    let words = survey.words();
    let mut ring = Ring {
        depth,
        generators: survey.generators.clone(),
        relations: Vec::new(),
        pairs: survey.pairs.clone(),
        words,
        meter: Rc::clone(meter),
    };
    for &Pair {
        cosine,
        sine,
        hyperbolic,
    } in &survey.pairs
    {
        // sin² = 1 - cos², sinh² = cosh² - 1.
        let square = Polynomial::generator(words, cosine, 2);
        let value = ring.constant(1).minus(&square);
        ring.relations.push(Relation {
            generator: sine,
            power: 2,
            value: if hyperbolic { value.negated() } else { value },
        });
    }
    let mut primes: Vec<_> = survey.primes.iter().collect();
    primes.sort();
    for (n, &(generator, degree)) in primes {
        ring.relations.push(Relation {
            generator,
            power: u32::try_from(degree).map_err(|_| TooLarge)?,
            value: Polynomial::constant(words, IBig::from(n.clone())),
        });
    }
    let nodes = survey.nodes.clone();
    let mut converter = Converter {
        survey,
        ring,
        done: Map::default(),
        circular: Map::default(),
        hyperbolic: Map::default(),
        roots: Map::default(),
    };
    for e in nodes {
        let value = converter.value(&e)?;
        converter.done.insert(e, value);
    }
    let fractions = roots.iter().map(|e| converter.done[e].clone()).collect();
    Ok(Converted {
        ring: converter.ring,
        fractions,
    })
}

impl Converter {
    fn value(&mut self, e: &Expr) -> Result<Fraction, NoForm> {
        let words = self.ring.words;
        Ok(match e.kind() {
            Kind::Number(r) => Fraction::from_rational(words, r),
            Kind::Undefined => return Err(NoForm::DivisionByZero),
            Kind::Pi => self.leaf(e, 1)?,
            Kind::Symbol(_) => {
                let degree = self.survey.degrees.get(e).copied().unwrap_or(1);
                self.leaf(e, degree)?
            }
            Kind::Scaled(c, x) => self.done[x].scaled(c),
            Kind::Sum(c, terms) => {
                let constant = Fraction::from_rational(words, c);
                let mut items: Vec<(&Fraction, Rational)> = terms
                    .iter()
                    .map(|(t, w)| (&self.done[t], w.clone()))
                    .collect();
                items.push((&constant, Rational::ONE));
                Fraction::sum(&items, &self.ring)?
            }
            Kind::Product(factors) => self.product(factors)?,
            Kind::Function(f, x) => self.function(e, *f, x)?,
        })
    }

    /// A generator that stands for `e` itself, or for its root of the given degree.
    fn leaf(&self, e: &Expr, degree: u64) -> Result<Fraction, TooLarge> {
        let exponent = u32::try_from(degree).map_err(|_| TooLarge)?;
        if exponent > monomial::MAX_EXPONENT {
            return Err(TooLarge);
        }
        let g = self.survey.index[e];
        Ok(Fraction::from_polynomial(Polynomial::generator(
            self.ring.words,
            g,
            exponent,
        )))
    }

    fn product(&mut self, factors: &[(Expr, Rational)]) -> Result<Fraction, NoForm> {
        let mut all = Fraction::from_polynomial(self.ring.constant(1));
        for (b, r) in factors {
            let value = if self.ring.depth == Depth::Plain && !is_natural(r) {
                self.leaf(&b.powr(r), 1)?
            } else if r.is_integer() {
                let k = r.as_integer().ok_or(TooLarge)?;
                match self.done[b].power(k, &self.ring)? {
                    Some(power) => power,
                    None => return Err(NoForm::DivisionByZero),
                }
            } else {
                self.radical(b, r)?
            };
            all = all.times(&value, &self.ring)?;
        }
        Ok(all)
    }

    fn radical(&mut self, b: &Expr, r: &Rational) -> Result<Fraction, NoForm> {
        let steps = |degree: u64| -> Result<i64, TooLarge> {
            let degree = i64::try_from(degree).map_err(|_| TooLarge)?;
            (r * &Rational::from(degree)).as_integer().ok_or(TooLarge)
        };
        if let Some(n) = b.as_number() {
            let mut all = Fraction::from_polynomial(self.ring.constant(1));
            for (prime, multiplicity) in factorize(n).map_err(|_| TooLarge)? {
                let (g, degree) = self.survey.primes[&prime];
                let k = steps(degree)?.checked_mul(multiplicity).ok_or(TooLarge)?;
                all = all.times(&self.generator_power(g, k)?, &self.ring)?;
            }
            return Ok(all);
        }
        let k = steps(self.survey.degrees[b])?;
        if b.as_symbol().is_some() {
            return self.generator_power(self.survey.index[b], k);
        }
        let (g, scale) = self.root(b)?;
        let power = self.generator_power(g, k)?;
        let Some(scale) = Fraction::from_polynomial(scale).power(-k, &self.ring)? else {
            return Err(NoForm::DivisionByZero);
        };
        Ok(power.times(&scale, &self.ring)?)
    }

    fn generator_power(&self, g: usize, k: i64) -> Result<Fraction, NoForm> {
        let g = Fraction::from_polynomial(self.ring.generator(g));
        g.power(k, &self.ring)?.ok_or(NoForm::DivisionByZero)
    }

    /// The generator w = q·b^(1/d) of a root, and q, the denominator of the radicand b = n/q: it
    /// satisfies w^d = n·q^(d-1). Roots of equal radicands are one.
    fn root(&mut self, b: &Expr) -> Result<(usize, Polynomial), TooLarge> {
        if let Some(known) = self.roots.get(b) {
            return Ok(known.clone());
        }
        let g = self.survey.roots[b];
        let power = u32::try_from(self.survey.degrees[b]).map_err(|_| TooLarge)?;
        let radicand = &self.done[b];
        let mut q = self
            .ring
            .constant(1)
            .scaled(&IBig::from(radicand.unit.clone()));
        for (factor, e) in &radicand.denominator {
            q = self.ring.times(&q, &self.ring.power(factor, *e)?)?;
        }
        let above = self.ring.power(&q, power - 1)?;
        let value = self.ring.times(&radicand.numerator, &above)?;
        let same = |(other, p): &&(usize, Polynomial)| {
            *p == q
                && self
                    .ring
                    .relation(*other)
                    .is_some_and(|r| r.power == power && r.value == value)
        };
        let root = match self.roots.values().find(same) {
            Some(known) => known.clone(),
            None => {
                if !q.is_one() {
                    let factor = (self.ring.expression(&q), Rational::ONE);
                    self.ring.generators[g].factors.push(factor);
                }
                self.ring.relations.push(Relation {
                    generator: g,
                    power,
                    value,
                });
                (g, q)
            }
        };
        self.roots.insert(b.clone(), root.clone());
        Ok(root)
    }

    fn function(&mut self, e: &Expr, f: Function, x: &[Expr]) -> Result<Fraction, NoForm> {
        if self.survey.index.contains_key(e) {
            return Ok(self.leaf(e, 1)?);
        }
        let value = |family: &Family| family.index[&x[0]];
        Ok(match f {
            Function::Sin => self.turned(value(&self.survey.circular))?.1,
            Function::Cos => self.turned(value(&self.survey.circular))?.0,
            Function::Sinh => self.boosted(value(&self.survey.hyperbolic))?.1,
            Function::Cosh => self.boosted(value(&self.survey.hyperbolic))?.0,
            Function::Tanh => {
                let (cosine, sine) = self.boosted(value(&self.survey.hyperbolic))?;
                let inverse = cosine.power(-1, &self.ring)?;
                sine.times(&inverse.ok_or(NoForm::DivisionByZero)?, &self.ring)?
            }
            _ => {
                let family = &self.survey.exponential;
                let angle = &family.angles[value(family)];
                let mut all = Fraction::from_polynomial(self.ring.constant(1));
                for &(atom, k) in &angle.multiples {
                    let power = self.generator_power(family.atoms[atom], k)?;
                    all = all.times(&power, &self.ring)?;
                }
                all
            }
        })
    }

    /// Cosine and sine of an angle by the addition theorem.
    fn turned(&mut self, i: usize) -> Result<(Fraction, Fraction), NoForm> {
        if let Some(known) = self.circular.get(&i) {
            return Ok(known.clone());
        }
        let angle = &self.survey.circular.angles[i];
        let mut all = self.added(angle, &self.survey.circular, -1)?;
        if !angle.turn.is_zero() {
            let turn = Expr::from(&angle.turn) * Expr::pi();
            let constant = |e: Expr| match self.done.get(&e) {
                Some(value) => Ok(value.clone()),
                None => e
                    .as_number()
                    .map(|r| Fraction::from_rational(self.ring.words, r))
                    .ok_or(TooLarge),
            };
            let by = (constant(turn.cos())?, constant(turn.sin())?);
            all = self.add_angles(&all, &by, -1)?;
        }
        self.circular.insert(i, all.clone());
        Ok(all)
    }

    /// Hyperbolic cosine and sine of a sum.
    fn boosted(&mut self, i: usize) -> Result<(Fraction, Fraction), NoForm> {
        if let Some(known) = self.hyperbolic.get(&i) {
            return Ok(known.clone());
        }
        let angle = &self.survey.hyperbolic.angles[i];
        let all = self.added(angle, &self.survey.hyperbolic, 1)?;
        self.hyperbolic.insert(i, all.clone());
        Ok(all)
    }

    fn added(
        &self,
        angle: &Angle,
        family: &Family,
        sign: i64,
    ) -> Result<(Fraction, Fraction), NoForm> {
        let one = Fraction::from_polynomial(self.ring.constant(1));
        let zero = Fraction::from_polynomial(self.ring.constant(0));
        let mut all = (one, zero);
        for &(atom, k) in &angle.multiples {
            let pair = self.ring.pairs[family.atoms[atom]];
            let generator = |g| Fraction::from_polynomial(self.ring.generator(g));
            let mut step = (generator(pair.cosine), generator(pair.sine));
            if k < 0 {
                step.1 = step.1.negated();
            }
            if k.unsigned_abs() > u64::from(monomial::MAX_EXPONENT) {
                return Err(NoForm::TooLarge);
            }
            for _ in 0..k.unsigned_abs() {
                all = self.add_angles(&all, &step, sign)?;
            }
        }
        Ok(all)
    }

    /// (c, s) of a sum: c = c₁c₂ ∓ s₁s₂, s = s₁c₂ + c₁s₂.
    fn add_angles(
        &self,
        a: &(Fraction, Fraction),
        b: &(Fraction, Fraction),
        sign: i64,
    ) -> Result<(Fraction, Fraction), NoForm> {
        let ring = &self.ring;
        let join = |x: Fraction, y: Fraction, w: i64| {
            Fraction::sum(&[(&x, Rational::ONE), (&y, Rational::from(w))], ring)
        };
        Ok((
            join(a.0.times(&b.0, ring)?, a.1.times(&b.1, ring)?, sign)?,
            join(a.1.times(&b.0, ring)?, a.0.times(&b.1, ring)?, 1)?,
        ))
    }
}
