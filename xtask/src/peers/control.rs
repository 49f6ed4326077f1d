//! Optimal control: the direct route beside CasADi with IPOPT and FATROP, and how it grows with the nodes.

use super::rival::Programs;
use super::table::{DASH, markdown, number, ratio, significant};
use crate::{ChoreError, build, process, root};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// What is solved, and where its model is.
const PROBLEMS: [(&str, &str); 5] = [
    ("cart_pole_swing_up", "models/cart_pole_swing_up.mech"),
    ("sleigh_parking", "models/sleigh_parking.mech"),
    ("snakeboard_transfer", "models/snakeboard_transfer.mech"),
    (
        "underactuated_rigid_body",
        "models/underactuated_rigid_body.mech",
    ),
    ("chain", "xtask/src/peers/chain.mech"),
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
    for (name, model) in PROBLEMS {
        for n in INTERVALS {
            eprintln!("control: {name} with {n} intervals");
            let mut best = [Solve::default(); 3];
            for _ in 0..runs.max(1) {
                let all = [
                    ours(&binary, model, n)?,
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

/// Times, iterations and cost of one of our solves.
fn ours(binary: &Path, model: &str, n: usize) -> Result<Solve, ChoreError> {
    let count = n.to_string();
    let words = [
        "control", model, "--nodes", &count, "--route", "direct", "--json",
    ];
    let output = process::output(&mut process::command(&binary.to_string_lossy(), &words))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let found: Value =
        serde_json::from_str(&text).map_err(|e| ChoreError::Unexpected(format!("{model}: {e}")))?;
    let names = ["wall_seconds", "solve_seconds", "iterations", "cost"];
    match found["status"] == "solved" {
        true => Ok(Solve::of(&found, names)),
        false => Ok(Solve::default()),
    }
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
    let model = PROBLEMS[0].1;
    let mut rows = Vec::new();
    for n in GROWING {
        eprintln!("control: the cart-pole with {n} intervals");
        let solve = ours(binary, model, n)?;
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
    let folder = root().join("target").join("peers");
    std::fs::create_dir_all(&folder).map_err(ChoreError::file(&folder))?;
    let file: PathBuf = folder.join("path.csv");
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
