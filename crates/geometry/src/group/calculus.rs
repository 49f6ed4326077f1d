//! Group calculus in closed form: products, exponentials, adjoint maps, translations (AC-C4).

use super::{Group, LieGroup};
use rattleback_symbolic::{Expr, Matrix};

/// Why a logarithm does not exist as one value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LogarithmError {
    /// The rotation angle is π (for a quaternion: 2π), and the axis has more than one direction.
    #[error("the logarithm has more than one value: the rotation is a half turn")]
    Multivalued,
}

/// Products, exponentials, adjoint maps and translations of a group.
pub trait GroupCalculus: LieGroup {
    /// g as a matrix, for matrix groups.
    fn matrix(self, g: &[Expr]) -> Option<Matrix> {
        let n = self.group().matrix_size()?;
        Some(Matrix::new(n, n, |i, j| g[n * i + j].clone()))
    }

    /// The product g h.
    fn product(self, g: &[Expr], h: &[Expr]) -> Vec<Expr> {
        match (self.group(), self.matrix(g), self.matrix(h)) {
            (_, Some(g), Some(h)) => (&g * &h).entries().to_vec(),
            (Group::SU2, ..) => quaternion_product(g, h),
            _ => g.iter().zip(h).map(|(x, y)| x + y).collect(),
        }
    }

    /// The inverse: transposes for rotations, the conjugate for unit quaternions.
    fn inverse(self, g: &[Expr]) -> Vec<Expr> {
        match self.group() {
            Group::R(_) => g.iter().map(|x| -x).collect(),
            Group::SU2 => vec![g[0].clone(), -&g[1], -&g[2], -&g[3]],
            Group::SO2 | Group::SO3 => self
                .matrix(g)
                .map_or_else(Vec::new, |m| m.transpose().entries().to_vec()),
            Group::SE2 | Group::SE3 => {
                let (rotation, position) = split(self.group(), g);
                let back = rotation.transpose();
                let shift: Vec<Expr> = back.apply(&position).iter().map(|x| -x).collect();
                assemble(&back, &shift)
            }
        }
    }

    /// The element ξ^A E_A of the Lie algebra as a matrix, for matrix groups.
    fn hat(self, x: &[Expr]) -> Option<Matrix> {
        let n = self.group().matrix_size()?;
        let start = Matrix::zeros(n, n);
        Some(
            self.generators()
                .iter()
                .zip(x)
                .fold(start, |sum, (e, x)| &sum + &(e * x)),
        )
    }

    /// The exponential, in closed form. Zero angles are recognised only where they are literally 0.
    fn exp(self, x: &[Expr]) -> Vec<Expr> {
        match self.group() {
            Group::R(_) => x.to_vec(),
            Group::SO2 => rotation2(&x[0]).entries().to_vec(),
            Group::SO3 => rodrigues(x).entries().to_vec(),
            Group::SU2 => {
                let angle = norm(x);
                let scale = if angle.is_zero() {
                    Expr::ratio(1, 2)
                } else {
                    (&angle / 2).sin() / &angle
                };
                let mut g = vec![(&angle / 2).cos()];
                g.extend(x.iter().map(|x| x * &scale));
                g
            }
            Group::SE2 => {
                let angle = &x[0];
                let shift = if angle.is_zero() {
                    x[1..].to_vec()
                } else {
                    let (s, c) = (angle.sin() / angle, (1 - angle.cos()) / angle);
                    vec![&s * &x[1] - &c * &x[2], &c * &x[1] + &s * &x[2]]
                };
                assemble(&rotation2(angle), &shift)
            }
            Group::SE3 => {
                let (w, v) = x.split_at(3);
                let angle = norm(w);
                let shift = if angle.is_zero() {
                    v.to_vec()
                } else {
                    let first = (1 - angle.cos()) / angle.powi(2);
                    let second = (&angle - angle.sin()) / angle.powi(3);
                    series(w, &first, &second).apply(v)
                };
                assemble(&rodrigues(w), &shift)
            }
        }
    }

    /// The logarithm with rotation angle in (-π, π) or [0, π).
    fn log(self, g: &[Expr]) -> Result<Vec<Expr>, LogarithmError> {
        match self.group() {
            Group::R(_) => Ok(g.to_vec()),
            Group::SO2 => rotation_angle(&g[2], &g[0]).map(|angle| vec![angle]),
            Group::SO3 => rotation_vector(&|i, j| g[3 * i + j].clone()),
            Group::SU2 => {
                let v = &g[1..];
                let length = norm(v);
                if length.is_zero() {
                    return match g[0].is_one() {
                        true => Ok(vec![Expr::zero(); 3]),
                        false => Err(LogarithmError::Multivalued),
                    };
                }
                let scale = 2 * Expr::atan2(&length, &g[0]) / &length;
                Ok(v.iter().map(|x| x * &scale).collect())
            }
            Group::SE2 => {
                let angle = rotation_angle(&g[3], &g[0])?;
                let (x, y) = (&g[2], &g[5]);
                if angle.is_zero() {
                    return Ok(vec![angle, x.clone(), y.clone()]);
                }
                // V^-1 = θ/2 [[cot(θ/2), 1], [-1, cot(θ/2)]] with cot(θ/2) = sin θ / (1 - cos θ).
                let half = &angle / 2;
                let cot = &g[3] / (1 - &g[0]);
                let forward = &half * (&cot * x + y);
                let sideways = &half * (&cot * y - x);
                Ok(vec![angle, forward, sideways])
            }
            Group::SE3 => {
                let (rotation, position) = split(self.group(), g);
                let w = rotation_vector(&|i, j| rotation[(i, j)].clone())?;
                let angle = norm(&w);
                let v = if angle.is_zero() {
                    position
                } else {
                    // V^-1 = 1 - hat/2 + (1 - (θ/2) cot(θ/2))/θ² hat²
                    let half = &angle / 2;
                    let second = (1 - &half * half.cot()) / angle.powi(2);
                    series(&w, &Expr::ratio(-1, 2), &second).apply(&position)
                };
                Ok([w, v].concat())
            }
        }
    }

    /// The matrix of Ad_g on the Lie algebra: g ξ g^-1.
    fn adjoint(self, g: &[Expr]) -> Matrix {
        match self.group() {
            Group::R(n) => Matrix::identity(n),
            Group::SU2 => quaternion_rotation(g),
            _ => {
                let n = self.group().matrix_size().unwrap_or(0);
                let (here, back) = (g.to_vec(), self.inverse(g));
                let whole = |e: &[Expr]| Matrix::new(n, n, |i, j| e[n * i + j].clone());
                let columns: Vec<Vec<Expr>> = self
                    .generators()
                    .iter()
                    .map(|e| vee(self.group(), &(&(&whole(&here) * e) * &whole(&back))))
                    .collect();
                Matrix::new(columns.len(), columns.len(), |d, b| columns[b][d].clone())
            }
        }
    }

    /// The matrix of Ad*_g on the dual: ⟨Ad*_g μ, ξ⟩ = ⟨μ, Ad_{g^-1} ξ⟩.
    ///
    /// Its derivative along ξ is minus [`crate::LieAlgebra::ad_star`].
    fn coadjoint(self, g: &[Expr]) -> Matrix {
        self.adjoint(&self.inverse(g)).transpose()
    }

    /// The velocity g h' of the left translation h ↦ g h; products are linear in matrix entries.
    fn left_translate(self, g: &[Expr], h_dot: &[Expr]) -> Vec<Expr> {
        match self.group() {
            Group::R(_) => h_dot.to_vec(),
            _ => self.product(g, h_dot),
        }
    }

    /// The velocity h' g of the right translation h ↦ h g.
    fn right_translate(self, h_dot: &[Expr], g: &[Expr]) -> Vec<Expr> {
        match self.group() {
            Group::R(_) => h_dot.to_vec(),
            _ => self.product(h_dot, g),
        }
    }

    /// The body velocity g^-1 g'.
    fn body_velocity(self, g: &[Expr], g_dot: &[Expr]) -> Vec<Expr> {
        let moved = self.left_translate(&self.inverse(g), g_dot);
        components(self.group(), &moved)
    }

    /// The space velocity g' g^-1.
    fn space_velocity(self, g: &[Expr], g_dot: &[Expr]) -> Vec<Expr> {
        let moved = self.right_translate(g_dot, &self.inverse(g));
        components(self.group(), &moved)
    }
}

impl GroupCalculus for Group {}

/// The rotation and the translation of a rigid motion.
fn split(group: Group, g: &[Expr]) -> (Matrix, Vec<Expr>) {
    let n = group.matrix_size().unwrap_or(1) - 1;
    let rotation = Matrix::new(n, n, |i, j| g[(n + 1) * i + j].clone());
    let position = (0..n).map(|i| g[(n + 1) * i + n].clone()).collect();
    (rotation, position)
}

/// The components of a matrix of the Lie algebra.
fn vee(group: Group, m: &Matrix) -> Vec<Expr> {
    let at: &[(usize, usize)] = match group {
        Group::SO2 => &[(1, 0)],
        Group::SO3 => &[(2, 1), (0, 2), (1, 0)],
        Group::SE2 => &[(1, 0), (0, 2), (1, 2)],
        Group::SE3 => &[(2, 1), (0, 2), (1, 0), (0, 3), (1, 3), (2, 3)],
        Group::SU2 | Group::R(_) => &[],
    };
    at.iter().map(|&k| m[k].clone()).collect()
}

/// The components of a tangent vector at the identity.
fn components(group: Group, at_identity: &[Expr]) -> Vec<Expr> {
    match group.matrix(at_identity) {
        Some(m) => vee(group, &m),
        // g' = g (0, ω)/2
        None if group == Group::SU2 => at_identity[1..].iter().map(|x| 2 * x).collect(),
        None => at_identity.to_vec(),
    }
}

fn norm(x: &[Expr]) -> Expr {
    Expr::sum(x.iter().map(|x| x * x)).sqrt()
}

fn rotation2(angle: &Expr) -> Matrix {
    let (c, s) = (angle.cos(), angle.sin());
    Matrix::from_rows(&[vec![c.clone(), -&s], vec![s, c]])
}

/// 1 + a hat(w) + b hat(w)².
fn series(w: &[Expr], a: &Expr, b: &Expr) -> Matrix {
    let hat = Group::SO3.hat(w).unwrap_or_else(|| Matrix::zeros(3, 3));
    &(&Matrix::identity(3) + &(&hat * a)) + &(&(&hat * &hat) * b)
}

/// 1 + sin θ/θ hat + (1 - cos θ)/θ² hat².
fn rodrigues(w: &[Expr]) -> Matrix {
    let angle = norm(w);
    if angle.is_zero() {
        return Matrix::identity(3);
    }
    let (first, second) = (angle.sin() / &angle, (1 - angle.cos()) / angle.powi(2));
    series(w, &first, &second)
}

/// [[rotation, position], [0, 1]] row by row.
fn assemble(rotation: &Matrix, position: &[Expr]) -> Vec<Expr> {
    let n = rotation.rows();
    let corner = Matrix::identity(1);
    rotation
        .bordered(
            &Matrix::column_vector(position),
            &Matrix::zeros(1, n),
            &corner,
        )
        .entries()
        .to_vec()
}

/// The angle in (-π, π) with this sine and cosine.
fn rotation_angle(sine: &Expr, cosine: &Expr) -> Result<Expr, LogarithmError> {
    if sine.is_zero() && cosine == &Expr::from(-1) {
        return Err(LogarithmError::Multivalued);
    }
    Ok(Expr::atan2(sine, cosine))
}

/// θ/sin θ times the axial vector of the skew part, with θ = atan2(sin θ, cos θ).
fn rotation_vector(r: &dyn Fn(usize, usize) -> Expr) -> Result<Vec<Expr>, LogarithmError> {
    let axial = [(2, 1), (0, 2), (1, 0)].map(|(i, j)| (r(i, j) - r(j, i)) / 2);
    let sine = norm(&axial);
    let cosine = (r(0, 0) + r(1, 1) + r(2, 2) - 1) / 2;
    if sine.is_zero() {
        return match cosine.is_one() {
            true => Ok(vec![Expr::zero(); 3]),
            false => Err(LogarithmError::Multivalued),
        };
    }
    let scale = Expr::atan2(&sine, &cosine) / &sine;
    Ok(axial.iter().map(|x| x * &scale).collect())
}

/// (a, u)(b, v) = (ab - u·v, av + bu + u × v).
fn quaternion_product(g: &[Expr], h: &[Expr]) -> Vec<Expr> {
    let cross = |i: usize| {
        let (j, k) = ((i + 1) % 3 + 1, (i + 2) % 3 + 1);
        &g[j] * &h[k] - &g[k] * &h[j]
    };
    let real = &g[0] * &h[0] - Expr::sum((1..4).map(|i| &g[i] * &h[i]));
    let vector = (0..3).map(|i| &g[0] * &h[i + 1] + &h[0] * &g[i + 1] + cross(i));
    std::iter::once(real).chain(vector).collect()
}

/// The rotation x ↦ g x g^-1 of a unit quaternion: 1 + 2a hat(u) + 2 hat(u)².
fn quaternion_rotation(g: &[Expr]) -> Matrix {
    series(&g[1..], &(2 * &g[0]), &2.into())
}
