//! What `derive` shows: the equations of one formulation in sections, for any notation.

mod html;
mod implicit;
pub mod json;
pub mod latex;
pub mod length;
mod section;
pub mod shared;
mod text;
pub mod wrap;

use self::length::Limit;
use crate::kind::Kind;
use crate::language::Model;
use crate::mechanics::Equations;
use crate::start::AtStart;
use crate::symbolic::{Order, Symbol};

/// Equations with all that a reader wants to know of them.
pub struct Sheet<'a> {
    /// The model.
    pub model: &'a Model,
    /// What kind of system it is.
    pub kind: &'a Kind,
    /// The equations as they are shown.
    pub equations: &'a Equations,
    /// The names of the declared frame; none where it is computed.
    pub frame: Vec<String>,
    /// Numbers at the start, where they could be worked out.
    pub at_start: Option<&'a AtStart>,
    /// Notes.
    pub notes: Vec<String>,
    /// Write every formula, however long.
    pub full: bool,
}

impl Sheet<'_> {
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
            .chain(self.equations.state.iter().cloned())
            .collect();
        Order::new(&symbols)
    }

    /// How long a formula may be: as usual, or as long as can be.
    fn limit(&self, usual: Limit) -> Limit {
        if self.full { Limit::FULL } else { usual }
    }

    /// Plain text, with Greek letters and dots or without.
    pub fn text(&self, unicode: bool) -> String {
        text::write(self, unicode)
    }

    /// A LaTeX fragment.
    pub fn latex(&self) -> String {
        latex::write(self)
    }

    /// An HTML fragment with MathML.
    pub fn mathml(&self) -> String {
        html::write(self)
    }

    /// JSON; with MathML beside text and LaTeX if asked for.
    pub fn json(&self, mathml: bool) -> serde_json::Value {
        json::write(self, mathml)
    }
}
