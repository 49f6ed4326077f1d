//! What is true of a system: its topics, each judged on a thread of its own.

use super::{Error, Model, Phase, Session};
use crate::analysis::{
    Analysis, AtValues, OnPiece, Question, STEERING, TOPICS, Topic, candidates, question, reviewed,
};
use crate::complaint::{self, Complaint};
use crate::kind::Kind;
use crate::language::{self, Diagnostic, Source, Values};
use crate::mechanics::{Problem, Remark, RemarkKind};
use crate::symbolic::Cancel;
use crate::theory::{Answer, CutShort, Definitions, Effort, Gap, Named, Reason};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// What a cancelled topic may take to hand over what it has.
const GRACE: Duration = Duration::from_millis(500);
/// How often somebody looks whether the work is to be cancelled.
const LOOK: Duration = Duration::from_millis(20);

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
        if let Some(unknown) = names.iter().find(|n| question(n).is_none()) {
            let line = |q: &Question| format!("  {:<16} {}", q.name, q.summary);
            let known: Vec<String> = TOPICS.iter().map(line).collect();
            return Err(Error::Request(format!(
                "there is no topic `{unknown}`; the topics are\n{}",
                known.join("\n")
            )));
        }
        if !names.is_empty() {
            self.questions.retain(|q| names.contains(&q.name));
        }
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
        let kind = session.during(Phase::Deriving, || Kind::of(model, &posed.problem.open()))?;
        let source = reading.source.clone();
        let judges = Judges {
            session,
            source: &source,
            cancel: session.cancel.child(),
            effort: self.effort,
            end: self.end,
        };
        let piece = judges.cancel.scope(|| model.piece(&source));
        let about = piece.as_ref().map(OnPiece::of);
        let (model, problem) = match piece {
            None => (Arc::clone(model), posed.problem),
            Some(piece) => {
                let on_piece = judges.cancel.scope(|| Problem::from_model(&piece.model));
                let problem = on_piece
                    .map_err(|e| reading.complain(Complaint::about_mechanics(&e, &piece.model)))?;
                (Arc::new(piece.model), Arc::new(problem))
            }
        };
        let topics = judges.topics(&questions, &model, problem).into_iter();
        let judged = |t: Topic| match &about {
            Some(piece) => piece.judged(t),
            None => t,
        };
        Ok(Analysis {
            sentence: kind.sentence(),
            topics: topics.map(judged).collect(),
            piece: about,
            model,
            is_cut_short: judges.cancel.is_cancelled(),
        })
    }
}

/// Who judges, within which limits.
struct Judges<'a> {
    session: &'a Session,
    source: &'a Source,
    cancel: Cancel,
    effort: f64,
    end: Option<Instant>,
}

impl Judges<'_> {
    /// All topics, each also at the values of the parameters where there are some: both are judged side by side.
    fn topics(
        &self,
        questions: &[Question],
        model: &language::Model,
        problem: Arc<Problem>,
    ) -> Vec<Topic> {
        let values = Values::of(model);
        let definitions = definitions(model, &values);
        let again: Vec<Question> = questions.iter().filter(|q| q.may_differ).copied().collect();
        let general = self.begin(questions, &problem);
        let here = model
            .at_values(self.source)
            .map(|m| self.begin_at_values(&again, m));
        let judged = reviewed(self.finish(questions, &general)).into_iter();
        let mut topics: Vec<Topic> = judged.map(|t| t.keeping(&definitions)).collect();
        let Some(here) = here else {
            return topics.into_iter().map(|t| t.at(&values)).collect();
        };
        let mut here = self.finish_at_values(&again, here).into_iter();
        for (topic, q) in topics.iter_mut().zip(questions) {
            let at_values = match q.may_differ {
                true => here.next().map(|h| AtValues::new(topic, h, &values)),
                false => Some(AtValues::of_formulas(topic, &values)),
            };
            topic.at_values = at_values.map(Box::new);
        }
        let mut marked: Vec<Topic> = topics.into_iter().map(|t| t.at(&values)).collect();
        for (topic, q) in marked.iter_mut().zip(questions) {
            self.explain(topic, *q, model, &values);
        }
        marked
    }

    /// Looks for the parameter behind a verdict that is another one at the values.
    fn explain(&self, topic: &mut Topic, q: Question, model: &language::Model, values: &Values) {
        if !topic.lacks_case() {
            return;
        }
        for candidate in candidates(model, values) {
            let there = self.cancel.scope(|| {
                let special = model.with_parameters(self.source, &candidate.fixed)?;
                // Which piece it would be about is another question.
                let whole = special.piece(self.source).is_none().then_some(special)?;
                Problem::from_model(&whole).ok()
            });
            let Some(problem) = there.filter(|_| !self.cancel.is_cancelled()) else {
                continue;
            };
            let begun = self.begin(&[q], &Arc::new(problem));
            let judged = reviewed(self.finish(&[q], &begun));
            if judged
                .first()
                .is_some_and(|t| topic.explained_by(&candidate, t))
            {
                return;
            }
        }
    }

    /// Begins the topics of the system with the values of the parameters put in, with the piece that they are about;
    /// the reason where there is no such system.
    fn begin_at_values(
        &self,
        questions: &[Question],
        model: Result<language::Model, Vec<Diagnostic>>,
    ) -> Result<(Begun, Option<OnPiece>), String> {
        let first =
            |all: Vec<Diagnostic>| all.first().map_or_else(String::new, |d| d.message.clone());
        let model = model.map_err(first)?;
        let piece = self.cancel.scope(|| model.piece(self.source));
        let about = piece.as_ref().map(OnPiece::of);
        let model = piece.map_or(model, |p| p.model);
        let posed = self.cancel.scope(|| Problem::from_model(&model));
        let problem = Arc::new(posed.map_err(|e| e.to_string())?);
        Ok((self.begin(questions, &problem), about))
    }

    /// Those topics. Where there is no such system, every topic says why.
    fn finish_at_values(
        &self,
        questions: &[Question],
        begun: Result<(Begun, Option<OnPiece>), String>,
    ) -> Vec<Topic> {
        match begun {
            Ok((begun, about)) => {
                let topics = reviewed(self.finish(questions, &begun)).into_iter();
                match about {
                    Some(piece) => topics.map(|t| piece.judged(t)).collect(),
                    None => topics.collect(),
                }
            }
            Err(why) => {
                let why = Gap::NoSystemForValues.with("error", why);
                let none =
                    |q: &Question| Topic::new(q.name, q.summary, Answer::undecided(why.clone()));
                questions.iter().map(none).collect()
            }
        }
    }

    /// Begins each topic on a thread of its own.
    fn begin(&self, questions: &[Question], problem: &Arc<Problem>) -> Begun {
        let (sender, receiver) = mpsc::channel();
        for (k, q) in questions.iter().copied().enumerate() {
            let (sender, problem) = (sender.clone(), Arc::clone(problem));
            let (cancel, effort) = (self.cancel.clone(), self.effort);
            std::thread::spawn(move || {
                // Nobody listens any more once the grace is over.
                let _ = sender.send((k, answer(q, &problem, effort, &cancel)));
            });
        }
        receiver
    }

    /// The topics that were begun. One that does not obey when it is cancelled is left behind.
    fn finish(&self, questions: &[Question], begun: &Begun) -> Vec<Topic> {
        let mut topics: Vec<Option<Topic>> = questions.iter().map(|_| None).collect();
        let mut left_at: Option<Instant> = None;
        let mut done = 0;
        while done < topics.len() && left_at.is_none_or(|t| Instant::now() < t) {
            match begun.recv_timeout(LOOK) {
                Ok((k, topic)) => {
                    topics[k] = Some(topic);
                    done += 1;
                    let share = done as f64 / topics.len() as f64;
                    self.session.progress(Phase::Proving, share);
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Err(mpsc::RecvTimeoutError::Timeout) => {}
            }
            if self.end.is_some_and(|t| Instant::now() >= t) {
                self.cancel.cancel();
            }
            if self.cancel.is_cancelled() {
                left_at.get_or_insert_with(|| Instant::now() + GRACE);
            }
        }
        let left = |q: &Question| {
            let why = Reason::CutShort(CutShort::Cancelled);
            Topic::new(q.name, q.summary, Answer::undecided(why))
        };
        let all = topics.into_iter().zip(questions);
        all.map(|(t, q)| t.unwrap_or_else(|| left(q))).collect()
    }
}

/// Topics that are being judged, by their numbers.
type Begun = mpsc::Receiver<(usize, Topic)>;

/// The parameters that are defined by others.
fn definitions(model: &language::Model, values: &Values) -> Definitions {
    let derived = |p: &&language::Parameter| !p.value.free_symbols().is_empty();
    let derived = model.parameters.iter().filter(derived);
    Definitions {
        derived: derived
            .map(|p| (p.symbol.clone(), p.value.clone()))
            .collect(),
        values: values.pairs().to_vec(),
    }
}

/// One topic, judged under the token.
fn answer(q: Question, problem: &Problem, effort: f64, cancel: &Cancel) -> Topic {
    let judge = || cancel.scope(|| q.answer(problem, Effort::of(effort)));
    // A fault in one topic must not take the others along.
    let topic = catch_unwind(AssertUnwindSafe(judge))
        .unwrap_or_else(|_| Topic::new(q.name, q.summary, Answer::undecided(Gap::ProgramFailed)));
    match cancel.is_cancelled() {
        true => topic.cancelled(),
        false => topic,
    }
}

/// Proofs about a Lagrangian take its other variables for constants of nature; auxiliary states are none.
fn refuse_auxiliary(problem: &Problem) -> Result<(), Error> {
    let states = problem.system.auxiliary().iter();
    let states: Vec<_> = states
        .flat_map(|(z, _)| [z.clone(), z.derivative()])
        .collect();
    let constraints = problem.system.constraints();
    let mut all = std::iter::once(problem.system.lagrangian())
        .chain(constraints.forms().entries())
        .chain(constraints.offsets());
    match all.any(|e| e.contains_any(&states)) {
        true => Err(Error::Request(
            "`analyze` does not treat a Lagrangian or constraints with auxiliary states: what moves by a rate of its \
             own is neither a coordinate nor a parameter; make it one of them"
                .into(),
        )),
        false => Ok(()),
    }
}
