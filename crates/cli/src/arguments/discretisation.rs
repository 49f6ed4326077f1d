//! Names of what discrete mechanics chooses.

use clap::ValueEnum;
use rattleback::mechanics::discrete::{Placement, Retraction};

/// A retraction by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum RetractionName {
    /// Rational; it reaches no half turn.
    Cayley,
    /// The exponential, for steps up to half a turn.
    Exp,
}

impl From<RetractionName> for Retraction {
    fn from(name: RetractionName) -> Self {
        match name {
            RetractionName::Cayley => Retraction::Cayley,
            RetractionName::Exp => Retraction::Exponential,
        }
    }
}

/// A placement of velocity constraints by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum PlacementName {
    /// At the middle of the step: order 2.
    Midpoint,
    /// At its end: order 1.
    Node,
}

impl From<PlacementName> for Placement {
    fn from(name: PlacementName) -> Self {
        match name {
            PlacementName::Midpoint => Placement::Midpoint,
            PlacementName::Node => Placement::Node,
        }
    }
}
