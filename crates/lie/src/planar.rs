//! SO(2) and SE(2): rotations and rigid motions of the plane, as matrices.
//!
//! Velocities (θ) or (θ, v₁, v₂); below, c and s belong to the rotation, (p₁, p₂) is the position.

use crate::error::{ChartError, NoNearestElement};
use crate::law::{Law, Spectrum};
use crate::nearest;
use crate::scalar::Scalar;
use crate::square::{self, Motion};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Planar {
    pub moves: bool,
}

/// a v + b J v, where J turns by a quarter to the left.
fn turned<S: Scalar>(a: &S, b: &S, v: &[S]) -> [S; 2] {
    [
        a.clone() * &v[0] - b.clone() * &v[1],
        b.clone() * &v[0] + a.clone() * &v[1],
    ]
}

/// 1/(1 + θ²/4).
fn shrink<S: Scalar>(theta: &S) -> S {
    S::one() / (S::one() + theta.square() * S::ratio(1, 4))
}

/// (1 − θJ/2)⁻¹ v.
fn solve_half<S: Scalar>(theta: &S, v: &[S]) -> [S; 2] {
    let scale = shrink(theta);
    let half = theta.clone() * S::half() * &scale;
    turned(&scale, &half, v)
}

impl Planar {
    fn motion(self) -> Motion {
        Motion {
            rotation: 2,
            size: 2 + usize::from(self.moves),
        }
    }

    fn write<S: Scalar>(self, [c, s]: [S; 2], position: Option<[S; 2]>, out: &mut [S]) {
        let m = self.motion();
        out[m.at(0, 1)] = -s.clone();
        (out[m.at(1, 0)], out[m.at(0, 0)]) = (s, c.clone());
        out[m.at(1, 1)] = c;
        if let Some([x, y]) = position {
            (out[m.position(0)], out[m.position(1)]) = (x, y);
            m.last_row(out);
        }
    }

    fn sine<S: Scalar>(self, g: &[S]) -> &S {
        &g[self.motion().at(1, 0)]
    }

    fn position<S: Scalar>(self, g: &[S]) -> [S; 2] {
        [0, 1].map(|i| g[self.motion().position(i)].clone())
    }
}

impl Law for Planar {
    fn family(self) -> &'static str {
        if self.moves { "SE" } else { "SO" }
    }
    fn number(self) -> usize {
        2
    }
    fn is_compact(self) -> bool {
        !self.moves
    }
    fn dimension(self) -> usize {
        if self.moves { 3 } else { 1 }
    }
    fn coordinates(self) -> usize {
        self.motion().size.pow(2)
    }
    fn matrix_size(self) -> Option<usize> {
        Some(self.motion().size)
    }
    fn rotation_size(self) -> Option<usize> {
        Some(2)
    }
    fn angular(self) -> usize {
        1
    }
    fn spectrum(self) -> Spectrum {
        if self.moves {
            Spectrum::Simple
        } else {
            Spectrum::Abelian
        }
    }
    fn angle<S: Scalar>(self, x: &[S]) -> S {
        x[0].clone()
    }

    fn identity<S: Scalar>(self, out: &mut [S]) {
        square::identity(self.motion().size, out);
    }
    fn product<S: Scalar>(self, g: &[S], h: &[S], out: &mut [S]) {
        square::product(self.motion().size, g, h, out);
    }
    fn inverse<S: Scalar>(self, g: &[S], out: &mut [S]) {
        self.motion().inverse(g, out);
    }
    fn hat<S: Scalar>(self, x: &[S], out: &mut [S]) {
        let m = self.motion();
        out.fill(S::zero());
        out[m.at(0, 1)] = -x[0].clone();
        out[m.at(1, 0)] = x[0].clone();
        for (i, v) in x[1..].iter().enumerate() {
            out[m.position(i)] = v.clone();
        }
    }
    fn vee<S: Scalar>(self, tangent: &[S], out: &mut [S]) {
        out[0] = self.sine(tangent).clone();
        if self.moves {
            out[1..].clone_from_slice(&self.position(tangent));
        }
    }
    /// (0, θJv' − θ'Jv).
    fn bracket<S: Scalar>(self, x: &[S], y: &[S], out: &mut [S]) {
        out[0] = S::zero();
        if self.moves {
            out[1] = y[0].clone() * &x[2] - x[0].clone() * &y[2];
            out[2] = x[0].clone() * &y[1] - y[0].clone() * &x[1];
        }
    }
    /// (θ, Rv − θJp).
    fn adjoint<S: Scalar>(self, g: &[S], x: &[S], out: &mut [S]) {
        out[0] = x[0].clone();
        if self.moves {
            let (m, p) = (self.motion(), self.position(g));
            let row = |i: usize| g[m.at(i, 0)].clone() * &x[1] + g[m.at(i, 1)].clone() * &x[2];
            out[1] = row(0) + x[0].clone() * &p[1];
            out[2] = row(1) - x[0].clone() * &p[0];
        }
    }

    /// R exp(θJ), and p + R V v with V = c₁ + θ c₂ J.
    fn times_exp<S: Scalar>(self, g: &[S], x: &[S], out: &mut [S]) {
        let (m, theta) = (self.motion(), &x[0]);
        let (c, s) = (theta.cos(), theta.sin());
        out.clone_from_slice(g);
        for i in 0..2 {
            let (a, b) = (&g[m.at(i, 0)], &g[m.at(i, 1)]);
            out[m.at(i, 0)] = a.clone() * &c + b.clone() * &s;
            out[m.at(i, 1)] = b.clone() * &c - a.clone() * &s;
        }
        if self.moves {
            let across = theta.clone() * S::stumpff(2, theta);
            let shift = turned(&S::stumpff(1, theta), &across, &x[1..]);
            for i in 0..2 {
                let moved = g[m.at(i, 0)].clone() * &shift[0] + g[m.at(i, 1)].clone() * &shift[1];
                out[m.position(i)] = g[m.position(i)].clone() + moved;
            }
        }
    }

    /// θ = atan2(s, c), and V⁻¹ = (θ/2) cot(θ/2) − (θ/2) J.
    fn log<S: Scalar>(self, g: &[S], out: &mut [S]) -> Result<(), ChartError> {
        let (sine, cosine) = (self.sine(g), &g[0]);
        if *sine == S::zero() && *cosine == S::ratio(-1, 1) {
            return Err(ChartError::Multivalued);
        }
        let theta = sine.atan2(cosine);
        if self.moves {
            let along = S::one() - theta.square() * S::cotangent_defect(&theta);
            let across = -(theta.clone() * S::half());
            out[1..].clone_from_slice(&turned(&along, &across, &self.position(g)));
        }
        out[0] = theta;
        Ok(())
    }

    /// The rotation by 2 atan(θ/2), and (1 − θJ/2)⁻¹ v.
    fn cayley<S: Scalar>(self, x: &[S], out: &mut [S]) {
        let (theta, scale) = (&x[0], shrink(&x[0]));
        let cosine = (S::one() - theta.square() * S::ratio(1, 4)) * &scale;
        let position = self.moves.then(|| solve_half(theta, &x[1..]));
        self.write([cosine, theta.clone() * &scale], position, out);
    }
    /// θ = 2 s/(1 + c), v = (1 − θJ/2) p.
    fn cayley_inverse<S: Scalar>(self, g: &[S], out: &mut [S]) -> Result<(), ChartError> {
        let below = S::one() + &g[0];
        if below.is_negligible() {
            return Err(ChartError::HalfTurn);
        }
        let half = self.sine(g).clone() / below;
        if self.moves {
            let v = turned(&S::one(), &-half.clone(), &self.position(g));
            out[1..].clone_from_slice(&v);
        }
        out[0] = half * S::ratio(2, 1);
        Ok(())
    }
    fn dcay<S: Scalar>(self, x: &[S], y: &[S], out: &mut [S]) {
        let theta = &x[0];
        out[0] = y[0].clone() * shrink(theta);
        if self.moves {
            let drag = drag(x);
            let rest = [0, 1].map(|i| y[i + 1].clone() - drag[i].clone() * &out[0]);
            out[1..].clone_from_slice(&solve_half(theta, &rest));
        }
    }
    /// ((1 + θ²/4) y₀, y − θJy/2 + (Jv/2 + θv/4) y₀) (CG-G11).
    fn dcay_inverse<S: Scalar>(self, x: &[S], y: &[S], out: &mut [S]) {
        let theta = &x[0];
        out[0] = y[0].clone() / shrink(theta);
        if self.moves {
            let drag = drag(x);
            let rest = turned(&S::one(), &-(theta.clone() * S::half()), &y[1..]);
            for i in 0..2 {
                out[i + 1] = rest[i].clone() + drag[i].clone() * &y[0];
            }
        }
    }

    fn relations<S: Scalar>(self, g: &[S]) -> Vec<S> {
        self.motion().relations(g)
    }
    /// The second row is the first one turned by a quarter.
    fn orientation<S: Scalar>(self, g: &[S]) -> Vec<S> {
        let at = |i: usize, j: usize| &g[self.motion().at(i, j)];
        vec![at(0, 0).clone() - at(1, 1), at(0, 1).clone() + at(1, 0)]
    }
    /// The rotation ((1 − c²)/(1 + c²), 2c/(1 + c²)) by the angle 2 atan c.
    fn rational_chart<S: Scalar>(self, c: &[S]) -> Vec<S> {
        let (c, position) = (&c[0], &c[1..]);
        let scale = S::one() / (S::one() + c.square());
        let cosine = (S::one() - c.square()) * &scale;
        let sine = S::ratio(2, 1) * c * &scale;
        let mut out = vec![S::zero(); self.coordinates()];
        let position = self
            .moves
            .then(|| [position[0].clone(), position[1].clone()]);
        self.write([cosine, sine], position, &mut out);
        out
    }
    /// The tangent of half the angle, s/(1 + c).
    fn rational_parameters<S: Scalar>(self, g: &[S]) -> Vec<S> {
        let turn = self.sine(g).clone() / (S::one() + &g[0]);
        let position = self.moves.then(|| self.position(g));
        std::iter::once(turn)
            .chain(position.into_iter().flatten())
            .collect()
    }
    fn chart_signs(self) -> Vec<Vec<i64>> {
        self.motion().turned_rows(&[&[], &[0, 1]])
    }
    fn project(self, g: &mut [f64]) -> Result<(), NoNearestElement> {
        let m = self.motion();
        let [c, s] = nearest::in_the_plane([g[0], g[m.at(0, 1)], g[m.at(1, 0)], g[m.at(1, 1)]])?;
        let position = self.moves.then(|| self.position(g));
        self.write([c, s], position, g);
        Ok(())
    }
    fn distance(self, g: &[f64]) -> f64 {
        let m = self.motion();
        let determinant = g[0] * g[m.at(1, 1)] - g[m.at(0, 1)] * g[m.at(1, 0)];
        nearest::largest(determinant - 1.0, &self.relations(g))
    }
    /// RᵀR', of which the skew part counts, and Rᵀp'.
    fn nearest_velocity(self, g: &[f64], rates: &[f64], out: &mut [f64]) {
        let m = self.motion();
        let spin = |j: usize, k: usize| {
            g[m.at(0, j)] * rates[m.at(0, k)] + g[m.at(1, j)] * rates[m.at(1, k)]
        };
        out[0] = 0.5 * (spin(1, 0) - spin(0, 1));
        for (j, v) in out[1..].iter_mut().enumerate() {
            *v = spin(j, 2);
        }
    }
}

/// Jv/2 + θv/4: what turning does to the linear part of dcay⁻¹.
fn drag<S: Scalar>(x: &[S]) -> [S; 2] {
    turned(&(x[0].clone() * S::ratio(1, 4)), &S::half(), &x[1..])
}
