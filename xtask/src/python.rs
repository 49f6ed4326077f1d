//! Virtual environments for the Python scripts, made once and kept under `target/`.

use crate::{ChoreError, process, root};
use std::fs;
use std::path::PathBuf;

/// The interpreter of an environment with all that `requirements` (a path from the root) lists.
///
/// The environment is made anew only when the list has changed.
pub fn environment(name: &str, requirements: &str) -> Result<PathBuf, ChoreError> {
    let wanted_path = root().join(requirements);
    let wanted = fs::read_to_string(&wanted_path).map_err(ChoreError::file(&wanted_path))?;
    let folder = root().join("target").join("python").join(name);
    let python = folder.join("bin").join("python");
    let stamp = folder.join("installed.txt");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    let folder_text = folder.to_string_lossy();
    process::run(&mut process::command(
        "python3",
        &["-m", "venv", "--clear", &folder_text],
    ))?;
    let interpreter = python.to_string_lossy();
    let install = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--requirement",
        requirements,
    ];
    process::run(&mut process::command(&interpreter, &install))?;
    fs::write(&stamp, wanted).map_err(ChoreError::file(&stamp))?;
    Ok(python)
}
