//! Following a motion that tables feed from knot to knot: no step goes over a corner.

use super::built::Simulation;
use super::error::SimulationError;
use super::field::Field;
use super::method::Method;
use super::watch::Watch;
use rattleback_compile::Tables;
use rattleback_integrate::{
    Drive, DriveError, End, Event, Inside, Inspection, Observer, Output, StepSize, Stepper, Summary,
};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// Times are one time if they differ by less than this part of a step.
const SAME: f64 = 1e-9;

impl Simulation {
    /// From knot to knot. The coefficients of the tables change in between, and the method begins anew.
    pub(super) fn stretches(
        &mut self,
        stop: &AtomicBool,
        stepper: &mut dyn Stepper<Field>,
        x: &mut [f64],
        watch: &mut Watch<'_>,
    ) -> Result<(Summary, Result<(), DriveError>), SimulationError> {
        let ends = self.ends();
        let mut all: Option<Summary> = None;
        let mut events: Option<Vec<Event<'static>>> = None;
        // Knots may be closer to each other than rows are told apart: a row is shown once.
        let (mut shown, last) = (None, self.row_at(self.until));
        for (k, pair) in ends.windows(2).enumerate() {
            let (from, until) = (pair[0], pair[1]);
            let row = self.row_at(from);
            let is_new = row.is_some() && row != shown && row != last;
            shown = row.or(shown);
            self.given = self.tables.values(0.5 * (from + until));
            self.field.set_constants(&self.given);
            watch.set_constants(&self.given);
            let mut relay = Relay {
                shown_start: k == 0 || is_new,
                start: from,
                // A value that jumps at a knot is recorded as it is from there on.
                shown_end: (k + 2 == ends.len()).then(|| self.tables.values(until)),
                end: until,
                watch,
            };
            let mut looked_for = self.events();
            if let Some(before) = &events {
                let both = looked_for.into_iter().zip(before);
                looked_for = both.map(|(event, before)| event.after(before)).collect();
            }
            let (summary, result) =
                self.stretch([from, until], stop, stepper, x, &mut looked_for, &mut relay);
            events = Some(looked_for);
            let goes_on = result.is_ok() && summary.end == End::Reached;
            let summary = match all.take() {
                None => summary,
                Some(before) => joined(before, summary),
            };
            if !goes_on {
                return Ok((summary, result));
            }
            all = Some(summary);
        }
        let nothing = || SimulationError::Request("the motion has no duration".into());
        all.map(|all| (all, Ok(()))).ok_or_else(nothing)
    }

    fn stretch(
        &mut self,
        [from, until]: [f64; 2],
        stop: &AtomicBool,
        stepper: &mut dyn Stepper<Field>,
        x: &mut [f64],
        events: &mut [Event<'static>],
        relay: &mut Relay<'_, '_>,
    ) -> (Summary, Result<(), DriveError>) {
        let rows = self.rows(from, until);
        let drive = Drive::new(from, until).stop_flag(stop);
        let drive = match self.method.is_adaptive() {
            true => drive
                .output(Output::Times(&rows))
                .most_steps(self.options.most_steps),
            false => drive
                .step_size(StepSize::Fixed(self.step))
                .output(Output::Steps),
        };
        drive.run_counted(&mut self.field, stepper, x, events, relay)
    }

    /// The start, all knots inside the motion, the end.
    fn ends(&self) -> Vec<f64> {
        let rows = (self.from, self.until, self.step);
        let mut inside = knots(&self.tables, self.method, rows);
        if self.from > self.until {
            inside.reverse();
        }
        let mut all = vec![self.from];
        all.extend(inside);
        all.push(self.until);
        all
    }

    fn sign(&self) -> f64 {
        match self.from <= self.until {
            true => 1.0,
            false => -1.0,
        }
    }

    /// The number of the row at this time, if there is one.
    fn row_at(&self, t: f64) -> Option<i64> {
        let rows = (t - self.from) / self.step;
        let is_row = (rows - rows.round()).abs() <= SAME * (1.0 + rows.abs());
        is_row.then_some(rows.round() as i64)
    }

    /// The times of the rows inside a stretch.
    fn rows(&self, from: f64, until: f64) -> Vec<f64> {
        let count = |t: f64| self.sign() * (t - self.from) / self.step;
        let first = (count(from) + SAME).floor() as u64 + 1;
        let last = (count(until) - SAME).ceil().max(0.0) as u64;
        let row = |k: u64| self.from + self.sign() * k as f64 * self.step;
        (first..last).map(row).collect()
    }
}

/// The knots of tables inside a motion with rows `step` apart, in ascending order; with fixed steps also the first row
/// behind each, so that steps come back to the rows. Knots are met however close they are: what a table gives between them
/// may be large.
pub(crate) fn knots(tables: &Tables, method: Method, rows: (f64, f64, f64)) -> Vec<f64> {
    let (from, until, step) = rows;
    let (low, high) = (from.min(until), from.max(until));
    let mut inside = tables.knots(low, high);
    if method.is_adaptive() {
        return inside;
    }
    let sign = if from <= until { 1.0 } else { -1.0 };
    let row_behind = |t: &f64| {
        let rows = (sign * (t - from) / step + SAME).floor() + 1.0;
        from + sign * rows * step
    };
    let is_apart = |row: &f64| {
        let mut ends = inside.iter().chain([&low, &high]);
        low < *row && *row < high && ends.all(|t| (t - row).abs() > SAME * step)
    };
    let behind: Vec<f64> = inside.iter().map(row_behind).filter(is_apart).collect();
    inside.extend(behind);
    inside.sort_by(f64::total_cmp);
    inside.dedup();
    inside
}

/// What two stretches took together.
fn joined(before: Summary, after: Summary) -> Summary {
    let events = before.events.iter().zip(&after.events);
    Summary {
        steps: before.steps + after.steps,
        rejected: before.rejected + after.rejected,
        evaluations: before.evaluations + after.evaluations,
        events: events.map(|(a, b)| a + b).collect(),
        blurred: before.blurred.or(after.blurred),
        ..after
    }
}

/// The watch over one stretch: of the ends of stretches it sees those that are rows.
struct Relay<'r, 'w> {
    watch: &'r mut Watch<'w>,
    start: f64,
    end: f64,
    shown_start: bool,
    /// The coefficients of the tables at the end, where it is shown.
    shown_end: Option<Vec<f64>>,
}

impl Observer for Relay<'_, '_> {
    fn sample(&mut self, t: f64, x: &[f64]) -> ControlFlow<()> {
        match &self.shown_end {
            Some(given) if t == self.end => self.watch.set_constants(given),
            None if t == self.end => return ControlFlow::Continue(()),
            _ if t == self.start && !self.shown_start => return ControlFlow::Continue(()),
            _ => {}
        }
        self.watch.sample(t, x)
    }

    fn event(&mut self, event: usize, t: f64, x: &[f64]) -> ControlFlow<()> {
        self.watch.event(event, t, x)
    }

    fn project(&mut self, t: f64, x: &mut [f64]) {
        self.watch.project(t, x);
    }

    fn inspect(&mut self, step: &mut dyn Inside) -> Inspection {
        self.watch.inspect(step)
    }

    fn nodes(&self) -> &[(f64, f64)] {
        self.watch.nodes()
    }

    fn node(&mut self, t: f64, weight: f64, x: &[f64]) {
        self.watch.node(t, weight, x);
    }

    fn is_weighed(&mut self, part: f64) -> bool {
        self.watch.is_weighed(part)
    }

    fn after_step(&mut self, t: f64, x: &[f64]) -> ControlFlow<()> {
        self.watch.after_step(t, x)
    }
}
