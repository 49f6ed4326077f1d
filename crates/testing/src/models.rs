//! The shipped models.

use std::path::{Path, PathBuf};

/// The folder that they are in.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

/// The file of one of them.
pub fn path(name: &str) -> PathBuf {
    folder().join(format!("{name}.mech"))
}

/// The text of one of them.
///
/// # Panics
/// Where there is no such model.
pub fn text(name: &str) -> String {
    std::fs::read_to_string(path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// All of them by name, sorted.
///
/// # Panics
/// Where there are hardly any: a test over none of them would say nothing.
pub fn names() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).expect("the models are beside the crates");
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let models = paths.filter(|path| path.extension().is_some_and(|e| e == "mech"));
    let mut names: Vec<String> = models
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    assert!(names.len() > 25, "few models in {}", folder().display());
    names
}

/// Those with a Lagrangian; models of states alone have none.
pub fn with_lagrangian() -> Vec<String> {
    let begins = |line: &str| {
        ["lagrangian ", "kinetic "]
            .iter()
            .any(|w| line.starts_with(w))
    };
    let mut names = names();
    names.retain(|name| text(name).lines().any(begins));
    names
}

/// The files of all of them, sorted.
pub fn paths() -> Vec<PathBuf> {
    names().iter().map(|name| path(name)).collect()
}
