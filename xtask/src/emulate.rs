//! Tests and the program itself on processors that this machine does not have.
//!
//! An aarch64, and an x86-64 without AVX2 and fused multiplications: both get their code from Cranelift.

use crate::{ChoreError, alike, build, process, suite};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A processor, and what it takes to build for it and to play it.
struct Processor {
    name: &'static str,
    triple: &'static str,
    /// The linker with the place of the other processor's libraries, where this machine's do not serve.
    linker: Option<(&'static str, &'static str)>,
    emulator: &'static str,
    arguments: &'static [&'static str],
}

const PROCESSORS: [Processor; 2] = [
    Processor {
        name: "an aarch64",
        triple: "aarch64-unknown-linux-gnu",
        linker: Some(("aarch64-linux-gnu-gcc", "/usr/aarch64-linux-gnu")),
        emulator: "qemu-aarch64",
        arguments: &["-L", "/usr/aarch64-linux-gnu"],
    },
    Processor {
        name: "an x86-64 without AVX2",
        triple: "x86_64-unknown-linux-gnu",
        linker: None,
        emulator: "qemu-x86_64",
        arguments: &["-cpu", "Nehalem"],
    },
];

/// The crates in which the processor matters.
const CRATES: [&str; 3] = [
    "rattleback-native",
    "rattleback-compile",
    "rattleback-integrate",
];

/// What the program does on every processor.
const COMMANDS: [&str; 7] = [
    "simulate models/snakeboard.mech --method taylor",
    "simulate models/rattleback.mech --until 2",
    "simulate models/pendulum_chain.mech --until 1",
    "simulate models/heavy_top.mech --until 1 --method gauss4",
    "ensemble models/chaplygin_sleigh.mech --vary m=0.5:2:7",
    "ensemble models/rolling_disk.mech --vary m=1:2:5 --method dop853",
    "export models/rolling_disk.mech --to c",
];

/// Runs everything; returns how many tests and comparisons passed.
pub fn processors() -> Result<usize, ChoreError> {
    if !cfg!(target_arch = "x86_64") {
        let message =
            "only an x86-64 emulates others here; `cargo xtask test` tests this processor";
        return Err(ChoreError::Unexpected(message.into()));
    }
    let missing: Vec<String> = PROCESSORS.iter().flat_map(Processor::missing).collect();
    if !missing.is_empty() {
        let message = format!("not everything is installed:\n  {}", missing.join("\n  "));
        return Err(ChoreError::Unexpected(message));
    }
    let here = build::tested_program()?;
    let mut passed = 0;
    for processor in &PROCESSORS {
        println!("\n== {}", processor.name);
        passed += processor.tests()? + processor.program(&here)?;
    }
    Ok(passed)
}

impl Processor {
    /// What has to be installed first, and how.
    fn missing(&self) -> Vec<String> {
        let mut missing = Vec::new();
        if !has_library(self.triple) {
            missing.push(format!("rustup target add {}", self.triple));
        }
        if let Some((linker, libraries)) = self.linker
            && !(starts(linker) && Path::new(libraries).is_dir())
        {
            missing.push(format!(
                "{linker}: on Debian, apt install gcc-aarch64-linux-gnu"
            ));
        }
        if !starts(self.emulator) {
            missing.push(format!(
                "{}: on Debian, apt install qemu-user",
                self.emulator
            ));
        }
        missing
    }

    /// The option that says what to build for.
    fn target(&self) -> Vec<&'static str> {
        match self.linker {
            Some(_) => vec!["--target", self.triple],
            None => Vec::new(),
        }
    }

    /// Tells cargo how to link and run.
    fn prepare(&self, cargo: &mut Command) {
        let triple = self.triple.to_uppercase().replace('-', "_");
        let runner = format!("{} {}", self.emulator, self.arguments.join(" "));
        cargo.env(format!("CARGO_TARGET_{triple}_RUNNER"), runner);
        if let Some((linker, _)) = self.linker {
            cargo.env(format!("CARGO_TARGET_{triple}_LINKER"), linker);
        }
    }

    fn tests(&self) -> Result<usize, ChoreError> {
        let mut arguments = vec!["test", "--no-fail-fast"];
        arguments.extend(self.target());
        arguments.extend(CRATES.iter().flat_map(|name| ["--package", name]));
        let mut cargo = process::cargo(&arguments);
        self.prepare(&mut cargo);
        let mut passed = 0;
        process::watch(&mut cargo, |line| {
            passed += suite::counts(line).map_or(0, |(passed, _)| passed);
        })?;
        Ok(passed)
    }

    /// Holds what the program prints against what it prints on this processor.
    fn program(&self, here: &Path) -> Result<usize, ChoreError> {
        let there = self.binary(here)?;
        for command in COMMANDS {
            println!("rattleback {command}");
            let words: Vec<&str> = command.split(' ').collect();
            let expected = printed(process::command(&here.to_string_lossy(), &words))?;
            let mut emulated = process::command(self.emulator, self.arguments);
            let found = printed(emulated.arg(&there).args(words))?;
            if let Some((one, two)) = difference(&expected, &found) {
                return Err(ChoreError::Unexpected(format!(
                    "`rattleback {command}` prints here\n  {one}\nand on {}\n  {two}",
                    self.name
                )));
            }
        }
        Ok(COMMANDS.len())
    }

    fn binary(&self, here: &Path) -> Result<PathBuf, ChoreError> {
        let target = self.target();
        if target.is_empty() {
            return Ok(here.to_path_buf());
        }
        build::binary_with("rattleback-cli", "rattleback", &target, |cargo| {
            self.prepare(cargo)
        })
    }
}

fn starts(program: &str) -> bool {
    process::output(&mut process::command(program, &["--version"])).is_ok()
}

/// Is the standard library of this target installed?
fn has_library(triple: &str) -> bool {
    let arguments = ["--print", "target-libdir", "--target", triple];
    let output = process::output(&mut process::command("rustc", &arguments));
    output.is_ok_and(|output| {
        let place = String::from_utf8_lossy(&output.stdout);
        output.status.success() && Path::new(place.trim()).is_dir()
    })
}

/// The standard output of a command that succeeds.
fn printed(mut command: impl std::borrow::BorrowMut<Command>) -> Result<String, ChoreError> {
    let command = command.borrow_mut();
    let output = process::output(command)?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    Err(ChoreError::Failed {
        program: process::shown(command),
        status: output.status.to_string(),
    })
}

/// The first lines that do not say the same.
fn difference<'a>(one: &'a str, two: &'a str) -> Option<(&'a str, &'a str)> {
    let (mut one, mut two) = (one.lines(), two.lines());
    loop {
        let (a, b) = (one.next(), two.next());
        if a.is_none() && b.is_none() {
            return None;
        }
        let (a, b) = (a.unwrap_or("(nothing)"), b.unwrap_or("(nothing)"));
        if !alike::alike(a, b) {
            return Some((a, b));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_differ_where_a_line_does() {
        assert_eq!(difference("a\nx = 1.0\n", "a\nx = 1.0000000000001\n"), None);
        assert_eq!(difference("a\nx = 1", "a\nx = 2"), Some(("x = 1", "x = 2")));
        assert_eq!(difference("a", "a\nb"), Some(("(nothing)", "b")));
    }
}
