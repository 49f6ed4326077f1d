//! Watching a motion: rows for the record, and how well energy, constraints and momenta hold.

use super::field::Compiled;
use super::passage::Passage;
use super::projection::Projection;
use super::regularity::{Loss, Regularity};
use super::run::{Hit, Row};
use rattleback_compile::{Motion, RecordKind};
use rattleback_integrate::group::Space;
use rattleback_integrate::{Inside, Inspection, Observer};
use rattleback_symbolic::MissingInput;
use std::ops::ControlFlow;

/// What should stay as it was, in the order of the monitoring program.
#[derive(Clone, Debug)]
pub(super) struct Drift {
    pub(super) name: String,
    pub(super) kind: RecordKind,
    start: f64,
    pub(super) largest: f64,
}

/// Why a motion must not go on.
#[derive(Clone, Debug)]
pub(super) enum Barrier {
    /// Something is not regular.
    Lost(Loss),
    /// The end of a step is too far from the constraints.
    OffConstraints,
}

/// A state may be moved onto the constraints by this part of the step that led to it.
const FARTHEST: f64 = 0.1;

/// The compiled watch over one motion.
pub(super) struct Watch<'a> {
    recorder: Compiled,
    monitor: Compiled,
    pub(super) drifts: Vec<Drift>,
    projection: Option<Projection>,
    /// How far the last state was moved; infinitely far where it could not be.
    moved: f64,
    regularity: Option<Regularity>,
    pub(super) passage: Option<Passage>,
    /// Whether a step over a singular position has been tried with another length.
    tried_again: bool,
    /// Why the motion must not go on.
    pub(super) barrier: Option<Barrier>,
    space: Option<Space>,
    dimension: usize,
    inputs: Vec<f64>,
    values: Vec<f64>,
    monitored: Vec<f64>,
    /// The last row: t, state, records.
    pub(super) row: Vec<f64>,
    pub(super) hits: Vec<Hit>,
    sink: &'a mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
}

impl<'a> Watch<'a> {
    pub(super) fn new(
        motion: &Motion,
        varied: &[f64],
        projection: Option<Projection>,
        space: Option<Space>,
        sink: &'a mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
    ) -> Result<Self, MissingInput> {
        let (mut drifts, mut values) = (Vec::new(), Vec::new());
        for r in &motion.records {
            let watched = matches!(
                r.kind,
                RecordKind::Energy | RecordKind::Residual | RecordKind::SymmetryMomentum
            );
            if watched {
                values.push(r.value.clone());
                drifts.push(Drift {
                    name: r.name.clone(),
                    kind: r.kind,
                    start: f64::NAN,
                    largest: 0.0,
                });
            }
        }
        let recorder = Compiled::new(motion.recorder()?);
        let mut inputs = vec![0.0; 1 + motion.state.len()];
        inputs.extend_from_slice(varied);
        Ok(Self {
            values: vec![0.0; recorder.outputs()],
            recorder,
            monitor: Compiled::new(motion.program(&values)?),
            monitored: vec![0.0; drifts.len()],
            drifts,
            projection,
            moved: 0.0,
            regularity: Regularity::of(motion)?,
            passage: None,
            tried_again: false,
            barrier: None,
            space,
            row: Vec::with_capacity(1 + motion.state.len() + motion.records.len()),
            dimension: motion.state.len(),
            inputs,
            hits: Vec::new(),
            sink,
        })
    }

    fn set(&mut self, t: f64, x: &[f64]) {
        self.inputs[0] = t;
        self.inputs[1..=x.len()].copy_from_slice(x);
    }

    /// Compares what should stay with its value at the start.
    fn compare(&mut self) {
        if self.drifts.is_empty()
            || self
                .monitor
                .call(&self.inputs, &mut self.monitored)
                .is_err()
        {
            return;
        }
        for (drift, &value) in self.drifts.iter_mut().zip(&self.monitored) {
            if drift.start.is_nan() {
                // A residual is measured from zero, everything else from where it was.
                drift.start = if drift.kind == RecordKind::Residual {
                    0.0
                } else {
                    value
                };
            }
            drift.largest = drift.largest.max((value - drift.start).abs());
        }
    }

    /// The largest change of what is of a kind; none where nothing is.
    pub(super) fn largest(&self, kind: RecordKind) -> Option<f64> {
        let all = self.drifts.iter().filter(|d| d.kind == kind);
        all.map(|d| d.largest).reduce(f64::max)
    }
}

impl Observer for Watch<'_> {
    fn sample(&mut self, t: f64, x: &[f64]) -> ControlFlow<()> {
        self.set(t, x);
        self.compare();
        if self.recorder.call(&self.inputs, &mut self.values).is_err() {
            self.values.fill(f64::NAN);
        }
        self.row.clear();
        self.row.push(t);
        self.row.extend_from_slice(x);
        self.row.extend_from_slice(&self.values);
        (self.sink)(Row(&self.row))
    }

    fn event(&mut self, event: usize, t: f64, x: &[f64]) -> ControlFlow<()> {
        self.hits.push(Hit {
            event,
            time: t,
            state: x.to_vec(),
        });
        ControlFlow::Continue(())
    }

    fn project(&mut self, t: f64, x: &mut [f64]) {
        if let Some(projection) = &mut self.projection {
            // Constraints that move are those of this time.
            self.inputs[0] = t;
            self.inputs[1..=x.len()].copy_from_slice(x);
            match projection.apply(&mut self.inputs) {
                Some(way) => {
                    self.moved = way;
                    x.copy_from_slice(&self.inputs[1..=x.len()]);
                }
                None => self.moved = f64::INFINITY,
            }
        }
        // Last, to the last bit: rows are on their groups.
        if let Some(space) = &self.space {
            // A state that is nowhere near its group is left alone: the distance that is reported tells.
            let _ = space.project(x);
        }
    }

    fn inspect(&mut self, step: &mut dyn Inside) -> Inspection {
        if self.moved > FARTHEST * length(step, self.dimension) + f64::EPSILON.sqrt() {
            self.barrier = Some(Barrier::OffConstraints);
            return Inspection::Barred(0.0);
        }
        let (Some(regularity), Some(passage)) = (&mut self.regularity, &mut self.passage) else {
            return Inspection::Passed;
        };
        let tried_again = std::mem::replace(&mut self.tried_again, false);
        let loss = match regularity.inspect(step) {
            Some(loss) => {
                let may_leap = !regularity.has_frame() && loss.theta > 0.0;
                if may_leap && passage.leaps(step, loss.theta) {
                    regularity.resume(step);
                    return Inspection::Passed;
                }
                // Series reach about as far from both ends if the singular position is in the middle.
                if may_leap && !tried_again {
                    self.tried_again = true;
                    return Inspection::Again(2.0 * loss.theta);
                }
                loss
            }
            None => match regularity.near() {
                Some(loss) if !passage.returns(step) => loss.clone(),
                _ => return Inspection::Passed,
            },
        };
        let theta = loss.theta;
        self.barrier = Some(Barrier::Lost(loss));
        Inspection::Barred(theta)
    }

    fn after_step(&mut self, t: f64, x: &[f64]) -> ControlFlow<()> {
        self.set(t, x);
        self.compare();
        ControlFlow::Continue(())
    }
}

/// The distance between the ends of a step; 0 where they are not known.
fn length(step: &mut dyn Inside, dimension: usize) -> f64 {
    let (mut from, mut to) = (vec![0.0; dimension], vec![0.0; dimension]);
    if step.state(0.0, &mut from).is_err() || step.state(1.0, &mut to).is_err() {
        return 0.0;
    }
    let squares = from.iter().zip(&to).map(|(x, y)| (x - y).powi(2));
    squares.sum::<f64>().sqrt()
}
