//! What a step of the variational midpoint rule costs on chains of pendulums, and prints one line of JSON for each length.
//!
//! `step_us` is a whole step, `equations_us` one evaluation of its residual and Jacobian, `evaluations` how many of these
//! Newton's method asked for in a step, and `ratio` step_us over the product of the other two. `trep_us` is what trep's midpoint
//! integrator took on the machine of the peers' measurements, for chains of the same length and step.

use rattleback_bench::clock::per_call;
use rattleback_bench::{command, pendulum};
use rattleback_compile::program::{Interpreter, Program, System};
use rattleback_mechanics::Stage;
use rattleback_mechanics::discrete::{DiscreteSystem, Discretization, Rule, Step};
use rattleback_native::{Backend, Function, Kernel, Lanes};
use rattleback_numeric::{Guess, Newton, Workspace, largest_entry};
use serde_json::{Value, json};
use std::hint::black_box;
use std::process::ExitCode;

/// Links, and microseconds of a step of trep 1.0.3.
const CHAINS: [(usize, f64); 4] = [(2, 28.0), (4, 75.0), (8, 266.0), (16, 1781.0)];
/// The step of these chains.
const STEP: f64 = 0.01;
/// Seconds that a measurement may take per batch.
const BUDGET: f64 = 0.05;
/// Steps along which evaluations are counted.
const COUNTED: usize = 500;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    command::run(all)
}

fn all(_: &[String]) -> Outcome<Value> {
    let rows: Outcome<Vec<Value>> = CHAINS.into_iter().map(measured).collect();
    Ok(json!({ "chains": rows? }))
}

fn measured((links, trep): (usize, f64)) -> Outcome<Value> {
    let system = pendulum::system(links);
    let discrete = DiscreteSystem::new(&system, Discretization::by(Rule::Midpoint))?;
    let step = discrete.step();
    let program = Program::new(&step.inputs, &[], &step.stages, &step.next)?;
    let mut state = vec![0.5; links];
    state.resize(2 * links, 0.0);
    let map = Function::new(program.clone());
    let mut memory = map.memory();
    let mut inputs = [&[0.0, STEP], &state[..]].concat();
    let mut next = vec![0.0; 2 * links];
    let mut advance = || {
        let _ = map.call(&inputs, &mut next, &mut memory);
        inputs[2..].copy_from_slice(&next);
    };
    (0..COUNTED).for_each(|_| advance());
    let whole = per_call(BUDGET, &mut advance);
    let evaluations = evaluations(&step, &state)?;
    let one = equations(&program)?;
    Ok(json!({
        "links": links,
        "step_us": whole * 1e6,
        "equations_us": one * 1e6,
        "evaluations": evaluations,
        "ratio": whole / (one * evaluations),
        "trep_us": trep,
        "faster_than_trep": trep / (whole * 1e6),
    }))
}

/// Seconds of one residual with its Jacobian, in machine code.
fn equations(program: &Program) -> Outcome<f64> {
    let mut all = 0.0;
    for block in &program.blocks {
        if let System::Implicit { newton, .. } = &block.system {
            let kernel = Kernel::compile(newton, Lanes::One, Backend::Best)?;
            let inputs = vec![0.3; newton.inputs];
            let mut outputs = vec![0.0; newton.outputs.len()];
            let mut scratch = vec![0.0; kernel.scratch_len()];
            all += per_call(BUDGET, || {
                black_box(kernel.run(black_box(&inputs), &mut outputs, &mut scratch));
            });
        }
    }
    Ok(all)
}

/// How often Newton's method asks for residual and Jacobian in a step, in the mean along a motion from a state.
fn evaluations(step: &Step, start: &[f64]) -> Outcome<f64> {
    let Some(Stage::Implicit {
        unknowns,
        residuals,
    }) = step.stages.first()
    else {
        return Err("the step is not implicit".into());
    };
    let inputs = [&step.inputs[..], unknowns].concat();
    let program = Program::new(&inputs, &[], &[], residuals)?;
    let slopes = Interpreter::new(program.jacobian(step.inputs.len()..inputs.len()));
    let values = Interpreter::new(program);
    let map = Program::new(&step.inputs, &[], &step.stages, &step.next)?;
    let map = Interpreter::new(map);
    let n = unknowns.len();
    let mut memory = vec![0.0; Workspace::length(n)];
    let mut state = [&[0.0, STEP], start].concat();
    let mut count = 0;
    for _ in 0..COUNTED {
        let mut work = Workspace::of(n, &mut memory);
        let newton = Newton::beside(largest_entry(&state));
        newton
            .solve(Guess::Zero, &mut work, |x, out: &mut [f64]| {
                count += 1;
                let at = [&state[..], x].concat();
                out[..n * n].copy_from_slice(&slopes.values(&at)?);
                out[n * n..].copy_from_slice(&values.values(&at)?);
                Ok::<(), rattleback_compile::program::Fault>(())
            })
            .map_err(|_| "a step was not solved")?;
        let next = map.values(&state).map_err(|_| "a step was not solved")?;
        state[2..].copy_from_slice(&next);
    }
    Ok(f64::from(count) / COUNTED as f64)
}
