//! A discrete system as a method with fixed steps.

use crate::field::{Fault, VectorField};
use crate::stepper::{Step, Stepper};

/// The map of a discrete system, (t, x) to x at t + h.
pub trait StepMap {
    /// The number of state components.
    fn dimension(&self) -> usize;

    /// Writes the state at t + h. A step of length 0 is the identity.
    fn advance(&mut self, t: f64, x: &[f64], h: f64, next: &mut [f64]) -> Result<(), Fault>;

    /// Takes the numbers that differ between motions, or between stretches of one.
    fn give(&mut self, _given: &[f64]) {}

    /// Forgets what earlier steps left behind: another motion or stretch begins.
    fn restart(&mut self) {}

    /// How often its equations have been evaluated.
    fn evaluations(&self) -> u64;
}

/// Steps by a map of its own; the field is asked only for what it is given. Within a step the state is that of a shorter one, which
/// satisfies the constraints and stays on groups as every step does.
///
/// ```
/// use rattleback_integrate::variational::{StepMap, Variational};
/// use rattleback_integrate::{Fault, Stepper, VectorField};
///
/// /// Störmer-Verlet for q'' = −q.
/// struct Verlet;
///
/// impl StepMap for Verlet {
///     fn dimension(&self) -> usize {
///         2
///     }
///     fn advance(&mut self, _t: f64, x: &[f64], h: f64, next: &mut [f64]) -> Result<(), Fault> {
///         next[0] = x[0] + h * (x[1] - h / 2.0 * x[0]);
///         next[1] = x[1] - h / 2.0 * (x[0] + next[0]);
///         Ok(())
///     }
///     fn evaluations(&self) -> u64 {
///         0 // not counted here
///     }
/// }
/// # struct Rest;
/// # impl VectorField for Rest {
/// #     fn dimension(&self) -> usize { 2 }
/// #     fn rates(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), Fault> { Ok(()) }
/// #     fn jacobian(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), Fault> { Ok(()) }
/// # }
/// let mut method = Variational::new(Verlet, 2);
/// let (mut x, mut next) = ([1.0, 0.0], [0.0; 2]);
/// for k in 0..1000 {
///     method.step(&mut Rest, 0.1 * f64::from(k), &x, 0.1, &mut next)?;
///     x = next;
/// }
/// // The energy does not drift.
/// assert!((x[0] * x[0] + x[1] * x[1] - 1.0).abs() < 3e-3);
/// # Ok::<(), Fault>(())
/// ```
#[derive(Clone, Debug)]
pub struct Variational<M> {
    map: M,
    order: u32,
    /// The step taken last: time, state and length,
    from: (f64, Vec<f64>, f64),
    /// and the state that it led to.
    to: Vec<f64>,
}

impl<M: StepMap> Variational<M> {
    /// The method of a map of this order.
    pub fn new(map: M, order: u32) -> Self {
        let n = map.dimension();
        Self {
            map,
            order,
            from: (0.0, vec![0.0; n], 0.0),
            to: vec![0.0; n],
        }
    }
}

impl<M: StepMap, F: VectorField + ?Sized> Stepper<F> for Variational<M> {
    fn order(&self) -> u32 {
        self.order
    }

    fn step(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
        h: f64,
        next: &mut [f64],
    ) -> Result<Step, Fault> {
        self.map.give(field.given());
        self.from.0 = t;
        self.from.1.copy_from_slice(x);
        self.from.2 = h;
        self.map.advance(t, x, h, next)?;
        self.to.copy_from_slice(next);
        match next.iter().position(|x| !x.is_finite()) {
            Some(i) => Err(Fault::NotFinite(i)),
            None => Ok(Step { error: 0.0 }),
        }
    }

    fn interpolate(&mut self, _: &mut F, theta: f64, state: &mut [f64]) -> Result<(), Fault> {
        let (t, x, h) = &self.from;
        self.map.advance(*t, x, theta * h, state)
    }

    /// On the line between the ends, where no equations are solved.
    fn sketch(&mut self, _: &mut F, theta: f64, state: &mut [f64]) -> Result<bool, Fault> {
        let ends = self.from.1.iter().zip(&self.to);
        for (x, (from, to)) in state.iter_mut().zip(ends) {
            *x = from + theta * (to - from);
        }
        Ok(false)
    }

    fn restart(&mut self) {
        self.map.restart();
    }

    fn evaluations(&self) -> u64 {
        self.map.evaluations()
    }
}
