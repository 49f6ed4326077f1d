//! How motions are followed, fed and looked at.

use super::discretisation::{PlacementName, RetractionName};
use crate::form_argument::FormParser;
use crate::method_argument::MethodParser;
use clap::Args;
use rattleback::mechanics::Form;
use rattleback::simulation::Method;

/// How to follow motions.
#[derive(Debug, Args)]
pub struct MotionArguments {
    /// The formulation to integrate in.
    #[arg(long, value_name = "FORM", value_parser = FormParser)]
    pub form: Option<Form>,
    /// The method: taylor, dop853, dopri5, rk4, gauss2|4|6|8, radau5, verlet,
    /// yoshida4|6|8, suzuki4|6|8, munthe-kaas4|8, commutator-free4, variational-RULE with RULE one of left, right,
    /// midpoint, trapezoid, gauss4|6|8, lobatto4|6, and chaplygin-symplectic.
    #[arg(long, value_name = "METHOD", value_parser = MethodParser, hide_possible_values = true)]
    pub method: Option<Method>,
    /// The end time; a constant expression such as 2*pi.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub until: Option<String>,
    /// The step of fixed-step methods, the spacing of the rows otherwise.
    #[arg(long, value_name = "h", allow_hyphen_values = true)]
    pub step: Option<String>,
    /// The relative tolerance of adaptive methods.
    #[arg(
        long,
        value_name = "r",
        default_value_t = 1e-9,
        allow_negative_numbers = true
    )]
    pub rtol: f64,
    /// The absolute tolerance of adaptive methods.
    #[arg(
        long,
        value_name = "a",
        default_value_t = 1e-12,
        allow_negative_numbers = true
    )]
    pub atol: f64,
    /// The most steps of an adaptive method.
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    pub max_steps: u64,
    /// Let constraints and group elements drift instead of moving the state back after each step.
    #[arg(long)]
    pub no_projection: bool,
    /// The retraction of variational methods on groups.
    #[arg(long, value_enum, value_name = "MAP", default_value = "cayley")]
    pub retraction: RetractionName,
    /// Where variational methods place velocity constraints in a step.
    #[arg(long, value_enum, value_name = "WHERE", default_value = "midpoint")]
    pub placement: PlacementName,
}

/// What feeds controls.
#[derive(Debug, Args)]
pub struct InputArguments {
    /// Feed a control from the columns `t` and NAME of a table, instead of its `input`; behind a colon
    /// `linear` (default), `hold` or `cubic`; repeatable.
    #[arg(long, value_name = "NAME=FILE.csv[:KIND]")]
    pub input: Vec<String>,
}

/// What to look for along motions.
#[derive(Debug, Args)]
pub struct EventArguments {
    /// Report where this crosses zero: an expression or LHS = RHS, with `: rising` or `: falling`
    /// behind it where one direction is meant; repeatable.
    #[arg(long, value_name = "EVENT")]
    pub event: Vec<String>,
    /// End where this crosses zero; repeatable.
    #[arg(long, value_name = "EVENT")]
    pub stop: Vec<String>,
}
