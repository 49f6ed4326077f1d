//! The commands, one file each.

mod analyze;
mod check;
mod compare;
mod completions;
mod control;
mod derive;
mod discrete;
mod ensemble;
mod export;
mod fmt;
mod linearize;
mod man;
mod new;
mod simulate;

use crate::arguments::{Arguments, Command};
use crate::failure::Failure;

/// Runs the command that was asked for.
pub fn run(arguments: Arguments) -> Result<(), Failure> {
    match arguments.command {
        Command::New { name } => new::run(&name),
        Command::Analyze(analyze) => analyze::run(&analyze),
        Command::Check(model) => check::run(&model),
        Command::Derive(derive) => derive::run(&derive),
        Command::Discrete(discrete) => discrete::run(&discrete),
        Command::Simulate(simulate) => simulate::run(&simulate),
        Command::Ensemble(ensemble) => ensemble::run(&ensemble),
        Command::Compare(compare) => compare::run(&compare),
        Command::Control(control) => control::run(&control),
        Command::Export(export) => export::run(&export),
        Command::Linearize(linearize) => linearize::run(&linearize),
        Command::Fmt { check, files } => fmt::run(&files, check),
        Command::Completions { shell } => completions::run(shell),
        Command::Man { command } => man::run(command.as_deref()),
    }
}
