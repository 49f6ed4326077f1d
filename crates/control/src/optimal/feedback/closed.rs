//! Motions from disturbed starts, with the loop open and closed.

use super::super::goal::moved;
use super::super::posed::Posed;
use super::Disturbed;
use super::reference::Reference;
use rattleback_compile::program::{Interpreter, Program};
use rattleback_integrate::{Dop853, Drive, Fault, Output, Tolerance, VectorField};
use rattleback_symbolic::{Expr, Symbol, checkpoint};
use std::ops::ControlFlow;

/// The motion under the controls of a path, with or without its feedback.
pub(super) struct Loop<'a> {
    reference: Reference<'a>,
    gains: &'a [Vec<f64>],
    sizes: &'a [f64],
    free: Vec<f64>,
    /// Rates of positions and components by time, state, controls and free numbers.
    rates: Interpreter,
    closed: bool,
}

/// A motion that takes more steps than this does not get there.
const MOST_STEPS: u64 = 200_000;
/// The tolerance with which it is followed.
const FOLLOWED: f64 = 1e-8;

impl<'a> Loop<'a> {
    pub fn of(
        posed: &Posed,
        reference: Reference<'a>,
        free: &[f64],
        gains: &'a [Vec<f64>],
        sizes: &'a [f64],
    ) -> Option<Self> {
        let plant = &posed.plant;
        let base = plant.system.frame().base_rates(&plant.velocity);
        let outputs: Vec<Expr> = base.into_iter().chain(plant.rates.clone()).collect();
        let inputs: Vec<Symbol> = std::iter::once(Symbol::time())
            .chain(plant.state_symbols())
            .chain(plant.controls.iter().cloned())
            .chain(posed.free.iter().map(|(f, _)| f.clone()))
            .collect();
        let program = Program::new(&inputs, &posed.constants, &plant.stages, &outputs).ok()?;
        Some(Self {
            reference,
            gains,
            sizes,
            free: free.to_vec(),
            rates: Interpreter::new(program),
            closed: false,
        })
    }

    /// The motions from a start that is moved along a direction.
    pub fn disturbed(&mut self, direction: usize, by: f64) -> Disturbed {
        let step: Vec<f64> = (0..self.sizes.len())
            .map(|i| if i == direction { by } else { 0.0 })
            .collect();
        let start = moved(self.reference.posed, &self.reference.path.states[0], &step);
        let mut ends = [false, true].map(|closed| {
            self.closed = closed;
            self.deviation_at_the_end(start.clone())
        });
        Disturbed {
            direction,
            by,
            open: ends[0].take(),
            closed: ends[1].take(),
        }
    }

    /// The largest deviation at the end in units of the sizes.
    fn deviation_at_the_end(&mut self, mut state: Vec<f64>) -> Option<f64> {
        let times = &self.reference.path.times;
        let (from, to) = (times[0], times[times.len() - 1]);
        let mut method = Dop853::new(state.len(), Tolerance::both(FOLLOWED));
        let drive = Drive::new(from, to)
            .output(Output::Ends)
            .most_steps(MOST_STEPS);
        let mut watch = |_: f64, _: &[f64]| ControlFlow::Continue(());
        let run = drive.run(self, &mut method, &mut state, &mut [], &mut watch);
        run.ok()?;
        let end = &self.reference.path.states[self.reference.path.states.len() - 1];
        let deviation = self.reference.deviation(end, &state)?;
        let scaled = deviation.iter().zip(self.sizes).map(|(e, s)| e.abs() / s);
        Some(scaled.fold(0.0, f64::max))
    }

    fn controls(&self, t: f64, state: &[f64]) -> Option<Vec<f64>> {
        let mut controls = self.reference.controls(t);
        if !self.closed {
            return Some(controls);
        }
        let (k, _, s) = self.reference.place(t);
        let deviation = self.reference.deviation(&self.reference.state(t), state)?;
        let n = deviation.len();
        for (i, u) in controls.iter_mut().enumerate() {
            let row = i * n..(i + 1) * n;
            let ends = self.gains[k][row.clone()]
                .iter()
                .zip(&self.gains[k + 1][row]);
            let gains = ends.map(|(a, b)| a + s * (b - a));
            *u -= gains.zip(&deviation).map(|(k, e)| k * e).sum::<f64>();
        }
        Some(self.reference.held(controls))
    }
}

impl VectorField for Loop<'_> {
    fn dimension(&self) -> usize {
        self.reference.path.states[0].len()
    }

    fn rates(&mut self, t: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        checkpoint();
        let controls = self.controls(t, x).ok_or(Fault::NotConverged)?;
        let inputs = [&[t], x, &controls, &self.free].concat();
        let found = self.rates.values(&inputs).map_err(|_| Fault::Singular)?;
        match found.iter().position(|v| !v.is_finite()) {
            Some(i) => Err(Fault::NotFinite(i)),
            None => {
                rates.copy_from_slice(&found);
                Ok(())
            }
        }
    }

    /// No explicit method asks for it.
    fn jacobian(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), Fault> {
        Err(Fault::NotConverged)
    }
}
