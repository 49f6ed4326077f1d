//! Commands that do not succeed, and the exit codes for it.

use rattleback::Failed;
use std::io;

/// A computation failed.
pub const COMPUTATION_FAILED: u8 = 1;
/// The input is bad.
pub const BAD_INPUT: u8 = 2;

/// Why a command stops.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Bad input, in words.
    #[error("error: {0}")]
    Input(String),
    /// A computation that failed, in words.
    #[error("error: {0}")]
    Computation(String),
    /// What is wrong has been reported already.
    #[error("")]
    Reported {
        /// The exit code.
        code: u8,
    },
    /// The output cannot be written.
    #[error("error: cannot write the output: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    /// Has the reader of standard output gone away, with what it wanted?
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Failure::Output(e) if e.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Equations without a value at the start.
    pub fn at_other_start(Failed(what): Failed) -> Self {
        Failure::Computation(format!("{what}, for example --set NAME=VALUE"))
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        match self {
            Failure::Input(_) => BAD_INPUT,
            Failure::Reported { code } => *code,
            Failure::Computation(_) | Failure::Output(_) => COMPUTATION_FAILED,
        }
    }
}

impl From<Failed> for Failure {
    fn from(Failed(what): Failed) -> Self {
        Failure::Computation(what)
    }
}
