//! `rattleback analyze`: what is true of the system, every verdict with its evidence.

use crate::analysis::{Analysis, AtValues, Question, TOPICS, Topic, question};
use crate::arguments::{AnalyzeArguments, Format};
use crate::complaint::{self, Complaint};
use crate::failure::Failure;
use crate::kind::Kind;
use crate::reading::Reading;
use crate::terminal;
use rattleback::language::{Diagnostic, Model, Values};
use rattleback::mechanics::System;
use rattleback::theory::{Claim, Deadline};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// What a topic may take beyond its budget to come to an end by itself.
const GRACE: Duration = Duration::from_millis(500);

/// Judges the topics in parallel and writes the page.
pub fn run(arguments: &AnalyzeArguments) -> Result<(), Failure> {
    let questions = questions(&arguments.only)?;
    let budget = budget(arguments.budget)?;
    let mut reading = Reading::of(&arguments.model)?;
    let model = reading.take_model()?;
    let built = System::from_model(&model)
        .map_err(|e| reading.complain(Complaint::about_mechanics(&e, &model)))?;
    for remark in &built.remarks {
        reading.add(complaint::remark(remark, &model));
    }
    let kind = Kind::of(&model, &built.system);
    let values = Values::of(&model);
    let mut topics = judged(&questions, built.system, budget);
    let at_values = model.at_values(&reading.source);
    let here = at_values
        .map(|m| judged_at_values(&questions, m, |system| judged(&questions, system, budget)));
    for (topic, here) in topics.iter_mut().zip(here.into_iter().flatten()) {
        topic.at_values = Some(Box::new(AtValues::new(topic, here, &values)));
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
    terminal::write(&page)
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
    judged: impl FnOnce(System) -> Vec<Topic>,
) -> Vec<Topic> {
    let built = model
        .map_err(|errors| {
            errors
                .first()
                .map_or_else(String::new, |d| d.message.clone())
        })
        .and_then(|m| System::from_model(&m).map_err(|e| e.to_string()));
    match built {
        Ok(built) => judged(built.system),
        Err(why) => {
            let why = format!("there is no such system for the values given: {why}");
            let none = |q: &Question| Topic::new(q.name, q.summary, Claim::undecided(&why));
            questions.iter().map(none).collect()
        }
    }
}

fn budget(seconds: f64) -> Result<Duration, Failure> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| Failure::Input(format!("--budget takes seconds, not {seconds}")))
}

/// Each topic on a thread of its own. A topic that does not come to an end in time is left behind: the
/// program ends without it.
fn judged(questions: &[Question], system: System, budget: Duration) -> Vec<Topic> {
    let system = Arc::new(system);
    let (sender, receiver) = mpsc::channel();
    for (k, q) in questions.iter().copied().enumerate() {
        let (sender, system) = (sender.clone(), Arc::clone(&system));
        std::thread::spawn(move || {
            let judge = || (q.judge)(&system, Deadline::after(budget));
            // A fault in one topic must not look like a lack of time, nor take the others along.
            let topic = catch_unwind(AssertUnwindSafe(judge)).unwrap_or_else(|_| {
                let why = "the program failed here; please report this model";
                Topic::new(q.name, q.summary, Claim::undecided(why))
            });
            // Nobody listens any more once the time is up.
            let _ = sender.send((k, topic));
        });
    }
    drop(sender);
    let end = Instant::now() + budget + GRACE;
    let mut topics: Vec<Option<Topic>> = questions.iter().map(|_| None).collect();
    while topics.iter().any(Option::is_none) {
        let left = end.saturating_duration_since(Instant::now());
        match receiver.recv_timeout(left) {
            Ok((k, topic)) => topics[k] = Some(topic),
            Err(_) => break,
        }
    }
    let late = |q: &Question| {
        let why = "the time budget was used up; allow more with --budget";
        Topic::new(q.name, q.summary, Claim::undecided(why))
    };
    topics
        .into_iter()
        .zip(questions)
        .map(|(t, q)| t.unwrap_or_else(|| late(q)))
        .collect()
}
