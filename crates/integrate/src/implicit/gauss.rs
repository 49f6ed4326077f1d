//! Gauss collocation: symplectic, symmetric, of order 2s with s stages.

use super::coefficients::GAUSS;
use super::collocation::{Basis, Collocation, Ending};
use super::resampled::Resampled;
use super::stages::Stages;
use super::tableau::Tableau;
use crate::compensated::Compensated;
use crate::convergence::{
    Convergence, MAX_ITERATIONS, SMALLEST_PART, Verdict, WORTHWHILE_CONTRACTION, larger,
    relative_size,
};
use crate::field::{Fault, Jets, VectorField};
use crate::method::{AnyStepper, Family, Method, Needs, Order, Setting};
use crate::stepper::{Step, Stepper};

/// What is true of all orders.
const COMMON: Method = Method {
    name: "",
    aliases: &[],
    about: "Gauss collocation",
    order: Order::ByTolerance,
    adaptive: false,
    lanes: false,
    symplectic: true,
    symmetric: true,
    needs: Needs {
        jacobian: true,
        ..Needs::RATES
    },
    work: "",
    dense: "a shorter step",
};

/// `gauss2`.
pub const GAUSS_2: Method = Method {
    name: "gauss2",
    aliases: &["midpoint"],
    order: Order::Fixed(2),
    work: "1 implicit stage",
    ..COMMON
};
/// `gauss4`.
pub const GAUSS_4: Method = Method {
    name: "gauss4",
    aliases: &[],
    order: Order::Fixed(4),
    work: "2 implicit stages",
    ..COMMON
};
/// `gauss6`.
pub const GAUSS_6: Method = Method {
    name: "gauss6",
    aliases: &[],
    order: Order::Fixed(6),
    work: "3 implicit stages",
    ..COMMON
};
/// `gauss8`.
pub const GAUSS_8: Method = Method {
    name: "gauss8",
    aliases: &[],
    order: Order::Fixed(8),
    work: "4 implicit stages",
    ..COMMON
};

/// The order of a Gauss method, twice the number of its stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GaussOrder {
    /// One stage: the implicit midpoint rule.
    Two,
    /// Two stages.
    Four,
    /// Three stages.
    Six,
    /// Four stages.
    Eight,
}

/// How the equations of the stages are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Iteration {
    /// Fixed-point iteration as long as it contracts fast, Newton from then on.
    Automatic,
    /// Z ← h(A⊗I)F(x + Z): needs no Jacobian, contracts while h‖J‖ is small.
    FixedPoint,
    /// Simplified Newton with the exact Jacobian, kept while it converges fast.
    Newton,
}

/// A Jacobian is kept for the next step while Newton contracts at least this fast.
const FAST_CONTRACTION: f64 = 0.02;

/// The Gauss method of order 2s: u(t) = x, u' = f at the roots of the Legendre polynomial, next
/// state u(t + h) = x + h Σ b_i F_i.
///
/// The stages are iterated until round-off stops the progress, and the sum is compensated, so that
/// the energy of a Hamiltonian system does a random walk at round-off instead of drifting.
///
/// ```
/// use rattleback_integrate::{Fault, Stepper, VectorField};
/// use rattleback_integrate::implicit::{Gauss, GaussOrder};
///
/// struct Oscillator;
/// impl VectorField for Oscillator {
///     fn dimension(&self) -> usize { 2 }
///     fn rates(&mut self, _: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
///         rates.copy_from_slice(&[x[1], -x[0]]);
///         Ok(())
///     }
///     fn jacobian(&mut self, _: f64, _: &[f64], jacobian: &mut [f64]) -> Result<(), Fault> {
///         jacobian.copy_from_slice(&[0.0, 1.0, -1.0, 0.0]);
///         Ok(())
///     }
/// }
///
/// let mut gauss = Gauss::new(GaussOrder::Eight, 2);
/// let mut next = [0.0; 2];
/// gauss.step(&mut Oscillator, 0.0, &[1.0, 0.0], 0.5, &mut next)?;
/// assert!((next[0] - 0.5_f64.cos()).abs() < 1e-9);
/// # Ok::<(), Fault>(())
/// ```
#[derive(Clone, Debug)]
pub struct Gauss {
    collocation: Collocation,
    iteration: Iteration,
    /// Automatic iteration has turned to Newton.
    newton: bool,
    sum: Compensated,
    /// The largest size of each component in the step at hand.
    reach: Vec<f64>,
}

impl Gauss {
    /// The method of the given order for states with `dimension` components.
    pub fn new(order: GaussOrder, dimension: usize) -> Self {
        Self::with_iteration(order, dimension, Iteration::Automatic)
    }

    /// The same, with the iteration chosen.
    pub fn with_iteration(order: GaussOrder, dimension: usize, iteration: Iteration) -> Self {
        let digits = &GAUSS[match order {
            GaussOrder::Two => 0,
            GaussOrder::Four => 1,
            GaussOrder::Six => 2,
            GaussOrder::Eight => 3,
        }];
        Gauss {
            collocation: Collocation::new(Tableau::new(digits), Basis::Rates, dimension),
            iteration,
            newton: iteration == Iteration::Newton,
            sum: Compensated::new(dimension),
            reach: vec![0.0; dimension],
        }
    }

    /// Solves for the stages by the iteration that is cheaper here.
    fn solve<F: VectorField + ?Sized>(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
        h: f64,
    ) -> Result<(), Fault> {
        let reach = &mut self.reach;
        if !self.newton {
            let bearable = match self.iteration {
                Iteration::Automatic => WORTHWHILE_CONTRACTION,
                _ => 1.0,
            };
            let ending = iterate(&mut self.collocation.stages, x, reach, bearable, |stages| {
                stages.evaluate(field, t, x, h)?;
                stages.correct_by_substitution();
                Ok(())
            });
            match (ending, self.iteration) {
                (Ok(Ending::Converged(_)), _) => return Ok(()),
                (Ok(Ending::Stalled), Iteration::FixedPoint) => return Err(Fault::NotConverged),
                (Err(fault), Iteration::FixedPoint) => return Err(fault),
                // A fault may be one of the iterates alone, on their way out.
                _ => {
                    self.newton = true;
                    self.collocation.stages.increments.fill(0.0);
                }
            }
        }
        let step = (t, x, h);
        (self.collocation).solve(field, step, FAST_CONTRACTION, |stages, field| {
            iterate(stages, x, reach, 1.0, |stages| {
                stages.evaluate(field, t, x, h)?;
                stages.correct_by_newton();
                Ok(())
            })
        })
    }
}

impl Family for Gauss {
    const METHODS: &'static [Method] = &[GAUSS_2, GAUSS_4, GAUSS_6, GAUSS_8];

    fn stepper<F: Jets + 'static, S: Setting>(
        method: &Method,
        setting: &S,
    ) -> Result<AnyStepper<F>, S::Refusal> {
        let order = match *method {
            GAUSS_2 => GaussOrder::Two,
            GAUSS_4 => GaussOrder::Four,
            GAUSS_6 => GaussOrder::Six,
            _ => GaussOrder::Eight,
        };
        let n = setting.dimension();
        Ok(Box::new(Resampled::new(Gauss::new(order, n), n)))
    }
}

/// Iterates down to round-off; each round `correct` finds the corrections.
fn iterate(
    stages: &mut Stages,
    x: &[f64],
    reach: &mut [f64],
    bearable: f64,
    mut correct: impl FnMut(&mut Stages) -> Result<(), Fault>,
) -> Result<Ending, Fault> {
    let mut convergence = Convergence::new(bearable);
    for _ in 0..MAX_ITERATIONS {
        correct(stages)?;
        let size = correction_size(stages, x, reach);
        stages.apply_corrections();
        match convergence.judge(size) {
            Verdict::Onward => {}
            Verdict::Converged => return Ok(Ending::Converged(convergence.contraction())),
            Verdict::Stalled => break,
        }
    }
    Ok(Ending::Stalled)
}

/// The largest correction against the size of its component.
fn correction_size(stages: &Stages, x: &[f64], reach: &mut [f64]) -> f64 {
    let n = x.len().max(1);
    for (reach, x) in reach.iter_mut().zip(x) {
        *reach = x.abs();
    }
    for z in stages.increments.chunks_exact(n) {
        for (reach, z) in reach.iter_mut().zip(z) {
            *reach = reach.max(z.abs());
        }
    }
    let floor = SMALLEST_PART * reach.iter().fold(0.0, |a: f64, b| a.max(*b));
    let mut size = 0.0;
    for c in stages.corrections.chunks_exact(n) {
        for (&c, reach) in c.iter().zip(&*reach) {
            size = larger(size, relative_size(c, reach.max(floor)));
        }
    }
    size
}

impl<F: VectorField + ?Sized> Stepper<F> for Gauss {
    fn order(&self) -> u32 {
        2 * self.collocation.stages.tableau.stages as u32
    }

    fn step(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
        h: f64,
        next: &mut [f64],
    ) -> Result<Step, Fault> {
        self.collocation.predict(t, h);
        self.solve(field, t, x, h)?;
        self.collocation.remember(t, x, h);
        self.sum.resume(x);
        let Stages { tableau, rates, .. } = &self.collocation.stages;
        for k in 0..x.len() {
            let rates = |j: usize| rates[j * x.len() + k];
            let mean = tableau.weights.sum(0, tableau.stages, rates);
            self.sum.add(k, h * mean);
        }
        self.sum.write(next);
        Ok(Step { error: 0.0 })
    }

    fn restart(&mut self) {
        self.collocation.restart();
        self.newton = self.iteration == Iteration::Newton;
    }

    fn evaluations(&self) -> u64 {
        self.collocation.stages.evaluations
    }

    fn interpolate(&mut self, _: &mut F, theta: f64, state: &mut [f64]) -> Result<(), Fault> {
        self.collocation.interpolate(theta, state);
        Ok(())
    }
}
