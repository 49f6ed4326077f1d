//! The groups that a factor of the configuration space may be, as the language writes them.

use rattleback_lie::Group;
use rattleback_symbolic::{Expr, Matrix};

use crate::value::{Shape, Value, hat};

/// The largest dimension that is accepted: n of R(n).
const LARGEST: usize = 4096;

/// The group of a family name and a number, such as `SO` and 3.
pub(crate) fn named(family: &str, n: u32) -> Option<Group> {
    Group::named(family, n as usize).filter(|g| g.dimension() <= LARGEST)
}

/// The shape of an element.
pub(crate) fn shape(group: Group) -> Shape {
    match group.matrix_size() {
        Some(n) => Shape::Matrix(n, n),
        None => Shape::Vector(group.coordinates()),
    }
}

/// The neutral element.
pub(crate) fn identity(group: Group) -> Value {
    Value::from_entries(shape(group), group.identity())
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
