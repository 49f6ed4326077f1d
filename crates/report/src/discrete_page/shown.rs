//! Whatever a model is in steps, ready to be shown.

use super::{Page, PlantPage};
use crate::Figure;
use crate::control::discrete::{InSteps, PlantInSteps};
use crate::document::Document;
use crate::mechanics::Problem;
use std::sync::Arc;

/// A model as a system in steps.
pub struct Discrete {
    /// The problem that the model poses.
    pub problem: Arc<Problem>,
    /// What it is in steps.
    pub found: Found,
}

/// What a model is in steps.
pub enum Found {
    /// A discrete Lagrangian, with its plant where there are controls and a cost.
    Steps(Box<InSteps>),
    /// States that go from node to node by a map.
    Plant(Box<PlantInSteps>),
}

impl Discrete {
    /// What there is to show, in no notation yet.
    pub fn document(&self) -> Document {
        let problem = &self.problem;
        match &self.found {
            Found::Steps(found) => Page { problem, found }.document(),
            Found::Plant(found) => PlantPage { problem, found }.document(),
        }
    }

    /// The picture of the action, where one was asked for.
    pub fn figure(&self) -> Option<Figure> {
        let problem = &self.problem;
        match &self.found {
            Found::Steps(found) => Page { problem, found }.picture(),
            Found::Plant(_) => None,
        }
    }
}
