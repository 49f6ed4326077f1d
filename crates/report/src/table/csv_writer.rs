//! CSV files written row by row.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::Table;
use super::csv_reader::CsvEnd;
use super::csv_seal::Seal;
use super::describe::comment_lines;
use crate::error::{ReportError, check_length};
use crate::file::write_error;
use crate::sink::RowSink;

/// Bytes that wait before they are handed to the system.
const BUFFER: usize = 1 << 16;
/// The longest that a row waits while rows keep coming, so that a killed run has its rows in the file.
const PATIENCE: Duration = Duration::from_millis(500);

/// Writes comment lines, the names of the columns, and rows. Only whole rows are handed on.
pub(super) struct CsvWriter {
    out: Box<dyn Write + Send>,
    /// The same as a file, where it is one that can be cut back.
    file: Option<File>,
    /// Bytes of whole rows in it.
    whole: u64,
    /// Where the checksum's line begins, and what it covers; none where it cannot be written over.
    seal: Option<(u64, Seal)>,
    path: PathBuf,
    integer: Vec<bool>,
    buffer: Vec<u8>,
    handed_on: Instant,
}

impl CsvWriter {
    /// Writes the head at once, so that a path that cannot be written is known before any work.
    pub fn new(
        out: Box<dyn Write + Send>,
        file: Option<File>,
        path: &Path,
        table: &Table,
    ) -> Result<Self, ReportError> {
        table.check_names()?;
        let file = file.filter(|file| file.metadata().is_ok_and(|meta| meta.is_file()));
        let mut head = comment_lines(table).into_bytes();
        let mut seal = None;
        if file.is_some() {
            seal = Some((head.len() as u64, Seal::new()));
            head.extend(Seal::new().line().into_bytes());
        }
        let mut writer = CsvWriter {
            out,
            file,
            whole: 0,
            seal: None,
            path: path.to_owned(),
            integer: integers(table),
            buffer: head,
            handed_on: Instant::now(),
        };
        writer.hand_on()?;
        writer.seal = seal;
        let mut names = csv::WriterBuilder::new().from_writer(Vec::new());
        let written = names.write_record(table.columns.iter().map(|column| &column.name));
        written.map_err(|e| write_error(path, e.into()))?;
        let names = names
            .into_inner()
            .map_err(|e| write_error(path, e.into_error()))?;
        writer.buffer.extend(names);
        writer.hand_on()?;
        Ok(writer)
    }

    /// Goes on behind the whole rows of a file.
    pub fn go_on(
        mut file: File,
        path: &Path,
        table: &Table,
        end: CsvEnd,
    ) -> Result<Self, ReportError> {
        let failed = |e| write_error(path, e);
        file.set_len(end.whole).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let line = Seal::new().line().len() as u64;
        Ok(CsvWriter {
            file: Some(file.try_clone().map_err(failed)?),
            out: Box::new(file),
            whole: end.whole,
            seal: end.seal.map(|seal| (end.head.saturating_sub(line), seal)),
            path: path.to_owned(),
            integer: integers(table),
            buffer: Vec::new(),
            handed_on: Instant::now(),
        })
    }

    fn hand_on(&mut self) -> Result<(), ReportError> {
        let written = self
            .out
            .write_all(&self.buffer)
            .and_then(|()| self.out.flush());
        match written {
            Ok(()) => {
                self.whole += self.buffer.len() as u64;
                // Rows that no checksum covers are rows all the same.
                let _ = self.set_seal();
            }
            Err(_) => self.cut_back(),
        }
        // Dropped even on failure: a retry would repeat rows.
        self.buffer.clear();
        self.handed_on = Instant::now();
        written.map_err(|e| write_error(&self.path, e))
    }
}

impl CsvWriter {
    /// Writes the checksum of the rows with those that were just handed on.
    fn set_seal(&mut self) -> io::Result<()> {
        let (Some((place, seal)), Some(file)) = (&mut self.seal, &mut self.file) else {
            return Ok(());
        };
        seal.add(&self.buffer);
        file.seek(SeekFrom::Start(*place))?;
        let written = file.write_all(seal.line().as_bytes());
        // The place is that of the rows too.
        file.seek(SeekFrom::Start(self.whole))?;
        written
    }

    /// Leaves whole rows only in the file, after a disk has filled up in the middle of one.
    fn cut_back(&self) {
        let Some(file) = &self.file else { return };
        let length = file.metadata().map_or(0, |meta| meta.len());
        let torn = length.saturating_sub(self.whole) as usize;
        let torn = &self.buffer[..torn.min(self.buffer.len())];
        let rows = torn.iter().rposition(|&byte| byte == b'\n');
        let kept = rows.map_or(0, |end| end as u64 + 1);
        // The failure to write is told; what is left to try cannot make it worse.
        let _ = file.set_len(self.whole + kept);
    }
}

fn integers(table: &Table) -> Vec<bool> {
    table.columns.iter().map(|c| c.kind.is_integer()).collect()
}

impl RowSink for CsvWriter {
    fn row(&mut self, values: &[f64]) -> Result<(), ReportError> {
        check_length(values, self.integer.len())?;
        for (place, (value, integer)) in values.iter().zip(&self.integer).enumerate() {
            if place > 0 {
                self.buffer.push(b',');
            }
            // The shortest digits that read back as the same number.
            let written = match integer {
                true => write!(self.buffer, "{value:.0}"),
                false => write!(self.buffer, "{value:?}"),
            };
            written.map_err(|e| write_error(&self.path, e))?;
        }
        self.buffer.push(b'\n');
        if self.buffer.len() >= BUFFER || self.handed_on.elapsed() >= PATIENCE {
            self.hand_on()?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), ReportError> {
        self.hand_on()
    }
}

impl Drop for CsvWriter {
    fn drop(&mut self) {
        if !self.buffer.is_empty() {
            // A run that ends early keeps its rows; there is nobody left to tell of a failure.
            let _ = self.hand_on();
        }
    }
}
