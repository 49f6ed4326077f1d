//! The groups that a factor of the configuration space may be, as the language writes them.

use std::fmt;

use rattleback_symbolic::{Expr, Matrix};

use crate::value::{Shape, Value, hat, quaternion_product};

/// A Lie group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupKind {
    /// Rotations of the plane, as 2x2 matrices.
    SO2,
    /// Rotations of space, as 3x3 matrices.
    SO3,
    /// Motions of the plane, as 3x3 matrices.
    SE2,
    /// Motions of space, as 4x4 matrices.
    SE3,
    /// Unit quaternions, real part first.
    SU2,
    /// The vectors with n entries, under addition.
    R(usize),
}

impl fmt::Display for GroupKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GroupKind::SO2 => f.write_str("SO(2)"),
            GroupKind::SO3 => f.write_str("SO(3)"),
            GroupKind::SE2 => f.write_str("SE(2)"),
            GroupKind::SE3 => f.write_str("SE(3)"),
            GroupKind::SU2 => f.write_str("SU(2)"),
            GroupKind::R(n) => write!(f, "R({n})"),
        }
    }
}

impl GroupKind {
    /// The largest n of R(n) that is accepted.
    pub const MAX_R: u32 = 4096;

    /// The group of a family name and a number, such as `SO` and 3.
    pub(crate) fn named(family: &str, n: u32) -> Option<Self> {
        Some(match (family, n) {
            ("SO", 2) => GroupKind::SO2,
            ("SO", 3) => GroupKind::SO3,
            ("SE", 2) => GroupKind::SE2,
            ("SE", 3) => GroupKind::SE3,
            ("SU", 2) => GroupKind::SU2,
            ("R", 1..=Self::MAX_R) => GroupKind::R(n as usize),
            _ => return None,
        })
    }

    /// The dimension of the group: how many velocities it has.
    pub fn dimension(self) -> usize {
        match self {
            GroupKind::SO2 => 1,
            GroupKind::SO3 | GroupKind::SE2 | GroupKind::SU2 => 3,
            GroupKind::SE3 => 6,
            GroupKind::R(n) => n,
        }
    }

    /// The shape of an element.
    pub fn shape(self) -> Shape {
        match self {
            GroupKind::SO2 => Shape::Matrix(2, 2),
            GroupKind::SO3 | GroupKind::SE2 => Shape::Matrix(3, 3),
            GroupKind::SE3 => Shape::Matrix(4, 4),
            GroupKind::SU2 => Shape::Vector(4),
            GroupKind::R(n) => Shape::Vector(n),
        }
    }

    /// The neutral element.
    pub fn identity(self) -> Value {
        match self.shape() {
            Shape::Matrix(n, _) => Value::Matrix(Matrix::identity(n)),
            Shape::Vector(n) => {
                let mut entries = vec![Expr::zero(); n];
                if self == GroupKind::SU2 {
                    entries[0] = Expr::one();
                }
                Value::Vector(entries)
            }
            Shape::Scalar => Value::Scalar(Expr::one()),
        }
    }

    /// Whether the last row of an element is that of the identity: motions as matrices.
    pub(crate) fn has_fixed_row(self) -> bool {
        matches!(self, GroupKind::SE2 | GroupKind::SE3)
    }

    /// The element of the Lie algebra with the given velocity components, as a matrix.
    fn algebra_element(self, w: &[Expr]) -> Option<Matrix> {
        let zero = Expr::zero;
        Some(match self {
            GroupKind::SO2 => {
                Matrix::from_rows(&[vec![zero(), -&w[0]], vec![w[0].clone(), zero()]])
            }
            GroupKind::SO3 => hat(w),
            GroupKind::SE2 => Matrix::from_rows(&[
                vec![zero(), -&w[0], w[1].clone()],
                vec![w[0].clone(), zero(), w[2].clone()],
                vec![zero(), zero(), zero()],
            ]),
            GroupKind::SE3 => {
                let rotation = hat(&w[..3]);
                Matrix::new(4, 4, |i, j| match (i, j) {
                    (3, _) => zero(),
                    (i, 3) => w[3 + i].clone(),
                    (i, j) => rotation[(i, j)].clone(),
                })
            }
            GroupKind::SU2 | GroupKind::R(_) => return None,
        })
    }

    /// The time derivative of an element: g' = g ξ for a body velocity, ξ g for a space velocity.
    pub(crate) fn element_rate(self, element: &Value, w: &[Expr], space: bool) -> Vec<Expr> {
        match (self.algebra_element(w), element) {
            (Some(xi), Value::Matrix(g)) => {
                if space { &xi * g } else { g * &xi }.entries().to_vec()
            }
            (_, Value::Vector(g)) if self == GroupKind::SU2 => {
                let half: Vec<Expr> = std::iter::once(Expr::zero())
                    .chain(w.iter().map(|x| x * Expr::ratio(1, 2)))
                    .collect();
                if space {
                    quaternion_product(&half, g)
                } else {
                    quaternion_product(g, &half)
                }
            }
            _ => w.to_vec(),
        }
    }
}

/// The rotation about a unit axis by Rodrigues' formula.
pub(crate) fn rotation_matrix(axis: &[Expr], angle: &Expr) -> Matrix {
    let (sine, cosine) = (angle.sin(), angle.cos());
    let skew = hat(axis);
    Matrix::new(3, 3, |i, j| {
        let identity = if i == j { cosine.clone() } else { Expr::zero() };
        identity + &sine * &skew[(i, j)] + (1 - &cosine) * &axis[i] * &axis[j]
    })
}

/// The unit quaternion of a rotation about a unit axis.
pub(crate) fn rotation_quaternion(axis: &[Expr], angle: &Expr) -> Vec<Expr> {
    let half = angle * Expr::ratio(1, 2);
    std::iter::once(half.cos())
        .chain(axis.iter().map(|n| n * half.sin()))
        .collect()
}
