//! Standard output and standard error.

use crate::arguments::Arguments;
use crate::closed_output;
use crate::failure::Failure;
use clap::{Command, CommandFactory};
use rattleback::report::document::Document;
use rattleback::report::spelled;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// Fails where there is no standard output: what is written would be lost.
pub fn check_open() -> Result<(), Failure> {
    match closed_output::is_closed() {
        true => Err(io::Error::other("standard output is closed").into()),
        false => Ok(()),
    }
}

/// Writes a result to standard output.
pub fn write(text: &str) -> Result<(), Failure> {
    check_open()?;
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// A page in lines that fit where it is read.
pub fn text(document: &Document, unicode: bool) -> String {
    match columns() {
        Some(columns) => document.text_within(unicode, columns),
        None => document.text(unicode),
    }
}

/// How wide lines may be: what `COLUMNS` says, or the terminal that standard output is.
fn columns() -> Option<usize> {
    let said = std::env::var("COLUMNS").ok();
    let said = said.and_then(|columns| columns.trim().parse().ok());
    said.filter(|&columns| columns > 0)
        .or_else(terminal_columns)
}

#[cfg(unix)]
fn terminal_columns() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
    Some(usize::from(size.ws_col)).filter(|&columns| columns > 0)
}

#[cfg(not(unix))]
fn terminal_columns() -> Option<usize> {
    None
}

/// Writes what the library says to standard output.
pub fn show(text: &str) -> Result<(), Failure> {
    write(&with_options(text))
}

/// What the library says, with what can be asked for as options.
fn with_options(text: &str) -> String {
    let is_option = |name: &str| {
        let command = Arguments::command();
        let mut all = command.get_subcommands().flat_map(Command::get_arguments);
        all.any(|argument| argument.get_long() == Some(name))
    };
    let spelled = spelled(text, |name| is_option(name).then(|| format!("--{name}")));
    // In LaTeX two hyphens would become a dash.
    spelled.replace("\\texttt{--", "\\texttt{-{}-")
}

/// Writes a message to standard error. If that fails there is nobody left to tell.
pub fn tell(text: &str) {
    let text = &with_options(text);
    let mut err = io::stderr().lock();
    let _ = err.write_all(text.as_bytes());
    if !text.ends_with('\n') {
        let _ = err.write_all(b"\n");
    }
}

/// Whether messages may have colours.
pub fn colours() -> bool {
    io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}

/// Ends the program: tells what went wrong and gives the exit code. A reader that closed the pipe
/// has what it wanted.
pub fn exit(result: Result<(), Failure>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) if failure.is_broken_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            let message = failure.to_string();
            if !message.is_empty() {
                tell(&message);
            }
            ExitCode::from(failure.code())
        }
    }
}
