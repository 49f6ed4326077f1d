//! The equations at the start state, every number checked to be finite.

use crate::{Evaluation, EvaluationError, Evaluator, StartState};
use rattleback_mechanics::{Equations, Problem, SlotRole};
use rattleback_numeric::number::shown;
use rattleback_symbolic::Symbol;

/// Something has no finite value at the start.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NoValue {
    /// The equations cannot be evaluated.
    #[error("{error}, {place}")]
    Evaluation {
        /// Why.
        error: EvaluationError,
        /// Where in time and state, and what to try.
        place: String,
    },
    /// A number is infinite or none.
    #[error("{what} is {value} {place}")]
    NotFinite {
        /// Which one.
        what: String,
        /// What it is.
        value: f64,
        /// Where in time and state, and what to try.
        place: String,
    },
}

/// Numbers of a set of equations at the start.
#[derive(Debug)]
pub struct AtStart {
    /// The start time.
    pub time: f64,
    /// The controls with their values: their laws there, else 0.
    pub controls: Vec<(String, f64)>,
    /// The state.
    pub state: Vec<f64>,
    /// What the equations say there.
    pub values: Evaluation,
    /// The model's observables by name; entries of vectors and matrices by index.
    pub observed: Vec<(String, f64)>,
    /// Observables that the state alone does not determine, such as an acceleration.
    pub unobserved: Vec<String>,
}

impl AtStart {
    /// Evaluates equations at the start state.
    pub fn of(
        problem: &Problem,
        start: &StartState,
        equations: &Equations,
    ) -> Result<Self, NoValue> {
        let state = start
            .state_of(equations)
            .map_err(|e| failed(e, start.time, &[]))?;
        let here: Vec<(String, f64)> = equations
            .state
            .iter()
            .map(ToString::to_string)
            .zip(state.iter().copied())
            .collect();
        let values = Evaluator::at_start(equations, start)
            .and_then(|evaluator| evaluator.at(start.time, &state, &start.constant_values))
            .map_err(|e| failed(e, start.time, &here))?;
        let (observed, unobserved) =
            observe(problem, &with_generated(problem, start, equations, &values));
        let constants = start.constants.iter().zip(&start.constant_values);
        let is_control = |u: &Symbol| problem.controls.iter().any(|c| c.symbol == *u);
        let controls = constants.filter(|(u, _)| is_control(u));
        let at_start = Self {
            controls: controls.map(|(u, value)| (u.to_string(), *value)).collect(),
            time: start.time,
            state,
            values,
            observed,
            unobserved,
        };
        match at_start.first_not_finite(equations) {
            None => Ok(at_start),
            Some((what, value)) => Err(NoValue::NotFinite {
                what,
                value,
                place: place(start.time, &here),
            }),
        }
    }

    fn first_not_finite(&self, equations: &Equations) -> Option<(String, f64)> {
        let values = &self.values;
        let state = equations
            .state
            .iter()
            .zip(&self.state)
            .map(|(s, v)| (format!("`{s}`"), *v));
        let rates = equations
            .state
            .iter()
            .zip(&values.rates)
            .map(|(s, v)| (format!("the rate of `{s}`"), *v));

        let quantities = [
            (
                "the multiplier",
                &equations.multipliers,
                &values.multipliers,
            ),
            ("the reaction on", &equations.reactions, &values.reactions),
            ("the momentum", &equations.momenta, &values.momenta),
        ];
        let quantities = quantities.into_iter().flat_map(|(what, names, numbers)| {
            names
                .iter()
                .zip(numbers)
                .map(move |(q, v)| (format!("{what} `{}`", q.name), *v))
        });
        let energy = (!equations.energy.is_undefined()).then_some(values.energy);
        let energy = energy.map(|e| ("the energy".to_owned(), e));
        state
            .chain(rates)
            .chain(quantities)
            .chain(energy)
            .find(|(_, v)| !v.is_finite())
    }
}

fn failed(error: EvaluationError, time: f64, here: &[(String, f64)]) -> NoValue {
    NoValue::Evaluation {
        error,
        place: place(time, here),
    }
}

/// Where in time and state, and what to try.
fn place(time: f64, here: &[(String, f64)]) -> String {
    const MOST: usize = 12;
    let mut names: Vec<String> = here
        .iter()
        .take(MOST)
        .map(|(s, v)| format!("{s} = {}", shown(*v, 1.0)))
        .collect();
    if here.len() > MOST {
        names.push(format!("and {} more", here.len() - MOST));
    }
    let state = if names.is_empty() {
        String::new()
    } else {
        format!(", {}", names.join(", "))
    };
    format!(
        "at the start state (t = {}{state}); try other start values",
        shown(time, 1.0)
    )
}

/// The start with what observables may use beside the state: multipliers, momenta and the energy.
fn with_generated(
    problem: &Problem,
    start: &StartState,
    equations: &Equations,
    values: &Evaluation,
) -> StartState {
    let names = problem.system.names();
    let multipliers = equations.multipliers.iter().zip(&values.multipliers);
    let momenta = equations.momenta.iter().zip(&values.momenta);
    let quantities = multipliers.chain(momenta);
    let all = quantities
        .map(|(q, value)| (q.name.as_str(), *value))
        .chain([("energy", values.energy)])
        .filter(|(name, _)| !names.declares(name));
    let all = all.map(|(name, value)| (Symbol::variable(name), value));
    let slots = equations.state.slots().iter().zip(&values.rates);
    let rates = slots.filter(|(slot, _)| slot.role == SlotRole::Auxiliary);
    let rates = rates.map(|(slot, rate)| (slot.symbol.derivative(), *rate));
    start.with(all.chain(rates))
}

/// Values of the observables, and the names of those without one.
fn observe(problem: &Problem, start: &StartState) -> (Vec<(String, f64)>, Vec<String>) {
    let (mut observed, mut unobserved) = (Vec::new(), Vec::new());
    for observable in &problem.observables {
        match start.evaluate(&observable.entries) {
            Ok(values) => {
                let names = observable.named_entries().map(|(name, _)| name);
                observed.extend(names.zip(values));
            }
            Err(_) => unobserved.push(observable.name.clone()),
        }
    }
    (observed, unobserved)
}
