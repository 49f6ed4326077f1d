//! Tables: columns, what they say about themselves, and the files that hold them.

mod csv_reader;
mod csv_seal;
mod csv_writer;
mod describe;
mod earlier;
#[cfg(feature = "parquet")]
mod parquet_footer;
#[cfg(feature = "parquet")]
mod parquet_reader;
#[cfg(feature = "parquet")]
mod parquet_rescue;
#[cfg(feature = "parquet")]
mod parquet_spool;
#[cfg(feature = "parquet")]
mod parquet_writer;
mod reader;
mod writer;

use std::path::Path;

pub use earlier::EarlierTable;
pub use reader::TableReader;
pub use writer::TableWriter;

use crate::column::{Column, ColumnKind, told_apart};
use crate::error::ReportError;
use crate::metadata::Metadata;

/// The head of a table: its columns, and what it says about itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// The model's text, parameters, method, tolerance, version.
    pub metadata: Metadata,
}

impl Table {
    /// A table with these columns. Where the model uses a name of the program, the program's column
    /// becomes `rattleback.NAME`.
    pub fn new(columns: Vec<Column>) -> Table {
        Table {
            columns: told_apart(columns),
            metadata: Metadata::new(),
        }
    }

    /// The table with this description.
    #[must_use]
    pub fn described(mut self, metadata: Metadata) -> Table {
        self.metadata = metadata;
        self
    }

    /// The place of the column with this name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// The place of the time.
    pub fn time(&self) -> Option<usize> {
        self.columns
            .iter()
            .position(|column| column.kind == ColumnKind::Time)
    }

    /// Refuses two columns of one name.
    pub(crate) fn check_names(&self) -> Result<(), ReportError> {
        for (place, column) in self.columns.iter().enumerate() {
            if self.find(&column.name) != Some(place) {
                return Err(ReportError::DuplicateColumn(column.name.clone()));
            }
        }
        Ok(())
    }
}

/// The format of a table file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Comma-separated values, described in comment lines.
    Csv,
    /// Apache Parquet, described in key-value pairs.
    #[cfg(feature = "parquet")]
    Parquet,
}

impl Format {
    /// The endings of file names that are known.
    pub const ENDINGS: &'static str = if cfg!(feature = "parquet") {
        "`.csv` or `.parquet`"
    } else {
        "`.csv`"
    };

    /// The format that a file's name asks for.
    pub fn of_path(path: &Path) -> Result<Format, ReportError> {
        let ending = path
            .extension()
            .and_then(|e| e.to_str())
            .unwrap_or_default();
        match ending.to_ascii_lowercase().as_str() {
            "csv" => Ok(Format::Csv),
            #[cfg(feature = "parquet")]
            "parquet" => Ok(Format::Parquet),
            _ => Err(ReportError::UnknownFormat {
                path: path.to_owned(),
                expected: Format::ENDINGS,
            }),
        }
    }
}
