//! Parquet files written in groups of rows, readable after every group.
//!
//! Readers find the groups through the footer at the end of the file, so each group is followed by a
//! footer of all groups so far. The next group comes behind it: bytes that no footer mentions are
//! skipped by every reader, and the footer before the last one stays whole until the last one is.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parquet::basic::{Compression, Repetition, Type as Physical};
use parquet::data_type::{DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::{FileMetaData, KeyValue, ParquetMetaData, ParquetMetaDataWriter};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, SchemaDescriptor, Type};

use super::Table;
use super::describe::column_line;
use super::parquet_reader::ParquetReader;
use crate::column::ColumnKind;
use crate::error::{ReportError, check_length};
use crate::file::{beside, create, is_special, write_error};
use crate::sink::RowSink;

/// The key of the columns' description.
pub(super) const COLUMNS: &str = "columns";
/// What our keys begin with.
pub(super) const PREFIX: &str = "rattleback.";
/// Values that wait for a group to fill up, in all columns together: two megabytes.
const WAITING: usize = 1 << 18;
/// Rows by which groups grow from one to the next in a long table. A footer has some 80 bytes for each column of
/// each group: so all of them together stay below a tenth of the file, and memory grows with the root of the rows.
const GROWTH: usize = 200;
/// The longest that a row waits while rows keep coming, at first.
const PATIENCE: Duration = Duration::from_millis(500);
/// Later, the part of the time since the start that a row may wait: few rows a second make few groups.
const PATIENCE_SHARE: u32 = 16;
/// A file in which former footers are more than this part is written anew in the end.
const DEAD_SHARE: u64 = 8;

/// Writes one group of rows after another; what waits is written when dropped.
pub(super) struct ParquetWriter {
    /// None once the file is complete or broken.
    out: Option<SerializedFileWriter<Spool>>,
    path: PathBuf,
    integer: Vec<bool>,
    /// The rows that wait, by column.
    waiting: Vec<Vec<f64>>,
    /// The rows of the smallest full group.
    least: usize,
    begun: Instant,
    handed_on: Instant,
    footers: Footers,
    table: Table,
}

/// When footers are written.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Footers {
    /// Behind every group; these bytes are dead, and the last one has that many.
    Always { dead: u64, last: u64 },
    /// At the end: nobody could read the file before.
    Once,
}

/// What waits to be handed on in one piece: whoever kills the program hardly meets half a group.
struct Spool {
    file: File,
    buffer: Vec<u8>,
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    /// Does nothing: the writer of a column flushes when it is done, which is too early.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Spool {
    fn hand_on(&mut self) -> io::Result<()> {
        let written = self.file.write_all(&self.buffer);
        self.buffer.clear();
        written
    }
}

/// Hands on all that has been written.
fn hand_on(out: &mut SerializedFileWriter<Spool>) -> io::Result<()> {
    out.flush()?;
    out.inner_mut().hand_on()
}

impl ParquetWriter {
    /// Writes the head at once, so that a path that cannot be written is known before any work.
    pub fn new(file: File, path: &Path, table: &Table) -> Result<Self, ReportError> {
        let lasting = file.metadata().is_ok_and(|meta| meta.is_file());
        let footers = match lasting {
            true => Footers::Always { dead: 0, last: 0 },
            false => Footers::Once,
        };
        let mut writer = Self::with_footers(file, path, table, footers)?;
        if lasting {
            writer.write_empty()?;
        }
        Ok(writer)
    }

    fn with_footers(
        file: File,
        path: &Path,
        table: &Table,
        footers: Footers,
    ) -> Result<Self, ReportError> {
        table.check_names()?;
        let fail = |e| parquet_error(path, e);
        let schema = schema(table).map_err(fail)?;
        let properties = Arc::new(properties(table));
        let spool = Spool {
            file,
            buffer: Vec::new(),
        };
        let out = SerializedFileWriter::new(spool, Arc::new(schema), properties).map_err(fail)?;
        let columns = table.columns.len();
        Ok(ParquetWriter {
            out: Some(out),
            path: path.to_owned(),
            integer: table.columns.iter().map(|c| c.kind.is_integer()).collect(),
            waiting: vec![Vec::new(); columns],
            least: (WAITING / columns.max(1)).clamp(1 << 8, 1 << 16),
            begun: Instant::now(),
            handed_on: Instant::now(),
            footers,
            table: table.clone(),
        })
    }

    /// A table without rows, to be overwritten: there is nothing to lose in it.
    fn write_empty(&mut self) -> Result<(), ReportError> {
        let Some(out) = &mut self.out else {
            return Ok(());
        };
        let mut write = || {
            hand_on(out)?;
            let footer = footer(out)?;
            let file = &mut out.inner_mut().file;
            let place = file.stream_position()?;
            file.write_all(&footer)?;
            file.seek(SeekFrom::Start(place))?;
            Ok(())
        };
        write().map_err(|e| parquet_error(&self.path, e))
    }

    /// Writes what waits as a group, and a footer where there is one behind each.
    fn write_group(&mut self) -> Result<(), ReportError> {
        self.handed_on = Instant::now();
        let Some(out) = &mut self.out else {
            return Ok(());
        };
        if self.waiting.iter().all(Vec::is_empty) {
            return Ok(());
        }
        let mut written = write_columns(out, &self.waiting, &self.integer);
        self.waiting.iter_mut().for_each(Vec::clear);
        if let Footers::Always { dead, last } = &mut self.footers {
            let footed = written.and_then(|()| write_footer(out));
            *dead += *last;
            written = footed.map(|length| *last = length);
        } else {
            written = written.and_then(|()| Ok(hand_on(out)?));
        }
        if written.is_err() {
            // Half a group is in the file: a footer would describe what is not there.
            self.out = None;
        }
        written.map_err(|e| parquet_error(&self.path, e))
    }

    /// Is it time for the next group?
    fn is_due(&self) -> bool {
        let groups = self
            .out
            .as_ref()
            .map_or(0, |out| out.flushed_row_groups().len());
        let rows = self.waiting.first().map_or(0, Vec::len);
        if rows >= self.least.max(GROWTH * groups) {
            return true;
        }
        self.footers != Footers::Once
            && self.handed_on.elapsed() >= PATIENCE.max(self.begun.elapsed() / PATIENCE_SHARE)
    }

    /// Leaves out the former footers, where they weigh: the file is copied and replaced in one step.
    fn compact(&self, length: u64) -> Result<(), ReportError> {
        let Footers::Always { dead, .. } = self.footers else {
            return Ok(());
        };
        if dead * DEAD_SHARE <= length || is_special(&self.path) {
            return Ok(());
        }
        let part = beside(&self.path, "part");
        let copied = copy(&self.path, &part, &self.table)
            .and_then(|()| fs::rename(&part, &self.path).map_err(|e| write_error(&self.path, e)));
        if copied.is_err() {
            let _ = fs::remove_file(&part);
        }
        copied
    }
}

impl RowSink for ParquetWriter {
    fn row(&mut self, values: &[f64]) -> Result<(), ReportError> {
        check_length(values, self.waiting.len())?;
        for (column, value) in self.waiting.iter_mut().zip(values) {
            column.push(*value);
        }
        if self.is_due() {
            self.write_group()?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), ReportError> {
        self.write_group()?;
        let Some(mut out) = self.out.take() else {
            return Ok(());
        };
        let length = out.bytes_written() as u64;
        if self.footers == Footers::Once {
            let written = write_footer(&mut out);
            written.map_err(|e| parquet_error(&self.path, e))?;
        }
        drop(out);
        // The file is complete as it is, if there is no room for a smaller one beside it.
        let _ = self.compact(length);
        Ok(())
    }
}

impl Drop for ParquetWriter {
    fn drop(&mut self) {
        // A run that ends early keeps its rows; there is nobody left to tell of a failure.
        let _ = self.finish();
    }
}

/// Copies a table that is complete.
fn copy(from: &Path, to: &Path, table: &Table) -> Result<(), ReportError> {
    let (mut rows, _) = ParquetReader::open(from)?;
    let mut writer = ParquetWriter::with_footers(create(to)?, to, table, Footers::Once)?;
    let mut row = Vec::new();
    while rows.next_row(&mut row)? {
        writer.row(&row)?;
    }
    writer.finish()
}

/// A footer of all groups so far.
fn footer(out: &SerializedFileWriter<Spool>) -> Result<Vec<u8>, ParquetError> {
    let (groups, properties) = (out.flushed_row_groups(), out.properties());
    let file = FileMetaData::new(
        properties.writer_version().as_num(),
        groups.iter().map(|group| group.num_rows()).sum(),
        Some(properties.created_by().to_owned()),
        properties.key_value_metadata().cloned(),
        Arc::new(SchemaDescriptor::new(out.schema_descr().root_schema_ptr())),
        None,
    );
    let metadata = ParquetMetaData::new(file, groups.to_vec());
    let mut bytes = Vec::new();
    ParquetMetaDataWriter::new(&mut bytes, &metadata).finish()?;
    Ok(bytes)
}

/// Writes a footer and hands everything on; returns its length.
fn write_footer(out: &mut SerializedFileWriter<Spool>) -> Result<u64, ParquetError> {
    let footer = footer(out)?;
    out.write_all(&footer)?;
    hand_on(out)?;
    Ok(footer.len() as u64)
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
        // An index of pages stands before the footer: one for each footer would be too much.
        .set_offset_index_disabled(true)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_created_by(concat!("rattleback version ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata(Some(pairs));
    for column in table.columns.iter().filter(|c| c.kind == ColumnKind::Given) {
        let path = ColumnPath::new(vec![column.name.clone()]);
        builder = builder.set_column_dictionary_enabled(path, true);
    }
    builder.build()
}

fn write_columns(
    out: &mut SerializedFileWriter<Spool>,
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
