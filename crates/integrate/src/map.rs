//! Maps: dynamics that go from node to node.

use crate::dynamics::Dynamics;
use crate::field::Fault;
use crate::stepper::{Step, Stepper};

/// x_{k+1} = f(t_k, x_k).
pub trait StateMap {
    /// The number of state components.
    fn size(&self) -> usize;

    /// Writes f(t, x).
    fn image(&mut self, t: f64, x: &[f64], next: &mut [f64]) -> Result<(), Fault>;
}

/// The dynamics of a map.
///
/// ```
/// use rattleback_integrate::*;
/// use std::ops::ControlFlow;
///
/// /// x ← x/2 + 1.
/// struct Halving;
/// impl StateMap for Halving {
///     fn size(&self) -> usize { 1 }
///     fn image(&mut self, _t: f64, x: &[f64], next: &mut [f64]) -> Result<(), Fault> {
///         next[0] = x[0] / 2.0 + 1.0;
///         Ok(())
///     }
/// }
///
/// let (mut x, mut rows) = ([0.0], Vec::new());
/// let mut map = Iterated::new(Halving);
/// let mut nodes = Nodes::new(1);
/// Drive::new(0.0, 3.0)
///     .step_size(StepSize::Fixed(1.0))
///     .run(&mut map, &mut nodes, &mut x, &mut [], &mut |_: f64, x: &[f64]| {
///         rows.push(x[0]);
///         ControlFlow::Continue(())
///     })?;
/// assert_eq!(rows, [0.0, 1.0, 1.5, 1.75]);
/// # Ok::<(), DriveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Iterated<M> {
    /// The map.
    pub map: M,
}

impl<M> Iterated<M> {
    /// The dynamics of this map.
    pub fn new(map: M) -> Self {
        Iterated { map }
    }
}

impl<M: StateMap> Dynamics for Iterated<M> {
    fn components(&self) -> usize {
        self.map.size()
    }
}

/// One image of a map for each step, however long. Inside a step the state is that of the node before.
#[derive(Clone, Debug)]
pub struct Nodes {
    start: Vec<f64>,
    end: Vec<f64>,
    images: u64,
}

impl Nodes {
    /// For maps of states with this many components.
    pub fn new(dimension: usize) -> Self {
        Nodes {
            start: vec![0.0; dimension],
            end: vec![0.0; dimension],
            images: 0,
        }
    }
}

impl<M: StateMap> Stepper<Iterated<M>> for Nodes {
    /// A map is what it is: there is nothing to converge to.
    fn order(&self) -> u32 {
        0
    }

    fn step(
        &mut self,
        dynamics: &mut Iterated<M>,
        t: f64,
        x: &[f64],
        _h: f64,
        next: &mut [f64],
    ) -> Result<Step, Fault> {
        self.images += 1;
        dynamics.map.image(t, x, next)?;
        self.start.copy_from_slice(x);
        self.end.copy_from_slice(next);
        Ok(Step { error: 0.0 })
    }

    fn interpolate(
        &mut self,
        _: &mut Iterated<M>,
        theta: f64,
        state: &mut [f64],
    ) -> Result<(), Fault> {
        state.copy_from_slice(if theta < 1.0 { &self.start } else { &self.end });
        Ok(())
    }

    fn evaluations(&self) -> u64 {
        self.images
    }
}
