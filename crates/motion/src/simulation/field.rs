//! The vector field of a motion: compiled rates, their derivatives and their Taylor series.

use crate::compiled::{Compiled, fault};
use rattleback_compile::program;
use rattleback_compile::taylor::JetFault;
use rattleback_integrate::taylor::StepPolicy;
use rattleback_integrate::{Fault, Jets, Tolerance, VectorField, copy_narrow};
use rattleback_native::Lanes;
use rattleback_native::taylor::{TaylorFunction, TaylorMemory};
use std::sync::Arc;

use super::choice::Recurrences;
use super::method::Method;

/// The rates of a motion as a vector field. Cheap to clone: the code is shared.
#[derive(Clone)]
pub struct Field {
    dimension: usize,
    rates: Compiled,
    jacobian: Option<Compiled>,
    series: Option<(Arc<TaylorFunction>, TaylorMemory, StepPolicy)>,
    inputs: Vec<f64>,
}

impl Field {
    /// Compiles rates, a program with inputs (t, x, constants) and outputs x', and what the method
    /// needs besides.
    pub fn new(
        program: program::Program,
        method: Method,
        series: Option<Recurrences>,
        constants: &[f64],
    ) -> Self {
        let dimension = program.outputs.len();
        let compiled = |Recurrences { plan, policy, .. }: Recurrences| {
            let function = TaylorFunction::new(plan, policy.order(), Lanes::One);
            let mut memory = function.memory();
            function.set_parameters(&mut memory, 0, constants);
            (Arc::new(function), memory, policy)
        };
        let jacobian = || Compiled::new(program.jacobian(1..1 + dimension));
        let mut inputs = vec![0.0; 1 + dimension];
        inputs.extend_from_slice(constants);
        Self {
            dimension,
            series: series.map(compiled),
            jacobian: method.needs_jacobian().then(jacobian),
            rates: Compiled::new(program),
            inputs,
        }
    }

    /// The same, with the series found where the method follows them.
    pub fn of_program(
        program: program::Program,
        method: Method,
        tolerance: Tolerance,
        constants: &[f64],
    ) -> Self {
        let series = || Recurrences::of(&program, tolerance).ok();
        let series = (method == Method::TAYLOR).then(series).flatten();
        Self::new(program, method, series, constants)
    }

    /// Puts other values in the place of the constants.
    pub(crate) fn set_constants(&mut self, constants: &[f64]) {
        self.inputs[1 + self.dimension..].copy_from_slice(constants);
        if let Some((function, memory, _)) = &mut self.series {
            function.set_parameters(memory, 0, constants);
        }
    }

    /// Takes the steps of series for another tolerance, their order being what was compiled.
    pub(super) fn set_tolerance(&mut self, tolerance: Tolerance) {
        if let Some((_, _, policy)) = &mut self.series {
            *policy = StepPolicy::with_order(tolerance, policy.order());
        }
    }

    /// The compiled rates: a function of (t, x, constants).
    pub(super) fn code(&self) -> Compiled {
        self.rates.clone()
    }

    /// The order and the step sizes of the series that were compiled.
    pub fn policy(&self, tolerance: Tolerance) -> StepPolicy {
        match &self.series {
            Some((_, _, policy)) => *policy,
            None => StepPolicy::new(tolerance),
        }
    }

    #[inline]
    fn set(&mut self, t: f64, x: &[f64]) {
        self.inputs[0] = t;
        copy_narrow(x, &mut self.inputs[1..=self.dimension]);
    }
}

impl VectorField for Field {
    fn dimension(&self) -> usize {
        self.dimension
    }

    fn given(&self) -> &[f64] {
        &self.inputs[1 + self.dimension..]
    }

    #[inline]
    fn rates(&mut self, t: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        self.set(t, x);
        self.rates.call(&self.inputs, rates).map_err(fault)
    }

    /// Without constants the inputs are all that the code reads.
    #[inline]
    fn rates_of(&mut self, inputs: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        match self.inputs.len() == inputs.len() {
            true => self.rates.call(inputs, rates).map_err(fault),
            false => self.rates(inputs[0], &inputs[1..], rates),
        }
    }

    fn jacobian(&mut self, t: f64, x: &[f64], jacobian: &mut [f64]) -> Result<(), Fault> {
        self.set(t, x);
        match &mut self.jacobian {
            Some(compiled) => compiled.call(&self.inputs, jacobian).map_err(fault),
            // Only methods that ask for it at construction evaluate it.
            None => Err(Fault::NotConverged),
        }
    }
}

impl Jets for Field {
    fn jet(
        &mut self,
        t: f64,
        x: &[f64],
        order: usize,
        coefficients: &mut [f64],
    ) -> Result<(), Fault> {
        // The field of a Taylor method is compiled for the order that the method works with.
        let Some((function, memory, _)) = self.series.as_mut().filter(|s| s.0.order() == order)
        else {
            return Err(Fault::NotConverged);
        };
        let found = function.jet(memory, &[t], x, coefficients);
        found.map_err(|(_, why)| match why {
            JetFault::Block(block) => fault(block),
            JetFault::NotFinite(i) => Fault::NotFinite(i),
        })
    }

    fn may_turn(&self) -> bool {
        self.series.as_ref().is_none_or(|s| s.0.may_turn())
    }

    fn doubts(&mut self, coefficients: &[f64], h: f64) -> bool {
        let series = self.series.as_ref();
        series.is_none_or(|(function, memory, _)| function.doubts(memory, coefficients, &[h]) != 0)
    }
}
