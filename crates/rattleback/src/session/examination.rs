//! Everything that is wrong with a model, and what kind of system it is.

use super::{Error, Model, Phase};
use crate::Failed;
use crate::compile::{AtStart, StartState};
use crate::complaint::{self, Complaint};
use crate::kind::Kind;
use crate::language::{self, ConstraintKind};
use crate::mechanics::{Clock, Form, Problem, System};
use crate::notes;
use crate::reading::Reading;
use crate::summary::Summary;
use crate::symbolic::Symbol;
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
        self.label_jets();
        let needs_variations = |c: &language::Constraint| is_jet(c.kind);
        let form = (self.model.order > 1 || self.model.constraints.iter().any(needs_variations))
            .then_some(Form::Vakonomic);
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
        let applying = |f: &Form| fits(*f, &system) && system.applies(*f).is_ok();
        let mut summary = Summary {
            kind: Kind::of(self.model, &system),
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

    /// Names each constraint that only variational problems treat.
    fn label_jets(&mut self) {
        for c in self.model.constraints.iter().filter(|c| is_jet(c.kind)) {
            let (word, message) = match c.kind {
                ConstraintKind::Nonlinear => (
                    "nonlinear",
                    "this constraint is nonlinear in the velocities: only the form `vakonomic` treats it",
                ),
                _ => (
                    "higher-order",
                    "this constraint has accelerations: only the forms `higher-order` and `vakonomic` treat it",
                ),
            };
            let note = complaint::note(word, c.span, message.into());
            self.reading.add(note);
        }
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
        if start.is_err() && leaves_velocities_open(model) {
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

/// Is a velocity in a nonlinear constraint not stated? It need not be fixed by the constraint, and the start is then
/// not judged.
fn leaves_velocities_open(model: &language::Model) -> bool {
    let open = |v: &Symbol| model.start.get(v).is_none();
    let nonlinear = |c: &&language::Constraint| c.kind == ConstraintKind::Nonlinear;
    let constraints = model.constraints.iter().filter(nonlinear);
    let velocities = model.velocities();
    constraints
        .flat_map(|c| velocities.iter().filter(|v| c.expr.contains(v)))
        .any(open)
}

fn is_jet(kind: ConstraintKind) -> bool {
    matches!(
        kind,
        ConstraintKind::Nonlinear | ConstraintKind::HigherOrder
    )
}

/// Some formulations are another name for the same equations unless the system has what they are named for.
pub(super) fn fits(form: Form, system: &System) -> bool {
    match form {
        Form::EulerPoincare => system.has_groups() && !system.has_coordinates(),
        Form::LagrangePoincare => system.has_groups() && system.has_coordinates(),
        Form::HigherOrder => system.order() > 1,
        _ => true,
    }
}
