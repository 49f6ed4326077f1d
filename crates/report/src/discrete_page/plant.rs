//! The page of a model with maps: a plant in steps.

use super::control::control_sections;
use super::data::control_json;
use crate::control::discrete::PlantInSteps;
use crate::document::{Block, Data, Document, Formulas as Writer};
use crate::mechanics::Problem;
use crate::number::shown;
use crate::symbolic::Order;
use serde_json::{Map, Value, json};

/// A discrete-time plant.
pub struct PlantPage<'a> {
    /// The problem that the model poses.
    pub problem: &'a Problem,
    /// What it is in steps.
    pub found: &'a PlantInSteps,
}

impl PlantPage<'_> {
    /// The page in no notation yet.
    pub fn document(&self) -> Document {
        let map = self.found.map.iter();
        let map = map.map(|(name, e)| super::stated(&format!("next({name})"), e));
        let next = self.found.next.iter();
        let next = next.map(|(name, x)| (name.clone(), shown(*x, 0.0)));
        let name = self.problem.system.name();
        let document = Document::new(format!("{name}: a map"))
            .section("Map", map)
            .section("One step from the start", [Block::Values(next.collect())])
            .with_data(Data::Plain(self.data()));
        let document = Document {
            order: self.problem.order([]),
            ..document
        };
        match &self.found.control {
            Some(control) => control_sections(document, control),
            None => document,
        }
    }

    /// What a machine is told.
    fn data(&self) -> Value {
        let mut object = Map::new();
        let mut put = |key: &str, value: Value| object.insert(key.into(), value);
        let writer = Writer::new(Order::new(&[]));
        put("system", self.problem.system.name().into());
        put("rule", Value::Null);
        put("step", Value::Null);
        let map = self.found.map.iter();
        let map = map.map(|(name, e)| (name.clone(), Value::from(writer.object(e))));
        put("map", Value::Object(map.collect()));
        let next = self.found.next.iter();
        let next = next.map(|(name, x)| (name.clone(), json!(x)));
        put("next", Value::Object(next.collect()));
        if let Some(control) = &self.found.control {
            control_json(control, &mut put);
        }
        object.into()
    }
}
