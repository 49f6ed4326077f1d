//! Equations at a state: rates, multipliers, energy and all that belongs to them.

use crate::StartState;
use crate::guess::Guesses;
use crate::staged::{EvaluationError, Staged};
use rattleback_mechanics::Equations;
use rattleback_symbolic::{Expr, Symbol};

/// Everything that equations say at one state.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The rate of each state component.
    pub rates: Vec<f64>,
    /// The multipliers.
    pub multipliers: Vec<f64>,
    /// The reaction forces.
    pub reactions: Vec<f64>,
    /// The energy.
    pub energy: f64,
    /// The momenta.
    pub momenta: Vec<f64>,
    /// The constraint residuals.
    pub residuals: Vec<f64>,
    /// The further quantities of the formulation.
    pub extras: Vec<f64>,
    /// The bracket matrix, row by row; empty where there is none.
    pub bracket: Vec<f64>,
}

/// The interpreter for one set of equations.
pub struct Evaluator {
    program: Staged,
    sizes: [usize; 7],
}

impl Evaluator {
    /// Compiles equations as functions of time, state and `constants` (parameters and controls).
    pub fn new(equations: &Equations, constants: &[Symbol]) -> Result<Self, EvaluationError> {
        Self::with_guesses(equations, constants, &Guesses::default())
    }

    /// At a start, where it is known which of several solutions is the right one.
    pub(crate) fn at_start(
        equations: &Equations,
        start: &StartState,
    ) -> Result<Self, EvaluationError> {
        let guesses = Guesses::of(equations, start, |_| None);
        Self::with_guesses(equations, &start.constants, &guesses)
    }

    fn with_guesses(
        equations: &Equations,
        constants: &[Symbol],
        guesses: &Guesses,
    ) -> Result<Self, EvaluationError> {
        let values = |q: &[rattleback_mechanics::Quantity]| -> Vec<Expr> {
            q.iter().map(|q| q.value.clone()).collect()
        };
        let bracket = equations
            .bracket
            .as_ref()
            .map_or(Vec::new(), |b| b.matrix.entries().to_vec());
        let groups = [
            equations.rates.clone(),
            values(&equations.multipliers),
            values(&equations.reactions),
            values(&equations.momenta),
            equations.residuals.clone(),
            values(&equations.extras),
            bracket,
        ];
        let sizes = groups.each_ref().map(Vec::len);
        // Models without a Lagrangian have none.
        let energy = Some(equations.energy.clone()).filter(|e| !e.is_undefined());
        let outputs: Vec<Expr> = groups.into_iter().flatten().chain(energy).collect();
        let inputs: Vec<Symbol> = std::iter::once(Symbol::time())
            .chain(equations.state.iter().cloned())
            .chain(constants.iter().cloned())
            .collect();
        Ok(Self {
            program: Staged::new(
                &inputs,
                &guesses.stages(&equations.stages),
                &guesses.apply(&outputs),
            )?,
            sizes,
        })
    }

    /// The equations at a time, a state and values of the constants.
    pub fn at(
        &self,
        t: f64,
        state: &[f64],
        constants: &[f64],
    ) -> Result<Evaluation, EvaluationError> {
        let inputs: Vec<f64> = std::iter::once(t)
            .chain(state.iter().copied())
            .chain(constants.iter().copied())
            .collect();
        let mut values = self.program.evaluate(&inputs)?.into_iter();
        let mut take = |k: usize| -> Vec<f64> { values.by_ref().take(self.sizes[k]).collect() };
        let [
            rates,
            multipliers,
            reactions,
            momenta,
            residuals,
            extras,
            bracket,
        ] = std::array::from_fn(&mut take);
        let energy = values.next().unwrap_or(f64::NAN);
        Ok(Evaluation {
            rates,
            multipliers,
            reactions,
            energy,
            momenta,
            residuals,
            extras,
            bracket,
        })
    }
}
