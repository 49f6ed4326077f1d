//! Groups of rows that wait for the footer behind them, in memory or aside.

use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::PathBuf;

use parquet::file::writer::TrackedWrite;

use crate::file::beside;

/// Hands on all that has been written.
pub(super) fn hand_on(out: &mut TrackedWrite<Spool>) -> io::Result<()> {
    out.flush()?;
    out.inner_mut().hand_on()
}

/// What waits to be handed on in one piece: whoever kills the program hardly meets half a group.
pub(super) struct Spool {
    pub file: File,
    path: PathBuf,
    buffer: Vec<u8>,
    /// What waited too long to stay in memory: a file without a name.
    aside: Option<File>,
    set_aside: u64,
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
    /// For this file, with room beside its path.
    pub fn new(file: File, path: PathBuf) -> Self {
        Spool {
            file,
            path,
            buffer: Vec::new(),
            aside: None,
            set_aside: 0,
        }
    }

    /// How many bytes wait.
    pub fn waiting(&self) -> u64 {
        self.set_aside + self.buffer.len() as u64
    }

    /// Hands on all that waits.
    pub fn hand_on(&mut self) -> io::Result<()> {
        if let Some(aside) = self.aside.as_mut().filter(|_| self.set_aside > 0) {
            aside.rewind()?;
            io::copy(&mut Read::take(&*aside, self.set_aside), &mut self.file)?;
            aside.rewind()?;
            aside.set_len(0)?;
            self.set_aside = 0;
        }
        let written = self.file.write_all(&self.buffer);
        self.buffer.clear();
        written
    }

    /// Puts what waits out of memory. Where that fails, it still waits.
    pub fn put_aside(&mut self) -> io::Result<()> {
        let aside = match &mut self.aside {
            Some(aside) => aside,
            none => none.insert(nameless(beside(&self.path, "waiting"))?),
        };
        if let Err(error) = aside.write_all(&self.buffer) {
            aside.set_len(self.set_aside)?;
            aside.seek(io::SeekFrom::Start(self.set_aside))?;
            return Err(error);
        }
        self.set_aside += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }
}

/// A file that goes when it is closed, also by force.
fn nameless(path: PathBuf) -> io::Result<File> {
    let mut options = File::options();
    let file = options
        .read(true)
        .write(true)
        .create_new(true)
        .open(&path)?;
    fs::remove_file(&path)?;
    Ok(file)
}
