//! The motion under the controls of a solution, held against its path.

use super::extract::Trajectory;
use super::plant::Plant;
use super::{Controlled, Posed};
use rattleback_compile::Table;
use rattleback_integrate::End;
use rattleback_mechanics::{Given, Problem};
use rattleback_motion::simulation::{Options, Simulation};
use rattleback_symbolic::{Cancel, Symbol};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// The largest difference at the end between a path and the motion under its controls from the path's own start, in a
/// problem that has the path's free numbers. Infinite where the motion does not get there; none where the plant has
/// no motion of its own (stationary curves, maps) or somebody stopped it.
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
    let follow = |stop: &AtomicBool| simulation.run(stop, &mut |_| ControlFlow::Continue(()));
    let outcome = Cancel::current().with_flag(follow).ok()?;
    if outcome.end == Some(End::Stopped) {
        return None;
    }
    if outcome.failure.is_some() {
        return Some(f64::INFINITY);
    }
    let mut error: f64 = 0.0;
    for (symbol, value) in plant.state_symbols().iter().zip(path.states.last()?) {
        error = error.max((outcome.row.get(place(symbol)?)? - value).abs());
    }
    Some(error)
}

impl Controlled {
    /// The numbers of the model that the solution settles: those that are free, and the start as far as it is open and
    /// settings reach, which is not to group elements, their velocities, and velocities of a frame.
    pub fn settled(&self, posed: &Posed, problem: &Problem) -> Option<Vec<(String, f64)>> {
        let free = self.free.iter().cloned();
        let mut settled: Vec<(String, f64)> = free.zip(self.solution.free.clone()).collect();
        let system = &problem.system;
        let in_groups = system.factors().iter().any(|f| f.group.is_some());
        if in_groups || !system.constraints().is_empty() {
            return Some(settled);
        }
        let start = self.solution.trajectory.states.first()?;
        let symbols = posed.plant.state_symbols();
        for (i, state) in self.names.state.iter().enumerate() {
            let symbol = symbols.get(i)?;
            let stated = problem.start.get(symbol);
            let is_open = stated.is_some_and(|s| s.given == Given::Free)
                || posed.plant.is_free_at_start(problem, symbol);
            if is_open {
                settled.push((state.name.clone(), *start.get(i)?));
            }
        }
        Some(settled)
    }
}
