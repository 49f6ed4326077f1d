//! The linear system of a problem about a state, and what it tells.

use crate::equilibrium::{EquilibriumError, nearest_equilibrium};
use crate::point::StatePoint;
use crate::regulator::{Cost, regulator};
use rattleback_compile::{EvaluationError, LinearizationError, Linearizer, StartError, StartState};
use rattleback_mechanics::{
    Equations, Form, LinearSystem, MechanicsError, Problem, VariationalEquations,
};
use rattleback_numeric::{Dense, Eigen, Reachable, Regulator, SchurError};
use rattleback_symbolic::{Expr, Matrix, MissingInput, Symbol, rank, substitute_all};

/// About which state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The start.
    Start,
    /// The equilibrium nearest to the start.
    Equilibrium,
}

/// A statement about a linear system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Does it hold? None where rounding hides it.
    pub holds: Option<bool>,
    /// Why.
    pub why: String,
    /// Does it rest on exact numbers?
    pub exact: bool,
}

/// A linear system about a state with what it tells.
#[derive(Clone, Debug)]
pub struct Linearization {
    /// The state.
    pub at: Vec<(String, f64)>,
    /// The controls with their values there.
    pub inputs: Vec<(String, f64)>,
    /// The names of the outputs.
    pub outputs: Vec<String>,
    /// A, B, C, D in numbers.
    pub numbers: LinearSystem<f64>,
    /// The same in the parameters, or why there is no such form.
    pub exact: Result<LinearSystem<Expr>, String>,
    /// The largest rate at the state: 0 at an equilibrium, up to rounding.
    pub motion: f64,
    /// Eigenvalues with their modes.
    pub eigen: Eigen,
    /// Can every state be reached?
    pub controllable: Claim,
    /// Can every mode that does not die out be moved?
    pub stabilisable: Claim,
    /// Do the outputs see every state?
    pub observable: Claim,
    /// The regulator of the cost, or why there is none; none where there is no cost.
    pub regulator: Option<Result<Regulator, String>>,
}

/// A linearisation that failed.
#[derive(Debug, thiserror::Error)]
pub enum LinearizeError {
    /// The equations cannot be derived.
    #[error(transparent)]
    Mechanics(#[from] MechanicsError),
    /// The start cannot be.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The equations have no values.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// A symbol has no value.
    #[error(transparent)]
    Missing(#[from] MissingInput),
    /// There is no linear system at this state.
    #[error(transparent)]
    Linearization(#[from] LinearizationError),
    /// There is no equilibrium.
    #[error(transparent)]
    Equilibrium(#[from] EquilibriumError),
    /// There are no eigenvalues.
    #[error(transparent)]
    Eigenvalues(#[from] SchurError),
}

impl Linearization {
    /// Linearises a problem. With `closed` the laws of its inputs are part of the system.
    pub fn of(problem: &Problem, place: Place, closed: bool) -> Result<Self, LinearizeError> {
        let driven = problem.driven();
        driven.check_regular()?;
        let form = Form::default_for(&driven);
        let system = if closed {
            driven.clone()
        } else {
            problem.open()
        };
        let equations = system.equations(form)?;
        let variational = VariationalEquations::of(&system, &equations)?;
        let start = StartState::of(problem, &driven)?;
        let controls: Vec<Symbol> = match closed {
            true => Vec::new(),
            false => problem.controls.iter().map(|c| c.symbol.clone()).collect(),
        };
        let constants = constants(problem, &start);
        let mut point = StatePoint::start(problem, &system, &equations, &start)?;
        if place == Place::Equilibrium {
            let moving = driven.equations(form)?;
            let moving = VariationalEquations::of(&driven, &moving)?;
            let search = Linearizer::new(&moving, &constants, &[], &[])?;
            point = nearest_equilibrium(&driven, &search, &point, &[])?;
        }
        let symbols = problem.controls.iter().map(|c| c.symbol.clone());
        let laws: Vec<(Symbol, Expr)> = symbols.map(|u| (u.clone(), problem.law(&u))).collect();
        let (u, u_exact) = values_of(&laws, &controls, &equations, &point, &constants)?;
        let observed = observed(problem, &equations, &laws);
        let outputs: Vec<Expr> = observed.iter().map(|(_, e)| e.clone()).collect();
        let linearizer = Linearizer::new(&variational, &constants, &controls, &outputs)?;
        let (numbers, chart, follow) = linearizer.at_with_chart(point.time, &point.state, &u)?;
        let (rates, _) = linearizer.rest(point.time, &point.state, &u)?;
        let exact = match (&point.exact, u_exact) {
            (Some(at), Some(inputs)) => {
                let time = problem.horizon.as_ref().map(|h| h.from.clone());
                let mut at = at.clone();
                at.push((Symbol::time(), time.unwrap_or_else(Expr::zero)));
                at.extend(inputs);
                variational
                    .linear_system(&at, &chart, &controls, &outputs)
                    .map_err(|e| e.to_string())
            }
            _ => Err("the state is not known exactly".to_owned()),
        };
        let at_values = exact.as_ref().ok().map(|system| {
            let values = problem.values.pairs();
            system.map(|e| e.substitute(values))
        });
        let cost = (!problem.costs.is_empty() && !controls.is_empty())
            .then(|| Expr::sum(problem.costs.iter().cloned()));
        let regulator = cost.map(|expr| {
            let cost = Cost {
                expr: &expr,
                inputs: &controls,
                values: &u,
                point: &point,
                constants: &constants,
            };
            regulator(&variational, &chart, &numbers, &follow, &cost).map_err(|e| e.to_string())
        });
        let a = dense(&numbers.a, numbers.state.len());
        let names = equations.state.iter().map(ToString::to_string);
        Ok(Self {
            at: names.zip(point.state.iter().copied()).collect(),
            inputs: controls.iter().map(ToString::to_string).zip(u).collect(),
            outputs: observed.into_iter().map(|(name, _)| name).collect(),
            motion: rattleback_numeric::largest_entry(&rates),
            eigen: Eigen::of(&a)?,
            controllable: reached(&a, &numbers.b, at_values.clone().map(|s| (s.a, s.b)))?,
            stabilisable: stabilisable(&a, &numbers.b)?,
            observable: reached(
                &a.transposed(),
                &transposed(&numbers.c, numbers.state.len()),
                at_values.map(|s| {
                    let n = s.state.len();
                    (transposed(&s.a, n), transposed(&s.c, n))
                }),
            )?,
            numbers,
            exact,
            regulator,
        })
    }
}

/// Parameters with their values; controls are left open.
fn constants(problem: &Problem, start: &StartState) -> Vec<(Symbol, f64)> {
    let all = start.constants.iter().cloned();
    let all = all.zip(start.constant_values.iter().copied());
    all.filter(|(s, _)| !problem.is_control(s)).collect()
}

type Exactly = Option<Vec<(Symbol, Expr)>>;

/// The controls at the state by their laws, in numbers and exactly where the state is known so.
fn values_of(
    laws: &[(Symbol, Expr)],
    controls: &[Symbol],
    equations: &Equations,
    point: &StatePoint,
    constants: &[(Symbol, f64)],
) -> Result<(Vec<f64>, Exactly), LinearizeError> {
    let mut values: Vec<(Symbol, f64)> = constants.to_vec();
    values.extend(
        equations
            .state
            .iter()
            .cloned()
            .zip(point.state.iter().copied()),
    );
    values.push((Symbol::time(), point.time));
    let law = |u: &Symbol| {
        let found = laws.iter().find(|(c, _)| c == u);
        found.map_or_else(Expr::zero, |(_, law)| law.clone())
    };
    let numbers: Result<Vec<f64>, MissingInput> =
        controls.iter().map(|u| law(u).evaluate(&values)).collect();
    let exact = point.exact.as_ref().map(|at| {
        let value = |u: &Symbol| (u.clone(), law(u).substitute(at));
        controls.iter().map(value).collect()
    });
    Ok((numbers?, exact))
}

/// The observables, with what the equations generate put in; those that the state does not determine are left out.
fn observed(
    problem: &Problem,
    equations: &Equations,
    laws: &[(Symbol, Expr)],
) -> Vec<(String, Expr)> {
    let quantities = equations.multipliers.iter().chain(&equations.momenta);
    let generated = quantities.map(|q| (Symbol::variable(&q.name), q.value.clone()));
    let energy = (Symbol::variable("energy"), equations.energy.clone());
    let declares = |s: &Symbol| problem.system.names().declares(s.name());
    let generated: Vec<(Symbol, Expr)> = generated
        .chain([energy])
        .filter(|(s, _)| !declares(s))
        .collect();
    let unknowns: Vec<&Symbol> = equations.stages.iter().flat_map(|s| s.unknowns()).collect();
    let known = |s: &Symbol| {
        s.role() != rattleback_symbolic::Role::Variable
            || equations.state.contains(s)
            || unknowns.contains(&s)
            || laws.iter().any(|(u, _)| u == s)
            || problem.is_control(s)
    };
    let entries = problem.observables.iter().flat_map(|o| o.named_entries());
    entries
        .map(|(name, e)| {
            (
                name,
                substitute_all(std::slice::from_ref(e), &generated).swap_remove(0),
            )
        })
        .filter(|(_, e)| e.free_symbols().iter().all(known))
        .collect()
}

fn dense(rows: &[Vec<f64>], columns: usize) -> Dense {
    Dense::new(rows.len(), columns, |i, j| rows[i][j])
}

fn transposed<T: Clone>(rows: &[Vec<T>], columns: usize) -> Vec<Vec<T>> {
    (0..columns)
        .map(|j| rows.iter().map(|row| row[j].clone()).collect())
        .collect()
}

/// A matrix of exact entries by rows.
type Rows = Vec<Vec<Expr>>;

/// Is span{B, AB, A²B, …} everything? Exactly where the matrices are exact numbers.
fn reached(a: &Dense, b: &[Vec<f64>], exact: Option<(Rows, Rows)>) -> Result<Claim, SchurError> {
    let n = a.rows();
    if let Some(found) = exact.and_then(|(a, b)| exact_rank(&a, &b)) {
        return Ok(Claim {
            holds: Some(found == n),
            why: format!("[B, AB, A²B, …] has rank {found} of {n}"),
            exact: true,
        });
    }
    let columns = b.first().map_or(0, Vec::len);
    let reach = Reachable::of(a, &dense(b, columns))?;
    Ok(Claim {
        holds: reach.is_clear().then_some(reach.rank() == n),
        why: format!(
            "[B, AB, A²B, …] has rank {} of {n} in floating point",
            reach.rank()
        ),
        exact: false,
    })
}

/// Matrices up to this size are judged exactly.
const LARGEST_EXACT: usize = 12;

/// The rank of Kalman's matrix of exact numbers; none where it is not decided.
fn exact_rank(a: &[Vec<Expr>], b: &[Vec<Expr>]) -> Option<usize> {
    let n = a.len();
    let m = b.first().map_or(0, Vec::len);
    if n > LARGEST_EXACT {
        return None;
    }
    if n == 0 || m == 0 {
        return Some(0);
    }
    let entries = a.iter().chain(b).flatten();
    if !entries.clone().all(|e| e.as_number().is_some()) {
        return None;
    }
    let a = Matrix::from_rows(a);
    let mut block = Matrix::from_rows(b);
    let mut columns: Vec<Vec<Expr>> = Vec::new();
    for _ in 0..n {
        columns.extend((0..m).map(|j| block.column(j)));
        block = &a * &block;
    }
    let kalman = Matrix::new(n, columns.len(), |i, j| columns[j][i].clone());
    rank(&kalman).ok().map(|r| r.rank)
}

fn stabilisable(a: &Dense, b: &[Vec<f64>]) -> Result<Claim, SchurError> {
    let columns = b.first().map_or(0, Vec::len);
    let reach = Reachable::of(a, &dense(b, columns))?;
    let lost = reach.unstable_mode();
    let why = match lost {
        None => "every mode that no control moves dies out".to_owned(),
        Some(mode) => format!(
            "no control moves the mode {}, which does not die out by itself",
            shown(mode.re, mode.im)
        ),
    };
    Ok(Claim {
        holds: reach.is_clear().then_some(lost.is_none()),
        why,
        exact: false,
    })
}

fn shown(re: f64, im: f64) -> String {
    match im == 0.0 {
        true => format!("{re:.6}"),
        false => format!(
            "{re:.6} {} {:.6}i",
            if im < 0.0 { '-' } else { '+' },
            im.abs()
        ),
    }
}
