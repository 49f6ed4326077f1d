//! Wall time of `rattleback analyze` on every shipped model, with the topic that takes longest.

use super::table::{markdown, significant};
use crate::{ChoreError, build, model_times, process};
use serde_json::Value;
use std::path::Path;
use std::time::Instant;

/// What a person should wait at most, in seconds.
const TARGET: f64 = 2.0;

struct Analysis {
    model: String,
    seconds: f64,
    topic: String,
    topic_seconds: f64,
}

/// Measures and writes the section, the slowest model first.
pub fn section(runs: usize) -> Result<String, ChoreError> {
    let binary = build::binary("rattleback-cli", "rattleback")?;
    let mut all = Vec::new();
    for path in model_times::models()? {
        all.push(measured(&binary, &path, runs)?);
    }
    all.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    let rows: Vec<Vec<String>> = all.iter().map(row).collect();
    Ok(markdown(
        &[
            "model",
            "share of 2 s",
            "wall time [s]",
            "slowest topic",
            "alone [s]",
        ],
        &rows,
    ))
}

fn row(a: &Analysis) -> Vec<String> {
    vec![
        a.model.clone(),
        format!("{:.2}", a.seconds / TARGET),
        significant(a.seconds),
        a.topic.clone(),
        significant(a.topic_seconds),
    ]
}

fn measured(binary: &Path, path: &Path, runs: usize) -> Result<Analysis, ChoreError> {
    let model = path.file_stem().unwrap_or_default().to_string_lossy();
    eprintln!("analyze: {model}");
    let (seconds, page) = fastest(binary, path, None, runs)?;
    let mut slowest = (String::new(), 0.0);
    for topic in topics(&page) {
        let (seconds, _) = fastest(binary, path, Some(&topic), runs)?;
        if seconds > slowest.1 {
            slowest = (topic, seconds);
        }
    }
    Ok(Analysis {
        model: model.into_owned(),
        seconds,
        topic: slowest.0,
        topic_seconds: slowest.1,
    })
}

/// The topics of a page: its objects with a verdict.
fn topics(page: &str) -> Vec<String> {
    let page: Value = serde_json::from_str(page).unwrap_or_default();
    let with_verdict =
        |(name, topic): (&String, &Value)| topic.get("verdict").is_some().then(|| name.clone());
    page.as_object()
        .map(|all| all.iter().filter_map(with_verdict).collect())
        .unwrap_or_default()
}

/// The shortest of several runs, in seconds, and what it printed.
fn fastest(
    binary: &Path,
    model: &Path,
    topic: Option<&str>,
    runs: usize,
) -> Result<(f64, String), ChoreError> {
    let (binary, model) = (binary.to_string_lossy(), model.to_string_lossy());
    let mut words = vec!["analyze", &model, "--json"];
    if let Some(topic) = topic {
        words.extend(["--only", topic]);
    }
    let mut best = (f64::INFINITY, String::new());
    for _ in 0..runs.max(1) {
        let start = Instant::now();
        let output = process::output(&mut process::command(&binary, &words))?;
        let seconds = start.elapsed().as_secs_f64();
        if !output.status.success() {
            let why = String::from_utf8_lossy(&output.stderr);
            return Err(ChoreError::Unexpected(why.into_owned()));
        }
        if seconds < best.0 {
            best = (
                seconds,
                String::from_utf8_lossy(&output.stdout).into_owned(),
            );
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_are_what_has_a_verdict() {
        let page = r#"{"system": "s", "params": {"m": 1}, "measure": {"verdict": "proven"}}"#;
        assert_eq!(topics(page), ["measure"]);
        assert!(topics("no page").is_empty());
    }
}
