//! What `analyze` shows: one topic after the other, for any notation.

mod at_values;
mod evidence;
mod integral;
mod json;
mod latex;
mod page;
mod piece;
mod review;
mod text;
pub(crate) mod topic;

pub use at_values::AtValues;
pub use page::Topic;
pub use piece::OnPiece;
pub use review::reviewed;
pub use topic::{Question, TOPICS, question};

use crate::language::Model;
use crate::symbolic::{Order, Symbol};
use std::sync::Arc;

/// The topics of one model, judged.
pub struct Analysis {
    /// The model.
    pub model: Arc<Model>,
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
    /// The title: the model's own, or its name.
    pub fn title(&self) -> String {
        match &self.model.title {
            Some(title) => format!("{title} ({})", self.model.name),
            None => self.model.name.clone(),
        }
    }

    /// Symbols in the order in which the model declares them.
    pub fn order(&self) -> Order {
        let parameters = self.model.parameters.iter().map(|p| p.symbol.clone());
        let symbols: Vec<Symbol> = parameters
            .chain(self.model.positions())
            .chain(self.model.velocities())
            .collect();
        Order::new(&symbols)
    }

    /// Plain text, with Greek letters or without.
    pub fn text(&self, unicode: bool) -> String {
        text::write(self, unicode)
    }

    /// A LaTeX fragment.
    pub fn latex(&self) -> String {
        latex::write(self)
    }

    /// JSON.
    pub fn json(&self) -> serde_json::Value {
        json::write(self)
    }
}
