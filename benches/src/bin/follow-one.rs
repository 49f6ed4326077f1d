//! Measures one motion in one way and prints one line of JSON about it.
//!
//! usage: `follow-one PROBLEM WHAT`, WHAT one of
//! taylor, dop853: work and precision, as points [tolerance, error, seconds, steps, seconds of
//! compilation];
//! rates: nanoseconds of one right-hand side, alone and in four lanes;
//! series: nanoseconds of Taylor coefficients alone, by order;
//! compile: seconds of compilation;
//! data: start, horizon, reference and the right-hand side in C for the other tools, and where we
//! change the method.

use rattleback::simulation::{Choice, Field, Method, Recurrences};
use rattleback_bench::clock::{per_call, processor_seconds};
use rattleback_bench::command;
use rattleback_bench::motion::MotionProblem;
use rattleback_compile::Tables;
use rattleback_compile::program::Program;
use rattleback_compile::taylor::TaylorPlan;
use rattleback_export::{Export, Routine, Target, Variable, export};
use rattleback_integrate::taylor::Taylor;
use rattleback_integrate::{Dop853, Drive, DriveError, Output, Stepper, Tolerance};
use rattleback_native::taylor::TaylorFunction;
use rattleback_native::{Backend, Function, Kernel, Lanes};
use rattleback_symbolic::Symbol;
use serde_json::{Value, json};
use std::hint::black_box;
use std::ops::ControlFlow;
use std::process::ExitCode;

/// Seconds that a measurement may take per batch.
const BUDGET: f64 = 0.02;
/// The tolerance of full precision.
const FULL: f64 = 2.3e-16;
/// States in the loops over right-hand sides: they fit into the nearest cache.
const STATES: usize = 64;

fn main() -> ExitCode {
    command::run(measure)
}

type Outcome = Result<Value, Box<dyn std::error::Error>>;

fn measure(arguments: &[String]) -> Outcome {
    let [name, what] = arguments else {
        return Err("usage: follow-one PROBLEM taylor|dop853|rates|series|compile|data".into());
    };
    let problem = MotionProblem::named(name).ok_or("no such problem")?;
    match what.as_str() {
        "taylor" => follow(&problem, Method::TAYLOR),
        "dop853" => follow(&problem, Method::DOP853),
        "rates" => rates(&problem),
        "series" => series(&problem),
        "compile" => compile(&problem),
        "data" => data(&problem),
        _ => Err("what? taylor, dop853, rates, series, compile or data".into()),
    }
}

/// 1e-4 to 1e-14.5 by half decades; the series go on to full precision.
fn tolerances(method: Method) -> Vec<f64> {
    let mut all: Vec<f64> = (8..30).map(|k| 10f64.powf(-f64::from(k) / 2.0)).collect();
    if method == Method::TAYLOR {
        all.push(FULL);
    }
    all
}

fn follow(problem: &MotionProblem, method: Method) -> Outcome {
    let points: Result<Vec<Value>, _> = tolerances(method)
        .into_iter()
        .map(|tolerance| point(problem, method, tolerance))
        .collect();
    Ok(json!({ "points": points? }))
}

/// Tolerance, error, seconds, steps, and the seconds from expressions to code.
fn point(problem: &MotionProblem, method: Method, tolerance: f64) -> Outcome {
    let n = problem.state.len();
    let both = Tolerance::both(tolerance);
    let begun = processor_seconds();
    let mut field = Field::of_program(problem.program()?, method, both, &[]);
    let setup = processor_seconds() - begun;
    let mut stepper: Box<dyn Stepper<Field>> = match method {
        Method::TAYLOR => Box::new(Taylor::with_policy(n, field.policy(both))),
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
    Ok(json!([
        tolerance,
        problem.error(&end),
        seconds,
        steps,
        setup
    ]))
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

/// Nanoseconds per evaluation in a loop over states close to the start.
fn rates(problem: &MotionProblem) -> Outcome {
    const ROUNDS: usize = 100;
    let (program, n) = (problem.program()?, problem.state.len());
    let optimized = program.optimized();
    let four = Kernel::compile(&optimized, Lanes::Four, Backend::Best)?;
    let function = Function::new(program);
    let states: Vec<Vec<f64>> = (0..STATES)
        .map(|k| {
            let moved = |x: &f64| x + 1e-4 * k as f64 / STATES as f64;
            std::iter::once(0.1)
                .chain(problem.start.iter().map(moved))
                .collect()
        })
        .collect();
    let mut memory = function.memory();
    let inputs = states.concat();
    let mut outputs = vec![0.0; STATES * n];
    let single = per_call(BUDGET, || {
        for _ in 0..ROUNDS {
            let pairs = inputs.chunks_exact(1 + n).zip(outputs.chunks_exact_mut(n));
            for (x, rates) in pairs {
                let _ = black_box(function.call(x, rates, &mut memory));
            }
        }
    });
    let wide_inputs: Vec<f64> = states
        .chunks_exact(4)
        .flat_map(|four| (0..=n).flat_map(move |i| (0..4).map(move |l| four[l][i])))
        .collect();
    let mut scratch = vec![0.0; four.scratch_len()];
    let batched = per_call(BUDGET, || {
        for _ in 0..ROUNDS {
            let pairs = wide_inputs
                .chunks_exact(4 * (1 + n))
                .zip(outputs.chunks_exact_mut(4 * n));
            for (x, rates) in pairs {
                black_box(four.run(x, rates, &mut scratch));
            }
        }
    });
    let nanoseconds = 1e9 / (ROUNDS * STATES) as f64;
    Ok(json!({
        "operations": optimized.ops.len(),
        "rhs_ns": single * nanoseconds,
        "batch_ns": batched * nanoseconds,
    }))
}

/// Nanoseconds of the coefficients alone, [order, one motion, four motions per motion]: the rest of a
/// step is the step size and the polynomial.
fn series(problem: &MotionProblem) -> Outcome {
    let (program, n) = (problem.program()?, problem.state.len());
    let mut rows = Vec::new();
    for order in [4, 8, 12, 16, 20, 24] {
        let mut row = vec![json!(order)];
        for lanes in [Lanes::One, Lanes::Four] {
            let function = TaylorFunction::new(TaylorPlan::new(&program)?, order, lanes);
            let (mut memory, width) = (function.memory(), lanes.count());
            let x: Vec<f64> = problem.start.iter().flat_map(|&x| vec![x; width]).collect();
            let (t, mut found) = (vec![0.1; width], vec![0.0; (order + 1) * n * width]);
            let seconds = per_call(BUDGET, || {
                let _ = black_box(function.jet(&mut memory, black_box(&t), &x, &mut found));
            });
            row.push(json!(seconds * 1e9 / width as f64));
        }
        rows.push(json!(row));
    }
    Ok(json!({ "series": rows }))
}

/// Seconds from expressions to the right-hand side, alone and in four lanes, and to the Taylor
/// stepper for full precision. The first of each is what a user waits for; the page keeps the best
/// of some processes.
fn compile(problem: &MotionProblem) -> Outcome {
    let timed = |make: &dyn Fn() -> Result<(), Box<dyn std::error::Error>>| -> Outcome {
        let begun = processor_seconds();
        make()?;
        Ok(json!(processor_seconds() - begun))
    };
    // What is loaded on demand does not count, for the other tools neither.
    let first = MotionProblem::named("sleigh").ok_or("no such problem")?;
    black_box(Function::new(first.program()?));
    let kernel = |lanes| {
        let program = problem.program()?.optimized();
        black_box(Kernel::compile(&program, lanes, Backend::Best)?);
        Ok(())
    };
    let series = || {
        let Recurrences { plan, policy, .. } =
            Recurrences::of(&problem.program()?, Tolerance::both(FULL))?;
        black_box(TaylorFunction::new(plan, policy.order(), Lanes::One));
        Ok(())
    };
    Ok(json!({
        "rates_s": timed(&|| kernel(Lanes::One))?,
        "four_s": timed(&|| kernel(Lanes::Four))?,
        "stepper_s": timed(&series)?,
    }))
}

/// What the other tools need to know, and the tolerance beyond which we prefer DOP853.
fn data(problem: &MotionProblem) -> Outcome {
    let program = problem.program()?;
    let follows_series = |tolerance: &f64| {
        let choice = Choice::for_rates(&program, Tolerance::both(*tolerance));
        choice.method == Method::TAYLOR
    };
    let loose = tolerances(Method::TAYLOR).into_iter().find(follows_series);
    Ok(json!({
        "start": problem.start,
        "until": problem.until,
        "reference": problem.reference,
        "loose": loose.unwrap_or(0.0),
        "source": source(problem, &program),
    }))
}

/// The program that we compile, in C: `motion_rates` of a `motion_state`.
fn source(problem: &MotionProblem, program: &Program) -> String {
    let variable = |(symbol, &value): (&Symbol, &f64)| Variable {
        name: symbol.to_string(),
        value,
        note: None,
    };
    let state: Vec<Variable> = problem
        .state
        .iter()
        .zip(&problem.start)
        .map(variable)
        .collect();
    let rates = Routine {
        name: "rates".into(),
        note: "The rates of the state.".into(),
        program: program.unrolled(),
        outputs: state.iter().map(|v| v.name.clone()).collect(),
    };
    let motion = Export {
        name: "motion".into(),
        notes: Vec::new(),
        state,
        parameters: Vec::new(),
        tables: Tables::default(),
        rates,
        functions: Vec::new(),
    };
    export(&motion, Target::C)
}
