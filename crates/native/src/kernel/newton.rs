//! Newton's method on machine code.

use super::Kernel;
use rattleback_numeric::{Guess, Newton as Iteration, Verdict, Workspace, largest_entry};

/// Solves `residuals(known, x) = 0` by damped Newton steps from zero, as the interpreter does.
#[derive(Debug)]
pub(crate) struct Newton {
    /// Inputs: known values, unknowns. Outputs: the Jacobian by rows, the residuals.
    equations: Kernel,
    known: usize,
    size: usize,
    lanes: usize,
}

/// What one solve works with.
struct Work<'a> {
    inputs: &'a mut [f64],
    iteration: Workspace<'a>,
    scratch: &'a mut [f64],
}

impl Newton {
    /// Newton's method for equations with so many known values and unknowns, in each of the lanes.
    pub fn new(equations: Kernel, known: usize, size: usize, lanes: usize) -> Self {
        Self {
            equations,
            known,
            size,
            lanes,
        }
    }

    /// How many numbers of work space a solve needs.
    pub fn workspace(&self) -> usize {
        self.known + self.size + Workspace::length(self.size) + self.equations.scratch_len()
    }

    /// The number of known values of all lanes.
    pub fn arguments(&self) -> usize {
        self.known * self.lanes
    }

    /// The number of unknowns of all lanes.
    pub fn results(&self) -> usize {
        self.size * self.lanes
    }

    /// Solves lane by lane and returns the mask of the failed ones.
    pub fn solve_lanes(&self, known: &[f64], work: &mut [f64], solution: &mut [f64]) -> u64 {
        let mut work = self.divide(work);
        let mut failed = 0;
        for lane in 0..self.lanes {
            let values = known[lane..].iter().step_by(self.lanes);
            let pairs = work.inputs[..self.known].iter_mut().zip(values);
            pairs.for_each(|(to, from)| *to = *from);
            if !self.solve(&mut work) {
                failed |= 1 << lane;
            }
            let places = solution[lane..].iter_mut().step_by(self.lanes);
            places
                .zip(work.iteration.solution())
                .for_each(|(to, from)| *to = *from);
        }
        failed
    }

    fn divide<'a>(&self, work: &'a mut [f64]) -> Work<'a> {
        let (inputs, rest) = work.split_at_mut(self.known + self.size);
        let (iteration, scratch) = rest.split_at_mut(Workspace::length(self.size));
        Work {
            inputs,
            iteration: Workspace::of(self.size, iteration),
            scratch,
        }
    }

    fn solve(&self, work: &mut Work) -> bool {
        let scale = largest_entry(&work.inputs[..self.known]);
        let Work {
            inputs,
            iteration,
            scratch,
        } = work;
        let evaluate = |x: &[f64], values: &mut [f64]| {
            inputs[self.known..].copy_from_slice(x);
            match self.equations.run(inputs, values, scratch) {
                0 => Ok(()),
                fault => Err(fault),
            }
        };
        let outcome = Iteration::beside(scale).solve(Guess::Zero, iteration, evaluate);
        scale.is_finite() && outcome.is_ok_and(|end| end.verdict == Verdict::Converged)
    }
}
