//! Ensembles of ten thousand members at a matched error, and what a second thread gives.

use super::ours::{METHODS, Ours};
use super::precision::{Point, Precision};
use super::rival::{Programs, smaller};
use super::table::{markdown, number, ratio};
use crate::{ChoreError, root};
use serde_json::Value;
use std::fs;

const PROBLEMS: [&str; 5] = [
    "sleigh_forced",
    "pendulum2",
    "chaplygin_ball",
    "snakeboard",
    "trailers3",
];
/// The largest error of a member at which times are compared.
const TARGET: f64 = 1e-8;
const MEMBERS: f64 = 1e4;

/// What was measured of one problem.
#[derive(Default)]
struct Row {
    problem: &'static str,
    ours: Ours,
    heyoka: Precision,
    numbalsoda: Option<Precision>,
    wall_one: Option<f64>,
    wall_two: Option<f64>,
}

/// Measures and writes the section.
pub fn section(programs: &Programs, runs: usize) -> Result<String, ChoreError> {
    let folder = root().join("target").join("peers");
    fs::create_dir_all(&folder).map_err(ChoreError::file(&folder))?;
    let folder = folder.to_string_lossy();
    let mut rows = Vec::new();
    for problem in PROBLEMS {
        rows.push(measure(programs, problem, runs, &folder)?);
    }
    Ok(table(&rows))
}

fn measure(
    programs: &Programs,
    problem: &'static str,
    runs: usize,
    folder: &str,
) -> Result<Row, ChoreError> {
    let data = programs.ours(problem, "data")?;
    let start = data["start"].to_string();
    let arguments = [problem, &start, folder];
    programs.script("ensemble.py", "prepare", &arguments)?;
    let mut row = Row {
        problem,
        ..Row::default()
    };
    row.ours.loose = data["loose"].as_f64().unwrap_or(0.0);
    for run in 0..runs.max(1) {
        eprintln!("{problem}: ensemble ({}/{runs})", run + 1);
        for (method, best) in METHODS.into_iter().zip(&mut row.ours.points) {
            let found = programs.our_crowd(problem, method, folder)?;
            *best = points(&found).or_faster(best);
            if method == "taylor" {
                row.wall_one = smaller(row.wall_one, found["wall_one_s"].as_f64());
                row.wall_two = smaller(row.wall_two, found["wall_two_s"].as_f64());
            }
        }
        if let Some(found) = programs.script("ensemble.py", "heyoka", &arguments)? {
            row.heyoka = points(&found).or_faster(&row.heyoka);
        }
        if let Some(found) = programs.script("ensemble.py", "numbalsoda", &arguments)? {
            let old = row.numbalsoda.take().unwrap_or_default();
            row.numbalsoda = Some(points(&found).or_faster(&old));
        }
    }
    Ok(row)
}

fn points(value: &Value) -> Precision {
    Precision::of(&value["points"])
}

fn table(rows: &[Row]) -> String {
    let head = [
        "problem",
        "heyoka batch",
        "numbalsoda",
        "ours per member [µs]",
        "our method",
        "the faster of ours",
        "one thread over two",
    ];
    let seconds = |wp: &Precision| wp.at(TARGET).map(|p| p.seconds);
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let time = |p: &Point| p.seconds;
            let (method, ours) = row.ours.by_default(TARGET, time).unzip();
            let faster = row.ours.faster(TARGET, time).map(|(name, seconds)| {
                let share = ratio(Some(seconds), ours);
                format!("{name} ({share})")
            });
            vec![
                row.problem.to_string(),
                ratio(seconds(&row.heyoka), ours),
                ratio(row.numbalsoda.as_ref().and_then(seconds), ours),
                number(ours.map(|s| s * 1e6 / MEMBERS)),
                method.unwrap_or("–").to_string(),
                faster.unwrap_or_else(|| "–".into()),
                ratio(row.wall_one, row.wall_two),
            ]
        })
        .collect();
    markdown(&head, &rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn members_share_the_time() {
        let flat = |s: f64| Precision::of(&json!([[1e-8, 1e-9, s]]));
        let row = Row {
            problem: "p",
            ours: Ours {
                loose: 1e-5,
                points: [flat(0.05), flat(0.2)],
            },
            heyoka: flat(0.1),
            numbalsoda: None,
            wall_one: Some(0.06),
            wall_two: Some(0.03),
        };
        let table = table(&[row]);
        assert!(
            table.ends_with("| p | 2.0 | – | 5.0 | taylor | taylor (1.0) | 2.0 |\n"),
            "{table}"
        );
    }
}
