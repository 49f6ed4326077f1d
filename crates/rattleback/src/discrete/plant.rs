//! `discrete` of a model with maps: a plant in steps, one step of it, and its control.

use super::DiscretePageError;
use super::control::ControlNumbers;
use super::json::control_json;
use super::text::control_text;
use crate::compile::StartState;
use crate::language::{Model, Update};
use crate::mechanics::Problem;
use crate::number::shown;
use crate::sheet::json::Formulas as Writer;
use crate::symbolic::{Expr, Order, Style, text};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// A discrete-time plant.
pub struct PlantPage<'a> {
    model: &'a Model,
    /// The states with their values at the next node.
    map: Vec<(String, Expr)>,
    /// The state after one step from the start.
    next: Vec<(String, f64)>,
    control: Option<ControlNumbers>,
}

impl<'a> PlantPage<'a> {
    /// Iterates once, and solves what control asks.
    pub fn new(
        model: &'a Model,
        problem: &Problem,
        start: &StartState,
        steps: Option<usize>,
    ) -> Result<Self, DiscretePageError> {
        let maps = problem.auxiliary.iter().filter_map(|a| match &a.update {
            Update::Map(e) => Some((a.symbol.to_string(), e.clone())),
            Update::Rate(_) => None,
        });
        let map: Vec<(String, Expr)> = maps.collect();
        let values: Vec<Expr> = map.iter().map(|(_, e)| e.clone()).collect();
        let next = start.evaluate(&values)?;
        let names = map.iter().map(|(name, _)| name.clone());
        Ok(Self {
            model,
            next: names.zip(next).collect(),
            control: ControlNumbers::of(problem, start, None, steps),
            map,
        })
    }

    /// JSON for a machine.
    pub fn json(&self) -> Value {
        let mut object = Map::new();
        let mut put = |key: &str, value: Value| object.insert(key.into(), value);
        let writer = Writer::new(Order::new(&[]));
        put("system", self.model.name.clone().into());
        put("rule", Value::Null);
        put("step", Value::Null);
        let map = self.map.iter();
        let map = map.map(|(name, e)| (name.clone(), Value::from(writer.object(e))));
        put("map", Value::Object(map.collect()));
        let next = self.next.iter().map(|(name, x)| (name.clone(), json!(x)));
        put("next", Value::Object(next.collect()));
        if let Some(control) = &self.control {
            control_json(control, &mut put);
        }
        object.into()
    }

    /// The page as text.
    pub fn text(&self) -> String {
        let mut page = String::new();
        let _ = writeln!(page, "{}: a map", self.model.name);
        for (name, e) in &self.map {
            let _ = writeln!(page, "  next({name}) = {}", text(e, &Style::default()));
        }
        let _ = writeln!(page, "\none step from the start:");
        for (name, x) in &self.next {
            let _ = writeln!(page, "  {name} = {}", shown(*x, 1.0));
        }
        if let Some(control) = &self.control {
            control_text(control, &mut page);
        }
        page
    }
}
