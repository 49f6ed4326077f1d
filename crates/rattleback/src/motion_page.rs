//! What a simulation came to, for a person and for a machine.

use crate::compile::RecordKind;
use crate::control::Exponent;
use crate::integrate::End;
use crate::language::Model;
use crate::number::shown;
use crate::simulation::{Method, Momentum, Outcome, Simulation};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// Steps after which an explicit method may not be the right one, where they are also many for a row.
const MANY_STEPS: f64 = 20_000.0;
const MANY_FOR_A_ROW: f64 = 10.0;

/// The result of one simulation.
pub struct Page<'a> {
    /// The model.
    pub model: &'a Model,
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
        let motion = &self.simulation.motion;
        let state = motion.state.iter().map(ToString::to_string);
        let state = state.zip(motion.kinds.iter().copied());
        let records = motion.records.iter().map(|r| (r.name.clone(), r.kind));
        let values = self.outcome.row.iter().skip(1);
        state
            .chain(records)
            .zip(values)
            .filter(|((_, kind), _)| wanted(*kind))
            .map(|((name, _), value)| (name, *value))
            .collect()
    }

    fn final_state(&self) -> Vec<(String, f64)> {
        self.last(|kind| {
            matches!(
                kind,
                RecordKind::Line
                    | RecordKind::Angle
                    | RecordKind::GroupEntry
                    | RecordKind::Velocity
                    | RecordKind::Momentum
                    | RecordKind::Multiplier
                    | RecordKind::Auxiliary
            )
        })
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

    /// JSON for a machine (CLI.md).
    pub fn json(&self) -> Value {
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
            "system": self.model.name,
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
            "energy_change": o.energy_change,
            "max_energy_error": o.energy_error,
            "max_constraint_residual": o.constraint_residual.unwrap_or(0.0),
            "max_momentum_change": object(o.momenta.iter().map(|m| (m.name.clone(), m.change)).collect()),
            "conserved_momenta": conserved,
            "group_distance": o.group_distance,
            "singular_positions_passed": o.passed,
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

    /// The rows of the section, by name.
    fn crossings(&self) -> Value {
        let hits = self.outcome.hits.iter();
        let hits: Vec<_> = hits.filter(|hit| Some(hit.event) == self.section).collect();
        let column = |k: usize| -> Value { hits.iter().map(|hit| json!(hit.row[k])).collect() };
        let names = self.simulation.columns().into_iter().enumerate();
        Value::Object(names.map(|(k, name)| (name, column(k))).collect())
    }

    /// A summary for a person.
    pub fn text(&self) -> String {
        let (s, o) = (self.simulation, self.outcome);
        let mut page = String::new();
        let title = self
            .model
            .title
            .as_ref()
            .map_or(String::new(), |t| format!(": {t}"));
        let _ = writeln!(page, "{}{title}", self.model.name);
        let because = |reason: &Option<String>| {
            let reason = reason.as_ref();
            reason.map_or(String::new(), |r| format!(" ({r})"))
        };
        let why = because(&s.form_reason);
        let _ = writeln!(page, "  form         {}{why}", s.form());
        let _ = writeln!(
            page,
            "  method       {}, {}{}",
            s.method,
            self.accuracy(),
            because(&s.reason)
        );
        let _ = writeln!(
            page,
            "  time         {} .. {} ({})",
            shown(s.from, 1.0),
            shown(self.time(), 1.0),
            self.ended()
        );
        let _ = writeln!(
            page,
            "  work         {} steps, {} rejected, {} evaluations in {} (compiled in {})",
            o.steps,
            o.rejected,
            o.evaluations,
            duration(o.seconds),
            duration(s.compile_seconds)
        );
        section(&mut page, "at the end", &self.final_state());
        let controls = self.last(|k| k == RecordKind::Control);
        section(&mut page, "controls", &controls);
        section(
            &mut page,
            "observed",
            &self.last(|k| k == RecordKind::Observable),
        );
        let _ = writeln!(page, "\nhow well it held");
        self.held(&mut page);
        self.fired(&mut page);
        if let Some(all) = &self.lyapunov {
            let _ = writeln!(page, "\nLyapunov exponents per unit of time");
            for e in all {
                let _ = writeln!(
                    page,
                    "  {} (moved by {:.1e})",
                    shown(e.value, 1.0),
                    e.spread
                );
            }
        }
        for warning in &o.warnings {
            let _ = writeln!(page, "\nwarning: {warning}");
        }
        for note in &self.notes {
            let _ = writeln!(page, "\nnote: {note}");
        }
        if self.may_be_stiff() {
            let _ = writeln!(
                page,
                "\nnote: {} takes many short steps here; if the system is stiff, --method radau5 takes fewer",
                s.method
            );
        }
        for name in &s.motion.unobserved {
            let _ = writeln!(
                page,
                "\nnote: `observe {name}` is not determined by the state in this form"
            );
        }
        page
    }

    /// Has an explicit method taken very many steps, and many for each row?
    fn may_be_stiff(&self) -> bool {
        let s = self.simulation;
        let is_explicit = matches!(s.method, Method::Taylor | Method::Dop853 | Method::Dopri5);
        let steps = (self.outcome.steps + self.outcome.rejected) as f64;
        let rows = (self.time() - s.from) / s.step;
        is_explicit && steps >= MANY_STEPS && steps >= MANY_FOR_A_ROW * rows
    }

    fn held(&self, page: &mut String) {
        let o = self.outcome;
        if let (Some(change), Some((_, e))) = (
            o.energy_change,
            self.last(|k| k == RecordKind::Energy).first(),
        ) {
            let energy = shown(*e, 1.0);
            let _ = write!(page, "  energy       {energy}, largest change {change:.1e}");
            let power = self.simulation.motion.power.as_ref();
            let _ = match o
                .energy_error
                .filter(|_| power.is_some_and(|p| !p.is_zero()))
            {
                Some(error) => writeln!(page, ", error of the balance {error:.1e}"),
                None => writeln!(page),
            };
        }
        if let Some(residual) = o.constraint_residual {
            let _ = writeln!(page, "  constraints  largest residual {residual:.1e}");
        }
        for Momentum {
            name,
            change,
            conserved,
        } in &o.momenta
        {
            let kept = if *conserved { "conserved, " } else { "" };
            let _ = writeln!(page, "  {name}  {kept}largest change {change:.1e}");
        }
        if let Some(distance) = o.group_distance {
            let _ = writeln!(page, "  groups       off by {distance:.1e} at the end");
        }
    }

    fn fired(&self, page: &mut String) {
        if self.events.is_empty() {
            return;
        }
        let _ = writeln!(page, "\nevents");
        for (k, name) in self.events.iter().enumerate() {
            let times: Vec<String> = self
                .outcome
                .hits
                .iter()
                .filter(|h| h.event == k)
                .map(|h| format!("{}", h.time))
                .collect();
            let _ = match times.len() {
                0 => writeln!(page, "  {name}: never"),
                n if n > 8 => writeln!(page, "  {name}: {n} times, first at t = {}", times[0]),
                _ => writeln!(page, "  {name}: t = {}", times.join(", ")),
            };
        }
    }
}

fn section(page: &mut String, title: &str, values: &[(String, f64)]) {
    if values.is_empty() {
        return;
    }
    let _ = writeln!(page, "\n{title}");
    let width = values
        .iter()
        .map(|(n, _)| n.chars().count())
        .max()
        .unwrap_or(0);
    for (name, value) in values {
        let _ = writeln!(page, "  {name:<width$} = {value}");
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
