//! Zippel's sparse interpolation of a greatest common divisor from images in one variable.
//!
//! H = γ·G/lc(G) with γ = gcd of the leading coefficients has integer coefficients, and its image at a
//! point of the other variables is γ(point) times the monic gcd of the images. The supports of the
//! coefficients of H are found one variable at a time; each further value costs as many images as the
//! largest support has monomials.

use super::image::Image;
use super::univariate::{gcd, interpolate, solve_vandermonde};
use super::{Polynomial, monomial};
use crate::TooLarge;
use crate::budget::Meter;
use crate::prove::field::{Element, Field};
use crate::prove::random::Random;

/// The polynomials whose gcd is wanted; both primitive in `main`.
pub(crate) struct Problem<'a> {
    pub(crate) f: &'a Polynomial,
    pub(crate) g: &'a Polynomial,
    /// The gcd of their leading coefficients in `main`.
    pub(crate) leading: &'a Polynomial,
    pub(crate) main: usize,
    /// The other variables, with bounds for the degree of H in each.
    pub(crate) others: &'a [(usize, u32)],
    /// The degree of the gcd in `main`.
    pub(crate) degree: usize,
    pub(crate) meter: &'a Meter,
}

/// For each power of the main variable the exponents of the other variables and the coefficient.
pub(crate) type Sparse = Vec<Vec<(Vec<u32>, Element)>>;

/// Images over one field.
pub(crate) struct Images<'a> {
    problem: &'a Problem<'a>,
    pub(crate) field: Field,
    f: Image,
    g: Image,
    leading: Image,
}

/// Why images do not fit together.
pub(crate) enum Failure {
    /// Bad luck with the points: another prime may do.
    Unlucky,
    /// The degree in the main variable is smaller than assumed.
    DegreeTooHigh(usize),
    Budget,
}

impl From<TooLarge> for Failure {
    fn from(_: TooLarge) -> Self {
        Failure::Budget
    }
}

impl<'a> Images<'a> {
    pub(crate) fn new(problem: &'a Problem<'a>, field: Field) -> Self {
        let others: Vec<usize> = problem.others.iter().map(|o| o.0).collect();
        let image = |p: &Polynomial| Image::new(p, &field, problem.main, &others);
        let (f, g, leading) = (image(problem.f), image(problem.g), image(problem.leading));
        Self {
            problem,
            f,
            g,
            leading,
            field,
        }
    }

    /// γ times the monic gcd of two images.
    fn combine(
        &self,
        f: Vec<Element>,
        g: Vec<Element>,
        scale: Element,
    ) -> Result<Vec<Element>, Failure> {
        if scale.is_zero() {
            return Err(Failure::Unlucky);
        }
        let mut h = gcd(&self.field, f, g);
        match (h.len() - 1).cmp(&self.problem.degree) {
            std::cmp::Ordering::Less => Err(Failure::DegreeTooHigh(h.len() - 1)),
            std::cmp::Ordering::Greater => Err(Failure::Unlucky),
            std::cmp::Ordering::Equal => {
                for c in &mut h {
                    *c = self.field.mul(*c, scale);
                }
                Ok(h)
            }
        }
    }

    fn spend(&self) -> Result<(), TooLarge> {
        let work = self.f.len() + self.g.len() + self.leading.len();
        self.problem.meter.spend(1 + work / 2)
    }

    fn at(&self, point: &[Element]) -> Result<Vec<Element>, Failure> {
        self.spend()?;
        let field = &self.field;
        let scale = self.leading.at(field, point)[0];
        self.combine(self.f.at(field, point), self.g.at(field, point), scale)
    }

    /// Images at `count` points: the first `moving` variables are powers 1, 2, … of `base`, the
    /// others stay.
    fn along(
        &self,
        base: &[Element],
        moving: usize,
        count: usize,
    ) -> Result<Vec<Vec<Element>>, Failure> {
        let field = &self.field;
        let mut step = base.to_vec();
        step[moving..].fill(field.one);
        let parts = [&self.f, &self.g, &self.leading];
        let steps = parts.map(|p| p.steps(field, &step));
        let mut values = parts.map(|p| p.values(field, base));
        let mut images = Vec::with_capacity(count);
        for t in 0..count {
            self.spend()?;
            if t > 0 {
                for (values, steps) in values.iter_mut().zip(&steps) {
                    for (v, s) in values.iter_mut().zip(steps) {
                        *v = field.mul(*v, *s);
                    }
                }
            }
            let [f, g, leading] = [0, 1, 2].map(|i| parts[i].gather(field, &values[i]));
            images.push(self.combine(f, g, leading[0])?);
        }
        Ok(images)
    }

    /// Coefficients of H on a known support in the first `moving` variables.
    pub(crate) fn on_support(
        &self,
        support: &[Vec<Vec<u32>>],
        base: &[Element],
        moving: usize,
    ) -> Result<Vec<Vec<Element>>, Failure> {
        let field = &self.field;
        let count = support.iter().map(Vec::len).max().unwrap_or(0);
        let images = self.along(base, moving, count)?;
        let node = |m: &Vec<u32>| {
            m.iter().enumerate().fold(field.one, |v, (i, &e)| {
                field.mul(v, field.power(base[i], e.into()))
            })
        };
        let mut all = Vec::with_capacity(support.len());
        for (j, monomials) in support.iter().enumerate() {
            let nodes: Vec<Element> = monomials.iter().map(node).collect();
            let values: Vec<Element> = images.iter().map(|h| h[j]).collect();
            self.problem.meter.spend(nodes.len() * nodes.len() / 4)?;
            all.push(
                solve_vandermonde(field, &nodes, &values[..nodes.len()]).ok_or(Failure::Unlucky)?,
            );
        }
        Ok(all)
    }

    /// H modulo p.
    pub(crate) fn interpolate(&self, random: &mut Random) -> Result<Sparse, Failure> {
        let field = &self.field;
        let others = self.problem.others;
        let anchor: Vec<Element> = others.iter().map(|_| field.draw(random)).collect();
        let first = self.at(&anchor)?;
        let mut h: Sparse = first
            .into_iter()
            .map(|c| {
                if c.is_zero() {
                    Vec::new()
                } else {
                    vec![(Vec::new(), c)]
                }
            })
            .collect();
        for (v, &(_, degree)) in others.iter().enumerate() {
            h = self.introduce(v, degree, &anchor, h, random)?;
        }
        Ok(h)
    }

    /// From H at the anchor's value of variable `v` to H with that variable.
    fn introduce(
        &self,
        v: usize,
        degree: u32,
        anchor: &[Element],
        h: Sparse,
        random: &mut Random,
    ) -> Result<Sparse, Failure> {
        let field = &self.field;
        let support: Vec<Vec<Vec<u32>>> = h
            .iter()
            .map(|terms| terms.iter().map(|(m, _)| m.clone()).collect())
            .collect();
        let mut points = vec![anchor[v]];
        let mut samples: Vec<Vec<Vec<Element>>> = vec![
            h.iter()
                .map(|t| t.iter().map(|(_, c)| *c).collect())
                .collect(),
        ];
        for _ in 0..degree {
            let mut base = anchor.to_vec();
            base[..=v].fill_with(|| field.draw(random));
            points.push(base[v]);
            samples.push(self.on_support(&support, &base, v)?);
        }
        let mut next: Sparse = vec![Vec::new(); h.len()];
        for (j, monomials) in support.iter().enumerate() {
            for (i, m) in monomials.iter().enumerate() {
                let values: Vec<Element> = samples.iter().map(|s| s[j][i]).collect();
                let p = interpolate(field, &points, &values).ok_or(Failure::Unlucky)?;
                for (e, c) in p.into_iter().enumerate().filter(|(_, c)| !c.is_zero()) {
                    let mut m = m.clone();
                    m.push(e as u32);
                    next[j].push((m, c));
                }
            }
        }
        Ok(next)
    }
}

/// The monomial `main^j · Π others^e`, packed.
pub(crate) fn pack(problem: &Problem, j: usize, exponents: &[u32]) -> Vec<u64> {
    let mut m = vec![0; problem.f.words()];
    monomial::set_exponent(&mut m, problem.main, j as u32);
    for (&(g, _), &e) in problem.others.iter().zip(exponents) {
        monomial::set_exponent(&mut m, g, e);
    }
    m
}
