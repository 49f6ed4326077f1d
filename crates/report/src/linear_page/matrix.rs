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

/// By numbers, of which rounding beside others of their row and column is 0: units may differ from row to row and from
/// column to column.
pub(super) fn by_numbers(
    rows: &[String],
    columns: &[String],
    numbers: &[Vec<f64>],
) -> Option<Block> {
    let largest = |all: &mut dyn Iterator<Item = &f64>| all.fold(0.0, |m: f64, v| m.max(v.abs()));
    let of_column = |j: usize| largest(&mut numbers.iter().filter_map(|row| row.get(j)));
    let cells = numbers.iter().map(|row| {
        let of_row = largest(&mut row.iter());
        let cell = |(j, x): (usize, &f64)| Cell::Words(shown(*x, of_row.min(of_column(j))));
        row.iter().enumerate().map(cell).collect()
    });
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
