//! CSV files read row by row.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::Table;
use super::csv_seal::{self, Seal, Sealed};
use super::describe::{Comments, described_columns};
use crate::error::ReportError;
use crate::file::{open, read_error};

/// Reads rows; a last row that a killed run left unfinished is left out.
pub(super) struct CsvReader {
    rows: csv::Reader<Sealed<std::io::Take<BufReader<File>>>>,
    record: csv::StringRecord,
    path: PathBuf,
    columns: usize,
    head: u64,
    is_sealed: bool,
}

/// Where a file that has been read to its end can be gone on with.
#[derive(Clone, Copy, Debug)]
pub(super) struct CsvEnd {
    /// The bytes of the head, up to the names of the columns.
    pub head: u64,
    /// What is behind it; none where the file has no checksum.
    pub seal: Option<Seal>,
    /// The bytes of whole lines.
    pub whole: u64,
}

impl CsvReader {
    pub fn open(path: &Path) -> Result<(CsvReader, Table), ReportError> {
        let mut file = BufReader::new(open(path)?);
        let complete = complete_bytes(&mut file).map_err(|e| read_error(path, e))?;
        let mut comments = read_comments(&mut file).map_err(|e| read_error(path, e))?;
        let head = file.stream_position().map_err(|e| read_error(path, e))?;
        let claim = match comments.metadata.take(csv_seal::KEY) {
            None => None,
            Some(entry) => Some(
                csv_seal::claim(&entry).ok_or_else(|| damaged(path, "its checksum is not one"))?,
            ),
        };
        let mut rows = csv::ReaderBuilder::new()
            .comment(Some(b'#'))
            .from_reader(Sealed::new(file.take(complete.saturating_sub(head)), claim));
        let names = rows.headers().map_err(|e| csv_error(path, e))?.clone();
        let table = Table {
            columns: described_columns(names.iter(), &comments.columns),
            metadata: comments.metadata,
        };
        let reader = CsvReader {
            rows,
            record: csv::StringRecord::new(),
            path: path.to_owned(),
            columns: names.len(),
            head,
            is_sealed: claim.is_some(),
        };
        Ok((reader, table))
    }

    /// Where the file can be gone on with, once all rows have been read.
    pub fn end(&self) -> CsvEnd {
        let seal = self.rows.get_ref().seal;
        CsvEnd {
            head: self.head,
            seal: self.is_sealed.then_some(seal),
            whole: self.head + seal.bytes,
        }
    }

    /// Puts the next row into `values`; false at the end.
    pub fn next_row(&mut self, values: &mut Vec<f64>) -> Result<bool, ReportError> {
        let more = self.rows.read_record(&mut self.record);
        if !more.map_err(|e| csv_error(&self.path, e))? {
            if self.rows.get_ref().broken {
                let what = "its rows are not those that were written, by their checksum";
                return Err(damaged(&self.path, what));
            }
            return Ok(false);
        }
        values.clear();
        for field in self.record.iter().take(self.columns) {
            let value = field.trim().parse();
            values.push(value.map_err(|_| self.malformed(field))?);
        }
        Ok(true)
    }

    fn malformed(&self, field: &str) -> ReportError {
        let line = self.record.position().map_or(0, csv::Position::line);
        ReportError::Malformed {
            path: self.path.clone(),
            what: format!("`{field}` in line {line} of the rows is not a number"),
        }
    }
}

/// The bytes up to and with the last line end.
fn complete_bytes(file: &mut BufReader<File>) -> std::io::Result<u64> {
    const CHUNK: u64 = 1 << 12;
    let mut end = file.seek(SeekFrom::End(0))?;
    let mut bytes = Vec::new();
    while end > 0 {
        let begin = end.saturating_sub(CHUNK);
        file.seek(SeekFrom::Start(begin))?;
        bytes.clear();
        file.by_ref().take(end - begin).read_to_end(&mut bytes)?;
        if let Some(place) = bytes.iter().rposition(|b| *b == b'\n') {
            end = begin + place as u64 + 1;
            break;
        }
        end = begin;
    }
    file.seek(SeekFrom::Start(0))?;
    Ok(end)
}

/// Reads the comment lines at the head and stops before the first other line.
fn read_comments(file: &mut BufReader<File>) -> std::io::Result<Comments> {
    let mut comments = Comments::default();
    let mut line = String::new();
    while file.fill_buf()?.first() == Some(&b'#') {
        line.clear();
        file.read_line(&mut line)?;
        comments.line(&line);
    }
    comments.close();
    Ok(comments)
}

fn damaged(path: &Path, what: &str) -> ReportError {
    ReportError::Damaged {
        path: path.to_owned(),
        what: what.to_owned(),
    }
}

fn csv_error(path: &Path, error: csv::Error) -> ReportError {
    match error.into_kind() {
        csv::ErrorKind::Io(source) => read_error(path, source),
        csv::ErrorKind::UnequalLengths {
            pos,
            expected_len,
            len,
        } => ReportError::Malformed {
            path: path.to_owned(),
            what: format!(
                "line {} of the rows has {len} values for {expected_len} columns",
                pos.map_or(0, |p| p.line())
            ),
        },
        _ => ReportError::Malformed {
            path: path.to_owned(),
            what: "its rows are not text".to_owned(),
        },
    }
}
