//! What `analyze` takes.

use super::model::ModelArguments;
use super::page::Format;
use clap::Args;

/// Shown below the help.
pub(super) const EXAMPLES: &str = "\
Examples:
  rattleback analyze knife_edge.mech
  rattleback analyze snakeboard.mech --only measure,hamiltonization
  rattleback analyze snakeboard.mech --json | jq .measure.density.text
  rattleback analyze snakeboard.mech --format latex > structure.tex
  rattleback analyze knife_edge.mech --effort 10
  rattleback analyze knife_edge.mech --timeout 60

Topics are judged in parallel. Effort counts work, not seconds: the same model gets the same verdicts on every
machine, and less effort leaves more undecided. A timeout, or Ctrl-C, cancels what is not finished by then.";

/// A model and what to say of it.
#[derive(Debug, Args)]
pub struct AnalyzeArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// Only these topics, separated by commas; repeatable.
    #[arg(long, value_name = "TOPIC", value_delimiter = ',')]
    pub only: Vec<String>,
    /// How much work the searches of one topic may spend, as a multiple of the usual.
    #[arg(
        long,
        value_name = "X",
        default_value_t = 1.0,
        allow_negative_numbers = true
    )]
    pub effort: f64,
    /// Cancel after so many seconds: what is not decided by then stays undecided.
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub timeout: Option<f64>,
    /// Not an option any more.
    #[arg(
        long,
        hide = true,
        value_name = "SECONDS",
        allow_negative_numbers = true
    )]
    pub budget: Option<String>,
    /// How the page is written: text or latex.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// With `--format latex`: a whole document, ready for an engine.
    #[arg(long)]
    pub standalone: bool,
    /// Plain letters and primes instead of Greek letters and dots in text.
    #[arg(long)]
    pub ascii: bool,
}
