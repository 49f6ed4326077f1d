//! Parquet files read one group of rows at a time.

use std::fs::File;
use std::path::{Path, PathBuf};

use parquet::column::reader::ColumnReader;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};

use super::Table;
use super::describe::{column_of_line, described_columns};
use super::parquet_writer::{COLUMNS, PREFIX};
use crate::column::Column;
use crate::error::ReportError;
use crate::file::open;
use crate::metadata::Metadata;

/// Reads rows, holding one group of them.
pub(super) struct ParquetReader {
    file: SerializedFileReader<File>,
    path: PathBuf,
    /// The group at hand, by column.
    columns: Vec<Vec<f64>>,
    next_group: usize,
    next_row: usize,
}

impl ParquetReader {
    pub fn open(path: &Path) -> Result<(ParquetReader, Table), ReportError> {
        let file = SerializedFileReader::new(open(path)?).map_err(|e| malformed(path, &e))?;
        let head = file.metadata().file_metadata();
        let mut metadata = Metadata::new();
        let mut described: Vec<Column> = Vec::new();
        for pair in head.key_value_metadata().into_iter().flatten() {
            let Some(key) = pair.key.strip_prefix(PREFIX) else {
                continue;
            };
            let text = pair.value.as_deref().unwrap_or_default();
            match key {
                COLUMNS => described = text.lines().filter_map(column_of_line).collect(),
                _ => metadata.set(key, text),
            }
        }
        let schema = head.schema_descr();
        let names = schema.columns().iter().map(|column| column.name());
        let table = Table {
            columns: described_columns(names, &described),
            metadata,
        };
        let reader = ParquetReader {
            path: path.to_owned(),
            columns: vec![Vec::new(); table.columns.len()],
            next_group: 0,
            next_row: 0,
            file,
        };
        Ok((reader, table))
    }

    /// Puts the next row into `values`; false at the end.
    pub fn next_row(&mut self, values: &mut Vec<f64>) -> Result<bool, ReportError> {
        while self
            .columns
            .first()
            .is_none_or(|c| c.len() <= self.next_row)
        {
            if self.next_group >= self.file.num_row_groups() {
                return Ok(false);
            }
            self.read_group()?;
        }
        values.clear();
        let row = self.next_row;
        values.extend(self.columns.iter().filter_map(|column| column.get(row)));
        self.next_row += 1;
        Ok(true)
    }

    fn read_group(&mut self) -> Result<(), ReportError> {
        let fail = |e: ParquetError| malformed(&self.path, &e);
        let group = self.file.get_row_group(self.next_group).map_err(fail)?;
        let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        for (place, column) in self.columns.iter_mut().enumerate() {
            column.clear();
            let reader = group.get_column_reader(place).map_err(fail)?;
            read_column(reader, rows, column).map_err(fail)?;
            if column.len() != rows {
                return Err(malformed(
                    &self.path,
                    &"a column is shorter than the others",
                ));
            }
        }
        self.next_group += 1;
        self.next_row = 0;
        Ok(())
    }
}

fn read_column(
    reader: ColumnReader,
    rows: usize,
    values: &mut Vec<f64>,
) -> Result<(), ParquetError> {
    match reader {
        ColumnReader::DoubleColumnReader(mut reader) => {
            reader.read_records(rows, None, None, values)?;
        }
        ColumnReader::Int64ColumnReader(mut reader) => {
            let mut whole = Vec::new();
            reader.read_records(rows, None, None, &mut whole)?;
            values.extend(whole.into_iter().map(|v| v as f64));
        }
        _ => {
            let what = "a column is not of 64-bit numbers";
            return Err(ParquetError::General(what.to_owned()));
        }
    }
    Ok(())
}

fn malformed(path: &Path, what: &dyn std::fmt::Display) -> ReportError {
    ReportError::Malformed {
        path: path.to_owned(),
        what: what.to_string(),
    }
}
