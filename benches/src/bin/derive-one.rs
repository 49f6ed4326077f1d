//! Derives one problem in a fresh process and prints one line of JSON about it.
//!
//! usage: `derive-one PROBLEM [SIZE] [STATE…]`; the accelerations are those at the given state (positions,
//! then velocities).

use rattleback_bench::clock::processor_seconds;
use rattleback_bench::{BenchError, Problem, command};
use rattleback_compile::Evaluator;
use std::process::ExitCode;

fn main() -> ExitCode {
    command::run(measure)
}

fn measure(arguments: &[String]) -> Result<serde_json::Value, BenchError> {
    let name = arguments.first().map_or("", String::as_str);
    let size = arguments.get(1).and_then(|s| s.parse().ok()).unwrap_or(0);
    let problem = Problem::named(name, size)?;
    let state: Vec<f64> = arguments
        .iter()
        .skip(2)
        .filter_map(|s| s.parse().ok())
        .collect();
    // A first small derivation, as the other tools have it.
    Problem::Pendulum(1).evaluator()?;
    let start = processor_seconds();
    let equations = problem.equations()?;
    let derived = processor_seconds() - start;
    let evaluator = Evaluator::new(&equations, &[])?;
    let evaluable = processor_seconds() - start;
    let accelerations = if state.len() == equations.state.len() {
        evaluator
            .at(0.0, &state, &[])?
            .rates
            .split_off(state.len() / 2)
    } else {
        Vec::new()
    };
    Ok(serde_json::json!({
        "version": env!("CARGO_PKG_VERSION"),
        "derive_s": derived,
        "evaluable_s": evaluable,
        "accelerations": accelerations,
        "peak_kib": peak_memory(),
    }))
}

/// The largest resident size so far in KiB, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}
