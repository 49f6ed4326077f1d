//! A file that one writer at a time holds.
//!
//! The system's lock on the file itself, not a second file beside it: it ends with the program that holds it, however
//! that ends.

use std::fs::{File, OpenOptions};
use std::path::Path;

use crate::error::ReportError;
use crate::file::{create_error, write_error};

/// Creates a file for this writer alone, or empties the one that is there.
pub(crate) fn create(path: &Path) -> Result<File, ReportError> {
    if path.metadata().is_ok_and(|there| !there.is_file()) {
        // A device or a pipe has nothing in it that another writer could destroy.
        return crate::file::create(path);
    }
    // Emptied only when it is ours.
    let file = hold(path, OpenOptions::new().write(true).create(true))?;
    file.set_len(0).map_err(|e| write_error(path, e))?;
    Ok(file)
}

/// Opens the file that is there, to go on with it alone.
pub(crate) fn open(path: &Path) -> Result<File, ReportError> {
    hold(path, OpenOptions::new().read(true).write(true))
}

fn hold(path: &Path, options: &OpenOptions) -> Result<File, ReportError> {
    loop {
        let file = options.open(path).map_err(|e| create_error(path, e))?;
        if is_taken(&file) {
            return Err(ReportError::Busy {
                path: path.to_owned(),
            });
        }
        // Whoever held it may have put another file in its place before letting go.
        if is_at(&file, path) {
            return Ok(file);
        }
    }
}

/// Does another writer hold the file? It is ours if not.
#[cfg(unix)]
fn is_taken(file: &File) -> bool {
    // Some network file systems know no locks: there is nothing to find out then.
    matches!(file.try_lock(), Err(std::fs::TryLockError::WouldBlock))
}

/// Elsewhere locks keep readers out as well, our own among them.
#[cfg(not(unix))]
fn is_taken(_file: &File) -> bool {
    false
}

/// Is this the file that the path leads to?
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(held), Ok(there)) = (file.metadata(), path.metadata()) else {
        return false;
    };
    (held.dev(), held.ino()) == (there.dev(), there.ino())
}

#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> bool {
    true
}
