//! From a problem to what is exported of it.

use super::Export;
use rattleback_compile::{Motion, StartError, StartState, Tables, Variation};
use rattleback_mechanics::{Form, MechanicsError, Problem};
use rattleback_symbolic::Symbol;

/// Why nothing is exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// There are no equations in this formulation.
    #[error(transparent)]
    Mechanics(#[from] MechanicsError),
    /// There is no start state.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The equations make no program.
    #[error("cannot export {form}: {why}")]
    Program {
        /// The formulation.
        form: Form,
        /// What is missing.
        why: String,
    },
}

impl Export {
    /// The equations of a problem in a formulation, or in the usual one. Parameters are arguments, and so are controls, but
    /// for those that a law feeds along the motion; the problem has the laws of the tables.
    pub fn of_problem(
        problem: &Problem,
        form: Option<Form>,
        tables: Tables,
    ) -> Result<(Form, Export), ExportError> {
        let system = problem.driven_but(|u| problem.constant_law(u).is_some());
        let form = form.unwrap_or_else(|| Form::default_for(&system));
        let equations = system.equations(form)?;
        let start = StartState::of(problem, &system)?;
        let coefficients = tables.symbols();
        let is_law = |u: &Symbol| problem.is_control(u) && problem.constant_law(u).is_none();
        let is_given = |u: &&Symbol| !is_law(u) && !coefficients.contains(u);
        let given: Vec<Symbol> = start.constants.iter().filter(is_given).cloned().collect();
        let varied = Variation::of_constants(&given).with_constants(&coefficients);
        let motion = Motion::new(problem, &system, &equations, &start, varied);
        let failed = |why: String| ExportError::Program { form, why };
        let state = motion.start(&start, &equations);
        let state = state.map_err(|e| failed(e.to_string()))?;
        let exported = Export::of_motion(problem, &motion, &start, &state, tables);
        Ok((form, exported.map_err(|e| failed(e.to_string()))?))
    }
}
