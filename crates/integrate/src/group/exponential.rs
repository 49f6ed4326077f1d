//! The exponential maps, the velocities of elements, and the steps they make.

use super::bracket::Twist;
use super::layout::{Layout, Matrix, Vector, cross, dot, layout, read_rotation, write_rotation};
use rattleback_symbolic::Group;

/// sin θ/θ.
fn sinc(theta: f64) -> f64 {
    if theta == 0.0 {
        1.0
    } else {
        theta.sin() / theta
    }
}

/// (1 − cos θ)/θ², without cancellation.
fn cosine_defect(theta: f64) -> f64 {
    0.5 * sinc(theta / 2.0).powi(2)
}

/// (θ − sin θ)/θ³.
fn sine_defect(theta: f64) -> f64 {
    let square = theta * theta;
    if square > 0.25 {
        return (theta - theta.sin()) / (theta * square);
    }
    // Σ (−θ²)^k/(2k + 3)!, nested.
    let mut sum = 0.0;
    for k in (0..8).rev() {
        let k = 2.0 * f64::from(k) + 4.0;
        sum = 1.0 - square / (k * (k + 1.0)) * sum;
    }
    sum / 6.0
}

/// v + a ω×v + b ω×(ω×v).
fn rodrigues(omega: Vector, a: f64, b: f64, v: Vector) -> Vector {
    let once = cross(omega, v);
    let twice = cross(omega, once);
    [0, 1, 2].map(|k| v[k] + a * once[k] + b * twice[k])
}

/// next = element · exp(σ).
pub(super) fn times_exponential(group: Group, element: &[f64], sigma: &[f64], next: &mut [f64]) {
    let twist = Twist::read(group, sigma);
    match (group, layout(group)) {
        (_, Some(layout)) => move_matrix(layout, element, twist, next),
        (Group::SU2, _) => {
            let half = twist.angle() / 2.0;
            let w = twist.angular.map(|w| 0.5 * sinc(half) * w);
            let turn = [half.cos(), w[0], w[1], w[2]];
            next.copy_from_slice(&quaternion_product(element, &turn));
        }
        _ => {
            for ((next, x), s) in next.iter_mut().zip(element).zip(sigma) {
                *next = x + s;
            }
        }
    }
}

fn move_matrix(layout: Layout, element: &[f64], twist: Twist, next: &mut [f64]) {
    let rotation = read_rotation(layout, element);
    let theta = twist.angle();
    let (a, b) = (sinc(theta), cosine_defect(theta));
    // The rows of R·E are Eᵀ applied to the rows of R, and Eᵀ turns the other way.
    let turned: Matrix = rotation.map(|row| rodrigues(twist.angular, -a, b, row));
    next.copy_from_slice(element);
    write_rotation(layout, &turned, next);
    if layout.has_position() {
        let shift = rodrigues(twist.angular, b, sine_defect(theta), twist.linear);
        for (i, row) in rotation.iter().enumerate().take(layout.rotation) {
            next[layout.position(i)] += dot(*row, shift);
        }
    }
}

/// a·b.
fn quaternion_product(a: &[f64], b: &[f64]) -> [f64; 4] {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

/// The body velocity ξ = g⁻¹g' of an element with the given rates.
pub(super) fn body_velocity(group: Group, element: &[f64], rates: &[f64], xi: &mut [f64]) {
    match (group, layout(group)) {
        (_, Some(layout)) => matrix_velocity(layout, element, rates).write(group, xi),
        (Group::SU2, _) => {
            let inverse = [element[0], -element[1], -element[2], -element[3]];
            let half = quaternion_product(&inverse, rates);
            for (xi, half) in xi.iter_mut().zip(&half[1..]) {
                *xi = 2.0 * half;
            }
        }
        _ => xi.copy_from_slice(rates),
    }
}

/// RᵀR', of which the skew part counts, and Rᵀp'.
fn matrix_velocity(layout: Layout, element: &[f64], rates: &[f64]) -> Twist {
    let n = layout.rotation;
    let r = |i: usize, j: usize| element[i * layout.size + j];
    let rate = |i: usize, j: usize| rates[i * layout.size + j];
    let spin = |j: usize, k: usize| (0..n).map(|i| r(i, j) * rate(i, k)).sum::<f64>();
    let around = |j: usize, k: usize| 0.5 * (spin(k, j) - spin(j, k));
    let mut twist = Twist {
        angular: [0.0, 0.0, around(0, 1)],
        linear: [0.0; 3],
    };
    if n == 3 {
        (twist.angular[0], twist.angular[1]) = (around(1, 2), around(2, 0));
    }
    if layout.has_position() {
        for (j, v) in twist.linear.iter_mut().enumerate().take(n) {
            *v = (0..n).map(|i| r(i, j) * rate(i, n)).sum();
        }
    }
    twist
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_meet_their_series() {
        let closed = |t: f64| (t - t.sin()) / t.powi(3);
        assert!((sine_defect(0.5) - closed(0.5)).abs() < 1e-14);
        assert!((sine_defect(0.3) - closed(0.3)).abs() < 1e-13);
        assert_eq!(sine_defect(0.0), 1.0 / 6.0);
        assert_eq!(cosine_defect(0.0), 0.5);
    }

    #[test]
    fn exponentials_agree_with_the_matrix_series() {
        let xi = [0.7, -0.4, 1.1, 0.5, 2.0, -0.3];
        for (group, n) in [
            (Group::SO2, 2),
            (Group::SO3, 3),
            (Group::SE2, 3),
            (Group::SE3, 4),
        ] {
            let xi = &xi[..group.dimension()];
            let identity: Vec<f64> = (0..n * n)
                .map(|k| if k % (n + 1) == 0 { 1.0 } else { 0.0 })
                .collect();
            let hat = hat(group, n, xi);
            let (mut sum, mut term) = (identity.clone(), identity.clone());
            for k in 1..40 {
                term = product(n, &term, &hat)
                    .iter()
                    .map(|x| x / f64::from(k))
                    .collect();
                sum.iter_mut().zip(&term).for_each(|(s, t)| *s += t);
            }
            let mut g = identity.clone();
            times_exponential(group, &identity, xi, &mut g);
            let mut moved = identity.clone();
            times_exponential(group, &sum, xi, &mut moved);
            let squared = product(n, &sum, &sum);
            for k in 0..n * n {
                assert!((g[k] - sum[k]).abs() < 1e-14, "{group:?}");
                assert!((moved[k] - squared[k]).abs() < 1e-14, "{group:?}");
            }
            // g' = g ξ is read back.
            let mut read = vec![0.0; xi.len()];
            body_velocity(group, &g, &product(n, &g, &hat), &mut read);
            for (a, b) in read.iter().zip(xi) {
                assert!((a - b).abs() < 1e-14, "{group:?}");
            }
        }
    }

    fn hat(group: Group, n: usize, xi: &[f64]) -> Vec<f64> {
        let twist = Twist::read(group, xi);
        let w = twist.angular;
        let skew = [[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]];
        let rotation = layout(group).unwrap().rotation;
        (0..n * n)
            .map(|k| match (k / n, k % n) {
                (i, _) if i >= rotation => 0.0,
                (i, j) if j >= rotation => twist.linear[i],
                (i, j) => skew[i][j],
            })
            .collect()
    }

    fn product(n: usize, a: &[f64], b: &[f64]) -> Vec<f64> {
        let entry = |i: usize, j: usize| (0..n).map(|k| a[i * n + k] * b[k * n + j]).sum();
        (0..n * n).map(|k| entry(k / n, k % n)).collect()
    }

    #[test]
    fn quaternions_turn_by_half_the_angle() {
        let mut g = [0.0; 4];
        times_exponential(Group::SU2, &[1.0, 0.0, 0.0, 0.0], &[0.0, 0.6, 0.0], &mut g);
        assert!((g[0] - 0.3_f64.cos()).abs() < 1e-16 && (g[2] - 0.3_f64.sin()).abs() < 1e-16);
        let mut xi = [0.0; 3];
        let w = [0.3, -0.2, 0.9];
        let rates = quaternion_product(&g, &[0.0, w[0] / 2.0, w[1] / 2.0, w[2] / 2.0]);
        body_velocity(Group::SU2, &g, &rates, &mut xi);
        assert!((0..3).all(|k| (xi[k] - w[k]).abs() < 1e-15));
    }
}
