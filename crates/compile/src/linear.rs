//! The linear system about a state, in numbers.

use crate::program::{Interpreter, Program};
use crate::staged::EvaluationError;
use rattleback_mechanics::{Chart, Direction, LinearSystem, VariationalEquations};
use rattleback_numeric::{SingularMatrix, solve_scaled};
use rattleback_symbolic::{Expr, MissingInput, Symbol};

/// Variational equations as programs of time, state and inputs.
pub struct Linearizer {
    names: Vec<String>,
    directions: Vec<Direction>,
    positions: usize,
    sections: usize,
    inputs: usize,
    outputs: usize,
    /// The flow and the residuals.
    values: Interpreter,
    /// Slopes of the flow and of the outputs in every state entry and input.
    slopes: Interpreter,
    /// Slopes of the residuals in every state entry.
    residuals: Interpreter,
    /// The anchor, then C^D_AB Y^A, by rows.
    geometry: Interpreter,
}

/// A linear system, the chart that it is written in, and how dependent directions follow from the independent ones.
pub type Charted = (LinearSystem<f64>, Chart, Vec<Vec<f64>>);

/// A linearisation that failed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum LinearizationError {
    /// The equations have no values there.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// Entries that are not finite.
    #[error("the equations have no finite slopes at this state")]
    NotFinite,
    /// Constraints that do not leave a smooth set.
    #[error(
        "the constraints lose rank at this state: they leave no smooth set of neighbouring states"
    )]
    Rank,
}

/// Slopes smaller than this beside the largest of their row are rounding.
const NEGLIGIBLE: f64 = 1e-10;
/// A direction is solved for if its slope is not much smaller than the largest one.
const FAIR: f64 = 0.1;

impl Linearizer {
    /// Compiles variational equations with inputs u and outputs.
    pub fn new(
        equations: &VariationalEquations,
        constants: &[(Symbol, f64)],
        inputs: &[Symbol],
        outputs: &[Expr],
    ) -> Result<Self, MissingInput> {
        let frame = equations.frame();
        let state = frame.base().iter().chain(equations.components()).cloned();
        let state: Vec<Symbol> = state.collect();
        let time = std::iter::once(Symbol::time());
        let all: Vec<Symbol> = time.chain(state.iter().chain(inputs).cloned()).collect();
        let program = |outputs: &[Expr]| Program::new(&all, constants, equations.stages(), outputs);
        let values = [equations.flow(), outputs].concat();
        let geometry = [frame.anchor().entries().to_vec(), turning(equations)].concat();
        let without_solves = Program::new(&all, constants, &[], equations.residuals())?;
        Ok(Self {
            names: equations.names().to_vec(),
            directions: equations.directions().to_vec(),
            positions: frame.base().len(),
            sections: frame.rank(),
            inputs: inputs.len(),
            outputs: outputs.len(),
            values: Interpreter::new(program(
                &[equations.flow(), equations.residuals()].concat(),
            )?),
            slopes: Interpreter::new(program(&values)?.jacobian(1..all.len())),
            residuals: Interpreter::new(without_solves.jacobian(1..1 + state.len())),
            geometry: Interpreter::new(program(&geometry)?),
        })
    }

    /// The linear system about a state, with the chart of independent directions that it is written in.
    pub fn at(
        &self,
        t: f64,
        state: &[f64],
        u: &[f64],
    ) -> Result<(LinearSystem<f64>, Chart), LinearizationError> {
        let (system, chart, _) = self.at_with_chart(t, state, u, None)?;
        Ok((system, chart))
    }

    /// The same in a given chart, or one of its own choice, with how dependent directions follow from the
    /// independent ones, by rows.
    pub fn at_with_chart(
        &self,
        t: f64,
        state: &[f64],
        u: &[f64],
        kept: Option<&Chart>,
    ) -> Result<Charted, LinearizationError> {
        let values = |program: &Interpreter| evaluate(program, t, state, u);
        let geometry = values(&self.geometry)?;
        let (anchor, turning) = geometry.split_at(self.positions * self.sections);
        let residuals = self.along(&values(&self.residuals)?, state.len(), anchor);
        let (chart, follow) = match kept {
            None => self.chart(&residuals)?,
            Some(chart) => {
                let follow = follow(&residuals, chart).map_err(|_| LinearizationError::Rank)?;
                (chart.clone(), follow)
            }
        };
        let width = state.len() + u.len();
        let slopes = values(&self.slopes)?;
        let mut rows = self.along(&slopes, width, anchor);
        self.turn(&mut rows, turning);
        let reduce = |row: &[f64]| -> Vec<f64> {
            let follow = &follow;
            let dependent = |k: usize| {
                let all = chart.dependent.iter().enumerate();
                all.map(move |(d, &j)| row[j] * follow[d][k]).sum::<f64>()
            };
            let kept = chart.independent.iter().enumerate();
            kept.map(|(k, &j)| row[j] + dependent(k)).collect()
        };
        let by_input =
            |i: usize| -> Vec<f64> { slopes[i * width + state.len()..(i + 1) * width].to_vec() };
        let observed = self.directions.len()..self.directions.len() + self.outputs;
        let states = || chart.independent.iter().copied();
        let system = LinearSystem {
            state: states().map(|i| self.names[i].clone()).collect(),
            a: states().map(|i| reduce(&rows[i])).collect(),
            b: states().map(by_input).collect(),
            c: observed.clone().map(|i| reduce(&rows[i])).collect(),
            d: observed.map(by_input).collect(),
        };
        debug_assert!(system.b.iter().all(|row| row.len() == self.inputs));
        Ok((system, chart, follow))
    }

    /// What vanishes at an equilibrium, the flow and the residuals, with its slopes along the directions and then in
    /// the inputs.
    pub fn rest(
        &self,
        t: f64,
        state: &[f64],
        u: &[f64],
    ) -> Result<(Vec<f64>, Vec<Vec<f64>>), LinearizationError> {
        let values = |program: &Interpreter| evaluate(program, t, state, u);
        let geometry = values(&self.geometry)?;
        let anchor = &geometry[..self.positions * self.sections];
        let (width, slopes) = (state.len() + u.len(), values(&self.slopes)?);
        let mut rows = self.along(&slopes, width, anchor);
        rows.truncate(self.directions.len());
        for (row, slopes) in rows.iter_mut().zip(slopes.chunks(width)) {
            row.extend(&slopes[state.len()..]);
        }
        let none = vec![0.0; u.len()];
        let residuals = self.along(&values(&self.residuals)?, state.len(), anchor);
        rows.extend(
            residuals
                .into_iter()
                .map(|row| [row, none.clone()].concat()),
        );
        Ok((values(&self.values)?, rows))
    }

    /// The number of directions in which the state varies.
    pub fn directions(&self) -> usize {
        self.directions.len()
    }

    /// The rates of the state, and how the directions move: η' = Mη with M by rows, constraints aside.
    pub fn neighbours(
        &self,
        t: f64,
        state: &[f64],
        u: &[f64],
    ) -> Result<(Vec<f64>, Vec<Vec<f64>>), LinearizationError> {
        let values = |program: &Interpreter| evaluate(program, t, state, u);
        let geometry = values(&self.geometry)?;
        let (anchor, turning) = geometry.split_at(self.positions * self.sections);
        let flow = values(&self.values)?;
        let velocity = &flow[..self.sections];
        let rate = |row: &[f64]| row.iter().zip(velocity).map(|(r, y)| r * y).sum::<f64>();
        let positions = anchor.chunks(self.sections.max(1)).map(rate);
        let components = flow[self.sections..self.directions.len()].iter().copied();
        let rates = positions.chain(components).collect();
        let mut rows = self.along(&values(&self.slopes)?, state.len() + u.len(), anchor);
        rows.truncate(self.directions.len());
        self.turn(&mut rows, turning);
        Ok((rates, rows))
    }

    /// The anchor at a state by rows: δz = ρ η.
    pub fn anchor(
        &self,
        t: f64,
        state: &[f64],
        u: &[f64],
    ) -> Result<Vec<Vec<f64>>, LinearizationError> {
        let geometry = evaluate(&self.geometry, t, state, u)?;
        let anchor = &geometry[..self.positions * self.sections];
        let rows = anchor.chunks(self.sections.max(1));
        Ok(rows.map(<[f64]>::to_vec).collect())
    }

    /// − C^D_AB Y^A η^B.
    fn turn(&self, rows: &mut [Vec<f64>], turning: &[f64]) {
        for (d, row) in rows.iter_mut().enumerate().take(self.sections) {
            for (b, entry) in row.iter_mut().enumerate().take(self.sections) {
                *entry -= turning[d * self.sections + b];
            }
        }
    }

    /// Slopes in the entries of the state as slopes along the directions: ∂_z ρ, then ∂_w.
    fn along(&self, slopes: &[f64], width: usize, anchor: &[f64]) -> Vec<Vec<f64>> {
        let row = |row: &[f64]| -> Vec<f64> {
            let slope = |direction: &Direction| match direction {
                Direction::Section(a) => (0..self.positions)
                    .map(|i| row[i] * anchor[i * self.sections + a])
                    .sum(),
                Direction::Component(k) => row[self.positions + k],
            };
            self.directions.iter().map(slope).collect()
        };
        slopes.chunks(width).map(row).collect()
    }

    /// Independent directions, and how the others follow from them: residuals of positions determine positions,
    /// those of velocities determine velocities, earlier declared ones first.
    fn chart(&self, residuals: &[Vec<f64>]) -> Result<(Chart, Vec<Vec<f64>>), LinearizationError> {
        let n = self.directions.len();
        let scale = |row: &[f64]| row.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        let moves = |row: &[f64]| scale(&row[self.sections..]) > NEGLIGIBLE * scale(row);
        let mut order: Vec<usize> = (0..residuals.len()).collect();
        order.sort_by_key(|&r| moves(&residuals[r]));
        let (mut rows, mut dependent): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
        let mut reduced: Vec<Vec<f64>> = Vec::new();
        for r in order {
            let (mut row, size) = (residuals[r].clone(), scale(&residuals[r]));
            for (done, &pivot) in reduced.iter().zip(&dependent) {
                let factor = row[pivot] / done[pivot];
                row.iter_mut().zip(done).for_each(|(x, d)| *x -= factor * d);
                row[pivot] = 0.0;
            }
            let candidates = match moves(&residuals[r]) {
                true => self.sections..n,
                false => 0..self.sections,
            };
            let largest = scale(&row[candidates.clone()]);
            if size == 0.0 || largest <= NEGLIGIBLE * size {
                return Err(LinearizationError::Rank);
            }
            let fair = |j: &usize| row[*j].abs() >= FAIR * largest;
            let pivot = candidates.clone().find(fair).unwrap_or(candidates.start);
            rows.push(r);
            dependent.push(pivot);
            reduced.push(row);
        }
        let independent: Vec<usize> = (0..n).filter(|j| !dependent.contains(j)).collect();
        let chart = Chart {
            independent,
            dependent,
            rows,
        };
        let follow = follow(residuals, &chart).map_err(|_| LinearizationError::Rank)?;
        Ok((chart, follow))
    }
}

fn evaluate(
    program: &Interpreter,
    t: f64,
    state: &[f64],
    u: &[f64],
) -> Result<Vec<f64>, LinearizationError> {
    let found = program.values(&[&[t], state, u].concat());
    let found = found.map_err(|f| EvaluationError::of(f, program.program()))?;
    match found.iter().all(|v| v.is_finite()) {
        true => Ok(found),
        false => Err(LinearizationError::NotFinite),
    }
}

/// J_d x_d = −J_i for every independent direction.
fn follow(residuals: &[Vec<f64>], chart: &Chart) -> Result<Vec<Vec<f64>>, SingularMatrix> {
    let m = chart.rows.len();
    let mut all = vec![vec![0.0; chart.independent.len()]; m];
    for (k, &i) in chart.independent.iter().enumerate() {
        let mut matrix: Vec<f64> = Vec::with_capacity(m * m);
        for &r in &chart.rows {
            matrix.extend(chart.dependent.iter().map(|&d| residuals[r][d]));
        }
        let mut right: Vec<f64> = chart.rows.iter().map(|&r| -residuals[r][i]).collect();
        solve_scaled(&mut matrix, &mut right)?;
        all.iter_mut().zip(right).for_each(|(row, x)| row[k] = x);
    }
    Ok(all)
}

/// C^D_AB Y^A by rows D and columns B.
fn turning(equations: &VariationalEquations) -> Vec<Expr> {
    let frame = equations.frame();
    let n = frame.rank();
    let mut all = vec![Expr::zero(); n * n];
    for b in 0..n {
        let terms = frame
            .structure()
            .contract(&equations.flow()[..n], &frame.basis(b));
        for (d, term) in terms {
            all[d * n + b] += term;
        }
    }
    all
}
