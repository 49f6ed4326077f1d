//! `rattleback analyze`: what is true of the system, every verdict with its evidence.

use crate::analysis::{Analysis, AtValues, Question, TOPICS, Topic, question, reviewed};
use crate::arguments::{AnalyzeArguments, Format};
use crate::complaint::{self, Complaint};
use crate::failure::Failure;
use crate::interrupt;
use crate::kind::Kind;
use crate::reading::Reading;
use crate::terminal;
use rattleback::language::{Diagnostic, Model, Values};
use rattleback::mechanics::System;
use rattleback::symbolic::Cancel;
use rattleback::theory::{Answer, CutShort, Effort, Gap, Named, Reason};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// What a cancelled topic may take to hand over what it has.
const GRACE: Duration = Duration::from_millis(500);
/// How often somebody looks whether the work is to be cancelled.
const LOOK: Duration = Duration::from_millis(20);

/// Judges the topics in parallel and writes the page.
pub fn run(arguments: &AnalyzeArguments) -> Result<(), Failure> {
    let questions = questions(&arguments.only)?;
    let limits = Limits::of(arguments)?;
    let end = limits.timeout.and_then(|t| Instant::now().checked_add(t));
    let mut reading = Reading::of(&arguments.model)?;
    let model = reading.take_model()?;
    let built = System::from_model(&model)
        .map_err(|e| reading.complain(Complaint::about_mechanics(&e, &model)))?;
    for remark in &built.remarks {
        reading.add(complaint::remark(remark, &model));
    }
    let kind = Kind::of(&model, &built.system);
    let values = Values::of(&model);
    // Until here there is nothing to keep; what is judged before a signal is shown.
    let stop = interrupt::keep();
    let cancel = Cancel::watching(stop);
    let judge = |asked: &[Question], system| reviewed(judged(asked, system, &limits, &cancel, end));
    let mut topics = judge(&questions, built.system);
    if let Some(here) = model.at_values(&reading.source) {
        let again: Vec<Question> = questions.iter().filter(|q| q.may_differ).copied().collect();
        let mut here = judged_at_values(&again, here, &cancel, |s| judge(&again, s)).into_iter();
        for (topic, q) in topics.iter_mut().zip(&questions) {
            let at_values = match q.may_differ {
                true => here.next().map(|h| AtValues::new(topic, h, &values)),
                false => Some(AtValues::of_formulas(topic, &values)),
            };
            topic.at_values = at_values.map(Box::new);
        }
    }
    let analysis = Analysis {
        sentence: kind.sentence(),
        topics: topics.into_iter().map(|t| t.at(&values)).collect(),
        model: &model,
    };
    let page = match arguments.format {
        _ if arguments.model.json => format!("{:#}\n", analysis.json()),
        Format::Latex => analysis.latex(),
        Format::Text => analysis.text(!arguments.ascii),
        Format::Mathml => {
            let why = "`analyze` writes text or latex; for MathML ask `derive`";
            return Err(Failure::Input(why.into()));
        }
    };
    terminal::write(&page)?;
    match stop.load(Ordering::SeqCst) {
        true => Err(Failure::Computation(
            "interrupted: what was not decided by then is undecided".into(),
        )),
        false => Ok(()),
    }
}

/// The topics asked for, in the order of the page; all of them without a choice.
fn questions(only: &[String]) -> Result<Vec<Question>, Failure> {
    let unknown: Vec<&String> = only.iter().filter(|n| question(n).is_none()).collect();
    if let Some(first) = unknown.first() {
        let known: Vec<String> = TOPICS
            .iter()
            .map(|q| format!("  {:<16} {}", q.name, q.summary))
            .collect();
        return Err(Failure::Input(format!(
            "there is no topic `{first}`; the topics are\n{}",
            known.join("\n")
        )));
    }
    let asked = |q: &&Question| only.is_empty() || only.iter().any(|n| n == q.name);
    Ok(TOPICS.iter().filter(asked).copied().collect())
}

/// The topics of the system with the values of the parameters put in. Where there is no such system, every
/// topic says why.
fn judged_at_values(
    questions: &[Question],
    model: Result<Model, Vec<Diagnostic>>,
    cancel: &Cancel,
    judged: impl FnOnce(System) -> Vec<Topic>,
) -> Vec<Topic> {
    let built = model
        .map_err(|errors| {
            errors
                .first()
                .map_or_else(String::new, |d| d.message.clone())
        })
        .and_then(|m| {
            cancel
                .scope(|| System::from_model(&m))
                .map_err(|e| e.to_string())
        });
    match built {
        Ok(built) => judged(built.system),
        Err(why) => {
            let why = Gap::NoSystemForValues.with("error", why);
            let none = |q: &Question| Topic::new(q.name, q.summary, Answer::undecided(why.clone()));
            questions.iter().map(none).collect()
        }
    }
}

/// What the searches may spend, and when they are cancelled.
struct Limits {
    effort: f64,
    timeout: Option<Duration>,
}

impl Limits {
    fn of(arguments: &AnalyzeArguments) -> Result<Self, Failure> {
        if arguments.budget.is_some() {
            let why = "there is no `--budget` any more: `--effort X` multiplies the work that a search may \
                       spend, `--timeout SECONDS` cancels";
            return Err(Failure::Input(why.into()));
        }
        let effort = arguments.effort;
        if !effort.is_finite() || effort < 0.0 {
            let why = format!("--effort takes a number from 0 on, not {effort}");
            return Err(Failure::Input(why));
        }
        let duration = |s: f64| {
            Duration::try_from_secs_f64(s)
                .map_err(|_| Failure::Input(format!("--timeout takes seconds, not {s}")))
        };
        let timeout = arguments.timeout.map(duration).transpose()?;
        Ok(Self { effort, timeout })
    }
}

/// Each topic on a thread of its own. One that does not obey when it is cancelled is left behind: the program
/// ends without it.
fn judged(
    questions: &[Question],
    system: System,
    limits: &Limits,
    cancel: &Cancel,
    end: Option<Instant>,
) -> Vec<Topic> {
    let system = Arc::new(system);
    let (sender, receiver) = mpsc::channel();
    for (k, q) in questions.iter().copied().enumerate() {
        let (sender, system, cancel) = (sender.clone(), Arc::clone(&system), cancel.clone());
        let effort = limits.effort;
        std::thread::spawn(move || {
            let judge = || cancel.scope(|| q.answer(&system, Effort::of(effort)));
            // A fault in one topic must not take the others along.
            let topic = catch_unwind(AssertUnwindSafe(judge)).unwrap_or_else(|_| {
                Topic::new(q.name, q.summary, Answer::undecided(Gap::ProgramFailed))
            });
            let topic = match cancel.is_cancelled() {
                true => topic.cancelled(),
                false => topic,
            };
            // Nobody listens any more once the grace is over.
            let _ = sender.send((k, topic));
        });
    }
    drop(sender);
    let mut topics: Vec<Option<Topic>> = questions.iter().map(|_| None).collect();
    let mut left_at: Option<Instant> = None;
    while topics.iter().any(Option::is_none) && left_at.is_none_or(|t| Instant::now() < t) {
        match receiver.recv_timeout(LOOK) {
            Ok((k, topic)) => topics[k] = Some(topic),
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => {}
        }
        if end.is_some_and(|t| Instant::now() >= t) {
            cancel.cancel();
        }
        if cancel.is_cancelled() {
            left_at.get_or_insert_with(|| Instant::now() + GRACE);
        }
    }
    let left = |q: &Question| {
        let why = Reason::CutShort(CutShort::Cancelled);
        Topic::new(q.name, q.summary, Answer::undecided(why))
    };
    topics
        .into_iter()
        .zip(questions)
        .map(|(t, q)| t.unwrap_or_else(|| left(q)))
        .collect()
}
