//! Values: scalars, vectors and matrices of expressions, with checked shapes.

use std::fmt;

use rattleback_lie::Group;
use rattleback_symbolic::{Expr, Matrix};

/// A scalar, a vector or a matrix.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// One expression.
    Scalar(Expr),
    /// A list of expressions.
    Vector(Vec<Expr>),
    /// A table of expressions.
    Matrix(Matrix),
}

/// The shape of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One number.
    Scalar,
    /// So many entries.
    Vector(usize),
    /// Rows and columns.
    Matrix(usize, usize),
}

impl Shape {
    /// How many entries a value of this shape has.
    pub fn size(self) -> usize {
        match self {
            Shape::Scalar => 1,
            Shape::Vector(n) => n,
            Shape::Matrix(rows, cols) => rows * cols,
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Scalar => f.write_str("a scalar"),
            Shape::Vector(1) => f.write_str("a vector with 1 entry"),
            Shape::Vector(n) => write!(f, "a vector with {n} entries"),
            Shape::Matrix(rows, cols) => write!(f, "a {rows}x{cols} matrix"),
        }
    }
}

impl Value {
    /// The shape.
    pub fn shape(&self) -> Shape {
        match self {
            Value::Scalar(_) => Shape::Scalar,
            Value::Vector(v) => Shape::Vector(v.len()),
            Value::Matrix(m) => Shape::Matrix(m.rows(), m.cols()),
        }
    }

    /// All entries, row by row.
    pub fn entries(&self) -> &[Expr] {
        match self {
            Value::Scalar(e) => std::slice::from_ref(e),
            Value::Vector(v) => v,
            Value::Matrix(m) => m.entries(),
        }
    }

    /// The expression of a scalar.
    pub fn as_scalar(&self) -> Option<&Expr> {
        match self {
            Value::Scalar(e) => Some(e),
            _ => None,
        }
    }

    /// Applies a function to every entry.
    #[must_use]
    pub fn map(&self, mut f: impl FnMut(&Expr) -> Expr) -> Value {
        match self {
            Value::Scalar(e) => Value::Scalar(f(e)),
            Value::Vector(v) => Value::Vector(v.iter().map(f).collect()),
            Value::Matrix(m) => Value::Matrix(m.map(f)),
        }
    }

    /// Rebuilds a value of a shape from its entries, row by row.
    pub(crate) fn from_entries(shape: Shape, entries: Vec<Expr>) -> Value {
        match shape {
            Shape::Scalar => Value::Scalar(entries.into_iter().next().unwrap_or_else(Expr::zero)),
            Shape::Vector(_) => Value::Vector(entries),
            Shape::Matrix(rows, cols) => Value::Matrix(Matrix::new(rows, cols, |i, j| {
                entries[i * cols + j].clone()
            })),
        }
    }
}

/// The skew matrix of a 3-vector: hat(v) u = v x u.
pub(crate) fn hat(v: &[Expr]) -> Matrix {
    let entries = Group::SO3.hat(v);
    Matrix::new(3, 3, |i, j| entries[3 * i + j].clone())
}

/// The vector product of two 3-vectors.
pub(crate) fn cross(a: &[Expr], b: &[Expr]) -> Vec<Expr> {
    let component = |i: usize, j: usize| &a[i] * &b[j] - &a[j] * &b[i];
    vec![component(1, 2), component(2, 0), component(0, 1)]
}
