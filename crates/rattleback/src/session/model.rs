//! A model that was read: what can be asked of it.

use super::{
    AnalysisRequest, ComparisonRequest, ControlRequest, Derivation, DiscreteRequest,
    EnsembleRequest, Error, Examination, Linearized, LinearizedAlong, Mistakes, Phase, Prepared,
    Session, SimulationRequest,
};
use crate::complaint::{self, Complaint};
use crate::control::Place;
use crate::language::{self, OverrideError, Overrides, TimeOption};
use crate::mechanics::{Form, Problem, Remark, RemarkKind};
use crate::reading::{Finding, Reading};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// A model that was read without mistakes. Clones are cheap and share what was worked out already.
///
/// ```
/// use rattleback::{Error, Model};
///
/// let unread = Model::read("system fall\ncoord z\nlagrangian z'^2/2 - g*z\n");
/// let Err(Error::Mistakes(mistakes)) = unread else { unreachable!("`g` is not declared") };
/// assert_eq!(mistakes.reading.findings.len(), 1);
/// // What could be read is there.
/// assert_eq!(mistakes.partial.unwrap().name, "fall");
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    pub(super) session: Session,
    pub(super) reading: Reading,
    pub(super) declared: Arc<language::Model>,
    /// By whether it is posed for variations.
    posed: Arc<Mutex<[Option<Posed>; 2]>>,
}

/// The problem of a model, with what was found on the way.
#[derive(Clone, Debug)]
pub(super) struct Posed {
    pub(super) problem: Arc<Problem>,
    pub(super) reading: Reading,
}

impl Model {
    /// Opens a model file in a session of its own.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Session::new().open(path)
    }

    /// Reads a model from a text in a session of its own.
    pub fn read(text: impl Into<String>) -> Result<Self, Error> {
        Session::new().read("model", text)
    }

    pub(super) fn new(session: Session, reading: Reading, declared: language::Model) -> Self {
        Self {
            session,
            reading,
            declared: Arc::new(declared),
            posed: Arc::default(),
        }
    }

    /// What the text declares.
    pub fn declared(&self) -> &language::Model {
        &self.declared
    }

    /// The text.
    pub fn source(&self) -> &language::Source {
        &self.reading.source
    }

    /// Warnings and notes on the text.
    pub fn findings(&self) -> &[Finding] {
        &self.reading.findings
    }

    /// The model with another parameter, start value or time: `m = 2`, `theta' = 1/2`, `until = 5`. This one
    /// stays as it is.
    pub fn set(&self, setting: &str) -> Result<Self, Error> {
        self.set_all(&[setting], &[])
    }

    /// All settings at once, and the time of a motion: assumptions are judged when all are made.
    pub fn set_all<S: AsRef<str>>(
        &self,
        settings: &[S],
        times: &[(TimeOption, &str)],
    ) -> Result<Self, Error> {
        self.change(Overrides::parse(settings), times)
    }

    /// The same for settings by another option; what is wrong with them is told under its name.
    pub fn set_as<S: AsRef<str>>(&self, option: &str, settings: &[S]) -> Result<Self, Error> {
        self.change(Overrides::parse_as(option, settings), &[])
    }

    fn change(
        &self,
        settings: Result<Overrides, OverrideError>,
        times: &[(TimeOption, &str)],
    ) -> Result<Self, Error> {
        self.session.check(Phase::Reading)?;
        let mut rejected = Vec::new();
        let mut overrides = settings.unwrap_or_else(|error| {
            rejected = error.rejected;
            Overrides::default()
        });
        for (option, value) in times {
            let wrong = overrides.option(*option, value).err();
            rejected.extend(wrong.into_iter().flat_map(|error| error.rejected));
        }
        if rejected.is_empty() {
            match self.declared.with_overrides(&overrides) {
                Ok(changed) => {
                    let (session, reading) = (self.session.clone(), self.reading.clone());
                    return Ok(Self::new(session, reading, changed));
                }
                Err(error) => rejected = error.rejected,
            }
        }
        let mut reading = self.reading.clone();
        for wrong in rejected {
            reading.add_about_setting(wrong.diagnostics, &wrong.source);
        }
        let partial = Some(Box::new((*self.declared).clone()));
        Err(Error::Mistakes(Box::new(Mistakes { reading, partial })))
    }

    /// The same model in another session, with nothing worked out yet.
    pub fn within(&self, session: &Session) -> Self {
        let declared = (*self.declared).clone();
        Self::new(session.clone(), self.reading.clone(), declared)
    }

    /// Everything that is wrong with the model, and what kind of system it is.
    pub fn check(&self) -> Result<Examination, Error> {
        Examination::of(self)
    }

    /// The exact equations in a formulation; without a choice in the one that is usual for the system.
    pub fn derive(&self, form: impl Into<Option<Form>>) -> Result<Derivation, Error> {
        Derivation::of(self, form.into())
    }

    /// The exact equations in the formulation of the same motion that has the shortest formulas.
    ///
    /// ```
    /// use rattleback::Model;
    ///
    /// let model = Model::read("system fall\nparam g = 10\ncoord z\nlagrangian z'^2/2 - g*z\n")?;
    /// let derived = model.derive_shortest()?;
    /// assert_eq!(derived.lengths[0].0, derived.form);
    /// assert!(derived.lengths[0].1 <= derived.lengths[1].1);
    /// # Ok::<(), rattleback::Error>(())
    /// ```
    pub fn derive_shortest(&self) -> Result<Derivation, Error> {
        Derivation::shortest(self)
    }

    /// What is true of the system.
    pub fn analyze(&self) -> AnalysisRequest<'_> {
        AnalysisRequest::new(self)
    }

    /// The linear system about a state; with `closed` the laws of the inputs are part of it.
    ///
    /// ```
    /// use rattleback::Model;
    /// use rattleback::control::Place;
    ///
    /// let model = Model::read("system pendulum\nparam g = 9.81\ncoord q : angle\nlagrangian q'^2/2 + g*cos(q)\nstart q = 3\n")?;
    /// let linear = model.linearize(Place::Equilibrium, false)?.system;
    /// // Upright: x'' = g x.
    /// assert!((linear.numbers.a[1][0] - 9.81).abs() < 1e-9);
    /// # Ok::<(), rattleback::Error>(())
    /// ```
    pub fn linearize(&self, place: Place, closed: bool) -> Result<Linearized, Error> {
        super::linearize::about(self, place, closed)
    }

    /// The monodromy matrix and Floquet's multipliers of the motion from the start, whose period is the model's time.
    pub fn monodromy(&self) -> Result<crate::control::Monodromy, Error> {
        super::linearize::monodromy(self)
    }

    /// The largest Lyapunov exponents of the motion from the start.
    pub fn lyapunov(&self, count: usize) -> Result<Vec<crate::control::Exponent>, Error> {
        super::linearize::lyapunov(self, count)
    }

    /// Linear systems along the motion from the start, one per row.
    pub fn linearize_along(&self, closed: bool) -> Result<LinearizedAlong, Error> {
        super::linearize::along(self, closed)
    }

    /// The solution of the problem with ends that the model poses.
    pub fn control(&self) -> ControlRequest<'_> {
        ControlRequest::new(self)
    }

    /// One motion.
    pub fn simulate(&self) -> SimulationRequest<'_> {
        SimulationRequest::new(self)
    }

    /// Two motions side by side: the usual one, or that of the options, and the one in the formulation `with`.
    pub fn compare(&self, with: Form) -> ComparisonRequest<'_> {
        ComparisonRequest::new(self, with)
    }

    /// The model as a system in steps; a Lagrangian in `x` and `next(x)` is one.
    pub fn discrete(&self) -> DiscreteRequest<'_> {
        DiscreteRequest::new(self)
    }

    /// Many motions.
    pub fn ensemble(&self) -> EnsembleRequest<'_> {
        EnsembleRequest::new(self)
    }

    /// The problem that the model poses.
    pub fn problem(&self) -> Result<Arc<Problem>, Error> {
        Ok(self.posed(None)?.problem)
    }

    /// The system as it moves in a formulation, ready to be followed.
    pub fn prepare(&self, form: impl Into<Option<Form>>) -> Result<Prepared, Error> {
        Prepared::of(self, form.into())
    }

    /// The problem that the model poses for a formulation. It is worked out once; who asks meanwhile waits.
    pub(super) fn posed(&self, form: Option<Form>) -> Result<Posed, Error> {
        let mut kept = self.posed.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = &mut kept[usize::from(Problem::is_variational(&self.declared, form))];
        if let Some(posed) = kept {
            return Ok(posed.clone());
        }
        let model = &self.declared;
        let mut reading = self.reading.clone();
        let posed = self
            .session
            .during(Phase::Deriving, || Problem::for_form(model, form))?;
        let problem = posed.map_err(|e| reading.complain(Complaint::about_mechanics(&e, model)))?;
        // Whether an angle closes is asked by proofs only.
        let told = |r: &&Remark| r.kind != RemarkKind::NotPeriodic;
        for remark in problem.remarks.iter().filter(told) {
            reading.add(complaint::remark(remark, model));
        }
        let posed = Posed {
            problem: Arc::new(problem),
            reading,
        };
        *kept = Some(posed.clone());
        Ok(posed)
    }
}
