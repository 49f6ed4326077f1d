//! Columns on which constraints can be solved without dividing by anything that may vanish.

use rattleback_symbolic::{Expr, Matrix};

/// For every row a column that is zero in all other rows and whose own entry never vanishes.
pub(crate) fn diagonal_columns(a: &Matrix) -> Option<Vec<usize>> {
    (0..a.rows())
        .map(|row| {
            (0..a.cols()).find(|&j| {
                a[(row, j)].is_nonvanishing()
                    && (0..a.rows()).all(|other| other == row || a[(other, j)].is_zero())
            })
        })
        .collect()
}

/// X with A X = b: on diagonal columns where there are any, else Aᵀ(A Aᵀ)⁻¹ b, which is regular
/// wherever A has full rank.
pub(crate) fn particular_solution(
    a: &Matrix,
    b: &[Expr],
) -> Result<Vec<Expr>, rattleback_symbolic::LinearError> {
    let mut x = vec![Expr::zero(); a.cols()];
    if let Some(columns) = diagonal_columns(a) {
        for (row, &column) in columns.iter().enumerate() {
            x[column] = &b[row] / &a[(row, column)];
        }
        return Ok(x);
    }
    let transpose = a.transpose();
    let solved = rattleback_symbolic::solve(&(a * &transpose), &Matrix::column_vector(b))?;
    Ok(transpose.apply(&solved.solution.column(0)))
}
