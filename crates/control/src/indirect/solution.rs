//! What goes into the indirect route and what comes out of it.

use super::IndirectError;
use super::collocation::Iterate;
use super::conjugate::{self, SecondOrder};
use super::costates::fitted;
use super::ends::Asked;
use super::field::Field;
use rattleback_compile::program::{Interpreter, Program};
use rattleback_mechanics::{Origin, Problem};
use rattleback_symbolic::{Expr, Symbol};

/// A first iterate along the path, one row per time.
#[derive(Clone, Debug, Default)]
pub struct IndirectGuess {
    /// Increasing times.
    pub times: Vec<f64>,
    /// The states, in the order of [`super::state_names`].
    pub states: Vec<Vec<f64>>,
    /// The costates, where they are known.
    pub costates: Option<Vec<Vec<f64>>>,
    /// The controls, where they are known: costates are then fitted to them.
    pub controls: Option<Vec<Vec<f64>>>,
    /// The free numbers in the order of the problem; empty for their guesses.
    pub free: Vec<f64>,
}

/// How the conditions are solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IndirectOptions {
    /// Each interval agrees with itself cut in two to this part of the size of states and costates.
    pub tolerance: f64,
    /// Gauss points per interval: order twice that.
    pub stages: usize,
    /// Intervals at the beginning.
    pub intervals: usize,
    /// Intervals at most.
    pub most_intervals: usize,
    /// Steps of Newton's method on each mesh.
    pub most_steps: usize,
}

impl Default for IndirectOptions {
    fn default() -> Self {
        Self {
            tolerance: 1e-10,
            stages: 4,
            intervals: 16,
            most_intervals: 4000,
            most_steps: 60,
        }
    }
}

/// A solution of the necessary conditions.
#[derive(Clone, Debug)]
pub struct Extremal {
    /// The names of the states.
    pub state_names: Vec<String>,
    /// The names of the costates.
    pub costate_names: Vec<String>,
    /// The names of the controls; in variational problems those of the highest derivatives, then of the multipliers.
    pub control_names: Vec<String>,
    /// The nodes.
    pub times: Vec<f64>,
    /// The states there.
    pub states: Vec<Vec<f64>>,
    /// The costates there; H = p·v − cost.
    pub costates: Vec<Vec<f64>>,
    /// The controls there.
    pub controls: Vec<Vec<f64>>,
    /// The free numbers.
    pub free: Vec<(Symbol, f64)>,
    /// The cost, its terms at the end included; for boundary-value problems the action.
    pub cost: f64,
    /// The mean of the Hamiltonian over the nodes.
    pub hamiltonian: f64,
    /// Its largest change.
    pub hamiltonian_spread: f64,
    /// The symmetries that the problem has, each with the mean of its momentum and the largest change.
    pub momenta: Vec<(String, f64, f64)>,
    /// How far the worst interval is off itself cut in two, beside the size of states and costates: the residual of
    /// multiple shooting.
    pub residual: f64,
    /// The largest residual of the conditions at the ends.
    pub end_residual: f64,
    /// Newton steps on the last mesh.
    pub steps: usize,
    /// Conditions that follow from others and were left out.
    pub dropped: Vec<Origin>,
    /// Inequalities at the end that hold with equality, and their multipliers: not negative at a minimum.
    pub active: Vec<(Origin, f64)>,
    /// Is it a strict local minimum, as far as Jacobi fields tell?
    pub second_order: SecondOrder,
}

/// A guess with costates.
pub(super) struct Completed {
    times: Vec<f64>,
    rows: Vec<Vec<f64>>,
    pub(super) free: Vec<f64>,
}

impl IndirectGuess {
    pub(super) fn completed(
        &self,
        problem: &Problem,
        field: &mut Field,
    ) -> Result<Completed, IndirectError> {
        let wrong = self.states.iter().find(|row| row.len() != field.states);
        let found = wrong
            .map(Vec::len)
            .or((self.states.len() != self.times.len()).then_some(0));
        let expected = field.states;
        if let Some(found) = found.or(self.times.is_empty().then_some(0)) {
            return Err(IndirectError::Guess { found, expected });
        }
        let free = match self.free.len() == field.free.len() {
            true => self.free.clone(),
            false => {
                let numbers = field.free.iter();
                let numbers = numbers.map(|s| problem.values.number(&Expr::from(s)));
                numbers
                    .collect::<Option<_>>()
                    .ok_or(IndirectError::NoHorizon)?
            }
        };
        let costates = match (&self.costates, &self.controls) {
            (Some(costates), _) => costates.clone(),
            (None, Some(controls)) => fitted(field, &self.times, &self.states, controls, &free)?,
            (None, None) => vec![vec![0.0; field.costates]; self.times.len()],
        };
        let rows = self.states.iter().zip(&costates);
        let rows: Vec<Vec<f64>> = rows.map(|(x, p)| [&x[..], p].concat()).collect();
        match rows
            .iter()
            .find(|r| r.len() != field.states + field.costates)
        {
            Some(row) => Err(IndirectError::Guess {
                found: row.len(),
                expected: field.states + field.costates,
            }),
            None => Ok(Completed {
                times: self.times.clone(),
                rows,
                free,
            }),
        }
    }
}

impl Completed {
    /// State and costate at a time, straight between the rows; group elements are moved back onto their groups.
    pub(super) fn at(&self, field: &Field, t: f64) -> Vec<f64> {
        let last = self.times.len() - 1;
        let k = self
            .times
            .partition_point(|x| *x <= t)
            .clamp(1, last.max(1))
            - 1;
        let next = (k + 1).min(last);
        let span = self.times[next] - self.times[k];
        let part = if span > 0.0 {
            ((t - self.times[k]) / span).clamp(0.0, 1.0)
        } else {
            0.0
        };
        let both = self.rows[k].iter().zip(&self.rows[next]);
        let mut y: Vec<f64> = both.map(|(a, b)| a + part * (b - a)).collect();
        for factor in field.system.factors() {
            if let Some(group) = factor.group {
                let entries = &mut y[factor.base.clone()];
                let mut nearest = entries.to_vec();
                if group.project(&mut nearest).is_ok() {
                    entries.copy_from_slice(&nearest);
                }
            }
        }
        y
    }

    /// The times between the stretches at the guess of the free numbers.
    pub(super) fn moments(&self, field: &Field, asked: &Asked) -> Result<Vec<f64>, IndirectError> {
        let program = Program::new(&field.free, &field.constants, &[], &asked.times)?;
        let times = Interpreter::new(program).values(&self.free);
        let times = times.map_err(|_| IndirectError::NoHorizon)?;
        match times.windows(2).all(|w| w[0] < w[1]) {
            true => Ok(times),
            false => Err(IndirectError::NoHorizon),
        }
    }
}

/// The solution that an iterate has come to.
pub(super) fn extremal(
    problem: &Problem,
    field: &mut Field,
    iterate: &Iterate,
    steps: usize,
    residual: f64,
) -> Result<Extremal, IndirectError> {
    let moments = iterate.times().ok_or(IndirectError::NotFinite)?;
    let (mut times, mut rows): (Vec<f64>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
    for (k, stretch) in iterate.stretches.iter().enumerate() {
        let length = moments[k + 1] - moments[k];
        let from = usize::from(k > 0);
        times.extend(
            stretch.nodes[from..]
                .iter()
                .map(|s| moments[k] + length * s),
        );
        rows.extend(stretch.values[from..].iter().cloned());
    }
    let theta = iterate.theta.clone();
    let (mut controls, mut hamiltonians) = (Vec::new(), Vec::new());
    for (t, y) in times.iter().zip(&rows) {
        let (u, h) = field.shown(*t, y, &theta).ok_or(IndirectError::NotFinite)?;
        controls.push(u);
        hamiltonians.push(h);
    }
    let (mean, spread) = mean_and_spread(&hamiltonians);
    check_bounds(problem, field, &times, &rows, &theta)?;
    if let Some(origin) = iterate.ends.broken(&iterate.moments()) {
        let end = times.last().copied().unwrap_or_default();
        return Err(IndirectError::Inequality {
            origin,
            from: end,
            to: end,
        });
    }
    let (n, all) = (field.states, field.states + field.costates);
    let running = rows.last().and_then(|y| y.last()).copied().unwrap_or(0.0);
    let steering = &field.steering;
    let names =
        |symbols: Vec<Symbol>| -> Vec<String> { symbols.iter().map(ToString::to_string).collect() };
    let costates = steering.momenta.iter().chain(&steering.adjoints).cloned();
    let active = iterate.ends.active.iter();
    Ok(Extremal {
        state_names: names(field.equations.state[..n].to_vec()),
        costate_names: names(costates.collect()),
        control_names: names(steering.unknowns()),
        states: rows.iter().map(|y| y[..n].to_vec()).collect(),
        costates: rows.iter().map(|y| y[n..all].to_vec()).collect(),
        free: field
            .free
            .iter()
            .cloned()
            .zip(theta.iter().copied())
            .collect(),
        cost: running + terminal(problem, field, &times, &rows, &theta)?,
        hamiltonian: mean,
        hamiltonian_spread: spread,
        momenta: momenta(field, &times, &rows, &theta)?,
        residual,
        end_residual: iterate.end_residual(),
        steps,
        dropped: iterate.ends.dropped.clone(),
        // E = room − …: its multiplier is minus that of the inequality.
        active: active
            .map(|(o, place)| (*o, -iterate.multipliers[*place]))
            .collect(),
        second_order: conjugate::judge(field, iterate, &times, &rows),
        times,
        controls,
    })
}

fn mean_and_spread(values: &[f64]) -> (f64, f64) {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    let (low, high) = values
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| {
            (l.min(*v), h.max(*v))
        });
    (mean, high - low)
}

/// Expressions of the model at the nodes.
fn along(
    field: &Field,
    all: &[Expr],
    times: &[f64],
    rows: &[Vec<f64>],
    theta: &[f64],
) -> Result<Vec<Vec<f64>>, IndirectError> {
    let velocities = field.system.velocities_in(&field.equations);
    let all = rattleback_symbolic::substitute_all(all, &field.system.auxiliary_jets());
    let all = rattleback_symbolic::substitute_all(&all, &velocities);
    let first = rows.first().map_or(&[][..], |y| &y[..field.states]);
    let states = field.equations.state[..field.states].iter();
    let mut constants = field.constants.clone();
    constants.extend(
        states
            .map(rattleback_mechanics::at_start)
            .zip(first.iter().copied()),
    );
    let inputs: Vec<Symbol> = std::iter::once(Symbol::time())
        .chain(field.equations.state.iter().cloned())
        .chain(field.free.iter().cloned())
        .collect();
    let program = Program::new(&inputs, &constants, &field.equations.stages, &all)?;
    let program = Interpreter::new(program);
    let moving = field.states + field.costates;
    let at = |(t, y): (&f64, &Vec<f64>)| {
        let values = program.values(&[&[*t], &y[..moving], theta].concat());
        values.map_err(|_| IndirectError::NotFinite)
    };
    times.iter().zip(rows).map(at).collect()
}

fn terminal(
    problem: &Problem,
    field: &Field,
    times: &[f64],
    rows: &[Vec<f64>],
    theta: &[f64],
) -> Result<f64, IndirectError> {
    if problem.terminals.is_empty() {
        return Ok(0.0);
    }
    let values = along(field, &problem.terminals, times, rows, theta)?;
    Ok(values.last().map_or(0.0, |v| v.iter().sum()))
}

fn momenta(
    field: &Field,
    times: &[f64],
    rows: &[Vec<f64>],
    theta: &[f64],
) -> Result<Vec<(String, f64, f64)>, IndirectError> {
    let quantities = &field.equations.momenta;
    let all: Vec<Expr> = quantities.iter().map(|q| q.value.clone()).collect();
    let values = along(field, &all, times, rows, theta)?;
    let momentum = |i: usize| {
        let column: Vec<f64> = values.iter().map(|v| v[i]).collect();
        let (mean, spread) = mean_and_spread(&column);
        let name = quantities[i].name.trim_start_matches("momentum_");
        (name.to_owned(), mean, spread)
    };
    Ok((0..quantities.len()).map(momentum).collect())
}

/// Bounds that an extremal without them breaks.
fn check_bounds(
    problem: &Problem,
    field: &Field,
    times: &[f64],
    rows: &[Vec<f64>],
    theta: &[f64],
) -> Result<(), IndirectError> {
    for bound in &problem.bounds {
        let lower = bound.lower.iter().map(|l| &bound.expr - l);
        let upper = bound.upper.iter().map(|u| u - &bound.expr);
        let rooms: Vec<Expr> = lower.chain(upper).collect();
        let values = along(field, &rooms, times, rows, theta)?;
        let broken = |v: &Vec<f64>| v.iter().any(|room| *room < -SLACK);
        let mut bad = times
            .iter()
            .zip(&values)
            .filter(|(_, v)| broken(v))
            .map(|(t, _)| *t);
        if let Some(from) = bad.next() {
            return Err(IndirectError::Inequality {
                origin: bound.origin,
                from,
                to: bad.next_back().unwrap_or(from),
            });
        }
    }
    Ok(())
}

/// A bound is broken by more than this.
const SLACK: f64 = 1e-9;
