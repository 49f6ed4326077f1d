//! Extremals with prescribed costates (CG-B7): does the flow keep the family, and which of its members ends nearest to
//! the goal?
//!
//! A family with k costates prescribed has k constants less than the ends have conditions, so that it meets goals of its
//! own only. What is left of the goal is told.

use super::IndirectError;
use super::ends::relative;
use super::field::Field;
use rattleback_compile::StartState;
use rattleback_compile::program::{Interpreter, Program};
use rattleback_integrate::{Dop853, Drive, Fault, Output, Tolerance, VectorField};
use rattleback_mechanics::optimality::Ansatz;
use rattleback_mechanics::{ConditionKind, Given, Origin, Problem, Relation};
use rattleback_numeric::least_squares;
use rattleback_numeric::tolerance::ROUNDING;
use rattleback_symbolic::{Expr, Symbol, Verdict, prove_zero, substitute_all};
use std::ops::ControlFlow;

/// The member of a family of extremals that ends nearest to the goal, as far as the search found.
#[derive(Clone, Debug)]
pub struct Family {
    /// What is prescribed; the flow keeps it.
    pub ansatz: Ansatz,
    /// The times of the rows.
    pub times: Vec<f64>,
    /// States at the times.
    pub states: Vec<Vec<f64>>,
    /// Costates at the times.
    pub costates: Vec<Vec<f64>>,
    /// Controls at the times.
    pub controls: Vec<Vec<f64>>,
    /// H at the times.
    pub hamiltonian: Vec<f64>,
    /// The cost.
    pub cost: f64,
    /// What is left of each condition of the goal.
    pub misses: Vec<(Origin, f64)>,
}

/// Why a family was not followed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum FamilyError {
    /// There are no conditions of optimality.
    #[error(transparent)]
    Indirect(#[from] IndirectError),
    /// What is prescribed is no costate.
    #[error("there is no costate `{name}`; the costates are {known}")]
    NoCostate {
        /// The name.
        name: String,
        /// Those that there are.
        known: String,
    },
    /// The equations keep a solve.
    #[error(
        "the conditions of optimality are not written out, so that the ansatz cannot be checked exactly"
    )]
    NotWrittenOut,
    /// The flow leaves the family.
    #[error(
        "the ansatz for `{name}` is not kept by the conditions of optimality: its rate less the prescribed one is {residual}"
    )]
    NotKept {
        /// The costate.
        name: String,
        /// What is left of its equation on the family.
        residual: Box<Expr>,
    },
    /// Not decided.
    #[error(
        "whether the conditions of optimality keep the ansatz for `{name}` is not decided: {residual} is not proven to vanish"
    )]
    Undecided {
        /// The costate.
        name: String,
        /// What is left of its equation on the family.
        residual: Box<Expr>,
    },
    /// The problem has more than a family is followed for.
    #[error("an ansatz is followed for given start values, times and numbers: {0}")]
    NotTreated(&'static str),
    /// No member could be followed to the end.
    #[error("no extremal of the family could be followed to the end")]
    NotFollowed,
}

/// Steps of the search, and the change of a costate by which slopes are taken.
const MOST_STEPS: usize = 60;
const DIFFERENCE: f64 = 1e-6;
/// Misses of the ends below this are none; a step that lowers them by no more than the other part is the last.
const MET: f64 = 1e-11;
const SETTLED: f64 = 1e-13;
/// Damping of the steps, as a part of the slopes: the first, and the least.
const FIRST_DAMPING: f64 = 1e-6;
const LEAST_DAMPING: f64 = 1e-12;
/// The tolerance of motions of the family.
const FOLLOWED: f64 = 1e-12;

impl Family {
    /// Proves that the conditions of optimality keep an ansatz, and that the problem is one that it is followed for.
    pub fn check(problem: &Problem, prescribed: &[(Symbol, Expr)]) -> Result<Ansatz, FamilyError> {
        let (field, _) = Field::of(problem)?;
        let ansatz = kept(problem, &field, prescribed)?;
        check(problem)?;
        Ok(ansatz)
    }

    /// Follows the family from the start of a problem; the search begins with these costates. One row per time.
    pub fn follow(
        problem: &Problem,
        prescribed: &[(Symbol, Expr)],
        costates: &[f64],
        times: &[f64],
    ) -> Result<Self, FamilyError> {
        let (mut field, start) = Field::of(problem)?;
        let ansatz = kept(problem, &field, prescribed)?;
        check(problem)?;
        let search = Search::of(problem, &field, &start, prescribed)?;
        let (first, last) = (times[0], times[times.len() - 1]);
        let zero = vec![0.0; costates.len()];
        let mut best: Option<(Vec<f64>, Vec<f64>)> = None;
        for guess in [costates, &zero] {
            let found = search.nearest(&mut field, guess, [first, last]);
            if let Some(found) = found
                && best.as_ref().is_none_or(|b| norm(&found.1) < norm(&b.1))
            {
                best = Some(found);
            }
        }
        let (costates, misses) = best.ok_or(FamilyError::NotFollowed)?;
        let mut family = Self {
            ansatz,
            times: Vec::new(),
            states: Vec::new(),
            costates: Vec::new(),
            controls: Vec::new(),
            hamiltonian: Vec::new(),
            cost: 0.0,
            misses: search.origins.iter().copied().zip(misses).collect(),
        };
        let mut rows = Vec::new();
        let mut y = search.start(&field, &costates);
        run(&mut field, &mut y, Output::Times(times), &mut rows).ok_or(FamilyError::NotFollowed)?;
        for (t, y) in rows {
            let shown = field.shown(t, &y, &[]);
            let (controls, h) = shown.ok_or(FamilyError::NotFollowed)?;
            family.times.push(t);
            family.states.push(y[..field.states].to_vec());
            let p = field.states..field.states + field.costates;
            family.costates.push(y[p].to_vec());
            family.controls.push(controls);
            family.hamiltonian.push(h);
            family.cost = y[y.len() - 1];
        }
        Ok(family)
    }

    /// What is prescribed, and how much freedom it leaves.
    pub fn told(&self, prescribed: &[(Symbol, Expr)]) -> String {
        let all = prescribed.iter().map(|(s, e)| format!("{s} = {e}"));
        let left = self.ansatz.dimension;
        format!(
            "within the family {}, which the conditions of optimality keep (proven): {left} of {} constants of state and costate are left",
            all.collect::<Vec<_>>().join(", "),
            left + prescribed.len(),
        )
    }

    /// The largest miss of the goal.
    pub fn miss(&self) -> f64 {
        self.misses
            .iter()
            .fold(0.0, |m: f64, (_, x)| m.max(x.abs()))
    }
}

/// The ansatz, where it is proven that the flow keeps it: for all values of the parameters, or at those of the model.
fn kept(
    problem: &Problem,
    field: &Field,
    prescribed: &[(Symbol, Expr)],
) -> Result<Ansatz, FamilyError> {
    let steering = &field.steering;
    let costates: Vec<&Symbol> = steering.momenta.iter().chain(&steering.adjoints).collect();
    for (s, _) in prescribed {
        if !costates.contains(&s) {
            let known: Vec<String> = costates.iter().map(|p| format!("`{p}`")).collect();
            return Err(FamilyError::NoCostate {
                name: s.to_string(),
                known: known.join(", "),
            });
        }
    }
    let equations = field.equations.explicit();
    let ansatz = Ansatz::of(&equations, prescribed).ok_or(FamilyError::NotWrittenOut)?;
    for ((s, _), residual) in prescribed.iter().zip(&ansatz.residuals) {
        if prove_zero(residual).is_proven() {
            continue;
        }
        let (name, at_values) = (s.to_string(), problem.values.at(residual));
        let residual = Box::new(residual.clone());
        match prove_zero(&at_values) {
            Verdict::Proven { .. } => {}
            Verdict::Refuted { .. } => return Err(FamilyError::NotKept { name, residual }),
            _ => return Err(FamilyError::Undecided { name, residual }),
        }
    }
    Ok(ansatz)
}

/// What a family is not followed for.
fn check(problem: &Problem) -> Result<(), FamilyError> {
    let not = |why: &'static str| Err(FamilyError::NotTreated(why));
    if !problem.free.is_empty() {
        return not("there are `free` numbers");
    }
    if !problem.vias.is_empty() {
        return not("there are conditions on the way");
    }
    if problem.start.iter().any(|s| s.given == Given::Free) {
        return not("start values are free");
    }
    if !problem.bounds.is_empty() || !problem.terminals.is_empty() {
        return not("there are bounds or a cost at the end");
    }
    Ok(())
}

/// What is searched: the costates at the start that are not prescribed.
struct Search {
    state: Vec<f64>,
    open: Vec<usize>,
    held: Vec<usize>,
    values: Interpreter,
    goal: Interpreter,
    origins: Vec<Origin>,
}

impl Search {
    fn of(
        problem: &Problem,
        field: &Field,
        start: &StartState,
        prescribed: &[(Symbol, Expr)],
    ) -> Result<Self, FamilyError> {
        let numbers = start
            .state_of(&field.equations)
            .map_err(IndirectError::from)?;
        let steering = &field.steering;
        let costates: Vec<&Symbol> = steering.momenta.iter().chain(&steering.adjoints).collect();
        let place = |s: &Symbol| costates.iter().position(|p| *p == s);
        let held: Vec<usize> = prescribed.iter().filter_map(|(s, _)| place(s)).collect();
        let inputs: Vec<Symbol> = std::iter::once(Symbol::time())
            .chain(field.equations.state.iter().cloned())
            .collect();
        let program = |outputs: &[Expr]| {
            Program::new(&inputs, &field.constants, &[], outputs)
                .map(Interpreter::new)
                .map_err(|e| FamilyError::from(IndirectError::from(e)))
        };
        let values: Vec<Expr> = prescribed.iter().map(|(_, v)| v.clone()).collect();
        let (goal, origins) = goal(problem, field)?;
        Ok(Self {
            state: numbers[..field.states].to_vec(),
            open: (0..field.costates).filter(|i| !held.contains(i)).collect(),
            held,
            values: program(&values)?,
            goal: program(&goal)?,
            origins,
        })
    }

    /// The whole state at the start, with the prescribed costates put in.
    fn start(&self, field: &Field, costates: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; field.size()];
        y[..field.states].copy_from_slice(&self.state);
        y[field.states..field.states + costates.len()].copy_from_slice(costates);
        // A value may ask for another prescribed one.
        for _ in 0..self.held.len() {
            let moving = &y[..field.states + field.costates];
            let Ok(values) = self.values.values(&[&[0.0], moving].concat()) else {
                break;
            };
            for (i, value) in self.held.iter().zip(values) {
                y[field.states + i] = value;
            }
        }
        y
    }

    /// What is left of the goal at the end of the extremal with these costates at the start.
    fn miss(&self, field: &mut Field, costates: &[f64], [from, to]: [f64; 2]) -> Option<Vec<f64>> {
        let mut y = self.start(field, costates);
        run(field, &mut y, Output::Times(&[from, to]), &mut Vec::new())?;
        let moving = &y[..field.states + field.costates];
        let found = self.goal.values(&[&[to], moving].concat()).ok()?;
        found.iter().all(|v| v.is_finite()).then_some(found)
    }

    /// Levenberg's method on the misses.
    fn nearest(
        &self,
        field: &mut Field,
        guess: &[f64],
        ends: [f64; 2],
    ) -> Option<(Vec<f64>, Vec<f64>)> {
        let mut at = guess.to_vec();
        let mut misses = self.miss(field, &at, ends)?;
        let n = self.open.len();
        let mut damping = FIRST_DAMPING;
        for _ in 0..MOST_STEPS {
            if norm(&misses) <= MET || n == 0 || damping > 1e8 {
                break;
            }
            let mut columns = Vec::new();
            for &i in &self.open {
                let step = DIFFERENCE * (1.0 + at[i].abs());
                let mut sides = [1.0, -1.0].map(|sign| {
                    let mut moved = at.clone();
                    moved[i] += sign * step;
                    self.miss(field, &moved, ends)
                });
                let (right, left) = (sides[0].take()?, sides[1].take()?);
                let slopes = right.iter().zip(&left).map(|(r, l)| (r - l) / (2.0 * step));
                columns.push(slopes.collect::<Vec<f64>>());
            }
            let size = columns
                .iter()
                .flatten()
                .fold(0.0, |m: f64, x| m.max(x.abs()));
            let mut matrix: Vec<f64> = (0..misses.len())
                .flat_map(|r| columns.iter().map(move |c| c[r]))
                .collect();
            let mut right: Vec<f64> = misses.iter().map(|m| -m).collect();
            for i in 0..n {
                matrix.extend((0..n).map(|j| if i == j { damping * size } else { 0.0 }));
                right.push(0.0);
            }
            let step = least_squares(&matrix, n, &right, ROUNDING).solution;
            let mut next = at.clone();
            for (&i, d) in self.open.iter().zip(&step) {
                next[i] += d;
            }
            match self.miss(field, &next, ends) {
                Some(better) if norm(&better) < norm(&misses) => {
                    let settled = norm(&misses) - norm(&better) <= SETTLED * norm(&misses);
                    (at, misses) = (next, better);
                    damping = (damping / 10.0).max(LEAST_DAMPING);
                    if settled {
                        break;
                    }
                }
                _ => damping *= 10.0,
            }
        }
        Some((at, misses))
    }
}

/// The conditions of the goal, as values that vanish.
fn goal(problem: &Problem, field: &Field) -> Result<(Vec<Expr>, Vec<Origin>), FamilyError> {
    let fibre = field.system.frame().fibre().iter().cloned();
    let hidden: Vec<(Symbol, Expr)> = fibre
        .zip(field.steering.velocity.iter().cloned())
        .filter(|(y, v)| v.as_symbol() != Some(y))
        .collect();
    let (mut values, mut origins) = (Vec::new(), Vec::new());
    for c in &problem.goals {
        match &c.kind {
            ConditionKind::Scalar {
                left,
                relation: Relation::Equal,
                right,
            } => {
                let gap = (left - right).substitute(&field.system.auxiliary_jets());
                values.push(gap);
                origins.push(c.origin);
            }
            ConditionKind::Scalar { .. } => {
                return Err(FamilyError::NotTreated("the goal has inequalities"));
            }
            ConditionKind::Element { factor, entries } => {
                let found = field.system.factors().iter().find(|f| f.name == *factor);
                let Some((factor, group)) = found.and_then(|f| Some((f, f.group?))) else {
                    continue;
                };
                let base = &field.system.frame().base()[factor.base.clone()];
                let here: Vec<Expr> = base.iter().map(Expr::from).collect();
                for value in relative(group, entries, &here) {
                    values.push(value);
                    origins.push(c.origin);
                }
            }
        }
    }
    Ok((substitute_all(&values, &hidden), origins))
}

fn norm(values: &[f64]) -> f64 {
    values.iter().map(|v| v * v).sum::<f64>().sqrt()
}

/// Follows the field, with rows at the times of the output.
fn run(
    field: &mut Field,
    y: &mut [f64],
    output: Output<'_>,
    rows: &mut Vec<(f64, Vec<f64>)>,
) -> Option<()> {
    let Output::Times(times) = output else {
        return None;
    };
    let (from, to) = (*times.first()?, *times.last()?);
    let mut method = Dop853::new(y.len(), Tolerance::both(FOLLOWED));
    let mut watch = |t: f64, y: &[f64]| {
        rows.push((t, y.to_vec()));
        ControlFlow::Continue(())
    };
    let drive = Drive::new(from, to).output(output);
    let done = drive.run(&mut Extremals(field), &mut method, y, &mut [], &mut watch);
    done.ok().map(|_| ())
}

/// The conditions of optimality as a vector field.
struct Extremals<'a>(&'a mut Field);

impl VectorField for Extremals<'_> {
    fn dimension(&self) -> usize {
        self.0.size()
    }

    fn rates(&mut self, t: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        let found = self.0.rates(t, x, &[]).ok_or(Fault::Singular)?;
        rates.copy_from_slice(&found);
        Ok(())
    }

    /// No explicit method asks for it.
    fn jacobian(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), Fault> {
        Err(Fault::NotConverged)
    }
}
