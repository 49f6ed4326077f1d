//! Parquet files read one group of rows at a time.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::column::reader::{ColumnReader, get_column_reader};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::serialized_reader::SerializedPageReader;

use super::Table;
use super::describe::{column_of_line, described_columns};
use super::parquet_footer::SEAL;
use super::parquet_rescue::{Found, footer_at_end, last_footer};
use super::parquet_writer::{CHECKSUM, COLUMNS, PREFIX};
use crate::checksum::Checksum;
use crate::column::Column;
use crate::error::ReportError;
use crate::file::{open, read_error};
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
    /// Does every group have its checksum behind it?
    is_sealed: bool,
    is_torn: bool,
}

/// Where a file can be gone on with.
pub(super) struct ParquetEnd<'a> {
    pub metadata: &'a ParquetMetaData,
    /// The length of the file.
    pub length: u64,
    /// Does it end in the middle of something?
    pub is_torn: bool,
}

impl ParquetReader {
    pub fn open(path: &Path) -> Result<(ParquetReader, Table), ReportError> {
        let file = open(path)?;
        let (groups, is_torn) = match footer_at_end(&file) {
            Some(Found::Whole(groups)) => (groups, false),
            Some(Found::Damaged) => {
                return Err(damaged(path, "its footer is not the one that was written"));
            }
            None => {
                let before = last_footer(&file);
                let groups = before.ok_or_else(|| malformed(path, &"it has no whole footer"))?;
                (groups, true)
            }
        };
        let head = groups.file_metadata();
        let mut metadata = Metadata::new();
        let mut described: Vec<Column> = Vec::new();
        let mut is_sealed = false;
        for pair in head.key_value_metadata().into_iter().flatten() {
            let Some(key) = pair.key.strip_prefix(PREFIX) else {
                continue;
            };
            let text = pair.value.as_deref().unwrap_or_default();
            match key {
                CHECKSUM if text.starts_with(SEAL) => is_sealed = true,
                CHECKSUM => return Err(damaged(path, "its checksum is not one")),
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
            is_sealed,
            is_torn,
        };
        Ok((reader, table))
    }

    /// Where the file can be gone on with.
    pub fn end(&self) -> ParquetEnd<'_> {
        ParquetEnd {
            metadata: &self.metadata,
            length: self.file.metadata().map_or(0, |meta| meta.len()),
            is_torn: self.is_torn,
        }
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
        self.check(group)?;
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

impl ParquetReader {
    /// Are the bytes of a group those that were written? A file without checksums is taken at its word.
    fn check(&self, group: &RowGroupMetaData) -> Result<(), ReportError> {
        let wrong = |what: &str| {
            let group = self.next_group + 1;
            damaged(&self.path, &format!("group {group} of its rows {what}"))
        };
        let Some((start, length)) = extent(group) else {
            return Err(wrong("has no place in the file"));
        };
        if !self.is_sealed {
            return Ok(());
        }
        let mut bytes = Vec::new();
        let mut file = &*self.file;
        let failed = |e| read_error(&self.path, e);
        file.seek(SeekFrom::Start(start)).map_err(failed)?;
        let mut bounded = file.take(length.saturating_add(SUM as u64));
        bounded.read_to_end(&mut bytes).map_err(failed)?;
        match bytes.split_last_chunk::<SUM>() {
            Some((rows, sum)) if Checksum::of(rows).to_le_bytes() == *sum => Ok(()),
            _ => Err(wrong("is not as it was written, by its checksum")),
        }
    }
}

/// The bytes of a checksum.
const SUM: usize = 4;

/// Where the bytes of a group begin, and how many they are; none where that cannot be.
fn extent(group: &RowGroupMetaData) -> Option<(u64, u64)> {
    let mut begin = u64::MAX;
    let mut end = 0;
    for column in group.columns() {
        let start = column.dictionary_page_offset();
        let start = u64::try_from(start.unwrap_or_else(|| column.data_page_offset())).ok()?;
        let length = u64::try_from(column.compressed_size()).ok()?;
        begin = begin.min(start);
        end = end.max(start.checked_add(length)?);
    }
    Some((begin, end.checked_sub(begin)?))
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

fn damaged(path: &Path, what: &str) -> ReportError {
    ReportError::Damaged {
        path: path.to_owned(),
        what: what.to_owned(),
    }
}

fn malformed(path: &Path, what: &dyn std::fmt::Display) -> ReportError {
    ReportError::Malformed {
        path: path.to_owned(),
        what: what.to_string(),
    }
}
