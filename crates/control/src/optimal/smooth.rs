//! Retractions as expressions that are smooth at 0, where the closed forms of the exponential are 0/0.
//!
//! Functions of an angle θ are written as their series in θ² and quotients of them: exact to rounding up to half a turn,
//! with derivatives to match. An interval turns by less.

use rattleback_lie::{ChartError, Group, Retraction, Scalar, Trivialization};
use rattleback_symbolic::Expr;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Terms of a series: the next one at half a turn is π^32/32! < 1e-19.
const TERMS: u32 = 16;

/// τ(x).
pub(super) fn apply(retraction: Retraction, group: Group, x: &[Expr]) -> Vec<Expr> {
    plain(retraction.apply(group, &smooth(x)))
}

/// (dτ_x⁻¹)* m.
pub(super) fn cotangent_inverse(
    retraction: Retraction,
    group: Group,
    side: Trivialization,
    x: &[Expr],
    m: &[Expr],
) -> Result<Vec<Expr>, ChartError> {
    let found = retraction.cotangent_inverse(group, side, &smooth(x), &smooth(m));
    found.map(plain)
}

fn smooth(all: &[Expr]) -> Vec<Smooth> {
    all.iter().cloned().map(Smooth).collect()
}

fn plain(all: Vec<Smooth>) -> Vec<Expr> {
    all.into_iter().map(|e| e.0).collect()
}

/// An expression whose functions of an angle are series.
#[derive(Clone, Debug, PartialEq)]
struct Smooth(Expr);

/// Σ_j (−1)^j c_j s^j.
fn series(square: &Expr, coefficient: impl Fn(u32) -> Expr) -> Expr {
    let mut sum = Expr::zero();
    for j in (0..TERMS).rev() {
        sum = coefficient(j) - square * sum;
    }
    sum
}

/// 1/k!.
fn reciprocal_factorial(k: u32) -> Expr {
    (1..=k).fold(Expr::one(), |f, i| f / Expr::from(i64::from(i)))
}

/// sin(θ/2)/(θ/2).
fn half_sinc(square: &Expr) -> Expr {
    series(&(square / 4), |j| reciprocal_factorial(2 * j + 1))
}

macro_rules! arithmetic {
    ($($operator:ident $call:ident),*) => {$(
        impl $operator for Smooth {
            type Output = Smooth;
            fn $call(self, other: Smooth) -> Smooth {
                Smooth(self.0.$call(other.0))
            }
        }
        impl $operator<&Smooth> for Smooth {
            type Output = Smooth;
            fn $call(self, other: &Smooth) -> Smooth {
                Smooth(self.0.$call(&other.0))
            }
        }
    )*};
}
arithmetic!(Add add, Sub sub, Mul mul, Div div);

impl Neg for Smooth {
    type Output = Smooth;
    fn neg(self) -> Smooth {
        Smooth(-self.0)
    }
}

impl Scalar for Smooth {
    fn ratio(n: i64, d: i64) -> Self {
        Smooth(Expr::ratio(n, d))
    }
    fn sqrt(&self) -> Self {
        Smooth(self.0.sqrt())
    }
    fn sin(&self) -> Self {
        Smooth(self.0.sin())
    }
    fn cos(&self) -> Self {
        Smooth(self.0.cos())
    }
    fn atan2(&self, x: &Self) -> Self {
        Smooth(Expr::atan2(&self.0, &x.0))
    }

    fn stumpff(order: u32, angle: &Self) -> Self {
        let square = angle.0.powi(2);
        Smooth(series(&square, |j| reciprocal_factorial(2 * j + order)))
    }

    /// (c₁ − c₀)(θ/2)/(θ² c₁(θ/2)), with (c₁ − c₀)(x) = Σ (−1)^(j+1) x^2j 2j/(2j + 1)!.
    fn cotangent_defect(angle: &Self) -> Self {
        let square = angle.0.powi(2);
        let above = series(&(&square / 4), |j| {
            reciprocal_factorial(2 * j + 3) * Expr::from(i64::from(2 * j + 2))
        });
        Smooth(above / 4 / half_sinc(&square))
    }

    /// (c₁(θ) + 1 − 4c₂(θ))/(2θ⁴ c₁(θ/2)²), whose series begins with 1/360.
    fn cotangent_defect_slope(angle: &Self) -> Self {
        let square = angle.0.powi(2);
        let above = series(&square, |j| {
            reciprocal_factorial(2 * j + 5) - 4 * reciprocal_factorial(2 * j + 6)
        });
        Smooth(above / 2 / half_sinc(&square).powi(2))
    }

    fn is_negligible(&self) -> bool {
        self.0.is_zero()
    }

    fn is_known_below(&self, other: &Self) -> bool {
        self.0.is_known_below(&other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_symbolic::{Symbol, Tape};

    fn numbers(group: Group, size: f64) -> Vec<f64> {
        let n = group.dimension();
        (0..n).map(|i| size * (1.0 - 0.37 * i as f64)).collect()
    }

    /// At 0, near 0 and far away: the floating-point formulas of the groups.
    #[test]
    fn series_are_the_functions() {
        for group in Group::ALL {
            let n = group.dimension();
            let symbols = |tag: &str| -> Vec<Symbol> {
                (0..n)
                    .map(|i| Symbol::variable(&format!("{tag}{i}")))
                    .collect()
            };
            let (x, m) = (symbols("x"), symbols("m"));
            let [ex, em] = [&x, &m].map(|s| s.iter().map(Expr::from).collect::<Vec<Expr>>());
            let turn = apply(Retraction::Exponential, group, &ex);
            let turn = Tape::new(&x, &turn).expect("a function of x");
            let both = [x, m].concat();
            for size in [0.0, 1e-9, 1e-3, 0.4, 1.3] {
                let at = numbers(group, size);
                let exact = Retraction::Exponential.apply(group, &at);
                for (a, b) in turn.evaluate(&at).iter().zip(&exact) {
                    assert!((a - b).abs() < 1e-14, "{group:?} {size}: {a} {b}");
                }
                for side in [Trivialization::Body, Trivialization::Space] {
                    let found = cotangent_inverse(Retraction::Exponential, group, side, &ex, &em);
                    let found = Tape::new(&both, &found.expect("a chart")).expect("a function");
                    let weights = numbers(group, 0.7);
                    let exact = Retraction::Exponential
                        .cotangent_inverse(group, side, &at, &weights)
                        .expect("a chart");
                    let values = found.evaluate(&[at.clone(), weights].concat());
                    for (a, b) in values.iter().zip(&exact) {
                        assert!((a - b).abs() < 1e-13, "{group:?} {size}: {a} {b}");
                    }
                }
            }
        }
    }
}
