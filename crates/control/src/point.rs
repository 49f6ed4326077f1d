//! A state in numbers, and what is known of it exactly.

use rattleback_compile::{EvaluationError, StartState};
use rattleback_lie::Trivialization;
use rattleback_mechanics::{Equations, Given, Problem, System};
use rattleback_symbolic::{Expr, Symbol};

/// A state of some equations: values, and exact ones where they are known.
#[derive(Clone, Debug)]
pub struct StatePoint {
    /// The time.
    pub time: f64,
    /// The state of the equations.
    pub state: Vec<f64>,
    /// The state exactly, in the parameters; none where it came out of numbers.
    pub exact: Option<Vec<(Symbol, Expr)>>,
}

impl StatePoint {
    /// The start of a problem.
    pub fn start(
        problem: &Problem,
        system: &System,
        equations: &Equations,
        start: &StartState,
    ) -> Result<Self, EvaluationError> {
        let state = start.state_of(equations)?;
        let exact = equations.state.iter().zip(&state);
        let exact = exact.map(|(s, x)| Some((s.clone(), known(problem, system, s, *x)?)));
        Ok(Self {
            time: start.time,
            exact: exact.collect(),
            state,
        })
    }

    /// The state moved along directions: coordinates and components are added to, group elements multiplied.
    pub(crate) fn moved(&self, system: &System, by: &[f64]) -> Vec<f64> {
        let mut next = self.state.clone();
        let (positions, sections) = (system.frame().base().len(), system.frame().rank());
        for factor in system.factors() {
            let step = &by[factor.fibre.clone()];
            let place = &mut next[factor.base.clone()];
            match factor.group {
                None => place[0] += step[0],
                Some(group) => {
                    let turn = group.exp(step);
                    let moved = match factor.trivialization {
                        Trivialization::Body => group.product(place, &turn),
                        Trivialization::Space => group.product(&turn, place),
                    };
                    place.copy_from_slice(&moved);
                }
            }
        }
        let components = next[positions..].iter_mut();
        components.zip(&by[sections..]).for_each(|(x, d)| *x += d);
        next
    }
}

/// The exact start value of a symbol: as stated, or what is left out is.
fn known(problem: &Problem, system: &System, s: &Symbol, value: f64) -> Option<Expr> {
    if let Some(stated) = problem.start.get(s) {
        return (stated.given != Given::Approximate).then(|| stated.value.clone());
    }
    let neutral = system.factors().iter().find_map(|factor| {
        let entries = &system.frame().base()[factor.base.clone()];
        let place = entries.iter().position(|z| z == s)?;
        Some(factor.group?.identity::<Expr>().swap_remove(place))
    });
    let neutral = neutral.unwrap_or_else(Expr::zero);
    let number = neutral.as_number().map(|r| r.to_f64());
    (number == Some(value)).then_some(neutral)
}
