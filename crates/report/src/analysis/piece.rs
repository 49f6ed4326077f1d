//! What a page says where the functions of a model come in pieces.

use super::page::Topic;
use super::topic::is_pointwise;
use crate::mechanics::Piece;
use crate::symbolic::{Cut, Expr, Fact, Style, Symbol, text};
use crate::theory::{Answer, Gap, Named};

/// The piece that a page is about.
pub struct OnPiece {
    /// What holds on it.
    pub facts: Vec<Fact>,
    /// Does the start lie between two pieces?
    pub between: bool,
    /// Places at which the model may still fall into pieces.
    pub open: Vec<Cut>,
    /// A point around which the functions are analytic, where they may not be on all of the piece.
    pub around: Option<Vec<(Symbol, Expr)>>,
}

impl OnPiece {
    /// The piece of a model.
    pub fn of(piece: &Piece) -> Self {
        Self {
            facts: piece.facts.clone(),
            between: piece.between,
            open: piece.open.clone(),
            around: piece.near.as_ref().map(|(_, at)| at.clone()),
        }
    }

    /// The remark on top of the page.
    pub fn words(&self) -> String {
        let which = match self.between {
            false => "on which the start lies",
            true => "one of those at whose border the start lies",
        };
        let place = [self.facts(), self.point().into_iter().collect()].concat();
        let known = match place.is_empty() {
            true => "the functions of the model come in pieces".to_owned(),
            false => format!(
                "the functions of the model come in pieces, and all that follows is about the piece {}, {which}: on others it may be different",
                place.join(", ")
            ),
        };
        if self.around.is_some() {
            return known;
        }
        match self.open.is_empty() {
            true => known,
            false => format!(
                "{known}; the pieces at {} are not told apart",
                zeros(&self.open)
            ),
        }
    }

    /// What holds on the piece, in words.
    pub fn facts(&self) -> Vec<String> {
        self.facts.iter().map(ToString::to_string).collect()
    }

    /// The point that it is around, in words.
    pub fn point(&self) -> Option<String> {
        let value = |(s, e): &(Symbol, Expr)| format!("{s} = {e}");
        let all = self.around.as_ref()?.iter().map(value);
        Some(format!("around {}", all.collect::<Vec<_>>().join(", ")))
    }

    /// A topic that speaks of a piece: open where pieces were not told apart.
    pub fn judged(&self, mut topic: Topic) -> Topic {
        let is_apart = self.open.is_empty() || self.around.is_some() && !is_pointwise(topic.name);
        if !is_apart && topic.finding.answer.decided().is_some() {
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
