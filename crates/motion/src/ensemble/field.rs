//! The vector field of four members at once.

use super::given::Given;
use crate::simulation::{self, EventCode, Projection, Recurrences};
use rattleback_compile::program::Program;
use rattleback_integrate::group::Space;
use rattleback_integrate::taylor::BatchJets;
use rattleback_integrate::{BatchField, Block, Bounds, LANES, Singly, Tube};
use rattleback_native::taylor::{TaylorFunction, TaylorMemory};
use rattleback_native::{Backend, Function, Kernel, Lanes, Memory};
use std::sync::Arc;

/// The rates of a motion, compiled for four lanes and, for lanes that fail there, for one.
pub struct Code {
    lanes: Option<Kernel>,
    single: Function,
    series: Option<TaylorFunction>,
    /// For methods that follow members one by one.
    one: Option<simulation::Field>,
    dimension: usize,
    /// What belongs to every motion, besides its rates.
    extras: Extras,
}

/// What crosses zero at events, and where states are put back to.
#[derive(Clone, Default)]
pub(super) struct Extras {
    pub(super) events: Vec<EventCode>,
    pub(super) space: Option<Space>,
    pub(super) projection: Option<Projection>,
}

impl Code {
    /// The rates, and their Taylor series where a method follows them.
    pub fn new(program: Program, series: Option<Recurrences>) -> Self {
        Self {
            dimension: program.outputs.len(),
            series: series.map(|s| TaylorFunction::new(s.plan, s.policy.order(), Lanes::Four)),
            lanes: Kernel::compile(&program.optimized(), Lanes::Four, Backend::Best).ok(),
            single: Function::new(program),
            one: None,
            extras: Extras::default(),
        }
    }

    /// With the field of single members.
    pub(super) fn with_one(self, one: Option<simulation::Field>) -> Self {
        Self { one, ..self }
    }

    pub(super) fn one(&self) -> Option<&simulation::Field> {
        self.one.as_ref()
    }

    /// With what else belongs to every motion.
    pub(super) fn with_extras(self, extras: Extras) -> Self {
        Self { extras, ..self }
    }
}

/// The field of one thread.
pub struct Field {
    code: Arc<Code>,
    /// The last inputs, where anything is given.
    given: Option<Arc<Given>>,
    /// The member that the run calls number 0.
    first: usize,
    /// The member in each lane.
    aboard: [usize; LANES],
    /// t, state, what is given.
    inputs: Vec<Block>,
    scratch: Vec<f64>,
    values: Vec<f64>,
    lane_inputs: Vec<f64>,
    lane_rates: Vec<f64>,
    memory: Memory,
    series: Option<TaylorMemory>,
    /// One for each lane, for methods that follow members one by one.
    ones: Vec<simulation::Field>,
    extras: Extras,
}

impl Field {
    /// For members that differ in their starts only.
    pub fn new(code: &Arc<Code>) -> Self {
        Self::with_given(code, None, 0)
    }

    /// For members that are given values, of which the run calls one number 0.
    pub(super) fn with_given(code: &Arc<Code>, given: Option<&Arc<Given>>, first: usize) -> Self {
        let (n, varied) = (code.dimension, given.map_or(0, |given| given.len()));
        Self {
            inputs: vec![[0.0; LANES]; 1 + n + varied],
            scratch: vec![0.0; code.lanes.as_ref().map_or(0, Kernel::scratch_len)],
            values: vec![0.0; varied],
            lane_inputs: vec![0.0; 1 + n + varied],
            lane_rates: vec![0.0; n],
            memory: code.single.memory(),
            series: code.series.as_ref().map(TaylorFunction::memory),
            ones: code.one.iter().cycle().take(LANES).cloned().collect(),
            extras: code.extras.clone(),
            code: Arc::clone(code),
            given: given.cloned(),
            first,
            aboard: [0; LANES],
        }
    }

    /// The outputs for one member at a time and a state; are there finite ones?
    pub(super) fn single(&mut self, member: usize, t: f64, x: &[f64], out: &mut [f64]) -> bool {
        self.aboard[0] = member;
        self.enter(0, t);
        self.set_inputs(0, t, x);
        let single = &self.code.single;
        let found = single.call(&self.lane_inputs, out, &mut self.memory);
        found.is_ok() && out.iter().all(|v| v.is_finite())
    }

    /// Gives a lane the values.
    fn give(&mut self, lane: usize) {
        let varied = &mut self.inputs[1 + self.code.dimension..];
        for (input, value) in varied.iter_mut().zip(&self.values) {
            input[lane] = *value;
        }
        if let (Some(function), Some(memory)) = (&self.code.series, &mut self.series) {
            function.set_parameters(memory, lane, &self.values);
        }
        if let Some(one) = self.ones.get_mut(lane) {
            one.set_constants(&self.values);
        }
    }

    /// Copies what a lane's functions are given.
    fn take_inputs(&mut self, lane: usize) {
        for (one, all) in self.lane_inputs.iter_mut().zip(&self.inputs) {
            *one = all[lane];
        }
    }

    /// What a lane's functions are given, at another time and state.
    fn set_inputs(&mut self, lane: usize, t: f64, x: &[f64]) {
        self.take_inputs(lane);
        self.lane_inputs[0] = t;
        self.lane_inputs[1..=x.len()].copy_from_slice(x);
    }

    /// The lanes in `mask` one by one, with row exchanges; the mask of those that fail even so.
    fn one_by_one(&mut self, mask: u8, rates: &mut [Block]) -> u8 {
        let mut failed = 0;
        for lane in (0..LANES).filter(|lane| mask & (1 << lane) != 0) {
            self.take_inputs(lane);
            let single = &self.code.single;
            let found = single.call(&self.lane_inputs, &mut self.lane_rates, &mut self.memory);
            if found.is_err() {
                failed |= 1 << lane;
            }
            for (all, one) in rates.iter_mut().zip(&self.lane_rates) {
                all[lane] = *one;
            }
        }
        failed
    }
}

impl BatchField for Field {
    fn dimension(&self) -> usize {
        self.code.dimension
    }

    fn assign(&mut self, lane: usize, member: usize) {
        self.aboard[lane] = member;
        if let Some(given) = &self.given {
            given.begin(self.first + member, &mut self.values);
            self.give(lane);
        }
    }

    fn enter(&mut self, lane: usize, around: f64) {
        if let Some(given) = &self.given {
            given.write(self.first + self.aboard[lane], around, &mut self.values);
            self.give(lane);
        }
    }

    fn rates(&mut self, t: &[f64; LANES], x: &[Block], rates: &mut [Block]) -> u8 {
        self.inputs[0] = *t;
        self.inputs[1..=x.len()].copy_from_slice(x);
        let doubtful = match &self.code.lanes {
            Some(kernel) => {
                let (inputs, outputs) = (self.inputs.as_flattened(), rates.as_flattened_mut());
                kernel.run(inputs, outputs, &mut self.scratch)
            }
            None => Lanes::Four.mask(),
        };
        if doubtful == 0 {
            return 0;
        }
        self.one_by_one(doubtful, rates)
    }

    fn event(&mut self, lane: usize, event: usize, t: f64, x: &[f64]) -> f64 {
        self.set_inputs(lane, t, x);
        self.extras.events[event].value(&self.lane_inputs)
    }

    fn is_bounded(&self, event: usize) -> bool {
        self.extras.events[event].is_bounded()
    }

    fn bounds(&mut self, lane: usize, event: usize, tube: &Tube) -> Bounds {
        self.take_inputs(lane);
        let given = &self.lane_inputs[1 + self.code.dimension..];
        self.extras.events[event].bounds(given, tube)
    }

    fn projects(&self) -> bool {
        self.extras.space.is_some() || self.extras.projection.is_some()
    }

    fn project(&mut self, lane: usize, t: f64, x: &mut [f64]) {
        if self.extras.projection.is_some() {
            self.set_inputs(lane, t, x);
        }
        if let Some(projection) = &mut self.extras.projection {
            match projection.apply(&mut self.lane_inputs) {
                Some(_) => x.copy_from_slice(&self.lane_inputs[1..=x.len()]),
                // Nothing good comes of a motion that has left its constraints.
                None => x.fill(f64::NAN),
            }
        }
        if let Some(space) = &self.extras.space {
            // A state that is nowhere near its group is left alone.
            let _ = space.project(x);
        }
    }
}

impl Singly for Field {
    type One = simulation::Field;

    fn one(&mut self, lane: usize) -> &mut simulation::Field {
        &mut self.ones[lane]
    }
}

impl BatchJets for Field {
    fn jets(
        &mut self,
        t: &[f64; LANES],
        x: &[Block],
        order: usize,
        coefficients: &mut [Block],
    ) -> u8 {
        let (Some(function), Some(memory)) = (&self.code.series, &mut self.series) else {
            return Lanes::Four.mask();
        };
        if function.order() != order {
            return Lanes::Four.mask();
        }
        let (x, coefficients) = (x.as_flattened(), coefficients.as_flattened_mut());
        match function.jet(memory, t, x, coefficients) {
            Ok(()) => 0,
            Err((failed, _)) => failed,
        }
    }

    fn doubts(&mut self, coefficients: &[Block], steps: &Block) -> u8 {
        match (&self.code.series, &self.series) {
            (Some(function), Some(memory)) => {
                function.doubts(memory, coefficients.as_flattened(), steps)
            }
            _ => Lanes::Four.mask(),
        }
    }

    fn may_turn(&self) -> bool {
        self.code
            .series
            .as_ref()
            .is_none_or(TaylorFunction::may_turn)
    }
}
