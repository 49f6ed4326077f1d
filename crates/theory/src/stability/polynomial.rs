//! Where the roots of a polynomial with exact coefficients lie: Routh's table and Sturm's chain.

use super::exact::{Signs, settled};
use rattleback_symbolic::Expr;
use std::cmp::Ordering;

/// Where the roots of a polynomial without the root 0 lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Located {
    /// Some have a positive real part: so many, where Routh's table counted them.
    Right(Option<usize>),
    /// None has; so many pairs are on the imaginary axis, all different or not.
    NotRight { pairs: usize, simple: bool },
}

/// Where the roots are; none where a sign is not known.
///
/// p(λ) = e(λ²) + λ o(λ²). The common factor g of e and o has the roots that come in pairs ±λ: those of g(λ²) are on the
/// axis iff all roots of g are real and negative. What is left, p/g(λ²), has no root on the axis, and Routh's table counts
/// those on the right.
pub(super) fn located(p: &[Expr], signs: &Signs) -> Option<Located> {
    let even: Vec<Expr> = p.iter().step_by(2).cloned().collect();
    let odd: Vec<Expr> = p.iter().skip(1).step_by(2).cloned().collect();
    let even = trimmed(even, signs)?;
    let odd = trimmed(odd, signs)?;
    let common = match odd.is_empty() {
        true => even,
        false => common_factor(even, odd, signs)?,
    };
    let pairs = common.len() - 1;
    let mut rest = p.to_vec();
    if pairs > 0 {
        let spread: Vec<Expr> = (0..=2 * pairs)
            .map(|k| match k % 2 {
                0 => common[k / 2].clone(),
                _ => Expr::zero(),
            })
            .collect();
        rest = quotient(p, &spread);
    }
    let right = match rest.len() {
        1 => 0,
        _ => routh_somehow(&rest, signs)?,
    };
    let (on_axis, simple) = match pairs {
        0 => (true, true),
        _ => on_axis(&common, signs)?,
    };
    Some(match (right, on_axis) {
        (0, true) => Located::NotRight { pairs, simple },
        (_, false) => Located::Right(None),
        (n, true) => Located::Right(Some(n)),
    })
}

/// Without leading zeros.
fn trimmed(mut p: Vec<Expr>, signs: &Signs) -> Option<Vec<Expr>> {
    while let Some(last) = p.last() {
        match signs.of(last)? {
            Ordering::Equal => _ = p.pop(),
            _ => break,
        }
    }
    Some(p)
}

/// Euclid's algorithm.
fn common_factor(a: Vec<Expr>, b: Vec<Expr>, signs: &Signs) -> Option<Vec<Expr>> {
    let (mut a, mut b) = match a.len() >= b.len() {
        true => (a, b),
        false => (b, a),
    };
    while !b.is_empty() {
        let rest = trimmed(remainder(&a, &b), signs)?;
        (a, b) = (b, rest);
    }
    let lead = a.last()?.clone();
    Some(a.iter().map(|e| settled(&(e / &lead))).collect())
}

/// What is left of a after division by b.
fn remainder(a: &[Expr], b: &[Expr]) -> Vec<Expr> {
    divided(a, b).1
}

fn quotient(a: &[Expr], b: &[Expr]) -> Vec<Expr> {
    divided(a, b).0
}

fn divided(a: &[Expr], b: &[Expr]) -> (Vec<Expr>, Vec<Expr>) {
    let mut rest = a.to_vec();
    let mut found = vec![Expr::zero(); (a.len() + 1).saturating_sub(b.len()).max(1)];
    while rest.len() >= b.len() {
        let factor = settled(&(&rest[rest.len() - 1] / &b[b.len() - 1]));
        let shift = rest.len() - b.len();
        for (k, c) in b.iter().enumerate() {
            rest[shift + k] = settled(&(&rest[shift + k] - &factor * c));
        }
        found[shift] = factor;
        rest.pop();
    }
    (found, rest)
}

/// Routh's table, of the polynomial with another root on the left where an entry vanishes by chance.
fn routh_somehow(p: &[Expr], signs: &Signs) -> Option<usize> {
    let with_root = |at: i64| -> Vec<Expr> {
        let get = |k: usize| p.get(k).cloned().unwrap_or_else(Expr::zero);
        let up = |k: usize| if k == 0 { Expr::zero() } else { get(k - 1) };
        (0..=p.len()).map(|k| up(k) + at * get(k)).collect()
    };
    let mut tries = std::iter::once(p.to_vec()).chain((1..=3).map(with_root));
    tries.find_map(|p| routh(&p, signs))
}

/// The number of roots with positive real part, none of them on the axis: sign changes in the first column of
/// Routh's table. None where an entry of it vanishes or is not told from zero.
pub(super) fn routh(coefficients: &[Expr], signs: &Signs) -> Option<usize> {
    let degree = coefficients.len() - 1;
    let row = |from: usize| -> Vec<Expr> {
        let down = (0..=degree).rev().skip(from).step_by(2);
        down.map(|k| coefficients[k].clone()).collect()
    };
    let (mut above, mut below) = (row(0), row(1));
    let mut column = vec![signs.of(above.first()?)?];
    while let Some(pivot) = below.first().cloned() {
        let here = signs.of(&pivot)?;
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

/// Are all roots μ of g real and negative, and are they simple? None where a sign is not known.
fn on_axis(g: &[Expr], signs: &Signs) -> Option<(bool, bool)> {
    let degree = g.len() - 1;
    let chain = sturm(g, signs)?;
    // The last remainder is a constant where all roots are simple; its degree counts the repeated ones.
    let repeated = chain.last()?.len() - 1;
    let at_zero: Option<Vec<Ordering>> = chain.iter().map(|p| signs.of(&p[0])).collect();
    let far: Option<Vec<Ordering>> = chain.iter().map(|p| far_left(p, signs)).collect();
    let negative = changes(&far?).checked_sub(changes(&at_zero?))?;
    Some((negative == degree - repeated, repeated == 0))
}

/// Has a polynomial no real root? None where a sign is not known.
pub(super) fn has_no_real_root(p: &[Expr], signs: &Signs) -> Option<bool> {
    if p.len() < 2 {
        return Some(true);
    }
    let chain = sturm(p, signs)?;
    let left: Option<Vec<Ordering>> = chain.iter().map(|p| far_left(p, signs)).collect();
    let right: Option<Vec<Ordering>> = chain.iter().map(|p| signs.of(&p[p.len() - 1])).collect();
    Some(changes(&left?) == changes(&right?))
}

/// The sign for large negative arguments.
fn far_left(p: &[Expr], signs: &Signs) -> Option<Ordering> {
    let lead = signs.of(&p[p.len() - 1])?;
    Some(match p.len().is_multiple_of(2) {
        true => lead.reverse(),
        false => lead,
    })
}

fn changes(signs: &[Ordering]) -> usize {
    let kept: Vec<&Ordering> = signs.iter().filter(|s| **s != Ordering::Equal).collect();
    kept.windows(2).filter(|w| w[0] != w[1]).count()
}

/// p, p', and minus the remainders.
fn sturm(p: &[Expr], signs: &Signs) -> Option<Vec<Vec<Expr>>> {
    let slope: Vec<Expr> = (1..p.len()).map(|k| k as i64 * &p[k]).collect();
    let mut chain = vec![p.to_vec(), slope];
    while chain[chain.len() - 1].len() > 1 {
        let (a, b) = (&chain[chain.len() - 2], &chain[chain.len() - 1]);
        let rest = trimmed(remainder(a, b), signs)?;
        if rest.is_empty() {
            break;
        }
        chain.push(rest.iter().map(|e| -e).collect());
    }
    Some(chain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_symbolic::Symbol;

    fn polynomial(c: &[i64]) -> Vec<Expr> {
        c.iter().map(|&k| Expr::from(k)).collect()
    }

    fn place(c: &[i64]) -> Option<Located> {
        located(&polynomial(c), &Signs::known())
    }

    const LEFT: Option<Located> = Some(Located::NotRight {
        pairs: 0,
        simple: true,
    });

    #[test]
    fn routh_counts_roots_on_the_right() {
        // (λ + 1)(λ + 2)(λ + 3)
        assert_eq!(place(&[6, 11, 6, 1]), LEFT);
        // (λ − 1)(λ + 2)(λ + 3)
        assert_eq!(place(&[-6, 1, 4, 1]), Some(Located::Right(Some(1))));
        // (λ² − 2λ + 2)(λ + 1)
        assert_eq!(place(&[2, 0, -1, 1]), Some(Located::Right(Some(2))));
        assert_eq!(place(&[4, 0, -1, 1]), Some(Located::Right(Some(2))));
        assert_eq!(place(&[10, 1, 1, 1]), Some(Located::Right(Some(2))));
        // An entry of the table vanishes by chance: λ⁴ + λ³ + 2λ² + 2λ + 3.
        assert_eq!(place(&[3, 2, 2, 1, 1]), Some(Located::Right(Some(2))));
    }

    #[test]
    fn pairs_are_on_the_axis_or_not() {
        let on = |pairs, simple| Some(Located::NotRight { pairs, simple });
        // (λ² + 1)(λ² + 4)
        assert_eq!(place(&[4, 0, 5, 0, 1]), on(2, true));
        // (λ² − 1)(λ² + 4)
        assert_eq!(place(&[-4, 0, 3, 0, 1]), Some(Located::Right(None)));
        // λ⁴ + 1: complex μ.
        assert_eq!(place(&[1, 0, 0, 0, 1]), Some(Located::Right(None)));
        // (λ² + 1)²: double roots on the axis, (λ² − 1)²: off it.
        assert_eq!(place(&[1, 0, 2, 0, 1]), on(2, false));
        assert_eq!(place(&[1, 0, -2, 0, 1]), Some(Located::Right(None)));
        assert_eq!(place(&[1, 1, 1]), LEFT);
        // (λ² + 1)(λ + 2) and (λ² + 1)(λ − 2), (λ² − 1)(λ + 2).
        assert_eq!(place(&[2, 1, 2, 1]), on(1, true));
        assert_eq!(place(&[-2, 1, -2, 1]), Some(Located::Right(Some(1))));
        assert_eq!(place(&[-2, -1, 2, 1]), Some(Located::Right(None)));
    }

    #[test]
    fn a_free_rate_decides_or_does_not() {
        let rate = Symbol::variable("w");
        let w = Expr::from(&rate);
        let signs = Signs::with(vec![rate]);
        // λ² + 3 w² and λ² − w², whatever w; λ + w for one sign only.
        let poly = |c: &[Expr]| located(c, &signs);
        let one = Expr::one();
        let swing = [3 * w.powi(2), Expr::zero(), one.clone()];
        assert_eq!(
            poly(&swing),
            Some(Located::NotRight {
                pairs: 1,
                simple: true
            })
        );
        let fall = [-w.powi(2), Expr::zero(), one.clone()];
        assert_eq!(poly(&fall), Some(Located::Right(None)));
        assert_eq!(poly(&[w.clone(), one.clone()]), None);
        // w² + 1 has no root, w² − 1 has.
        assert_eq!(signs.of(&(w.powi(2) + 1)), Some(Ordering::Greater));
        assert_eq!(signs.of(&(w.powi(2) - 1)), None);
        assert_eq!(
            signs.of(&(-w.powi(2) / (w.powi(4) + 2))),
            Some(Ordering::Less)
        );
    }
}
