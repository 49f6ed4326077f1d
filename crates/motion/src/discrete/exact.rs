//! The exact discrete map: a continuous motion, sampled, with its action and its derivative (DP-A2, A22).

use super::map::Node;
use rattleback_compile::EvaluationError;
use rattleback_compile::program::{Interpreter, Program};
use rattleback_integrate::{Dop853, Drive, Fault, Output, Tolerance, VectorField};
use rattleback_mechanics::discrete::PhaseFlow;
use rattleback_symbolic::{MissingInput, Symbol};
use std::ops::ControlFlow;

/// As near to the motion as an explicit method of order 8 comes in doubles.
const TOLERANCE: Tolerance = Tolerance {
    relative: 1e-13,
    absolute: 1e-14,
};

/// A flow on positions and momenta, compiled.
pub(super) struct Sampled {
    /// Rates of positions and momenta, and of the action.
    rates: Interpreter,
    /// The derivatives of the former by positions and momenta.
    slopes: Interpreter,
    /// Positions and momenta together.
    dimension: usize,
}

impl Sampled {
    pub(super) fn new(flow: &PhaseFlow, constants: &[(Symbol, f64)]) -> Result<Self, MissingInput> {
        let inputs = [&[Symbol::time()], &flow.positions[..], &flow.momenta[..]].concat();
        let mut constants = constants.to_vec();
        constants.retain(|(s, _)| !inputs.contains(s));
        let dimension = flow.rates.len();
        let outputs = [&flow.rates[..], std::slice::from_ref(&flow.lagrangian)].concat();
        let rates = Program::new(&inputs, &constants, &flow.stages, &outputs)?;
        let bare = Program::new(&inputs, &constants, &flow.stages, &flow.rates)?;
        Ok(Self {
            rates: Interpreter::new(rates),
            slopes: Interpreter::new(bare.jacobian(1..1 + dimension)),
            dimension,
        })
    }

    /// Positions, momenta and the action after a step.
    pub(super) fn advance(&self, t: f64, h: f64, node: &Node) -> Result<Vec<f64>, String> {
        let state = [&node.q[..], &node.p[..], &[0.0]].concat();
        self.follow(t, h, state, false)
    }

    /// H = p·q' − L at a node.
    pub(super) fn energy(&self, t: f64, node: &Node) -> Option<f64> {
        let inputs = [&[t], &node.q[..], &node.p[..]].concat();
        let rates = self.rates.values(&inputs).ok()?;
        let work: f64 = node.p.iter().zip(&rates).map(|(p, v)| p * v).sum();
        Some(work - rates[self.dimension])
    }

    /// The derivative of a step, by rows.
    pub(super) fn slopes(&self, t: f64, h: f64, node: &Node) -> Result<Vec<f64>, String> {
        let end = self.follow(t, h, self.with_spread(node), true)?;
        Ok(end[self.dimension + 1..].to_vec())
    }

    /// The derivatives of the motion by its start, by rows, wherever the method came by on the way through a step, with
    /// the part of the step.
    pub(super) fn slopes_inside(
        &self,
        t: f64,
        h: f64,
        node: &Node,
    ) -> Result<Vec<(f64, Vec<f64>)>, String> {
        let mut found = Vec::new();
        let mut seen = |now: f64, x: &[f64]| {
            found.push(((now - t) / h, x[self.dimension + 1..].to_vec()));
            ControlFlow::Continue(())
        };
        self.drive(
            t,
            h,
            self.with_spread(node),
            (true, Output::Steps),
            &mut seen,
        )?;
        // At the start motions are still together.
        Ok(found.into_iter().skip(1).collect())
    }

    fn with_spread(&self, node: &Node) -> Vec<f64> {
        let m = self.dimension;
        let mut state = [&node.q[..], &node.p[..], &[0.0]].concat();
        state.extend((0..m * m).map(|k| f64::from(u8::from(k / m == k % m))));
        state
    }

    fn follow(&self, t: f64, h: f64, x: Vec<f64>, spreads: bool) -> Result<Vec<f64>, String> {
        let mut nothing = |_: f64, _: &[f64]| ControlFlow::Continue(());
        self.drive(t, h, x, (spreads, Output::Ends), &mut nothing)
    }

    fn drive(
        &self,
        t: f64,
        h: f64,
        mut x: Vec<f64>,
        (spreads, output): (bool, Output<'_>),
        seen: &mut impl FnMut(f64, &[f64]) -> ControlFlow<()>,
    ) -> Result<Vec<f64>, String> {
        let mut field = Augmented {
            flow: self,
            spreads,
            wrong: None,
        };
        let mut method = Dop853::new(x.len(), TOLERANCE);
        let drive = Drive::new(t, t + h).output(output);
        let run = drive.run(&mut field, &mut method, &mut x, &mut [], seen);
        match (run, field.wrong) {
            (Ok(_), _) => Ok(x),
            (Err(_), Some(why)) => Err(why),
            (Err(e), None) => Err(e.to_string()),
        }
    }
}

/// The motion with its action and, where it is asked for, the derivative of its state by that at the start.
struct Augmented<'a> {
    flow: &'a Sampled,
    spreads: bool,
    wrong: Option<String>,
}

impl VectorField for Augmented<'_> {
    fn dimension(&self) -> usize {
        let m = self.flow.dimension;
        m + 1 + if self.spreads { m * m } else { 0 }
    }

    fn rates(&mut self, t: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        let m = self.flow.dimension;
        let inputs = [&[t], &x[..m]].concat();
        let found = self.flow.rates.values(&inputs).map_err(|fault| {
            let program = self.flow.rates.program();
            self.wrong = Some(EvaluationError::of(fault, program).to_string());
            Fault::NotConverged
        })?;
        rates[..=m].copy_from_slice(&found);
        if self.spreads {
            let slopes = self.flow.slopes.values(&inputs);
            let slopes = slopes.map_err(|_| Fault::NotConverged)?;
            let spread = &x[m + 1..];
            for (k, rate) in rates[m + 1..].iter_mut().enumerate() {
                let (i, j) = (k / m, k % m);
                *rate = (0..m).map(|l| slopes[i * m + l] * spread[l * m + j]).sum();
            }
        }
        Ok(())
    }

    fn jacobian(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), Fault> {
        // An explicit method does not ask.
        Err(Fault::NotConverged)
    }
}
