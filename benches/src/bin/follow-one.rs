//! Follows one motion with one method at several tolerances and prints one line of JSON about it.
//!
//! usage: `follow-one PROBLEM METHOD`, METHOD one of taylor, dop853, rhs.

use rattleback::simulation::{Field, Method};
use rattleback_bench::clock::{per_call, processor_seconds};
use rattleback_bench::motion::MotionProblem;
use rattleback_integrate::taylor::Taylor;
use rattleback_integrate::{Dop853, Drive, DriveError, Output, Stepper, Tolerance};
use rattleback_native::{Backend, Function, Kernel, Lanes};
use serde_json::{Value, json};
use std::hint::black_box;
use std::ops::ControlFlow;
use std::process::ExitCode;

/// Seconds that a measurement may take per batch.
const BUDGET: f64 = 0.05;
const TOLERANCES: [f64; 11] = [
    1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14,
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let problem = arguments
        .first()
        .and_then(|name| MotionProblem::named(name));
    let line = match (problem, arguments.get(1).map(String::as_str)) {
        (Some(problem), Some("rhs")) => right_hand_side(&problem),
        (Some(problem), Some("taylor")) => follow(&problem, Method::Taylor),
        (Some(problem), Some("dop853")) => follow(&problem, Method::Dop853),
        _ => Err("usage: follow-one PROBLEM taylor|dop853|rhs".into()),
    };
    match line {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::FAILURE
        }
    }
}

type Outcome = Result<Value, Box<dyn std::error::Error>>;

/// Error and seconds at every tolerance, and the seconds of compilation.
fn follow(problem: &MotionProblem, method: Method) -> Outcome {
    let program = problem.program()?;
    let (mut points, mut setup) = (Vec::new(), 0.0);
    for tolerance in TOLERANCES {
        let n = problem.state.len();
        let begun = processor_seconds();
        let both = Tolerance::both(tolerance);
        let mut field = Field::of_program(program.clone(), method, both, &[]);
        setup = f64::max(setup, processor_seconds() - begun);
        let mut stepper: Box<dyn Stepper<Field>> = match method {
            Method::Taylor => Box::new(Taylor::new(n, both)),
            _ => Box::new(Dop853::new(n, both)),
        };
        let mut end = problem.start.clone();
        let steps = go(problem, &mut field, &mut *stepper, &mut end)?;
        let seconds = per_call(BUDGET, || {
            let mut x = problem.start.clone();
            stepper.restart();
            // The first run has shown that it succeeds.
            let _ = go(problem, &mut field, &mut *stepper, &mut x);
            black_box(x);
        });
        points.push(json!([tolerance, problem.error(&end), seconds, steps]));
    }
    Ok(json!({ "setup_s": setup, "wp": points }))
}

fn go(
    problem: &MotionProblem,
    field: &mut Field,
    stepper: &mut dyn Stepper<Field>,
    x: &mut [f64],
) -> Result<u64, DriveError> {
    let drive = Drive::new(0.0, problem.until).output(Output::Ends);
    let mut blind = |_: f64, _: &[f64]| ControlFlow::Continue(());
    let summary = drive.run(field, stepper, x, &mut [], &mut blind)?;
    Ok(summary.steps)
}

/// Nanoseconds per evaluation, one state at a time and four at a time, and of compilation.
fn right_hand_side(problem: &MotionProblem) -> Outcome {
    const ROUNDS: usize = 1000;
    let program = problem.program()?;
    let begun = processor_seconds();
    let optimized = program.optimized();
    let passes = processor_seconds() - begun;
    let four = Kernel::compile(&optimized, Lanes::Four, Backend::Best)?;
    let compiled = processor_seconds() - begun;
    let function = Function::new(program);
    let n = problem.state.len();
    let mut inputs = vec![0.1; 1 + n];
    inputs[1..].copy_from_slice(&problem.start);
    let mut rates = vec![0.0; n];
    let mut memory = function.memory();
    let single = per_call(BUDGET, || {
        for _ in 0..ROUNDS {
            inputs[1..].iter_mut().for_each(|x| *x += 1e-9);
            let _ = black_box(function.call(&inputs, &mut rates, &mut memory));
        }
    });
    let mut wide_inputs: Vec<f64> = inputs.iter().flat_map(|&x| [x; 4]).collect();
    let mut wide_rates = vec![0.0; 4 * n];
    let mut scratch = vec![0.0; four.scratch_len()];
    let batched = per_call(BUDGET, || {
        for _ in 0..ROUNDS {
            wide_inputs[4..].iter_mut().for_each(|x| *x += 1e-9);
            black_box(four.run(&wide_inputs, &mut wide_rates, &mut scratch));
        }
    });
    Ok(json!({
        "ops": optimized.ops.len(),
        "passes_s": passes,
        "compile_s": compiled,
        "rhs_ns": single / ROUNDS as f64 * 1e9,
        "batch_ns": batched / ROUNDS as f64 / 4.0 * 1e9,
    }))
}
