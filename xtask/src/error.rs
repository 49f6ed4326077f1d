//! What can go wrong in a chore.

use std::path::PathBuf;

/// A chore that failed, with the place and the reason.
#[derive(Debug, thiserror::Error)]
pub enum ChoreError {
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A program could not be started.
    #[error("cannot run `{program}`: {source}")]
    Start {
        /// The command line.
        program: String,
        /// Why.
        source: std::io::Error,
    },
    /// A program ended with a failure.
    #[error("`{program}` failed ({status})")]
    Failed {
        /// The command line.
        program: String,
        /// How it ended.
        status: String,
    },
    /// A program printed something other than what was promised.
    #[error("{0}")]
    Unexpected(String),
}

impl ChoreError {
    /// For `map_err` on file operations.
    pub fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { path, source }
    }
}
