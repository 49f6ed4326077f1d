//! What `derive` shows: the equations of one formulation in sections, for any notation.

mod abbreviated;
mod angles;
mod constrained;
mod data;
pub(crate) mod element;
mod energy;
mod implicit;
mod matrices;
mod naming;
mod reuse;
mod rows;
mod sections;
mod start;
mod vector;

/// Formulas and parameters of models as JSON.
pub mod json {
    pub use super::data::parameters;
    pub use crate::document::Formulas;
}

use crate::compile::AtStart;
use crate::document::length::Limit;
use crate::document::{Document, Section};
use crate::kind::Kind;
use crate::mechanics::{Equations, Form, Problem};
use crate::symbolic::Order;

/// Equations with all that a reader wants to know of them.
pub struct Sheet<'a> {
    /// The problem that the model poses.
    pub problem: &'a Problem,
    /// What kind of system it is.
    pub kind: &'a Kind,
    /// The equations as a machine gets them, in the names of the state.
    pub equations: &'a Equations,
    /// The same as a person reads them, in the names that the model gives its frame.
    pub spoken: &'a Equations,
    /// The same with every solve as it is stated.
    pub stated: &'a Equations,
    /// The names of the declared frame; none where it is computed.
    pub frame: Vec<String>,
    /// Numbers at the start, where they could be worked out.
    pub at_start: Option<&'a AtStart>,
    /// Formulations of the same motion with the [characters](Sheet::characters) of their formulas, shortest first, where
    /// they were compared.
    pub lengths: &'a [(Form, Option<usize>)],
    /// Notes.
    pub notes: Vec<String>,
    /// Write every formula, however long.
    pub full: bool,
}

impl Sheet<'_> {
    /// The title: the model's own, or its name.
    pub fn title(&self) -> String {
        self.problem.heading()
    }

    /// Symbols in the order in which the model declares them.
    pub fn order(&self) -> Order {
        let state = self.spoken.state.iter().chain(self.equations.state.iter());
        self.problem.order(state)
    }

    /// How long a formula may be: as usual, or as long as can be.
    fn limit(&self, usual: Limit) -> Limit {
        if self.full { Limit::FULL } else { usual }
    }

    /// The sheet in no notation yet.
    pub fn document(&self) -> Document {
        let form = format!("in the form {}", self.equations.form);
        let vectors = vector::vector_form(self.problem, self.stated, self.spoken);
        let data = data::data(self, vectors.as_ref());
        Document {
            lead: vec![self.kind.sentence(), form],
            sections: sections::sections(self, vectors.filter(|_| !self.full)),
            order: self.order(),
            limit: self.limit(Limit::EXCHANGED),
            ..Document::new(self.title()).with_data(data)
        }
    }

    /// The sections of formulas alone: without title, state, notes and numbers.
    pub fn formulas(&self) -> Document {
        let mut document = self.document();
        let is_formula = |s: &Section| !sections::BESIDE.iter().any(|h| s.heading.starts_with(h));
        document.sections.retain(is_formula);
        Document {
            order: document.order,
            sections: document.sections,
            ..Document::new("")
        }
    }

    /// How many characters a reader sees of the formulas; `None` where some are too long to be shown.
    pub fn characters(&self) -> Option<usize> {
        let formulas = self.formulas();
        let whole = !formulas.sections.iter().any(sections::is_remainder);
        whole.then(|| formulas.text(true).chars().count())
    }

    /// Plain text, with Greek letters and dots or without.
    pub fn text(&self, unicode: bool) -> String {
        self.document().text(unicode)
    }

    /// A LaTeX fragment.
    pub fn latex(&self) -> String {
        self.document().latex()
    }

    /// An HTML fragment with MathML.
    pub fn mathml(&self) -> String {
        self.document().html()
    }

    /// JSON; with MathML beside text and LaTeX if asked for.
    pub fn json(&self, mathml: bool) -> serde_json::Value {
        self.document().json(mathml)
    }
}
