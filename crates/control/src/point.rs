//! A state in numbers, and what is known of it exactly.

use crate::plant::Plant;
use rattleback_compile::{EvaluationError, StartState};
use rattleback_lie::Trivialization;
use rattleback_mechanics::{Equations, Given, NamedSection, Problem, System};
use rattleback_symbolic::{
    Expr, Matrix, Rational, Symbol, prove_all_zero, rank, solve, substitute_all,
};

/// A state of some equations: values, and exact ones where they are known.
#[derive(Clone, Debug)]
pub struct StatePoint {
    /// The time.
    pub time: f64,
    /// The state of the equations.
    pub state: Vec<f64>,
    /// The state exactly, in the parameters; none where it came out of numbers.
    pub exact: Option<Vec<(Symbol, Expr)>>,
}

/// The part of the fastest velocity to which those that constraints determine are known.
const SOLVED: f64 = 4.0 * f64::EPSILON;
/// Values that differ by this part of 1 + their size are one.
const SAME: f64 = 1e-9;

impl StatePoint {
    /// The start of a problem.
    pub fn start(
        problem: &Problem,
        system: &System,
        equations: &Equations,
        start: &StartState,
    ) -> Result<Self, EvaluationError> {
        let mut state = start.state_of(equations)?;
        // What constraints leave of a velocity that cancels beside the others is none.
        let fibre = system.frame().fibre();
        let is_solved = |s: &Symbol| fibre.contains(s) && problem.start.get(s).is_none();
        let velocities = equations.state.iter().zip(&state);
        let velocities = velocities.filter(|(s, _)| fibre.contains(s));
        let fastest = velocities.fold(0.0_f64, |most, (_, x)| most.max(x.abs()));
        let solved = equations.state.iter().zip(&mut state);
        let solved = solved.filter(|(s, x)| is_solved(s) && x.abs() <= SOLVED * fastest);
        solved.for_each(|(_, x)| *x = 0.0);
        let both = equations.state.iter().zip(&state);
        let (mut exact, mut open) = (Vec::new(), Vec::new());
        for (s, x) in both {
            match known(problem, system, s, *x) {
                Some(value) => exact.push((s.clone(), value)),
                None => open.push((s.clone(), *x)),
            }
        }
        let determined = determined(problem, system, &exact, &open);
        Ok(Self {
            time: start.time,
            exact: determined.map(|found| [exact, found].concat()),
            state,
        })
    }

    /// The same with exact values where simple ones (short fractions, parts of a half turn) are proven to be at rest
    /// in the frame that moves with symmetries at these rates. They are near to it beside these sizes of its entries, how
    /// far the search went: what is simple in some units may be another state.
    pub(crate) fn recognised(
        mut self,
        problem: &Problem,
        plant: &Plant,
        fields: &[NamedSection],
        rates: &[f64],
        sizes: &[f64],
    ) -> Self {
        if self.exact.is_some() {
            return self;
        }
        let state = plant.equations.state.iter().zip(&self.state);
        let exact: Option<Vec<(Symbol, Expr)>> =
            state.map(|(s, x)| Some((s.clone(), simple(*x)?))).collect();
        let rates: Option<Vec<Expr>> = rates.iter().map(|r| simple_rate(*r, NEAR)).collect();
        let moving = rates.and_then(|r| plant.variational.moving_with(&plant.system, fields, &r));
        let (Some(exact), Some(moving)) = (exact, moving) else {
            return self;
        };
        let mut at = exact.clone();
        at.push((Symbol::time(), problem.start_time()));
        let values = problem.values.pairs();
        let left = moving
            .flow_at(&at)
            .unwrap_or_else(|_| vec![Expr::undefined()]);
        let left: Vec<Expr> = left.iter().map(|e| e.substitute(values)).collect();
        let defined = !left.iter().any(Expr::is_undefined);
        if defined && prove_all_zero(&left).is_proven() {
            let known = exact
                .iter()
                .map(|(_, e)| e.evaluate(&[]).unwrap_or(f64::NAN));
            let known: Vec<f64> = known.collect();
            let mut entries = known.iter().zip(&self.state).zip(sizes);
            if entries.all(|((a, b), size)| (a - b).abs() <= NEAR * size) {
                self.state = known;
                self.exact = Some(exact);
            }
        }
        self
    }

    /// The same with velocities of zero, which are these entries.
    pub(crate) fn resting(&self, velocities: &[usize]) -> Self {
        let mut still = self.clone();
        if velocities.iter().any(|i| self.state[*i] != 0.0) {
            velocities.iter().for_each(|i| still.state[*i] = 0.0);
            still.exact = None;
        }
        still
    }

    /// How far another state is.
    pub(crate) fn away(&self, from: &Self) -> f64 {
        let entries = self.state.iter().zip(&from.state);
        entries.map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    }

    /// The point at the state moved along directions.
    pub(crate) fn displaced(&self, system: &System, by: &[f64]) -> Self {
        Self {
            state: self.moved(system, by),
            exact: None,
            ..self.clone()
        }
    }

    /// The state moved along directions: coordinates and components are added to, group elements multiplied.
    pub(crate) fn moved(&self, system: &System, by: &[f64]) -> Vec<f64> {
        let mut next = self.state.clone();
        let (positions, sections) = (system.frame().base().len(), system.frame().rank());
        for factor in system.factors() {
            let step = &by[factor.fibre.clone()];
            let place = &mut next[factor.base.clone()];
            match factor.group {
                None => place[0] += step[0],
                Some(group) => {
                    let turn = group.exp(step);
                    let moved = match factor.trivialization {
                        Trivialization::Body => group.product(place, &turn),
                        Trivialization::Space => group.product(&turn, place),
                    };
                    place.copy_from_slice(&moved);
                }
            }
        }
        let components = next[positions..].iter_mut();
        components.zip(&by[sections..]).for_each(|(x, d)| *x += d);
        next
    }
}

/// Velocities that the constraints determine from exact ones; none where they do not, or something else is open.
fn determined(
    problem: &Problem,
    system: &System,
    exact: &[(Symbol, Expr)],
    open: &[(Symbol, f64)],
) -> Option<Vec<(Symbol, Expr)>> {
    if open.is_empty() {
        return Some(Vec::new());
    }
    let frame = system.frame();
    let symbols: Vec<Symbol> = open.iter().map(|(s, _)| s.clone()).collect();
    if !symbols.iter().all(|s| frame.fibre().contains(s)) {
        return None;
    }
    let mut at = exact.to_vec();
    at.push((Symbol::time(), problem.start_time()));
    let residuals = substitute_all(&system.constraints().all_residuals(frame), &at);
    let rows: Vec<Vec<Expr>> = residuals.iter().map(|r| r.gradient(&symbols)).collect();
    let all = Matrix::from_rows(&rows);
    let kept = rank(&all).ok().filter(|r| r.rank == symbols.len())?.rows;
    let rest: Vec<(Symbol, Expr)> = symbols.iter().map(|s| (s.clone(), Expr::zero())).collect();
    let columns: Vec<usize> = (0..symbols.len()).collect();
    let right: Vec<Expr> = kept
        .iter()
        .map(|&r| -residuals[r].substitute(&rest))
        .collect();
    let solution = solve(&all.select(&kept, &columns), &Matrix::column_vector(&right)).ok()?;
    let found = symbols.into_iter().zip(solution.solution.column(0));
    let found: Vec<(Symbol, Expr)> = found.collect();
    let near = |((_, e), (_, x)): (&(Symbol, Expr), &(Symbol, f64))| {
        let value = problem.values.at(e).evaluate(&[]).unwrap_or(f64::NAN);
        (value - x).abs() <= SAME * (1.0 + x.abs())
    };
    found.iter().zip(open).all(near).then_some(found)
}

/// The exact start value of a symbol: as stated, or what is left out is.
fn known(problem: &Problem, system: &System, s: &Symbol, value: f64) -> Option<Expr> {
    if let Some(stated) = problem.start.get(s) {
        return (stated.given != Given::Approximate).then(|| stated.value.clone());
    }
    let neutral = system.factors().iter().find_map(|factor| {
        let entries = &system.frame().base()[factor.base.clone()];
        let place = entries.iter().position(|z| z == s)?;
        Some(factor.group?.identity::<Expr>().swap_remove(place))
    });
    let neutral = neutral.unwrap_or_else(Expr::zero);
    let number = neutral.as_number().map(|r| r.to_f64());
    (number == Some(value)).then_some(neutral)
}

/// Values this near to a simple one are tried as that.
const NEAR: f64 = 1e-6;
/// The largest denominator of a simple fraction.
const DENOMINATORS: i64 = 24;

/// The simple number that a value is next to: a short fraction, or one of π.
fn simple(x: f64) -> Option<Expr> {
    let turn = x / std::f64::consts::PI;
    let part = || Some(short_fraction(turn)? * Expr::pi());
    short_fraction(x).or_else(part).or_else(|| decimals(x))
}

/// Twelve decimals of a value: whether it stands for a state at rest is proven afterwards.
fn decimals(x: f64) -> Option<Expr> {
    let scaled = (x * 1e12).round();
    (scaled.abs() < 1e18).then(|| Expr::from(Rational::new(scaled as i64, 1_000_000_000_000)))
}

/// The short fraction that a rate is next to, up to this part of it: in other units it is another number.
pub(crate) fn simple_rate(rate: f64, part: f64) -> Option<Expr> {
    let found = short_fraction(rate)?;
    let value = found.evaluate(&[]).ok()?;
    ((value - rate).abs() <= part * rate.abs()).then_some(found)
}

/// The short fraction that a value is next to.
fn short_fraction(x: f64) -> Option<Expr> {
    if !x.is_finite() || x.abs() > 1e6 {
        return None;
    }
    (1..=DENOMINATORS).find_map(|d| {
        let scaled = x * d as f64;
        let near = (scaled - scaled.round()).abs() <= NEAR * (1.0 + x.abs());
        near.then(|| Expr::from(Rational::new(scaled.round() as i64, d)))
    })
}
