//! The motion under the controls of a solution, held against its path.

use super::extract::Trajectory;
use super::plant::Plant;
use super::{Controlled, Posed};
use rattleback_compile::Table;
use rattleback_integrate::End;
use rattleback_mechanics::{Given, Problem, System};
use rattleback_motion::simulation::{Options, Simulation};
use rattleback_symbolic::{Cancel, Expr, Symbol};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// What the motion under the controls of a path comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Replayed {
    /// The largest difference at the end from the path.
    pub error: f64,
    /// The integral of the running cost along it, which sees what is narrower than the intervals of the path; none where
    /// that has no value somewhere.
    pub running: Option<f64>,
}

/// The motion under the controls of a path from the path's own start, in a problem that has the path's free numbers: where
/// it ends, infinitely far off where it does not get there, and what it costs. None where the plant has no motion of its
/// own (stationary curves, maps) or somebody stopped it.
pub fn replay(plant: &Plant, problem: &Problem, path: &Trajectory) -> Option<Replayed> {
    plant.form.filter(|_| !plant.is_map)?;
    let mut problem = problem.clone();
    let mut tables = Vec::new();
    for (u, pieces) in plant.controls.iter().zip(&path.steering) {
        let table = Table::of_pieces(u.clone(), path.times.clone(), pieces.clone()).ok()?;
        problem = problem.with_law(u, table.law());
        tables.push(table);
    }
    let system = problem.driven();
    let counted = with_running_cost(&problem, &system);
    let found = counted.and_then(|(system, cost)| {
        let found = followed(plant, &problem, (&system, Some(&cost)), &tables, path);
        found.filter(|r| r.error.is_finite())
    });
    // A cost without a value somewhere is no reason why there should be no motion.
    found.or_else(|| followed(plant, &problem, (&system, None), &tables, path))
}

/// A driven system with the running cost so far as one more component, and that; none where there is no such cost.
fn with_running_cost(problem: &Problem, driven: &System) -> Option<(System, Symbol)> {
    let cost = Expr::sum(problem.costs.clone());
    if cost.is_zero() {
        return None;
    }
    let rates = problem.auxiliary_rates();
    let controls = problem.controls.iter();
    let laws: Vec<(Symbol, Expr)> = controls
        .map(|c| (c.symbol.clone(), problem.law(&c.symbol)))
        .collect();
    let cost = cost.substitute(&rates).substitute(&laws);
    let symbol = Symbol::variable("running cost");
    let all = driven.auxiliary().iter().cloned();
    let all = all.chain([(symbol.clone(), cost)]).collect();
    Some((driven.clone().with_auxiliary(all), symbol))
}

/// The same for a driven system, of which one component may be the cost so far.
fn followed(
    plant: &Plant,
    problem: &Problem,
    (system, cost): (&System, Option<&Symbol>),
    tables: &[Table],
    path: &Trajectory,
) -> Option<Replayed> {
    let options = Options {
        form: plant.form,
        until: path.times.last().copied(),
        ..Options::default()
    };
    let tables = tables.to_vec().into();
    let simulation = Simulation::with_tables(problem, system, &options, Vec::new(), tables);
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
    let mut found = Replayed {
        error: f64::INFINITY,
        running: None,
    };
    if outcome.failure.is_some() {
        return Some(found);
    }
    found.error = 0.0;
    for (symbol, value) in plant.state_symbols().iter().zip(path.states.last()?) {
        found.error = (found.error).max((outcome.row.get(place(symbol)?)? - value).abs());
    }
    let running = cost.and_then(|c| outcome.row.get(place(c)?).copied());
    found.running = running.filter(|j| j.is_finite());
    Some(found)
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
