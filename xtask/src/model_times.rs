//! Wall time of `rattleback derive` on every shipped model, start-up included.

use crate::{ChoreError, build, process, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What a person should wait at most, in milliseconds.
pub const TARGET_MS: f64 = 50.0;

/// The shipped models, by name.
pub fn models() -> Result<Vec<PathBuf>, ChoreError> {
    let folder = root().join("models");
    let mut models: Vec<PathBuf> = fs::read_dir(&folder)
        .map_err(ChoreError::file(&folder))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "mech"))
        .collect();
    models.sort();
    Ok(models)
}

/// The shortest of several runs on each model, in milliseconds, slowest model first.
pub fn measure(runs: usize) -> Result<Vec<(String, f64)>, ChoreError> {
    let binary = build::binary("rattleback-cli", "rattleback")?;
    let mut times = Vec::new();
    for path in models()? {
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let mut best = f64::INFINITY;
        for _ in 0..runs.max(1) {
            best = best.min(derive_once(&binary, &path)?);
        }
        times.push((name, best));
    }
    times.sort_by(|a, b| b.1.total_cmp(&a.1));
    Ok(times)
}

fn derive_once(binary: &Path, model: &Path) -> Result<f64, ChoreError> {
    let model = model.to_string_lossy();
    let mut command = process::command(&binary.to_string_lossy(), &["derive", &model]);
    let start = Instant::now();
    let output = process::output(&mut command)?;
    let elapsed = start.elapsed().as_secs_f64() * 1e3;
    if output.status.success() {
        Ok(elapsed)
    } else {
        Err(ChoreError::Unexpected(
            String::from_utf8_lossy(&output.stderr).into_owned(),
        ))
    }
}

/// The measurements as a Markdown table.
pub fn table(runs: usize) -> Result<String, ChoreError> {
    Ok(markdown(&measure(runs)?))
}

/// Times beside their share of the target.
pub fn markdown(times: &[(String, f64)]) -> String {
    let mut page =
        String::from("| model | share of 50 ms | wall time [ms] |\n| --- | ---: | ---: |\n");
    for (name, ms) in times {
        page += &format!("| {name} | {:.2} | {ms:.1} |\n", ms / TARGET_MS);
    }
    page
}
