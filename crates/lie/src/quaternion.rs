//! SU(2): unit quaternions (a, u), real part first, with g' = g·(0, w)/2 for the body velocity w.

use crate::error::{ChartError, NoNearestElement};
use crate::law::{Law, Spectrum};
use crate::nearest;
use crate::scalar::Scalar;
use crate::vector::{add_scaled, cross, dot, norm, rodrigues, scaled};

#[derive(Clone, Copy, Debug)]
pub(crate) struct UnitQuaternions;

fn write<S: Scalar>(real: S, vector: &[S], out: &mut [S]) {
    out[0] = real;
    out[1..].clone_from_slice(vector);
}

impl Law for UnitQuaternions {
    fn family(self) -> &'static str {
        "SU"
    }
    fn number(self) -> usize {
        2
    }
    fn is_compact(self) -> bool {
        true
    }
    fn dimension(self) -> usize {
        3
    }
    fn coordinates(self) -> usize {
        4
    }
    fn matrix_size(self) -> Option<usize> {
        None
    }
    fn rotation_size(self) -> Option<usize> {
        None
    }
    fn angular(self) -> usize {
        3
    }
    fn spectrum(self) -> Spectrum {
        Spectrum::Simple
    }
    fn angle<S: Scalar>(self, x: &[S]) -> S {
        norm(x)
    }

    fn identity<S: Scalar>(self, out: &mut [S]) {
        out.fill(S::zero());
        out[0] = S::one();
    }
    /// (ab − u·v, av + bu + u×v).
    fn product<S: Scalar>(self, g: &[S], h: &[S], out: &mut [S]) {
        out[0] = g[0].clone() * &h[0]
            - g[1].clone() * &h[1]
            - g[2].clone() * &h[2]
            - g[3].clone() * &h[3];
        for i in 1..4 {
            let (j, k) = (i % 3 + 1, (i + 1) % 3 + 1);
            out[i] = g[0].clone() * &h[i] + g[i].clone() * &h[0] + g[j].clone() * &h[k]
                - g[k].clone() * &h[j];
        }
    }
    fn inverse<S: Scalar>(self, g: &[S], out: &mut [S]) {
        write(g[0].clone(), &[1, 2, 3].map(|i| -g[i].clone()), out);
    }
    fn hat<S: Scalar>(self, x: &[S], out: &mut [S]) {
        write(S::zero(), &scaled(&S::half(), x), out);
    }
    fn vee<S: Scalar>(self, tangent: &[S], out: &mut [S]) {
        out.clone_from_slice(&scaled(&S::ratio(2, 1), &tangent[1..]));
    }
    fn bracket<S: Scalar>(self, x: &[S], y: &[S], out: &mut [S]) {
        out.clone_from_slice(&cross(x, y));
    }
    /// g x g⁻¹ = (1 + 2a hat(u) + 2 hat(u)²) x.
    fn adjoint<S: Scalar>(self, g: &[S], x: &[S], out: &mut [S]) {
        let twice = S::ratio(2, 1);
        out.clone_from_slice(&rodrigues(&g[1..], &(g[0].clone() * &twice), &twice, x));
    }

    /// g (cos(θ/2), sin(θ/2)/θ w).
    fn times_exp<S: Scalar>(self, g: &[S], x: &[S], out: &mut [S]) {
        let half = self.angle(x) * S::half();
        let scale = S::half() * S::stumpff(1, &half);
        let mut turn = [0, 1, 2, 3].map(|_| S::zero());
        write(half.cos(), &scaled(&scale, x), &mut turn);
        self.product(g, &turn, out);
    }
    /// 2 atan2(|u|, a)/|u| u.
    fn log<S: Scalar>(self, g: &[S], out: &mut [S]) -> Result<(), ChartError> {
        let length = norm(&g[1..]);
        if length == S::zero() {
            out.fill(S::zero());
            return match S::zero().is_known_below(&g[0]) {
                true => Ok(()),
                false => Err(ChartError::Multivalued),
            };
        }
        let scale = S::ratio(2, 1) * length.atan2(&g[0]) / length;
        out.clone_from_slice(&scaled(&scale, &g[1..]));
        Ok(())
    }

    /// (1 − |w|²/16, w/2)/(1 + |w|²/16), the rotation by 4 atan(|w|/4).
    fn cayley<S: Scalar>(self, x: &[S], out: &mut [S]) {
        let square = dot(x, x) * S::ratio(1, 16);
        let scale = S::one() / (S::one() + &square);
        let vector = scaled(&(scale.clone() * S::half()), x);
        write((S::one() - square) * scale, &vector, out);
    }
    /// 4u/(1 + a).
    fn cayley_inverse<S: Scalar>(self, g: &[S], out: &mut [S]) -> Result<(), ChartError> {
        let below = S::one() + &g[0];
        if below.is_negligible() {
            return Err(ChartError::HalfTurn);
        }
        out.clone_from_slice(&scaled(&(S::ratio(4, 1) / below), &g[1..]));
        Ok(())
    }
    /// q y q⁻¹/|q|² with q = (1, w/4).
    fn dcay<S: Scalar>(self, x: &[S], y: &[S], out: &mut [S]) {
        let scale = S::one() / (S::one() + dot(x, x) * S::ratio(1, 16));
        let first = S::half() * &scale;
        let second = S::ratio(1, 8) * &scale;
        out.clone_from_slice(&scaled(&scale, &rodrigues(x, &first, &second, y)));
    }
    /// (1 − |w|²/16) y − w×y/2 + (w·y) w/8.
    fn dcay_inverse<S: Scalar>(self, x: &[S], y: &[S], out: &mut [S]) {
        let keep = S::one() - dot(x, x) * S::ratio(1, 16);
        let turned = add_scaled(&scaled(&keep, y), &S::ratio(-1, 2), &cross(x, y));
        let along = dot(x, y) * S::ratio(1, 8);
        out.clone_from_slice(&add_scaled(&turned, &along, x));
    }

    fn relations<S: Scalar>(self, g: &[S]) -> Vec<S> {
        vec![g[0].square() + dot(&g[1..], &g[1..]) - S::one()]
    }
    /// (1 − |c|², 2c)/(1 + |c|²): stereographic.
    fn rational_chart<S: Scalar>(self, c: &[S]) -> Vec<S> {
        let square = dot(c, c);
        let scale = S::one() / (S::one() + &square);
        let mut all = vec![(S::one() - square) * &scale];
        all.extend(c.iter().map(|x| S::ratio(2, 1) * x * &scale));
        all
    }
    /// u/(1 + a).
    fn rational_parameters<S: Scalar>(self, g: &[S]) -> Vec<S> {
        let scale = S::one() + &g[0];
        g[1..].iter().map(|u| u.clone() / &scale).collect()
    }
    /// From one pole, and from the other.
    fn chart_signs(self) -> Vec<Vec<i64>> {
        vec![vec![1; 4], vec![-1; 4]]
    }
    /// (cos(θ/2), sin(θ/2) n).
    fn turn_about<S: Scalar>(self, axis: &[S], angle: &S) -> Option<Vec<S>> {
        let half = angle.clone() * S::half();
        let vector = axis.iter().map(|n| n.clone() * half.sin());
        Some(std::iter::once(half.cos()).chain(vector).collect())
    }
    fn project(self, g: &mut [f64]) -> Result<(), NoNearestElement> {
        nearest::normalise(g)
    }
    fn distance(self, g: &[f64]) -> f64 {
        (g.iter().map(|x| x * x).sum::<f64>().sqrt() - 1.0).abs()
    }
    fn nearest_velocity(self, g: &[f64], rates: &[f64], out: &mut [f64]) {
        let (mut back, mut moved) = ([0.0; 4], [0.0; 4]);
        self.inverse(g, &mut back);
        self.product(&back, rates, &mut moved);
        self.vee(&moved, out);
    }
}
