//! Watching a motion: rows for the record, under guard.

use super::confinement::Confinement;
use super::feature::{Features, Misses};
use super::guard::Guard;
use super::outcome::{Hit, Row};
use super::passage::Passage;
use super::projection::Projection;
use super::regularity::{Loss, Regularity};
use crate::compiled::Compiled;
use rattleback_compile::{Motion, RecordKind, RegularKind};
use rattleback_integrate::group::Space;
use rattleback_integrate::{Inside, Inspection, Observer, Tolerance};
use rattleback_symbolic::{Expr, MissingInput};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Something that has no finite value, and when.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lost {
    pub(super) name: String,
    pub(super) value: f64,
    pub(super) time: f64,
    pub(super) state: Vec<f64>,
    /// What is not regular there.
    pub(super) singular: Option<RegularKind>,
}

/// Why a motion must not go on.
#[derive(Clone, Debug)]
pub(super) enum Barrier {
    /// Something is not regular.
    Lost(Loss),
    /// The end of a step is too far from the constraints.
    OffConstraints,
    /// The motion does this, which leaves what the model assumes.
    Breach(String),
}

/// A state may be moved onto the constraints by this part of the step that led to it.
const FARTHEST: f64 = 0.1;

/// The part of a step to take where its end is too near to a singular position: rounding grows there, and the next
/// step could not leap.
const SHORTER: f64 = 0.5;
/// How often a step towards a singular position is tried with another length.
const MOST_TRIES: u32 = 6;

/// What a watch looks with, compiled once for all runs of a motion.
pub(super) struct Outlook {
    recorder: Compiled,
    /// Names of the records that must have finite values, with their places.
    finite: Arc<[(usize, String)]>,
    guard: Guard,
    regularity: Option<Regularity>,
}

impl Outlook {
    /// On a motion with so many values besides its state, followed with a tolerance if the method has one.
    pub(super) fn on(
        motion: &Motion,
        exchange: &[Expr],
        tolerance: Option<Tolerance>,
        given: usize,
    ) -> Result<Self, MissingInput> {
        let records = motion.records.iter().enumerate();
        let finite = records.filter(|(_, r)| must_be_finite(r.kind));
        Ok(Self {
            recorder: Compiled::new(motion.recorder()?),
            finite: finite.map(|(k, r)| (k, r.name.clone())).collect(),
            guard: Guard::new(motion, exchange, tolerance)?,
            regularity: Regularity::of(motion, given)?,
        })
    }

    /// Sums up the work along each step at so many places.
    pub(super) fn look_at_places(&mut self, count: usize) {
        self.guard.look_at_places(count);
    }
}

/// How large a column of the rows gets.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Its first value; none before there is one.
    first: Option<f64>,
    /// The largest |x| that is finite.
    pub largest: f64,
}

impl Size {
    const NONE: Size = Size {
        first: None,
        largest: 0.0,
    };

    fn add(&mut self, x: f64) {
        self.first.get_or_insert(x);
        if x.is_finite() {
            self.largest = self.largest.max(x.abs());
        }
    }

    /// Is all of it rounding beside a number of its kind: did it begin at zero and stay there?
    pub fn is_rounding(&self, beside: f64) -> bool {
        self.first == Some(0.0) && self.largest <= 4.0 * f64::EPSILON * beside
    }
}

/// The compiled watch over one motion.
pub(super) struct Watch<'a> {
    recorder: Compiled,
    pub(super) guard: Guard,
    finite: Arc<[(usize, String)]>,
    pub(super) lost: Option<Lost>,
    /// What the motion must not leave.
    pub(super) confinement: Option<Confinement>,
    /// What the motion has done that leaves it at a row, and where.
    pub(super) broken: Option<(String, f64, Vec<f64>)>,
    projection: Option<Projection>,
    /// How far the last state was moved; infinitely far where it could not be.
    moved: f64,
    regularity: Option<Regularity>,
    pub(super) passage: Option<Passage>,
    /// May configurations branch, as those of position constraints do?
    pub(super) may_branch: bool,
    pub(super) features: Option<Features>,
    /// What steps have missed.
    pub(super) misses: Misses,
    /// How often steps towards a singular position have been tried with another length.
    tries: u32,
    /// Does the step that is shown pass a singular position, or come near one? Its rows are not moved: rounding would
    /// move them anywhere.
    leapt: bool,
    /// Was the last step taken as it was proposed?
    calm: bool,
    /// Why the motion must not go on.
    pub(super) barrier: Option<Barrier>,
    space: Option<Space>,
    dimension: usize,
    inputs: Vec<f64>,
    values: Vec<f64>,
    /// The last row: t, state, records.
    pub(super) row: Vec<f64>,
    pub(super) sizes: Vec<Size>,
    pub(super) hits: Vec<Hit>,
    sink: &'a mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
}

impl<'a> Watch<'a> {
    /// Over a run.
    pub(super) fn new(
        motion: &Motion,
        outlook: &Outlook,
        projection: Option<Projection>,
        space: Option<Space>,
        given: &[f64],
        sink: &'a mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
    ) -> Self {
        let recorder = outlook.recorder.clone();
        let mut inputs = vec![0.0; 1 + motion.state.len()];
        inputs.extend_from_slice(given);
        Self {
            values: vec![0.0; recorder.outputs()],
            finite: outlook.finite.clone(),
            recorder,
            guard: outlook.guard.clone(),
            lost: None,
            confinement: None,
            broken: None,
            projection,
            moved: 0.0,
            regularity: outlook.regularity.clone(),
            passage: None,
            may_branch: false,
            features: None,
            misses: Misses::default(),
            tries: 0,
            leapt: false,
            calm: true,
            barrier: None,
            space,
            row: Vec::with_capacity(1 + motion.state.len() + motion.records.len()),
            dimension: motion.state.len(),
            inputs,
            sizes: Vec::new(),
            hits: Vec::new(),
            sink,
        }
    }

    /// Puts other values in the place of the constants.
    pub(super) fn set_constants(&mut self, given: &[f64]) {
        self.inputs[1 + self.dimension..].copy_from_slice(given);
        if let Some(regularity) = &mut self.regularity {
            regularity.restart(given);
        }
        if let Some(features) = &mut self.features {
            features.restart(given);
        }
        if let Some(confinement) = &mut self.confinement {
            confinement.set_constants(given);
        }
        if let Some(passage) = &mut self.passage {
            passage.set_constants(given);
        }
    }

    /// The state in the inputs.
    fn state(&self) -> &[f64] {
        &self.inputs[1..=self.dimension]
    }

    fn set(&mut self, t: f64, x: &[f64]) {
        self.inputs[0] = t;
        self.inputs[1..=x.len()].copy_from_slice(x);
    }

    /// The row of a state between samples; what has no value there is not a number.
    pub(super) fn row_at(&mut self, t: f64, x: &[f64]) -> Vec<f64> {
        self.set(t, x);
        if self.recorder.call(&self.inputs, &mut self.values).is_err() {
            self.values.fill(f64::NAN);
        }
        [&[t], x, &self.values].concat()
    }

    /// Works out what is recorded; breaks where something has no finite value that must have one.
    fn record(&mut self) -> ControlFlow<()> {
        if self.recorder.call(&self.inputs, &mut self.values).is_err() {
            self.values.fill(f64::NAN);
        }
        let state = &self.inputs[1..=self.dimension];
        let broken = |(k, _): &&(usize, String)| {
            let value = self.values[*k];
            !value.is_finite() && !Guard::is_overflow(value, state)
        };
        match self.finite.iter().find(broken) {
            None => ControlFlow::Continue(()),
            Some((k, name)) => self.lose(name.clone(), self.values[*k]),
        }
    }

    /// Where a step is to end that misses something narrow, if it may end elsewhere.
    fn miss(&mut self, step: &mut dyn Inside) -> Option<f64> {
        let features = self.features.as_mut()?;
        let missed = features.missed(step)?;
        let end = features.may_shorten().then_some(missed.end);
        self.misses.add(missed);
        end
    }

    /// What bars a step, where, and which part of it could be tried instead.
    fn obstacle(&mut self, step: &mut dyn Inside) -> Option<(Barrier, f64, Option<f64>)> {
        let off = self.is_off(step);
        self.leapt = false;
        let (Some(regularity), Some(passage)) = (&mut self.regularity, &mut self.passage) else {
            return off.then_some((Barrier::OffConstraints, 0.0, None));
        };
        let may_leap = !regularity.has_frame() && passage.has_series();
        let shorter = may_leap.then_some(SHORTER);
        if off {
            return Some((Barrier::OffConstraints, 0.0, shorter));
        }
        if let Some(loss) = regularity.inspect(step) {
            let theta = loss.theta;
            let may_leap = may_leap && theta > 0.0;
            if may_leap && passage.leaps(step, theta) {
                regularity.resume(step);
                self.leapt = true;
                return None;
            }
            let instead = may_leap.then(|| centring(theta));
            return Some((Barrier::Lost(loss), theta, instead));
        }
        if self.may_branch
            && let Some(loss) = regularity.tight().cloned()
        {
            regularity.forget();
            return Some((Barrier::Lost(loss), 1.0, shorter));
        }
        let loss = regularity.near()?.clone();
        self.leapt = true;
        // Series that do not lead back have too much rounding in them for a leap from here.
        let may_retreat = may_leap && self.tries < MOST_TRIES;
        if passage.returns(step, !may_retreat) {
            return None;
        }
        regularity.forget();
        let theta = loss.theta;
        Some((Barrier::Lost(loss), theta, shorter))
    }

    /// Is the end of a step too far from the constraints to be moved back?
    fn is_off(&self, step: &mut dyn Inside) -> bool {
        let least = f64::EPSILON.sqrt();
        self.moved > least && self.moved > FARTHEST * length(step, self.dimension) + least
    }

    /// Bars a step that may be taken otherwise where it leaves what the model assumes.
    fn confine(&mut self, step: &mut dyn Inside) -> Inspection {
        let confinement = self.confinement.as_mut();
        match confinement.and_then(|c| c.breach(step)) {
            None => Inspection::Passed,
            Some(breach) => {
                self.barrier = Some(Barrier::Breach(breach.words));
                Inspection::Barred(breach.theta)
            }
        }
    }

    /// Ends the motion at a row that breaks an assumption of the model.
    fn hold(&mut self) -> ControlFlow<()> {
        let confinement = self.confinement.as_mut();
        match confinement.and_then(|c| c.assumed.broken(&self.inputs)) {
            None => ControlFlow::Continue(()),
            Some(text) => {
                let state = self.inputs[1..=self.dimension].to_vec();
                self.broken = Some((text.to_owned(), self.inputs[0], state));
                ControlFlow::Break(())
            }
        }
    }

    /// Ends the motion where something has no finite value.
    fn lose(&mut self, name: String, value: f64) -> ControlFlow<()> {
        let (time, state) = (self.inputs[0], self.state().to_vec());
        let regularity = self.regularity.as_mut();
        let singular = regularity.and_then(|r| r.lost_at(time, &state));
        self.lost = Some(Lost {
            name,
            value,
            time,
            state,
            singular,
        });
        ControlFlow::Break(())
    }
}

/// Observables may have places without a value, and a residual is judged by its size.
fn must_be_finite(kind: RecordKind) -> bool {
    matches!(
        kind,
        RecordKind::Velocity
            | RecordKind::FrameVelocity
            | RecordKind::Momentum
            | RecordKind::Multiplier
            | RecordKind::Energy
    )
}

impl Observer for Watch<'_> {
    fn sample(&mut self, t: f64, x: &[f64]) -> ControlFlow<()> {
        self.set(t, x);
        self.guard.sample(&self.inputs);
        self.hold()?;
        self.record()?;
        self.row.clear();
        self.row.push(t);
        self.row.extend_from_slice(x);
        self.row.extend_from_slice(&self.values);
        self.sizes.resize_with(self.row.len(), || Size::NONE);
        let sizes = self.sizes.iter_mut().zip(&self.row);
        sizes.for_each(|(size, x)| size.add(*x));
        (self.sink)(Row(&self.row))
    }

    fn event(&mut self, event: usize, t: f64, x: &[f64]) -> ControlFlow<()> {
        let row = self.row_at(t, x);
        self.hits.push(Hit {
            event,
            time: t,
            state: x.to_vec(),
            row,
        });
        ControlFlow::Continue(())
    }

    fn project(&mut self, t: f64, x: &mut [f64]) {
        if let Some(projection) = &mut self.projection
            && !self.leapt
        {
            let way = projection.move_back(&mut self.inputs, t, x);
            self.moved = way.unwrap_or(f64::INFINITY);
        }
        // Last, to the last bit: rows are on their groups.
        if let Some(space) = &self.space {
            // A state that is nowhere near its group is left alone: the distance that is reported tells.
            let _ = space.project(x);
        }
    }

    fn inspect(&mut self, step: &mut dyn Inside) -> Inspection {
        if !self.is_off(step)
            && let Some(end) = self.miss(step)
        {
            return Inspection::Again(end);
        }
        let Some((barrier, theta, instead)) = self.obstacle(step) else {
            // The step that was taken instead of another is no sign that the obstacle has been passed.
            if std::mem::replace(&mut self.calm, true) {
                self.tries = 0;
            }
            return self.confine(step);
        };
        if let Some(part) = instead
            && self.tries < MOST_TRIES
        {
            self.tries += 1;
            self.calm = false;
            return Inspection::Again(part);
        }
        self.barrier = Some(barrier);
        Inspection::Barred(theta)
    }

    fn nodes(&self) -> &[(f64, f64)] {
        self.guard.nodes()
    }

    fn node(&mut self, t: f64, weight: f64, x: &[f64]) {
        self.set(t, x);
        self.guard.node(weight, &self.inputs);
    }

    fn is_weighed(&mut self, part: f64) -> bool {
        self.guard.is_weighed(part)
    }

    fn after_step(&mut self, t: f64, x: &[f64]) -> ControlFlow<()> {
        self.leapt = false;
        self.set(t, x);
        match self.guard.step(&self.inputs) {
            None => ControlFlow::Continue(()),
            Some((name, value)) => self.lose(name, value),
        }
    }
}

/// The part of a step to take instead of one with a singular position at theta: up to so far behind it, or so that
/// the next step has it in its middle. Series reach about as far from both ends then, and the rounding of either end,
/// which grows where they come from beyond a crossing, grows least.
fn centring(theta: f64) -> f64 {
    match theta < 0.55 {
        true => 2.0 * theta,
        false => theta - 0.5,
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
