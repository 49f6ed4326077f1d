//! Running the program as a user does.
#![allow(dead_code)] // Each test file uses its own part.

pub mod following;
pub mod random;
pub mod readback;
pub mod tables;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a run left behind.
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Run {
    /// Asserts the exit code, showing both streams if it differs.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(
            self.code, code,
            "stdout:\n{}\nstderr:\n{}",
            self.out, self.err
        );
        self
    }

    /// Asserts that standard error has each of these texts.
    #[track_caller]
    pub fn says(self, texts: &[&str]) -> Self {
        for text in texts {
            assert!(self.err.contains(text), "no `{text}` in:\n{}", self.err);
        }
        self
    }

    /// Standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out)
            .unwrap_or_else(|e| panic!("{e} in:\n{}\n{}", self.out, self.err))
    }
}

/// Runs the program.
pub fn rattleback<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_rattleback"))
        .args(arguments)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

/// The folder of the shipped models.
pub fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

/// A shipped model.
pub fn shipped(name: &str) -> String {
    models().join(format!("{name}.mech")).display().to_string()
}

/// Every shipped model with a Lagrangian by name, sorted; models of states alone have none.
pub fn all_shipped() -> Vec<String> {
    let has_lagrangian = |name: &String| {
        let text = std::fs::read_to_string(shipped(name)).unwrap();
        let words = ["lagrangian ", "kinetic "];
        text.lines()
            .any(|line| words.iter().any(|w| line.starts_with(w)))
    };
    let names: Vec<String> = all_files().into_iter().filter(has_lagrangian).collect();
    assert!(names.len() > 20, "few models in {}", models().display());
    names
}

/// Every shipped model by name, sorted.
pub fn all_files() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(models())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "mech"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

/// An empty folder of its own for a test.
pub fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// A model file with this text, in a folder of its own.
pub fn written(test: &str, text: impl AsRef<[u8]>) -> String {
    let path = folder(test).join("model.mech");
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// `derive --json` of a model in a form, which must succeed.
#[track_caller]
pub fn derived(model: &str, form: Option<&str>, more: &[&str]) -> Value {
    let form = form.map_or(vec![], |f| vec!["--form", f]);
    let arguments = ["derive", model, "--json"]
        .into_iter()
        .chain(form)
        .chain(more.iter().copied());
    rattleback(arguments).exits(0).json()
}

/// Asserts that a number is what it should be, to a relative 1e-11.
#[track_caller]
pub fn close(what: &str, found: &Value, expected: f64) {
    let number = found
        .as_f64()
        .unwrap_or_else(|| panic!("{what} is {found}"));
    let error = (number - expected).abs();
    assert!(
        error <= 1e-11 * expected.abs().max(1.0),
        "{what} is {number}, not {expected}"
    );
}

/// Asserts numbers by name: `["x'", "y'"]` of an object are these.
#[track_caller]
pub fn all_close(object: &Value, names: &[&str], expected: &[f64]) {
    assert_eq!(names.len(), expected.len());
    for (name, value) in names.iter().zip(expected) {
        close(name, &object[*name], *value);
    }
}
