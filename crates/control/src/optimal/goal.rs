//! End conditions as functions of a state, and the states that satisfy them.

use super::error::PoseError;
use super::node::{difference, numbers, state};
use super::posed::{Posed, Stop};
use rattleback_compile::program::{Interpreter, Program};
use rattleback_lie::Trivialization;
use rattleback_mechanics::Origin;
use rattleback_numeric::solve_scaled;
use rattleback_symbolic::{Expr, Symbol};

/// Values and slopes of end conditions by the directions of the state, the free numbers and the values at the start.
pub(super) struct EndState {
    program: Interpreter,
    pub rows: usize,
    pub columns: usize,
    /// How many of the rows hold anyway: position constraints, and what no control changes.
    pub implied: usize,
    /// The statement of each other row, and its number among the requirements; none for attitudes.
    pub origins: Vec<(Origin, Option<usize>)>,
    /// Which columns may move.
    movable: Vec<bool>,
}

/// Where end conditions are evaluated: a state, then the free numbers and the values at the start.
#[derive(Clone, Debug)]
pub(super) struct EndPoint {
    pub state: Vec<f64>,
    pub shared: Vec<f64>,
}

/// Steps towards an end, and residuals that are none.
const MOST_STEPS: usize = 60;
const MET: f64 = 1e-13;
/// Damping of the steps: the first, and the least.
const FIRST_DAMPING: f64 = 1e-10;
const LEAST_DAMPING: f64 = 1e-12;

/// Residuals and their slopes by rows.
#[derive(Clone, Debug)]
pub(super) struct Misses {
    pub residuals: Vec<f64>,
    pub slopes: Vec<f64>,
}

impl Misses {
    pub fn largest(&self, rows: &[usize]) -> f64 {
        let sizes = rows.iter().map(|&r| self.residuals[r].abs());
        // A value that is none is as far away as can be.
        sizes.fold(
            0.0,
            |m: f64, r| if r.is_nan() { f64::INFINITY } else { m.max(r) },
        )
    }
}

impl EndState {
    /// The conditions of a stop, beside functions that vanish there anyway; none where it states no equation.
    pub fn of(posed: &Posed, stop: &Stop, kept: &[Expr]) -> Result<Option<Self>, PoseError> {
        let plant = &posed.plant;
        let node = posed.node("e");
        let mut outputs: Vec<Expr> = (plant.holonomic.iter().chain(kept))
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

    /// Residuals and slopes at a point.
    fn at(&self, posed: &Posed, at: &EndPoint) -> Option<Misses> {
        let (variables, elements) = numbers(&posed.plant, &at.state);
        let time = posed.number(&posed.to).unwrap_or(0.0);
        let inputs = [&variables[..], &at.shared, &elements, &[time]].concat();
        let out = self.program.values(&inputs).ok()?;
        let (values, slopes) = out.split_at(self.rows);
        let mut slopes = slopes.to_vec();
        for row in slopes.chunks_mut(self.columns) {
            for (entry, movable) in row.iter_mut().zip(&self.movable) {
                *entry = if *movable { *entry } else { 0.0 };
            }
        }
        let finite = values.iter().chain(&slopes).all(|v| v.is_finite());
        finite.then(|| Misses {
            residuals: values.to_vec(),
            slopes,
        })
    }

    /// The point that the model's own numbers give beside a state.
    pub fn point(&self, posed: &Posed, state: &[f64]) -> EndPoint {
        let copies = posed.copies.iter();
        let copies = copies.map(|(_, value)| posed.at_start(value).unwrap_or(0.0));
        let free = posed.free.iter().map(|(_, guess)| *guess);
        EndPoint {
            state: state.to_vec(),
            shared: free.chain(copies).collect(),
        }
    }

    /// A point moved along all directions, where it may move.
    pub fn moved(&self, posed: &Posed, at: &EndPoint, step: &[f64]) -> EndPoint {
        let n = posed.plant.directions();
        let shared = at.shared.iter().zip(&step[n..]).zip(&self.movable[n..]);
        EndPoint {
            state: moved(posed, &at.state, &step[..n]),
            shared: shared
                .map(|((s, d), may)| if *may { s + d } else { *s })
                .collect(),
        }
    }

    /// Moves a point onto some of the conditions by least steps, and gives what is left of all.
    pub fn solve(&self, posed: &Posed, at: &mut EndPoint, rows: &[usize]) -> Misses {
        let none = Misses {
            residuals: vec![f64::NAN; self.rows],
            slopes: vec![0.0; self.rows * self.columns],
        };
        let mut found = self.at(posed, at).unwrap_or(none);
        let total = |m: &Misses| -> f64 { rows.iter().map(|&r| m.residuals[r].powi(2)).sum() };
        let mut damping = FIRST_DAMPING;
        for _ in 0..MOST_STEPS {
            if found.largest(rows) <= MET {
                break;
            }
            let Some(mut step) = least_step(&found, rows, self.columns, damping) else {
                break;
            };
            // Where slopes nearly vanish, steps lead far away.
            let size = at.state.iter().chain(&at.shared);
            let size = size.fold(1.0, |m: f64, x| m.max(x.abs()));
            let longest = step.iter().fold(size, |m: f64, d| m.max(d.abs()));
            step.iter_mut().for_each(|d| *d *= size / longest);
            let next = self.moved(posed, at, &step);
            match self.at(posed, &next) {
                Some(better) if total(&better) < total(&found) => {
                    *at = next;
                    found = better;
                    damping = (damping / 10.0_f64).max(LEAST_DAMPING);
                }
                _ => damping *= 100.0,
            }
            if damping > 1e6 {
                break;
            }
        }
        found
    }
}

/// The first guess of a state with conditions: the values that they state.
pub(super) fn begin(posed: &Posed, stop: &Stop, at: &mut [f64]) {
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

/// −(JᵀJ + ε)⁻¹Jᵀ r of some rows: defined for dependent ones too.
fn least_step(found: &Misses, rows: &[usize], columns: usize, damping: f64) -> Option<Vec<f64>> {
    let slope = |r: usize, j: usize| found.slopes[r * columns + j];
    let mut matrix = Vec::with_capacity(columns * columns);
    for i in 0..columns {
        for j in 0..columns {
            let inner: f64 = rows.iter().map(|&r| slope(r, i) * slope(r, j)).sum();
            let extra = if i == j { damping * (1.0 + inner) } else { 0.0 };
            matrix.push(inner + extra);
        }
    }
    let fall = |j: usize| -> f64 { rows.iter().map(|&r| slope(r, j) * found.residuals[r]).sum() };
    let mut step: Vec<f64> = (0..columns).map(|j| -fall(j)).collect();
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
    let open = all.iter().enumerate();
    let open = open.filter(|(i, _)| !posed.is_fixed_at_start(*i));
    open.map(|(_, s)| s.clone())
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
