//! What may be said on the command line.

mod analyze;
mod compare;
mod control;
mod derive;
mod discrete;
mod discretisation;
mod ensemble;
mod export;
mod linearize;
mod model;
mod motion;
mod page;
mod simulate;

pub use analyze::AnalyzeArguments;
pub use compare::CompareArguments;
pub use control::ControlArguments;
pub use derive::DeriveArguments;
pub use discrete::DiscreteArguments;
pub use ensemble::EnsembleArguments;
pub use export::{ExportArguments, Language};
pub use linearize::LinearizeArguments;
pub use model::ModelArguments;
pub use motion::{EventArguments, InputArguments, MotionArguments};
pub use page::{Format, PageArguments};
pub use simulate::SimulateArguments;

use clap::{Parser, Subcommand};
use clap_complete::Shell;
use std::path::PathBuf;

/// Nonholonomic mechanics from a page of text.
///
/// A model file states coordinates, a Lagrangian and constraints; rattleback derives the exact
/// equations of motion in the formulation that you ask for and follows the motion.
#[derive(Debug, Parser)]
#[command(name = "rattleback", version, after_help = OVERVIEW)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const OVERVIEW: &str = "\
Examples:
  rattleback new sleigh                       write a starter model to sleigh.mech
  rattleback check sleigh.mech                report every problem, and what kind of system it is
  rattleback derive sleigh.mech               the equations of motion with their multipliers
  rattleback derive sleigh.mech --form hamel  the same motion in a frame of the constraints
  rattleback simulate sleigh.mech --plot sleigh.svg   follow the motion and draw it

Exit code: 0 success, 1 a computation failed, 2 bad input.";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write a commented starter model.
    #[command(after_help = "\
Examples:
  rattleback new sleigh          writes sleigh.mech here
  rattleback new models/sleigh   writes models/sleigh.mech; the system is called sleigh

An existing file is never overwritten.")]
    New {
        /// The name of the system, with the folder to write it to.
        name: PathBuf,
    },
    /// Report every problem in a model, and say what kind of system it is.
    #[command(after_help = "\
Examples:
  rattleback check chaplygin_sleigh.mech
  rattleback check chaplygin_sleigh.mech --set m=2 --set \"theta'=1\"
  rattleback check chaplygin_sleigh.mech --json | jq .kind.degrees_of_freedom

Problems go to standard error with their places, the summary to standard output.")]
    Check(ModelArguments),
    /// Derive the exact equations of motion in one formulation.
    #[command(after_help = derive::EXAMPLES)]
    Derive(DeriveArguments),
    /// Follow one motion from the start state.
    #[command(after_help = simulate::EXAMPLES)]
    Simulate(SimulateArguments),
    /// The linear system about a state: A, B, C, D, eigenvalues, controllability, regulator.
    #[command(after_help = linearize::EXAMPLES)]
    Linearize(LinearizeArguments),
    /// Solve the optimal-control or boundary-value problem that a model poses with its ends.
    #[command(after_help = control::EXAMPLES)]
    Control(ControlArguments),
    /// The model as a discrete system: its discrete Lagrangian, Hamiltonians, map and action.
    #[command(after_help = discrete::EXAMPLES)]
    Discrete(DiscreteArguments),
    /// Nonholonomic and vakonomic motion from the same start, side by side.
    #[command(after_help = compare::EXAMPLES)]
    Compare(CompareArguments),
    /// Follow many motions on all cores: grids and random samples of parameters and start values.
    #[command(after_help = ensemble::EXAMPLES)]
    Ensemble(EnsembleArguments),
    /// Write the equations as source code, or as LaTeX, for use elsewhere.
    #[command(after_help = export::EXAMPLES)]
    Export(ExportArguments),
    /// Say what is true of a system: every verdict with its evidence.
    #[command(after_help = analyze::EXAMPLES)]
    Analyze(AnalyzeArguments),
    /// Write model files in the standard layout, comments kept.
    #[command(after_help = "\
Examples:
  rattleback fmt knife_edge.mech
  rattleback fmt --check *.mech          exit code 1 if a file is not in the standard layout
  rattleback fmt - < knife_edge.mech     from standard input to standard output")]
    Fmt {
        /// Change nothing; name the files that would change and exit with 1 if there are any.
        #[arg(long)]
        check: bool,
        /// The model files; `-` is standard input, and the result goes to standard output.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Write what a shell needs to complete commands and options.
    #[command(after_help = "\
Examples:
  rattleback completions bash > ~/.local/share/bash-completion/completions/rattleback
  rattleback completions zsh > ~/.zfunc/_rattleback
  rattleback completions fish > ~/.config/fish/completions/rattleback.fish")]
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Write a page for `man`.
    #[command(after_help = "\
Examples:
  rattleback man > rattleback.1
  rattleback man simulate > rattleback-simulate.1
  man ./rattleback-simulate.1")]
    Man {
        /// The command that the page is about; without it that of the program.
        command: Option<String>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn every_command_shows_examples() {
        for command in Arguments::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string);
            assert!(
                help.is_some_and(|h| h.contains("Examples:")),
                "{}",
                command.get_name()
            );
        }
    }
}
