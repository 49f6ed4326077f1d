//! Ensembles that cannot be.

use crate::simulation::SimulationError;
use rattleback_compile::VariationError;
use rattleback_mechanics::NotVaried;

/// Why there is no ensemble.
#[derive(Debug, thiserror::Error)]
pub enum EnsembleError {
    /// A range or a distribution that cannot be read.
    #[error("{0}")]
    Text(String),
    /// Something that cannot be varied.
    #[error("{0}: look at ‹vary› and ‹sample›")]
    Variation(#[from] VariationError),
    /// A name that nothing to be varied has.
    #[error("{0}: look at ‹vary› and ‹sample›")]
    NotVaried(#[from] NotVaried),
    /// There are no members, or more than can be counted.
    #[error("{0}")]
    Size(String),
    /// No motion could be followed.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// A map needs no method.
    #[error("a map is iterated from node to node: leave out ‹method {0}›")]
    Iterated(Box<crate::simulation::Method>),
    /// Nothing is looked for between nodes.
    #[error("events are not looked for in ensembles of maps: `simulate` finds those of one motion")]
    MapEvents,
    /// Members that would begin at other times.
    #[error(
        "the start time depends on what is varied: members begin together; leave it out of `time`"
    )]
    VariedStart,
    /// Members that end at other times, and a table for one time.
    #[error(
        "the end time depends on what is varied, and a table is for one: give one with ‹until›"
    )]
    VariedEnd,
}
