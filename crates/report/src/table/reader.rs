//! A table file that is being read, in whichever format.

use std::path::Path;

use super::csv_reader::CsvReader;
#[cfg(feature = "parquet")]
use super::parquet_reader::ParquetReader;
use super::{Format, Table};
use crate::error::ReportError;

/// Reads a table of this program row by row.
pub struct TableReader {
    table: Table,
    pub(super) rows: Rows,
}

pub(super) enum Rows {
    Csv(CsvReader),
    #[cfg(feature = "parquet")]
    Parquet(ParquetReader),
}

impl TableReader {
    /// Opens a file in the format that its name asks for, and reads the head.
    pub fn open(path: &Path) -> Result<TableReader, ReportError> {
        let (rows, table) = match Format::of_path(path)? {
            Format::Csv => CsvReader::open(path).map(|(rows, table)| (Rows::Csv(rows), table))?,
            #[cfg(feature = "parquet")]
            Format::Parquet => {
                ParquetReader::open(path).map(|(rows, table)| (Rows::Parquet(rows), table))?
            }
        };
        Ok(TableReader { table, rows })
    }

    /// The columns and the description.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Puts the next row into `values`; false at the end.
    pub fn next_row(&mut self, values: &mut Vec<f64>) -> Result<bool, ReportError> {
        match &mut self.rows {
            Rows::Csv(rows) => rows.next_row(values),
            #[cfg(feature = "parquet")]
            Rows::Parquet(rows) => rows.next_row(values),
        }
    }

    /// All rows that are left, for files that are known to be small.
    pub fn rows(&mut self) -> Result<Vec<Vec<f64>>, ReportError> {
        let mut rows = Vec::new();
        let mut row = Vec::new();
        while self.next_row(&mut row)? {
            rows.push(row.clone());
        }
        Ok(rows)
    }

    /// What is left of each column, by name, for files that are known to be small.
    pub fn columns(&mut self) -> Result<Vec<(String, Vec<f64>)>, ReportError> {
        let names = self.table.columns.iter().map(|c| c.name.clone());
        let mut all: Vec<(String, Vec<f64>)> = names.map(|n| (n, Vec::new())).collect();
        let mut row = Vec::new();
        while self.next_row(&mut row)? {
            for ((_, column), x) in all.iter_mut().zip(&row) {
                column.push(*x);
            }
        }
        Ok(all)
    }
}

impl std::fmt::Debug for TableReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableReader")
            .field("table", &self.table)
            .finish_non_exhaustive()
    }
}
