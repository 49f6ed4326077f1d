//! Newton's method, with a named guess, damping and a verdict.

use crate::norm::largest_entry;
use crate::scaled::solve_scaled;
use crate::tolerance::{LAST_STEP, MOST_STEPS, RESTING_STEP, SMALL_RESIDUAL, SMALLEST_DAMPING};

/// Where the iteration starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Guess<'a> {
    /// At zero.
    Zero,
    /// At the solution of a problem nearby, such as the step before.
    Previous(&'a [f64]),
    /// At what the caller knows.
    Given(&'a [f64]),
}

/// How the iteration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The residual is small and the steps have come to rest.
    Converged,
    /// Steps have become short, or do not shorten the residual any more, and it is not small.
    Stalled,
    /// The Jacobian is singular at the last point.
    Singular {
        /// Which pivot vanishes.
        pivot: usize,
    },
    /// The steps are still long after all of them were taken.
    Diverged,
    /// The residual is not finite at the last point.
    NotFinite,
}

/// The end of an iteration, as data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// How it ended.
    pub verdict: Verdict,
    /// How many steps were taken.
    pub steps: usize,
    /// The largest entry of the residual at the last point.
    pub residual: f64,
    /// The largest entry of the last step, damped.
    pub last_step: f64,
}

/// How much of a step is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damping {
    /// It is halved until the residual goes down.
    Halved,
    /// All of it: near a solution, where rounding decides whether a residual goes down.
    None,
}

/// Newton steps onto r(x) = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Newton {
    /// A residual below this is a solution.
    pub residual: f64,
    /// A step of this part of 1 + |x| is the last.
    pub last_step: f64,
    /// So many steps are taken at most.
    pub most_steps: usize,
    /// How much of each is taken.
    pub damping: Damping,
}

impl Default for Newton {
    fn default() -> Self {
        Newton {
            residual: SMALL_RESIDUAL,
            last_step: LAST_STEP,
            most_steps: MOST_STEPS,
            damping: Damping::Halved,
        }
    }
}

/// The memory of an iteration, cut out of one list of numbers.
#[derive(Debug)]
pub struct Workspace<'a> {
    x: &'a mut [f64],
    trial: &'a mut [f64],
    step: &'a mut [f64],
    /// What each equation is measured by.
    weights: &'a mut [f64],
    /// The Jacobian by rows, then the residual, at x,
    here: &'a mut [f64],
    /// and at the trial point.
    there: &'a mut [f64],
}

impl<'a> Workspace<'a> {
    /// How many numbers n unknowns need.
    pub const fn length(n: usize) -> usize {
        4 * n + 2 * n * (n + 1)
    }

    /// Cuts memory of at least [`Workspace::length`] numbers.
    pub fn of(n: usize, memory: &'a mut [f64]) -> Self {
        let (x, rest) = memory.split_at_mut(n);
        let (trial, rest) = rest.split_at_mut(n);
        let (step, rest) = rest.split_at_mut(n);
        let (weights, rest) = rest.split_at_mut(n);
        let (here, rest) = rest.split_at_mut(n * (n + 1));
        Workspace {
            x,
            trial,
            step,
            weights,
            here,
            there: &mut rest[..n * (n + 1)],
        }
    }

    /// Measures each equation by its terms: |J| (|x| + |step|), with the Jacobian where that of the trial will be. So
    /// neither the units of the equations nor those of the unknowns decide which steps are good.
    fn weigh(&mut self) {
        let n = self.x.len();
        for (i, weight) in self.weights.iter_mut().enumerate() {
            let row = self.there[i * n..(i + 1) * n].iter();
            let sizes = self.x.iter().zip(&*self.step);
            let terms = row
                .zip(sizes)
                .map(|(j, (x, s))| j.abs() * (x.abs() + s.abs()));
            let sum: f64 = terms.sum();
            *weight = if sum > 0.0 { sum } else { 1.0 };
        }
    }

    /// The largest residual beside the terms of its equation.
    fn measured(&self, values: &[f64]) -> f64 {
        let n = self.x.len();
        let residuals = values[n * n..].iter().zip(&*self.weights);
        residuals.fold(0.0, |m: f64, (r, w)| match r.is_nan() {
            true => f64::INFINITY,
            false => m.max(r.abs() / w),
        })
    }

    /// The last point.
    pub fn solution(&self) -> &[f64] {
        self.x
    }
}

impl Newton {
    /// With a residual that is small beside quantities of this size.
    #[must_use]
    pub fn beside(size: f64) -> Self {
        Newton {
            residual: SMALL_RESIDUAL * (1.0 + size),
            ..Newton::default()
        }
    }

    /// Exactly so many whole steps, whatever they lead to: to sharpen what is nearly a solution.
    #[must_use]
    pub fn whole_steps(count: usize) -> Self {
        Newton {
            last_step: f64::NEG_INFINITY,
            most_steps: count,
            damping: Damping::None,
            ..Newton::default()
        }
    }

    /// Iterates from the guess. `evaluate` writes the Jacobian by rows and then the residual; where
    /// it fails, so does the iteration. The last point is in the workspace.
    ///
    /// ```
    /// use rattleback_numeric::{Guess, Newton, Verdict, Workspace};
    /// let mut memory = vec![0.0; Workspace::length(1)];
    /// let mut work = Workspace::of(1, &mut memory);
    /// // x² = 2.
    /// let outcome = Newton::default().solve(Guess::Given(&[1.0]), &mut work, |x, values| {
    ///     (values[0], values[1]) = (2.0 * x[0], x[0] * x[0] - 2.0);
    ///     Ok::<(), ()>(())
    /// });
    /// assert_eq!(outcome.unwrap().verdict, Verdict::Converged);
    /// assert!((work.solution()[0] - 2.0_f64.sqrt()).abs() < 1e-15);
    /// ```
    pub fn solve<E>(
        &self,
        guess: Guess<'_>,
        work: &mut Workspace<'_>,
        mut evaluate: impl FnMut(&[f64], &mut [f64]) -> Result<(), E>,
    ) -> Result<Outcome, E> {
        match guess {
            Guess::Zero => work.x.fill(0.0),
            Guess::Previous(x) | Guess::Given(x) => work.x.copy_from_slice(x),
        }
        evaluate(work.x, work.here)?;
        let entries = work.x.len() * work.x.len();
        let (mut steps, mut moved) = (0, 0.0);
        while steps < self.most_steps {
            let (jacobian, residual) = work.here.split_at_mut(entries);
            let size_now = largest_entry(residual);
            work.step.copy_from_slice(residual);
            work.there[..entries].copy_from_slice(jacobian);
            if let Err(singular) = solve_scaled(jacobian, work.step) {
                let verdict = match size_now.is_finite() {
                    true => Verdict::Singular {
                        pivot: singular.pivot,
                    },
                    false => Verdict::NotFinite,
                };
                return Ok(Outcome {
                    verdict,
                    steps,
                    residual: size_now,
                    last_step: moved,
                });
            }
            let damping = match self.damping {
                Damping::Halved => damp(work, &mut evaluate)?,
                Damping::None => {
                    move_trial(work, 1.0, &mut evaluate)?;
                    1.0
                }
            };
            work.x.copy_from_slice(work.trial);
            std::mem::swap(&mut work.here, &mut work.there);
            steps += 1;
            moved = largest_entry(work.step) * damping;
            if moved <= self.last_step * (1.0 + largest_entry(work.x)) {
                break;
            }
        }
        let residual = largest_entry(&work.here[entries..]);
        Ok(Outcome {
            verdict: self.judge(residual, moved, largest_entry(work.x)),
            steps,
            residual,
            last_step: moved,
        })
    }

    fn judge(&self, residual: f64, moved: f64, size: f64) -> Verdict {
        let rests = moved <= RESTING_STEP * (1.0 + size);
        match (residual.is_finite(), rests) {
            (false, _) => Verdict::NotFinite,
            (true, true) if residual <= self.residual => Verdict::Converged,
            (true, true) => Verdict::Stalled,
            (true, false) => Verdict::Diverged,
        }
    }
}

/// Goes to x − damping·step with the trial point, and evaluates there.
fn move_trial<E>(
    work: &mut Workspace<'_>,
    damping: f64,
    evaluate: &mut impl FnMut(&[f64], &mut [f64]) -> Result<(), E>,
) -> Result<(), E> {
    for ((t, x), s) in work.trial.iter_mut().zip(&*work.x).zip(&*work.step) {
        *t = x - damping * s;
    }
    evaluate(work.trial, work.there)
}

/// Tries x − damping·step, halved until the residual goes down as it stands or beside its terms, and returns the damping.
fn damp<E>(
    work: &mut Workspace<'_>,
    evaluate: &mut impl FnMut(&[f64], &mut [f64]) -> Result<(), E>,
) -> Result<f64, E> {
    work.weigh();
    let n = work.x.len();
    let sizes = |work: &Workspace<'_>, values: &[f64]| {
        (largest_entry(&values[n * n..]), work.measured(values))
    };
    let now = sizes(work, work.here);
    let mut damping = 1.0;
    loop {
        move_trial(work, damping, evaluate)?;
        let there = sizes(work, work.there);
        let goes_down = there.0 < now.0 || there.1 < now.1;
        if goes_down || damping < SMALLEST_DAMPING || now.0 == 0.0 {
            return Ok(damping);
        }
        damping /= 2.0;
    }
}
