//! What `ensemble` takes.

use super::model::ModelArguments;
use super::motion::{EventArguments, InputArguments, MotionArguments};
use clap::Args;
use std::path::PathBuf;

/// Shown below the help.
pub(super) const EXAMPLES: &str = "\
Examples:
  rattleback ensemble chaplygin_sleigh.mech --vary \"m=0.5:2:11\" --vary \"theta'=0:3:31\" -o grid.parquet
  rattleback ensemble chaplygin_sleigh.mech --sample \"theta'~normal(0,1)\" -n 10000 -o cloud.parquet
  rattleback ensemble chaplygin_sleigh.mech --vary \"m=1,2,4\" --sample \"x'~uniform(0.5,1.5)\" -n 1000 --json
  rattleback ensemble chaplygin_sleigh.mech --sample \"theta'~normal(0,1)\" -n 10000 -o cloud.parquet --resume
  rattleback ensemble chaplygin_sleigh.mech --vary \"m=0.5:2:11\" --stop \"theta = 1\" --event \"x = 0.1\" -o stops.csv

Members are all points of the grid that --vary spans, with -n draws of every --sample at each. A member
that fails is recorded with its status and does not stop the others. Ctrl-C keeps the finished members;
--resume goes on from there.";

/// A model and its variations.
#[derive(Debug, Args)]
pub struct EnsembleArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    #[command(flatten)]
    pub motion: MotionArguments,
    #[command(flatten)]
    pub inputs: InputArguments,
    /// A grid over a parameter or a start value: NAME=FROM:TO:COUNT or NAME=V1,V2,…; repeatable.
    #[arg(long, value_name = "NAME=RANGE")]
    pub vary: Vec<String>,
    /// A random parameter or start value: NAME~normal(MEAN,DEVIATION), NAME~uniform(FROM,TO) or
    /// NAME~lognormal(MU,SIGMA); repeatable.
    #[arg(long, value_name = "NAME~LAW")]
    pub sample: Vec<String>,
    /// Random draws at each point of the grid.
    #[arg(short = 'n', long = "draws", value_name = "N", default_value_t = 1)]
    pub draws: usize,
    /// The seed of the random draws.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Write one row per member to this file: .parquet or .csv.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Go on with the file of an interrupted run.
    #[arg(long, requires = "output")]
    pub resume: bool,
    /// Threads; all cores unless told. The results do not depend on it.
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    #[command(flatten)]
    pub events: EventArguments,
}
