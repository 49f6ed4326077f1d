//! Two motions of one model, row by row.

use crate::simulation::{Options, Outcome, Row, Simulation, SimulationError};
use rattleback_compile::{Motion, RecordKind, Tables};
use rattleback_mechanics::{Form, Problem, System};
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::sync_channel;

/// Rows by which one motion may be ahead of the other.
const AHEAD: usize = 256;

/// Two motions side by side: their common rows and their distance.
pub struct Comparison {
    /// Where the positions of both stand in their rows.
    positions: Vec<(usize, usize)>,
    row: Vec<f64>,
    /// The largest distance so far, and when.
    pub largest: (f64, f64),
    /// When the distance first exceeded what the tolerances explain.
    pub parted: Option<f64>,
    /// The last time at which both have a row.
    pub until: f64,
    /// The largest position so far.
    size: f64,
    threshold: Threshold,
}

/// Beyond what distance motions count as parted.
#[derive(Clone, Copy, Debug)]
pub struct Threshold {
    /// As a part of the largest position so far.
    pub relative: f64,
    /// Besides, where positions are of the size 1 or larger; in proportion where they are smaller.
    pub absolute: f64,
}

impl Threshold {
    fn beside(&self, size: f64) -> f64 {
        self.relative * size + self.absolute * size.min(1.0)
    }
}

impl Comparison {
    /// A comparison of motions; they count as parted beyond `threshold`.
    pub fn new(motions: [&Motion; 2], threshold: Threshold) -> Self {
        let positions = motions[0].state.iter().enumerate().filter_map(|(i, s)| {
            let kind = motions[0].kinds[i];
            let is_position = matches!(
                kind,
                RecordKind::Line | RecordKind::Angle | RecordKind::GroupEntry
            );
            let j = motions[1].state.iter().position(|x| x == s)?;
            is_position.then_some((i + 1, j + 1))
        });
        Self {
            positions: positions.collect(),
            row: Vec::new(),
            largest: (0.0, f64::NAN),
            parted: None,
            until: f64::NAN,
            size: 0.0,
            threshold,
        }
    }

    /// Takes the rows of both motions at a time and gives the common row: time, both motions, the distance.
    pub fn row(&mut self, first: &[f64], second: &[f64]) -> &[f64] {
        let squares = self
            .positions
            .iter()
            .map(|&(i, j)| (first[i] - second[j]).powi(2));
        let distance = squares.sum::<f64>().sqrt();
        let sizes = self
            .positions
            .iter()
            .map(|&(i, j)| first[i].abs().max(second[j].abs()));
        self.size = sizes.fold(self.size, f64::max);
        self.until = second[0];
        if distance > self.largest.0 {
            self.largest = (distance, second[0]);
        }
        if distance > self.threshold.beside(self.size) && self.parted.is_none() {
            self.parted = Some(second[0]);
        }
        self.row.clear();
        self.row.extend_from_slice(first);
        self.row.extend_from_slice(&second[1..]);
        self.row.push(distance);
        &self.row
    }
}

/// Motions farther apart than this many tolerances have parted.
const TOLERANCES: f64 = 1e4;

/// Two motions of one problem from the same start, in two formulations.
///
/// ```
/// use rattleback_compile::Tables;
/// use rattleback_language::{Source, parse};
/// use rattleback_mechanics::{Form, Problem};
/// use rattleback_motion::{comparison::Pair, simulation::Options};
/// use std::{ops::ControlFlow, sync::atomic::AtomicBool};
///
/// let text = "system pair\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint z' = y*x'\n\
///             start x' = 1, y' = 1\ntime 0 .. 1 step 1/10\n";
/// let model = parse(&Source::new("pair.mech", text)).model.ok_or("no model")?;
/// let problem = Problem::for_form(&model, None)?;
/// let system = problem.driven();
/// let (options, tables) = (Options::default(), Tables::default());
/// let mut pair = Pair::of(&problem, &system, &options, Form::LagrangeDAlembert, &tables)?;
/// let outcomes = pair.follow(&AtomicBool::new(false), &mut |_| ControlFlow::Continue(()));
/// assert!(outcomes.iter().all(|o| o.is_ok()));
/// // A frame and multipliers tell one motion.
/// assert_eq!(pair.comparison.parted, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Pair {
    /// Both, ready to be followed.
    pub motions: [Simulation; 2],
    /// What becomes of their distance.
    pub comparison: Comparison,
}

impl Pair {
    /// The motion as the options have it, and the one in the formulation `with`. The problem has the laws of the tables.
    pub fn of(
        problem: &Problem,
        system: &System,
        options: &Options,
        with: Form,
        tables: &Tables,
    ) -> Result<Self, SimulationError> {
        let form = options.form_for(system);
        if form == with {
            return Err(SimulationError::Request(format!(
                "both motions are in the form {form}: choose another one with ‹form› or ‹with›"
            )));
        }
        let second = Options {
            form: Some(with),
            ..options.clone()
        };
        let made = |options: &Options| {
            Simulation::with_tables(problem, system, options, Vec::new(), tables.clone())
        };
        let motions = [made(options)?, made(&second)?];
        let threshold = Threshold {
            relative: TOLERANCES * options.rtol,
            absolute: TOLERANCES * options.atol,
        };
        let [one, two] = &motions;
        let comparison = Comparison::new([&one.motion, &two.motion], threshold);
        Ok(Self {
            motions,
            comparison,
        })
    }

    /// Follows both; the sink gets their common rows.
    pub fn follow(
        &mut self,
        stop: &AtomicBool,
        sink: &mut dyn FnMut(&[f64]) -> ControlFlow<()>,
    ) -> [Result<Outcome, SimulationError>; 2] {
        let Self {
            motions: [one, two],
            comparison,
        } = self;
        in_step(one, two, stop, &mut |first, second| {
            sink(comparison.row(first, second))
        })
    }
}

/// What takes the rows of both motions at one time.
pub type Pairs<'a> = dyn FnMut(&[f64], &[f64]) -> ControlFlow<()> + 'a;

/// Follows two motions side by side, the first one a few rows ahead in a thread of its own. The sink gets the
/// rows of both at each time, as long as both have one; the one that is left alone is followed to its end.
pub fn in_step(
    one: &mut Simulation,
    two: &mut Simulation,
    stop: &AtomicBool,
    sink: &mut Pairs<'_>,
) -> [Result<Outcome, SimulationError>; 2] {
    let (sender, receiver) = sync_channel::<Vec<f64>>(AHEAD);
    std::thread::scope(|scope| {
        let first = scope.spawn(move || {
            one.run(stop, &mut |Row(row)| match sender.send(row.to_vec()) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            })
        });
        let mut broken = false;
        let second = two.run(stop, &mut |Row(row)| {
            let Ok(other) = receiver.recv() else {
                return ControlFlow::Break(());
            };
            let said = sink(&other, row);
            broken = said.is_break();
            said
        });
        if !broken {
            while receiver.recv().is_ok() {}
        }
        drop(receiver);
        let first = first.join().unwrap_or_else(|panic| resume_unwind(panic));
        [first, second]
    })
}
