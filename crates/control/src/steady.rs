//! Steady motions: states that a symmetry carries along.

use crate::equilibrium::{Rest, rest_from};
use crate::error::EquilibriumError;
use crate::point::StatePoint;
use crate::reach::Reach;
use rattleback_compile::{LinearizationError, Linearizer};
use rattleback_mechanics::{NamedSection, System, VariationalEquations};
use rattleback_numeric::Ldlt;
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
            let (left, slopes) = self.linearizer.rest(point.time, &point.state, rates)?;
            Ok(Reach::of(self.system, point, rates).explains(&left, &slopes, STEADY))
        };
        let moves = !rests(&vec![0.0; self.rates])?;
        Ok((moves && rests(&rates)?).then_some(rates))
    }

    /// The steady motion nearest to a state, with its rates.
    pub fn nearest(&self, from: &StatePoint) -> Result<Rest, EquilibriumError> {
        let rates = self.fitted(from)?;
        rest_from(self.system, &self.linearizer, from, &rates)
    }

    /// (ΞᵀΞ) ω = Ξᵀ X, with a little damping where fields depend on each other.
    fn fitted(&self, point: &StatePoint) -> Result<Vec<f64>, LinearizationError> {
        let n = self.rates;
        let zero = vec![0.0; n];
        let (flow, slopes) = self.linearizer.rest(point.time, &point.state, &zero)?;
        let from = self.linearizer.directions();
        let fields: Vec<Vec<f64>> = slopes.iter().map(|row| row[from..].to_vec()).collect();
        let product = |i: usize, j: usize| fields.iter().map(|r| r[i] * r[j]).sum::<f64>();
        let scale = (0..n).map(|i| product(i, i)).fold(0.0, f64::max);
        let unit = |i: usize, j: usize| if i == j { 1e-14 * scale } else { 0.0 };
        let mut factors = Ldlt::new(n);
        if factors.factor(|i, j| product(i, j) + unit(i, j)).is_err() {
            return Ok(zero);
        }
        let mut rates = zero.clone();
        // The second time takes out what damping and rounding left.
        for _ in 0..3 {
            let left = |row: &Vec<f64>, x: f64| {
                x + row.iter().zip(&rates).map(|(r, w)| r * w).sum::<f64>()
            };
            let left: Vec<f64> = fields.iter().zip(&flow).map(|(r, x)| left(r, *x)).collect();
            let along = |i: usize| -fields.iter().zip(&left).map(|(r, x)| r[i] * x).sum::<f64>();
            let mut step: Vec<f64> = (0..n).map(along).collect();
            if factors.solve(&mut step).is_err() || step.iter().any(|x| !x.is_finite()) {
                return Ok(zero);
            }
            rates.iter_mut().zip(step).for_each(|(w, d)| *w += d);
        }
        Ok(rates)
    }
}

/// Symbols for the rates of so many symmetries.
pub(crate) fn rates(n: usize) -> Vec<Symbol> {
    let name = |k: usize| Symbol::constant(&format!("rate of symmetry {k}"));
    (1..=n).map(name).collect()
}
