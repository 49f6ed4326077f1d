//! What every command that reads a model takes.

use clap::Args;
use std::path::PathBuf;

/// A model and how to read it.
#[derive(Debug, Args)]
pub struct ModelArguments {
    /// The model file; `-` is standard input.
    #[arg(value_name = "MODEL.mech")]
    pub model: PathBuf,
    /// Change a parameter, a start value such as theta'=2, or `until` or `step`; repeatable.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Write JSON for a machine.
    #[arg(long)]
    pub json: bool,
}
