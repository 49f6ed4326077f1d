//! The two routes to a solution, held against each other.

use super::controlled::Controlled;
use super::tolerance::{NOTHING, SAME_TIME};
use crate::indirect::{self, Extremal, IndirectError, IndirectGuess, IndirectOptions, SecondOrder};
use rattleback_mechanics::Problem;

/// Which routes lead to the solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Route {
    /// Discretise, then optimise.
    Direct,
    /// The necessary conditions, from the direct solution as a first guess.
    Indirect,
    /// The direct solution, held against the necessary conditions where no inequality is active.
    #[default]
    Both,
}

/// What the necessary conditions make of a direct solution.
#[derive(Clone, Debug)]
pub struct Polished {
    /// Their cost.
    pub cost: f64,
    /// The largest difference in cost and states at the nodes, each relative to the largest value.
    pub difference: f64,
    /// What Jacobi fields tell; nothing under position constraints, whose directions they leave.
    pub second_order: Option<SecondOrder>,
}

/// A direct solution is near: what takes longer than this is not.
const LIMITS: IndirectOptions = IndirectOptions {
    tolerance: 1e-10,
    stages: 4,
    intervals: 16,
    most_intervals: 600,
    most_steps: 30,
};

/// Solves the necessary conditions from a direct solution; none where they do not apply.
pub fn polished(problem: &Problem, found: &Controlled) -> Result<Option<Polished>, IndirectError> {
    let (states, costates) = indirect::state_names(problem)?;
    let Some(guess) = guess(found, &states, costates.len()) else {
        return Ok(None);
    };
    let extremal = indirect::solve(problem, &guess, &LIMITS)?;
    let free = problem.system.constraints().holonomic().is_empty();
    Ok(Some(Polished {
        cost: extremal.cost,
        difference: difference(found, &guess, &extremal),
        second_order: free.then_some(extremal.second_order),
    }))
}

impl Controlled {
    /// Takes what the necessary conditions came to; where they alone were asked for, why they were not solved is an error.
    pub fn take_polished(
        &mut self,
        route: Route,
        solved: Result<Option<Polished>, IndirectError>,
    ) -> Result<(), String> {
        let why = match solved {
            Ok(Some(polished)) => {
                if route == Route::Indirect {
                    self.solution.cost = Some(polished.cost);
                } else if !self.bounded && !polished.is_another() {
                    self.solution.admit(polished.cost);
                }
                self.polished = Some(polished);
                return Ok(());
            }
            Ok(None) => "their states are others than those of the direct route".to_owned(),
            Err(e) => e.to_string(),
        };
        let text = format!("the necessary conditions were not solved: {why}");
        match route {
            Route::Indirect => return Err(text),
            // An active bound is no reason to worry.
            _ if self.bounded => {}
            _ => self.notes.push(text),
        }
        Ok(())
    }
}

/// The direct path in the states of the necessary conditions; its costates where they are of as many directions.
fn guess(found: &Controlled, states: &[String], costates: usize) -> Option<IndirectGuess> {
    let path = &found.solution.trajectory;
    let place = |name: &String| found.names.state.iter().position(|s| s.name == *name);
    let places: Option<Vec<usize>> = states.iter().map(place).collect();
    let places = places?;
    let row = |x: &Vec<f64>| places.iter().map(|&i| x[i]).collect();
    let known = found.names.costates.len() == costates;
    Some(IndirectGuess {
        times: path.times.clone(),
        states: path.states.iter().map(row).collect(),
        costates: known.then(|| path.costates.clone()),
        controls: Some(path.controls.clone()),
        free: found.solution.free.clone(),
    })
}

/// In cost and in the states at the nodes of the direct path, each relative to the largest value.
fn difference(found: &Controlled, direct: &IndirectGuess, extremal: &Extremal) -> f64 {
    let size = |all: &mut dyn Iterator<Item = f64>| all.map(f64::abs).fold(0.0, f64::max);
    let cost = found.solution.cost.map_or(0.0, |c| {
        (c - extremal.cost).abs() / c.abs().max(extremal.cost.abs()).max(NOTHING)
    });
    let scale = size(&mut direct.states.iter().flatten().copied()).max(NOTHING);
    // The polished nodes are others: those that both have are compared.
    let nodes = extremal.times.iter().zip(&extremal.states);
    let apart = nodes.filter_map(|(t, x)| {
        let near = |s: &f64| (s - t).abs() <= SAME_TIME * (1.0 + t.abs());
        let k = direct.times.iter().position(near)?;
        let gaps = x.iter().zip(&direct.states[k]).map(|(a, b)| (a - b).abs());
        Some(gaps.fold(0.0, f64::max))
    });
    cost.max(apart.fold(0.0, f64::max) / scale)
}
