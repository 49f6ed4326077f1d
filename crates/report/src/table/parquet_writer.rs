//! Parquet files written in groups of rows, readable after every group.
//!
//! Readers find the groups through the footer at the end of the file, so each group is followed by a
//! footer of all groups so far. The next group comes behind it: bytes that no footer mentions are
//! skipped by every reader, and the footer before the last one stays whole until the last one is. Where
//! footers have become long, the next one is written some way ahead, and groups fill the gap before it: the
//! file ends with a footer all the while. Memory does not grow with the rows.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parquet::basic::{Compression, Repetition, Type as Physical};
use parquet::data_type::{DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, RowGroupMetaDataPtr};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedRowGroupWriter, TrackedWrite};
use parquet::schema::types::{ColumnPath, SchemaDescPtr, SchemaDescriptor, Type};

use super::Table;
use super::describe::column_line;
use super::parquet_footer::{Footer, MAGIC, NO_DIGITS, SEAL};
use super::parquet_reader::{ParquetEnd, ParquetReader};
use super::parquet_spool::{Spool, skip};
use crate::checksum::Checksum;
use crate::column::ColumnKind;
use crate::error::{ReportError, check_length};
use crate::file::{beside, create, is_special, write_error};
use crate::sink::RowSink;

/// The key of the columns' description.
pub(super) const COLUMNS: &str = "columns";
/// The key of the checksum.
pub(super) const CHECKSUM: &str = "checksum";
/// What our keys begin with.
pub(super) const PREFIX: &str = "rattleback.";
/// The values of a group, in all columns together: one megabyte.
const GROUP: usize = 1 << 17;
/// Bytes of groups before the next footer, for each byte of it: all of them together stay below this part of
/// the file, but for those that are written because rows have waited long.
const FOOTERS_APART: u64 = 16;
/// The most bytes that a number takes: with its place in a dictionary, and what a vain compression adds.
const LARGEST_VALUE: usize = 12;
/// The most bytes that the heads of pages take in each column.
const PAGES: usize = 1 << 10;
/// Longer footers are written in parts.
const LONG_FOOTER: u64 = 1 << 18;
/// The longest that a row waits while rows keep coming, at first.
const PATIENCE: Duration = Duration::from_millis(500);
/// Later, the part of the time since the start that a row may wait: few rows a second make few groups.
const PATIENCE_SHARE: u32 = 16;
/// A file in which former footers are more than this part is written anew in the end.
const DEAD_SHARE: u64 = 8;

/// Writes one group of rows after another; what waits is written when dropped.
pub(super) struct ParquetWriter {
    /// None once the file is complete or broken.
    out: Option<TrackedWrite<Spool>>,
    file: File,
    /// Where the file ends, with a footer that is to stay; and up to where there is room for groups before one.
    end: u64,
    room: u64,
    path: PathBuf,
    integer: Vec<bool>,
    /// The rows that wait, by column.
    waiting: Vec<Vec<f64>>,
    /// The rows of a full group.
    full: usize,
    begun: Instant,
    handed_on: Instant,
    schema: SchemaDescPtr,
    properties: Arc<WriterProperties>,
    footer: Footer,
    footers: Footers,
    table: Table,
}

/// When footers are written.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Footers {
    /// Behind all that is handed on; these bytes are dead, and the last one has that many.
    Always { dead: u64, last: u64 },
    /// At the end: nobody could read the file before.
    Once,
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

    /// Goes on behind the groups of a file: what is there stays as it is until a footer of more groups is.
    pub fn go_on(
        file: File,
        path: &Path,
        table: &Table,
        end: &ParquetEnd<'_>,
    ) -> Result<Self, ReportError> {
        let fail = |e| parquet_error(path, e);
        let groups = end.metadata.row_groups();
        let data: u64 = groups.iter().map(|g| g.compressed_size() as u64).sum();
        let footers = Footers::Always {
            dead: end.length.saturating_sub(data),
            last: 0,
        };
        let mut out = TrackedWrite::new(Spool::default());
        skip(&mut out, end.length).map_err(|e| write_error(path, e))?;
        let mut writer = Self::behind(file, path, table, footers, out)?;
        for group in groups {
            writer.footer.add(group).map_err(fail)?;
        }
        if !end.is_torn {
            writer.footer.is_written();
        }
        Ok(writer)
    }

    fn with_footers(
        mut file: File,
        path: &Path,
        table: &Table,
        footers: Footers,
    ) -> Result<Self, ReportError> {
        let mut out = TrackedWrite::new(Spool::default());
        file.write_all(MAGIC)
            .and_then(|()| skip(&mut out, MAGIC.len() as u64))
            .map_err(|e| write_error(path, e))?;
        Self::behind(file, path, table, footers, out)
    }

    /// Goes on where `out` is.
    fn behind(
        file: File,
        path: &Path,
        table: &Table,
        footers: Footers,
        out: TrackedWrite<Spool>,
    ) -> Result<Self, ReportError> {
        table.check_names()?;
        let fail = |e| parquet_error(path, e);
        let schema = Arc::new(SchemaDescriptor::new(Arc::new(
            schema(table).map_err(fail)?,
        )));
        let properties = Arc::new(properties(table));
        let settled = match footers {
            Footers::Always { .. } => File::open(path).ok(),
            Footers::Once => None,
        };
        let columns = table.columns.len();
        let full = (GROUP / columns.max(1)).clamp(1 << 8, 1 << 16);
        Ok(ParquetWriter {
            end: out.bytes_written() as u64,
            out: Some(out),
            file,
            room: 0,
            path: path.to_owned(),
            integer: table.columns.iter().map(|c| c.kind.is_integer()).collect(),
            waiting: (0..columns).map(|_| Vec::with_capacity(full)).collect(),
            full,
            begun: Instant::now(),
            handed_on: Instant::now(),
            footer: Footer::new(Arc::clone(&schema), Arc::clone(&properties), settled)
                .map_err(fail)?,
            schema,
            properties,
            footers,
            table: table.clone(),
        })
    }

    /// A table without rows, to be overwritten: there is nothing to lose in it.
    fn write_empty(&mut self) -> Result<(), ReportError> {
        let mut write = || {
            self.footer.write(self.end, &mut self.file)?;
            Ok(self.file.seek(SeekFrom::Start(self.end)).map(drop)?)
        };
        write().map_err(|e| parquet_error(&self.path, e))
    }

    /// Writes what waits as a group, and a footer where one is due.
    fn write_group(&mut self, is_end: bool) -> Result<(), ReportError> {
        let is_due = is_end || self.is_late();
        let Some(mut out) = self.out.take() else {
            return Ok(());
        };
        let written = match self.footers {
            Footers::Always { .. } => self.write_visibly(&mut out, is_due),
            Footers::Once if self.waiting.iter().all(Vec::is_empty) => Ok(()),
            Footers::Once => self.encode_group(&mut out).and_then(|group| {
                self.file.write_all(&out.inner().buffer)?;
                self.footer.add(&group)
            }),
        };
        match written {
            Ok(()) => {
                self.out = Some(out);
                Ok(())
            }
            // Half a group is in the file: a footer would describe what is not there.
            Err(error) => {
                if self.footers != Footers::Once {
                    // The failure to write is told; what is left to try cannot make it worse.
                    let _ = self.cut_back();
                }
                Err(parquet_error(&self.path, error))
            }
        }
    }

    /// Leaves the file as it was with its last footer, after a disk has filled up.
    fn cut_back(&mut self) -> Result<(), ParquetError> {
        self.file.set_len(self.end)?;
        if self.end == MAGIC.len() as u64 {
            self.file.seek(SeekFrom::Start(self.end))?;
            self.footer.write(self.end, &mut self.file)?;
        }
        Ok(())
    }

    /// Writes a group so that the file always ends with a footer.
    fn write_visibly(
        &mut self,
        out: &mut TrackedWrite<Spool>,
        is_due: bool,
    ) -> Result<(), ParquetError> {
        let mut is_due = is_due;
        if self.waiting.iter().any(|column| !column.is_empty()) {
            self.make_room(out)?;
            let place = out.bytes_written() as u64;
            let group = self.encode_group(out)?;
            let behind = out.bytes_written() as u64;
            if place >= self.room {
                // The file ends with the footer before while the group is written.
                self.write_footer(behind)?;
                (self.room, is_due) = (behind, true);
            } else if behind > self.room {
                let what = "a group of rows is longer than it can be";
                return Err(ParquetError::General(what.to_owned()));
            }
            self.file.seek(SeekFrom::Start(place))?;
            self.file.write_all(&out.inner().buffer)?;
            self.footer.add(&group)?;
        }
        if is_due && self.footer.is_behind() {
            self.write_footer(self.end)?;
        }
        Ok(())
    }

    /// Moves on to the end of the file where the next group may not fit in before, and where footers are long,
    /// writes one ahead.
    fn make_room(&mut self, out: &mut TrackedWrite<Spool>) -> Result<(), ParquetError> {
        let rows = self.waiting.first().map_or(0, Vec::len);
        let largest = ((rows * LARGEST_VALUE + PAGES) * self.waiting.len()) as u64;
        let place = out.bytes_written() as u64;
        if place + largest <= self.room {
            return Ok(());
        }
        skip(out, self.end.saturating_sub(place))?;
        let footer = self.footer.length();
        if 2 * FOOTERS_APART * footer > largest {
            // What is left of a gap, where not one more group fits in, is small as well.
            self.room = self.end + FOOTERS_APART * footer.max(largest);
            self.write_footer(self.room)?;
        }
        Ok(())
    }

    /// Writes a footer of all groups so far, with which the file then ends.
    fn write_footer(&mut self, place: u64) -> Result<(), ParquetError> {
        self.file.seek(SeekFrom::Start(place))?;
        // In one piece, unless it is long: whoever kills the program hardly meets half of it.
        let room = self.footer.length().min(LONG_FOOTER) as usize + PAGES;
        let mut out = BufWriter::with_capacity(room, &self.file);
        let length = self.footer.write(place, &mut out)?;
        out.flush()?;
        drop(out);
        if let Footers::Always { dead, last } = &mut self.footers {
            *dead += *last;
            *last = length;
        }
        self.end = place + length;
        self.handed_on = Instant::now();
        Ok(())
    }

    /// Encodes what waits as a group.
    fn encode_group(
        &mut self,
        out: &mut TrackedWrite<Spool>,
    ) -> Result<RowGroupMetaDataPtr, ParquetError> {
        out.inner_mut().buffer.clear();
        let (schema, properties) = (Arc::clone(&self.schema), Arc::clone(&self.properties));
        let mut group = SerializedRowGroupWriter::new(schema, properties, out, 0, None);
        for (values, integer) in self.waiting.iter_mut().zip(&self.integer) {
            write_column(&mut group, values, *integer)?;
            values.clear();
        }
        let group = group.close()?;
        out.flush()?;
        let sum = Checksum::of(&out.inner().buffer);
        out.write_all(&sum.to_le_bytes())?;
        out.flush()?;
        Ok(group)
    }

    /// Leaves out the gap before the last footer, where another one fits into it.
    fn close_gap(&mut self, data: u64) -> Result<(), ParquetError> {
        if data + 2 * self.footer.length() < self.room {
            self.write_footer(data)?;
            self.file.set_len(self.end)?;
        }
        Ok(())
    }

    /// Have rows waited long enough?
    fn is_late(&self) -> bool {
        let patience = PATIENCE.max(self.begun.elapsed() / PATIENCE_SHARE);
        self.footers != Footers::Once && self.handed_on.elapsed() >= patience
    }

    /// Is it time for the next group?
    fn is_due(&self) -> bool {
        let rows = self.waiting.first().map_or(0, Vec::len);
        rows >= self.full || self.is_late()
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
            self.write_group(false)?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), ReportError> {
        self.write_group(true)?;
        let Some(out) = self.out.take() else {
            return Ok(());
        };
        let length = out.bytes_written() as u64;
        let written = match self.footers {
            Footers::Once => self.footer.write(length, &mut self.file).map(drop),
            Footers::Always { .. } => self.close_gap(length),
        };
        written.map_err(|e| parquet_error(&self.path, e))?;
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
    pairs.push(KeyValue::new(
        format!("{PREFIX}{CHECKSUM}"),
        format!("{SEAL}{NO_DIGITS}"),
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

/// Writes the next column of a group.
fn write_column(
    group: &mut SerializedRowGroupWriter<'_, Spool>,
    values: &[f64],
    integer: bool,
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else {
        return Ok(());
    };
    if integer {
        let values: Vec<i64> = values.iter().map(|v| *v as i64).collect();
        let column = column.typed::<Int64Type>();
        column.write_batch(&values, None, None)?;
    } else {
        let column = column.typed::<DoubleType>();
        column.write_batch(values, None, None)?;
    }
    column.close()
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
