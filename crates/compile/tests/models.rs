//! Every shipped model derives in every formulation that applies, and they agree at its start.

mod common;

use common::{Place, check_agreement};
use rattleback_compile::{EvaluationError, Evaluator, StartState};
use rattleback_language::{Source, parse};
use rattleback_mechanics::{Form, MechanicsError, Problem, System};
use rattleback_symbolic::Symbol;
use rattleback_testing::models::paths as shipped;

/// Refusals that say that a formulation is not meant for the system.
fn does_not_apply(e: &MechanicsError) -> bool {
    matches!(
        e,
        MechanicsError::Constrained { .. }
            | MechanicsError::HigherOrder { .. }
            | MechanicsError::NotNatural { .. }
            | MechanicsError::AffineConstraints { .. }
            | MechanicsError::NotChaplygin { .. }
            | MechanicsError::ReductionNotDerived { .. }
            | MechanicsError::FirstOrder { .. }
            | MechanicsError::NotInvertible { .. }
            | MechanicsError::NoLagrangian { .. }
            | MechanicsError::HasLagrangian { .. }
            // A system without its problem has nothing that is made least.
            | MechanicsError::NoObjective
    )
}

#[test]
fn shipped_models_derive_in_every_form() {
    let mut failures = Vec::new();
    for path in shipped() {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let outcome = parse(&Source::new(&name, &text));
        let Some(model) = outcome.model else {
            failures.push(format!(
                "{name}: {:?}",
                outcome
                    .diagnostics
                    .iter()
                    .map(|d| &d.message)
                    .collect::<Vec<_>>()
            ));
            continue;
        };
        let problem = match Problem::from_model(&model) {
            Ok(problem) => problem,
            Err(e) => {
                failures.push(format!("{name}: {e}"));
                continue;
            }
        };
        let system = problem.open();
        if let Err(e) = system.check_regular() {
            failures.push(format!("{name}: {e}"));
        }
        let start = match StartState::of(&problem, &system) {
            Ok(start) => start,
            Err(e) => {
                failures.push(format!("{name}: {e}"));
                continue;
            }
        };
        let mut derived = 0;
        for form in Form::ALL {
            let equations = match system.equations(form) {
                Ok(e) => e,
                Err(e) if does_not_apply(&e) && form != Form::default_for(&system) => continue,
                Err(e) => {
                    failures.push(format!("{name}: {form}: {e}"));
                    continue;
                }
            };
            derived += 1;
            let value = start.state_of(&equations).and_then(|state| {
                Evaluator::new(&equations, &start.constants)?.at(
                    start.time,
                    &state,
                    &start.constant_values,
                )
            });
            match value {
                // A chart of a reduction may end at the start; then it must say where.
                Err(EvaluationError::Singular { .. })
                    if form == Form::Chaplygin && !equations.conditions.is_empty() => {}
                Err(e) => failures.push(format!("{name}: {form}: {e}")),
                Ok(v) if v.rates.iter().any(|r| !r.is_finite()) => {
                    failures.push(format!("{name}: {form}: not finite"))
                }
                Ok(_) => {}
            }
        }
        assert!(derived > 0, "{name}");
        // Forms in momenta or multipliers do not apply to first-order systems: there is nothing to compare.
        if system.order() == 1 && system.first_order().is_none() && !system.is_kinematic() {
            failures.extend(
                disagreements(&system, &start)
                    .into_iter()
                    .map(|f| format!("{name}: {f}")),
            );
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// Formulations that do not describe the same motion at the start.
fn disagreements(system: &System, start: &StartState) -> Vec<String> {
    let value = |s: &Symbol| start.get(s).unwrap();
    let positions: Vec<f64> = system.frame().base().iter().map(value).collect();
    let velocities: Vec<f64> = system.frame().fibre().iter().map(value).collect();
    let constants: Vec<(Symbol, f64)> = start
        .constants
        .iter()
        .cloned()
        .zip(start.constant_values.iter().copied())
        .collect();
    let place = Place {
        time: start.time,
        positions: &positions,
        velocities: &velocities,
        constants: &constants,
    };
    [
        Form::Newton,
        Form::Projection,
        Form::ProjectionPrinciple,
        Form::Hamel,
        Form::Distributional,
        Form::HamiltonDAlembert,
        Form::Hamiltonian,
        Form::AlmostPoisson,
    ]
    .into_iter()
    .filter(|form| !system.equations(*form).is_err_and(|e| does_not_apply(&e)))
    .filter_map(|form| check_agreement(system, form, &place).err())
    .collect()
}
