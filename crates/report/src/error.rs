//! What can go wrong in writing and reading results.

use std::io;
use std::path::PathBuf;

/// A result that could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A file cannot be created.
    #[error("cannot create `{path}`: {source}")]
    Create {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file cannot be written on; what it holds so far stays.
    #[error("cannot write to `{path}`: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file cannot be read.
    #[error("cannot read `{path}`: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is not a table of this program.
    #[error("`{path}` is not a table of this program: {what}")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong in it.
        what: String,
    },
    /// A table has been changed since it was written.
    #[error("`{path}` is damaged: {what}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where its checksum differs.
        what: String,
    },
    /// Another run is writing the file.
    #[error("another run is writing to `{path}`: wait for its end, or give this one another file")]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The ending of a file's name is no known format.
    #[error("cannot tell the format of `{path}`: its name should end in {expected}")]
    UnknownFormat {
        /// The file.
        path: PathBuf,
        /// The endings that are known.
        expected: &'static str,
    },
    /// A row has too few or too many values: an error of the caller.
    #[error("a row of {found} values for {expected} columns")]
    RowLength {
        /// The values of the row.
        found: usize,
        /// The columns of the table.
        expected: usize,
    },
    /// Two columns share a name: an error of the caller.
    #[error("two columns are named `{0}`")]
    DuplicateColumn(String),
}

impl ReportError {
    /// Did the reader of what is called `name` go away? To a host that is no failure on its own output; one of a pipe that
    /// was asked for by name is.
    pub fn is_broken(&self, name: &str) -> bool {
        matches!(self, ReportError::Write { path, source }
            if path.as_os_str() == name && source.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// Checks the number of values of a row.
pub(crate) fn check_length(values: &[f64], columns: usize) -> Result<(), ReportError> {
    if values.len() == columns {
        Ok(())
    } else {
        Err(ReportError::RowLength {
            found: values.len(),
            expected: columns,
        })
    }
}
