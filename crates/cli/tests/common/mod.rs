//! Running the program as a user does.
#![allow(dead_code)] // A file that is not part of a test program may leave some of it unused.

pub mod following;
pub mod readback;
pub mod schema;
pub mod tables;

pub use rattleback_testing::models::{names as all_files, with_lagrangian as all_shipped};
pub use rattleback_testing::system as random;

use rattleback_testing::models;
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

    /// Asserts that standard output has each of these texts.
    #[track_caller]
    pub fn shows(self, texts: &[&str]) -> Self {
        for text in texts {
            assert!(self.out.contains(text), "no `{text}` in:\n{}", self.out);
        }
        self
    }

    /// Asserts that neither stream has any of these texts.
    #[track_caller]
    pub fn lacks(self, texts: &[&str]) -> Self {
        for text in texts {
            let told = self.out.contains(text) || self.err.contains(text);
            assert!(!told, "`{text}` in:\n{}\n{}", self.out, self.err);
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
        .env_remove("COLUMNS")
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

/// A shipped model.
pub fn shipped(name: &str) -> String {
    models::path(name).display().to_string()
}

/// Compares a text with the one kept under this name. After a deliberate change run with `INSTA_UPDATE=always` and
/// read the difference.
pub fn reads_as_before(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("../snapshots");
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// The sources of the crates with these names, without their tests.
pub fn sources(is_asked: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(&crates).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if is_asked(name) && path.join("src").is_dir() {
            sources_in(&path.join("src"), &mut found);
        }
    }
    found
}

fn sources_in(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => sources_in(&path, found),
            false if path.extension().is_some_and(|e| e == "rs") => found.push(path),
            false => {}
        }
    }
}

/// An empty folder of its own for a test of the calling file.
#[track_caller]
pub fn folder(test: &str) -> PathBuf {
    let file = Path::new(std::panic::Location::caller().file());
    let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(file.file_stem().unwrap())
        .join(test);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// A model file with this text, in a folder of its own.
#[track_caller]
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
