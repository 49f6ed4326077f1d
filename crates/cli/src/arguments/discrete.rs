//! What `discrete` takes.

use super::discretisation::{PlacementName, RetractionName};
use super::model::ModelArguments;
use super::page::PageArguments;
use clap::Args;
use std::path::PathBuf;

/// Shown below the help.
pub(super) const EXAMPLES: &str = "\
Examples:
  rattleback discrete central_force.mech --rule trapezoid --step 0.1
  rattleback discrete central_force.mech --steps 7 --at \"r = 1, theta = 1\"
  rattleback discrete central_force.mech --steps 5 --at \"r = 1, theta = 0.5\" --from \"S = 0.2*theta^2\"
  rattleback discrete central_force.mech --rule exact --steps 1 --at \"r = 1, theta = 0.1\"   by boundary-value solves
  rattleback discrete cubic_splines.mech --rule lobatto4          accelerations: midpoint, trapezoid, lobatto4, gauss4, …
  rattleback discrete sampled_oscillator.mech --steps 20 --json   a model of maps: bellman and lqr

A Lagrangian in x and next(x) is discrete itself, without rule and step. With controls and a cost the page has
Bellman's equation and the regulator of the plant, sampled where it is continuous.";

/// A model and how it is made discrete.
#[derive(Debug, Args)]
pub struct DiscreteArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// The rule: left, right, midpoint, trapezoid, gauss4|6|8, lobatto4|6, or exact.
    #[arg(long, value_name = "RULE", default_value = "midpoint")]
    pub rule: String,
    /// The step; a constant expression such as pi/10.
    #[arg(long, value_name = "h", allow_hyphen_values = true)]
    pub step: Option<String>,
    /// Take Jacobi's action over so many steps.
    #[arg(long, value_name = "k")]
    pub steps: Option<usize>,
    /// Where the action is wanted: every coordinate, as in "x = 0.3, y = 1".
    #[arg(
        long,
        value_name = "POINT",
        requires = "steps",
        allow_hyphen_values = true
    )]
    pub at: Option<String>,
    /// The action at the beginning: `start` for motions from the start position, or "S = EXPR".
    #[arg(long, value_name = "S", default_value = "start", requires = "steps")]
    pub from: String,
    /// Draw the action and its caustics, for one and two coordinates.
    #[arg(long, value_name = "FILE.svg", requires = "steps")]
    pub plot: Option<PathBuf>,
    /// The retraction on groups.
    #[arg(long, value_enum, value_name = "MAP", default_value = "cayley")]
    pub retraction: RetractionName,
    /// Where velocity constraints are placed in a step.
    #[arg(long, value_enum, value_name = "WHERE", default_value = "midpoint")]
    pub placement: PlacementName,
    #[command(flatten)]
    pub page: PageArguments,
}
