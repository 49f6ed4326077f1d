//! What may be said on the command line.

use crate::form_argument::FormParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use rattleback::mechanics::Form;
use std::path::PathBuf;

/// Nonholonomic mechanics from a page of text.
///
/// A model file states coordinates, a Lagrangian and constraints; rattleback derives the exact
/// equations of motion in the formulation that you ask for.
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
  rattleback check sleigh.mech
  rattleback check sleigh.mech --set m=2 --set \"theta'=1\"
  rattleback check sleigh.mech --json | jq .kind.degrees_of_freedom

Problems go to standard error with their places, the summary to standard output.")]
    Check(ModelArguments),
    /// Derive the exact equations of motion in one formulation.
    #[command(after_help = "\
Examples:
  rattleback derive snakeboard.mech
  rattleback derive snakeboard.mech --form chaplygin
  rattleback derive snakeboard.mech --form almost-poisson --json
  rattleback derive snakeboard.mech --format latex > equations.tex
  rattleback derive snakeboard.mech --set m=2 --set \"theta'=1/2\"

Without --form: euler-lagrange without constraints, euler-poincare or lagrange-poincare where there
are group factors, lagrange-dalembert with constraints, higher-order where accelerations occur.")]
    Derive(DeriveArguments),
    /// Write model files in the standard layout, comments kept.
    #[command(after_help = "\
Examples:
  rattleback fmt sleigh.mech
  rattleback fmt --check models/*.mech   exit code 1 if a file is not in the standard layout")]
    Fmt {
        /// Change nothing; name the files that would change and exit with 1 if there are any.
        #[arg(long)]
        check: bool,
        /// The model files.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

/// A model and how to read it.
#[derive(Debug, Args)]
pub struct ModelArguments {
    /// The model file.
    #[arg(value_name = "MODEL.mech")]
    pub model: PathBuf,
    /// Change a parameter, a start value such as theta'=2, or `until` or `step`; repeatable.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Write JSON for a machine.
    #[arg(long)]
    pub json: bool,
}

/// A model and what to derive from it.
#[derive(Debug, Args)]
pub struct DeriveArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// The formulation.
    #[arg(long, value_name = "FORM", value_parser = FormParser)]
    pub form: Option<Form>,
    /// How formulas are written. With --json, `mathml` is written beside text and LaTeX.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Write every formula, however long.
    #[arg(long)]
    pub full: bool,
    /// Plain letters and primes instead of Greek letters and dots in text.
    #[arg(long)]
    pub ascii: bool,
}

/// How formulas are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Plain text.
    Text,
    /// LaTeX.
    Latex,
    /// MathML.
    Mathml,
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
