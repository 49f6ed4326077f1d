//! Whole trajectories at matched errors.

use super::ours::{METHODS, Ours};
use super::precision::{Point, Precision};
use super::rival::Programs;
use super::table::{DASH, markdown, ratio, significant};
use crate::ChoreError;

/// The compared motions.
pub const PROBLEMS: [&str; 9] = [
    "pendulum2",
    "pendulum4",
    "pendulum8",
    "sleigh",
    "sleigh_forced",
    "disk",
    "snakeboard",
    "chaplygin_ball",
    "trailers3",
];

/// The errors at which times are compared.
const TARGETS: [f64; 3] = [1e-6, 1e-9, 1e-11];

/// A rival: its name in the script and on the page.
const RIVALS: [(&str, &str); 4] = [
    ("heyoka", "heyoka"),
    ("heyoka-compact", "heyoka, compact"),
    ("numbalsoda", "numbalsoda DOP853"),
    ("gcc-rk4", "gcc RK4"),
];

/// heyoka compiles unrolled code for this one for minutes: one run tells enough.
const SLOW: (&str, &str) = ("heyoka", "pendulum8");
/// Compact mode is for these: elsewhere unrolled code is better in every way.
const COMPACT: [&str; 2] = ["pendulum4", "pendulum8"];

/// All that was measured of one motion.
#[derive(Default)]
struct Row {
    problem: &'static str,
    ours: Ours,
    rivals: [Option<Precision>; RIVALS.len()],
}

/// Measures and writes the section; `patient` waits for compilations of minutes.
pub fn section(programs: &Programs, runs: usize, patient: bool) -> Result<String, ChoreError> {
    let mut rows = Vec::new();
    for problem in PROBLEMS {
        rows.push(measure(programs, problem, runs, patient)?);
    }
    Ok(text(&rows))
}

/// All tools in turn, so that a busy moment hits all of them.
fn measure(
    programs: &Programs,
    problem: &'static str,
    runs: usize,
    patient: bool,
) -> Result<Row, ChoreError> {
    let data = programs.ours(problem, "data")?;
    let mut row = Row {
        problem,
        ..Row::default()
    };
    row.ours.loose = data["loose"].as_f64().unwrap_or(0.0);
    let data = data.to_string();
    for run in 0..runs.max(1) {
        for (best, method) in row.ours.points.iter_mut().zip(METHODS) {
            eprintln!("{problem}: ours, {method} ({}/{runs})", run + 1);
            let found = Precision::of(&programs.ours(problem, method)?["points"]);
            *best = found.or_faster(best);
        }
        for (best, (tool, _)) in row.rivals.iter_mut().zip(RIVALS) {
            let is_slow = (tool, problem) == SLOW;
            let is_idle = tool == "heyoka-compact" && !COMPACT.contains(&problem);
            if is_idle || (is_slow && (run > 0 || !patient)) {
                continue;
            }
            eprintln!("{problem}: {tool} ({}/{runs})", run + 1);
            let Some(value) = programs.script("simulate.py", tool, &[problem, &data])? else {
                continue;
            };
            let found = Precision::of(&value["points"]);
            *best = Some(match best.take() {
                Some(old) => old.or_faster(&found),
                None => found,
            });
        }
    }
    Ok(row)
}

impl Row {
    fn rival(&self, k: usize, target: f64, time: fn(&Point) -> f64) -> Option<f64> {
        Some(time(&self.rivals[k].as_ref()?.at(target)?))
    }
}

fn text(rows: &[Row]) -> String {
    let after = table(rows, |p| p.seconds);
    let with = table(rows, Point::total);
    format!(
        "After compilation:\n\n{after}\nWith compilation, from expressions to the end state:\n\n{with}"
    )
}

/// Rivals over what our default method takes, and how much our faster method would gain.
fn table(rows: &[Row], time: fn(&Point) -> f64) -> String {
    let mut head = vec!["problem, error"];
    head.extend(RIVALS.iter().map(|(_, title)| *title));
    head.extend([
        "the best of them",
        "ours [µs]",
        "our method",
        "the faster of ours",
    ]);
    let mut cells = Vec::new();
    for row in rows {
        for target in TARGETS {
            let default = row.ours.by_default(target, time);
            let ours = default.map(|(_, seconds)| seconds);
            let rivals: Vec<Option<f64>> = (0..RIVALS.len())
                .map(|k| row.rival(k, target, time))
                .collect();
            let best = rivals.iter().flatten().copied().min_by(f64::total_cmp);
            let faster = row.ours.faster(target, time).map(|(name, seconds)| {
                let gain = ours.map_or(String::new(), |o| {
                    format!(" ({})", significant(seconds / o))
                });
                format!("{name}{gain}")
            });
            let mut line = vec![format!("{}, {target:.0e}", row.problem)];
            line.extend(rivals.iter().map(|rival| ratio(*rival, ours)));
            line.push(ratio(best, ours));
            line.push(ours.map_or(DASH.into(), |s| significant(s * 1e6)));
            line.push(default.map_or(DASH, |(name, _)| name).into());
            line.push(faster.unwrap_or(DASH.into()));
            cells.push(line);
        }
    }
    markdown(&head, &cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn flat(seconds: f64, setup: f64) -> Precision {
        Precision::of(&json!([[1e-6, 1e-12, seconds, 0, setup]]))
    }

    fn row() -> Row {
        Row {
            problem: "p",
            ours: Ours {
                loose: 1e-5,
                points: [flat(2e-6, 1e-3), flat(1e-6, 1e-3)],
            },
            rivals: [Some(flat(3e-6, 0.1)), None, Some(flat(8e-6, 0.2)), None],
        }
    }

    #[test]
    fn rivals_stand_over_the_default_and_the_faster_method_beside() {
        let table = table(&[row()], |p| p.seconds);
        let last = table.lines().last().unwrap();
        assert_eq!(
            last,
            "| p, 1e-11 | 1.5 | – | 4.0 | – | 1.5 | 2.0 | taylor | dop853 (0.50) |"
        );
    }

    #[test]
    fn compilation_counts_where_it_should() {
        let table = table(&[row()], Point::total);
        assert!(
            table
                .lines()
                .last()
                .unwrap()
                .starts_with("| p, 1e-11 | 100 |"),
            "{table}"
        );
    }
}
