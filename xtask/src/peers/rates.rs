//! Right-hand sides: one state at a time beside gcc, four at a time beside heyoka.

use super::rival::{Programs, smaller};
use super::table::{markdown, ratio, significant};
use super::trajectories::PROBLEMS;
use crate::ChoreError;

/// Nanoseconds per state.
#[derive(Clone, Copy, Default)]
struct Nanoseconds {
    ours: Option<f64>,
    ours_batched: Option<f64>,
    /// The program that we compile.
    gcc: Option<f64>,
    /// The formulas as one would write them.
    gcc_formulas: Option<f64>,
    heyoka: Option<f64>,
}

/// Measures and writes the section.
pub fn section(programs: &Programs, runs: usize) -> Result<String, ChoreError> {
    let mut rows = Vec::new();
    for problem in PROBLEMS {
        let mut best = Nanoseconds::default();
        for _ in 0..runs.max(1) {
            eprintln!("{problem}: right-hand sides");
            best = faster(best, measure(programs, problem)?);
        }
        rows.push((problem, best));
    }
    Ok(table(&rows))
}

fn measure(programs: &Programs, problem: &str) -> Result<Nanoseconds, ChoreError> {
    let ours = programs.ours(problem, "rates")?;
    let data = programs.ours(problem, "data")?.to_string();
    let rival = |tool: &str, key: &str| -> Result<Option<f64>, ChoreError> {
        let found = programs.script("simulate.py", tool, &[problem, &data])?;
        Ok(found.and_then(|value| value[key].as_f64()))
    };
    Ok(Nanoseconds {
        ours: ours["rhs_ns"].as_f64(),
        ours_batched: ours["batch_ns"].as_f64(),
        gcc: rival("gcc-same", "rhs_ns")?,
        gcc_formulas: rival("gcc-rates", "rhs_ns")?,
        heyoka: rival("heyoka-rates", "batch_ns")?,
    })
}

fn faster(a: Nanoseconds, b: Nanoseconds) -> Nanoseconds {
    Nanoseconds {
        ours: smaller(a.ours, b.ours),
        ours_batched: smaller(a.ours_batched, b.ours_batched),
        gcc: smaller(a.gcc, b.gcc),
        gcc_formulas: smaller(a.gcc_formulas, b.gcc_formulas),
        heyoka: smaller(a.heyoka, b.heyoka),
    }
}

fn table(rows: &[(&str, Nanoseconds)]) -> String {
    let head = [
        "problem",
        "gcc, same program",
        "gcc, formulas by hand",
        "ours [ns]",
        "heyoka, four lanes",
        "ours per member [ns]",
    ];
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|(problem, ns)| {
            vec![
                problem.to_string(),
                ratio(ns.gcc, ns.ours),
                ratio(ns.gcc_formulas, ns.ours),
                significant(ns.ours.unwrap_or(f64::NAN)),
                ratio(ns.heyoka, ns.ours_batched),
                significant(ns.ours_batched.unwrap_or(f64::NAN)),
            ]
        })
        .collect();
    markdown(&head, &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rivals_stand_over_ours() {
        let ns = Nanoseconds {
            ours: Some(10.0),
            ours_batched: Some(4.0),
            gcc: Some(20.0),
            gcc_formulas: Some(30.0),
            heyoka: None,
        };
        let ns = faster(
            ns,
            Nanoseconds {
                gcc: Some(15.0),
                ..ns
            },
        );
        assert!(table(&[("p", ns)]).ends_with("| p | 1.5 | 3.0 | 10 | – | 4.0 |\n"));
    }
}
