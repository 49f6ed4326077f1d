//! Columns on which constraints can be solved without dividing by anything that may vanish.

use rattleback_symbolic::{Expr, Matrix, Role};

/// For every row a column that is zero in all other rows and whose own entry never vanishes, a constant where there is one:
/// what moves may be too small for floating point, as exp(-x^2).
pub(crate) fn diagonal_columns(a: &Matrix) -> Option<Vec<usize>> {
    (0..a.rows())
        .map(|row| {
            let alone = (0..a.cols()).filter(|&j| {
                a[(row, j)].is_nonvanishing()
                    && (0..a.rows()).all(|other| other == row || a[(other, j)].is_zero())
            });
            alone.min_by_key(|&j| !is_constant(&a[(row, j)]))
        })
        .collect()
}

/// Do only parameters occur in it?
pub(crate) fn is_constant(e: &Expr) -> bool {
    let symbols = e.free_symbols();
    symbols.iter().all(|s| s.role() == Role::Constant)
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
