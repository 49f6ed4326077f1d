//! The motion under the controls of a solution, held against its path.

use super::extract::Trajectory;
use super::plant::Plant;
use rattleback_compile::Table;
use rattleback_mechanics::Problem;
use rattleback_motion::simulation::{Options, Simulation};
use rattleback_symbolic::Symbol;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// The largest difference at the end between a path and the motion under its controls from the path's own start, in a
/// problem that has the path's free numbers. Infinite where the motion does not get there; none where the plant has
/// no motion of its own: stationary curves, maps.
pub fn replay(plant: &Plant, problem: &Problem, path: &Trajectory) -> Option<f64> {
    plant.form.filter(|_| !plant.is_map)?;
    let mut problem = problem.clone();
    let mut tables = Vec::new();
    for (u, pieces) in plant.controls.iter().zip(&path.steering) {
        let table = Table::of_pieces(u.clone(), path.times.clone(), pieces.clone()).ok()?;
        problem = problem.with_law(u, table.law());
        tables.push(table);
    }
    let system = problem.driven();
    let options = Options {
        form: plant.form,
        until: path.times.last().copied(),
        ..Options::default()
    };
    let simulation =
        Simulation::with_tables(&problem, &system, &options, Vec::new(), tables.into());
    let mut simulation = simulation.ok()?;
    let names = simulation.columns();
    let place = |symbol: &Symbol| names.iter().position(|n| *n == symbol.to_string());
    for (symbol, value) in plant.state_symbols().iter().zip(path.states.first()?) {
        // The first column is the time.
        *simulation.start.get_mut(place(symbol)?.checked_sub(1)?)? = *value;
    }
    let stop = AtomicBool::new(false);
    let outcome = simulation
        .run(&stop, &mut |_| ControlFlow::Continue(()))
        .ok()?;
    if outcome.failure.is_some() {
        return Some(f64::INFINITY);
    }
    let mut error: f64 = 0.0;
    for (symbol, value) in plant.state_symbols().iter().zip(path.states.last()?) {
        error = error.max((outcome.row.get(place(symbol)?)? - value).abs());
    }
    Some(error)
}
