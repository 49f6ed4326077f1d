//! What is true of a system: its topics, asked for and put together.

use super::{Error, Model, Phase};
use crate::analysis::{
    Analysis, Judges, OnPiece, Question, STEERING, Subject, TOPICS, Topic, questions,
};
use crate::complaint::{self, Complaint};
use crate::kind::Kind;
use crate::mechanics::{Family, Problem, Remark, RemarkKind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A question about what is true of a system.
///
/// ```
/// use rattleback::Model;
///
/// let model = Model::read(
///     "system particle\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint z' = y*x'\n",
/// )?;
/// let analysis = model.analyze().only(&["distribution"])?.run()?;
/// assert_eq!(analysis.json()["distribution"]["bracket_generating"], true);
/// # Ok::<(), rattleback::Error>(())
/// ```
#[derive(Clone)]
pub struct AnalysisRequest<'a> {
    model: &'a Model,
    questions: Vec<Question>,
    effort: f64,
    end: Option<Instant>,
}

impl<'a> AnalysisRequest<'a> {
    pub(super) fn new(model: &'a Model) -> Self {
        Self {
            model,
            questions: TOPICS.to_vec(),
            effort: 1.0,
            end: None,
        }
    }

    /// Only these topics, in the order of the page; all of them where there are none.
    pub fn only<S: AsRef<str>>(mut self, names: &[S]) -> Result<Self, Error> {
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        self.questions = questions(&names).map_err(Error::Request)?;
        Ok(self)
    }

    /// How much work a search may spend, as a multiple of the usual.
    pub fn effort(mut self, effort: f64) -> Result<Self, Error> {
        if !effort.is_finite() || effort < 0.0 {
            let why = format!("the effort is a number from 0 on, not {effort}");
            return Err(Error::Request(why));
        }
        self.effort = effort;
        Ok(self)
    }

    /// Cancels after some time from now: what is not decided by then is undecided.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        // A time beyond all clocks is never.
        self.end = Instant::now().checked_add(timeout);
        self
    }

    /// The topics that are judged: without a choice steering only where there are controls.
    fn asked(&self, problem: &Problem) -> Vec<Question> {
        let all = self.questions.len() == TOPICS.len();
        let is_asked = |q: &&Question| !(all && q.name == STEERING && problem.controls.is_empty());
        self.questions.iter().filter(is_asked).copied().collect()
    }

    /// Judges the topics. What was found before the session was cancelled is kept, the rest is undecided.
    pub fn run(&self) -> Result<Analysis, Error> {
        let (session, model) = (&self.model.session, &self.model.declared);
        let posed = self.model.posed(None)?;
        let mut reading = posed.reading;
        let closes = |r: &&Remark| r.kind == RemarkKind::NotPeriodic;
        for remark in posed.problem.remarks.iter().filter(closes) {
            reading.add(complaint::remark(remark, model));
        }
        let questions = self.asked(&posed.problem);
        // Every topic is about a Lagrangian, but for steering.
        if questions.iter().any(|q| q.name != STEERING) {
            let lagrangian = posed.problem.system.check_lagrangian("analyze");
            lagrangian.map_err(|e| reading.complain(Complaint::about_mechanics(&e, model)))?;
            refuse_auxiliary(&posed.problem)?;
        }
        let kind = || Kind::of(&posed.problem, &posed.problem.open());
        let kind = session.during(Phase::Deriving, kind)?;
        let judges = Judges {
            progress: &|share| session.progress(Phase::Proving, share),
            cancel: session.cancel.child(),
            effort: self.effort,
            end: self.end,
        };
        let whole = Family::new(Arc::clone(model), Arc::clone(&reading.source));
        let piece = judges.cancel.scope(|| whole.piece());
        let about = piece.as_ref().map(OnPiece::of);
        let (family, subject) = match piece {
            None => (whole, Subject::whole(posed.problem)),
            Some(piece) => {
                let on_piece = judges.cancel.scope(|| Subject::of(&piece));
                let subject = on_piece
                    .map_err(|e| reading.complain(Complaint::about_mechanics(&e, model)))?;
                (piece.family, subject)
            }
        };
        let topics = judges.topics(&questions, &family, &subject).into_iter();
        let judged = |t: Topic| match &about {
            Some(piece) => piece.judged(t),
            None => t,
        };
        Ok(Analysis {
            sentence: kind.sentence(),
            topics: topics.map(judged).collect(),
            piece: about,
            problem: Arc::clone(subject.problem()),
            is_cut_short: judges.cancel.is_cancelled(),
        })
    }
}

/// Proofs about a Lagrangian take its other variables for constants of nature; auxiliary states are none.
fn refuse_auxiliary(problem: &Problem) -> Result<(), Error> {
    match problem.system.has_auxiliary_lagrangian() {
        true => Err(Error::Request(
            "`analyze` does not treat a Lagrangian or constraints with auxiliary states: what moves by a rate of its \
             own is neither a coordinate nor a parameter; make it one of them"
                .into(),
        )),
        false => Ok(()),
    }
}
