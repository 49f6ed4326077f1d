//! Building a binary of the workspace and finding it.

use crate::{ChoreError, process};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Builds one binary in release and returns its path.
pub fn binary(package: &str, name: &str) -> Result<PathBuf, ChoreError> {
    binary_with(package, name, &["--release"], |_| ())
}

/// The program as its tests run it: beside them nothing has to be built once more, as `cargo build` would with the features
/// that dependencies have without the tests.
pub fn tested_program() -> Result<PathBuf, ChoreError> {
    let arguments = ["test", "--workspace", "--test", "program", "--no-run"];
    executable(process::cargo(&arguments), "rattleback")
}

/// Builds one example in release and returns its path.
pub fn example(package: &str, name: &str) -> Result<PathBuf, ChoreError> {
    let arguments = [
        "build",
        "--release",
        "--package",
        package,
        "--example",
        name,
    ];
    executable(process::cargo(&arguments), name)
}

/// Builds one binary with more options and a prepared command, and returns its path.
pub fn binary_with(
    package: &str,
    name: &str,
    options: &[&str],
    prepare: impl FnOnce(&mut Command),
) -> Result<PathBuf, ChoreError> {
    let mut arguments = vec!["build", "--package", package, "--bin", name];
    arguments.extend_from_slice(options);
    let mut cargo = process::cargo(&arguments);
    prepare(&mut cargo);
    executable(cargo, name)
}

/// Runs a build and finds what it made.
fn executable(mut cargo: Command, name: &str) -> Result<PathBuf, ChoreError> {
    cargo.arg("--message-format=json-render-diagnostics");
    let output = process::output(cargo.stderr(Stdio::inherit()))?;
    if !output.status.success() {
        return Err(ChoreError::Failed {
            program: process::shown(&cargo),
            status: output.status.to_string(),
        });
    }
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["target"]["name"] == name)
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .ok_or_else(|| ChoreError::Unexpected(format!("cargo built no executable `{name}`")))
}
