//! Why a session has no answer.

use crate::Failed;
use crate::complaint::Blame;
use crate::ensemble::EnsembleError;
use crate::language::{self, AskedError, LoadError};
use crate::reading::{Finding, Reading, Refusal};
use crate::simulation::SimulationError;
use std::fmt;

/// What a session is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The text becomes a model.
    Reading,
    /// The model becomes equations.
    Deriving,
    /// Statements about the system are judged.
    Proving,
    /// Equations become programs.
    Compiling,
    /// Motions are followed.
    Following,
    /// Controls are sought.
    Steering,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Phase::Reading => "the model was read",
            Phase::Deriving => "equations were derived",
            Phase::Proving => "the system was judged",
            Phase::Compiling => "equations were compiled",
            Phase::Following => "the motion was followed",
            Phase::Steering => "controls were sought",
        })
    }
}

/// A text, or settings, with mistakes: every one of them, and what could be read all the same.
#[derive(Debug)]
pub struct Mistakes {
    /// The text with all findings.
    pub reading: Reading,
    /// The model as far as it could be read; after a wrong setting the model without it. Nothing can be derived
    /// from it, but names and places are there.
    pub partial: Option<Box<language::Model>>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The text or a setting has mistakes.
    #[error("{}", listed(&.0.reading.findings))]
    Mistakes(Box<Mistakes>),
    /// A room refuses the model, with the place.
    #[error("{}", .0.finding)]
    Refused(Box<Refusal>),
    /// A computation failed.
    #[error(transparent)]
    Failed(#[from] Failed),
    /// A text beside the model says nothing that can be used: an event, a place.
    #[error(transparent)]
    Asked(#[from] AskedError),
    /// A motion cannot be followed.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// An ensemble cannot be followed.
    #[error(transparent)]
    Ensemble(#[from] EnsembleError),
    /// What is asked for makes no sense.
    #[error("{0}")]
    Request(String),
    /// Somebody cancelled the work.
    #[error("cancelled while {0}")]
    Cancelled(Phase),
}

fn listed(findings: &[Finding]) -> String {
    let all: Vec<String> = findings.iter().map(Finding::to_string).collect();
    all.join("\n")
}

impl Error {
    /// What it comes from.
    pub fn blame(&self) -> Blame {
        match self {
            Error::Load(_) | Error::Mistakes(_) | Error::Request(_) | Error::Asked(_) => {
                Blame::Input
            }
            Error::Refused(refusal) => refusal.blame,
            Error::Simulation(e) if e.is_bad_request() => Blame::Input,
            Error::Ensemble(EnsembleError::Simulation(e)) if !e.is_bad_request() => {
                Blame::Computation
            }
            Error::Ensemble(_) => Blame::Input,
            Error::Failed(_) | Error::Simulation(_) | Error::Cancelled(_) => Blame::Computation,
        }
    }

    /// The findings that it consists of: those with a place.
    pub fn findings(&self) -> &[Finding] {
        match self {
            Error::Mistakes(mistakes) => &mistakes.reading.findings,
            Error::Refused(refusal) => std::slice::from_ref(&refusal.finding),
            _ => &[],
        }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Error::Refused(Box::new(refusal))
    }
}
