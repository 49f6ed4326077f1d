//! Gauss-Legendre quadrature on [0, 1].

use std::f64::consts::PI;

/// The n nodes of Gauss on [0, 1] with their weights: exact for polynomials of degree 2n − 1.
///
/// ```
/// use rattleback_integrate::gauss_legendre;
/// let cube: f64 = gauss_legendre(2).iter().map(|(x, w)| w * x.powi(3)).sum();
/// assert!((cube - 0.25).abs() < 1e-15);
/// ```
pub fn gauss_legendre(n: usize) -> Vec<(f64, f64)> {
    (0..n).map(|k| node(n, k)).collect()
}

/// P_n(2x − 1), the Legendre polynomial on [0, 1]: at the nodes of Gauss, its mean with a function tells what is left of
/// the function at degree n.
pub fn legendre_on_unit(n: usize, x: f64) -> f64 {
    legendre(n, 2.0 * x - 1.0).0
}

/// A zero x of the Legendre polynomial by Newton's method, and 2/((1 − x²) P_n'(x)²), moved to [0, 1].
fn node(n: usize, k: usize) -> (f64, f64) {
    let mut x = -(PI * (k as f64 + 0.75) / (n as f64 + 0.5)).cos();
    // The guess is good: a handful of steps reaches the last digit, and a few more change nothing.
    for _ in 0..8 {
        let (p, slope) = legendre(n, x);
        x -= p / slope;
    }
    let slope = legendre(n, x).1;
    ((1.0 + x) / 2.0, 1.0 / ((1.0 - x * x) * slope * slope))
}

/// P_n and its derivative, by (k + 1) P_{k+1} = (2k + 1) x P_k − k P_{k−1}.
fn legendre(n: usize, x: f64) -> (f64, f64) {
    let (mut before, mut p) = (0.0, 1.0);
    for k in 0..n {
        let k = k as f64;
        (before, p) = (p, ((2.0 * k + 1.0) * x * p - k * before) / (k + 1.0));
    }
    (p, n as f64 * (before - x * p) / (1.0 - x * x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn n_nodes_are_exact_up_to_degree_2n_minus_1() {
        for n in 1..=24 {
            let rule = gauss_legendre(n);
            let integral = |degree: usize| -> f64 {
                let powers = rule.iter().map(|(x, w)| w * x.powi(degree as i32));
                powers.sum()
            };
            for degree in 0..2 * n {
                let exact = 1.0 / (degree as f64 + 1.0);
                assert!((integral(degree) - exact).abs() < 1e-14, "{n} {degree}");
            }
            // And not beyond: the rule is not exact by accident. For few nodes the defect is visible.
            if n <= 5 {
                let exact = 1.0 / (2.0 * n as f64 + 1.0);
                assert!((integral(2 * n) - exact).abs() > 1e-8, "{n}");
            }
        }
    }
}
