//! What `analyze` shows: one topic after the other, for any notation.

mod at_values;
mod data;
mod judges;
mod once;
mod page;
mod piece;
mod review;
mod special;
mod topic;

pub use at_values::AtValues;
pub use judges::{Judges, Subject};
pub use page::Topic;
pub use piece::OnPiece;
pub use review::reviewed;
pub use special::candidates;
pub use topic::{Case, Question, STEERING, TOPICS, question, questions};

use crate::document::length::Limit;
use crate::document::{Block, Document, Item, Section, Value, evidence, verdict};
use crate::mechanics::Problem;
use crate::symbolic::Symbol;
use std::sync::Arc;

/// The topics of one model, judged.
pub struct Analysis {
    /// The problem that it is about.
    pub problem: Arc<Problem>,
    /// What kind of system it is, in a sentence.
    pub sentence: String,
    /// The piece that all of it is about, where the functions of the model come in pieces.
    pub piece: Option<OnPiece>,
    /// The topics.
    pub topics: Vec<Topic>,
    /// Was the work cancelled before every topic was judged to its end?
    pub is_cut_short: bool,
}

impl Analysis {
    /// The analysis in no notation yet.
    pub fn document(&self) -> Document {
        let piece = self.piece.iter().map(|p| Block::paragraph(p.words()));
        Document {
            lead: vec![self.sentence.clone()],
            opening: piece.chain(summary(&self.topics)).collect(),
            sections: sections(&self.topics, assumable(&self.problem).as_deref()),
            order: self.problem.order([]),
            limit: Limit::EVIDENCE,
            ..Document::new(self.problem.heading()).with_data(data::data(self))
        }
    }

    /// Plain text, with Greek letters or without.
    pub fn text(&self, unicode: bool) -> String {
        self.document().text(unicode)
    }

    /// A LaTeX fragment.
    pub fn latex(&self) -> String {
        self.document().latex()
    }

    /// An HTML fragment with MathML.
    pub fn html(&self) -> String {
        self.document().html()
    }

    /// JSON.
    pub fn json(&self) -> serde_json::Value {
        self.document().json(false)
    }
}

/// What a model could say of parameters that are positive and of which it says nothing.
fn assumable(problem: &Problem) -> Option<String> {
    let values = &problem.values;
    let assumed = |p: &Symbol| {
        let sides = problem.assumptions.iter().flat_map(|a| [&a.lhs, &a.rhs]);
        let mut sides = sides;
        sides.any(|e| e.contains(p))
    };
    let open = problem.parameters.iter().map(|p| &p.symbol);
    let open = open.filter(|p| !assumed(p) && values.number(&(*p).into()).is_some_and(|v| v > 0.0));
    let facts: Vec<String> = open.take(4).map(|p| format!("{p} > 0")).collect();
    (!facts.is_empty()).then(|| format!("`assume {}`", facts.join(", ")))
}

/// One line per topic, before the details of several.
fn summary(topics: &[Topic]) -> Option<Block> {
    let line = |topic: &Topic| {
        let answer = verdict(&topic.finding.answer);
        let here = topic
            .different()
            .map(|(_, headline)| format!("; {headline}"));
        let words = format!(
            "{answer}: {}{}",
            topic.finding.statement,
            here.unwrap_or_default()
        );
        (heading(topic.name), words)
    };
    let rows: Vec<(String, String)> = topics.iter().map(line).collect();
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    (rows.len() > 1).then_some(Block::Rows(width, rows))
}

/// The topics, each under its heading.
fn sections(topics: &[Topic], hint: Option<&str>) -> Vec<Section> {
    let mut all: Vec<Vec<Item>> = topics.iter().map(items).collect();
    once::told_once(&mut all.iter_mut().collect::<Vec<_>>());
    let each = topics.iter().zip(all).map(|(topic, items)| {
        let mut blocks = at_the_values(topic, hint);
        blocks.extend(items.into_iter().map(Block::Item));
        Section::new(heading(topic.name), blocks)
    });
    each.collect()
}

/// What is different for the values at hand.
fn at_the_values(topic: &Topic, hint: Option<&str>) -> Vec<Block> {
    let Some((here, headline)) = topic.different() else {
        return Vec::new();
    };
    let mut blocks = vec![Block::paragraph(headline)];
    if here.overturns() {
        blocks.push(Block::detail(evidence(&here.topic.finding.answer)));
    }
    blocks.extend(here.details(hint).into_iter().map(Block::detail));
    blocks
}

/// The statement, and the rest.
fn items(topic: &Topic) -> Vec<Item> {
    let overturned = topic.different().is_some_and(|(here, _)| here.overturns());
    let general = if overturned { "in general, " } else { "" };
    let label = format!("{general}{}", topic.finding.statement);
    let answer = Value::Answer(topic.finding.answer.clone());
    let statement = Item::new("", label, answer);
    [statement].into_iter().chain(topic.items.clone()).collect()
}

/// `first_integrals` as a heading.
fn heading(name: &str) -> String {
    if name == "hamilton_jacobi" {
        return "Hamilton-Jacobi".into();
    }
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    letters
        .next()
        .map(|c| c.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}
