//! The groups that a factor of the configuration space may be, as the language writes them.

use rattleback_symbolic::{Expr, Group, Matrix};

use crate::value::{Shape, Value, hat, quaternion_product};

/// The largest n of R(n) that is accepted.
pub(crate) const MAX_R: u32 = 4096;

/// The group of a family name and a number, such as `SO` and 3.
pub(crate) fn named(family: &str, n: u32) -> Option<Group> {
    Some(match (family, n) {
        ("SO", 2) => Group::SO2,
        ("SO", 3) => Group::SO3,
        ("SE", 2) => Group::SE2,
        ("SE", 3) => Group::SE3,
        ("SU", 2) => Group::SU2,
        ("R", 1..=MAX_R) => Group::R(n as usize),
        _ => return None,
    })
}

/// The shape of an element.
pub(crate) fn shape(group: Group) -> Shape {
    match group {
        Group::SU2 | Group::R(_) => Shape::Vector(group.coordinates()),
        _ => group
            .matrix_size()
            .map_or(Shape::Scalar, |n| Shape::Matrix(n, n)),
    }
}

/// The neutral element.
pub(crate) fn identity(group: Group) -> Value {
    match shape(group) {
        Shape::Matrix(n, _) => Value::Matrix(Matrix::identity(n)),
        Shape::Vector(n) => {
            let mut entries = vec![Expr::zero(); n];
            if group == Group::SU2 {
                entries[0] = Expr::one();
            }
            Value::Vector(entries)
        }
        Shape::Scalar => Value::Scalar(Expr::one()),
    }
}

/// Whether the last row of an element is that of the identity: motions as matrices.
pub(crate) fn has_fixed_row(group: Group) -> bool {
    matches!(group, Group::SE2 | Group::SE3)
}

/// The time derivative of an element: g' = g ξ for a body velocity, ξ g for a space velocity.
pub(crate) fn element_rate(group: Group, element: &Value, w: &[Expr], space: bool) -> Vec<Expr> {
    match (algebra_element(group, w), element) {
        (Some(xi), Value::Matrix(g)) => if space { &xi * g } else { g * &xi }.entries().to_vec(),
        (_, Value::Vector(g)) if group == Group::SU2 => {
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

/// The element of the Lie algebra with the given velocity components, as a matrix.
fn algebra_element(group: Group, w: &[Expr]) -> Option<Matrix> {
    let zero = Expr::zero;
    Some(match group {
        Group::SO2 => Matrix::from_rows(&[vec![zero(), -&w[0]], vec![w[0].clone(), zero()]]),
        Group::SO3 => hat(w),
        Group::SE2 => Matrix::from_rows(&[
            vec![zero(), -&w[0], w[1].clone()],
            vec![w[0].clone(), zero(), w[2].clone()],
            vec![zero(), zero(), zero()],
        ]),
        Group::SE3 => {
            let rotation = hat(&w[..3]);
            Matrix::new(4, 4, |i, j| match (i, j) {
                (3, _) => zero(),
                (i, 3) => w[3 + i].clone(),
                (i, j) => rotation[(i, j)].clone(),
            })
        }
        Group::SU2 | Group::R(_) => return None,
    })
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
