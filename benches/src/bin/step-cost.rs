//! What a step of the variational midpoint rule costs on chains of pendulums, as one JSON object.
//!
//! `step_us` is a whole step in machine code, `equations_us` one evaluation of its residual and Jacobian, `iterations` how
//! often Newton's method asks for the residual in a step, `ratio` step_us over the product of the other two, and `angles`
//! the first two after so many steps.

use rattleback_bench::clock::per_call;
use rattleback_bench::{command, pendulum};
use rattleback_compile::program::Program;
use rattleback_integrate::variational::StepMap;
use rattleback_mechanics::Stage;
use rattleback_mechanics::discrete::{DiscreteSystem, Discretization, Rule, Step};
use rattleback_motion::discrete::CompiledStep;
use rattleback_native::Function;
use serde_json::{Value, json};
use std::hint::black_box;
use std::process::ExitCode;

/// Links, and the steps that trep's chains of these took.
const CHAINS: [(usize, u32); 4] = [(2, 5000), (4, 5000), (8, 5000), (16, 1000)];
/// The step of these chains.
const STEP: f64 = 0.01;
/// Seconds that a measurement may take per batch.
const BUDGET: f64 = 0.1;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    command::run(all)
}

fn all(_: &[String]) -> Outcome<Value> {
    let rows: Outcome<Vec<Value>> = CHAINS.into_iter().map(measured).collect();
    Ok(json!({ "chains": rows? }))
}

fn measured((links, steps): (usize, u32)) -> Outcome<Value> {
    let system = pendulum::system(links);
    let discrete = DiscreteSystem::new(&system, Discretization::by(Rule::Midpoint))?;
    let step = discrete.step();
    let mut map = CompiledStep::new(&step, &step.inputs[2..], &[], &[])?;
    let mut state = vec![0.5; links];
    state.resize(2 * links, 0.0);
    let mut next = state.clone();
    let mut taken = 0;
    let mut advance = || {
        let moved = map.advance(STEP * f64::from(taken), &state, STEP, &mut next);
        state.copy_from_slice(&next);
        taken += 1;
        moved.map(|()| [state[0], state[1]])
    };
    let mut angles = [0.0; 2];
    for _ in 0..steps {
        angles = advance()?;
    }
    let whole = per_call(BUDGET, || {
        let _ = black_box(advance());
    });
    // One evaluation of each step is that of its end.
    let iterations = map.evaluations() as f64 / f64::from(taken) - 1.0;
    let one = equations(&step)?;
    Ok(json!({
        "links": links,
        "step_us": whole * 1e6,
        "equations_us": one * 1e6,
        "iterations": iterations,
        "ratio": whole / (one * iterations),
        "angles": angles,
    }))
}

/// Seconds of one residual with its Jacobian, in machine code.
fn equations(step: &Step) -> Outcome<f64> {
    let Some(Stage::Implicit {
        unknowns,
        residuals,
    }) = step.stages.first()
    else {
        return Err("the step is not implicit".into());
    };
    let inputs = [&step.inputs[..], unknowns].concat();
    let jacobian = residuals.iter().flat_map(|r| r.gradient(unknowns));
    let outputs: Vec<_> = jacobian.chain(residuals.iter().cloned()).collect();
    let code = Function::new(Program::new(&inputs, &[], &[], &outputs)?);
    let (values, mut memory) = (vec![0.3; inputs.len()], code.memory());
    let mut found = vec![0.0; outputs.len()];
    Ok(per_call(BUDGET, || {
        let _ = black_box(code.call(black_box(&values), &mut found, &mut memory));
    }))
}
