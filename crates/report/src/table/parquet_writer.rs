//! Parquet files written in groups of rows.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{Compression, Repetition, Type as Physical};
use parquet::data_type::{DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type};

use super::Table;
use super::describe::column_line;
use crate::column::ColumnKind;
use crate::error::{ReportError, check_length};
use crate::file::write_error;
use crate::sink::RowSink;

/// The key of the columns' description.
pub(super) const COLUMNS: &str = "columns";
/// What our keys begin with.
pub(super) const PREFIX: &str = "rattleback.";
/// Values that wait for a group to fill up, in all columns together.
const WAITING: usize = 1 << 20;

/// Writes one group of rows after another; closed properly when dropped.
pub(super) struct ParquetWriter {
    /// None once the file is complete or broken.
    out: Option<SerializedFileWriter<File>>,
    path: PathBuf,
    integer: Vec<bool>,
    /// The rows that wait, by column.
    waiting: Vec<Vec<f64>>,
    group: usize,
}

impl ParquetWriter {
    pub fn new(file: File, path: &Path, table: &Table) -> Result<Self, ReportError> {
        table.check_names()?;
        let fail = |e| parquet_error(path, e);
        let schema = schema(table).map_err(fail)?;
        let properties = Arc::new(properties(table));
        let out = SerializedFileWriter::new(file, Arc::new(schema), properties).map_err(fail)?;
        let columns = table.columns.len();
        Ok(ParquetWriter {
            out: Some(out),
            path: path.to_owned(),
            integer: table.columns.iter().map(|c| c.kind.is_integer()).collect(),
            waiting: vec![Vec::new(); columns],
            group: (WAITING / columns.max(1)).clamp(1 << 10, 1 << 16),
        })
    }

    fn write_group(&mut self) -> Result<(), ReportError> {
        let Some(out) = &mut self.out else {
            return Ok(());
        };
        if self.waiting.iter().all(Vec::is_empty) {
            return Ok(());
        }
        let written = write_columns(out, &self.waiting, &self.integer);
        self.waiting.iter_mut().for_each(Vec::clear);
        if written.is_err() {
            // Half a group is in the file: a footer would describe what is not there.
            self.out = None;
        }
        written.map_err(|e| parquet_error(&self.path, e))
    }
}

impl RowSink for ParquetWriter {
    fn row(&mut self, values: &[f64]) -> Result<(), ReportError> {
        check_length(values, self.waiting.len())?;
        for (column, value) in self.waiting.iter_mut().zip(values) {
            column.push(*value);
        }
        match self.waiting.first() {
            Some(first) if first.len() >= self.group => self.write_group(),
            _ => Ok(()),
        }
    }

    fn finish(&mut self) -> Result<(), ReportError> {
        self.write_group()?;
        match self.out.take() {
            Some(out) => out
                .close()
                .map(|_| ())
                .map_err(|e| parquet_error(&self.path, e)),
            None => Ok(()),
        }
    }
}

impl Drop for ParquetWriter {
    fn drop(&mut self) {
        // A run that ends early keeps its rows; there is nobody left to tell of a failure.
        let _ = self.finish();
    }
}

fn schema(table: &Table) -> Result<Type, ParquetError> {
    let mut fields = Vec::with_capacity(table.columns.len());
    for column in &table.columns {
        let physical = match column.kind.is_integer() {
            true => Physical::INT64,
            false => Physical::DOUBLE,
        };
        let field = Type::primitive_type_builder(&column.name, physical)
            .with_repetition(Repetition::REQUIRED)
            .build()?;
        fields.push(Arc::new(field));
    }
    Type::group_type_builder("motion")
        .with_fields(fields)
        .build()
}

/// Numbers along a motion hardly repeat: dictionaries pay only for what ensembles vary.
fn properties(table: &Table) -> WriterProperties {
    let lines: Vec<String> = table.columns.iter().map(column_line).collect();
    let mut pairs: Vec<KeyValue> = table
        .metadata
        .iter()
        .map(|(key, text)| KeyValue::new(format!("{PREFIX}{key}"), text.to_owned()))
        .collect();
    pairs.push(KeyValue::new(
        format!("{PREFIX}{COLUMNS}"),
        lines.join("\n"),
    ));
    let mut builder = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_dictionary_enabled(false)
        .set_created_by(concat!("rattleback version ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata(Some(pairs));
    for column in table.columns.iter().filter(|c| c.kind == ColumnKind::Given) {
        let path = ColumnPath::new(vec![column.name.clone()]);
        builder = builder.set_column_dictionary_enabled(path, true);
    }
    builder.build()
}

fn write_columns(
    out: &mut SerializedFileWriter<File>,
    columns: &[Vec<f64>],
    integer: &[bool],
) -> Result<(), ParquetError> {
    let mut group = out.next_row_group()?;
    for (values, integer) in columns.iter().zip(integer) {
        let Some(mut column) = group.next_column()? else {
            break;
        };
        if *integer {
            let values: Vec<i64> = values.iter().map(|v| *v as i64).collect();
            column
                .typed::<Int64Type>()
                .write_batch(&values, None, None)?;
        } else {
            column
                .typed::<DoubleType>()
                .write_batch(values, None, None)?;
        }
        column.close()?;
    }
    group.close()?;
    Ok(())
}

fn parquet_error(path: &Path, error: ParquetError) -> ReportError {
    let source = match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(io) => *io,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    };
    write_error(path, source)
}
