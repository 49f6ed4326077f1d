//! Newton's method on machine code.

use crate::Kernel;
use crate::math::solve;

const MOST_STEPS: usize = 60;

/// Solves `residuals(known, x) = 0` by damped Newton steps from zero, as the interpreter does: a step
/// is halved until the residual goes down.
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
    /// Jacobian and residual at the present point,
    here: &'a mut [f64],
    /// and at the trial point.
    there: &'a mut [f64],
    x: &'a mut [f64],
    step: &'a mut [f64],
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
        self.known + self.size + 2 * self.values() + 2 * self.size + self.equations.scratch_len()
    }

    /// The number of known values of all lanes.
    pub fn arguments(&self) -> usize {
        self.known * self.lanes
    }

    /// The number of unknowns of all lanes.
    pub fn results(&self) -> usize {
        self.size * self.lanes
    }

    fn values(&self) -> usize {
        self.size * (self.size + 1)
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
            places.zip(&*work.x).for_each(|(to, from)| *to = *from);
        }
        failed
    }

    fn divide<'a>(&self, work: &'a mut [f64]) -> Work<'a> {
        let (inputs, rest) = work.split_at_mut(self.known + self.size);
        let (here, rest) = rest.split_at_mut(self.values());
        let (there, rest) = rest.split_at_mut(self.values());
        let (x, rest) = rest.split_at_mut(self.size);
        let (step, scratch) = rest.split_at_mut(self.size);
        Work {
            inputs,
            here,
            there,
            x,
            step,
            scratch,
        }
    }

    fn solve(&self, work: &mut Work) -> bool {
        let entries = self.size * self.size;
        work.x.fill(0.0);
        if !self.evaluate(work, 0.0) {
            return false;
        }
        std::mem::swap(&mut work.here, &mut work.there);
        for _ in 0..MOST_STEPS {
            let (jacobian, residual) = work.here.split_at_mut(entries);
            let size_now = norm(residual);
            work.step.copy_from_slice(residual);
            if !solve(jacobian, work.step) {
                return false;
            }
            let mut damping = 1.0;
            loop {
                if !self.evaluate(work, damping) {
                    return false;
                }
                let size_there = norm(&work.there[entries..]);
                if size_there < size_now || damping < 1e-10 || size_now == 0.0 {
                    break;
                }
                damping /= 2.0;
            }
            work.x.copy_from_slice(&work.inputs[self.known..]);
            std::mem::swap(&mut work.here, &mut work.there);
            if norm(work.step) * damping <= 1e-15 * (1.0 + norm(work.x)) {
                break;
            }
        }
        let left = norm(&work.here[entries..]);
        left.is_finite() && left <= 1e-10 * (1.0 + norm(&work.inputs[..self.known]))
    }

    /// Jacobian and residual at x − damping·step.
    fn evaluate(&self, work: &mut Work, damping: f64) -> bool {
        let trial = &mut work.inputs[self.known..];
        for ((t, x), s) in trial.iter_mut().zip(&*work.x).zip(&*work.step) {
            *t = if damping == 0.0 { *x } else { x - damping * s };
        }
        self.equations.run(work.inputs, work.there, work.scratch) == 0
    }
}

/// The largest entry; anything that is not a number counts as infinite.
fn norm(r: &[f64]) -> f64 {
    r.iter().fold(0.0f64, |m, v| {
        if v.is_nan() {
            f64::INFINITY
        } else {
            m.max(v.abs())
        }
    })
}
