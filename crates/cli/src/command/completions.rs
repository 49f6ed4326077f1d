//! `rattleback completions`: what a shell needs to complete commands and options.

use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::terminal;
use clap::CommandFactory;
use clap_complete::{Shell, generate};

/// Writes the script of a shell.
pub fn run(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    generate(shell, &mut Arguments::command(), "rattleback", &mut script);
    terminal::write(&String::from_utf8_lossy(&script))
}
