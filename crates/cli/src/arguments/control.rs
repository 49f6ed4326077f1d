//! What `control` takes.

use super::discretisation::RetractionName;
use super::model::ModelArguments;
use super::page::PageArguments;
use clap::{Args, ValueEnum};
use rattleback::control::optimal::{Ends, Scheme};
use rattleback::session::Route;
use std::path::PathBuf;

/// Shown below the help.
pub(super) const EXAMPLES: &str = "\
Examples:
  rattleback control cart_pole_swing_up.mech
  rattleback control sleigh_parking.mech -o path.csv --plot path.svg
  rattleback control two_link_manipulator.mech --scheme midpoint --nodes 18
  rattleback control snakeboard_transfer.mech --starts 2           several first iterates, the best is reported
  rattleback control sleigh_parking.mech --guess path.csv --json | jq .cost

  rattleback control cart_pole_swing_up.mech --feedback -o law.csv     with the gains along the path

The model says where the path ends (`goal`, `periodic`, `via`, `terminal`), what it costs (`cost`), and what is
free. Without --nodes the mesh is refined until the cost is known to --tol. Outputs that the model declares
`flat` are proven to be so, and the problem is solved by them too. Exit code 1 where there is no solution: the
best iterate is written all the same.";

/// A model and how its problem is solved.
#[derive(Debug, Args)]
pub struct ControlArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    #[command(flatten)]
    pub page: PageArguments,
    /// The number of intervals; the cost is then that of the discrete problem.
    #[arg(long, value_name = "N", value_parser = positive)]
    pub nodes: Option<usize>,
    /// hermite-simpson, midpoint, trapezoid, variational (the plant by its discrete Lagrangian), gauss4, gauss6 or radau5.
    #[arg(long, value_name = "SCHEME", default_value = "hermite-simpson")]
    pub scheme: Scheme,
    /// `direct`, `indirect` (the necessary conditions, from the direct solution) or `both`, which compares them where there
    /// are no bounds.
    #[arg(long, value_name = "ROUTE", default_value = "both")]
    pub route: RouteArgument,
    /// On groups, for the schemes midpoint and variational: `half-step` or `node` (the end velocities are those of the first and last
    /// interval).
    #[arg(long, value_name = "ENDS", default_value = "half-step")]
    pub ends: EndsArgument,
    /// On groups, for the schemes midpoint and variational: the map by which the velocity of an interval moves elements.
    #[arg(long, value_enum, value_name = "MAP", default_value = "cayley")]
    pub retraction: RetractionName,
    /// How many first iterates are tried: the model's own, then scattered ones with a fixed seed.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = positive)]
    pub starts: usize,
    /// The relative error of the cost at which refinement ends.
    #[arg(long, value_name = "R", default_value_t = 1e-6)]
    pub tol: f64,
    /// Start from an earlier result, written by -o.
    #[arg(long, value_name = "FILE")]
    pub guess: Option<PathBuf>,
    /// Solve within the extremals whose costates have these values, such as "p_x = 0, p_y = 0"; lambda1 is the costate of
    /// the first position. The family must be one that the conditions of optimality keep, which is proven first.
    #[arg(long, value_name = "ANSATZ")]
    pub ansatz: Option<String>,
    /// Add the linear-quadratic regulator along the path: its gains, and where its closed loop ends from disturbed starts.
    #[arg(long)]
    pub feedback: bool,
    /// Write the path to this file, one row per node: .csv or .parquet.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Draw the path to this SVG file.
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
}

/// Which routes are taken.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum RouteArgument {
    /// Discretise, then optimise.
    Direct,
    /// The necessary conditions.
    Indirect,
    /// One held against the other.
    Both,
}

impl From<RouteArgument> for Route {
    fn from(argument: RouteArgument) -> Self {
        match argument {
            RouteArgument::Direct => Route::Direct,
            RouteArgument::Indirect => Route::Indirect,
            RouteArgument::Both => Route::Both,
        }
    }
}

/// How velocities on intervals meet those at the ends.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum EndsArgument {
    /// Half steps.
    HalfStep,
    /// The velocities of the first and last interval.
    Node,
}

impl From<EndsArgument> for Ends {
    fn from(argument: EndsArgument) -> Self {
        match argument {
            EndsArgument::HalfStep => Ends::HalfStep,
            EndsArgument::Node => Ends::Node,
        }
    }
}

/// A count of at least one.
fn positive(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("give at least 1".into()),
        Ok(n) => Ok(n),
        Err(_) => Err("give a whole number".into()),
    }
}
