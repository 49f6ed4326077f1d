//! SO(3) and SE(3): rotations and rigid motions of space, as matrices.
//!
//! Velocities (w) or (w, v); below, R is the rotation, p the position, W = hat(w).

use crate::error::{ChartError, NoNearestElement};
use crate::law::{Law, Spectrum};
use crate::nearest;
use crate::scalar::Scalar;
use crate::square::{self, Motion};
use crate::vector::{Vector, add_scaled, cross, dot, norm, rodrigues, scaled, vector};

/// Where the components of w stand in W.
const AXIAL: [(usize, usize); 3] = [(2, 1), (0, 2), (1, 0)];

#[derive(Clone, Copy, Debug)]
pub(crate) struct Spatial {
    pub moves: bool,
}

fn unit<S: Scalar>(k: usize) -> Vector<S> {
    [0, 1, 2].map(|i| S::kronecker(i, k))
}

/// 4/(4 + |w|²).
fn shrink<S: Scalar>(w: &[S]) -> S {
    S::ratio(4, 1) / (S::ratio(4, 1) + dot(w, w))
}

/// P z = (1 − W/2)⁻¹ z = z + 2/(4 + |w|²) (W + W²/2) z.
fn solve_half<S: Scalar>(w: &[S], z: &[S]) -> Vector<S> {
    let k = shrink(w) * S::half();
    rodrigues(w, &k, &(k.clone() * S::half()), z)
}

impl Spatial {
    fn motion(self) -> Motion {
        Motion {
            rotation: 3,
            size: 3 + usize::from(self.moves),
        }
    }

    fn row<S: Scalar>(self, g: &[S], i: usize) -> Vector<S> {
        [0, 1, 2].map(|j| g[self.motion().at(i, j)].clone())
    }

    /// R v.
    fn rotate<S: Scalar>(self, g: &[S], v: &[S]) -> Vector<S> {
        [0, 1, 2].map(|i| dot(&self.row(g, i), v))
    }

    fn position<S: Scalar>(self, g: &[S]) -> Vector<S> {
        [0, 1, 2].map(|i| g[self.motion().position(i)].clone())
    }

    fn write_rotation<S: Scalar>(self, out: &mut [S], entry: impl Fn(usize, usize) -> S) {
        let m = self.motion();
        for i in 0..3 {
            for j in 0..3 {
                out[m.at(i, j)] = entry(i, j);
            }
        }
    }

    fn write_position<S: Scalar>(self, out: &mut [S], position: Vector<S>) {
        let m = self.motion();
        for (i, p) in position.into_iter().enumerate() {
            out[m.position(i)] = p;
        }
        m.last_row(out);
    }

    fn trace<S: Scalar>(self, g: &[S]) -> S {
        let m = self.motion();
        g[m.at(0, 0)].clone() + &g[m.at(1, 1)] + &g[m.at(2, 2)]
    }

    /// R − Rᵀ as a vector: 2 sin θ times the axis.
    fn skew_part<S: Scalar>(self, g: &[S]) -> Vector<S> {
        let m = self.motion();
        AXIAL.map(|(i, j)| g[m.at(i, j)].clone() - &g[m.at(j, i)])
    }

    /// θ times the axis, from sin θ n = vee(R − Rᵀ)/2 and cos θ = (tr R − 1)/2.
    fn rotation_vector<S: Scalar>(self, g: &[S]) -> Result<Vector<S>, ChartError> {
        let axial = scaled(&S::half(), &self.skew_part(g));
        let sine = norm(&axial);
        let cosine = (self.trace(g) - S::one()) * S::half();
        if sine == S::zero() {
            return match S::zero().is_known_below(&cosine) {
                true => Ok([0, 1, 2].map(|_| S::zero())),
                false => Err(ChartError::Multivalued),
            };
        }
        let angle = sine.atan2(&cosine);
        if cosine.is_known_below(&S::ratio(-1, 2)) {
            return Ok(scaled(
                &angle,
                &self.axis_near_half_turn(g, &axial, &cosine),
            ));
        }
        Ok(scaled(&(angle / sine), &axial))
    }

    /// The axis n from (R + Rᵀ)/2 = cos θ + (1 − cos θ) n nᵀ, which keeps its digits where sin θ is
    /// small; the skew part gives its direction.
    fn axis_near_half_turn<S: Scalar>(self, g: &[S], axial: &[S], cosine: &S) -> Vector<S> {
        let m = self.motion();
        let k = (1..3).fold(0, |best, i| {
            match g[m.at(best, best)].is_known_below(&g[m.at(i, i)]) {
                true => i,
                false => best,
            }
        });
        let column: Vector<S> = [0, 1, 2].map(|i| {
            let symmetric = (g[m.at(i, k)].clone() + &g[m.at(k, i)]) * S::half();
            symmetric - S::kronecker(i, k) * cosine
        });
        let length = match dot(&column, axial).is_known_below(&S::zero()) {
            true => -norm(&column),
            false => norm(&column),
        };
        scaled(&(S::one() / length), &column)
    }
}

impl Law for Spatial {
    fn family(self) -> &'static str {
        if self.moves { "SE" } else { "SO" }
    }
    fn number(self) -> usize {
        3
    }
    fn is_compact(self) -> bool {
        !self.moves
    }
    fn dimension(self) -> usize {
        if self.moves { 6 } else { 3 }
    }
    fn coordinates(self) -> usize {
        self.motion().size.pow(2)
    }
    fn matrix_size(self) -> Option<usize> {
        Some(self.motion().size)
    }
    fn rotation_size(self) -> Option<usize> {
        Some(3)
    }
    fn angular(self) -> usize {
        3
    }
    fn spectrum(self) -> Spectrum {
        if self.moves {
            Spectrum::Double
        } else {
            Spectrum::Simple
        }
    }
    fn angle<S: Scalar>(self, x: &[S]) -> S {
        norm(&x[..3])
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
        for (&(i, j), w) in AXIAL.iter().zip(x) {
            out[m.at(i, j)] = w.clone();
            out[m.at(j, i)] = -w.clone();
        }
        for (i, v) in x[3..].iter().enumerate() {
            out[m.position(i)] = v.clone();
        }
    }
    fn vee<S: Scalar>(self, tangent: &[S], out: &mut [S]) {
        let m = self.motion();
        for (&(i, j), w) in AXIAL.iter().zip(out.iter_mut()) {
            *w = tangent[m.at(i, j)].clone();
        }
        if self.moves {
            out[3..].clone_from_slice(&self.position(tangent));
        }
    }
    /// (w×w', w×v' − w'×v).
    fn bracket<S: Scalar>(self, x: &[S], y: &[S], out: &mut [S]) {
        out[..3].clone_from_slice(&cross(x, y));
        if self.moves {
            let (a, b) = (cross(x, &y[3..]), cross(y, &x[3..]));
            out[3..].clone_from_slice(&add_scaled(&a, &S::ratio(-1, 1), &b));
        }
    }
    /// (Rw, Rv + p×Rw).
    fn adjoint<S: Scalar>(self, g: &[S], x: &[S], out: &mut [S]) {
        let w = self.rotate(g, x);
        if self.moves {
            let (v, arm) = (self.rotate(g, &x[3..]), cross(&self.position(g), &w));
            out[3..].clone_from_slice(&add_scaled(&v, &S::one(), &arm));
        }
        out[..3].clone_from_slice(&w);
    }

    /// R (1 + c₁ W + c₂ W²), and p + R (1 + c₂ W + c₃ W²) v.
    fn times_exp<S: Scalar>(self, g: &[S], x: &[S], out: &mut [S]) {
        let (m, w, angle) = (self.motion(), &x[..3], self.angle(x));
        let (first, second) = (S::stumpff(1, &angle), S::stumpff(2, &angle));
        // The rows of R·E are Eᵀ applied to the rows of R, and Eᵀ turns the other way.
        let backward = -first;
        out.clone_from_slice(g);
        for i in 0..3 {
            let turned = rodrigues(w, &backward, &second, &self.row(g, i));
            out[m.at(i, 0)..m.at(i, 3)].clone_from_slice(&turned);
        }
        if self.moves {
            let shift = rodrigues(w, &second, &S::stumpff(3, &angle), &x[3..]);
            for i in 0..3 {
                out[m.position(i)] = g[m.position(i)].clone() + dot(&self.row(g, i), &shift);
            }
        }
    }

    /// V⁻¹ = 1 − W/2 + β W².
    fn log<S: Scalar>(self, g: &[S], out: &mut [S]) -> Result<(), ChartError> {
        let w = self.rotation_vector(g)?;
        if self.moves {
            let second = S::cotangent_defect(&norm(&w));
            let v = rodrigues(&w, &S::ratio(-1, 2), &second, &self.position(g));
            out[3..].clone_from_slice(&v);
        }
        out[..3].clone_from_slice(&w);
        Ok(())
    }

    /// 1 + 4/(4 + |w|²) (W + W²/2), and (1 − W/2)⁻¹ v.
    fn cayley<S: Scalar>(self, x: &[S], out: &mut [S]) {
        let (w, k) = (&x[..3], shrink(&x[..3]));
        let half = k.clone() * S::half();
        let columns = [0, 1, 2].map(|j| rodrigues(w, &k, &half, &unit::<S>(j)));
        self.write_rotation(out, |i, j| columns[j][i].clone());
        if self.moves {
            self.write_position(out, solve_half(w, &x[3..]));
        }
    }
    /// w = 2 vee(R − Rᵀ)/(1 + tr R), v = (1 − W/2) p.
    fn cayley_inverse<S: Scalar>(self, g: &[S], out: &mut [S]) -> Result<(), ChartError> {
        let below = S::one() + self.trace(g);
        if below.is_negligible() {
            return Err(ChartError::HalfTurn);
        }
        let w = scaled(&(S::ratio(2, 1) / below), &self.skew_part(g));
        if self.moves {
            let p = self.position(g);
            let v = add_scaled(&p, &S::ratio(-1, 2), &cross(&w, &p));
            out[3..].clone_from_slice(&v);
        }
        out[..3].clone_from_slice(&w);
        Ok(())
    }
    /// 2/(4 + |w|²) (2 + W) y, and P (u − y×Pᵀv/2) with P = (1 − W/2)⁻¹.
    fn dcay<S: Scalar>(self, x: &[S], y: &[S], out: &mut [S]) {
        let (w, k) = (&x[..3], shrink(&x[..3]));
        if self.moves {
            let back = solve_half(&scaled(&S::ratio(-1, 1), w), &x[3..]);
            let rest = add_scaled(&y[3..], &S::ratio(-1, 2), &cross(y, &back));
            out[3..].clone_from_slice(&solve_half(w, &rest));
        }
        let turned = add_scaled(y, &S::half(), &cross(w, y));
        out[..3].clone_from_slice(&scaled(&k, &turned));
    }
    /// y − w×y/2 + (w·y) w/4, and u − (w×u − y×v)/2 − w×(y×v)/4.
    fn dcay_inverse<S: Scalar>(self, x: &[S], y: &[S], out: &mut [S]) {
        let (w, quarter) = (&x[..3], S::ratio(1, 4));
        let minus_half = S::ratio(-1, 2);
        if self.moves {
            let drag = cross(y, &x[3..]);
            let v = add_scaled(&y[3..], &minus_half, &cross(w, &y[3..]));
            let v = add_scaled(&v, &S::half(), &drag);
            let v = add_scaled(&v, &-quarter.clone(), &cross(w, &drag));
            out[3..].clone_from_slice(&v);
        }
        let turned = add_scaled(y, &minus_half, &cross(w, y));
        let along = dot(w, y) * quarter;
        out[..3].clone_from_slice(&add_scaled(&turned, &along, w));
    }

    fn relations<S: Scalar>(self, g: &[S]) -> Vec<S> {
        self.motion().relations(g)
    }
    /// Each row is the product of the others.
    fn orientation<S: Scalar>(self, g: &[S]) -> Vec<S> {
        let at = |i: usize, j: usize| &g[self.motion().at(i % 3, j % 3)];
        let cofactor = |i: usize, j: usize| {
            at(i + 1, j + 1).clone() * at(i + 2, j + 2)
                - at(i + 1, j + 2).clone() * at(i + 2, j + 1)
        };
        let each = (0..3).flat_map(|i| (0..3).map(move |j| (i, j)));
        each.map(|(i, j)| at(i, j).clone() - cofactor(i, j))
            .collect()
    }
    /// The rotation of the quaternion (1, c), normalised.
    fn rational_chart<S: Scalar>(self, c: &[S]) -> Vec<S> {
        let square = dot(c, c);
        let scale = S::one() / (S::one() + &square);
        let mut out = vec![S::zero(); self.coordinates()];
        self.write_rotation(&mut out, |i, j| {
            let symmetric = S::ratio(2, 1) * &c[i] * &c[j];
            let entry = if i == j {
                S::one() - &square + symmetric
            } else {
                let sign = if (i + 1) % 3 == j { -2 } else { 2 };
                symmetric + S::ratio(sign, 1) * &c[3 - i - j]
            };
            entry * &scale
        });
        if self.moves {
            self.write_position(&mut out, vector(&c[3..]));
        }
        out
    }
    /// vee(R − Rᵀ)/(1 + tr R): the tangent of half the angle, times the axis.
    fn rational_parameters<S: Scalar>(self, g: &[S]) -> Vec<S> {
        let scale = S::one() + self.trace(g);
        let turn = self.skew_part(g).map(|a| a / &scale);
        let position = self.moves.then(|| self.position(g));
        turn.into_iter()
            .chain(position.into_iter().flatten())
            .collect()
    }
    fn chart_signs(self) -> Vec<Vec<i64>> {
        self.motion().turned_rows(&[&[], &[0, 1], &[1, 2], &[0, 2]])
    }
    fn project(self, g: &mut [f64]) -> Result<(), NoNearestElement> {
        let mut rows = [0, 1, 2].map(|i| self.row(g, i));
        nearest::in_space(&mut rows)?;
        self.write_rotation(g, |i, j| rows[i][j]);
        if self.moves {
            self.motion().last_row(g);
        }
        Ok(())
    }
    fn distance(self, g: &[f64]) -> f64 {
        let [a, b, c] = [0, 1, 2].map(|i| self.row(g, i));
        nearest::largest(dot(&a, &cross(&b, &c)) - 1.0, &self.relations(g))
    }
    /// RᵀR', of which the skew part counts, and Rᵀp'.
    fn nearest_velocity(self, g: &[f64], rates: &[f64], out: &mut [f64]) {
        let m = self.motion();
        let spin =
            |j: usize, k: usize| -> f64 { (0..3).map(|i| g[m.at(i, j)] * rates[m.at(i, k)]).sum() };
        for (&(i, j), w) in AXIAL.iter().zip(out.iter_mut()) {
            *w = 0.5 * (spin(i, j) - spin(j, i));
        }
        for (j, v) in out[3..].iter_mut().enumerate() {
            *v = spin(j, 3);
        }
    }
}
