//! The same motion once more, followed more coarsely: how far it comes off tells what its digits are worth.
//!
//! Energy and momenta that hold say nothing of where along its orbit a motion is, nor of one that chaos or a place that is
//! nearly singular takes anywhere; and steps of a given length have no tolerance at all.

use super::built::Simulation;
use super::error::SimulationError;
use super::method::Method;
use super::outcome::{Outcome, Row};
use rattleback_integrate::End;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// Steps of a motion, times components of its state, that are held against coarser ones, from its start on: a long motion
/// takes no longer for it.
const MOST_WORK: u64 = 1 << 16;
/// Places at which that is done.
const MOST_STATIONS: usize = 128;
/// A motion that is off by this part of a component, or by this many tolerances, is wrong.
const GROSS: f64 = 1e-3;
const FAR: f64 = 100.0;
/// A component that is smaller beside the others by this part is made of their rounding.
const ROUNDING: f64 = 1e-9;
/// Times that differ by this part of a row are the same.
const SAME: f64 = 1e-6;
/// The tolerance of the other motion.
const LOOSER: f64 = 10.0;

/// In which way a motion is coarser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coarsening {
    /// Its steps are twice as long.
    Steps,
    /// Its tolerance is ten times as large.
    Tolerance,
}

impl Coarsening {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Coarsening::Steps => "steps twice as long",
            Coarsening::Tolerance => "ten times the tolerance",
        }
    }

    /// The part of the difference by which the motion itself is off, for the lowest order that errors have.
    fn part(self, order: u32) -> f64 {
        match self {
            Coarsening::Steps => 1.0 / (2f64.powi(order.min(2) as i32) - 1.0),
            Coarsening::Tolerance => 1.0 / (LOOSER - 1.0),
        }
    }

    fn advice(self) -> &'static str {
        match self {
            Coarsening::Steps => "try a smaller ‹step›",
            Coarsening::Tolerance => {
                "its digits are not determined; try a smaller ‹rtol› and ‹atol›, or end before it with ‹until›"
            }
        }
    }
}

/// How far a motion comes off that is followed more coarsely.
#[derive(Clone, Debug, PartialEq)]
pub struct Coarser {
    /// In which way.
    pub how: Coarsening,
    /// The component of the state that comes off farthest beside its size.
    pub name: String,
    /// By how much.
    pub difference: f64,
    /// The largest |x| of that component.
    pub size: f64,
    /// When.
    pub time: f64,
    /// Both motions were held against each other until then.
    pub until: f64,
    /// When the coarser one ended before.
    pub ended: Option<f64>,
    /// What is off by more than this part is wrong.
    allowed: f64,
}

impl Coarser {
    fn warning(&self) -> Option<String> {
        let (how, advice) = (self.how.words(), self.how.advice());
        if let Some(t) = self.ended {
            return Some(format!(
                "with {how} the same motion ends at t = {t}: {advice}"
            ));
        }
        let Coarser {
            name,
            difference,
            size,
            time,
            ..
        } = self;
        (*difference > self.allowed * size).then(|| {
            format!(
                "with {how} `{name}` is elsewhere by {difference:.1e} at t = {time}, where it is as large as {size:.1e}: \
                 {advice}"
            )
        })
    }
}

/// Some rows of a motion, equally many apart.
#[derive(Clone, Debug)]
struct Stations {
    stride: usize,
    seen: usize,
    /// (t, x).
    kept: Vec<Vec<f64>>,
    /// The largest |x| of each component.
    sizes: Vec<f64>,
}

impl Stations {
    fn new(stride: usize, dimension: usize) -> Self {
        Self {
            stride,
            seen: 0,
            kept: Vec::new(),
            sizes: vec![0.0; dimension],
        }
    }

    fn see(&mut self, Row(row): Row<'_>) {
        let state = &row[..=self.sizes.len()];
        for (size, x) in self.sizes.iter_mut().zip(&state[1..]) {
            *size = size.max(x.abs());
        }
        if self.seen.is_multiple_of(self.stride) {
            self.kept.push(state.to_vec());
        }
        self.seen += 1;
        if self.kept.len() > MOST_STATIONS {
            let mut number = 0;
            self.kept.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.stride *= 2;
        }
    }

    /// Those of the first part of a motion of so many steps.
    fn first(&mut self, steps: u64) {
        let most = MOST_WORK / (self.sizes.len() as u64).max(1);
        if steps > most {
            let part = most as f64 / steps as f64;
            let count = (self.kept.len() as f64 * part).ceil();
            self.kept.truncate(count as usize);
        }
    }

    /// The size of a component; what is small beside all others is their rounding.
    fn size(&self, k: usize) -> f64 {
        let largest = self.sizes.iter().copied().fold(0.0, f64::max);
        self.sizes[k].max(ROUNDING * largest)
    }
}

/// The largest |Δx| of each component between two motions, and when.
struct Apart<'a> {
    stations: &'a Stations,
    /// Rows of the one for each of the other.
    rows: usize,
    spacing: f64,
    seen: usize,
    all: Vec<(f64, f64)>,
}

impl Apart<'_> {
    fn see(&mut self, Row(row): Row<'_>) {
        let number = self.rows * self.seen;
        self.seen += 1;
        if !number.is_multiple_of(self.stations.stride) {
            return;
        }
        let station = self.stations.kept.get(number / self.stations.stride);
        // The last row may come early.
        let same_time = |s: &&Vec<f64>| (s[0] - row[0]).abs() <= SAME * self.spacing;
        let Some(station) = station.filter(same_time) else {
            return;
        };
        let pairs = station[1..].iter().zip(&row[1..]);
        for (apart, (x, y)) in self.all.iter_mut().zip(pairs) {
            let difference = (x - y).abs();
            if difference > apart.0 {
                *apart = (difference, row[0]);
            }
        }
    }
}

impl Simulation {
    /// Follows the motion as [`Simulation::run`] does, and then once more, more coarsely, to see how far that comes off: a
    /// motion that is wrong by more than can be overlooked is warned of.
    pub fn run_twice(
        &mut self,
        stop: &AtomicBool,
        sink: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
    ) -> Result<Outcome, SimulationError> {
        let how = match self.method.is_adaptive() {
            true => Coarsening::Tolerance,
            false => Coarsening::Steps,
        };
        let rows = match how {
            Coarsening::Steps => 2,
            Coarsening::Tolerance => 1,
        };
        let mut stations = Stations::new(rows, self.start.len());
        let mut outcome = self.run(stop, &mut |row| {
            stations.see(row);
            sink(row)
        })?;
        let is_whole = matches!(outcome.end, Some(End::Reached | End::Event(_)));
        if !is_whole || self.method == Method::Iteration {
            return Ok(outcome);
        }
        stations.first(outcome.steps);
        outcome.coarser = self.coarser(how, rows, &stations, stop);
        // Where something else is wrong that is what has to be said.
        if outcome.warnings.is_empty() {
            let warning = outcome.coarser.as_ref().and_then(Coarser::warning);
            outcome.warnings.extend(warning);
        }
        Ok(outcome)
    }

    /// Follows the motion, which had these rows, more coarsely.
    fn coarser(
        &mut self,
        how: Coarsening,
        rows: usize,
        stations: &Stations,
        stop: &AtomicBool,
    ) -> Option<Coarser> {
        let last = stations.kept.last()?[0];
        if stations.kept.len() < 2 {
            return None;
        }
        let mut apart = Apart {
            stations,
            rows,
            spacing: self.step,
            seen: 0,
            all: vec![(0.0, self.from); self.start.len()],
        };
        let given = (self.step, self.until, self.options.rtol, self.options.atol);
        self.until = last;
        self.stepper = None;
        match how {
            Coarsening::Steps => self.step *= 2.0,
            Coarsening::Tolerance => {
                self.options.rtol *= LOOSER;
                self.options.atol *= LOOSER;
            }
        }
        self.field.set_tolerance(self.options.tolerance());
        let followed = self.run(stop, &mut |row| {
            apart.see(row);
            ControlFlow::Continue(())
        });
        (self.step, self.until, self.options.rtol, self.options.atol) = given;
        self.field.set_tolerance(self.options.tolerance());
        let order = self.stepper.take().map_or(1, |stepper| stepper.order());
        let followed = followed.ok()?;
        if followed.end == Some(End::Stopped) {
            return None;
        }
        let beside = |k: usize| match apart.all[k].0 {
            0.0 => 0.0,
            difference => difference / stations.size(k),
        };
        let components = 0..self.start.len();
        let worst = components.max_by(|&j, &k| beside(j).total_cmp(&beside(k)))?;
        let (difference, time) = apart.all[worst];
        let allowed = match how {
            Coarsening::Steps => GROSS,
            Coarsening::Tolerance => GROSS.max(FAR * self.options.rtol),
        };
        let until = followed.row.first().copied().unwrap_or(self.from);
        Some(Coarser {
            how,
            name: self.motion.state[worst].to_string(),
            difference,
            size: stations.size(worst),
            time,
            until,
            ended: followed.failure.is_some().then_some(until),
            allowed: allowed / how.part(order),
        })
    }
}
