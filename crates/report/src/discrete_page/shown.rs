//! Whatever a model is in steps, ready to be shown.

use super::{Page, PlantPage};
use crate::Figure;
use crate::control::discrete::{InSteps, PlantInSteps};
use crate::document::Document;

/// A model as a system in steps.
pub struct Discrete {
    /// The name of the system.
    pub name: String,
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
        let name = &self.name;
        match &self.found {
            Found::Steps(found) => Page { name, found }.document(),
            Found::Plant(found) => PlantPage { name, found }.document(),
        }
    }

    /// The picture of the action, where one was asked for.
    pub fn figure(&self) -> Option<Figure> {
        let name = &self.name;
        match &self.found {
            Found::Steps(found) => Page { name, found }.picture(),
            Found::Plant(_) => None,
        }
    }
}
