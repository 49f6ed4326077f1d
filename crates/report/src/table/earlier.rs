//! A table that an earlier run left, to be gone on with.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::reader::Rows;
use super::{Table, TableReader, TableWriter};
use crate::error::ReportError;
use crate::hold;

/// An earlier run's table, held so that nobody else writes to it. Rows are added in place: what is there stays,
/// whatever happens to those that come.
#[derive(Debug)]
pub struct EarlierTable {
    file: File,
    path: PathBuf,
    reader: TableReader,
}

impl EarlierTable {
    /// Holds a file, and reads the head.
    pub fn open(path: &Path) -> Result<EarlierTable, ReportError> {
        Ok(EarlierTable {
            file: hold::open(path)?,
            path: path.to_owned(),
            reader: TableReader::open(path)?,
        })
    }

    /// The columns and the description.
    pub fn table(&self) -> &Table {
        self.reader.table()
    }

    /// Puts the next row into `values`; false at the end. Fails where the rows are not those that were written, at
    /// the end if not before.
    pub fn next_row(&mut self, values: &mut Vec<f64>) -> Result<bool, ReportError> {
        self.reader.next_row(values)
    }

    /// Goes on behind the last row. Fails without touching the file where its columns differ from the table's.
    pub fn go_on(mut self, table: &Table) -> Result<TableWriter, ReportError> {
        let names = |table: &Table| -> Vec<String> {
            table.columns.iter().map(|c| c.name.clone()).collect()
        };
        if names(self.table()) != names(table) {
            return Err(ReportError::Malformed {
                path: self.path,
                what: "its columns are not those of this run".to_owned(),
            });
        }
        // Rows that nobody asked for are checked all the same.
        let mut row = Vec::new();
        while self.next_row(&mut row)? {}
        match &self.reader.rows {
            Rows::Csv(rows) => TableWriter::behind_csv(self.file, &self.path, table, rows.end()),
            #[cfg(feature = "parquet")]
            Rows::Parquet(rows) => {
                TableWriter::behind_parquet(self.file, &self.path, table, &rows.end())
            }
        }
    }
}
