//! What a page says where the functions of a model come in pieces.

use super::page::Topic;
use crate::language::Piece;
use crate::symbolic::{Cut, Expr, Fact, Style, text};
use crate::theory::{Answer, Gap, Named};

/// The piece that a page is about.
pub struct OnPiece {
    /// What holds on it.
    pub facts: Vec<Fact>,
    /// Does the start lie between two pieces?
    pub between: bool,
    /// Places at which the model may still fall into pieces.
    pub open: Vec<Cut>,
}

impl OnPiece {
    /// The piece of a model.
    pub fn of(piece: &Piece) -> Self {
        Self {
            facts: piece.facts.clone(),
            between: piece.between,
            open: piece.open.clone(),
        }
    }

    /// The remark on top of the page.
    pub fn words(&self) -> String {
        let facts: Vec<String> = self.facts.iter().map(ToString::to_string).collect();
        let which = match self.between {
            false => "on which the start lies",
            true => "one of those at whose border the start lies",
        };
        let known = match facts.is_empty() {
            true => "the functions of the model come in pieces".to_owned(),
            false => format!(
                "the functions of the model come in pieces, and all that follows is about the piece {}, {which}: on others it may be different",
                facts.join(", ")
            ),
        };
        match self.open.is_empty() {
            true => known,
            false => format!(
                "{known}; the pieces at {} are not told apart",
                zeros(&self.open)
            ),
        }
    }

    /// A topic that speaks of a piece: open where pieces were not told apart.
    pub fn judged(&self, mut topic: Topic) -> Topic {
        if !self.open.is_empty() && topic.finding.answer.decided().is_some() {
            let why = Gap::Pieces.with("places", zeros(&self.open));
            topic = Topic::new(topic.name, topic.finding.statement, Answer::undecided(why));
        }
        topic
    }
}

fn zeros(open: &[Cut]) -> String {
    let style = Style::default();
    let zero = |e: &Expr| format!("{} = 0", text(e, &style));
    open.iter()
        .map(|c| zero(&c.at))
        .collect::<Vec<_>>()
        .join(", ")
}
