//! Matrices of expressions as matrices of polynomials, each row times its common denominator.

use crate::budget::{Budget, Meter, TooLarge};
use crate::matrix::Matrix;
use crate::normal::convert::{Converted, NoForm, convert};
use crate::normal::fraction::Fraction;
use crate::normal::generator::Depth;
use crate::normal::ring::Ring;
use crate::normal::with_formed_arguments;
use crate::polynomial::Polynomial;
use crate::{Expr, Rational};
use dashu::integer::UBig;
use std::rc::Rc;

/// Row i of the expressions is row i here divided by `scales[i]`.
pub(crate) struct PolynomialMatrix {
    pub(crate) ring: Ring,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) entries: Vec<Polynomial>,
    /// The common denominators, as one over a fraction.
    pub(crate) scales: Vec<Fraction>,
}

impl PolynomialMatrix {
    /// The entries of `m`, and of `right` beside it.
    pub(crate) fn new(m: &Matrix, right: Option<&Matrix>, budget: Budget) -> Result<Self, NoForm> {
        let meter = Rc::new(Meter::new(budget));
        let width = right.map_or(0, Matrix::cols);
        let cols = m.cols() + width;
        let mut all = Vec::with_capacity(m.rows() * cols);
        for i in 0..m.rows() {
            let beside = right.map_or(&[][..], |r| r.row(i));
            for e in m.row(i).iter().chain(beside) {
                let formed = with_formed_arguments(e, Depth::Angles, true, &meter);
                all.push(formed.ok_or(NoForm::TooLarge)?);
            }
        }
        let Converted { ring, fractions } = convert(&all, Depth::Angles, &meter)?;
        let mut entries = Vec::with_capacity(all.len());
        let mut scales = Vec::with_capacity(m.rows());
        for row in fractions.chunks(cols.max(1)) {
            let (numerators, scale) = common_denominator(row, &ring)?;
            entries.extend(numerators);
            scales.push(scale);
        }
        Ok(Self {
            ring,
            rows: m.rows(),
            cols,
            entries,
            scales,
        })
    }

    pub(crate) fn row(&self, i: usize) -> &[Polynomial] {
        &self.entries[i * self.cols..(i + 1) * self.cols]
    }

    /// The expression of a polynomial.
    pub(crate) fn expression(&self, p: &Polynomial) -> Expr {
        self.ring.expression(p)
    }

    /// `numerator / divisor` in lowest terms.
    pub(crate) fn quotient(
        &self,
        numerator: &Polynomial,
        inverse: &Fraction,
    ) -> Result<Expr, TooLarge> {
        let numerator = Fraction::from_polynomial(numerator.clone());
        let quotient = numerator.times(inverse, &self.ring)?;
        Ok(self.ring.quotient(&quotient.cancelled(&self.ring)?))
    }
}

/// The numerators over a common denominator, and one over that denominator.
fn common_denominator(
    row: &[Fraction],
    ring: &Ring,
) -> Result<(Vec<Polynomial>, Fraction), TooLarge> {
    let one = Fraction::from_polynomial(ring.constant(1));
    // A sum has the common denominator; cancellation between the terms must not touch it.
    let mut unit = UBig::ONE;
    let mut factors: Vec<(Polynomial, u32)> = Vec::new();
    for f in row {
        unit = lcm(unit, f.unit.clone());
        for (p, e) in &f.denominator {
            match factors.iter_mut().find(|(q, _)| q == p) {
                Some((_, old)) => *old = (*old).max(*e),
                None => factors.push((p.clone(), *e)),
            }
        }
    }
    let mut numerators = Vec::with_capacity(row.len());
    for f in row {
        let scale = Rational::from_parts(unit.clone().into(), f.unit.clone());
        let mut p = f.numerator.scaled(&scale.numerator());
        for (q, e) in &factors {
            let present = f.denominator.iter().find(|(r, _)| r == q);
            for _ in present.map_or(0, |(_, e)| *e)..*e {
                p = ring.times(&p, q)?;
            }
        }
        numerators.push(p);
    }
    let scale = Fraction {
        unit,
        denominator: factors,
        ..one
    };
    Ok((numerators, scale))
}

fn lcm(a: UBig, b: UBig) -> UBig {
    use dashu::base::Gcd;
    let g = (&a).gcd(&b);
    a / g * b
}
