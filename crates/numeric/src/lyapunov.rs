//! Lyapunov equations, continuous and discrete, by Schur forms (Bartels & Stewart).

use crate::dense::Dense;
use crate::scaled::solve_scaled;
use crate::schur::{Schur, SchurError};

/// Why an equation has no single solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LyapunovError {
    /// The matrix has no Schur form.
    #[error(transparent)]
    Schur(#[from] SchurError),
    /// Two eigenvalues λ, μ of A have λ + μ = 0 (continuous) or λμ = 1 (discrete).
    #[error("two eigenvalues cancel each other: the equation has no solution, or many")]
    Singular,
}

/// X with A X + X Aᵀ + Q = 0.
///
/// ```
/// use rattleback_numeric::{Dense, lyapunov};
/// let x = lyapunov(&Dense::of_rows(1, 1, &[-2.0]), &Dense::identity(1))?;
/// assert!((x[(0, 0)] - 0.25).abs() < 1e-15);
/// # Ok::<(), rattleback_numeric::LyapunovError>(())
/// ```
pub fn lyapunov(a: &Dense, q: &Dense) -> Result<Dense, LyapunovError> {
    solve(
        a,
        q,
        &Equation {
            own: |t, s, y| &(t * y) + &(y * &s.transposed()),
            known: |t, y, i, j| {
                let n = t.rows();
                let left: f64 = (0..n).map(|p| t[(i, p)] * y[(p, j)]).sum();
                let right: f64 = (0..n).map(|p| y[(i, p)] * t[(j, p)]).sum();
                left + right
            },
        },
    )
}

/// X with A X Aᵀ − X + Q = 0 (Stein's equation).
///
/// ```
/// use rattleback_numeric::{Dense, stein};
/// let x = stein(&Dense::of_rows(1, 1, &[0.5]), &Dense::identity(1))?;
/// assert!((x[(0, 0)] - 4.0 / 3.0).abs() < 1e-15);
/// # Ok::<(), rattleback_numeric::LyapunovError>(())
/// ```
pub fn stein(a: &Dense, q: &Dense) -> Result<Dense, LyapunovError> {
    solve(
        a,
        q,
        &Equation {
            own: |t, s, y| &(&(t * y) * &s.transposed()) - y,
            known: |t, y, i, j| {
                let n = t.rows();
                let inner = |p| (0..n).map(|r| y[(p, r)] * t[(j, r)]).sum::<f64>();
                (0..n).map(|p| t[(i, p)] * inner(p)).sum()
            },
        },
    )
}

/// A linear map of Y, for triangular T.
struct Equation {
    /// Its part from one block of Y alone, with the two diagonal blocks of T that meet there.
    own: fn(&Dense, &Dense, &Dense) -> Dense,
    /// Its entry (i, j) from the blocks of Y that are known; the others are 0.
    known: fn(&Dense, &Dense, usize, usize) -> f64,
}

/// Solves the equation for Y = Uᵀ X U and F = Uᵀ Q U block by block from the lower right: each one holds only blocks
/// that are known, and its own.
fn solve(a: &Dense, q: &Dense, equation: &Equation) -> Result<Dense, LyapunovError> {
    let schur = Schur::of(a)?;
    let Schur { t, u } = &schur;
    let n = a.rows();
    let f = &(&u.transposed() * q) * u;
    let mut y = Dense::zeros(n, n);
    let blocks = schur.blocks();
    for &(i, rows) in blocks.iter().rev() {
        for &(j, columns) in blocks.iter().rev() {
            let target = Dense::new(rows, columns, |k, l| {
                -f[(i + k, j + l)] - (equation.known)(t, &y, i + k, j + l)
            });
            let diagonal = [t.part((i, i), rows, rows), t.part((j, j), columns, columns)];
            let own = one_block(equation, &diagonal, &target)?;
            for k in 0..rows {
                (0..columns).for_each(|l| y[(i + k, j + l)] = own[(k, l)]);
            }
        }
    }
    Ok((&(u * &y) * &u.transposed()).symmetrised_if(q))
}

/// A linear system of at most four equations.
fn one_block(
    equation: &Equation,
    [t, s]: &[Dense; 2],
    target: &Dense,
) -> Result<Dense, LyapunovError> {
    let (rows, columns) = (target.rows(), target.columns());
    let size = rows * columns;
    let mut matrix = vec![0.0; size * size];
    for k in 0..size {
        let unit = Dense::new(
            rows,
            columns,
            |i, j| {
                if i * columns + j == k { 1.0 } else { 0.0 }
            },
        );
        for (i, entry) in (equation.own)(t, s, &unit).entries().iter().enumerate() {
            matrix[i * size + k] = *entry;
        }
    }
    let mut x = target.entries().to_vec();
    solve_scaled(&mut matrix, &mut x).map_err(|_| LyapunovError::Singular)?;
    Ok(Dense::of_rows(rows, columns, &x))
}

impl Dense {
    /// Symmetric where the given matrix is.
    fn symmetrised_if(self, like: &Dense) -> Dense {
        match *like == like.transposed() {
            true => self.symmetrised(),
            false => self,
        }
    }
}
