//! Signs of exact constants, and polynomials with such coefficients.

use rattleback_symbolic::{Expr, Matrix, enclose, normalize, prove_zero};
use std::cmp::Ordering;

/// The sign of a constant; none where neither proof nor enclosure tells.
pub(super) fn sign(e: &Expr) -> Option<Ordering> {
    if let Some(r) = e.as_number() {
        return Some(match (r.is_zero(), r.is_negative()) {
            (true, _) => Ordering::Equal,
            (false, true) => Ordering::Less,
            (false, false) => Ordering::Greater,
        });
    }
    match enclose(e) {
        Some(value) if value.low > 0.0 => Some(Ordering::Greater),
        Some(value) if value.high < 0.0 => Some(Ordering::Less),
        _ => prove_zero(e).is_proven().then_some(Ordering::Equal),
    }
}

/// det(λ − A), constant coefficient first: Faddeev and Le Verrier.
pub(super) fn characteristic(a: &Matrix) -> Vec<Expr> {
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

fn settled(e: &Expr) -> Expr {
    match e.as_number() {
        Some(_) => e.clone(),
        None => normalize(e),
    }
}

/// The number of roots with positive real part, none of them on the axis: sign changes in the first column of
/// Routh's table. None where an entry of it vanishes or is not told from zero.
pub(super) fn routh(coefficients: &[Expr]) -> Option<usize> {
    let degree = coefficients.len() - 1;
    let row = |from: usize| -> Vec<Expr> {
        let down = (0..=degree).rev().skip(from).step_by(2);
        down.map(|k| coefficients[k].clone()).collect()
    };
    let (mut above, mut below) = (row(0), row(1));
    let mut column = vec![sign(above.first()?)?];
    while let Some(pivot) = below.first().cloned() {
        let here = sign(&pivot)?;
        if here == Ordering::Equal {
            return None;
        }
        column.push(here);
        let at = |row: &[Expr], k: usize| row.get(k).cloned().unwrap_or_else(Expr::zero);
        let next: Vec<Expr> = (1..above.len())
            .map(|k| settled(&(at(&above, k) - &above[0] * at(&below, k) / &pivot)))
            .collect();
        let trimmed = next.len().min(degree + 1 - column.len());
        (above, below) = (below, next[..trimmed].to_vec());
    }
    (column.len() == degree + 1).then(|| column.windows(2).filter(|w| w[0] != w[1]).count())
}

/// Is q even, and are the roots μ = λ² all real, negative and simple? None where it is not even or not decided;
/// `Some(false)` where some root λ has a positive real part.
pub(super) fn on_axis(coefficients: &[Expr]) -> Option<bool> {
    for odd in coefficients.iter().skip(1).step_by(2) {
        if sign(odd)? != Ordering::Equal {
            return None;
        }
    }
    let r: Vec<Expr> = coefficients.iter().step_by(2).cloned().collect();
    let degree = r.len() - 1;
    let chain = sturm(&r)?;
    // The last remainder is a constant where all roots are simple; its degree counts the repeated ones.
    let repeated = chain.last()?.len() - 1;
    let at_zero: Option<Vec<Ordering>> = chain.iter().map(|p| sign(&p[0])).collect();
    let far: Option<Vec<Ordering>> = chain
        .iter()
        .map(|p| {
            let lead = sign(&p[p.len() - 1])?;
            Some(match p.len() % 2 == 0 {
                true => lead.reverse(),
                false => lead,
            })
        })
        .collect();
    let negative = changes(&far?).checked_sub(changes(&at_zero?))?;
    match negative == degree - repeated {
        false => Some(false),
        true => (repeated == 0).then_some(true),
    }
}

fn changes(signs: &[Ordering]) -> usize {
    let kept: Vec<&Ordering> = signs.iter().filter(|s| **s != Ordering::Equal).collect();
    kept.windows(2).filter(|w| w[0] != w[1]).count()
}

/// p, p', and minus the remainders.
fn sturm(p: &[Expr]) -> Option<Vec<Vec<Expr>>> {
    let slope: Vec<Expr> = (1..p.len()).map(|k| k as i64 * &p[k]).collect();
    let mut chain = vec![p.to_vec(), slope];
    while chain[chain.len() - 1].len() > 1 {
        let (a, b) = (&chain[chain.len() - 2], &chain[chain.len() - 1]);
        let mut rest = a.clone();
        while rest.len() >= b.len() {
            let factor = settled(&(&rest[rest.len() - 1] / &b[b.len() - 1]));
            let shift = rest.len() - b.len();
            for (k, c) in b.iter().enumerate() {
                rest[shift + k] = settled(&(&rest[shift + k] - &factor * c));
            }
            rest.pop();
        }
        while let Some(last) = rest.last() {
            match sign(last)? {
                Ordering::Equal => _ = rest.pop(),
                _ => break,
            }
        }
        if rest.is_empty() {
            break;
        }
        chain.push(rest.iter().map(|e| -e).collect());
    }
    Some(chain)
}

/// Is a symmetric matrix positive definite? By its leading minors.
pub(super) fn is_positive(m: &Matrix) -> Option<bool> {
    for n in 1..=m.rows() {
        let first: Vec<usize> = (0..n).collect();
        let minor = rattleback_symbolic::determinant(&m.select(&first, &first)).ok()?;
        if sign(&minor)? != Ordering::Greater {
            return Some(false);
        }
    }
    Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polynomial(c: &[i64]) -> Vec<Expr> {
        c.iter().map(|&k| Expr::from(k)).collect()
    }

    #[test]
    fn routh_counts_roots_on_the_right() {
        // (λ + 1)(λ + 2)(λ + 3)
        assert_eq!(routh(&polynomial(&[6, 11, 6, 1])), Some(0));
        // (λ − 1)(λ + 2)(λ + 3)
        assert_eq!(routh(&polynomial(&[-6, 1, 4, 1])), Some(1));
        // (λ² − 2λ + 2)(λ + 1)
        assert_eq!(routh(&polynomial(&[2, 0, -1, 1])), Some(2));
        assert_eq!(routh(&polynomial(&[4, 0, -1, 1])), Some(2));
        assert_eq!(routh(&polynomial(&[10, 1, 1, 1])), Some(2));
        assert_eq!(routh(&polynomial(&[1, 0, 1])), None);
    }

    #[test]
    fn even_polynomials_have_their_roots_on_the_axis_or_not() {
        // (λ² + 1)(λ² + 4)
        assert_eq!(on_axis(&polynomial(&[4, 0, 5, 0, 1])), Some(true));
        // (λ² − 1)(λ² + 4)
        assert_eq!(on_axis(&polynomial(&[-4, 0, 3, 0, 1])), Some(false));
        // λ⁴ + 1: complex μ.
        assert_eq!(on_axis(&polynomial(&[1, 0, 0, 0, 1])), Some(false));
        // (λ² + 1)²: double roots on the axis, (λ² − 1)²: off it.
        assert_eq!(on_axis(&polynomial(&[1, 0, 2, 0, 1])), None);
        assert_eq!(on_axis(&polynomial(&[1, 0, -2, 0, 1])), Some(false));
        assert_eq!(on_axis(&polynomial(&[1, 1, 1])), None);
    }

    #[test]
    fn the_characteristic_polynomial_is_the_determinant() {
        let a = Matrix::new(3, 3, |i, j| Expr::from(((i * 5 + j * 3) % 7) as i64 - 2));
        let c = characteristic(&a);
        let at_two = Matrix::new(3, 3, |i, j| {
            Expr::from(if i == j { 2 } else { 0 }) - &a[(i, j)]
        });
        let value = Expr::sum((0..4).map(|k| &c[k] * Expr::from(2).powi(k as i64)));
        assert_eq!(rattleback_symbolic::determinant(&at_two).unwrap(), value);
    }
}
