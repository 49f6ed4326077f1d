//! Python interpreters for the scripts: one that has what they need, or a virtual environment that gets it.

use crate::{ChoreError, process, root};
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// Fails unless every pinned `name==version` of a requirements file is installed.
const PROBE: &str = "
import importlib.metadata, sys
for line in open(sys.argv[1]):
    name, version = line.strip().split('==')
    assert importlib.metadata.version(name) == version
";

/// An interpreter with all that `requirements` (a path from the root) pins.
///
/// The machine's own if it has everything; else one in an environment under `target/`, which is made
/// anew only when the list has changed.
pub fn environment(name: &str, requirements: &str) -> Result<PathBuf, ChoreError> {
    let system = PathBuf::from("python3");
    let folder = root().join("target").join("python").join(name);
    let own = folder.join("bin").join("python");
    if let Some(python) = [&system, &own]
        .into_iter()
        .find(|p| satisfies(p, requirements))
    {
        return Ok(python.clone());
    }
    let folder = folder.to_string_lossy();
    let make = ["-m", "venv", "--clear", &folder];
    process::run(&mut process::command("python3", &make))?;
    let install = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--requirement",
        requirements,
    ];
    process::run(&mut process::command(&own.to_string_lossy(), &install))?;
    Ok(own)
}

fn satisfies(python: &Path, requirements: &str) -> bool {
    let mut probe = process::command(&python.to_string_lossy(), &["-c", PROBE, requirements]);
    probe
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_installed_is_missing() {
        assert!(satisfies(
            Path::new("python3"),
            "xtask/tests/data/no_requirements.txt"
        ));
        assert!(!satisfies(
            Path::new("python3"),
            "xtask/tests/data/impossible_requirements.txt"
        ));
        assert!(!satisfies(
            Path::new("no-such-python"),
            "xtask/tests/data/no_requirements.txt"
        ));
    }
}
