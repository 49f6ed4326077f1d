//! Equations of a model in one formulation, with their values at the start.

use super::{Error, Model, Phase};
use crate::Failed;
use crate::compile::{AtStart, StartState};
use crate::complaint::{self, Complaint};
use crate::kind::Kind;
use crate::mechanics::{Equations, Form, Problem};
use crate::notes;
use crate::reading::Finding;
use crate::sheet::Sheet;
use std::sync::Arc;

/// The equations of a model in one formulation.
///
/// ```
/// use rattleback::mechanics::Form;
/// use rattleback::Model;
///
/// let model = Model::read("system fall\nparam g = 10\ncoord z\nlagrangian z'^2/2 - g*z\n")?;
/// let derived = model.derive(Form::Hamiltonian)?;
/// assert!(derived.sheet().text(false).contains("p_z' = -g"));
/// # Ok::<(), rattleback::Error>(())
/// ```
#[derive(Debug)]
pub struct Derivation {
    /// The problem that the model poses.
    pub problem: Arc<Problem>,
    /// The formulation.
    pub form: Form,
    /// The equations, solved for the rates where they are short enough, in the names of the state.
    pub equations: Equations,
    /// The same in the names that the model gives its frame.
    pub spoken: Equations,
    /// The same with every solve as it is stated, each entry simplified.
    pub stated: Equations,
    /// The names of the declared frame; none where it is computed.
    pub frame: Vec<String>,
    /// What kind of system it is.
    pub kind: Kind,
    /// The equations at the start, where they have finite values; none where they are on a slice that the start is off.
    pub at_start: Result<Option<AtStart>, Failed>,
    /// Formulations of the same motion with the [characters](Sheet::characters) of their formulas, shortest first, where
    /// they were compared.
    pub lengths: Vec<(Form, Option<usize>)>,
    /// What is worth knowing: what was dropped, what is not used.
    pub notes: Vec<String>,
    /// Everything that was found in the model.
    pub findings: Vec<Finding>,
}

impl Derivation {
    pub(super) fn of(asked: &Model, form: Option<Form>) -> Result<Self, Error> {
        let (session, model) = (&asked.session, &asked.declared);
        let posed = asked.posed(form)?;
        let (problem, mut reading) = (posed.problem, posed.reading);
        let system = problem.open_for(form);
        let work = || {
            if form != Some(Form::Optimality) {
                system.check_regular()?;
            }
            let form = form.unwrap_or_else(|| Form::default_for(&system));
            Ok((form, system.equations(form)?))
        };
        let (form, equations) = session
            .during(Phase::Deriving, work)?
            .map_err(|e| reading.complain(Complaint::about_mechanics(&e, model)))?;
        let start = session
            .during(Phase::Deriving, || StartState::of(&problem, &system))?
            .map_err(|e| reading.complain(Complaint::about_start(&e, model)))?;
        let numbers = || match start.determines(&equations) {
            Ok(false) => Ok(None),
            _ => AtStart::of(&problem, &start, &equations).map(Some),
        };
        let at_start = session.during(Phase::Compiling, numbers)?;
        let at_start = at_start.map_err(|e| Failed(e.to_string()));
        let mut notes = complaint::noted(&problem.remarks, model, &reading.source);
        notes.extend(equations.notes.iter().cloned());
        notes.extend(notes::on_unused(&problem, form));
        if let Ok(None) = at_start {
            let why = "the start is off the slice, so that nothing has a value there: take one on it, on the same orbit";
            notes.push(why.into());
        }
        if let Ok(Some(at_start)) = &at_start {
            let message = |name: &String| {
                format!("`observe {name}` needs more than the state and has no value at the start")
            };
            notes.extend(at_start.unobserved.iter().map(message));
        }
        let shown = || {
            let explicit = equations.explicit();
            let spoken = system.spoken(&explicit);
            let stated = system.spoken(&equations.stated(&explicit));
            (explicit, spoken, stated, Kind::of(&problem, &system))
        };
        let (explicit, spoken, stated, kind) = session.during(Phase::Deriving, shown)?;
        Ok(Self {
            problem,
            form,
            equations: explicit,
            spoken,
            stated,
            frame: system.frame_names(),
            kind,
            at_start,
            lengths: Vec::new(),
            notes,
            findings: reading.findings,
        })
    }

    /// The sheet: text, LaTeX or MathML in the names of the model, JSON in the names of the state.
    pub fn sheet(&self) -> Sheet<'_> {
        Sheet {
            problem: &self.problem,
            kind: &self.kind,
            equations: &self.equations,
            spoken: &self.spoken,
            stated: &self.stated,
            frame: self.frame.clone(),
            at_start: self.at_start.as_ref().ok().and_then(Option::as_ref),
            lengths: &self.lengths,
            notes: self.notes.clone(),
            full: false,
        }
    }
}
