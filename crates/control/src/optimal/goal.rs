//! A state that satisfies end conditions, and which of them say something that the others and the constraints do not.

use super::error::{PoseError, Trouble};
use super::node::{difference, numbers, state};
use super::posed::{Posed, Remarked, Stop};
use rattleback_compile::program::{Interpreter, Program};
use rattleback_lie::Trivialization;
use rattleback_mechanics::Origin;
use rattleback_numeric::{independent_rows, solve_scaled};
use rattleback_symbolic::{Expr, Symbol};

/// Values and slopes of end conditions by the directions of the state, the free numbers and the values at the start.
pub(super) struct EndState {
    program: Interpreter,
    rows: usize,
    columns: usize,
    /// How many of the rows are position constraints.
    implied: usize,
    /// The statement of each other row, and its number among the requirements; none for attitudes.
    origins: Vec<(Origin, Option<usize>)>,
    /// Which columns may move.
    movable: Vec<bool>,
}

/// Residuals below are rounding.
const SMALL: f64 = 1e-9;

impl EndState {
    /// Finds a state at the end, and drops conditions of all stops that follow from others.
    pub fn settle(posed: &mut Posed) -> Result<(), PoseError> {
        let mut end = posed.end.clone();
        let goal = posed.goal.clone();
        posed.goal = Self::settled(posed, goal, &mut end)?;
        posed.end = end;
        for i in 0..posed.vias.len() {
            let stop = posed.vias[i].1.clone();
            let mut at = posed.end.clone();
            posed.vias[i].1 = Self::settled(posed, stop, &mut at)?;
        }
        Ok(())
    }

    fn settled(posed: &mut Posed, stop: Stop, at: &mut Vec<f64>) -> Result<Stop, PoseError> {
        begin(posed, &stop, at);
        let Some(end) = Self::of(posed, &stop)? else {
            return Ok(stop);
        };
        let (residuals, slopes) = end.solve(posed, at);
        let settled = residuals.iter().all(|r| r.abs() <= SMALL);
        let mut matrix = slopes.clone();
        let mut kept = Vec::new();
        independent_rows(&mut matrix, end.columns, &mut kept);
        let mut stop = stop;
        let mut dropped = Vec::new();
        for row in end.implied..end.rows {
            if kept.contains(&row) {
                continue;
            }
            let (origin, requirement) = end.origins[row - end.implied];
            if residuals[row].abs() > 1e-6 && !end.moves(&residuals, &slopes) {
                let left = Trouble::Contradiction(residuals[row].abs());
                return Err(PoseError::at(origin, left));
            }
            if let (true, Some(i)) = (settled, requirement) {
                dropped.push(i);
                posed.remarks.push(Remarked {
                    text: "this condition follows from the constraints and the other conditions, and is dropped".into(),
                    origin: Some(origin),
                });
            }
        }
        if !settled && !end.moves(&residuals, &slopes) {
            let worst = (end.implied..end.rows)
                .max_by(|&a, &b| residuals[a].abs().total_cmp(&residuals[b].abs()));
            if let Some(row) = worst.filter(|&r| residuals[r].abs() > 1e-6) {
                let left = Trouble::Contradiction(residuals[row].abs());
                return Err(PoseError::at(end.origins[row - end.implied].0, left));
            }
        }
        let mut number = 0;
        stop.requirements.retain(|_| {
            number += 1;
            !dropped.contains(&(number - 1))
        });
        Ok(stop)
    }

    fn of(posed: &Posed, stop: &Stop) -> Result<Option<Self>, PoseError> {
        let plant = &posed.plant;
        let node = posed.node("e");
        let mut outputs: Vec<Expr> = (plant.holonomic.iter())
            .map(|g| g.substitute(&node.pairs))
            .collect();
        let implied = outputs.len();
        let mut origins = Vec::new();
        for a in &stop.attitudes {
            let factor = &plant.factors()[a.factor];
            let here = &node.base[factor.base.clone()];
            for value in difference(factor, &a.entries, here).into_iter().flatten() {
                outputs.push(value);
                origins.push((a.origin, None));
            }
        }
        for (i, r) in stop.requirements.iter().enumerate() {
            if r.equal {
                outputs.push(r.value.substitute(&node.pairs));
                origins.push((r.origin, Some(i)));
            }
        }
        if origins.is_empty() {
            return Ok(None);
        }
        let free = posed.free.iter().map(|(f, _)| f.clone());
        let copies = posed.copies.iter().map(|(c, _)| c.clone());
        let shared: Vec<Symbol> = free.chain(copies).collect();
        let columns = node.variables.len() + shared.len();
        let inputs = [node.variables.clone(), shared, node.elements.clone()].concat();
        let inputs = [inputs, vec![Symbol::time()]].concat();
        let unknown = |e: rattleback_symbolic::MissingInput| PoseError::Unknown(e.0.to_string());
        let program = Program::new(&inputs, &posed.constants, &[], &outputs).map_err(unknown)?;
        let both = program.with_derivatives(0..columns);
        let is_open = |value: &Expr| {
            let all = plant.state_symbols();
            let mut open = open_symbols(posed, &all);
            open.any(|s| value.contains(&s))
        };
        let movable = std::iter::repeat_n(true, node.variables.len() + posed.free.len())
            .chain(posed.copies.iter().map(|(_, value)| is_open(value)))
            .collect();
        let jacobian = dense(&both, outputs.len(), columns);
        Ok(Some(Self {
            program: Interpreter::new(jacobian),
            rows: outputs.len(),
            columns,
            implied,
            origins,
            movable,
        }))
    }

    /// Residuals and slopes at a state.
    fn at(&self, posed: &Posed, at: &[f64], shared: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
        let (variables, elements) = numbers(&posed.plant, at);
        let time = posed.number(&posed.to).unwrap_or(0.0);
        let inputs = [&variables[..], shared, &elements, &[time]].concat();
        let out = self.program.values(&inputs).ok()?;
        let (values, slopes) = out.split_at(self.rows);
        let mut slopes = slopes.to_vec();
        for row in slopes.chunks_mut(self.columns) {
            for (entry, movable) in row.iter_mut().zip(&self.movable) {
                *entry = if *movable { *entry } else { 0.0 };
            }
        }
        let finite = values.iter().chain(&slopes).all(|v| v.is_finite());
        finite.then(|| (values.to_vec(), slopes))
    }

    /// Moves the state onto the conditions by least steps, and gives what is left.
    fn solve(&self, posed: &Posed, at: &mut Vec<f64>) -> (Vec<f64>, Vec<f64>) {
        let copies = posed.copies.iter();
        let copies = copies.map(|(_, value)| posed.at_start(value).unwrap_or(0.0));
        let free = posed.free.iter().map(|(_, guess)| *guess);
        let mut shared: Vec<f64> = free.chain(copies).collect();
        let none = (
            vec![f64::NAN; self.rows],
            vec![0.0; self.rows * self.columns],
        );
        let mut found = self.at(posed, at, &shared).unwrap_or(none);
        let size = |r: &[f64]| r.iter().map(|v| v * v).sum::<f64>();
        let mut damping = 1e-10;
        for _ in 0..60 {
            let (residuals, slopes) = &found;
            if residuals.iter().all(|r| r.abs() <= 1e-13) {
                break;
            }
            let Some(step) = least_step(residuals, slopes, self.columns, damping) else {
                break;
            };
            let n = posed.plant.directions();
            let next = moved(posed, at, &step[..n]);
            let other: Vec<f64> = shared.iter().zip(&step[n..]).map(|(s, d)| s + d).collect();
            match self.at(posed, &next, &other) {
                Some(better) if size(&better.0) < size(residuals) => {
                    *at = next;
                    shared = other;
                    found = better;
                    damping = (damping / 10.0_f64).max(1e-12);
                }
                _ => damping *= 100.0,
            }
            if damping > 1e6 {
                break;
            }
        }
        found
    }

    /// Would the residuals fall along some direction?
    fn moves(&self, residuals: &[f64], slopes: &[f64]) -> bool {
        let largest = residuals.iter().fold(0.0, |m: f64, r| m.max(r.abs()));
        let fall = (0..self.columns).map(|j| {
            let rows = slopes.chunks(self.columns).zip(residuals);
            rows.map(|(row, r)| row[j] * r).sum::<f64>().abs()
        });
        fall.fold(0.0, f64::max) > 1e-6 * largest || !largest.is_finite()
    }
}

/// The first guess of a state with conditions: the values that they state.
fn begin(posed: &Posed, stop: &Stop, at: &mut [f64]) {
    let base = posed.plant.base().len();
    for a in &stop.attitudes {
        let factor = &posed.plant.factors()[a.factor];
        for (place, e) in factor.base.clone().zip(&a.entries) {
            at[place] = posed.at_start(e).unwrap_or(at[place]);
        }
    }
    let symbols = posed.plant.state_symbols();
    for (i, s) in symbols.iter().enumerate() {
        let stated = stop.requirements.iter().filter(|r| r.equal).find_map(|r| {
            let rest = Expr::from(s) - &r.value;
            (!rest.contains(s) && !rest.contains_any(&symbols)).then(|| posed.at_start(&rest))
        });
        let is_entry = i < base
            && (posed.plant.factors().iter()).any(|f| f.group.is_some() && f.base.contains(&i));
        if let (Some(Some(value)), false) = (stated, is_entry) {
            at[i] = value;
        }
    }
}

/// Outputs, then the full Jacobian by rows.
fn dense(both: &rattleback_compile::program::Derivatives, rows: usize, columns: usize) -> Program {
    let mut program = both.program.clone();
    let zero = program.ops.len() as u32;
    program
        .ops
        .push(rattleback_compile::program::Op::Constant(0.0));
    let mut outputs = program.outputs[..rows].to_vec();
    let entries = &program.outputs[rows..];
    let mut full = vec![zero; rows * columns];
    for ((i, j), &slot) in both.jacobian.iter().zip(entries) {
        full[i * columns + j] = slot;
    }
    outputs.extend(full);
    program.outputs = outputs;
    program
}

/// −(JᵀJ + ε)⁻¹Jᵀ r: defined for dependent rows too.
fn least_step(residuals: &[f64], slopes: &[f64], columns: usize, damping: f64) -> Option<Vec<f64>> {
    let rows = || slopes.chunks(columns).zip(residuals);
    let mut matrix = Vec::with_capacity(columns * columns);
    for i in 0..columns {
        for j in 0..columns {
            let inner: f64 = rows().map(|(row, _)| row[i] * row[j]).sum();
            let extra = if i == j { damping * (1.0 + inner) } else { 0.0 };
            matrix.push(inner + extra);
        }
    }
    let mut step: Vec<f64> = (0..columns)
        .map(|j| -rows().map(|(row, r)| row[j] * r).sum::<f64>())
        .collect();
    solve_scaled(&mut matrix, &mut step).ok()?;
    Some(step)
}

/// A state moved along its directions.
pub(super) fn moved(posed: &Posed, at: &[f64], step: &[f64]) -> Vec<f64> {
    let plant = &posed.plant;
    let (mut variables, mut elements) = numbers(plant, at);
    let mut element = 0;
    for factor in plant.factors() {
        let Some(group) = factor.group else { continue };
        let xi = &step[factor.fibre.clone()];
        let n = group.coordinates();
        let entries = &mut elements[element..element + n];
        let turn = group.cayley(xi);
        let next = match factor.trivialization {
            Trivialization::Body => group.product(entries, &turn),
            Trivialization::Space => group.product(&turn, entries),
        };
        entries.copy_from_slice(&next);
        element += n;
    }
    for (x, d) in variables.iter_mut().zip(step) {
        *x += d;
    }
    state(plant, &variables, &elements)
}

/// The symbols of the state that the start leaves open.
fn open_symbols<'a>(posed: &'a Posed, all: &'a [Symbol]) -> impl Iterator<Item = Symbol> + 'a {
    let plant = &posed.plant;
    let base = plant.base().len();
    all.iter().enumerate().filter_map(move |(i, s)| {
        let direction = match i < base {
            true => {
                let mut factors = plant.factors().iter();
                factors.find(|f| f.base.contains(&i))?.fibre.start
            }
            false => plant.system.frame().rank() + i - base,
        };
        (!posed.fixed[direction]).then(|| s.clone())
    })
}

impl Posed {
    /// A value at the start, in constants, free numbers and copies too.
    pub(super) fn at_start(&self, e: &Expr) -> Option<f64> {
        let state = self.plant.state_symbols();
        let state: Vec<(Symbol, Expr)> = Vec::from_iter(
            self.copies.iter().cloned().chain(
                state
                    .iter()
                    .map(|s| (rattleback_mechanics::at_start(s), s.into())),
            ),
        );
        let e = e.substitute(&state);
        let symbols = self.plant.state_symbols();
        let values = self.start.state.iter().copied();
        let all = symbols.into_iter().zip(values);
        let all = all.chain(self.constants.iter().chain(&self.free).cloned());
        let all = all.chain([(Symbol::time(), self.start.time)]);
        let (symbols, values): (Vec<Symbol>, Vec<f64>) = all.unzip();
        let tape = rattleback_symbolic::Tape::new(&symbols, &[e]).ok()?;
        tape.evaluate(&values)
            .first()
            .copied()
            .filter(|v| v.is_finite())
    }
}
