//! Running the measurements of motions: ours and those of the rivals, each in a fresh process.

use crate::{ChoreError, build, process, python};
use serde_json::Value;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

/// Where the programs are; what a section does not ask for is not built.
pub struct Programs {
    python: PathBuf,
    /// numbalsoda has to be built from source, which not every machine can.
    numbalsoda: OnceCell<Option<PathBuf>>,
    one: OnceCell<PathBuf>,
    many: OnceCell<PathBuf>,
}

impl Programs {
    /// Installs the rivals.
    pub fn new() -> Result<Self, ChoreError> {
        Ok(Self {
            python: python::environment("peers", "scripts/peers/requirements.txt")?,
            numbalsoda: OnceCell::new(),
            one: OnceCell::new(),
            many: OnceCell::new(),
        })
    }

    /// The interpreter that has numbalsoda, if it could be built.
    fn numbalsoda(&self) -> Option<&PathBuf> {
        let install = || {
            let made = python::environment("dop853", "scripts/peers/requirements-dop853.txt");
            made.inspect_err(|e| {
                eprintln!("numbalsoda is left out ({e}): it is built with cmake, a C++ and a Fortran compiler");
            })
            .ok()
        };
        self.numbalsoda.get_or_init(install).as_ref()
    }

    /// The interpreter of the scripts.
    pub fn python(&self) -> &Path {
        &self.python
    }

    /// Who is compared, for the page, and who could not be.
    pub fn versions(&self) -> Result<String, ChoreError> {
        let heyoka = pinned(
            include_str!("../../../scripts/peers/requirements.txt"),
            "heyoka",
        );
        let compiled = include_str!("../../../scripts/peers/requirements-dop853.txt");
        let numbalsoda = match self.numbalsoda() {
            Some(_) => format!("numbalsoda {}", pinned(compiled, "numbalsoda")),
            None => "numbalsoda could not be built here (it needs cmake and compilers for C++ and Fortran): a dash".into(),
        };
        let output = process::output(&mut process::command("gcc", &["-dumpfullversion"]))?;
        let gcc = String::from_utf8_lossy(&output.stdout);
        Ok(format!(
            "heyoka {heyoka}, gcc {}, {numbalsoda}.\n",
            gcc.trim()
        ))
    }

    /// `follow-one PROBLEM WHAT`.
    pub fn ours(&self, problem: &str, what: &str) -> Result<Value, ChoreError> {
        line(built(&self.one, "follow-one")?, &[problem, what])
    }

    /// `follow-many PROBLEM METHOD FOLDER`.
    pub fn our_crowd(
        &self,
        problem: &str,
        method: &str,
        folder: &str,
    ) -> Result<Value, ChoreError> {
        let program = built(&self.many, "follow-many")?;
        line(program, &[problem, method, folder])
    }

    /// A script with a tool; `None` where the tool is not there.
    pub fn script(
        &self,
        script: &str,
        tool: &str,
        arguments: &[&str],
    ) -> Result<Option<Value>, ChoreError> {
        let python = if tool == "numbalsoda" {
            self.numbalsoda()
        } else {
            Some(&self.python)
        };
        let Some(python) = python else {
            return Ok(None);
        };
        let path = format!("scripts/peers/{script}");
        let all = [&[path.as_str(), tool][..], arguments].concat();
        line(python, &all).map(Some)
    }
}

/// One of our programs, built when it is asked for first.
fn built<'c>(cell: &'c OnceCell<PathBuf>, name: &str) -> Result<&'c PathBuf, ChoreError> {
    if let Some(path) = cell.get() {
        return Ok(path);
    }
    let path = build::binary("rattleback-bench", name)?;
    Ok(cell.get_or_init(|| path))
}

/// The line of JSON that a program prints.
fn line(program: &Path, arguments: &[&str]) -> Result<Value, ChoreError> {
    let words: Vec<&str> = arguments.iter().copied().take(3).collect();
    let name = words.join(" ");
    let output = process::output(&mut process::command(&program.to_string_lossy(), arguments))?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        return Err(ChoreError::Unexpected(format!("{name}: {why}")));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().unwrap_or_default();
    serde_json::from_str(last).map_err(|e| ChoreError::Unexpected(format!("{name}: {e}")))
}

/// Who steers beside us.
pub fn casadi() -> String {
    let requirements = include_str!("../../../scripts/peers/requirements.txt");
    let version = pinned(requirements, "casadi");
    format!("CasADi {version} with the IPOPT (MUMPS) and FATROP of its wheel.\n")
}

/// Who linearises beside us.
pub fn linearizers() -> String {
    let requirements = include_str!("../../../scripts/peers/requirements.txt");
    let version = |name| pinned(requirements, name);
    format!(
        "SymPy {}, CasADi {}.\n",
        version("sympy"),
        version("casadi")
    )
}

/// The version of a package in a requirements file.
fn pinned<'a>(requirements: &'a str, package: &str) -> &'a str {
    let mut pins = requirements
        .lines()
        .filter_map(|line| line.split_once("=="));
    pins.find(|(name, _)| *name == package)
        .map_or("", |(_, version)| version.trim())
}

/// The smaller of two numbers of a measurement, where there are two.
pub fn smaller(old: Option<f64>, new: Option<f64>) -> Option<f64> {
    match (old, new) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_those_that_are_pinned() {
        assert_eq!(pinned("numba==1.2\nheyoka==7.13.2\n", "heyoka"), "7.13.2");
        assert_eq!(pinned("numba==1.2\n", "heyoka"), "");
    }

    #[test]
    fn of_two_measurements_the_smaller_counts() {
        assert_eq!(smaller(None, Some(2.0)), Some(2.0));
        assert_eq!(smaller(Some(1.0), Some(2.0)), Some(1.0));
        assert_eq!(smaller(None, None), None);
    }
}
