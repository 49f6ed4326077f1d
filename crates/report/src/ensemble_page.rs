//! What an ensemble came to, for a person and for a machine.

use crate::Table;
use crate::document::{Block, Data, Document, Name, Remark, Tabular};
use crate::ensemble::{Ensemble, Finished, Members, Statistics, Status};
use crate::integrate::Crossings;
use crate::mechanics::Problem;
use crate::notes;
use rattleback_numeric::number::shown;
use serde_json::{Map, Value, json};

/// The room that names take.
const NAMES: usize = 8;

/// What became of an event in all members.
#[derive(Clone, Copy, Debug, Default)]
struct Happened {
    times: u64,
    first: Statistics,
    /// Members of which crossings may be missing.
    blurred: u64,
}

/// The names of an ensemble's events: `event1`, `event2`, …, `stop1`, ….
pub fn event_names(ensemble: &Ensemble) -> Vec<String> {
    let mut numbers = [0; 2];
    let named = ensemble.events.iter().map(|event| {
        let number = &mut numbers[usize::from(event.terminal)];
        *number += 1;
        let word = if event.terminal { "stop" } else { "event" };
        format!("{word}{number}")
    });
    named.collect()
}

/// The result of an ensemble, gathered member by member.
pub struct EnsemblePage<'a> {
    problem: &'a Problem,
    ensemble: &'a Ensemble,
    names: Vec<String>,
    statistics: Vec<Statistics>,
    failures: Vec<(Status, u64)>,
    events: Vec<Happened>,
    members: u64,
    steps: u64,
    /// Members taken over from an interrupted run.
    pub kept: usize,
    /// Seconds of the run.
    pub seconds: f64,
    /// Controls that tables feed.
    pub fed: Vec<String>,
    /// What is to be said of laws that tables replace.
    pub replaced: Vec<String>,
}

impl<'a> EnsemblePage<'a> {
    /// Nothing gathered yet; quantities have their names in the table.
    pub fn new(problem: &'a Problem, ensemble: &'a Ensemble, table: &Table) -> Self {
        let motion = &ensemble.motion;
        // The quantities at the end follow the member's number, what was given, and the time.
        let ends = table
            .columns
            .iter()
            .skip(2 + ensemble.members.names().len());
        let names: Vec<String> = ends
            .take(motion.state.len() + motion.records.len())
            .map(|column| column.name.clone())
            .collect();
        Self {
            problem,
            ensemble,
            statistics: vec![Statistics::new(); names.len()],
            names,
            failures: Vec::new(),
            events: vec![Happened::default(); ensemble.events.len()],
            members: 0,
            steps: 0,
            kept: 0,
            seconds: 0.0,
            fed: Vec::new(),
            replaced: Vec::new(),
        }
    }

    /// Who the members are.
    pub fn members_of(&self) -> std::sync::Arc<Members> {
        self.ensemble.members.clone()
    }

    /// Takes one member.
    pub fn push(&mut self, member: &Finished<'_>) {
        self.members += 1;
        self.steps += member.steps;
        self.gather(member);
    }

    /// Takes a member of an earlier run from its row: number, what was given, time and quantities at the
    /// end, events, status, steps.
    pub fn keep(&mut self, row: &[f64]) {
        self.kept += 1;
        let (given, rest) = row[1..].split_at(self.ensemble.members.names().len());
        let (ends, rest) = rest.split_at(1 + self.names.len());
        let mut rest = rest.iter().copied();
        let mut next = || rest.next().unwrap_or(f64::NAN);
        let mut events = Vec::with_capacity(self.ensemble.events.len());
        for event in &self.ensemble.events {
            let first = next();
            let count = match event.terminal {
                true => u64::from(!first.is_nan()),
                false => next() as u64,
            };
            events.push(Crossings {
                first,
                count,
                blurred: false,
            });
        }
        let status = Status::of_code(next()).unwrap_or(Status::Fault);
        self.gather(&Finished {
            member: row[0] as usize,
            given,
            status,
            steps: next() as u64,
            row: ends,
            events: &events,
            stopped_by: None,
        });
    }

    fn gather(&mut self, member: &Finished<'_>) {
        for (all, one) in self.events.iter_mut().zip(member.events) {
            all.times += one.count;
            all.first.push(one.first);
            all.blurred += u64::from(one.blurred);
        }
        if member.status == Status::Finished {
            for (s, x) in self.statistics.iter_mut().zip(&member.row[1..]) {
                s.push(*x);
            }
            return;
        }
        match self.failures.iter_mut().find(|(s, _)| *s == member.status) {
            Some((_, n)) => *n += 1,
            None => self.failures.push((member.status, 1)),
        }
    }

    fn failed(&self) -> u64 {
        self.failures.iter().map(|(_, n)| n).sum()
    }

    fn is_interrupted(&self) -> bool {
        (self.members as usize) + self.kept < self.ensemble.members.count()
    }

    /// An ensemble that was interrupted, or of which no member came to its end, has failed.
    pub fn check(&self, is_written: bool) -> Result<(), String> {
        let done = self.members + self.kept as u64;
        if self.is_interrupted() {
            let help = "\n  help: go on with the same command and ‹resume›";
            return Err(format!(
                "interrupted after {done} of {} members{}",
                self.ensemble.members.count(),
                if is_written { help } else { "" }
            ));
        }
        if done == 0 || self.failed() < done {
            return Ok(());
        }
        let causes: Vec<&str> = self.failures.iter().map(|(s, _)| word(*s)).collect();
        Err(format!(
            "every member failed: {}\n  help: `rattleback simulate` with the values of one of them tells \
             where and why",
            causes.join(", ")
        ))
    }

    /// The page in no notation yet.
    pub fn document(&self) -> Document {
        let count = self.ensemble.members.count();
        let title = format!(
            "{}: ensemble of {count} members",
            self.problem.system.name()
        );
        let document = Document::new(title)
            .with_data(Data::Plain(self.data()))
            .section("", [Block::Table(self.spreads())]);
        Document {
            opening: vec![Block::Rows(NAMES, self.how())],
            remarks: self.warnings().into_iter().map(Remark::Warning).collect(),
            ..document
        }
        .with_notes(self.notes())
    }

    /// JSON for a machine.
    pub fn json(&self) -> Value {
        self.data()
    }

    /// A summary for a person.
    pub fn text(&self) -> String {
        self.document().text(false)
    }

    /// What a machine is told.
    fn data(&self) -> Value {
        let failures: Map<String, Value> = self
            .failures
            .iter()
            .map(|(status, n)| (word(*status).replace(' ', "_"), json!(n)))
            .collect();
        let quantities: Map<String, Value> = self
            .names
            .iter()
            .zip(&self.statistics)
            .map(|(name, s)| (name.clone(), spread(s)))
            .collect();
        let events: Map<String, Value> = self
            .named_events()
            .map(|(name, text, found)| {
                let value = json!({
                    "event": text,
                    "members": found.first.count(),
                    "times": found.times,
                    "first": spread(&found.first),
                });
                (name, value)
            })
            .collect();
        json!({
            "system": self.problem.system.name(),
            "form": self.ensemble.motion.form.name(),
            "method": self.ensemble.method.name(),
            "members": self.ensemble.members.count(),
            "finished": self.members,
            "kept": self.kept,
            "interrupted": self.is_interrupted(),
            "failed": self.failed(),
            "failures": failures,
            "steps": self.steps,
            "wall_seconds": self.seconds,
            "members_per_second": self.members as f64 / self.seconds,
            "varied": self.ensemble.members.names(),
            "events": events,
            "final": quantities,
            "notes": self.notes(),
            "warnings": self.warnings(),
        })
    }

    fn named_events(&self) -> impl Iterator<Item = (String, &str, &Happened)> {
        let texts = self.ensemble.events.iter().map(|e| e.text.as_str());
        let named = event_names(self.ensemble).into_iter().zip(texts);
        named
            .zip(&self.events)
            .map(|((name, text), found)| (name, text, found))
    }

    /// What was asked for, what it took, who failed, what happened on the way.
    fn how(&self) -> Vec<(String, String)> {
        let e = self.ensemble;
        let rate = shown((self.members as f64 / self.seconds).round(), 0.0);
        let work = format!(
            "{} members in {:.3} s, {rate} per second, {} steps",
            self.members, self.seconds, self.steps
        );
        let mut rows: Vec<(String, String)> = Vec::new();
        let mut put = |name: &str, value: String| rows.push((name.to_owned(), value));
        put("form", e.motion.form.to_string());
        put("method", e.method.to_string());
        put("varied", e.members.names().join(", "));
        put(
            "time",
            match e.has_varied_end() {
                true => format!("{} .. an end of each member's own", shown(e.from, 0.0)),
                false => format!("{} .. {}", shown(e.from, 0.0), shown(e.until, 0.0)),
            },
        );
        put("work", work);
        if self.kept > 0 {
            put("kept", format!("{} members of the earlier run", self.kept));
        }
        for (status, n) in &self.failures {
            put("failed", format!("{n} members: {}", word(*status)));
        }
        for (name, text, found) in self.named_events() {
            let Happened { times, first, .. } = found;
            let when = match first.count() {
                0 => String::new(),
                _ => {
                    let (least, greatest) = (shown(first.least, 0.0), shown(first.greatest, 0.0));
                    format!(", first at t = {least} .. {greatest}")
                }
            };
            let members = first.count();
            put(
                &name,
                format!("{text}: {times} times in {members} members{when}"),
            );
        }
        rows
    }

    /// Mean, deviation and range of every quantity at the end.
    fn spreads(&self) -> Tabular {
        let head = ["at the end", "mean", "deviation", "least", "greatest"];
        let row = |(name, s): (&String, &Statistics)| {
            let cell = |x: Option<f64>| x.map_or("-".into(), |x| shown(x, 0.0));
            let some = |x: f64| cell((s.count() > 0).then_some(x));
            let cells = [
                cell(s.mean()),
                cell(s.deviation()),
                some(s.least),
                some(s.greatest),
            ];
            (Name::Plain(name.clone()), cells.to_vec())
        };
        let rows = self.names.iter().zip(&self.statistics).map(row);
        Tabular::of_words(&head, rows, true)
    }

    /// Members meet what is narrow, or fail; of events that turn too often crossings may be missing.
    fn warnings(&self) -> Vec<String> {
        let blurred = self.named_events().filter(|(.., all)| all.blurred > 0);
        let warning = |(_, text, all): (String, &str, &Happened)| {
            format!(
                "crossings of `{text}` may be missing in {} of the members: it turns too often to be followed; \
                 try a smaller ‹step›",
                all.blurred
            )
        };
        blurred.map(warning).collect()
    }

    fn notes(&self) -> Vec<String> {
        let form = self.ensemble.motion.form;
        let fed = [self.ensemble.members.names(), self.fed.clone()].concat();
        let mut all = notes::on_motion(self.problem, "ensemble", &[form], &fed);
        all.extend(self.replaced.iter().cloned());
        all.extend(notes::on_start(&self.ensemble.assembled));
        all
    }
}

/// Mean, deviation and range for a machine.
fn spread(s: &Statistics) -> Value {
    let range = (s.count() > 0).then_some((s.least, s.greatest));
    json!({
        "mean": s.mean(),
        "deviation": s.deviation(),
        "min": range.map(|r| r.0),
        "max": range.map(|r| r.1),
    })
}

fn word(status: Status) -> &'static str {
    match status {
        Status::Finished => "finished",
        Status::StepUnderflow => "step underflow",
        Status::Fault => "equations without a value, or beyond what the model assumes",
        Status::TooManySteps => "too many steps",
        Status::BadStart => "bad start",
        Status::OffBalance => "off the balance of energy",
    }
}
