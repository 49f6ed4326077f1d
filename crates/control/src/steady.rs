//! Steady motions: states that a symmetry carries along.

use crate::equilibrium::{Rest, is_undone};
use crate::error::EquilibriumError;
use crate::nearest::{MOST_DESCENTS, Nearest};
use crate::noise::rates_and_slopes;
use crate::point::StatePoint;
use crate::reach::Reach;
use rattleback_compile::{LinearizationError, Linearizer};
use rattleback_mechanics::{NamedSection, System, VariationalEquations};
use rattleback_symbolic::{Expr, MissingInput, Symbol};

/// What changes of the state by this part explain is left of the flow on a steady motion.
const STEADY: f64 = 1e-9;

/// The flow less that of symmetries at rates that are inputs: at rest on steady motions.
pub(crate) struct Steady<'a> {
    system: &'a System,
    linearizer: Linearizer,
    rates: usize,
}

impl<'a> Steady<'a> {
    /// None where there is no symmetry, or its field cannot be lifted to the state.
    pub fn new(
        system: &'a System,
        equations: &VariationalEquations,
        fields: &[NamedSection],
        constants: &[(Symbol, f64)],
    ) -> Result<Option<Self>, MissingInput> {
        let symbols = rates(fields.len());
        let all: Vec<Expr> = symbols.iter().map(Expr::from).collect();
        let Some(moving) = equations.moving_with(system, fields, &all) else {
            return Ok(None);
        };
        if fields.is_empty() {
            return Ok(None);
        }
        Ok(Some(Self {
            system,
            linearizer: Linearizer::new(&moving, constants, &symbols, &[])?,
            rates: fields.len(),
        }))
    }

    /// The rates of the symmetries that carry the state along, if they do: least squares in the rates alone.
    pub fn rates_at(&self, point: &StatePoint) -> Result<Option<Vec<f64>>, LinearizationError> {
        let rates = self.fitted(point)?;
        let rests = |rates: &[f64]| -> Result<bool, LinearizationError> {
            let at = (point.time, rates);
            let (left, slopes) = rates_and_slopes(self.system, &self.linearizer, point, at)?;
            let reach = Reach::of(self.system, point, rates);
            Ok(reach.explains(&left, &slopes, STEADY) && is_undone(&reach, &left, &slopes, STEADY))
        };
        let moves = !rests(&vec![0.0; self.rates])?;
        Ok((moves && rests(&rates)?).then_some(rates))
    }

    /// The steady motion nearest to a state, with its rates.
    pub fn nearest(
        &self,
        from: &StatePoint,
        velocities: &[usize],
    ) -> Result<Rest, EquilibriumError> {
        let search = Nearest {
            system: self.system,
            linearizer: &self.linearizer,
            inputs: &|at| self.fitted(at),
            around: self.linearizer.directions(),
            left: MOST_DESCENTS.into(),
        };
        // What rests is carried nowhere, and may be the nearest.
        search.to(from, &from.resting(velocities))
    }

    /// The rates of a steady motion that was found, with as few symmetries as move it.
    pub fn fewest_rates(&self, found: &Rest) -> Result<Vec<f64>, LinearizationError> {
        Ok(found.tidy(&self.fitted(&found.point)?))
    }

    /// The symmetries that move a state as those before them do: they rest.
    pub fn idle(&self, point: &StatePoint) -> Result<Vec<usize>, LinearizationError> {
        let basis = Basis::of(&self.fields(point)?.1);
        Ok(basis.idle)
    }

    /// The flow, and the field of each symmetry.
    pub fn fields(
        &self,
        point: &StatePoint,
    ) -> Result<(Vec<f64>, Vec<Vec<f64>>), LinearizationError> {
        let zero = vec![0.0; self.rates];
        let (flow, slopes) = self.linearizer.rest(point.time, &point.state, &zero)?;
        let from = self.linearizer.directions();
        let field = |k: usize| slopes.iter().map(|row| -row[from + k]).collect();
        Ok((flow, (0..self.rates).map(field).collect()))
    }

    /// Ξ ω = X in the sense of least squares. Fields that depend on those before them rest: precession and spin move an
    /// upright top alike.
    fn fitted(&self, point: &StatePoint) -> Result<Vec<f64>, LinearizationError> {
        let (flow, fields) = self.fields(point)?;
        let basis = Basis::of(&fields);
        let mut rates = vec![0.0; self.rates];
        // The second time takes out what rounding left.
        for _ in 0..2 {
            let left = |(i, x): (usize, &f64)| {
                let moved = fields.iter().zip(&rates).map(|(f, w)| f[i] * w);
                x - moved.sum::<f64>()
            };
            let left: Vec<f64> = flow.iter().enumerate().map(left).collect();
            let step = basis.coordinates(&left);
            rates.iter_mut().zip(step).for_each(|(w, d)| *w += d);
        }
        Ok(rates)
    }
}

/// A field beyond those before it by no more than this part of its size is none of its own.
const DEPENDENT: f64 = 1e-9;

/// An orthonormal basis of fields one after the other, Ξ = Q R (Gram and Schmidt).
struct Basis {
    /// The number of a field, its direction beyond those before it, and its column of R.
    kept: Vec<(usize, Vec<f64>, Vec<f64>)>,
    /// Fields that depend on those before them.
    idle: Vec<usize>,
    fields: usize,
}

impl Basis {
    fn of(fields: &[Vec<f64>]) -> Self {
        let mut basis = Self {
            kept: Vec::new(),
            idle: Vec::new(),
            fields: fields.len(),
        };
        for (k, field) in fields.iter().enumerate() {
            let size = norm(field);
            let (mut rest, mut column) = (field.clone(), vec![0.0; basis.kept.len()]);
            // Twice is enough.
            for _ in 0..2 {
                for ((_, q, _), entry) in basis.kept.iter().zip(&mut column) {
                    let part = dot(q, &rest);
                    *entry += part;
                    rest.iter_mut().zip(q).for_each(|(x, q)| *x -= part * q);
                }
            }
            let own = norm(&rest);
            if own <= DEPENDENT * size {
                basis.idle.extend((size > 0.0).then_some(k));
                continue;
            }
            column.push(own);
            rest.iter_mut().for_each(|x| *x /= own);
            basis.kept.push((k, rest, column));
        }
        basis
    }

    /// ω with R ω = Qᵀ x; 0 for fields that depend.
    fn coordinates(&self, x: &[f64]) -> Vec<f64> {
        let mut right: Vec<f64> = self.kept.iter().map(|(_, q, _)| dot(q, x)).collect();
        let mut all = vec![0.0; self.fields];
        for (i, (k, _, column)) in self.kept.iter().enumerate().rev() {
            let value = right[i] / column[i];
            all[*k] = value;
            let above = right.iter_mut().zip(column).take(i);
            above.for_each(|(x, r)| *x -= r * value);
        }
        all
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// Symbols for the rates of so many symmetries.
pub(crate) fn rates(n: usize) -> Vec<Symbol> {
    let name = |k: usize| Symbol::constant(&format!("rate of symmetry {k}"));
    (1..=n).map(name).collect()
}
