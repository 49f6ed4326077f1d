//! A table file that is being written, in whichever format.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use super::csv_reader::CsvEnd;
use super::csv_writer::CsvWriter;
#[cfg(feature = "parquet")]
use super::parquet_reader::ParquetEnd;
#[cfg(feature = "parquet")]
use super::parquet_writer::ParquetWriter;
use super::{Format, Table};
use crate::error::ReportError;
use crate::hold::create;
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
    /// Creates the file in the format that its name asks for, and writes the head. It is this writer's alone until
    /// that is dropped: a second one is refused, and the file left as it is.
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

    /// Writes CSV to what a host has open; messages call it `name`.
    pub fn csv(
        out: impl Write + Send + 'static,
        name: &str,
        table: &Table,
    ) -> Result<TableWriter, ReportError> {
        let sink = CsvWriter::new(Box::new(out), None, Path::new(name), table)?;
        Ok(TableWriter {
            sink: Box::new(sink),
        })
    }

    /// Goes on behind the rows of a CSV file.
    pub(super) fn behind_csv(
        file: File,
        path: &Path,
        table: &Table,
        end: CsvEnd,
    ) -> Result<TableWriter, ReportError> {
        let sink = CsvWriter::go_on(file, path, table, end)?;
        Ok(TableWriter {
            sink: Box::new(sink),
        })
    }

    /// Goes on behind the groups of a Parquet file.
    #[cfg(feature = "parquet")]
    pub(super) fn behind_parquet(
        file: File,
        path: &Path,
        table: &Table,
        end: &ParquetEnd<'_>,
    ) -> Result<TableWriter, ReportError> {
        let sink = ParquetWriter::go_on(file, path, table, end)?;
        Ok(TableWriter {
            sink: Box::new(sink),
        })
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
