//! The cost of a variational step beside trep's.

use super::table::{markdown, significant};
use crate::{ChoreError, build, process};
use serde_json::Value;

/// trep 1.0.3 is for Python 2 and does not install any more. Links, microseconds of a step of its `MidpointVI`, and the
/// first two angles at the end, as they were measured once, on another machine: the ratios are rough.
const TREP: [(u64, f64, [f64; 2]); 4] = [
    (2, 27.87, [0.146_954_368_5, 0.100_551_762_2]),
    (4, 75.32, [0.458_203_348_2, 0.492_620_288_1]),
    (8, 265.80, [0.256_424_616_1, 0.281_727_660_0]),
    (16, 1780.76, [-0.433_154_638_9, -0.458_077_303_8]),
];

/// The same steps lead to the same angles up to this.
const SAME: f64 = 1e-6;

/// Measures and writes the section; the fastest run counts.
pub fn section(runs: usize) -> Result<String, ChoreError> {
    let binary = build::binary("rattleback-bench", "step-cost")?;
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut all = Vec::new();
    for _ in 0..runs.max(1) {
        let mut command = process::command(&binary.to_string_lossy(), &[]);
        let output = process::output(&mut command)?;
        let found: Value = serde_json::from_slice(&output.stdout)
            .map_err(|e| ChoreError::Unexpected(format!("step-cost: {e}")))?;
        all.push(found["chains"].as_array().cloned().unwrap_or_default());
    }
    for (k, (links, trep, angles)) in TREP.into_iter().enumerate() {
        let of_chain = all.iter().filter_map(|run| run.get(k));
        let time = |run: &Value| run["step_us"].as_f64().unwrap_or(f64::INFINITY);
        let best = of_chain.min_by(|a, b| time(a).total_cmp(&time(b)));
        let best = best.filter(|run| run["links"] == links).ok_or_else(|| {
            ChoreError::Unexpected(format!("step-cost tells nothing of {links} links"))
        })?;
        rows.push(row(best, links, trep, angles)?);
    }
    Ok(markdown(
        &[
            "links",
            "trep's time over ours",
            "our step [µs]",
            "residual and Jacobian [µs]",
            "Newton's iterations",
            "step over their product",
        ],
        &rows,
    ))
}

fn row(run: &Value, links: u64, trep: f64, angles: [f64; 2]) -> Result<Vec<String>, ChoreError> {
    let number = |key: &str| run[key].as_f64().unwrap_or(f64::NAN);
    for (k, angle) in angles.into_iter().enumerate() {
        let ours = run["angles"][k].as_f64().unwrap_or(f64::NAN);
        // Not a number is not the same either.
        let is_same = (ours - angle).abs() <= SAME;
        if !is_same {
            return Err(ChoreError::Unexpected(format!(
                "{links} links: angle {} is {ours} with our steps and {angle} with trep's",
                k + 1
            )));
        }
    }
    Ok(vec![
        links.to_string(),
        significant(trep / number("step_us")),
        significant(number("step_us")),
        significant(number("equations_us")),
        format!("{:.1}", number("iterations")),
        significant(number("ratio")),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn another_motion_is_no_comparison() {
        let run = |angle: f64| json!({ "step_us": 0.5, "equations_us": 0.1, "iterations": 2.0, "ratio": 2.5, "angles": [angle, 0.1] });
        let row = |angle: f64| row(&run(angle), 2, 25.0, [0.2, 0.1]);
        assert_eq!(row(0.2).unwrap()[..3], ["2", "50", "0.50"]);
        assert!(row(0.21).is_err());
        assert!(row(f64::NAN).is_err());
    }
}
