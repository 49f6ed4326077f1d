//! What `compare` takes.

use super::model::ModelArguments;
use super::motion::{InputArguments, MotionArguments};
use crate::form_argument::FormParser;
use clap::Args;
use rattleback::mechanics::Form;
use std::path::PathBuf;

/// Shown below the help.
pub(super) const EXAMPLES: &str = "\
Examples:
  rattleback compare rolling_disk.mech
  rattleback compare rolling_disk.mech --set mu1=0.3 --plot both.svg -o both.csv
  rattleback compare rolling_disk.mech --form hamel --with lagrange-dalembert   two forms of one motion

The vakonomic motion starts with the multipliers that the model or --set gives (mu1, mu2, …), else 0.";

/// A model and two motions of it.
#[derive(Debug, Args)]
pub struct CompareArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    #[command(flatten)]
    pub motion: MotionArguments,
    #[command(flatten)]
    pub inputs: InputArguments,
    /// The formulation of the second motion.
    #[arg(long, value_name = "FORM", value_parser = FormParser, default_value = "vakonomic")]
    pub with: Form,
    /// Write the rows of both motions to this file: .csv or .parquet; `-` is standard output as CSV.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Draw both motions and their distance to this SVG file.
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
    /// What to draw, as for `simulate`.
    #[arg(long, value_name = "WHAT,…", requires = "plot")]
    pub plot_what: Option<String>,
}
