//! Parquet files read one group of rows at a time.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::column::reader::{ColumnReader, get_column_reader};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use parquet::file::serialized_reader::SerializedPageReader;

use super::Table;
use super::describe::{column_of_line, described_columns};
use super::parquet_rescue::last_footer;
use super::parquet_writer::{COLUMNS, PREFIX};
use crate::column::Column;
use crate::error::ReportError;
use crate::file::open;
use crate::metadata::Metadata;

/// Reads rows, holding one group of them. Of a file that a killed run has torn, it reads what the last
/// whole footer describes.
pub(super) struct ParquetReader {
    file: Arc<File>,
    metadata: ParquetMetaData,
    path: PathBuf,
    /// The group at hand, by column.
    columns: Vec<Vec<f64>>,
    next_group: usize,
    next_row: usize,
}

impl ParquetReader {
    pub fn open(path: &Path) -> Result<(ParquetReader, Table), ReportError> {
        let file = open(path)?;
        let groups = ParquetMetaDataReader::new()
            .parse_and_finish(&file)
            .or_else(|e| last_footer(&file).ok_or(e))
            .map_err(|e| malformed(path, &e))?;
        let head = groups.file_metadata();
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
            file: Arc::new(file),
            metadata: groups,
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
            if self.next_group >= self.metadata.num_row_groups() {
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
        let group = self.metadata.row_group(self.next_group);
        let rows = usize::try_from(group.num_rows()).unwrap_or(0);
        for (place, column) in self.columns.iter_mut().enumerate() {
            column.clear();
            let chunk = group.column(place);
            let file = Arc::clone(&self.file);
            let pages = SerializedPageReader::new(file, chunk, rows, None).map_err(fail)?;
            let reader = get_column_reader(chunk.column_descr_ptr(), Box::new(pages));
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
