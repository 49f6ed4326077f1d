//! Compilation: from expressions to right-hand sides and Taylor steppers.

use super::rival::{Programs, smaller};
use super::table::{markdown, number, ratio};
use crate::ChoreError;

/// Problem, and whether heyoka's unrolled stepper is worth waiting for.
const CASES: [(&str, Unrolled); 5] = [
    ("snakeboard", Unrolled::Yes),
    ("pendulum2", Unrolled::Yes),
    ("pendulum4", Unrolled::Yes),
    // Minutes: one run tells enough.
    ("pendulum8", Unrolled::Once),
    ("pendulum16", Unrolled::No),
];

#[derive(Clone, Copy, PartialEq)]
enum Unrolled {
    Yes,
    Once,
    No,
}

/// Seconds.
#[derive(Clone, Copy, Default)]
struct Seconds {
    rates: Option<f64>,
    four: Option<f64>,
    stepper: Option<f64>,
    heyoka_rates: Option<f64>,
    heyoka_stepper: Option<f64>,
    heyoka_compact: Option<f64>,
}

/// Measures and writes the section; `patient` waits for compilations of minutes.
pub fn section(programs: &Programs, runs: usize, patient: bool) -> Result<String, ChoreError> {
    let mut rows = Vec::new();
    for (problem, unrolled) in CASES {
        let mut best = Seconds::default();
        for run in 0..runs.max(1) {
            eprintln!("{problem}: compilation");
            let unroll = match unrolled {
                Unrolled::Yes => true,
                Unrolled::Once => patient && run == 0,
                Unrolled::No => false,
            };
            best = faster(best, measure(programs, problem, unroll)?);
        }
        rows.push((problem, best));
    }
    Ok(table(&rows))
}

fn measure(programs: &Programs, problem: &str, unroll: bool) -> Result<Seconds, ChoreError> {
    let ours = programs.ours(problem, "compile")?;
    let data = programs.ours(problem, "data")?.to_string();
    let heyoka = |tool: &str| -> Result<Option<f64>, ChoreError> {
        let found = programs.script("simulate.py", tool, &[problem, &data])?;
        Ok(found.and_then(|value| value["compile_s"].as_f64()))
    };
    Ok(Seconds {
        rates: ours["rates_s"].as_f64(),
        four: ours["four_s"].as_f64(),
        stepper: ours["stepper_s"].as_f64(),
        heyoka_rates: heyoka("heyoka-rates")?,
        heyoka_compact: heyoka("heyoka-compact-stepper")?,
        heyoka_stepper: if unroll {
            heyoka("heyoka-stepper")?
        } else {
            None
        },
    })
}

fn faster(a: Seconds, b: Seconds) -> Seconds {
    Seconds {
        rates: smaller(a.rates, b.rates),
        four: smaller(a.four, b.four),
        stepper: smaller(a.stepper, b.stepper),
        heyoka_rates: smaller(a.heyoka_rates, b.heyoka_rates),
        heyoka_stepper: smaller(a.heyoka_stepper, b.heyoka_stepper),
        heyoka_compact: smaller(a.heyoka_compact, b.heyoka_compact),
    }
}

fn table(rows: &[(&str, Seconds)]) -> String {
    let head = [
        "problem",
        "heyoka `cfunc`",
        "ours, one and four lanes [ms]",
        "heyoka stepper, compact",
        "heyoka stepper, unrolled",
        "our stepper [ms]",
    ];
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|(problem, s)| {
            // heyoka compiles its function for one state and for four.
            let both = s.rates.zip(s.four).map(|(one, four)| one + four);
            vec![
                problem.to_string(),
                ratio(s.heyoka_rates, both),
                number(both.map(|s| s * 1e3)),
                ratio(s.heyoka_compact, s.stepper),
                ratio(s.heyoka_stepper, s.stepper),
                number(s.stepper.map(|s| s * 1e3)),
            ]
        })
        .collect();
    markdown(&head, &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_widths_count_for_the_right_hand_side() {
        let seconds = Seconds {
            rates: Some(1e-3),
            four: Some(1e-3),
            stepper: Some(5e-3),
            heyoka_rates: Some(0.02),
            heyoka_compact: Some(0.5),
            heyoka_stepper: None,
        };
        let table = table(&[("p", seconds)]);
        assert!(
            table.ends_with("| p | 10 | 2.0 | 100 | – | 5.0 |\n"),
            "{table}"
        );
    }
}
