//! The bracket of a Lie algebra, and the inverse of the differential of exp.

use super::layout::{Vector, angular, cross, dot};
use crate::field::Fault;
use rattleback_symbolic::Group;

/// Beyond this angle a step winds the exponential up so far that its inverse breaks down (at 2π).
const LARGEST_ANGLE: f64 = 6.0;

/// An element of an algebra that is not abelian: angular and linear velocity in space. The plane
/// is the one across the third axis.
#[derive(Clone, Copy)]
pub(super) struct Twist {
    pub angular: Vector,
    pub linear: Vector,
}

impl Twist {
    pub fn read(group: Group, xi: &[f64]) -> Self {
        let zero = [0.0; 3];
        let (angular, linear) = match group {
            Group::SO2 => ([0.0, 0.0, xi[0]], zero),
            Group::SE2 => ([0.0, 0.0, xi[0]], [xi[1], xi[2], 0.0]),
            Group::SO3 | Group::SU2 => ([xi[0], xi[1], xi[2]], zero),
            Group::SE3 => ([xi[0], xi[1], xi[2]], [xi[3], xi[4], xi[5]]),
            Group::R(_) => (zero, zero),
        };
        Twist { angular, linear }
    }

    pub fn write(self, group: Group, xi: &mut [f64]) {
        let (w, v) = (self.angular, self.linear);
        match group {
            Group::SO2 => xi[0] = w[2],
            Group::SE2 => xi.copy_from_slice(&[w[2], v[0], v[1]]),
            Group::SO3 | Group::SU2 => xi.copy_from_slice(&w),
            Group::SE3 => {
                xi[..3].copy_from_slice(&w);
                xi[3..].copy_from_slice(&v);
            }
            Group::R(_) => {}
        }
    }

    pub fn angle(self) -> f64 {
        dot(self.angular, self.angular).sqrt()
    }

    /// [σ, ξ] = (ω×ω', ω×v' − ω'×v).
    fn bracket(self, other: Twist) -> Twist {
        let a = cross(self.angular, other.linear);
        let b = cross(other.angular, self.linear);
        Twist {
            angular: cross(self.angular, other.angular),
            linear: [a[0] - b[0], a[1] - b[1], a[2] - b[2]],
        }
    }

    fn add(&mut self, factor: f64, other: Twist) {
        for k in 0..3 {
            self.angular[k] += factor * other.angular[k];
            self.linear[k] += factor * other.linear[k];
        }
    }
}

/// σ' where g(t) = g₀ exp(σ(t)) moves with the body velocity ξ:
///
/// ```text
/// σ' = ξ + ½[σ, ξ] + A [σ, [σ, ξ]] + B [σ, [σ, [σ, [σ, ξ]]]]
/// ```
///
/// The Bernoulli series Σ B_k/k! (−ad)^k ends here, because (ad² + θ²)² ad = 0 for these algebras,
/// θ being the angle of σ.
pub(super) fn exponential_rate(
    group: Group,
    sigma: &[f64],
    xi: &[f64],
    rate: &mut [f64],
) -> Result<(), Fault> {
    rate.copy_from_slice(xi);
    if group.dimension() == 1 || angular(group) == 0 {
        return Ok(());
    }
    let (sigma, xi) = (Twist::read(group, sigma), Twist::read(group, xi));
    let angle = sigma.angle();
    if angle > LARGEST_ANGLE {
        return Err(Fault::NotConverged);
    }
    let (second, fourth) = series_coefficients(angle);
    let once = sigma.bracket(xi);
    let twice = sigma.bracket(once);
    let four_times = sigma.bracket(sigma.bracket(twice));
    let mut sum = xi;
    sum.add(0.5, once);
    sum.add(second, twice);
    sum.add(fourth, four_times);
    sum.write(group, rate);
    Ok(())
}

/// |B_2k|/(2k)! for k = 1, 2, …
const BERNOULLI: [f64; 10] = [
    1.0 / 12.0,
    1.0 / 720.0,
    1.0 / 30_240.0,
    1.0 / 1_209_600.0,
    1.0 / 47_900_160.0,
    691.0 / 1_307_674_368_000.0,
    1.0 / 74_724_249_600.0,
    3617.0 / 10_670_622_842_880_000.0,
    43_867.0 / 5_109_094_217_170_944_000.0,
    174_611.0 / 802_857_662_698_291_200_000.0,
];

/// A and B: the polynomial 1 + Au + Bu² that agrees with √u/2 coth(√u/2) at u = 0 and, with its
/// derivative, at u = −θ².
fn series_coefficients(theta: f64) -> (f64, f64) {
    let square = theta * theta;
    if theta > 1.0 {
        let half = theta / 2.0;
        let alpha = half / half.tan();
        let beta = (half / half.sin()).powi(2);
        let twist = (alpha - beta) / (2.0 * square);
        let base = (1.0 - alpha) / square;
        return (2.0 * base + twist, (base + twist) / square);
    }
    // Modulo u(u + θ²)²: (−1)^k u^k = (k − 1)θ^(2k−4) u² + (k − 2)θ^(2k−2) u.
    let (mut second, mut fourth) = (BERNOULLI[0], -BERNOULLI[1]);
    let mut power = square;
    for (k, b) in BERNOULLI.iter().enumerate().skip(2) {
        let k = k as f64 + 1.0;
        second -= b * (k - 2.0) * power * square;
        fourth -= b * (k - 1.0) * power;
        power *= square;
    }
    (second, fourth)
}

#[cfg(test)]
mod tests {
    use super::super::exponential::times_exponential;
    use super::*;

    #[test]
    fn the_series_meets_the_closed_form() {
        let (a, b) = series_coefficients(1.0);
        let (c, d) = series_coefficients(1.0 + 1e-12);
        assert!(
            (a - c).abs() < 1e-14 && (b - d).abs() < 1e-12,
            "{a} {b} {c} {d}"
        );
        assert_eq!(series_coefficients(0.0), (1.0 / 12.0, -1.0 / 720.0));
    }

    /// exp(σ + ε σ') against exp(σ)(1 + ε ξ), by differences.
    #[test]
    fn exponential_rate_inverts_the_differential() {
        for group in [Group::SO2, Group::SO3, Group::SU2, Group::SE2, Group::SE3] {
            for scale in [0.01, 0.4, 1.5, 3.0] {
                let d = group.dimension();
                let sigma: Vec<f64> = (0..d).map(|k| scale * (0.9 - 0.4 * k as f64)).collect();
                let xi: Vec<f64> = (0..d).map(|k| (1.7 * k as f64 + 0.3).sin()).collect();
                let mut rate = vec![0.0; d];
                exponential_rate(group, &sigma, &xi, &mut rate).unwrap();
                let e = 1e-4;
                let identity = identity(group);
                let shifted = |m: f64| {
                    let sigma: Vec<f64> = sigma
                        .iter()
                        .zip(&rate)
                        .map(|(s, r)| s + m * e * r)
                        .collect();
                    let mut g = identity.clone();
                    times_exponential(group, &identity, &sigma, &mut g);
                    g
                };
                let start = shifted(0.0);
                let moved = |m: f64| {
                    let step: Vec<f64> = xi.iter().map(|x| m * e * x).collect();
                    let mut g = identity.clone();
                    times_exponential(group, &start, &step, &mut g);
                    g
                };
                let derivative = |f: &dyn Fn(f64) -> Vec<f64>| -> Vec<f64> {
                    f(1.0)
                        .iter()
                        .zip(f(-1.0))
                        .map(|(a, b)| (a - b) / (2.0 * e))
                        .collect()
                };
                let difference = derivative(&shifted)
                    .iter()
                    .zip(derivative(&moved))
                    .map(|(a, b)| (a - b).abs())
                    .fold(0.0, f64::max);
                assert!(difference < 2e-7, "{group:?} {scale}: {difference}");
            }
        }
    }

    fn identity(group: Group) -> Vec<f64> {
        match group.matrix_size() {
            Some(n) => (0..n * n)
                .map(|k| if k % (n + 1) == 0 { 1.0 } else { 0.0 })
                .collect(),
            None => vec![1.0, 0.0, 0.0, 0.0],
        }
    }

    #[test]
    fn refuses_to_wind_up() {
        let mut rate = [0.0; 3];
        let fault = exponential_rate(Group::SO3, &[6.2, 0.0, 0.0], &[1.0; 3], &mut rate);
        assert_eq!(fault, Err(Fault::NotConverged));
    }
}
