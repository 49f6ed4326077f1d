//! An analysis for a machine: an object per topic, stable keys.

use super::page::Topic;
use super::{Analysis, AtValues};
use crate::document::Data;
use crate::sheet::json::parameters;
use serde_json::{Value as Json, json};

/// The whole analysis.
pub fn data(analysis: &Analysis) -> Data {
    let problem = &analysis.problem;
    let head = [
        ("system", Data::plain(problem.system.name())),
        ("title", Data::plain(problem.title.clone())),
        ("params", Data::Plain(parameters(&problem.values))),
    ];
    let piece = analysis.piece.as_ref().map(|piece| {
        let place: Vec<String> = piece.facts().into_iter().chain(piece.point()).collect();
        let said = json!({"where": place, "why": piece.words()});
        ("piece", Data::Plain(said))
    });
    let topics = analysis.topics.iter().map(|t| (t.name, topic(t)));
    Data::object(head.into_iter().chain(piece).chain(topics))
}

fn topic(topic: &Topic) -> Data {
    let here = topic.at_values.iter().map(|h| ("at_values", at_values(h)));
    Data::Merged(vec![
        Data::Finding(topic.finding.clone()),
        Data::Items(topic.items.clone()),
        Data::object(here),
    ])
}

/// The answer for the values of the parameters; with all that is said there if something is different.
fn at_values(here: &AtValues) -> Data {
    let differences: Vec<Json> = here
        .differences
        .iter()
        .map(|d| json!({"of": d.key, "general": d.general, "here": d.here}))
        .collect();
    let items = match here.is_same() {
        true => Vec::new(),
        false => here.topic.items.clone(),
    };
    Data::Merged(vec![
        Data::Finding(here.topic.finding.clone()),
        Data::object([("differences", Data::plain(differences))]),
        Data::Items(items),
    ])
}
