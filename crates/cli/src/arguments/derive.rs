//! What `derive` takes.

use super::model::ModelArguments;
use super::page::Format;
use crate::form_argument::FormParser;
use clap::Args;
use rattleback::mechanics::Form;

/// Shown below the help.
pub(super) const EXAMPLES: &str = "\
Examples:
  rattleback derive snakeboard.mech
  rattleback derive snakeboard.mech --form chaplygin
  rattleback derive snakeboard.mech --form almost-poisson --json
  rattleback derive snakeboard.mech --format latex > equations.tex
  rattleback derive snakeboard.mech --set m=2 --set \"theta'=1/2\"
  rattleback derive - < snakeboard.mech

Without --form: euler-lagrange without constraints, euler-poincare or lagrange-poincare where there
are group factors, lagrange-dalembert with constraints, higher-order where accelerations occur.";

/// A model and what to derive from it.
#[derive(Debug, Args)]
pub struct DeriveArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// The formulation.
    #[arg(long, value_name = "FORM", value_parser = FormParser)]
    pub form: Option<Form>,
    /// The formulation of the same motion that has the shortest formulas, and the lengths of the others.
    #[arg(long, conflicts_with = "form")]
    pub shortest: bool,
    /// How formulas are written. With --json, `mathml` is written beside text and LaTeX.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Write every formula in components and solved for the rates, however long.
    #[arg(long)]
    pub full: bool,
    /// With `--format latex`: a whole document, ready for an engine.
    #[arg(long)]
    pub standalone: bool,
    /// Plain letters and primes instead of Greek letters and dots in text.
    #[arg(long)]
    pub ascii: bool,
}
