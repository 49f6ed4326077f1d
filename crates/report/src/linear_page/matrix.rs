//! Matrices with the names of their rows and columns.

use crate::document::{Block, Cell, Name, Tabular};
use crate::number::shown;
use crate::symbolic::{Expr, Style, text};
use rattleback_numeric::Dense;

/// A matrix with longer entries is shown by its values.
const LONGEST: usize = 24;

/// By formulas where all of them are short, else by numbers; nothing where there are no entries.
pub(super) fn by_formulas(
    rows: &[String],
    columns: &[String],
    numbers: &[Vec<f64>],
    exact: Option<&Vec<Vec<Expr>>>,
) -> Option<Block> {
    let is_short = |e: &Expr| text(e, &Style::unicode()).chars().count() <= LONGEST;
    match exact.filter(|exact| exact.iter().flatten().all(is_short)) {
        None => by_numbers(rows, columns, numbers),
        Some(exact) => {
            let cells = exact
                .iter()
                .map(|row| row.iter().cloned().map(Cell::Formula));
            named(rows, columns, cells.map(Iterator::collect))
        }
    }
}

/// By numbers, each beside the largest.
pub(super) fn by_numbers(
    rows: &[String],
    columns: &[String],
    numbers: &[Vec<f64>],
) -> Option<Block> {
    let all = numbers.iter().flatten();
    let scale = all.fold(0.0, |m: f64, v| m.max(v.abs()));
    let cell = |x: &f64| Cell::Words(shown(*x, scale));
    let cells = numbers.iter().map(|row| row.iter().map(cell).collect());
    named(rows, columns, cells)
}

fn named(
    rows: &[String],
    columns: &[String],
    cells: impl Iterator<Item = Vec<Cell>>,
) -> Option<Block> {
    let name = |n: &String| Name::Plain(n.clone());
    let corner = Name::Words(String::new());
    let table = Tabular {
        head: std::iter::once(corner)
            .chain(columns.iter().map(name))
            .collect(),
        rows: rows.iter().map(name).zip(cells).collect(),
        wide: false,
    };
    (!rows.is_empty() && !columns.is_empty()).then_some(Block::Table(table))
}

/// The rows of a matrix.
pub(super) fn of_dense(matrix: &Dense) -> Vec<Vec<f64>> {
    let row = |i: usize| (0..matrix.columns()).map(|j| matrix[(i, j)]).collect();
    (0..matrix.rows()).map(row).collect()
}
