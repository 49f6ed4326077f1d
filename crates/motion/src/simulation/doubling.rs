//! The same motion once more in steps twice as long: where it goes tells what the length of the steps costs.
//!
//! Steps of a given length have no tolerance, and energy and momenta that hold say nothing of where along its orbit a
//! motion is, nor of what it missed for a moment beside a matrix that is nearly singular.

use super::built::Simulation;
use super::projection::Projection;
use super::stepper;
use rattleback_integrate::group::Space;
use rattleback_integrate::{Drive, Observer, Output, StepSize};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// Steps of a motion that are followed once more, from its start on: a long motion takes no longer for it.
const MOST_STEPS: usize = 1 << 14;
/// Places at which both motions are held against each other.
const MOST_STATIONS: usize = 128;
/// Steps that bring a motion off by this part of a component are wrong.
const GROSS: f64 = 1e-3;
/// A component that is smaller beside the others by this part is made of their rounding.
const ROUNDING: f64 = 1e-9;
/// Times that differ by this part of a step are the same.
const SAME: f64 = 1e-6;

/// How far a motion in steps twice as long comes off.
#[derive(Clone, Debug, PartialEq)]
pub struct Doubling {
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
    /// When the motion in longer steps ended before.
    pub ended: Option<f64>,
    /// The part of the difference that steps of the given length are off by, at least.
    part: f64,
}

impl Doubling {
    /// What is to be said of it, if anything.
    pub(super) fn warning(&self) -> Option<String> {
        if let Some(t) = self.ended {
            return Some(format!(
                "the same motion in steps twice as long ends at t = {t}: the steps may be too long there; try a smaller ‹step›"
            ));
        }
        let Doubling {
            name,
            difference,
            size,
            time,
            ..
        } = self;
        (self.part * difference > GROSS * size).then(|| {
            format!(
                "steps twice as long bring `{name}` elsewhere by {difference:.1e} until t = {time}, where it is as large \
                 as {size:.1e}: try a smaller ‹step›"
            )
        })
    }
}

/// States of a motion after an even number of steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Stations {
    /// Steps between two of them; none are kept where it is 0.
    stride: usize,
    seen: usize,
    kept: Vec<(f64, Vec<f64>)>,
    /// The largest |x| of each component.
    sizes: Vec<f64>,
}

impl Stations {
    /// To be filled along a motion.
    pub(super) fn new() -> Self {
        Self {
            stride: 2,
            ..Self::default()
        }
    }

    /// Takes the state after one step more.
    pub(super) fn see(&mut self, t: f64, x: &[f64]) {
        if self.stride == 0 || self.seen > MOST_STEPS {
            return;
        }
        self.sizes.resize(x.len(), 0.0);
        for (size, x) in self.sizes.iter_mut().zip(x) {
            *size = size.max(x.abs());
        }
        if self.seen.is_multiple_of(self.stride) {
            self.kept.push((t, x.to_vec()));
        }
        self.seen += 1;
        if self.kept.len() > MOST_STATIONS {
            let mut is_odd = true;
            self.kept.retain(|_| {
                is_odd = !is_odd;
                !is_odd
            });
            self.stride *= 2;
        }
    }
}

/// The motion in longer steps, held against the stations of the other.
struct Companion<'a> {
    stations: &'a Stations,
    step: f64,
    taken: usize,
    projection: Option<Projection>,
    space: Option<Space>,
    /// (t, x, what is given).
    inputs: Vec<f64>,
    /// The largest |Δx| of each component, and when.
    apart: Vec<(f64, f64)>,
}

impl Observer for Companion<'_> {
    fn sample(&mut self, t: f64, x: &[f64]) -> ControlFlow<()> {
        let steps = 2 * self.taken;
        self.taken += 1;
        if !steps.is_multiple_of(self.stations.stride) {
            return ControlFlow::Continue(());
        }
        let Some((time, other)) = self.stations.kept.get(steps / self.stations.stride) else {
            return ControlFlow::Break(());
        };
        // The last step may be cut short.
        if (t - time).abs() <= SAME * self.step {
            for (apart, (x, y)) in self.apart.iter_mut().zip(x.iter().zip(other)) {
                let difference = (x - y).abs();
                if difference.is_nan() || difference > apart.0 {
                    *apart = (difference, t);
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn project(&mut self, t: f64, x: &mut [f64]) {
        if let Some(projection) = &mut self.projection {
            projection.move_back(&mut self.inputs, t, x);
        }
        if let Some(space) = &self.space {
            let _ = space.project(x);
        }
    }
}

impl Simulation {
    /// Follows the motion, which had these states, in steps twice as long.
    pub(super) fn doubled(&mut self, stop: &AtomicBool, stations: &Stations) -> Option<Doubling> {
        let (last, _) = stations.kept.last()?;
        if stations.kept.len() < 2 {
            return None;
        }
        let made = stepper::stepper(
            self.method,
            &self.motion,
            &self.field,
            &self.options,
            self.discrete.as_ref(),
        );
        let mut method = made.ok()?;
        let mut inputs = vec![0.0; 1 + self.start.len()];
        inputs.extend_from_slice(&self.given);
        let mut companion = Companion {
            stations,
            step: self.step,
            taken: 0,
            projection: self.projection.clone(),
            space: self.space.clone().filter(|_| self.options.project),
            inputs,
            apart: vec![(0.0, self.from); self.start.len()],
        };
        let drive = Drive::new(self.from, *last)
            .step_size(StepSize::Fixed(2.0 * self.step))
            .output(Output::Steps)
            .stop_flag(stop);
        let mut x = self.start.clone();
        let (summary, result) = drive.run_counted(
            &mut self.field,
            &mut *method,
            &mut x,
            &mut [],
            &mut companion,
        );
        if stop.load(std::sync::atomic::Ordering::Relaxed) {
            return None;
        }
        let largest = stations.sizes.iter().copied().fold(0.0, f64::max);
        let beside = |k: usize| {
            let size = stations.sizes[k].max(ROUNDING * largest);
            match companion.apart[k].0 {
                0.0 => 0.0,
                d if d.is_finite() => d / size,
                _ => f64::INFINITY,
            }
        };
        let components = 0..self.start.len();
        let worst = components.max_by(|&j, &k| beside(j).total_cmp(&beside(k)))?;
        let (difference, time) = companion.apart[worst];
        let powers = 2f64.powi(method.order().min(2) as i32) - 1.0;
        Some(Doubling {
            name: self.motion.state[worst].to_string(),
            difference,
            size: stations.sizes[worst].max(ROUNDING * largest),
            time,
            until: summary.t,
            ended: (result.is_err() || !difference.is_finite()).then_some(summary.t),
            part: 1.0 / powers,
        })
    }
}
