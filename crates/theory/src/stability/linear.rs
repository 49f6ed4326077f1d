//! The linear system about a steady state, in the frame that moves along, and modulo the orbit of the symmetries.

use super::chart;
use super::exact::Signs;
use crate::symmetry::are_closed;
use crate::{Gap, Reason};
use rattleback_mechanics::phase::tangent_lift;
use rattleback_mechanics::{Chart, LinearSystem, NamedSection, System, VariationalEquations};
use rattleback_symbolic::{Expr, Matrix, Symbol, simplify, substitute_all};

/// A state that is judged: exact values, or formulas.
pub(super) struct Point {
    /// Positions, velocities and parameters.
    pub values: Vec<(Symbol, Expr)>,
    /// The symmetries that carry it with their rates.
    pub carried: Vec<(NamedSection, Expr)>,
    /// What is known of the signs there.
    pub signs: Signs,
}

impl Point {
    /// Functions of the state there.
    pub fn at(&self, all: &[Expr]) -> Vec<Expr> {
        let there = substitute_all(all, &self.values);
        there.iter().map(simplify).collect()
    }
}

/// The linear system and what is left of it modulo an orbit.
pub(super) struct Linear {
    /// In independent directions.
    pub system: LinearSystem<Expr>,
    /// Which directions these are.
    pub chart: Chart,
    /// The symmetries whose orbit is divided out: they move the state freely and close.
    pub orbit: Vec<NamedSection>,
    /// A on the directions across the orbit.
    pub across: Matrix,
    /// How independent directions are projected across the orbit.
    pub projection: Projection,
}

impl Linear {
    /// About a point; `near` has the values that tell which directions are independent.
    pub fn of(
        system: &System,
        equations: &VariationalEquations,
        fields: &[NamedSection],
        point: &Point,
        chart: Option<Chart>,
    ) -> Result<Self, Reason> {
        let names: Vec<NamedSection> = point.carried.iter().map(|(f, _)| f.clone()).collect();
        let rates: Vec<Expr> = point.carried.iter().map(|(_, r)| r.clone()).collect();
        let moving = equations.moving_with(system, &names, &rates);
        let moving = moving.ok_or_else(|| Reason::from(Gap::NoLinearSystem))?;
        let chart = chart.or_else(|| chart::of(&moving, &point.values));
        let chart = chart.ok_or_else(|| Reason::from(Gap::NoLinearSystem))?;
        let linear = moving.linear_system(&point.values, &chart, &[], &[]);
        let linear = linear.map_err(Reason::failed)?;
        let linear = linear.map(|e| simplify(&e.substitute(&point.values)));
        let n = linear.state.len();
        let a = Matrix::new(n, n, |i, j| linear.a[i][j].clone());
        let lifts: Vec<Vec<Expr>> = fields
            .iter()
            .map(|f| lifted(equations, &chart, f, point))
            .collect();
        let (orbit, projection) = divided(system, fields, &lifts, &a, &point.signs);
        let across = projection.reduced(&a);
        Ok(Self {
            system: linear,
            chart,
            orbit,
            across,
            projection,
        })
    }

    /// A in all independent directions.
    pub fn matrix(&self) -> Matrix {
        let n = self.system.state.len();
        Matrix::new(n, n, |i, j| self.system.a[i][j].clone())
    }
}

/// The lift of a field in the independent directions of a chart.
fn lifted(
    equations: &VariationalEquations,
    chart: &Chart,
    field: &NamedSection,
    point: &Point,
) -> Vec<Expr> {
    let frame = equations.frame();
    let lift = tangent_lift(frame, &field.components);
    let fibre = frame.fibre();
    let beside = equations.components().iter().map(|w| {
        let along = fibre.iter().position(|y| y == w);
        along.map_or_else(Expr::zero, |a| lift.fibre[a].clone())
    });
    let all: Vec<Expr> = lift.base.iter().cloned().chain(beside).collect();
    let kept: Vec<Expr> = chart.independent.iter().map(|&j| all[j].clone()).collect();
    point.at(&kept)
}

/// The largest orbit that can be divided out: of all fields that move the state independently, if they close and A
/// leaves their directions alone; of none else.
fn divided(
    system: &System,
    fields: &[NamedSection],
    lifts: &[Vec<Expr>],
    a: &Matrix,
    signs: &Signs,
) -> (Vec<NamedSection>, Projection) {
    let mut projection = Projection::none(a.rows());
    let mut orbit: Vec<NamedSection> = Vec::new();
    for (field, lift) in fields.iter().zip(lifts) {
        if projection.divide(lift, signs) {
            orbit.push(field.clone());
        }
    }
    let kept = projection.rows.iter().all(|(_, row)| {
        let moved: Vec<Expr> = (0..a.rows())
            .map(|i| Expr::sum((0..a.cols()).map(|j| &a[(i, j)] * &row[j])))
            .collect();
        projection.apply(&moved).iter().all(|e| signs.is_zero(e))
    });
    match kept && are_closed(system, &orbit) {
        true => (orbit, projection),
        false => (Vec::new(), Projection::none(a.rows())),
    }
}

/// The projection along some directions, which are kept in echelon form.
#[derive(Clone, Debug)]
pub(super) struct Projection {
    size: usize,
    /// A pivot with its row: 1 at its own pivot, 0 at those of the others.
    rows: Vec<(usize, Vec<Expr>)>,
}

impl Projection {
    fn none(size: usize) -> Self {
        Self {
            size,
            rows: Vec::new(),
        }
    }

    /// Takes another direction along; false where it depends on the others, or that is not known.
    fn divide(&mut self, direction: &[Expr], signs: &Signs) -> bool {
        let mut row = direction.to_vec();
        for (pivot, known) in &self.rows {
            let factor = row[*pivot].clone();
            for (x, k) in row.iter_mut().zip(known) {
                *x = simplify(&(&*x - &factor * k));
            }
        }
        // A number that is no root of anything makes the simplest pivot.
        let sizes = (0..self.size).filter(|&j| {
            let sign = signs.of(&row[j]);
            sign.is_some_and(|s| s != std::cmp::Ordering::Equal)
        });
        let Some(pivot) = sizes.min_by_key(|&j| row[j].node_count()) else {
            return false;
        };
        let by = row[pivot].clone();
        for x in &mut row {
            *x = simplify(&(&*x / &by));
        }
        for (_, known) in &mut self.rows {
            let factor = known[pivot].clone();
            for (x, r) in known.iter_mut().zip(&row) {
                *x = simplify(&(&*x - &factor * r));
            }
        }
        self.rows.push((pivot, row));
        true
    }

    /// The directions that are divided out.
    pub fn directions(&self) -> impl Iterator<Item = &[Expr]> {
        self.rows.iter().map(|(_, row)| row.as_slice())
    }

    /// How many directions are divided out.
    pub fn rank(&self) -> usize {
        self.rows.len()
    }

    /// The directions that stay.
    pub fn kept(&self) -> Vec<usize> {
        let gone = |j: &usize| self.rows.iter().any(|(p, _)| p == j);
        (0..self.size).filter(|j| !gone(j)).collect()
    }

    /// π(x)_c = x_c − Σ_p x_p row_p[c].
    pub fn apply(&self, x: &[Expr]) -> Vec<Expr> {
        let kept = self.kept();
        kept.iter()
            .map(|&c| {
                let along = self.rows.iter().map(|(p, row)| &x[*p] * &row[c]);
                simplify(&(&x[c] - Expr::sum(along)))
            })
            .collect()
    }

    /// A matrix that leaves what is divided out alone, on what stays.
    pub fn reduced(&self, a: &Matrix) -> Matrix {
        let kept = self.kept();
        let columns: Vec<Vec<Expr>> = kept.iter().map(|&j| self.apply(&a.column(j))).collect();
        Matrix::new(kept.len(), kept.len(), |i, j| columns[j][i].clone())
    }
}
