//! The linear system about a state whose values are known exactly.

use super::{LinearSystem, VariationalEquations};
use crate::Stage;
use rattleback_symbolic::{
    Expr, LinearError, Matrix, Symbol, diff_all, dot, simplify, solve, substitute_all,
};

/// Exact values of time, state and inputs.
pub type Point = [(Symbol, Expr)];

/// Which directions are independent on the constraint set, and which residuals determine the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    /// Independent directions.
    pub independent: Vec<usize>,
    /// The other directions.
    pub dependent: Vec<usize>,
    /// As many residuals.
    pub rows: Vec<usize>,
}

/// Why there is no exact form.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Inexact {
    /// A linear system without an exact answer.
    #[error(transparent)]
    Linear(#[from] LinearError),
    /// The rates are given implicitly.
    #[error("the rates are given implicitly")]
    Implicit,
}

impl VariationalEquations {
    /// The linear system in the independent directions of a chart about a point, with inputs and outputs.
    pub fn linear_system(
        &self,
        at: &Point,
        chart: &Chart,
        inputs: &[Symbol],
        outputs: &[Expr],
    ) -> Result<LinearSystem<Expr>, Inexact> {
        let solved = Solved::of(self, at, inputs)?;
        let flow = solved.slopes(&self.flow);
        let observed = solved.slopes(outputs);
        let columns = self.directions.len();
        let turned = self.turning(&solved.at);
        let moved = |i: usize, j: usize| &flow[j][i] - &turned[(i, j)];
        let follow = self.dependent(&solved, chart)?;
        // Σ_j f_j ∂x_j/∂x_k over all directions j.
        let along = |entry: &dyn Fn(usize) -> Expr, k: usize| {
            let others = chart.dependent.iter().enumerate();
            let others = others.map(|(d, &j)| entry(j) * &follow[(d, k)]);
            simplify(&Expr::sum(
                others
                    .chain([entry(chart.independent[k])])
                    .collect::<Vec<_>>(),
            ))
        };
        let kept = 0..chart.independent.len();
        let by_state = |entry: &dyn Fn(usize) -> Expr| -> Vec<Expr> {
            kept.clone().map(|k| along(entry, k)).collect()
        };
        let by_input = |all: &[Vec<Expr>], i: usize| -> Vec<Expr> {
            all[columns..].iter().map(|c| simplify(&c[i])).collect()
        };
        let rows = chart.independent.iter();
        Ok(LinearSystem {
            state: rows.clone().map(|&i| self.names[i].clone()).collect(),
            a: rows.clone().map(|&i| by_state(&|j| moved(i, j))).collect(),
            b: rows.map(|&i| by_input(&flow, i)).collect(),
            c: (0..outputs.len())
                .map(|i| by_state(&|j| observed[j][i].clone()))
                .collect(),
            d: (0..outputs.len()).map(|i| by_input(&observed, i)).collect(),
        })
    }

    /// The flow and the residuals at a point.
    pub fn flow_at(&self, at: &Point) -> Result<Vec<Expr>, Inexact> {
        let solved = Solved::of(self, at, &[])?;
        let all = [&self.flow[..], &self.residuals].concat();
        Ok(substitute_all(&all, &solved.at))
    }

    /// C^D_AB Y^A for every section B, as columns; zero beside the sections.
    fn turning(&self, at: &Point) -> Matrix {
        let (n, all) = (self.frame.rank(), self.directions.len());
        let velocity = substitute_all(&self.flow[..n], at);
        let mut turning = Matrix::zeros(all, all);
        for b in 0..n {
            for (d, term) in self
                .frame
                .structure()
                .contract(&velocity, &self.frame.basis(b))
            {
                turning[(d, b)] += term.substitute(at);
            }
        }
        turning
    }

    /// How the dependent directions follow: J_d x_d + J_i x_i = 0 for the derivatives J of the residuals.
    fn dependent(&self, solved: &Solved, chart: &Chart) -> Result<Matrix, Inexact> {
        let rows: Vec<Expr> = chart
            .rows
            .iter()
            .map(|&r| self.residuals[r].clone())
            .collect();
        let slopes = solved.slopes(&rows);
        let pick =
            |of: &[usize]| Matrix::new(rows.len(), of.len(), |r, j| slopes[of[j]][r].clone());
        if rows.is_empty() {
            return Ok(Matrix::zeros(0, chart.independent.len()));
        }
        let right = pick(&chart.independent).map(|e| -e);
        Ok(solve(&pick(&chart.dependent), &right)?.solution)
    }
}

/// The unknowns of the solves at a point, with their slopes along every direction and input.
struct Solved<'a> {
    equations: &'a VariationalEquations,
    inputs: &'a [Symbol],
    /// The point, the unknowns included.
    at: Vec<(Symbol, Expr)>,
    /// The slopes of the unknowns by direction, then by input.
    slopes: Vec<Vec<(Symbol, Expr)>>,
}

impl<'a> Solved<'a> {
    fn of(
        equations: &'a VariationalEquations,
        at: &Point,
        inputs: &'a [Symbol],
    ) -> Result<Self, Inexact> {
        let columns = equations.directions.len() + inputs.len();
        let mut solved = Self {
            equations,
            inputs,
            at: at.to_vec(),
            slopes: vec![Vec::new(); columns],
        };
        for stage in equations.stages.iter().flat_map(Stage::parts) {
            solved.solve(&stage)?;
        }
        Ok(solved)
    }

    /// M s = r gives M ds = dr − dM s.
    fn solve(&mut self, stage: &Stage) -> Result<(), Inexact> {
        let Stage::Linear {
            unknowns,
            matrix,
            rhs,
        } = stage
        else {
            return Err(Inexact::Implicit);
        };
        let n = unknowns.len();
        let at_point = |all: &[Expr]| substitute_all(all, &self.at);
        let entries = at_point(matrix.entries());
        let m = Matrix::new(n, n, |i, j| entries[i * n + j].clone());
        let s = solve(&m, &Matrix::column_vector(&at_point(rhs)))?.solution;
        let values = s.column(0);
        let all = [matrix.entries(), rhs].concat();
        let slopes: Vec<Vec<Expr>> = (0..self.slopes.len())
            .map(|j| {
                let d = self.slope(j, &all);
                let (dm, dr) = d.split_at(n * n);
                (0..n)
                    .map(|i| &dr[i] - dot(&dm[i * n..(i + 1) * n], &values))
                    .collect()
            })
            .collect();
        let right = Matrix::new(n, slopes.len(), |i, j| slopes[j][i].clone());
        let found = solve(&m, &right)?.solution;
        for (j, slopes) in self.slopes.iter_mut().enumerate() {
            let column = found.column(j);
            slopes.extend(unknowns.iter().cloned().zip(column));
        }
        self.at.extend(unknowns.iter().cloned().zip(values));
        Ok(())
    }

    /// The slopes of functions along every direction, then along every input, at the point.
    fn slopes(&self, f: &[Expr]) -> Vec<Vec<Expr>> {
        (0..self.slopes.len()).map(|j| self.slope(j, f)).collect()
    }

    fn slope(&self, j: usize, f: &[Expr]) -> Vec<Expr> {
        let directions = &self.equations.directions;
        let mut slopes = match directions.get(j) {
            Some(direction) => self.equations.along(direction, f),
            None => diff_all(f, &self.inputs[j - directions.len()]),
        };
        for (unknown, slope) in self.slopes[j].iter().filter(|(_, slope)| !slope.is_zero()) {
            for (sum, partial) in slopes.iter_mut().zip(diff_all(f, unknown)) {
                *sum += partial * slope;
            }
        }
        substitute_all(&slopes, &self.at)
    }
}
