//! How pages and formulas are written.

use clap::{Args, ValueEnum};

/// How a page is written.
#[derive(Debug, Args)]
pub struct PageArguments {
    /// How the page is written.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// With `--format latex`: a whole document, ready for an engine.
    #[arg(long)]
    pub standalone: bool,
}

/// How formulas are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Plain text.
    Text,
    /// LaTeX.
    Latex,
    /// MathML.
    Mathml,
}
