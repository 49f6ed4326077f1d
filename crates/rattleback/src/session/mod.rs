//! The session: from a text to its equations, what is true of them, and their motions.
//!
//! A [`Session`] says how work is done: who may cancel it, and who hears of findings and progress. It opens
//! [`Model`]s, and a model answers questions. Nothing is printed, and everything may be used from several threads.
//!
//! ```
//! use rattleback::Model;
//!
//! let model = Model::read(
//!     "system sleigh\n\
//!      param m = 2, J = 1\n\
//!      coord x, y\n\
//!      coord theta : angle\n\
//!      kinetic m/2*(x'^2 + y'^2) + J/2*theta'^2\n\
//!      constraint sin(theta)*x' = cos(theta)*y'\n\
//!      start x' = 1, theta' = 3\n",
//! )?;
//! let motion = model.set("m = 5")?.simulate().until(2.0).run()?;
//! let theta = &motion["theta"];
//! // The heading turns evenly.
//! assert!((theta.last().unwrap() - 6.0).abs() < 1e-9);
//! # Ok::<(), rattleback::Error>(())
//! ```

mod ansatz;
mod compare;
mod control;
mod derivation;
mod discrete;
mod ensemble;
mod error;
mod examination;
mod export;
mod feedback;
mod flat;
mod judgement;
mod linearize;
mod model;
mod prepared;
mod shortest;
mod simulate;

pub use crate::control::optimal::{Controlled, FlatRoute, Names, Polished, Route};
pub use crate::control::{Linearized, LinearizedAlong};
pub use crate::ensemble::{Gathered, Member};
pub use crate::simulation::Trajectory;
pub use compare::ComparisonRequest;
pub use control::ControlRequest;
pub use derivation::Derivation;
pub use discrete::DiscreteRequest;
pub use ensemble::EnsembleRequest;
pub use error::{Error, Mistakes, Phase};
pub use examination::Examination;
pub use judgement::AnalysisRequest;
pub use model::Model;
pub use prepared::Prepared;
pub use simulate::SimulationRequest;

use crate::language::{Source, load, parse};
use crate::reading::{Finding, Naming, Reading, Tell};
use crate::symbolic::Cancel;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// How far the work is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// What is being done.
    pub phase: Phase,
    /// The share of it that is done, from 0 to 1.
    pub share: f64,
}

/// How work is done: who may cancel it, who hears of it.
///
/// ```
/// use rattleback::{Error, Phase, Session};
/// use rattleback::symbolic::Cancel;
///
/// let cancel = Cancel::new();
/// let session = Session::new().cancelled_by(&cancel);
/// let model = session.read("fall.mech", "system fall\ncoord z\nlagrangian z'^2/2 - 9.81*z\n")?;
/// assert!(model.derive(None).is_ok());
/// // From any thread, at any time:
/// cancel.cancel();
/// assert!(matches!(model.derive(None), Err(Error::Cancelled(Phase::Deriving))));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone)]
pub struct Session {
    cancel: Cancel,
    tell: Tell,
    naming: Naming,
    progress: Arc<dyn Fn(Progress) + Send + Sync>,
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("cancel", &self.cancel)
            .finish_non_exhaustive()
    }
}

impl Session {
    /// A session that nobody cancels and nobody listens to.
    pub fn new() -> Self {
        Self {
            cancel: Cancel::new(),
            tell: Arc::new(|_| ()),
            naming: Arc::new(str::to_owned),
            progress: Arc::new(|_| ()),
        }
    }

    /// Work ends when the token is cancelled, and stays ended: to begin again, open the model in another session.
    /// What was not done is [`Error::Cancelled`]; motions keep their rows, and judgements what they had found.
    pub fn cancelled_by(mut self, cancel: &Cancel) -> Self {
        self.cancel = cancel.clone();
        self
    }

    /// Whoever listens hears of each finding as it is made, before the work goes on.
    pub fn on_finding(mut self, tell: impl Fn(&Finding) + Send + Sync + 'static) -> Self {
        self.tell = Arc::new(tell);
        self
    }

    /// Whoever listens hears how far the work is.
    pub fn on_progress(mut self, progress: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        self.progress = Arc::new(progress);
        self
    }

    /// What this host calls the texts that are no files, `setting`, `until` and `step`: an option, a field of a form.
    pub fn naming(mut self, naming: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        self.naming = Arc::new(naming);
        self
    }

    /// Reads a model file.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Model, Error> {
        self.read_source(load(path)?)
    }

    /// Reads a model from a text; messages call it `name`.
    pub fn read(&self, name: &str, text: impl Into<String>) -> Result<Model, Error> {
        self.read_source(Source::new(name, text))
    }

    /// Reads a model from a source, which a host may have from anywhere.
    pub fn read_source(&self, source: Source) -> Result<Model, Error> {
        let outcome = self.during(Phase::Reading, || parse(&source))?;
        let (tell, naming) = (Arc::clone(&self.tell), Arc::clone(&self.naming));
        let mut reading = Reading::new(source, tell, naming);
        for diagnostic in outcome.diagnostics {
            reading.add(diagnostic);
        }
        match outcome.model {
            Some(model) => Ok(Model::new(self.clone(), reading, model)),
            None => Err(Error::Mistakes(Box::new(Mistakes {
                reading,
                partial: outcome.partial,
            }))),
        }
    }

    /// Does the work under the token. What comes of it after the token was cancelled is worth nothing.
    fn during<T>(&self, phase: Phase, work: impl FnOnce() -> T) -> Result<T, Error> {
        self.progress(phase, 0.0);
        let result = self.cancel.abandoning(work);
        self.check(phase)?;
        result.ok_or(Error::Cancelled(phase))
    }

    fn check(&self, phase: Phase) -> Result<(), Error> {
        match self.cancel.is_cancelled() {
            true => Err(Error::Cancelled(phase)),
            false => Ok(()),
        }
    }

    fn progress(&self, phase: Phase, share: f64) {
        (self.progress)(Progress { phase, share });
    }
}
