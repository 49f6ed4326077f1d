//! The topics of an analysis, each judged on a thread of its own.

use super::topic::is_pointwise;
use super::{AtValues, Case, OnPiece, Question, Topic, candidates, reviewed};
use crate::mechanics::{Family, MechanicsError, Parameter, Piece, Problem};
use crate::symbolic::Cancel;
use crate::theory::{Answer, CutShort, Definitions, Effort, Gap, Named, Reason};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// What a cancelled topic may take to hand over what it has.
const GRACE: Duration = Duration::from_millis(500);
/// How often somebody looks whether the work is to be cancelled.
const LOOK: Duration = Duration::from_millis(20);

/// What is judged.
pub struct Subject {
    /// The problem on its piece.
    all: Arc<Problem>,
    /// The problem close to a point, where its functions may not be analytic on all of the piece.
    near: Option<Arc<Problem>>,
}

impl Subject {
    /// A problem in one piece.
    pub fn whole(problem: impl Into<Arc<Problem>>) -> Self {
        Self {
            all: problem.into(),
            near: None,
        }
    }

    /// A problem on one of its pieces.
    pub fn of(piece: &Piece) -> Result<Self, MechanicsError> {
        let posed = |family: &Family| family.problem().map(Arc::new);
        let near = piece.near.as_ref().map(|(near, _)| posed(near));
        Ok(Self {
            all: posed(&piece.family)?,
            near: near.transpose()?,
        })
    }

    /// The problem that is judged.
    pub fn problem(&self) -> &Arc<Problem> {
        &self.all
    }
}

/// Who judges, within which limits.
pub struct Judges<'a> {
    /// Whoever cancels; what is not decided by then is undecided.
    pub cancel: Cancel,
    /// How much work a search may spend, as a multiple of the usual.
    pub effort: f64,
    /// When it is cancelled at the latest.
    pub end: Option<Instant>,
    /// Who hears which share of the topics is judged.
    pub progress: &'a dyn Fn(f64),
}

impl Judges<'_> {
    /// All topics, each also at the values of the parameters where there are some: both are judged side by side.
    pub fn topics(&self, questions: &[Question], family: &Family, subject: &Subject) -> Vec<Topic> {
        let problem = subject.problem();
        let values = &problem.values;
        let definitions = definitions(problem);
        let again: Vec<Question> = questions.iter().filter(|q| q.may_differ).copied().collect();
        let general = self.begin(questions, subject);
        let here = family.at_values();
        let here = here.map(|family| self.begin_at_values(&again, family));
        let judged = reviewed(self.finish(questions, &general)).into_iter();
        let mut topics: Vec<Topic> = judged.map(|t| t.keeping(&definitions)).collect();
        let Some(here) = here else {
            return topics.into_iter().map(|t| t.at(values)).collect();
        };
        let mut here = self.finish_at_values(&again, here).into_iter();
        for (topic, q) in topics.iter_mut().zip(questions) {
            let at_values = match q.may_differ {
                true => here.next().map(|h| AtValues::new(topic, h, values)),
                false => Some(AtValues::of_formulas(topic, values)),
            };
            topic.at_values = at_values.map(Box::new);
        }
        let mut marked: Vec<Topic> = topics.into_iter().map(|t| t.at(values)).collect();
        for (topic, q) in marked.iter_mut().zip(questions) {
            self.explain(topic, *q, family, problem);
        }
        marked
    }

    /// Looks for the parameter behind a verdict that is another one at the values.
    fn explain(&self, topic: &mut Topic, q: Question, family: &Family, problem: &Problem) {
        if !topic.lacks_case() {
            return;
        }
        for candidate in candidates(problem) {
            let there = self.cancel.scope(|| {
                let special = family.with_parameters(&candidate.fixed)?;
                // Which piece it would be about is another question.
                let whole = special.piece().is_none().then_some(special)?;
                whole.problem().ok()
            });
            let Some(problem) = there.filter(|_| !self.cancel.is_cancelled()) else {
                continue;
            };
            let begun = self.begin(&[q], &Subject::whole(problem));
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
        family: Result<Family, String>,
    ) -> Result<(Begun, Option<OnPiece>), String> {
        let family = family?;
        let piece = self.cancel.scope(|| family.piece());
        let about = piece.as_ref().map(OnPiece::of);
        let posed = self.cancel.scope(|| match &piece {
            None => family.problem().map(Subject::whole),
            Some(piece) => Subject::of(piece),
        });
        let subject = posed.map_err(|e| e.to_string())?;
        Ok((self.begin(questions, &subject), about))
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
    fn begin(&self, questions: &[Question], subject: &Subject) -> Begun {
        let (sender, receiver) = mpsc::channel();
        let case = |problem: &Arc<Problem>| Arc::new(Case::new(Arc::clone(problem)));
        let (all, near) = (case(&subject.all), subject.near.as_ref().map(case));
        for (k, q) in questions.iter().copied().enumerate() {
            let case = near.as_ref().filter(|_| !is_pointwise(q.name));
            let (sender, case) = (sender.clone(), Arc::clone(case.unwrap_or(&all)));
            let (cancel, effort) = (self.cancel.clone(), self.effort);
            std::thread::spawn(move || {
                // Nobody listens any more once the grace is over.
                let _ = sender.send((k, answer(q, &case, effort, &cancel)));
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
                    (self.progress)(share);
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
fn definitions(problem: &Problem) -> Definitions {
    let derived = |p: &&Parameter| !p.value.free_symbols().is_empty();
    let derived = problem.parameters.iter().filter(derived);
    Definitions {
        derived: derived
            .map(|p| (p.symbol.clone(), p.value.clone()))
            .collect(),
        values: problem.values.pairs().to_vec(),
    }
}

/// One topic, judged under the token.
fn answer(q: Question, case: &Case, effort: f64, cancel: &Cancel) -> Topic {
    let judge = || cancel.scope(|| q.answer(case, Effort::of(effort)));
    // A fault in one topic must not take the others along.
    let topic = catch_unwind(AssertUnwindSafe(judge))
        .unwrap_or_else(|_| Topic::new(q.name, q.summary, Answer::undecided(Gap::ProgramFailed)));
    match cancel.is_cancelled() {
        true => topic.cancelled(),
        false => topic,
    }
}
