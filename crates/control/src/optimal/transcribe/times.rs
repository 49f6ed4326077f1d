//! The times of nodes, and the free numbers that they are made of.

use super::super::path::Path;
use super::super::scheme::Scheme;
use super::{Transcriber, Transcription};
use crate::stage::Point;
use rattleback_symbolic::{Expr, Symbol, Tape};

impl Transcriber {
    /// Narrows the bounds of free numbers that times are made of to the neighbourhood of their guess.
    pub(in crate::optimal) fn hold_times(&self, t: &mut Transcription, path: &Path) {
        let shared = t.starts[t.mesh.intervals() + 1];
        for (i, ((symbol, _), guess)) in self.posed.free.iter().zip(&path.free).enumerate() {
            if self.times.iter().any(|e| e.contains(symbol)) {
                let problem = &mut t.problem;
                let (low, high) = (guess - 0.3 * guess.abs(), guess + 0.3 * guess.abs());
                let lower = &mut problem.lower[shared + i];
                *lower = lower.max(low);
                let upper = &mut problem.upper[shared + i];
                *upper = upper.min(high).max(*lower);
            }
        }
    }

    /// How many inequalities each time on the way has: their slacks end the block of its node.
    pub(in crate::optimal) fn via_slacks(&self) -> impl Iterator<Item = usize> + '_ {
        let vias = self.posed.vias.iter();
        vias.map(|(_, stop, _)| stop.requirements.iter().filter(|r| !r.equal).count())
    }

    /// The free number that is the end of the horizon.
    pub(super) fn end_time_variable(&self) -> Option<usize> {
        let symbol = self.posed.to.as_symbol()?;
        self.posed.free.iter().position(|(f, _)| f == symbol)
    }

    /// The values of free numbers at a point.
    pub fn free_values(&self, t: &Transcription, at: &Point) -> Vec<f64> {
        let start = t.starts[t.mesh.intervals() + 1];
        at.variables[start..start + self.posed.free.len()].to_vec()
    }

    /// The time of each node.
    pub fn node_times(&self, t: &Transcription, at: &Point) -> Vec<f64> {
        let free = self.free_values(t, at);
        let ends: Vec<f64> = self
            .times
            .iter()
            .map(|e| self.time_value(e, &free))
            .collect();
        let n = t.mesh.intervals();
        if self.scheme == Scheme::Map {
            return (0..=n).map(|k| k as f64).collect();
        }
        let mut all: Vec<f64> = (0..n)
            .map(|k| {
                let (stretch, share, _) = t.mesh.interval(k);
                ends[stretch] + (ends[stretch + 1] - ends[stretch]) * share
            })
            .collect();
        all.push(ends[ends.len() - 1]);
        all
    }

    /// A time with given values of the free numbers.
    pub(in crate::optimal) fn time_value(&self, e: &Expr, free: &[f64]) -> f64 {
        let symbols: Vec<Symbol> = (self.posed.constants.iter().map(|(s, _)| s.clone()))
            .chain(self.posed.free.iter().map(|(s, _)| s.clone()))
            .collect();
        let values: Vec<f64> = (self.posed.constants.iter().map(|(_, v)| *v))
            .chain(free.iter().copied())
            .collect();
        let tape = Tape::new(&symbols, std::slice::from_ref(e));
        tape.map_or(f64::NAN, |t| t.evaluate(&values)[0])
    }
}
