//! Small helpers on phase space: differentials in the adapted coframe, matrices, requirements.

use super::PhaseError;
use super::elimination::inverse;
use crate::System;
use rattleback_geometry::Frame;
use rattleback_symbolic::{Expr, Matrix, Symbol};

/// df by components: ρ^i_A ∂_i f along the frame, then ∂f along the fibre symbols.
pub(super) fn differential(frame: &Frame, fibre: &[Symbol], f: &Expr) -> Vec<Expr> {
    let mut all = frame.differential(f);
    all.extend(f.gradient(fibre));
    all
}

/// The columns of a matrix.
pub(super) fn columns(m: &Matrix) -> Vec<Vec<Expr>> {
    (0..m.cols()).map(|j| m.column(j)).collect()
}

/// The matrix with these columns of length `rows`.
pub(super) fn from_columns(rows: usize, columns: &[Vec<Expr>]) -> Matrix {
    Matrix::new(rows, columns.len(), |i, j| columns[j][i].clone())
}

/// One matrix above another.
pub(super) fn stacked(top: &Matrix, bottom: &Matrix) -> Matrix {
    let cols = top.cols().max(bottom.cols());
    Matrix::new(top.rows() + bottom.rows(), cols, |i, j| {
        if i < top.rows() {
            top[(i, j)].clone()
        } else {
            bottom[(i - top.rows(), j)].clone()
        }
    })
}

/// The skew matrix with these entries above the diagonal.
pub(super) fn skew(n: usize, mut above: impl FnMut(usize, usize) -> Expr) -> Matrix {
    let mut m = Matrix::zeros(n, n);
    for i in 0..n {
        for j in i + 1..n {
            let value = above(i, j);
            m[(j, i)] = -&value;
            m[(i, j)] = value;
        }
    }
    m
}

pub(super) fn values(symbols: &[Symbol]) -> Vec<Expr> {
    symbols.iter().map(Expr::from).collect()
}

/// Refuses Lagrangians with accelerations.
pub(super) fn first_order(system: &System, what: &'static str) -> Result<(), PhaseError> {
    match system.order() {
        1 => Ok(()),
        order => Err(PhaseError::HigherOrder { what, order }),
    }
}

/// Refuses constraints with a part free of velocities, and those that change with time: along both the
/// momenta of a frame of D have rates that no bracket gives.
pub(super) fn linear_constraints(system: &System, what: &'static str) -> Result<(), PhaseError> {
    let constraints = system.constraints();
    if !constraints.is_linear() {
        Err(PhaseError::Affine { what })
    } else if constraints.depend_on_time() {
        Err(PhaseError::TimeDependent { what })
    } else {
        Ok(())
    }
}

/// The velocities that belong to momenta: v with ∂l/∂v = P, in closed form for quadratic l.
pub(super) fn legendre_inverse(
    what: &'static str,
    momenta: &[Expr],
    velocities: &[Symbol],
    p: &[Expr],
) -> Result<Vec<Expr>, PhaseError> {
    let rows: Vec<Vec<Expr>> = momenta.iter().map(|m| m.gradient(velocities)).collect();
    let mass = Matrix::new(rows.len(), velocities.len(), |i, j| rows[i][j].clone());
    if mass.entries().iter().any(|e| e.contains_any(velocities)) {
        return Err(PhaseError::NotQuadratic { what });
    }
    let rest: Vec<_> = velocities
        .iter()
        .map(|v| (v.clone(), Expr::zero()))
        .collect();
    let shift = rattleback_symbolic::substitute_all(momenta, &rest);
    let rhs: Vec<Expr> = p.iter().zip(&shift).map(|(p, s)| p - s).collect();
    Ok(inverse(what, &mass)?.apply(&rhs))
}
