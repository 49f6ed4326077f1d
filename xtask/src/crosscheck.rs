//! The comparison of derived equations with SymPy's LagrangesMethod and KanesMethod.

use crate::{ChoreError, build, process, python};

/// Runs the comparison; returns how many states were compared.
pub fn sympy() -> Result<usize, ChoreError> {
    let python = python::environment("sympy", "scripts/crosscheck/requirements.txt")?;
    let binary = build::tested_program()?;
    let mut compared = 0;
    let mut command = process::command(
        &python.to_string_lossy(),
        &["scripts/crosscheck", &binary.to_string_lossy()],
    );
    process::watch(&mut command, |line| {
        if let Some(count) = line
            .strip_prefix("compared ")
            .and_then(|rest| rest.split(' ').next())
        {
            compared = count.parse().unwrap_or(0);
        }
    })?;
    Ok(compared)
}
