//! What a session refuses, as a failure of the command.

use crate::events;
use crate::failure::{BAD_INPUT, COMPUTATION_FAILED, Failure};
use rattleback::Error;
use rattleback::complaint::Blame;
use rattleback::reading::Refusal;

/// What was reported as a diagnostic ends the command.
impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        reported(refusal.blame)
    }
}

/// Findings have been told as they were made; the rest is told now.
impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Mistakes(_) | Error::Refused(_) => reported(error.blame()),
            Error::Asked(e) => events::told(e),
            _ => match error.blame() {
                Blame::Input => Failure::Input(error.to_string()),
                Blame::Computation => Failure::Computation(error.to_string()),
            },
        }
    }
}

fn reported(blame: Blame) -> Failure {
    let code = match blame {
        Blame::Input => BAD_INPUT,
        Blame::Computation => COMPUTATION_FAILED,
    };
    Failure::Reported { code }
}
