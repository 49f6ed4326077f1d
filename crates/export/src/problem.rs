//! From a problem to what is exported of it.

use super::Export;
use rattleback_compile::{Motion, StartError, StartState, Tables, Variation};
use rattleback_mechanics::{Form, MechanicsError, Problem};
use rattleback_symbolic::{MissingInput, Symbol};

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
        equations.check_followed()?;
        let start = StartState::of(problem, &system)?;
        let coefficients = tables.symbols();
        let is_law = |u: &Symbol| problem.is_control(u) && problem.constant_law(u).is_none();
        let is_given = |u: &&Symbol| !is_law(u) && !coefficients.contains(u);
        let given: Vec<Symbol> = start.constants.iter().filter(is_given).cloned().collect();
        let failed = |why: String| ExportError::Program { form, why };
        // What is short to read is mostly quick to work out; where it is not, the code is what is quick.
        let written = [equations.shortened(), equations].map(|equations| {
            let varied = Variation::of_constants(&given).with_constants(&coefficients);
            let motion = Motion::new(problem, &system, &equations, &start, varied);
            let cost = motion.rates().map(|program| program.cost());
            cost.map(|cost| (cost, motion, equations))
        });
        let [short, derived] = written;
        let missing = |e: MissingInput| failed(e.to_string());
        let (short, derived) = (short.map_err(missing)?, derived.map_err(missing)?);
        let (_, motion, equations) = if derived.0 < short.0 { derived } else { short };
        let state = motion.start(&start, &equations);
        let state = state.map_err(|e| failed(e.to_string()))?;
        let exported = Export::of_motion(problem, &motion, &start, &state, tables);
        Ok((form, exported.map_err(|e| failed(e.to_string()))?))
    }
}
