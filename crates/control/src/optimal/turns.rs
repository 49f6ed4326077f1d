//! Controls that are angles: whole turns between their samples are taken out.
//!
//! Where rates, cost and conditions are the same after a turn of a control, a discrete path with any whole turns added to
//! any of its samples satisfies the same conditions at the same cost. The iteration ends in any of these paths. Only the one
//! whose control is continuous means anything between the samples, to a finer mesh, and to who follows it.

use super::path::Path;
use super::posed::{Bounded, Posed};
use super::scatter::Scatter;
use super::transcribe::{Transcriber, Transcription};
use crate::stage::Point;
use rattleback_compile::program::{Interpreter, Program};
use rattleback_symbolic::{Expr, Symbol};
use std::f64::consts::TAU;

/// At how many points a turn must change nothing, and how much that is beside the values.
const SAME: (usize, f64) = (8, 1e-11);

impl Posed {
    /// Which controls are angles: no bound holds them, and a turn changes nothing.
    pub(super) fn angles(&self) -> Vec<bool> {
        let plant = &self.plant;
        let none = vec![false; plant.controls.len()];
        let free = self.free.iter().map(|(f, _)| f.clone());
        let inputs: Vec<Symbol> = (plant.controls.iter().cloned())
            .chain([Symbol::time()])
            .chain(plant.state_symbols())
            .chain(free)
            .collect();
        let conditions = plant.equalities.iter().map(|(e, _)| e);
        let outputs: Vec<Expr> = (plant.velocity.iter().chain(&plant.rates))
            .chain([&plant.cost])
            .chain(conditions)
            .chain(self.paths.iter().map(|b| &b.value))
            .cloned()
            .collect();
        let Ok(program) = Program::new(&inputs, &self.constants, &plant.stages, &outputs) else {
            return none;
        };
        let program = Interpreter::new(program);
        let is_angle = |i: usize| {
            let bounded = self.simple.iter().any(|b| b.on == Bounded::Control(i));
            !bounded && keeps(&program, inputs.len(), i)
        };
        (0..plant.controls.len()).map(is_angle).collect()
    }
}

/// Do all values stay as they are when an input goes round once?
fn keeps(program: &Interpreter, inputs: usize, i: usize) -> bool {
    let mut seen = 0;
    for k in 1..=2 * SAME.0 {
        let mut scatter = Scatter::new(k);
        let mut at: Vec<f64> = (0..inputs).map(|_| 2.0 * scatter.next()).collect();
        let Ok(before) = program.values(&at) else {
            continue;
        };
        at[i] += TAU;
        let Ok(after) = program.values(&at) else {
            return false;
        };
        if before.iter().any(|x| !x.is_finite()) {
            continue;
        }
        seen += 1;
        let size = before.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
        let mut pairs = before.iter().zip(&after);
        if pairs.any(|(a, b)| (a - b).abs() > SAME.1 * size || !b.is_finite()) {
            return false;
        }
    }
    seen >= SAME.0
}

impl Transcriber {
    /// Takes whole turns out of the controls that are angles: each sample is brought next to the one before it, and all of
    /// them next to the path that the search began with.
    pub(super) fn unwind(&self, t: &Transcription, at: &mut Point, begun: &Path) {
        let n = t.mesh.intervals();
        for i in (0..self.shape.controls).filter(|&i| self.angles[i]) {
            let places = self.control_places(&t.starts, n, i);
            let mut last: Option<f64> = None;
            for &place in &places {
                let value = &mut at.variables[place];
                let turns = last.map_or(0.0, |before| ((*value - before) / TAU).round());
                *value -= TAU * turns;
                last = Some(*value);
            }
            let mean = |sum: f64, n: usize| sum / n.max(1) as f64;
            let found = places.iter().map(|&p| at.variables[p]).sum();
            let guessed = begun.controls.iter().map(|u| u[i]).sum();
            let off = mean(found, places.len()) - mean(guessed, begun.controls.len());
            let turns = (off / TAU).round();
            for place in places {
                at.variables[place] -= TAU * turns;
            }
        }
    }
}
