//! A plant in steps: its map, one step of it, and its control.

use super::InStepsError;
use super::control::ControlNumbers;
use rattleback_compile::StartState;
use rattleback_mechanics::{Problem, Update};
use rattleback_symbolic::Expr;

/// A model with maps.
pub struct PlantInSteps {
    /// The states with their values at the next node.
    pub map: Vec<(String, Expr)>,
    /// The state after one step from the start.
    pub next: Vec<(String, f64)>,
    /// Its control, where the model has controls and a cost.
    pub control: Option<ControlNumbers>,
}

impl PlantInSteps {
    /// Iterates once, and solves what control asks.
    pub fn new(
        problem: &Problem,
        start: &StartState,
        steps: Option<usize>,
    ) -> Result<Self, InStepsError> {
        let maps = problem.auxiliary.iter().filter_map(|a| match &a.update {
            Update::Map(e) => Some((a.symbol.to_string(), e.clone())),
            Update::Rate(_) => None,
        });
        let map: Vec<(String, Expr)> = maps.collect();
        let values: Vec<Expr> = map.iter().map(|(_, e)| e.clone()).collect();
        let next = start.evaluate(&values)?;
        let names = map.iter().map(|(name, _)| name.clone());
        Ok(Self {
            next: names.zip(next).collect(),
            control: ControlNumbers::of(problem, start, None, steps),
            map,
        })
    }
}
