//! A group of rows on its way into the file: its bytes, and the place that they are made for.

use std::io::{self, Write};

use parquet::file::writer::TrackedWrite;

/// Bytes that are passed over at a time.
const STRIDE: usize = 1 << 16;

/// What has been encoded and not yet written.
#[derive(Default)]
pub(super) struct Spool {
    pub buffer: Vec<u8>,
    is_skipping: bool,
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.is_skipping {
            self.buffer.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Passes over places in the file, so that what comes is made for the place behind them.
pub(super) fn skip(out: &mut TrackedWrite<Spool>, mut bytes: u64) -> io::Result<()> {
    out.flush()?;
    out.inner_mut().is_skipping = true;
    let nothing = [0; STRIDE];
    while bytes > 0 {
        let part = bytes.min(STRIDE as u64);
        out.write_all(&nothing[..part as usize])?;
        bytes -= part;
    }
    out.flush()?;
    out.inner_mut().is_skipping = false;
    Ok(())
}
