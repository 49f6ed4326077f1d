//! Optimal control: the direct route beside CasADi with IPOPT and FATROP, and how it grows with the nodes.

use super::rival::Programs;
use super::table::{DASH, markdown, number, ratio, significant};
use crate::{ChoreError, build, process, root};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// What is solved, where its model is, and the path that rivals start from where that is not the straight one.
const PROBLEMS: [(&str, &str, &str); 5] = [
    ("cart_pole_swing_up", "models", ""),
    (
        "sleigh_parking",
        "models",
        "guess x = 0.3*sin(pi*t/2), y = t/4, theta = 0.5*sin(pi*t/4)\n",
    ),
    (
        "snakeboard_transfer",
        "models",
        "guess x = t/8, theta = 0.2*sin(pi*t/4), psi = 0.5*sin(pi*t/2), phi = 0.5*sin(pi*t/4)\n",
    ),
    ("underactuated_rigid_body", "models", ""),
    ("chain", "xtask/src/peers", ""),
];
const INTERVALS: [usize; 2] = [100, 1000];
/// How far the cart-pole goes.
const GROWING: [usize; 4] = [100, 1000, 10_000, 100_000];

/// One solve.
#[derive(Clone, Copy, Default)]
struct Solve {
    total: Option<f64>,
    solve: Option<f64>,
    iterations: Option<f64>,
    cost: Option<f64>,
}

impl Solve {
    fn of(value: &Value, names: [&str; 4]) -> Self {
        let [total, solve, iterations, cost] = names.map(|name| value[name].as_f64());
        Self {
            total,
            solve,
            iterations,
            cost,
        }
    }

    fn faster(self, other: Self) -> Self {
        match (self.total, other.total) {
            (Some(a), Some(b)) if b < a => other,
            (None, Some(_)) => other,
            _ => self,
        }
    }
}

/// Measures and writes the section.
pub fn section(programs: &Programs, runs: usize) -> Result<String, ChoreError> {
    let binary = build::binary("rattleback-cli", "rattleback")?;
    let mut rows = Vec::new();
    for (name, place, guess) in PROBLEMS {
        let model = &posed(name, place, guess)?;
        for n in INTERVALS {
            eprintln!("control: {name} with {n} intervals");
            let mut best = [Solve::default(); 3];
            for _ in 0..runs.max(1) {
                let all = [
                    ours(programs, &binary, model, n)?,
                    rival(programs, "ipopt", name, n)?,
                    rival(programs, "fatrop", name, n)?,
                ];
                for (best, new) in best.iter_mut().zip(all) {
                    *best = best.faster(new);
                }
            }
            rows.push(row(name, n, best));
        }
    }
    let head = [
        "problem",
        "N",
        "IPOPT, total",
        "IPOPT, solve",
        "FATROP, total",
        "FATROP, solve",
        "ours, total [s]",
        "ours, solve [s]",
        "iterations: IPOPT, FATROP, ours",
        "cost: IPOPT, FATROP, ours",
    ];
    let beside = markdown(&head, &rows);
    Ok(format!("{beside}\n{}", growth(programs, &binary)?))
}

/// The model of a problem with the first path, beside the other files of the comparison.
fn posed(name: &str, place: &str, guess: &str) -> Result<String, ChoreError> {
    let from = root().join(place).join(format!("{name}.mech"));
    let text = std::fs::read_to_string(&from).map_err(ChoreError::file(&from))?;
    let to = folder()?.join(format!("{name}.mech"));
    std::fs::write(&to, text + guess).map_err(ChoreError::file(&to))?;
    Ok(to.to_string_lossy().into_owned())
}

/// Where files of the comparison are kept.
fn folder() -> Result<PathBuf, ChoreError> {
    let folder = root().join("target").join("peers");
    std::fs::create_dir_all(&folder).map_err(ChoreError::file(&folder))?;
    Ok(folder)
}

fn row(name: &str, n: usize, [ours, ipopt, fatrop]: [Solve; 3]) -> Vec<String> {
    let cost = |s: Solve| s.cost.map_or(DASH.into(), |c| format!("{c:.6}"));
    let all = |of: &dyn Fn(Solve) -> String| [ipopt, fatrop, ours].map(of).join(", ");
    let count = |s: Solve| s.iterations.map_or(DASH.into(), |i| format!("{i:.0}"));
    vec![
        name.replace('_', " "),
        n.to_string(),
        ratio(ipopt.total, ours.total),
        ratio(ipopt.solve, ours.solve),
        ratio(fatrop.total, ours.total),
        ratio(fatrop.solve, ours.solve),
        number(ours.total),
        number(ours.solve),
        all(&count),
        all(&cost),
    ]
}

/// Times, iterations and cost of one of our solves. The total is the processor time of the whole process; the program knows
/// its solve by the clock, of which the process had a share.
fn ours(programs: &Programs, binary: &Path, model: &str, n: usize) -> Result<Solve, ChoreError> {
    let (binary, count) = (binary.to_string_lossy(), n.to_string());
    let words = [
        &*binary, "control", model, "--nodes", &count, "--route", "direct", "--json",
    ];
    let missing = || ChoreError::Unexpected(format!("{model} with {n} intervals: no times"));
    let run = programs.script("spent.py", words[0], &words[1..])?;
    let run = run.ok_or_else(missing)?;
    let text = run["output"].as_str().unwrap_or_default();
    let found: Value =
        serde_json::from_str(text).map_err(|e| ChoreError::Unexpected(format!("{model}: {e}")))?;
    if found["status"] != "solved" {
        return Ok(Solve::default());
    }
    let total = run["cpu_s"].as_f64().ok_or_else(missing)?;
    let share = total / run["clock_s"].as_f64().ok_or_else(missing)?;
    let solve = Solve::of(&found, ["", "solve_seconds", "iterations", "cost"]);
    Ok(Solve {
        total: Some(total),
        solve: solve.solve.map(|clock| clock * share),
        ..solve
    })
}

fn rival(programs: &Programs, tool: &str, name: &str, n: usize) -> Result<Solve, ChoreError> {
    let found = programs.script("control.py", tool, &[name, &n.to_string()]);
    // A solver that the wheel lacks, or that gives up, is a dash.
    let found = found.ok().flatten().unwrap_or_default();
    let names = ["total_s", "solve_s", "iterations", "cost"];
    match found["solved"] == true {
        true => Ok(Solve::of(&found, names)),
        false => Ok(Solve::default()),
    }
}

/// The cart-pole on finer and finer meshes: time and memory.
fn growth(programs: &Programs, binary: &Path) -> Result<String, ChoreError> {
    let (name, place, guess) = PROBLEMS[0];
    let model = &posed(name, place, guess)?;
    let mut rows = Vec::new();
    for n in GROWING {
        eprintln!("control: the cart-pole with {n} intervals");
        let solve = ours(programs, binary, model, n)?;
        let per_node = solve.solve.map(|s| 1e6 * s / n as f64);
        rows.push(vec![
            n.to_string(),
            number(solve.solve),
            number(per_node),
            solve.iterations.map_or(DASH.into(), |i| format!("{i:.0}")),
            significant(peak(programs, binary, model, n)?),
        ]);
    }
    let head = [
        "intervals",
        "solve [s]",
        "per interval [us]",
        "iterations",
        "peak memory [MB]",
    ];
    Ok(markdown(&head, &rows))
}

fn peak(programs: &Programs, binary: &Path, model: &str, n: usize) -> Result<f64, ChoreError> {
    let file = folder()?.join("path.csv");
    let (binary, path) = (binary.to_string_lossy(), file.to_string_lossy());
    let count = n.to_string();
    let words = [
        "scripts/peers/peak.py",
        &binary,
        "control",
        model,
        "--nodes",
        &count,
        "--route",
        "direct",
        "-o",
        &path,
    ];
    let python = programs.python().to_string_lossy();
    let output = process::output(&mut process::command(&python, &words))?;
    // A file that is not there has nothing to be removed.
    let _ = std::fs::remove_file(&file);
    let text = String::from_utf8_lossy(&output.stdout);
    let kib: f64 = text.trim().parse().map_err(|_| {
        let why = String::from_utf8_lossy(&output.stderr);
        ChoreError::Unexpected(format!("{model} with {n} intervals: {why}"))
    })?;
    Ok(kib / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rivals_stand_over_ours_and_what_is_missing_is_a_dash() {
        let solve = |total: f64, cost: f64| Solve {
            total: Some(total),
            solve: Some(total / 2.0),
            iterations: Some(9.0),
            cost: Some(cost),
        };
        let best = solve(2.0, 1.0)
            .faster(solve(1.0, 1.5))
            .faster(Solve::default());
        let cells = row("a_b", 100, [best, solve(10.0, 2.0), Solve::default()]);
        let wanted = ["a b", "100", "10", "10", DASH, DASH, "1.0", "0.50"];
        assert_eq!(cells[..8], wanted.map(String::from));
        assert_eq!(cells[8], format!("9, {DASH}, 9"));
        assert_eq!(cells[9], format!("2.000000, {DASH}, 1.500000"));
    }
}
