//! The atoms of a formula: what is not taken apart, and which of them are sines and cosines.

use super::monomial::{Atom, Exponent, MAX_EXPONENT, Monomial, Power};
use super::terms::Terms;
use crate::function::Function;
use crate::hash::Map;
use crate::node::Kind;
use crate::{Expr, Rational};

/// The two functions of an angle, or of a hyperbolic argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Angle {
    pub(super) sine: Atom,
    pub(super) cosine: Atom,
    pub(super) hyperbolic: bool,
}

impl Angle {
    /// s² = sign·(1 - c²): 1 on the circle, -1 on the hyperbola.
    pub(super) fn sign(&self) -> Rational {
        Rational::from(if self.hyperbolic { -1 } else { 1 })
    }

    /// The sine and cosine of another argument of the same kind.
    pub(super) fn of(&self, x: &Expr) -> (Expr, Expr) {
        if self.hyperbolic {
            (x.sinh(), x.cosh())
        } else {
            (x.sin(), x.cos())
        }
    }
}

/// Numbered atoms.
#[derive(Default)]
pub(super) struct Atoms {
    list: Vec<Expr>,
    index: Map<Expr, Atom>,
    /// For each atom the angle that it is a function of.
    angles: Map<Atom, Angle>,
}

impl Atoms {
    pub(super) fn expr(&self, a: Atom) -> &Expr {
        &self.list[a as usize]
    }

    /// The argument of an angle's functions.
    pub(super) fn argument(&self, angle: Angle) -> &Expr {
        match self.expr(angle.sine).kind() {
            Kind::Function(_, x) => &x[0],
            _ => self.expr(angle.sine),
        }
    }

    /// The angles in a monomial, each once.
    pub(super) fn angles_in(&self, m: &Monomial) -> Vec<Angle> {
        let mut angles: Vec<Angle> = Vec::new();
        for (atom, _) in m.factors() {
            if let Some(angle) = self.angles.get(atom)
                && !angles.contains(angle)
            {
                angles.push(*angle);
            }
        }
        angles
    }

    /// The angles of which a sine or cosine occurs to a power of 2 or more.
    pub(super) fn squared_angles(&self, t: &Terms) -> Vec<Angle> {
        let mut angles: Vec<Angle> = Vec::new();
        for (m, _) in t.iter() {
            for (atom, e) in m.factors() {
                if let (true, Some(angle)) = (*e > 1, self.angles.get(atom))
                    && !angles.contains(angle)
                {
                    angles.push(*angle);
                }
            }
        }
        angles
    }

    /// The number of an atom.
    pub(super) fn atom(&mut self, e: &Expr) -> Atom {
        if let Some(a) = self.index.get(e) {
            return *a;
        }
        let Kind::Function(f, x) = e.kind() else {
            return self.insert(e);
        };
        let hyperbolic = matches!(f, Function::Sinh | Function::Cosh);
        let (sine, cosine) = match f {
            Function::Sin | Function::Cos => (x[0].sin(), x[0].cos()),
            Function::Sinh | Function::Cosh => (x[0].sinh(), x[0].cosh()),
            _ => return self.insert(e),
        };
        let (sine, cosine) = (self.insert(&sine), self.insert(&cosine));
        let angle = Angle {
            sine,
            cosine,
            hyperbolic,
        };
        self.angles.extend([(sine, angle), (cosine, angle)]);
        self.index.get(e).copied().unwrap_or(sine)
    }

    fn insert(&mut self, e: &Expr) -> Atom {
        let a = self.list.len() as Atom;
        self.list.push(e.clone());
        *self.index.entry(e.clone()).or_insert(a)
    }

    /// A number times a product of atoms; sums count as atoms.
    pub(super) fn monomial(&mut self, e: &Expr) -> Option<(Monomial, Rational)> {
        match e.kind() {
            Kind::Number(r) => Some((Monomial::default(), r.clone())),
            Kind::Undefined => None,
            Kind::Scaled(c, x) => {
                let (m, d) = self.monomial_of_term(x)?;
                Some((m, c * &d))
            }
            _ => self.monomial_of_term(e),
        }
    }

    fn monomial_of_term(&mut self, e: &Expr) -> Option<(Monomial, Rational)> {
        let m = match e.kind() {
            Kind::Product(factors) => {
                let mut all = Monomial::default();
                for (base, r) in factors {
                    let (atom, exponent) = self.power(base, r)?;
                    all = all.times_power(atom, exponent);
                }
                all
            }
            _ => Monomial::power(self.atom(e), 1),
        };
        Some((m, Rational::ONE))
    }

    /// base^(p/q) is the p-th power of the atom base^(1/q).
    pub(super) fn power(&mut self, base: &Expr, r: &Rational) -> Option<Power> {
        let (p, q) = r.as_small().filter(|(p, _)| p.abs() <= MAX_EXPONENT)?;
        let atom = if q == 1 {
            self.atom(base)
        } else {
            self.atom(&base.powr(&Rational::new(1, q)))
        };
        Some((atom, Exponent::try_from(p).ok()?))
    }

    /// The terms of a sum, products of sums left alone.
    pub(super) fn terms(&mut self, e: &Expr) -> Option<Terms> {
        let Kind::Sum(constant, items) = e.kind() else {
            return self.monomial(e).map(|(m, c)| Terms::term(m, c));
        };
        let mut all = vec![(Monomial::default(), constant.clone())];
        for (t, c) in items {
            let (m, d) = self.monomial_of_term(t)?;
            all.push((m, c * &d));
        }
        Some(Terms::collect(all))
    }

    /// The product that a monomial stands for.
    pub(super) fn product(&self, m: &Monomial, c: &Rational) -> Expr {
        let factors = m
            .factors()
            .iter()
            .map(|(a, e)| (self.expr(*a).clone(), i64::from(*e).into()));
        Expr::power_product(factors.chain([(c.into(), Rational::ONE)]))
    }

    /// The plain sum that terms stand for.
    pub(super) fn sum(&self, terms: &Terms) -> Expr {
        Expr::linear_combination(
            terms
                .iter()
                .map(|(m, c)| (self.product(m, &Rational::ONE), c.clone())),
        )
    }
}
