//! What a simulation came to, for a person and for a machine.

use crate::compile::RecordKind;
use crate::document::{Block, Data, Document, Remark};
use crate::integrate::End;
use crate::mechanics::Problem;
use crate::sheet::element::folded;
use crate::simulation::{Coarser, Method, Momentum, Outcome, Simulation, Size};
use rattleback_control::Exponent;
use rattleback_numeric::number::shown;
use serde_json::{Map, Value, json};

/// Steps after which an explicit method may not be the right one, where they are also many for a row.
const MANY_STEPS: f64 = 20_000.0;
const MANY_FOR_A_ROW: f64 = 10.0;

/// The room that names take.
const NAMES: usize = 11;

/// The result of one simulation.
pub struct Page<'a> {
    /// The problem that the model poses.
    pub problem: &'a Problem,
    /// What was followed and how.
    pub simulation: &'a Simulation,
    /// What it came to.
    pub outcome: &'a Outcome,
    /// The events as they were written.
    pub events: Vec<String>,
    /// Which event is a section, whose crossings are the rows.
    pub section: Option<usize>,
    /// The Lyapunov exponents that were asked for.
    pub lyapunov: Option<Vec<Exponent>>,
    /// What is worth knowing of how the model was read.
    pub notes: Vec<String>,
}

impl Page<'_> {
    /// The last values of the columns of some kinds, by name.
    fn last(&self, wanted: impl Fn(RecordKind) -> bool) -> Vec<(String, f64)> {
        let columns = self.columns();
        let wanted = columns.into_iter().filter(|c| wanted(c.kind));
        wanted.map(|c| (c.name, c.value)).collect()
    }

    /// All columns but the time, at the end.
    fn columns(&self) -> Vec<Column> {
        let motion = &self.simulation.motion;
        let state = motion.state.iter().map(ToString::to_string);
        let state = state.zip(motion.kinds.iter().copied());
        let records = motion.records.iter().map(|r| (r.name.clone(), r.kind));
        let values = self.outcome.row.iter().skip(1);
        let values = values.zip(self.outcome.sizes.iter().skip(1));
        let column =
            |((name, kind), (value, size)): ((String, RecordKind), (&f64, &Size))| Column {
                name,
                kind,
                value: *value,
                size: *size,
            };
        state.chain(records).zip(values).map(column).collect()
    }

    /// The last values of the columns of some kinds for a person: what is rounding beside what the column was, or
    /// beside others of its kind, is 0.
    fn shown(&self, wanted: impl Fn(RecordKind) -> bool) -> [Block; 1] {
        let columns = self.columns();
        let beside = |kind: RecordKind| {
            let kin = columns.iter().filter(|c| c.kind == kind);
            kin.fold(0.0, |m: f64, c| m.max(c.size.largest))
        };
        let shown = columns.iter().filter(|c| wanted(c.kind)).map(|c| {
            let is_rounding = c.size.is_rounding(beside(c.kind));
            let text = match is_rounding {
                true => "0".into(),
                false => of_motion(c.value, c.size.largest),
            };
            (c.name.clone(), text)
        });
        [Block::Values(shown.collect())]
    }

    /// The last state, elements of groups as they are written.
    fn at_the_end(&self) -> [Block; 1] {
        let fold = |block| match block {
            Block::Values(all) => Block::Values(folded(self.problem, all)),
            other => other,
        };
        self.shown(is_state).map(fold)
    }

    fn final_state(&self) -> Vec<(String, f64)> {
        self.last(is_state)
    }

    fn time(&self) -> f64 {
        self.outcome.row.first().copied().unwrap_or(f64::NAN)
    }

    fn ended(&self) -> String {
        match self.outcome.end {
            Some(End::Reached) => "end time".into(),
            Some(End::Event(k)) => format!("event {}", self.events[k]),
            Some(End::Observer) => "output failed".into(),
            Some(End::Stopped) => "interrupted".into(),
            None => "failed".into(),
        }
    }

    /// Why the motion did not come to its end.
    pub fn error(&self) -> Option<String> {
        let interrupted = || {
            let time = self.time();
            format!("interrupted at t = {time}: the rows so far are kept")
        };
        let stopped = self.outcome.end == Some(End::Stopped);
        let failure = self.outcome.failure.clone();
        failure.or_else(|| stopped.then(interrupted))
    }

    fn accuracy(&self) -> String {
        let s = self.simulation;
        if s.method.is_adaptive() {
            format!("rtol {:e}, atol {:e}", s.options.rtol, s.options.atol)
        } else {
            format!("step {}", s.step)
        }
    }

    /// The page in no notation yet.
    pub fn document(&self) -> Document {
        let title = self.problem.title.as_ref();
        let title = title.map_or(String::new(), |t| format!(": {t}"));
        let mut document = Document::new(format!("{}{title}", self.problem.system.name()))
            .with_data(Data::Plain(self.data()))
            .section("at the end", self.at_the_end())
            .section("controls", self.shown(|k| k == RecordKind::Control))
            .section("observed", self.shown(|k| k == RecordKind::Observable));
        document.opening = vec![Block::Rows(NAMES, self.how())];
        let document = document
            .section("how well it held", [self.held()])
            .section("momenta that need not be conserved", [self.changing()])
            .section("events", [Block::Lines(self.fired())])
            .section(
                "Lyapunov exponents per unit of time",
                [Block::Lines(self.exponents())],
            );
        let warnings = self.outcome.warnings.iter().cloned();
        Document {
            remarks: warnings.map(Remark::Warning).collect(),
            ..document
        }
        .with_notes(self.all_notes())
    }

    /// JSON for a machine.
    pub fn json(&self) -> Value {
        self.data()
    }

    /// A summary for a person.
    pub fn text(&self) -> String {
        self.document().text(false)
    }

    /// What a machine is told (CLI.md).
    fn data(&self) -> Value {
        let (s, o) = (self.simulation, self.outcome);
        let object = |pairs: Vec<(String, f64)>| -> Map<String, Value> {
            pairs.into_iter().map(|(k, v)| (k, json!(v))).collect()
        };
        let hits: Vec<Value> = o
            .hits
            .iter()
            .filter(|hit| Some(hit.event) != self.section)
            .map(|hit| {
                let state = s.motion.state.iter().map(ToString::to_string);
                let state = state.zip(hit.state.iter().copied()).collect();
                json!({ "event": self.events[hit.event], "t": hit.time, "state": object(state) })
            })
            .collect();
        let conserved = o.momenta.iter().filter(|m| m.conserved);
        let conserved: Vec<&str> = conserved.map(|m| m.name.as_str()).collect();
        let mut page = json!({
            "system": self.problem.system.name(),
            "form": s.form().name(),
            "form_reason": s.form_reason,
            "method": s.method.name(),
            "method_reason": s.reason,
            "rtol": s.method.is_adaptive().then_some(s.options.rtol),
            "atol": s.method.is_adaptive().then_some(s.options.atol),
            "step": s.step,
            "ended": self.ended(),
            "t": self.time(),
            "steps": o.steps,
            "rejected_steps": o.rejected,
            "rhs_evaluations": o.evaluations,
            "wall_seconds": o.seconds,
            "compile_seconds": s.compile_seconds,
            "final": object(self.final_state()),
            "controls": object(self.last(|k| k == RecordKind::Control)),
            "observed": object(self.last(|k| k == RecordKind::Observable)),
            "energy": self.last(|k| k == RecordKind::Energy).first().map(|(_, e)| *e),
            "energy_start": o.energy_start,
            "work": o.work,
            "energy_change": o.energy_change,
            "max_energy_error": o.energy_error,
            "max_constraint_residual": o.constraint_residual.unwrap_or(0.0),
            "max_momentum_change": object(o.momenta.iter().map(|m| (m.name.clone(), m.change)).collect()),
            "conserved_momenta": conserved,
            "group_distance": o.group_distance,
            "singular_positions_passed": o.passed,
            "coarser": o.coarser.as_ref().map(coarser),
            "events": hits,
            "unobserved": s.motion.unobserved,
            "notes": self.notes,
            "warnings": o.warnings,
            "error": self.error(),
        });
        if self.section.is_some() {
            page["section"] = self.crossings();
        }
        if let Some(all) = &self.lyapunov {
            let one = |e: &Exponent| json!({ "value": e.value, "spread": e.spread });
            page["lyapunov"] = all.iter().map(one).collect();
        }
        page
    }

    fn exponents(&self) -> Vec<String> {
        let all = self.lyapunov.iter().flatten();
        let line = |e: &Exponent| format!("{} (moved by {:.1e})", shown(e.value, 0.0), e.spread);
        all.map(line).collect()
    }

    /// The rows of the section, by name.
    fn crossings(&self) -> Value {
        let hits = self.outcome.hits.iter();
        let hits: Vec<_> = hits.filter(|hit| Some(hit.event) == self.section).collect();
        let column = |k: usize| -> Value { hits.iter().map(|hit| json!(hit.row[k])).collect() };
        let names = self.simulation.columns().into_iter().enumerate();
        Value::Object(names.map(|(k, name)| (name, column(k))).collect())
    }

    /// Form, method, time and work.
    fn how(&self) -> Vec<(String, String)> {
        let (s, o) = (self.simulation, self.outcome);
        let because = |reason: &Option<String>| {
            let reason = reason.as_ref();
            reason.map_or(String::new(), |r| format!(" ({r})"))
        };
        let form = format!("{}{}", s.form(), because(&s.form_reason));
        let method = format!("{}, {}{}", s.method, self.accuracy(), because(&s.reason));
        let (from, to) = (shown(s.from, 0.0), shown(self.time(), 0.0));
        let time = format!("{from} .. {to} ({})", self.ended());
        let work = format!(
            "{}, {} rejected, {} in {} (compiled in {})",
            counted(o.steps, "step"),
            o.rejected,
            counted(o.evaluations, "evaluation"),
            duration(o.seconds),
            duration(s.compile_seconds)
        );
        let rows = [
            ("form", form),
            ("method", method),
            ("time", time),
            ("work", work),
        ];
        rows.map(|(name, value)| (name.to_owned(), value)).to_vec()
    }

    fn all_notes(&self) -> Vec<String> {
        let stiff = self.may_be_stiff().then(|| {
            format!(
                "{} takes many short steps here; if the system is stiff, ‹method radau5› takes fewer",
                self.simulation.method
            )
        });
        let unobserved = self.simulation.motion.unobserved.iter();
        let unobserved = unobserved
            .map(|name| format!("`observe {name}` is not determined by the state in this form"));
        let notes = self.notes.iter().cloned();
        notes.chain(stiff).chain(unobserved).collect()
    }

    /// Has an explicit method taken very many steps, and many for each row?
    fn may_be_stiff(&self) -> bool {
        let s = self.simulation;
        let is_explicit = matches!(s.method, Method::TAYLOR | Method::DOP853 | Method::DOPRI5);
        let steps = (self.outcome.steps + self.outcome.rejected) as f64;
        let rows = (self.time() - s.from) / s.step;
        is_explicit && steps >= MANY_STEPS && steps >= MANY_FOR_A_ROW * rows
    }

    /// The energy at both ends; what it changed by, or the work done on it and how far both agree.
    fn energy(&self) -> Vec<(String, String)> {
        let o = self.outcome;
        let energy = self.last(|k| k == RecordKind::Energy);
        let (Some(change), Some((_, end))) = (o.energy_change, energy.first()) else {
            return Vec::new();
        };
        let digits = |e: f64| of_motion(e, change.max(end.abs()));
        let start = o
            .energy_start
            .map(|e| format!("{} at the start, ", digits(e)));
        let ends = format!("{}{} at the end", start.unwrap_or_default(), digits(*end));
        let power = self.simulation.motion.power.as_ref();
        let works = power.is_some_and(|p| !p.is_zero());
        let lines = match o.energy_error.filter(|_| works) {
            None => vec![(
                "energy",
                format!("{ends}, changed by at most {}", two_digits(change)),
            )],
            Some(error) => {
                let work = o.work.map(|w| ("work done", digits(w)));
                let off = format!("energy less work changed by at most {}", two_digits(error));
                let first = [("energy", ends)].into_iter();
                first.chain(work).chain([("balance", off)]).collect()
            }
        };
        let row = |(name, value): (&str, String)| (name.to_owned(), value);
        lines.into_iter().map(row).collect()
    }

    fn held(&self) -> Block {
        let o = self.outcome;
        let mut rows = self.energy();
        let mut put = |name: &str, value: String| rows.push((name.to_owned(), value));
        if let Some(residual) = o.constraint_residual {
            let residual = two_digits(residual);
            put("constraints", format!("largest residual {residual}"));
        }
        // What is not known to be conserved is not an error where it changes.
        for m in o.momenta.iter().filter(|m| m.conserved) {
            let change = two_digits(m.change);
            put(&m.name, format!("conserved, largest change {change}"));
        }
        if let Some(distance) = o.group_distance {
            put(
                "groups",
                format!("off by {} at the end", two_digits(distance)),
            );
        }
        in_rows(rows)
    }

    /// The momenta of symmetries that are not known to be conserved: reactions or forces change them.
    fn changing(&self) -> Block {
        let all = self.outcome.momenta.iter().filter(|m| !m.conserved);
        let row = |m: &Momentum| {
            let change = two_digits(m.change);
            (m.name.clone(), format!("changes by at most {change}"))
        };
        in_rows(all.map(row).collect())
    }

    fn fired(&self) -> Vec<String> {
        let fired = self.events.iter().enumerate().map(|(k, name)| {
            let hits = self.outcome.hits.iter().filter(|h| h.event == k);
            let times: Vec<String> = hits.map(|h| h.time.to_string()).collect();
            match times.len() {
                0 => format!("{name}: never"),
                n if n > 8 => format!("{name}: {n} times, first at t = {}", times[0]),
                _ => format!("{name}: t = {}", times.join(", ")),
            }
        });
        fired.collect()
    }
}

/// Rows that leave room for their names.
fn in_rows(rows: Vec<(String, String)>) -> Block {
    let names = rows.iter().map(|(name, _)| name.len());
    Block::Rows(names.fold(NAMES, usize::max), rows)
}

/// So many of something.
fn counted(n: u64, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// A column of the rows, at the end.
struct Column {
    name: String,
    kind: RecordKind,
    value: f64,
    size: Size,
}

/// Does it tell where the motion is, and how it goes on?
fn is_state(kind: RecordKind) -> bool {
    matches!(
        kind,
        RecordKind::Line
            | RecordKind::Angle
            | RecordKind::GroupEntry
            | RecordKind::Velocity
            | RecordKind::FrameVelocity
            | RecordKind::Momentum
            | RecordKind::Multiplier
            | RecordKind::Auxiliary
    )
}

/// A number of a motion: 0 where it is below what a motion is followed with beside its largest value.
pub(crate) fn of_motion(x: f64, largest: f64) -> String {
    const BELOW: f64 = 1e-12;
    match x.is_finite() && x.abs() <= BELOW * largest {
        true => "0".into(),
        false => shown(x, 0.0),
    }
}

/// How much something is, for an error or a change.
fn two_digits(x: f64) -> String {
    let rounded: f64 = format!("{x:.1e}").parse().unwrap_or(x);
    match x == 0.0 || (1e-2..1e4).contains(&rounded.abs()) || !x.is_finite() {
        true => rounded.to_string(),
        false => format!("{x:.1e}"),
    }
}

fn duration(seconds: f64) -> String {
    if seconds < 1e-3 {
        format!("{:.0} us", seconds * 1e6)
    } else if seconds < 1.0 {
        format!("{:.1} ms", seconds * 1e3)
    } else {
        format!("{seconds:.2} s")
    }
}

/// How far the same motion comes off when it is followed more coarsely.
fn coarser(c: &Coarser) -> Value {
    json!({
        "how": c.how.words(),
        "name": c.name,
        "difference": c.difference,
        "size": c.size,
        "t": c.time,
        "until": c.until,
        "ended": c.ended,
    })
}
