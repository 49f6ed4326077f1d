//! The agreement of formulations: the rates of each are the derivative of its state along one motion.

use rattleback_compile::{EvaluationError, Evaluator, Staged};
use rattleback_mechanics::{Equations, Form, System};
use rattleback_symbolic::Symbol;

/// A time, positions and velocities of the ambient frame, and values of parameters.
pub struct Place<'a> {
    pub time: f64,
    pub positions: &'a [f64],
    pub velocities: &'a [f64],
    pub constants: &'a [(Symbol, f64)],
}

impl Place<'_> {
    /// The state of a formulation after a step along the ambient rates.
    fn state(
        &self,
        system: &System,
        e: &Equations,
        flow: &[f64],
        step: f64,
    ) -> Result<Vec<f64>, EvaluationError> {
        let (names, numbers): (Vec<Symbol>, Vec<f64>) = self.constants.iter().cloned().unzip();
        let here = [self.positions, self.velocities].concat();
        let moved: Vec<f64> = here.iter().zip(flow).map(|(x, v)| x + step * v).collect();
        let frame = system.frame();
        let symbols = [&[Symbol::time()], frame.base(), frame.fibre(), &names].concat();
        let values = [&[self.time + step][..], &moved, &numbers].concat();
        Staged::new(&symbols, &e.initial.stages, &e.initial.values)?.evaluate(&values)
    }
}

/// Compares a formulation with Lagrange-d'Alembert by central differences along its motion.
pub fn check_agreement(system: &System, form: Form, place: &Place) -> Result<(), String> {
    let (names, numbers): (Vec<Symbol>, Vec<f64>) = place.constants.iter().cloned().unzip();
    let rates = |e: &Equations, state: &[f64]| {
        Evaluator::new(e, &names)
            .and_then(|program| program.at(place.time, state, &numbers))
            .map(|v| v.rates)
    };
    let say = |e: EvaluationError| format!("{form}: {e}");
    let reference = system
        .equations(Form::LagrangeDAlembert)
        .map_err(|e| e.to_string())?;
    let flow = rates(&reference, &[place.positions, place.velocities].concat()).map_err(say)?;
    let equations = system.equations(form).map_err(|e| format!("{form}: {e}"))?;
    let h = 1e-5;
    let state = |step: f64| place.state(system, &equations, &flow, step).map_err(say);
    let (behind, here, ahead) = (state(-h)?, state(0.0)?, state(h)?);
    let found = rates(&equations, &here).map_err(say)?;
    for (i, rate) in found.iter().enumerate() {
        let expected = (ahead[i] - behind[i]) / (2.0 * h);
        let error = (rate - expected).abs();
        if error.is_nan() || error > 1e-6 * (1.0 + expected.abs()) {
            return Err(format!(
                "{form}: rate of {} is {rate}, expected {expected}",
                equations.state[i]
            ));
        }
    }
    Ok(())
}
