//! Starting costates from states and controls: the adjoint equation is linear, and H_u = 0 is fitted (PR5).

use super::IndirectError;
use super::field::Field;
use rattleback_compile::program::{Interpreter, Program};
use rattleback_mechanics::{Problem, Stage};
use rattleback_numeric::least_squares;
use rattleback_symbolic::{Expr, Symbol};

/// Starts of costates that H_u tells apart by less than this part are not.
const DEPENDENT: f64 = 1e-9;

/// Rates of the costates and H_u with the controls given: both affine in the costates.
struct Adjoint {
    program: Interpreter,
    costates: usize,
}

impl Adjoint {
    fn of(field: &Field) -> Result<Self, IndirectError> {
        let steering = &field.steering;
        let unknowns = steering.unknowns();
        let inputs: Vec<Symbol> = std::iter::once(Symbol::time())
            .chain(field.equations.state.iter().cloned())
            .chain(field.free.iter().cloned())
            .chain(unknowns.iter().cloned())
            .collect();
        let stages = field.equations.stages.iter();
        let stages: Vec<Stage> = stages
            .filter(|s| !s.unknowns().iter().any(|u| unknowns.contains(u)))
            .cloned()
            .collect();
        let rates = field.equations.rates[field.states..].iter().cloned();
        let slopes = steering.joined().gradient(&steering.controls);
        let outputs: Vec<Expr> = rates.chain(slopes).collect();
        let program = Program::new(&inputs, &field.constants, &stages, &outputs)?;
        Ok(Self {
            program: Interpreter::new(program),
            costates: field.costates,
        })
    }

    /// p' and H_u.
    fn at(
        &self,
        t: f64,
        x: &[f64],
        p: &[f64],
        theta: &[f64],
        u: &[f64],
    ) -> Option<(Vec<f64>, Vec<f64>)> {
        let values = self.program.values(&[&[t], x, p, theta, u].concat()).ok()?;
        let (rates, slopes) = values.split_at(self.costates);
        Some((rates.to_vec(), slopes.to_vec()))
    }
}

/// The costates that fit states and controls of a problem best, one row per time; free numbers at their guesses.
pub fn costates_along(
    problem: &Problem,
    times: &[f64],
    states: &[Vec<f64>],
    controls: &[Vec<f64>],
) -> Result<Vec<Vec<f64>>, IndirectError> {
    let (field, _) = Field::of(problem)?;
    let free = field.free.iter();
    let free = free.map(|s| problem.values.number(&Expr::from(s)));
    let free: Option<Vec<f64>> = free.collect();
    let free = free.ok_or(IndirectError::NoHorizon)?;
    fitted(&field, times, states, controls, &free)
}

/// The costates along states and controls that make Σ |H_u|² least: those of every start are propagated by the classical
/// Runge-Kutta rule between the rows, and the start is fitted.
pub(super) fn fitted(
    field: &Field,
    times: &[f64],
    states: &[Vec<f64>],
    controls: &[Vec<f64>],
    free: &[f64],
) -> Result<Vec<Vec<f64>>, IndirectError> {
    let adjoint = Adjoint::of(field)?;
    let n = field.costates;
    let failed = || IndirectError::NotFinite;
    // Column 0 starts at zero, the others at unit costates.
    let mut columns: Vec<Vec<f64>> = vec![vec![0.0; n]];
    columns.extend((0..n).map(|j| (0..n).map(|i| f64::from(u8::from(i == j))).collect()));
    let mut history = vec![columns.clone()];
    let (mut rows, mut right): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
    for (k, t) in times.iter().enumerate() {
        let slope = |p: &[f64]| adjoint.at(*t, &states[k], p, free, &controls[k]);
        let all: Vec<Vec<f64>> = columns
            .iter()
            .map(|p| slope(p).map(|(_, s)| s))
            .collect::<Option<_>>()
            .ok_or_else(failed)?;
        for (i, still) in all[0].iter().enumerate() {
            rows.extend(all[1..].iter().map(|slopes| slopes[i] - still));
            right.push(-still);
        }
        if k + 1 == times.len() {
            break;
        }
        let h = times[k + 1] - times[k];
        let mean = |a: &[f64], b: &[f64]| -> Vec<f64> {
            a.iter().zip(b).map(|(a, b)| (a + b) / 2.0).collect()
        };
        let (x, u) = (
            mean(&states[k], &states[k + 1]),
            mean(&controls[k], &controls[k + 1]),
        );
        let middle = times[k] + h / 2.0;
        for p in &mut columns {
            let plus = |d: &[f64], part: f64| -> Vec<f64> {
                p.iter().zip(d).map(|(p, d)| p + part * d).collect()
            };
            let rate = |t: f64, x: &[f64], p: &[f64], u: &[f64]| {
                adjoint.at(t, x, p, free, u).map(|(r, _)| r)
            };
            let step = || -> Option<Vec<f64>> {
                let a = rate(times[k], &states[k], p, &controls[k])?;
                let b = rate(middle, &x, &plus(&a, h / 2.0), &u)?;
                let c = rate(middle, &x, &plus(&b, h / 2.0), &u)?;
                let d = rate(times[k + 1], &states[k + 1], &plus(&c, h), &controls[k + 1])?;
                let sum = (0..n).map(|i| p[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
                Some(sum.collect())
            };
            *p = step().ok_or_else(failed)?;
        }
        history.push(columns.clone());
    }
    let start = least_squares(&rows, n, &right, DEPENDENT).solution;
    let at = |columns: &Vec<Vec<f64>>| -> Vec<f64> {
        let value = |i: usize| {
            let moved = (0..n).map(|j| start[j] * (columns[j + 1][i] - columns[0][i]));
            columns[0][i] + moved.sum::<f64>()
        };
        (0..n).map(value).collect()
    };
    Ok(history.iter().map(at).collect())
}
