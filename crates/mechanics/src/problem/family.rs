//! A model and what becomes of it elsewhere: on the piece of its start, at the values of its parameters, at special ones.

use super::Problem;
use crate::error::MechanicsError;
use rattleback_language::{Diagnostic, Model, Source};
use rattleback_symbolic::{Cut, Expr, Fact, Symbol};
use std::sync::Arc;

/// The problems of a model whose parameters are given numbers or one another's names. What depends on the values, such
/// as the kind of a constraint, is worked out anew from the text, which stays behind this wall.
#[derive(Clone, Debug)]
pub struct Family {
    model: Arc<Model>,
    source: Arc<Source>,
}

/// A model on the piece of its start, where its functions come in pieces.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The model, whose symbols know that they are on the piece.
    pub family: Family,
    /// What holds on the piece.
    pub facts: Vec<Fact>,
    /// Does the start lie between two pieces, so that one of them was taken?
    pub between: bool,
    /// Places at which the model may still fall into pieces.
    pub open: Vec<Cut>,
    /// The model close to a point and that point, where its functions may not be analytic on all of the piece.
    pub near: Option<(Family, Vec<(Symbol, Expr)>)>,
}

impl Family {
    /// The family of a model that was read from a text.
    pub fn new(model: Arc<Model>, source: Arc<Source>) -> Self {
        Self { model, source }
    }

    /// The problem that it poses.
    pub fn problem(&self) -> Result<Problem, MechanicsError> {
        Problem::from_model(&self.model)
    }

    /// The piece on which the start lies; `None` where the functions are analytic wherever they are defined.
    pub fn piece(&self) -> Option<Piece> {
        let piece = self.model.piece(&self.source)?;
        let near = piece.near.map(|near| (self.with(near.model), near.at));
        Some(Piece {
            family: self.with(piece.model),
            facts: piece.facts,
            between: piece.between,
            open: piece.open,
            near,
        })
    }

    /// At the values of the parameters that the motion depends on; `None` where there are none, and what is wrong where
    /// there is no such model.
    pub fn at_values(&self) -> Option<Result<Self, String>> {
        let first =
            |all: Vec<Diagnostic>| all.first().map_or_else(String::new, |d| d.message.clone());
        let model = self.model.at_values(&self.source)?;
        Some(model.map(|model| self.with(model)).map_err(first))
    }

    /// With values or other parameters in the place of some parameters; `None` where that is no model.
    pub fn with_parameters(&self, fixed: &[(Symbol, Expr)]) -> Option<Self> {
        let model = self.model.with_parameters(&self.source, fixed)?;
        Some(self.with(model))
    }

    fn with(&self, model: Model) -> Self {
        Self::new(Arc::new(model), Arc::clone(&self.source))
    }
}
