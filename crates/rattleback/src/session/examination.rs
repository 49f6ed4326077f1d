//! Everything that is wrong with a model, and what kind of system it is.

use super::{Error, Model, Phase};
use crate::Failed;
use crate::compile::{AtStart, StartState};
use crate::complaint::{self, Complaint};
use crate::kind::Kind;
use crate::language;
use crate::mechanics::{Clock, Form, Problem, System};
use crate::notes;
use crate::reading::Reading;
use crate::summary::Summary;
use std::sync::Arc;

/// What an examination of mechanics and start state found.
#[derive(Debug)]
pub struct Examination {
    /// The model.
    pub model: Arc<language::Model>,
    /// The text with everything that was found in it.
    pub reading: Reading,
    /// What kind of system it is; none where the mechanics makes no sense.
    pub summary: Option<Summary>,
    /// The first thing that is wrong.
    pub verdict: Result<(), Error>,
}

impl Examination {
    /// Examines mechanics and start state, in this order, as far as they make sense.
    pub(super) fn of(asked: &Model) -> Result<Self, Error> {
        let mut examiner = Examiner {
            model: &asked.declared,
            reading: asked.reading.clone(),
        };
        let work = || examiner.examine();
        let (summary, verdict) = asked.session.during(Phase::Deriving, work)?;
        Ok(Self {
            model: Arc::clone(&asked.declared),
            reading: examiner.reading,
            summary,
            verdict,
        })
    }

    /// Is nothing wrong?
    pub fn is_ok(&self) -> bool {
        self.verdict.is_ok()
    }
}

struct Examiner<'a> {
    model: &'a language::Model,
    reading: Reading,
}

impl Examiner<'_> {
    fn examine(&mut self) -> (Option<Summary>, Result<(), Error>) {
        let jets = complaint::on_jets(self.model);
        let form = (self.model.order > 1 || !jets.is_empty()).then_some(Form::Vakonomic);
        jets.into_iter().for_each(|note| self.reading.add(note));
        let problem = match Problem::for_form(self.model, form) {
            Ok(problem) => problem,
            Err(e) => {
                let complaint = Complaint::about_mechanics(&e, self.model);
                return (None, Err(self.reading.complain(complaint).into()));
            }
        };
        for remark in &problem.remarks {
            self.reading.add(complaint::remark(remark, self.model));
        }
        let system = problem.open();
        let applying = |f: &Form| system.has_own(*f) && system.applies(*f).is_ok();
        let mut summary = Summary {
            kind: Kind::of(&problem, &system),
            default_form: Form::default_for(&system),
            forms: Form::ALL.into_iter().filter(applying).collect(),
            energy: None,
        };
        // A discrete Lagrangian goes from node to node: there are no rates to look at.
        let verdict = match problem.clock {
            Clock::DiscreteLagrangian => system.check_regular().map_err(|e| {
                let complaint = Complaint::about_mechanics(&e, self.model);
                self.reading.complain(complaint).into()
            }),
            _ => self.examine_motion(&problem, &system, &mut summary),
        };
        (Some(summary), verdict)
    }

    /// Regularity, start state and the equations there.
    fn examine_motion(
        &mut self,
        problem: &Problem,
        system: &System,
        summary: &mut Summary,
    ) -> Result<(), Error> {
        let (model, reading) = (self.model, &mut self.reading);
        let start = StartState::of(problem, system);
        if start.is_err() && problem.leaves_velocities_open() {
            return Ok(());
        }
        // Both are looked at before either ends the check, so that one run reports both.
        let start = start.map_err(|e| reading.complain(Complaint::about_start(&e, model)));
        system
            .check_regular()
            .and_then(|()| system.equations(summary.default_form))
            .map_err(|e| reading.complain(Complaint::about_mechanics(&e, model)))
            .map_err(Error::from)
            .and_then(|equations| {
                let start = start?;
                if let Some(note) = notes::on_start(&start.assembled()) {
                    let place = model.constraints.first().map_or(model.span, |c| c.span);
                    reading.add(complaint::note("start", place, note));
                }
                let at_start = AtStart::of(problem, &start, &equations);
                let energy = at_start.map_err(|e| Failed(e.to_string()))?.values.energy;
                summary.energy = (!equations.energy.is_undefined()).then_some(energy);
                Ok(())
            })
    }
}
