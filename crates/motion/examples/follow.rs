//! Measures the motion of a model file, beside other tools or to count instructions; prints one line of JSON.
//!
//! usage: `follow MODEL data`: start, horizon, names and the right-hand side in C and Python for other tools;
//! `follow MODEL motion REFERENCE [METHOD]`: one motion as `simulate` follows it, as points [tolerance, error, seconds,
//! steps, seconds of compilation] and what was chosen at each; REFERENCE is the state at the end as a list, or `[]`;
//! `follow MODEL crowd FOLDER [METHOD]`: members from the states in FOLDER/starts to FOLDER/ends (64-bit numbers);
//! `follow MODEL rates`: nanoseconds of one right-hand side, alone and in four lanes;
//! `follow MODEL once TOLERANCE COUNT [METHOD]`: one motion again and again.

use rattleback_compile::Tables;
use rattleback_compile::program::Program;
use rattleback_export::{Export, Routine, Target, Variable, export};
use rattleback_language::{Model, Source, parse};
use rattleback_mechanics::{Problem, Varied};
use rattleback_motion::ensemble::{Axis, AxisValues, Ensemble, Members};
use rattleback_motion::simulation::{Options, Recurrences, Simulation};
use rattleback_native::{Backend, Function, Kernel, Lanes};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};
use std::error::Error;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Seconds that a measurement may take per batch.
const BUDGET: f64 = 0.02;
/// States in the loops over right-hand sides: they fit into the nearest cache.
const STATES: usize = 64;
/// How often they are worked through.
const ROUNDS: usize = 20;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let line = match words[..] {
        [model, "data"] => data(&problem(model)?)?,
        [model, "motion", reference] => motion(&problem(model)?, reference, None)?,
        [model, "motion", reference, method] => motion(&problem(model)?, reference, Some(method))?,
        [model, "crowd", folder] => crowd(&read(model)?, Path::new(folder), None)?,
        [model, "crowd", folder, method] => crowd(&read(model)?, Path::new(folder), Some(method))?,
        [model, "rates"] => rates(&problem(model)?)?,
        [model, "once", tolerance, count] => once(&problem(model)?, tolerance, count, None)?,
        [model, "once", tolerance, count, method] => {
            once(&problem(model)?, tolerance, count, Some(method))?
        }
        _ => return Err("MODEL data|motion|crowd|rates|once …".into()),
    };
    println!("{line}");
    Ok(())
}

fn read(path: &str) -> Outcome<Model> {
    let text = std::fs::read_to_string(path)?;
    let model = parse(&Source::new(path, &text)).model;
    Ok(model.ok_or("the model has mistakes")?)
}

fn problem(path: &str) -> Outcome<Problem> {
    Ok(Problem::from_model(&read(path)?)?)
}

fn options(tolerance: f64, method: Option<&str>) -> Outcome<Options> {
    Ok(Options {
        rtol: tolerance,
        atol: tolerance,
        method: method.map(str::parse).transpose()?,
        ..Options::default()
    })
}

fn simulation(problem: &Problem, tolerance: f64, method: Option<&str>) -> Outcome<Simulation> {
    let options = options(tolerance, method)?;
    let made = Simulation::new(problem, &problem.system, &options, Vec::new())?;
    Ok(made)
}

/// Follows it once; the state at the end, and the steps.
fn go(simulation: &mut Simulation) -> Outcome<(Vec<f64>, u64)> {
    let never = AtomicBool::new(false);
    let found = simulation.run(&never, &mut |_| ControlFlow::Continue(()))?;
    if let Some(failure) = found.failure {
        return Err(failure.into());
    }
    let n = simulation.start.len();
    Ok((found.row[1..=n].to_vec(), found.steps))
}

/// Processor time of this process: other programs on the machine do not count.
fn clock() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Seconds per call: the best of three batches.
fn per_call(mut call: impl FnMut()) -> f64 {
    let begun = clock();
    call();
    let once = clock() - begun;
    let count = (BUDGET / once.max(1e-7)).clamp(1.0, 1e6) as usize;
    (0..3).fold(once, |best, _| {
        let begun = clock();
        (0..count).for_each(|_| call());
        best.min((clock() - begun) / count as f64)
    })
}

/// max |x_i − ref_i| / (1 + |ref_i|)
fn error(found: &[f64], reference: &[f64]) -> f64 {
    let pairs = found.iter().zip(reference);
    pairs.fold(0.0, |m, (x, r)| {
        f64::max(m, (x - r).abs() / (1.0 + r.abs()))
    })
}

/// Work and precision at tolerances by half decades.
fn motion(problem: &Problem, reference: &str, method: Option<&str>) -> Outcome<Value> {
    let reference: Vec<f64> = serde_json::from_str(reference)?;
    let (mut points, mut methods) = (Vec::new(), Vec::new());
    for k in 10..28 {
        let tolerance = 10f64.powf(-f64::from(k) / 2.0);
        let begun = clock();
        let mut followed = simulation(problem, tolerance, method)?;
        let setup = clock() - begun;
        let Ok((end, steps)) = go(&mut followed) else {
            continue;
        };
        let seconds = per_call(|| {
            // The first run has shown that it succeeds.
            let _ = black_box(go(&mut followed));
        });
        points.push(json!([
            tolerance,
            error(&end, &reference),
            seconds,
            steps,
            setup
        ]));
        methods.push(followed.method.to_string());
    }
    Ok(json!({ "points": points, "methods": methods }))
}

fn once(problem: &Problem, tolerance: &str, count: &str, method: Option<&str>) -> Outcome<Value> {
    let mut followed = simulation(problem, tolerance.parse()?, method)?;
    let (mut end, mut steps) = (Vec::new(), 0);
    let begun = clock();
    let count: usize = count.parse()?;
    for _ in 0..count {
        (end, steps) = go(&mut followed)?;
    }
    let seconds = (clock() - begun) / count as f64;
    let program = followed.motion.rates()?;
    let tolerance = followed.options.tolerance();
    let series = Recurrences::of(&program, tolerance).ok();
    let order = |s: &Recurrences| s.policy.order();
    Ok(json!({
        "order": series.as_ref().map(order),
        "series_cost": series.as_ref().map(Recurrences::step_cost),
        "rates_cost": program.optimized().cost(),
        "method": followed.method.to_string(),
        "reason": followed.reason,
        "steps": steps,
        "microseconds": seconds * 1e6,
        "end": end,
    }))
}

/// Members that differ in their starts, four at a time on one thread.
fn crowd(model: &Model, folder: &Path, method: Option<&str>) -> Outcome<Value> {
    let problem = &Problem::from_model(model)?;
    let begun = simulation(problem, 1e-9, None)?;
    let n = begun.start.len();
    let (starts, ends) = (
        numbers(&folder.join("starts"))?,
        numbers(&folder.join("ends"))?,
    );
    // The first component that differs is what is varied.
    let varied = (0..n).find(|&i| starts[i] != starts[n + i]);
    let varied = varied.ok_or("all members are the same")?;
    let name = begun.motion.state[varied].to_string();
    let values: Vec<f64> = starts.iter().skip(varied).step_by(n).copied().collect();
    let what = Varied::named(model, &name)?;
    let mut points = Vec::new();
    for k in 12..26 {
        let tolerance = 10f64.powf(-f64::from(k) / 2.0);
        let axis = Axis {
            name: name.clone(),
            values: AxisValues::List(values.clone()),
        };
        let members = Members::new(vec![axis], Vec::new(), 1, 0)?;
        let options = options(tolerance, method)?;
        let ensemble = Ensemble::new(
            problem,
            &problem.system,
            &options,
            members,
            std::slice::from_ref(&what),
            vec![],
        )?;
        let (mut found, mut best) = (Vec::new(), f64::INFINITY);
        for _ in 0..3 {
            found.clear();
            let (never, progress) = (AtomicBool::new(false), AtomicUsize::new(0));
            let begun = clock();
            ensemble.run(0, Some(1), &never, &progress, &mut |member| {
                found.extend_from_slice(&member.row[1..=n]);
            });
            best = best.min(clock() - begun);
        }
        points.push(json!([tolerance, error(&found, &ends), best, 0, 0]));
    }
    Ok(json!({ "points": points }))
}

fn numbers(path: &Path) -> Outcome<Vec<f64>> {
    let bytes = std::fs::read(path)?;
    let words = bytes.chunks_exact(8);
    Ok(words
        .map(|w| f64::from_le_bytes(w.try_into().unwrap_or_default()))
        .collect())
}

/// Nanoseconds per evaluation in a loop over states close to the start.
fn rates(problem: &Problem) -> Outcome<Value> {
    let made = simulation(problem, 1e-9, Some("dop853"))?;
    let (program, start, n) = (made.motion.rates()?, made.start.clone(), made.start.len());
    let optimized = program.optimized();
    let four = Kernel::compile(&optimized, Lanes::Four, Backend::Best)?;
    let function = Function::new(program);
    let states: Vec<Vec<f64>> = (0..STATES)
        .map(|k| {
            let moved = |x: &f64| x + 1e-4 * k as f64 / STATES as f64;
            std::iter::once(0.1)
                .chain(start.iter().map(moved))
                .collect()
        })
        .collect();
    let inputs = states.concat();
    let (mut memory, mut outputs) = (function.memory(), vec![0.0; STATES * n]);
    let single = per_call(|| {
        for _ in 0..ROUNDS {
            let pairs = inputs.chunks_exact(1 + n).zip(outputs.chunks_exact_mut(n));
            for (x, rates) in pairs {
                let _ = black_box(function.call(x, rates, &mut memory));
            }
        }
    });
    let wide: Vec<f64> = states
        .chunks_exact(4)
        .flat_map(|four| (0..=n).flat_map(move |i| (0..4).map(move |l| four[l][i])))
        .collect();
    let mut scratch = vec![0.0; four.scratch_len()];
    let batched = per_call(|| {
        for _ in 0..ROUNDS {
            let pairs = wide
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

fn data(problem: &Problem) -> Outcome<Value> {
    let made = simulation(problem, 1e-9, None)?;
    let program = made.motion.rates()?;
    let names: Vec<String> = made.motion.state.iter().map(ToString::to_string).collect();
    Ok(json!({
        "names": names,
        "form": made.motion.form.to_string(),
        "start": made.start,
        "until": made.until,
        "c": source(&made, &program, Target::C),
        "python": source(&made, &program, Target::Python),
    }))
}

/// The program that we compile: `rates` of a state.
fn source(made: &Simulation, program: &Program, target: Target) -> String {
    let pairs = made.motion.state.iter().zip(&made.start);
    let state: Vec<Variable> = pairs
        .map(|(symbol, &value)| Variable {
            name: symbol.to_string(),
            value,
            note: None,
        })
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
    export(&motion, target)
}
