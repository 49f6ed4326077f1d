//! Running other programs from the root of the repository.

use crate::ChoreError;
use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};

/// A command that runs in the root of the repository.
pub fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(crate::root());
    // Pages are as wide in the documentation as where nobody says how wide.
    command.env_remove("COLUMNS");
    command
}

/// The cargo that started this program.
pub fn cargo(arguments: &[&str]) -> Command {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    command(&cargo, arguments)
}

/// The command line, for messages.
pub fn shown(command: &Command) -> String {
    let program = command.get_program().to_string_lossy();
    let name = program.rsplit('/').next().unwrap_or(&program).to_string();
    std::iter::once(name)
        .chain(command.get_args().map(|a| a.to_string_lossy().into_owned()))
        .collect::<Vec<_>>()
        .join(" ")
}

fn failed(command: &Command, status: std::process::ExitStatus) -> ChoreError {
    ChoreError::Failed {
        program: shown(command),
        status: status.to_string(),
    }
}

fn start_error(command: &Command) -> impl FnOnce(std::io::Error) -> ChoreError {
    let program = shown(command);
    move |source| ChoreError::Start { program, source }
}

/// Runs a command with its output on ours; failure is an error.
pub fn run(command: &mut Command) -> Result<(), ChoreError> {
    let status = command.status().map_err(start_error(command))?;
    if status.success() {
        Ok(())
    } else {
        Err(failed(command, status))
    }
}

/// Runs a command and keeps all that it prints, whatever its exit code.
pub fn output(command: &mut Command) -> Result<Output, ChoreError> {
    command.output().map_err(start_error(command))
}

/// Runs a command, shows each line of its standard output as it comes and hands it to `see`.
pub fn watch(command: &mut Command, mut see: impl FnMut(&str)) -> Result<(), ChoreError> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(start_error(command))?;
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            println!("{line}");
            see(&line);
        }
    }
    let status = child.wait().map_err(start_error(command))?;
    if status.success() {
        Ok(())
    } else {
        Err(failed(command, status))
    }
}
