//! Files as results: opened with errors that name them, replaced whole where they are small.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::error::ReportError;

/// Creates a file, or empties the one that is there.
pub(crate) fn create(path: &Path) -> Result<File, ReportError> {
    File::create(path).map_err(|e| create_error(path, e))
}

pub(crate) fn create_error(path: &Path, source: io::Error) -> ReportError {
    ReportError::Create {
        path: path.to_owned(),
        source,
    }
}

/// Opens a file for reading.
pub(crate) fn open(path: &Path) -> Result<File, ReportError> {
    File::open(path).map_err(|source| read_error(path, source))
}

pub(crate) fn write_error(path: &Path, source: io::Error) -> ReportError {
    ReportError::Write {
        path: path.to_owned(),
        source,
    }
}

pub(crate) fn read_error(path: &Path, source: io::Error) -> ReportError {
    ReportError::Read {
        path: path.to_owned(),
        source,
    }
}

/// Writes a whole file. A file that is already there is replaced in one step, so that a run that is
/// killed leaves the old content or the new one, never half of either.
pub fn write_whole(path: &Path, content: &str) -> Result<(), ReportError> {
    if is_special(path) {
        let mut file = create(path)?;
        return file
            .write_all(content.as_bytes())
            .map_err(|e| write_error(path, e));
    }
    // Of this program's own: another one may be writing the same file.
    let beside = beside(path, &format!("{}.part", std::process::id()));
    let created = File::create(&beside).map_err(|e| create_error(path, e));
    let written = created.and_then(|mut file| {
        file.write_all(content.as_bytes())
            .and_then(|()| fs::rename(&beside, path))
            .map_err(|e| write_error(path, e))
    });
    if written.is_err() {
        // Nothing to add if this fails as well: the first error is the one to report.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// A name beside the file: `run.csv.part`.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(ending);
    path.with_file_name(name)
}

/// Is there something at the path that must be written in place: a device, a pipe, a link?
pub(crate) fn is_special(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| !meta.is_file())
}
