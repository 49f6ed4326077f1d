//! Charts: group entries by Cayley or stereographic parameters, angles by the tangents of their halves,
//! so that no relations are left and equations between them can be solved.

use super::problem::{Problem, with_anchor};
use crate::exact::{tidy, tidy_all};
use rattleback_geometry::{Frame, Group, LieGroup};
use rattleback_mechanics::System;
use rattleback_symbolic::{
    Expr, Function, Kind, LinearError, Map, Matrix, Symbol, free_symbols, postorder, rank,
    replace_all, solve, substitute_all,
};

/// A group whose entries are coordinates.
#[derive(Clone, Debug)]
pub struct GroupFactor {
    /// The group.
    pub group: Group,
    /// Its entries among the base coordinates, row by row.
    pub entries: Vec<Symbol>,
    /// A name for its parameters.
    pub name: String,
}

impl GroupFactor {
    /// The group factors of a system.
    pub fn of(system: &System) -> Vec<Self> {
        let base = system.frame().base();
        system
            .factors()
            .iter()
            .filter_map(|f| {
                Some(Self {
                    group: f.group?,
                    entries: base[f.base.clone()].to_vec(),
                    name: f.name.clone(),
                })
            })
            .collect()
    }

    /// The entries by free parameters.
    pub(super) fn parametrization(&self) -> Vec<(Symbol, Expr)> {
        let values = self.group.parametrization(&self.name);
        self.entries.iter().cloned().zip(values).collect()
    }

    /// The parameters in terms of the entries, with these signs.
    fn inverse(&self, signs: &[i64]) -> Vec<(Symbol, Expr)> {
        let entry = |(sign, z): (&i64, &Symbol)| *sign * Expr::from(z);
        let entries: Vec<Expr> = signs.iter().zip(&self.entries).map(entry).collect();
        let parameter = |k: usize| Symbol::variable(&format!("{}_c{k}", self.name));
        let turns = (1..=self.group.angular_velocities()).map(parameter);
        turns
            .zip(self.group.rational_parameters(&entries))
            .collect()
    }
}

/// A choice of parameters for groups and angles.
#[derive(Clone, Debug, Default)]
pub(super) struct Chart {
    /// For each group the signs of its entries.
    turns: Vec<Vec<i64>>,
    /// Angles, each with +1, or with −1 for the chart around π.
    angles: Vec<(Symbol, i64)>,
}

/// Charts that are tried at most.
const MOST: usize = 16;

impl Chart {
    /// Charts that cover the groups and the circles of these angles, and "are these all".
    pub(super) fn cover(groups: &[GroupFactor], angles: &[Symbol]) -> (Vec<Self>, bool) {
        let mut all = vec![Self::default()];
        for g in groups {
            let turns = g.group.chart_signs();
            all = product(&all, &turns, |c, t| c.turns.push(t.clone()));
        }
        for angle in angles {
            all = product(&all, &[1, -1], |c, s| c.angles.push((angle.clone(), *s)));
        }
        let complete = all.len() <= MOST;
        all.truncate(MOST);
        (all, complete)
    }

    /// Each parameter by the coordinates that it replaces.
    pub(super) fn inverse(&self, groups: &[GroupFactor]) -> Vec<(Symbol, Expr)> {
        let mut all: Vec<(Symbol, Expr)> = groups
            .iter()
            .zip(&self.turns)
            .flat_map(|(g, signs)| g.inverse(signs))
            .collect();
        for (angle, sign) in &self.angles {
            let theta = Expr::from(angle);
            let tangent = *sign * theta.sin() / (1 + *sign * theta.cos());
            all.push((half_tangent(angle), tangent));
        }
        all
    }

    /// The problem in this chart; `None` where an angle occurs outside of sines and cosines.
    pub(super) fn apply(&self, problem: &Problem) -> Result<Option<Problem>, LinearError> {
        let entries: Vec<Vec<(Symbol, Expr)>> = problem
            .groups
            .iter()
            .zip(&self.turns)
            .map(|(g, signs)| signed_entries(g, signs))
            .collect();
        let put: Vec<(Symbol, Expr)> = entries.concat();
        let map = |all: &[Expr]| self.rational(&substitute_all(all, &put));
        let frame = &problem.frame;
        let n = frame.rank();
        let mut base = Vec::new();
        let mut anchor: Vec<Expr> = Vec::new();
        for entries in &entries {
            let (parameters, rates) = parameter_rates(frame, entries)?;
            base.extend(parameters);
            anchor.extend(rates);
        }
        for (i, q) in frame.base().iter().enumerate() {
            let row = frame.anchor().row(i).iter();
            if self.angles.iter().any(|(a, _)| a == q) {
                let u = half_tangent(q);
                let scale = (1 + Expr::from(&u).powi(2)) / 2;
                anchor.extend(row.map(|e| e * &scale));
                base.push(u);
            } else if !put.iter().any(|(s, _)| s == q) {
                anchor.extend(row.cloned());
                base.push(q.clone());
            }
        }
        let anchor = map(&anchor);
        let matrix = map(problem.matrix.entries());
        let right = map(&problem.right);
        let left = free_symbols(&[anchor.as_slice(), &matrix, &right].concat());
        if left.iter().any(|s| self.angles.iter().any(|(a, _)| a == s)) {
            return Ok(None);
        }
        let shaped = |rows: usize, cols: usize, all: &[Expr]| {
            Matrix::new(rows, cols, |i, j| all[i * cols + j].clone())
        };
        let anchor = shaped(base.len(), n, &anchor);
        Ok(Some(Problem {
            frame: with_anchor(frame, base, anchor, &map),
            matrix: shaped(problem.matrix.rows(), n, &matrix),
            right,
            groups: Vec::new(),
            on: Vec::new(),
        }))
    }

    /// Sines and cosines of the angles as rational functions of the tangents of their halves.
    fn rational(&self, all: &[Expr]) -> Vec<Expr> {
        if self.angles.is_empty() {
            return all.to_vec();
        }
        let mut table: Map<Expr, Expr> = Map::default();
        for node in postorder(all, |_| true) {
            if let Kind::Function(f @ (Function::Cos | Function::Sin), x) = node.kind()
                && let Some((cos, sin)) = self.turned(&x[0])
            {
                table.insert(node.clone(), if *f == Function::Cos { cos } else { sin });
            }
        }
        replace_all(all, &table)
    }

    /// Cosine and sine of Σ k θ + rest with integers k.
    fn turned(&self, e: &Expr) -> Option<(Expr, Expr)> {
        let mut rest = e.clone();
        let mut units = Vec::new();
        for (angle, sign) in self.angles.iter().filter(|(a, _)| e.contains(a)) {
            let parts = rest.coefficients(angle).ok()?;
            let [constant, k] = parts.as_slice() else {
                return None;
            };
            units.push((angle, *sign, k.as_number()?.as_integer()?));
            rest = constant.clone();
        }
        if units.is_empty() {
            return None;
        }
        let (mut cos, mut sin) = (rest.cos(), rest.sin());
        for (angle, sign, k) in units {
            let u = Expr::from(half_tangent(angle));
            let d = 1 + u.powi(2);
            let (c, s) = (sign * (1 - u.powi(2)) / &d, k.signum() * sign * 2 * u / &d);
            for _ in 0..k.unsigned_abs() {
                (cos, sin) = (&cos * &c - &sin * &s, &cos * &s + &sin * &c);
            }
        }
        Some((cos, sin))
    }
}

fn product<T>(all: &[Chart], choices: &[T], add: impl Fn(&mut Chart, &T)) -> Vec<Chart> {
    all.iter()
        .flat_map(|c| {
            choices.iter().map(|t| {
                let mut next = c.clone();
                add(&mut next, t);
                next
            })
        })
        .collect()
}

/// tan(θ/2), or that of θ − π.
fn half_tangent(angle: &Symbol) -> Symbol {
    Symbol::variable(&format!("tan_{}", angle.name()))
}

/// The entries that are no free coordinates themselves, by parameters.
fn signed_entries(factor: &GroupFactor, signs: &[i64]) -> Vec<(Symbol, Expr)> {
    let all = factor.parametrization();
    // A translation is its own parameter.
    let (own, tied): (Vec<_>, Vec<_>) = all
        .into_iter()
        .zip(signs)
        .partition(|((_, e), _)| e.as_symbol().is_some());
    let names: Vec<(Symbol, Expr)> = own
        .iter()
        .filter_map(|((s, e), _)| Some((e.as_symbol()?.clone(), Expr::from(s))))
        .collect();
    tied.into_iter()
        .map(|((s, e), sign)| (s, *sign * e.substitute(&names)))
        .collect()
}

/// The parameters of a group and their rates along the sections: DF c' = ρ for the entries F(c).
fn parameter_rates(
    frame: &Frame,
    entries: &[(Symbol, Expr)],
) -> Result<(Vec<Symbol>, Vec<Expr>), LinearError> {
    let values: Vec<Expr> = entries.iter().map(|(_, e)| e.clone()).collect();
    let parameters = free_symbols(&values);
    if parameters.is_empty() {
        return Ok((parameters, Vec::new()));
    }
    let slopes = Matrix::new(entries.len(), parameters.len(), |i, j| {
        values[i].diff(&parameters[j])
    });
    let independent = rank(&slopes)?.rows;
    let columns: Vec<usize> = (0..parameters.len()).collect();
    let block = slopes.select(&independent, &columns);
    let row_of = |i: usize| frame.base().iter().position(|q| *q == entries[i].0);
    let anchors = Matrix::new(independent.len(), frame.rank(), |k, a| {
        row_of(independent[k]).map_or_else(Expr::zero, |i| frame.anchor()[(i, a)].clone())
    });
    let right = anchors.map(|e| tidy(&e.substitute(entries)));
    let rates = solve(&block, &right)?.solution;
    Ok((parameters, tidy_all(rates.entries())))
}
