//! What is shown of something, in no notation yet: headings, words, formulas, findings, tables and figures.
//!
//! A page makes a [`Document`] and is done; text, LaTeX, HTML with MathML and JSON are written from it in one place each.
//!
//! ```
//! use rattleback_report::document::{Block, Data, Document};
//! use rattleback_symbolic::{Expr, Symbol};
//!
//! let energy = Expr::from(Symbol::variable("omega")).powi(2) / 2;
//! let document = Document::new("A wheel")
//!     .section("Energy", [Block::Equations(vec![(Symbol::variable("E").into(), energy.clone())])])
//!     .with_data(Data::object([("energy", Data::Formula(energy))]));
//! assert_eq!(document.text(true), "A wheel\n\nEnergy\n  E = ω^2/2\n");
//! assert!(document.latex().contains(r"\frac{\omega^{2}}{2}"));
//! assert!(document.html().contains("<h2>Energy</h2>"));
//! assert_eq!(document.json(false)["energy"]["text"], "omega^2/2");
//! ```

mod broken;
mod data;
mod escape;
mod evidence;
mod html;
mod integral;
mod item;
pub mod json;
mod latex;
mod left_side;
pub mod length;
mod shared;
mod text;
mod vector;
pub mod wrap;

pub use data::Data;
pub use item::{Item, Labelled, Special, Value};
pub use json::Formulas;
pub use vector::Vector;

pub(crate) use item::{evidence, flag, verdict};

use crate::symbolic::{Expr, Order, Symbol};
use length::Limit;

/// Something to be shown.
#[derive(Clone, Debug)]
pub struct Document {
    /// The title.
    pub title: String,
    /// What it is about, in phrases.
    pub lead: Vec<String>,
    /// Documents that it is made of, each under a name.
    pub parts: Vec<(String, Document)>,
    /// What stands before the first heading.
    pub opening: Vec<Block>,
    /// What stands under headings.
    pub sections: Vec<Section>,
    /// What else a reader must know.
    pub remarks: Vec<Remark>,
    /// The same for a machine.
    pub data: Data,
    /// The order of symbols in formulas.
    pub order: Order,
    /// How long a formula may be that a machine is given.
    pub limit: Limit,
}

/// A heading and what stands under it.
#[derive(Clone, Debug)]
pub struct Section {
    /// The heading; without words it is a gap.
    pub heading: String,
    /// Symbols that the heading ends with.
    pub of: Vec<Symbol>,
    /// What stands under it.
    pub blocks: Vec<Block>,
}

/// A word to the reader beside the page.
#[derive(Clone, Debug)]
pub enum Remark {
    /// Something is not as it should be.
    Warning(String),
    /// Something is worth knowing.
    Note(String),
}

/// What stands on a page.
#[derive(Clone, Debug)]
pub enum Block {
    /// Prose; what is deeper belongs to what stands above it.
    Paragraph {
        /// The words.
        words: String,
        /// How deep.
        depth: usize,
    },
    /// Sentences, a line each.
    Lines(Vec<String>),
    /// Symbols in a row.
    Symbols(Vec<Symbol>),
    /// Equations, left and right side.
    Equations(Vec<(Expr, Expr)>),
    /// Equations between vectors, left and right side.
    Vectors(Vec<(Vector, Vector)>),
    /// Brackets {a, b} = value.
    Brackets(Vec<(Symbol, Symbol, Expr)>),
    /// Functions that must not vanish.
    NonZero(Vec<Expr>),
    /// A statement, an object or a list of them, with a label.
    Item(Item),
    /// Things and what is said of each; the names take this much room at least.
    Rows(usize, Vec<(String, String)>),
    /// Names and their values.
    Values(Vec<(String, String)>),
    /// A table.
    Table(Tabular),
    /// A drawing with what it shows.
    Figure {
        /// The drawing, as SVG.
        svg: String,
        /// What it shows.
        caption: String,
    },
}

/// A table: what a row is about stands in front.
#[derive(Clone, Debug)]
pub struct Tabular {
    /// What the columns are; none for a table without a head.
    pub head: Vec<Name>,
    /// The rows.
    pub rows: Vec<(Name, Vec<Cell>)>,
    /// Are columns so wide that numbers stand below each other to the right? Else they are as wide as need be.
    pub wide: bool,
}

impl Tabular {
    /// A table of words and numbers, with words as its head.
    pub fn of_words(
        head: &[&str],
        rows: impl IntoIterator<Item = (Name, Vec<String>)>,
        wide: bool,
    ) -> Self {
        let words = |(name, cells): (Name, Vec<String>)| {
            let cells = cells.into_iter().map(Cell::Words);
            (name, cells.collect())
        };
        let head = head.iter().map(|&h| Name::Words(h.to_owned()));
        Self {
            head: head.collect(),
            rows: rows.into_iter().map(words).collect(),
            wide,
        }
    }
}

/// What stands in a table.
#[derive(Clone, Debug)]
pub enum Cell {
    /// A number or words.
    Words(String),
    /// A formula.
    Formula(Expr),
}

/// What a row or a column of a table is about.
#[derive(Clone, Debug)]
pub enum Name {
    /// Words.
    Words(String),
    /// A symbol.
    Symbol(Symbol),
    /// A name as it is.
    Plain(String),
}

impl Document {
    /// A title and nothing else.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            lead: Vec::new(),
            parts: Vec::new(),
            opening: Vec::new(),
            sections: Vec::new(),
            remarks: Vec::new(),
            data: Data::Object(Vec::new()),
            order: Order::default(),
            limit: Limit::EXCHANGED,
        }
    }

    /// With a section; one in which nothing stands is left out.
    pub fn section(
        mut self,
        heading: impl Into<String>,
        blocks: impl IntoIterator<Item = Block>,
    ) -> Self {
        let section = Section::new(heading, blocks);
        if !section.is_empty() {
            self.sections.push(section);
        }
        self
    }

    /// With what a machine is told.
    pub fn with_data(self, data: Data) -> Self {
        Self { data, ..self }
    }

    /// With notes.
    pub fn with_notes(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        self.remarks.extend(notes.into_iter().map(Remark::Note));
        self
    }

    /// Plain text, with Greek letters and dots or without.
    pub fn text(&self, unicode: bool) -> String {
        text::write(self, unicode, None)
    }

    /// Plain text in lines that are not wider than so many columns, names and numbers that are longer excepted.
    pub fn text_within(&self, unicode: bool, columns: usize) -> String {
        text::write(self, unicode, Some(columns))
    }

    /// A LaTeX fragment.
    pub fn latex(&self) -> String {
        latex::write(self)
    }

    /// A LaTeX document that stands alone.
    pub fn latex_page(&self) -> String {
        latex::page(&self.latex())
    }

    /// An HTML fragment with MathML.
    pub fn html(&self) -> String {
        html::write(self)
    }

    /// JSON; with MathML beside text and LaTeX if asked for.
    pub fn json(&self, mathml: bool) -> serde_json::Value {
        json::write(self, mathml)
    }
}

impl Section {
    /// A section.
    pub fn new(heading: impl Into<String>, blocks: impl IntoIterator<Item = Block>) -> Self {
        Self {
            heading: heading.into(),
            of: Vec::new(),
            blocks: blocks.into_iter().filter(|b| !b.is_empty()).collect(),
        }
    }

    /// Does nothing stand under the heading?
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }
}

impl Block {
    /// Prose that belongs to nothing above it.
    pub fn paragraph(words: impl Into<String>) -> Self {
        Block::Paragraph {
            words: words.into(),
            depth: 0,
        }
    }

    /// Prose about what stands above it.
    pub fn detail(words: impl Into<String>) -> Self {
        Block::Paragraph {
            words: words.into(),
            depth: 1,
        }
    }

    /// Is there nothing to show?
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Block::Lines(x) => x.is_empty(),
            Block::Symbols(x) => x.is_empty(),
            Block::Equations(x) => x.is_empty(),
            Block::Vectors(x) => x.is_empty(),
            Block::Brackets(x) => x.is_empty(),
            Block::NonZero(x) => x.is_empty(),
            Block::Rows(_, x) | Block::Values(x) => x.is_empty(),
            Block::Table(x) => x.rows.is_empty(),
            Block::Item(item) => item.quiet,
            Block::Paragraph { .. } | Block::Figure { .. } => false,
        }
    }
}

/// What a quantity of this name is as a symbol: primes behind the name are derivatives.
pub fn symbol_of(name: &str) -> Symbol {
    let bare = name.trim_end_matches('\'');
    let order = u32::try_from(name.len() - bare.len()).unwrap_or(0);
    Symbol::variable(bare).jet(order)
}
