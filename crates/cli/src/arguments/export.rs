//! What `export` takes.

use super::model::ModelArguments;
use super::motion::InputArguments;
use crate::form_argument::FormParser;
use clap::{Args, ValueEnum};
use rattleback::mechanics::Form;
use std::path::PathBuf;

/// Shown below the help.
pub(super) const EXAMPLES: &str = "\
Examples:
  rattleback export chaplygin_sleigh.mech --to c > sleigh.c
  rattleback export chaplygin_sleigh.mech --to rust --form hamel -o sleigh.rs
  rattleback export chaplygin_sleigh.mech --to python -o sleigh.py
  rattleback export chaplygin_sleigh.mech --to latex --standalone -o sleigh.tex

The source needs nothing but the standard library of its language. Parameters are arguments; their
values in the model, and --set, are the defaults. The form is that of `derive` unless you choose.";

/// A model and the language to write it in.
#[derive(Debug, Args)]
pub struct ExportArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// The language.
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub to: Language,
    /// The formulation.
    #[arg(long, value_name = "FORM", value_parser = FormParser)]
    pub form: Option<Form>,
    #[command(flatten)]
    pub inputs: InputArguments,
    /// With `--to latex`: a whole document, ready for an engine.
    #[arg(long)]
    pub standalone: bool,
    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// What equations are exported as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// C99.
    C,
    /// Rust.
    Rust,
    /// Python 3.
    Python,
    /// A LaTeX fragment.
    Latex,
}
