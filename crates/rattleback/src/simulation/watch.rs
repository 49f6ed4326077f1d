//! Watching a motion: rows for the record, under guard.

use super::field::Compiled;
use super::guard::Guard;
use super::projection::Projection;
use super::run::{Hit, Row};
use rattleback_compile::{Motion, RecordKind};
use rattleback_integrate::Observer;
use rattleback_integrate::group::Space;
use rattleback_symbolic::MissingInput;
use std::ops::ControlFlow;

/// Something that has no finite value, and when.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lost {
    pub(super) name: String,
    pub(super) value: f64,
    pub(super) time: f64,
    pub(super) state: Vec<f64>,
}

/// The compiled watch over one motion.
pub(super) struct Watch<'a> {
    recorder: Compiled,
    pub(super) guard: Guard,
    /// Names of the records that must have finite values, with their places.
    finite: Vec<(usize, String)>,
    pub(super) lost: Option<Lost>,
    projection: Option<Projection>,
    space: Option<Space>,
    inputs: Vec<f64>,
    values: Vec<f64>,
    /// The last row: t, state, records.
    pub(super) row: Vec<f64>,
    pub(super) hits: Vec<Hit>,
    sink: &'a mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
}

impl<'a> Watch<'a> {
    pub(super) fn new(
        motion: &Motion,
        guard: Guard,
        projection: Option<Projection>,
        space: Option<Space>,
        sink: &'a mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
    ) -> Result<Self, MissingInput> {
        let recorder = Compiled::new(motion.recorder()?);
        let records = motion.records.iter().enumerate();
        let finite = records.filter(|(_, r)| must_be_finite(r.kind));
        Ok(Self {
            values: vec![0.0; recorder.outputs()],
            finite: finite.map(|(k, r)| (k, r.name.clone())).collect(),
            recorder,
            guard,
            lost: None,
            projection,
            space,
            row: Vec::with_capacity(1 + motion.state.len() + motion.records.len()),
            inputs: vec![0.0; 1 + motion.state.len()],
            hits: Vec::new(),
            sink,
        })
    }

    fn set(&mut self, t: f64, x: &[f64]) {
        self.inputs[0] = t;
        self.inputs[1..=x.len()].copy_from_slice(x);
    }

    /// Works out what is recorded; breaks where something has no finite value that must have one.
    fn record(&mut self) -> ControlFlow<()> {
        if self.recorder.call(&self.inputs, &mut self.values).is_err() {
            self.values.fill(f64::NAN);
        }
        let state = &self.inputs[1..];
        let broken = |(k, _): &&(usize, String)| {
            let value = self.values[*k];
            !value.is_finite() && !Guard::is_overflow(value, state)
        };
        match self.finite.iter().find(broken) {
            None => ControlFlow::Continue(()),
            Some((k, name)) => self.lose(name.clone(), self.values[*k]),
        }
    }

    /// Ends the motion where something has no finite value.
    fn lose(&mut self, name: String, value: f64) -> ControlFlow<()> {
        self.lost = Some(Lost {
            name,
            value,
            time: self.inputs[0],
            state: self.inputs[1..].to_vec(),
        });
        ControlFlow::Break(())
    }
}

/// Observables may have places without a value, and a residual is judged by its size.
fn must_be_finite(kind: RecordKind) -> bool {
    matches!(
        kind,
        RecordKind::Velocity | RecordKind::Momentum | RecordKind::Multiplier | RecordKind::Energy
    )
}

impl Observer for Watch<'_> {
    fn sample(&mut self, t: f64, x: &[f64]) -> ControlFlow<()> {
        self.set(t, x);
        self.guard.sample(&self.inputs);
        self.record()?;
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
            projection.apply(&mut self.inputs);
            x.copy_from_slice(&self.inputs[1..=x.len()]);
        }
        // Last, to the last bit: rows are on their groups.
        if let Some(space) = &self.space {
            // A state that is nowhere near its group is left alone: the distance that is reported tells.
            let _ = space.project(x);
        }
    }

    fn nodes(&self) -> &[(f64, f64)] {
        self.guard.nodes()
    }

    fn node(&mut self, t: f64, weight: f64, x: &[f64]) {
        self.set(t, x);
        self.guard.node(weight, &self.inputs);
    }

    fn after_step(&mut self, t: f64, x: &[f64]) -> ControlFlow<()> {
        self.set(t, x);
        match self.guard.step(&self.inputs) {
            None => ControlFlow::Continue(()),
            Some((name, value)) => self.lose(name, value),
        }
    }
}
