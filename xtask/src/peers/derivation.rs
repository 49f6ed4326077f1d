//! Derivation of the equations: the same problems in one run, written up as ratios.

use super::table::{DASH, markdown, significant};
use crate::{ChoreError, build, process, python};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A compared tool: its name in the scripts, its name on the page, the longest chain worth waiting for.
struct Tool {
    name: &'static str,
    title: &'static str,
    longest: usize,
    once: bool,
}

const OURS: Tool = Tool {
    name: "rattleback",
    title: "Rattleback",
    longest: usize::MAX,
    once: false,
};
const RIVALS: [Tool; 4] = [
    Tool {
        name: "symengine",
        title: "SymEngine",
        longest: usize::MAX,
        once: false,
    },
    Tool {
        name: "casadi",
        title: "CasADi",
        longest: usize::MAX,
        once: false,
    },
    Tool {
        name: "heyoka",
        title: "heyoka",
        longest: 16,
        once: false,
    },
    // Minutes for the longest chain: one run tells enough.
    Tool {
        name: "sympy",
        title: "SymPy LagrangesMethod",
        longest: 16,
        once: true,
    },
];

/// Problem, size and number of coordinates.
const CASES: [(&str, usize, usize); 9] = [
    ("pendulum", 2, 2),
    ("pendulum", 4, 4),
    ("pendulum", 8, 8),
    ("pendulum", 16, 16),
    ("pendulum", 32, 32),
    ("trailers", 1, 4),
    ("trailers", 3, 6),
    ("trailers", 6, 9),
    ("snakeboard", 0, 5),
];

/// The fastest of some runs of one tool on one problem.
#[derive(Clone, Default)]
struct Measured {
    version: String,
    derive_ms: f64,
    evaluable_ms: f64,
    accelerations: Vec<f64>,
    peak_mb: f64,
}

/// Where the programs are.
struct Programs {
    python: PathBuf,
    ours: PathBuf,
}

/// Measures and writes the section.
pub fn section(runs: usize) -> Result<String, ChoreError> {
    let programs = Programs {
        python: python::environment("peers", "scripts/peers/requirements.txt")?,
        ours: build::binary("rattleback-bench", "derive-one")?,
    };
    let rows = CASES
        .iter()
        .map(|case| measure_case(&programs, case, runs))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(text(&rows))
}

type Row = (String, Measured, Vec<Option<Measured>>);

/// All tools on one problem, taking turns so that a busy moment hits all of them.
fn measure_case(
    programs: &Programs,
    &(problem, size, n): &(&str, usize, usize),
    runs: usize,
) -> Result<Row, ChoreError> {
    let label = if size > 0 {
        format!("{problem} {size}")
    } else {
        problem.to_string()
    };
    let mut best: Vec<Option<Measured>> = vec![None; 1 + RIVALS.len()];
    for run in 0..runs.max(1) {
        for (k, tool) in std::iter::once(&OURS).chain(&RIVALS).enumerate() {
            if (tool.once && run > 0) || size > tool.longest {
                continue;
            }
            eprintln!("{label}: {} ({}/{runs})", tool.title, run + 1);
            let Some(new) = measure(programs, tool, problem, size, n)? else {
                continue;
            };
            best[k] = Some(match best[k].take() {
                Some(old) => old.or_faster(new),
                None => new,
            });
        }
    }
    let mut best = best.into_iter();
    let ours = best
        .next()
        .flatten()
        .ok_or_else(|| ChoreError::Unexpected(format!("no measurement of {label}")))?;
    let rivals: Vec<_> = best.collect();
    agree(&label, &ours, &rivals)?;
    Ok((label, ours, rivals))
}

impl Measured {
    fn or_faster(self, new: Self) -> Self {
        Self {
            derive_ms: self.derive_ms.min(new.derive_ms),
            evaluable_ms: self.evaluable_ms.min(new.evaluable_ms),
            ..self
        }
    }
}

/// One run in a fresh process; `None` where the tool cannot treat the problem.
fn measure(
    programs: &Programs,
    tool: &Tool,
    problem: &str,
    size: usize,
    n: usize,
) -> Result<Option<Measured>, ChoreError> {
    let (program, mut arguments): (&Path, Vec<String>) = if tool.name == OURS.name {
        (&programs.ours, Vec::new())
    } else {
        (
            &programs.python,
            vec!["scripts/peers/derive.py".into(), tool.name.into()],
        )
    };
    arguments.extend([problem.into(), size.to_string()]);
    // Any state will do, as long as all tools get the same.
    arguments.extend((0..2 * n).map(|i| format!("{}", 0.1 + 0.8 * i as f64 / (2 * n - 1) as f64)));
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let output = process::output(&mut process::command(&program.to_string_lossy(), &words))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        if message.trim() == "no constraints" {
            return Ok(None);
        }
        return Err(ChoreError::Unexpected(format!(
            "{} on {problem} {size}: {message}",
            tool.title
        )));
    }
    let line = String::from_utf8_lossy(&output.stdout);
    let value: Value = serde_json::from_str(line.trim())
        .map_err(|e| ChoreError::Unexpected(format!("{}: {e}", tool.title)))?;
    Ok(Some(Measured {
        version: value["version"].as_str().unwrap_or_default().into(),
        derive_ms: milliseconds(&value["derive_s"]),
        evaluable_ms: milliseconds(&value["evaluable_s"]),
        accelerations: value["accelerations"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_f64)
            .collect(),
        peak_mb: value["peak_kib"].as_f64().unwrap_or(0.0) / 1024.0,
    }))
}

fn milliseconds(seconds: &Value) -> f64 {
    seconds.as_f64().unwrap_or(f64::NAN) * 1e3
}

/// A comparison of times is worth nothing unless the results are the same.
fn agree(label: &str, ours: &Measured, rivals: &[Option<Measured>]) -> Result<(), ChoreError> {
    for (tool, rival) in RIVALS.iter().zip(rivals) {
        let Some(rival) = rival else { continue };
        let same = rival.accelerations.len() == ours.accelerations.len()
            && ours
                .accelerations
                .iter()
                .zip(&rival.accelerations)
                .all(|(a, b)| (a - b).abs() <= 1e-8 * (1.0 + b.abs()));
        if !same {
            return Err(ChoreError::Unexpected(format!(
                "{label}: the accelerations differ from those of {}",
                tool.title
            )));
        }
    }
    Ok(())
}

fn text(rows: &[Row]) -> String {
    let versions: Vec<String> = RIVALS
        .iter()
        .enumerate()
        .filter_map(|(k, tool)| {
            let version = rows
                .iter()
                .find_map(|(_, _, rivals)| rivals[k].as_ref().map(|m| m.version.clone()))?;
            Some(format!("{} {version}", tool.title))
        })
        .collect();
    let peak = rows
        .iter()
        .map(|(_, ours, _)| ours.peak_mb)
        .fold(0.0, f64::max);
    include_str!("derivation.md.in")
        .replace("{{versions}}", &versions.join(", "))
        .replace("{{derive}}", &ratios(rows, |m| m.derive_ms))
        .replace("{{evaluable}}", &ratios(rows, |m| m.evaluable_ms))
        .replace("{{peak}}", &format!("{peak:.0}"))
}

/// Times of the rivals over ours, with our time beside.
fn ratios(rows: &[Row], time: fn(&Measured) -> f64) -> String {
    let mut head = vec!["problem"];
    head.extend(RIVALS.iter().map(|tool| tool.title));
    head.push("ours [ms]");
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|(label, ours, rivals)| {
            let mut line = vec![label.clone()];
            line.extend(rivals.iter().map(|rival| match rival {
                Some(rival) => significant(time(rival) / time(ours)),
                None => DASH.into(),
            }));
            line.push(format!("{:.2}", time(ours)));
            line
        })
        .collect();
    markdown(&head, &cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_accelerations_are_refused() {
        let one = |a: f64| Measured {
            accelerations: vec![a],
            ..Measured::default()
        };
        let rivals = |a: f64| vec![None, Some(one(a)), None, None];
        assert!(agree("p", &one(1.0), &rivals(1.0 + 1e-12)).is_ok());
        assert!(agree("p", &one(1.0), &rivals(1.1)).is_err());
    }
}
