//! The whole test suite: every step runs, whatever the others say, and a summary ends it.

use crate::{ChoreError, crosscheck, docs, process};
use std::time::Instant;

/// What a step found: how many checks passed and failed.
struct Outcome {
    passed: usize,
    failed: usize,
    message: Option<String>,
}

type Step = (&'static str, fn() -> Outcome);

/// In the order in which mistakes are cheapest to find.
const STEPS: &[Step] = &[
    ("format", || {
        one(process::run(&mut process::cargo(&[
            "fmt", "--all", "--check",
        ])))
    }),
    ("lints", || {
        one(process::run(&mut process::cargo(&[
            "clippy",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ])))
    }),
    ("engine for LaTeX", || one(latex_engine())),
    ("tests", cargo_test),
    ("reference pages", || {
        one(process::run(
            process::cargo(&["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"),
        ))
    }),
    ("documentation examples", || many(docs::examples(true))),
    ("cross-check with SymPy", || many(crosscheck::sympy())),
];

/// Runs all steps and prints the summary; true if nothing failed.
pub fn run() -> bool {
    let results: Vec<(&str, Outcome, f64)> = STEPS
        .iter()
        .map(|(name, step)| {
            println!("\n== {name}");
            let start = Instant::now();
            let outcome = step();
            if let Some(message) = &outcome.message {
                eprintln!("{message}");
            }
            (*name, outcome, start.elapsed().as_secs_f64())
        })
        .collect();
    println!();
    for (name, outcome, seconds) in &results {
        let verdict = if outcome.failed == 0 { "ok" } else { "FAILED" };
        println!(
            "{verdict:>6}  {name}: {} passed, {} failed ({seconds:.0} s)",
            outcome.passed, outcome.failed
        );
    }
    let total =
        |count: fn(&Outcome) -> usize| results.iter().map(|(_, o, _)| count(o)).sum::<usize>();
    let failed = total(|o| o.failed);
    println!("{} passed, {failed} failed", total(|o| o.passed));
    failed == 0
}

/// Installs pdflatex where it is missing and Debian's packages can be had; the tests that need it say aloud that they are
/// skipped where it cannot be.
fn latex_engine() -> Result<(), ChoreError> {
    if process::output(&mut process::command("pdflatex", &["--version"])).is_ok() {
        return Ok(());
    }
    let packages = [
        "install",
        "-y",
        "--no-install-recommends",
        "texlive-latex-base",
    ];
    if let Err(e) = process::run(&mut process::command("apt-get", &packages)) {
        println!("SKIPPED: no pdflatex, and it cannot be installed ({e})");
    }
    Ok(())
}

fn one(result: Result<(), ChoreError>) -> Outcome {
    many(result.map(|()| 1))
}

fn many(result: Result<usize, ChoreError>) -> Outcome {
    match result {
        Ok(passed) => Outcome {
            passed,
            failed: 0,
            message: None,
        },
        Err(e) => Outcome {
            passed: 0,
            failed: 1,
            message: Some(e.to_string()),
        },
    }
}

/// Unit, property, integration and documentation tests of every crate.
fn cargo_test() -> Outcome {
    let (mut passed, mut failed) = (0, 0);
    let result = process::watch(
        &mut process::cargo(&["test", "--workspace", "--no-fail-fast"]),
        |line| {
            let (more_passed, more_failed) = counts(line).unwrap_or_default();
            passed += more_passed;
            failed += more_failed;
        },
    );
    match result {
        Ok(()) => Outcome {
            passed,
            failed,
            message: None,
        },
        // A crate that does not compile has no test result of its own.
        Err(e) => Outcome {
            passed,
            failed: failed.max(1),
            message: Some(e.to_string()),
        },
    }
}

/// How many tests passed and failed, where a line says so.
pub(crate) fn counts(line: &str) -> Option<(usize, usize)> {
    let line = line.strip_prefix("test result: ")?;
    Some((count(line, "passed"), count(line, "failed")))
}

/// The number before a word in `ok. 12 passed; 0 failed; …`.
fn count(line: &str, word: &str) -> usize {
    line.split([';', '.'])
        .filter_map(|part| part.trim().strip_suffix(word))
        .find_map(|number| number.trim().parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_results_are_counted() {
        let line = "test result: FAILED. 12 passed; 3 failed; 0 ignored; 0 measured; 1 filtered out; finished in 0.05s";
        assert_eq!(counts(line), Some((12, 3)));
    }
}
