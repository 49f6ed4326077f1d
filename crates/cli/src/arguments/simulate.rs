//! What `simulate` takes.

use super::model::ModelArguments;
use super::motion::{EventArguments, InputArguments, MotionArguments};
use clap::Args;
use std::path::PathBuf;

/// Shown below the help.
pub(super) const EXAMPLES: &str = "\
Examples:
  rattleback simulate rattleback.mech
  rattleback simulate rattleback.mech --until 20 -o spin.csv --plot spin.svg
  rattleback simulate central_force.mech --method yoshida6 --step 0.01
  rattleback simulate chaplygin_sleigh.mech --stop \"theta = 1\" --event \"x = 0.1 : rising\"
  rattleback simulate driven_pendulum.mech -o push.csv
  rattleback simulate driven_pendulum.mech --input u=push.csv:hold   the push from a table
  rattleback simulate double_pendulum_cart.mech --section \"x = 0 : rising\" -o section.csv --plot section.svg
  rattleback simulate double_pendulum_cart.mech --until 50 --lyapunov 2
  rattleback simulate chaplygin_sleigh.mech --set \"theta'=2\" --json | jq .final

The form and the method suit the system unless you choose: a frame of the constraints where there are
constraints, so that nothing drifts. Rows are `step` apart (fixed-step methods: every step).";

/// A model and how to follow its motion.
#[derive(Debug, Args)]
pub struct SimulateArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    #[command(flatten)]
    pub motion: MotionArguments,
    #[command(flatten)]
    pub inputs: InputArguments,
    /// Write the rows to this file: .csv or .parquet; `-` is standard output as CSV.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Draw the motion to this SVG file.
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
    /// What to draw, separated by commas: coordinates, velocities, path, phase, energy, constraints or
    /// errors (on a logarithmic axis), observed, momenta, a NAME over time, or NAME:NAME.
    #[arg(long, value_name = "WHAT,…", requires = "plot")]
    pub plot_what: Option<String>,
    /// A Poincare section: one row where this crosses zero, instead of rows in time.
    #[arg(long, value_name = "EVENT")]
    pub section: Option<String>,
    /// The K largest Lyapunov exponents of the motion.
    #[arg(long, value_name = "K")]
    pub lyapunov: Option<usize>,
    #[command(flatten)]
    pub events: EventArguments,
}
