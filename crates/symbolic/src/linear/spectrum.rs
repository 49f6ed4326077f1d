//! Characteristic polynomials, and eigenvalues where square roots are enough to write them.

use crate::{Expr, Matrix, Rational, normalize, prove_zero, simplify};
use std::f64::consts::TAU;

/// det(λ − A), constant coefficient first: Faddeev and Le Verrier.
///
/// ```
/// use rattleback_symbolic::{Expr, Matrix, characteristic};
/// let a = Matrix::new(2, 2, |i, j| Expr::from((i + 2 * j) as i64));
/// assert_eq!(characteristic(&a), [-2, -3, 1].map(Expr::from));
/// ```
pub fn characteristic(a: &Matrix) -> Vec<Expr> {
    let n = a.rows();
    let mut coefficients = vec![Expr::zero(); n + 1];
    coefficients[n] = Expr::one();
    let mut m = Matrix::identity(n);
    for k in 1..=n {
        let product = (a * &m).map(settled);
        let trace = Expr::sum((0..n).map(|i| product[(i, i)].clone()));
        let c = settled(&(-trace / Expr::from(k as i64)));
        m = Matrix::new(n, n, |i, j| match i == j {
            true => &product[(i, j)] + &c,
            false => product[(i, j)].clone(),
        });
        coefficients[n - k] = c;
    }
    coefficients
}

/// In normal form.
fn settled(e: &Expr) -> Expr {
    match e.as_number() {
        Some(_) => e.clone(),
        None => normalize(e),
    }
}

/// The distinct roots of a polynomial (constant coefficient first), where they can be written with square roots: after
/// the root 0, of a quadratic one, or of one with numbers that has linear and quadratic factors only. Each once.
///
/// ```
/// use rattleback_symbolic::{Expr, roots_by_radicals};
/// let chain = [-1, 6, -5, 1].map(Expr::from); // three equal masses, one end free: a cubic without rational roots
/// assert!(roots_by_radicals(&chain).is_none());
/// let split = [-6, 11, -6, 1].map(Expr::from);
/// assert_eq!(roots_by_radicals(&split).unwrap().len(), 3);
/// ```
pub fn roots_by_radicals(p: &[Expr]) -> Option<Vec<Expr>> {
    let zeros = p.iter().take_while(|c| prove_zero(c).is_proven()).count();
    let rest = &p[zeros..];
    let mut found = vec![Expr::zero(); zeros.min(1)];
    let numbers: Option<Vec<Rational>> = rest.iter().map(|c| c.as_number().cloned()).collect();
    let factors = match numbers {
        Some(numbers) => factors(square_free(numbers))?
            .into_iter()
            .map(|f| f.into_iter().map(Expr::from).collect())
            .collect(),
        None => vec![rest.to_vec()],
    };
    for factor in factors {
        found.extend(low_degree_roots(&factor)?);
    }
    Some(found)
}

fn low_degree_roots(p: &[Expr]) -> Option<Vec<Expr>> {
    match p {
        [] => None,
        [_] => Some(Vec::new()),
        [c, b] => Some(vec![simplify(&(-c / b))]),
        [c, b, a] => {
            let (mean, square) = (-b / (2 * a), b.powi(2) / (4 * a.powi(2)) - c / a);
            let square = simplify(&square);
            if prove_zero(&square).is_proven() {
                return Some(vec![simplify(&mean)]);
            }
            let half = simplify(&square.sqrt());
            Some(
                [&mean - &half, &mean + &half]
                    .iter()
                    .map(simplify)
                    .collect(),
            )
        }
        _ => None,
    }
}

/// A polynomial with numbers, constant coefficient first.
type Numbers = Vec<Rational>;

/// p/gcd(p, p').
fn square_free(p: Numbers) -> Numbers {
    let slope: Numbers = (1..p.len())
        .map(|k| &p[k] * &Rational::new(k as i64, 1))
        .collect();
    let (mut a, mut b) = (p.clone(), slope);
    while !b.is_empty() {
        let (_, rest) = divided(&a, &b);
        (a, b) = (b, rest);
    }
    divided(&p, &a).0
}

/// Quotient and remainder.
fn divided(p: &Numbers, d: &Numbers) -> (Numbers, Numbers) {
    let mut rest = p.clone();
    let Some(lead) = d.last().and_then(Rational::recip) else {
        return (Vec::new(), rest);
    };
    let steps = (p.len() + 1).saturating_sub(d.len());
    let mut quotient = vec![Rational::ZERO; steps];
    for k in (0..steps).rev() {
        let c = &rest[k + d.len() - 1] * &lead;
        for (r, d) in rest[k..].iter_mut().zip(d) {
            *r = &*r - &(&c * d);
        }
        quotient[k] = c;
    }
    while rest.last().is_some_and(Rational::is_zero) {
        rest.pop();
    }
    (quotient, rest)
}

/// Factors of first and second degree over the rational numbers; none where one of a higher degree is left. Floating
/// point only proposes them: a factor is one that divides exactly.
fn factors(mut p: Numbers) -> Option<Vec<Numbers>> {
    let mut found = Vec::new();
    while p.len() > 3 {
        let (factor, quotient) = proposals(&p).into_iter().find_map(|factor| {
            let (quotient, rest) = divided(&p, &factor);
            rest.is_empty().then_some((factor, quotient))
        })?;
        found.push(factor);
        p = quotient;
    }
    found.push(p);
    Some(found)
}

/// λ − r and λ² − (r + s)λ + rs for roots r, s in floating point, with coefficients of small denominators.
fn proposals(p: &Numbers) -> Vec<Numbers> {
    let roots = approximate_roots(p);
    let single = roots
        .iter()
        .filter_map(|r| Some(vec![-&nearby(r.0)?, Rational::ONE]));
    let pairs = (0..roots.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    let double = pairs.filter_map(|(i, j)| {
        let (r, s) = (roots[i], roots[j]);
        let product = r.0 * s.0 - r.1 * s.1;
        Some(vec![nearby(product)?, -&nearby(r.0 + s.0)?, Rational::ONE])
    });
    single.chain(double).collect()
}

/// The first fraction of a continued one that is as near as rounding.
fn nearby(x: f64) -> Option<Rational> {
    const CLOSE: f64 = 1e-9;
    const LARGEST: f64 = 1e9;
    let mut terms = Vec::new();
    let mut rest = x;
    for _ in 0..12 {
        if rest.abs() > LARGEST {
            return None;
        }
        terms.push(Rational::new(rest.round() as i64, 1));
        let mut folded = terms.iter().rev().skip(1);
        let last = terms.last()?.clone();
        let value = folded.try_fold(last, |sum, term| Some(term + &sum.recip()?))?;
        if (value.to_f64() - x).abs() <= CLOSE * (1.0 + x.abs()) {
            return Some(value);
        }
        rest = 1.0 / (rest - rest.round());
    }
    None
}

/// All complex roots by the method of Durand and Kerner.
fn approximate_roots(p: &Numbers) -> Vec<(f64, f64)> {
    const ROUNDS: usize = 400;
    let lead = p.last().map_or(1.0, Rational::to_f64);
    let monic: Vec<f64> = p.iter().map(|c| c.to_f64() / lead).collect();
    let n = monic.len() - 1;
    let radius = 1.0 + monic[..n].iter().fold(0.0, |m: f64, c| m.max(c.abs()));
    let times = |a: (f64, f64), b: (f64, f64)| (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0);
    let over = |a: (f64, f64), b: (f64, f64)| {
        let size = b.0 * b.0 + b.1 * b.1;
        let product = times(a, (b.0, -b.1));
        (product.0 / size, product.1 / size)
    };
    // Not on a symmetric figure, which the iteration would keep.
    let first = |k: usize| {
        let angle = TAU * (k as f64 + 0.3) / n as f64;
        let size = radius.min(2.0) * (0.6 + 0.4 * k as f64 / n as f64);
        (size * angle.cos(), size * angle.sin())
    };
    let mut roots: Vec<(f64, f64)> = (0..n).map(first).collect();
    for _ in 0..ROUNDS {
        for i in 0..n {
            let z = roots[i];
            let value = monic.iter().rev().fold((0.0, 0.0), |sum, c| {
                let product = times(sum, z);
                (product.0 + c, product.1)
            });
            let others = (0..n).filter(|j| *j != i);
            let apart = others.fold((1.0, 0.0), |product, j| {
                times(product, (z.0 - roots[j].0, z.1 - roots[j].1))
            });
            let step = over(value, apart);
            roots[i] = (z.0 - step.0, z.1 - step.1);
        }
    }
    roots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_roots_and_each_is_there_once() {
        // (λ² − 3λ + 1)(λ² − 5λ + 5)(2λ − 1)²λ: of a chain of four masses, with a double root and 0.
        let parts: [&[i64]; 5] = [&[1, -3, 1], &[5, -5, 1], &[-1, 2], &[-1, 2], &[0, 1]];
        let product = parts.iter().fold(vec![Expr::one()], |p, q| {
            let mut next = vec![Expr::zero(); p.len() + q.len() - 1];
            for (i, a) in p.iter().enumerate() {
                for (j, b) in q.iter().enumerate() {
                    next[i + j] = &next[i + j] + a * *b;
                }
            }
            next
        });
        let roots = roots_by_radicals(&product).unwrap();
        assert_eq!(roots.len(), 6);
        for root in &roots {
            let value = product.iter().rev().fold(Expr::zero(), |s, c| s * root + c);
            assert!(prove_zero(&value).is_proven(), "{root}");
        }
    }

    #[test]
    fn large_coefficients_are_no_trouble() {
        let scale = Expr::ratio(7_000_003, 11);
        let p = [
            &scale.powi(3) * -6,
            &scale.powi(2) * 11,
            &scale * -6,
            Expr::one(),
        ];
        let roots = roots_by_radicals(&p).unwrap();
        assert!(roots.contains(&(&scale * 3)));
        assert_eq!(roots.len(), 3);
    }
}
