//! A table file that is being written, in whichever format.

use std::fs;
use std::path::Path;

use super::csv_writer::CsvWriter;
#[cfg(feature = "parquet")]
use super::parquet_writer::ParquetWriter;
use super::{Format, Table, TableReader};
use crate::error::ReportError;
use crate::file::{beside, create, write_error};
use crate::sink::RowSink;

/// Writes a table file row by row, in memory that hardly grows with the rows.
///
/// The rows in the file are readable at any time, also when the program is killed. CSV rows reach it within
/// half a second or 64 KiB; Parquet rows in groups of a megabyte (several together where there are many), at
/// the latest after half a second or, in long runs, a sixteenth of the time since the start.
pub struct TableWriter {
    sink: Box<dyn RowSink + Send>,
}

impl TableWriter {
    /// Creates the file in the format that its name asks for, and writes the head.
    pub fn create(path: &Path, table: &Table) -> Result<TableWriter, ReportError> {
        let sink: Box<dyn RowSink + Send> = match Format::of_path(path)? {
            Format::Csv => {
                let out = create(path)?;
                let file = out.try_clone().ok();
                Box::new(CsvWriter::new(Box::new(out), file, path, table)?)
            }
            #[cfg(feature = "parquet")]
            Format::Parquet => Box::new(ParquetWriter::new(create(path)?, path, table)?),
        };
        Ok(TableWriter { sink })
    }

    /// Writes CSV to standard output.
    pub fn standard_output(table: &Table) -> Result<TableWriter, ReportError> {
        let out = Box::new(std::io::stdout());
        let sink = CsvWriter::new(out, None, Path::new("standard output"), table)?;
        Ok(TableWriter {
            sink: Box::new(sink),
        })
    }

    /// Goes on with a file that an earlier run left: its rows are copied, each shown to `kept`.
    ///
    /// The earlier file stays beside the new one as `NAME.previous` until all its rows are copied.
    /// Fails without touching the file where its columns differ from the table's.
    pub fn resume(
        path: &Path,
        table: &Table,
        mut kept: impl FnMut(&[f64]),
    ) -> Result<TableWriter, ReportError> {
        let previous = beside(path, "previous");
        let mut earlier = TableReader::open(path)?;
        if !earlier
            .table()
            .columns
            .iter()
            .map(|c| &c.name)
            .eq(table.columns.iter().map(|c| &c.name))
        {
            return Err(ReportError::Malformed {
                path: path.to_owned(),
                what: "its columns are not those of this run".to_owned(),
            });
        }
        // The open reader follows the file to its new name.
        fs::rename(path, &previous).map_err(|e| write_error(path, e))?;
        let mut writer = TableWriter::create(path, table)?;
        let mut row = Vec::new();
        while earlier.next_row(&mut row)? {
            kept(&row);
            writer.row(&row)?;
        }
        fs::remove_file(&previous).map_err(|e| write_error(&previous, e))?;
        Ok(writer)
    }
}

impl RowSink for TableWriter {
    fn row(&mut self, values: &[f64]) -> Result<(), ReportError> {
        self.sink.row(values)
    }

    fn finish(&mut self) -> Result<(), ReportError> {
        self.sink.finish()
    }
}

impl std::fmt::Debug for TableWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableWriter").finish_non_exhaustive()
    }
}
