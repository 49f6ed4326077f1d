//! Peak memory: it must not grow with the number of rows or members.

use super::rival::Programs;
use super::table::{markdown, significant};
use crate::{ChoreError, build, process, root};
use std::fs;

/// What is run, with how many rows; the file comes last.
const CASES: [(&str, &[&str], &str); 7] = [
    (
        "`simulate`, 10,000 rows of CSV",
        &["simulate", MODEL, "--until", "1000", "--step", "0.1", "-o"],
        "rows.csv",
    ),
    (
        "`simulate`, 1,000,000 rows of CSV",
        &[
            "simulate", MODEL, "--until", "1000", "--step", "0.001", "-o",
        ],
        "rows.csv",
    ),
    (
        "`simulate`, 10,000 rows of Parquet",
        &["simulate", MODEL, "--until", "1000", "--step", "0.1", "-o"],
        "rows.parquet",
    ),
    (
        "`simulate`, 1,000,000 rows of Parquet",
        &[
            "simulate", MODEL, "--until", "1000", "--step", "0.001", "-o",
        ],
        "rows.parquet",
    ),
    (
        "`simulate`, 10,000,000 rows of Parquet",
        &[
            "simulate", MODEL, "--until", "1000", "--step", "0.0001", "-o",
        ],
        "rows.parquet",
    ),
    (
        "`ensemble`, 10,000 members to Parquet",
        &[
            "ensemble", MODEL, "--until", "0.1", "--sample", SAMPLE, "-n", "10000", "-o",
        ],
        "members.parquet",
    ),
    (
        "`ensemble`, 1,000,000 members to Parquet",
        &[
            "ensemble", MODEL, "--until", "0.1", "--sample", SAMPLE, "-n", "1000000", "-o",
        ],
        "members.parquet",
    ),
];
const MODEL: &str = "models/knife_edge.mech";
const SAMPLE: &str = "phi'~uniform(0.5,1.5)";

/// Measures and writes the section.
pub fn section(programs: &Programs) -> Result<String, ChoreError> {
    let binary = build::binary("rattleback-cli", "rattleback")?;
    let folder = root().join("target").join("peers");
    fs::create_dir_all(&folder).map_err(ChoreError::file(&folder))?;
    let mut rows = Vec::new();
    for (what, arguments, name) in CASES {
        eprintln!("memory: {what}");
        let file = folder.join(name);
        let (binary, path) = (binary.to_string_lossy(), file.to_string_lossy());
        let words = [&["scripts/peers/peak.py", &binary], arguments, &[&path]].concat();
        let python = programs.python().to_string_lossy();
        let output = process::output(&mut process::command(&python, &words))?;
        // A file that is not there has nothing to be removed.
        let _ = fs::remove_file(&file);
        let text = String::from_utf8_lossy(&output.stdout);
        let kib: f64 = text.trim().parse().map_err(|_| {
            let why = String::from_utf8_lossy(&output.stderr);
            ChoreError::Unexpected(format!("{what}: {why}"))
        })?;
        rows.push(vec![what.to_string(), significant(kib / 1024.0)]);
    }
    Ok(markdown(&["what is written", "peak memory [MB]"], &rows))
}
