//! What `linearize` takes.

use super::model::ModelArguments;
use super::page::PageArguments;
use clap::Args;
use std::path::PathBuf;

/// Shown below the help.
pub(super) const EXAMPLES: &str = "\
Examples:
  rattleback linearize cart_pole.mech
  rattleback linearize cart_pole.mech --at equilibrium --json | jq .eigenvalues
  rattleback linearize cart_pole.mech --at \"theta = 0, theta' = 0\"
  rattleback linearize heavy_top.mech --at steady
  rattleback linearize double_pendulum_cart.mech --along -o along.csv
  rattleback linearize central_force.mech --along --periodic --set \"until=2*pi*1.25^1.5\"

With constraints the state is made of independent positions and velocities; the directions of a group
element R are R~1, R~2, …. About a steady motion A is that of the frame that moves with it. A model with controls and a `cost` that is least at the state gets the regulator
of that cost.";

/// A model and where to linearise it.
#[derive(Debug, Args)]
pub struct LinearizeArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// Where: `start`, `equilibrium` or `steady` (the equilibrium or steady motion nearest to the start), or values
    /// such as \"theta = 0\"; what they leave out is taken from the start.
    #[arg(long, value_name = "WHERE", default_value = "start")]
    pub at: String,
    /// Close the loop: the laws of the inputs are part of the system.
    #[arg(long)]
    pub closed: bool,
    /// Linearise along the motion from the start, one row per sample.
    #[arg(long, conflicts_with = "at")]
    pub along: bool,
    /// With --along: the motion is periodic and the time of the model is one period; show the monodromy matrix and
    /// Floquet's multipliers. The laws of the inputs are part of the system.
    #[arg(long, requires = "along", conflicts_with = "output")]
    pub periodic: bool,
    /// Write the rows of --along to this file: .csv or .parquet; `-` is standard output as CSV.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write the model with the regulator as its `input` to this file.
    #[arg(long, value_name = "FILE.mech")]
    pub write: Option<PathBuf>,
    #[command(flatten)]
    pub page: PageArguments,
}
