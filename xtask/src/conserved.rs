//! What each method keeps on nonholonomic models: a table of measured errors for the documentation.

use crate::{ChoreError, build, process, root};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The models, each with a step.
const MODELS: [(&str, f64); 7] = [
    ("vertical_rolling_disk", 0.02),
    ("knife_edge", 0.02),
    ("chaplygin_sleigh", 0.02),
    ("snakeboard", 0.02),
    ("veselova", 0.02),
    ("chaplygin_ball", 0.02),
    ("rattleback", 0.002),
];

/// Methods with their further options.
const METHODS: [(&str, &[&str]); 7] = [
    ("variational-midpoint", &[]),
    ("variational-midpoint", &["--placement", "node"]),
    ("variational-trapezoid", &[]),
    ("variational-midpoint", &["--form", "hamel"]),
    ("variational-midpoint", &["--form", "chaplygin"]),
    ("chaplygin-symplectic", &[]),
    ("gauss4", &[]),
];

/// The energy is also looked at after this part of the steps: a drift shows.
const EARLY: u32 = 1000;

/// The page that holds the table, and the lines around it.
const PAGE: &str = "docs/what-methods-keep.md";
const BEGIN: &str = "<!-- measured -->";
const END: &str = "<!-- end -->";

/// One run.
struct Run {
    energy: f64,
    /// None where no constraints are left.
    constraints: Option<f64>,
    /// Of momenta that are proven conserved; none where there are none.
    momenta: Option<f64>,
    state: Vec<f64>,
    seconds: f64,
    steps: f64,
}

/// Why a run has no numbers.
enum Without {
    /// The method does not fit the model.
    Refused,
    /// The motion came to a place that the method does not pass, at a time and for a reason.
    Ended(String),
}

/// How the cells of a run begin that came to its end on the way.
const ENDS: &str = "ends ";

/// Measures and writes the table into its page; returns it. Energy and constraints are taken over `steps` steps, the order
/// over a hundred. Of the rows that the page has, `only_ends` measures those again that end on the way.
pub fn table(steps: u32, only_ends: bool) -> Result<String, ChoreError> {
    let binary = build::binary("rattleback-cli", "rattleback")?;
    let path = root().join(PAGE);
    let page = fs::read_to_string(&path).map_err(ChoreError::file(&path))?;
    let missing = || ChoreError::Unexpected(format!("{PAGE} has no lines {BEGIN} and {END}"));
    let (before, rest) = page.split_once(BEGIN).ok_or_else(missing)?;
    let (measured, after) = rest.split_once(END).ok_or_else(missing)?;
    let known = |begins: &str| measured.lines().find(|line| line.starts_with(begins));
    let mut rows = vec![
        "| model | method | energy error, early | in the end | constraint error | momentum error | order | µs per step |"
            .to_owned(),
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |".to_owned(),
    ];
    for (model, h) in MODELS {
        for (method, more) in METHODS {
            let begins = format!("| {model} | {} | ", [&[method], more].concat().join(" "));
            let known = known(&begins).filter(|_| only_ends);
            let stays = |row: &&str| !row[begins.len()..].starts_with(ENDS);
            rows.extend(match known {
                Some(row) if stays(&row) => Some(row.to_owned()),
                None if only_ends => None,
                // What does not fit a model has no row.
                _ => row(&binary, (model, h), (method, more), steps)
                    .map(|row| format!("{begins}{row} |")),
            });
        }
    }
    let table = rows.join("\n");
    let early = (steps / EARLY).max(1);
    let said = format!("{BEGIN}\nOver {steps} steps, early is after {early}:\n\n{table}\n{END}");
    fs::write(&path, format!("{before}{said}{after}")).map_err(ChoreError::file(&path))?;
    Ok(table)
}

fn row(
    binary: &Path,
    (model, h): (&str, f64),
    (method, more): (&str, &[&str]),
    steps: u32,
) -> Option<String> {
    let run = |steps: u32, h: f64| simulate(binary, model, method, more, f64::from(steps) * h, h);
    let both = run((steps / EARLY).max(1), h).and_then(|early| Ok((early, run(steps, h)?)));
    let (early, long) = match both {
        Ok(both) => both,
        Err(Without::Refused) => return None,
        Err(Without::Ended(how)) => return Some(format!("{ENDS}{how} | | | | | ")),
    };
    let ends: Result<Vec<Run>, Without> = [1, 2, 4]
        .into_iter()
        .map(|pieces| run(100 * pieces, h / f64::from(pieces)))
        .collect();
    let order = ends.ok().and_then(|ends| {
        let apart = |a: &Run, b: &Run| -> f64 {
            let pairs = a.state.iter().zip(&b.state);
            pairs.fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()))
        };
        let (coarse, fine) = (apart(&ends[0], &ends[1]), apart(&ends[1], &ends[2]));
        (fine > 1e-12).then(|| format!("{:.1}", (coarse / fine).log2()))
    });
    let told = |x: Option<f64>| x.map_or_else(|| "-".into(), |x| format!("{x:.1e}"));
    Some(format!(
        "{:.1e} | {:.1e} | {} | {} | {} | {:.1}",
        early.energy,
        long.energy,
        told(long.constraints),
        told(long.momenta),
        order.unwrap_or_else(|| "-".into()),
        1e6 * long.seconds / long.steps.max(1.0),
    ))
}

/// Runs `simulate`.
fn simulate(
    binary: &Path,
    model: &str,
    method: &str,
    more: &[&str],
    until: f64,
    h: f64,
) -> Result<Run, Without> {
    let (until, h, model) = (
        until.to_string(),
        h.to_string(),
        format!("models/{model}.mech"),
    );
    let mut arguments = vec!["simulate", &model, "--json", "--method", method];
    arguments.extend(["--until", &until, "--step", &h]);
    arguments.extend(more);
    let mut command = process::command(&binary.to_string_lossy(), &arguments);
    let output = process::output(&mut command).map_err(|_| Without::Refused)?;
    let found: Value = serde_json::from_slice(&output.stdout).map_err(|_| Without::Refused)?;
    match output.status.code() {
        Some(0) => {}
        Some(1) => return Err(Without::Ended(ending(&found))),
        _ => return Err(Without::Refused),
    }
    let number = |key: &str| found[key].as_f64().unwrap_or(f64::NAN);
    let state = found["final"].as_object().into_iter().flatten();
    Ok(Run {
        energy: number("max_energy_error"),
        constraints: found["max_constraint_residual"].as_f64(),
        momenta: kept(&found),
        state: state.filter_map(|(_, x)| x.as_f64()).collect(),
        seconds: number("wall_seconds"),
        steps: number("steps"),
    })
}

/// When a motion ended and why, in a few words: what its message says before it says where.
fn ending(found: &Value) -> String {
    let message = found["error"].as_str().unwrap_or_default();
    let why = ["\n", ";", " (", " inside the step", " at t ="];
    let why = why
        .into_iter()
        .fold(message, |text, end| text.split(end).next().unwrap_or(text));
    match found["t"].as_f64() {
        // Without the rounding of sums of steps.
        Some(t) => format!(
            "at t = {}: {}",
            (t * 1e6).round() / 1e6,
            why.trim_end_matches(',')
        ),
        None => why.into(),
    }
}

/// The largest change of a momentum that is proven conserved.
fn kept(found: &Value) -> Option<f64> {
    let names = found["conserved_momenta"].as_array()?.iter();
    let changes = names.filter_map(|n| found["max_momentum_change"][n.as_str()?].as_f64());
    changes.reduce(f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_end_has_a_time_and_a_reason() {
        let told = |error: &str| ending(&json!({"t": 1.3000000000000003, "error": error}));
        let long = "the step is too long (its equations have no solution) at t = 1.3; a rate is 4e4\n  help: none";
        assert_eq!(told(long), "at t = 1.3: the step is too long");
        let lost = "the constraints lose their rank inside the step that begins at t = 1.3";
        assert_eq!(told(lost), "at t = 1.3: the constraints lose their rank");
        let lost = "the constraints lose their rank, and with it what they determine, at t = 1.3; `cos(phi)` is 0";
        let told = told(lost);
        assert_eq!(
            told,
            "at t = 1.3: the constraints lose their rank, and with it what they determine"
        );
    }
}
