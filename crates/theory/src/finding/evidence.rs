//! Evidence: what shows that a statement is true or false.

use super::phrase::Phrase;
use super::{Absence, Function, Theorem};
use crate::finding::search::Exhausted;
use rattleback_symbolic::{Enclosure, Expr, Rational, Symbol, ZeroProof};

/// What shows that a statement is true, or that it is false.
#[derive(Clone, Debug, PartialEq)]
pub enum Evidence {
    /// Functions vanish identically.
    Zero(Zero),
    /// A function does not vanish at a point.
    Point(Point),
    /// A theorem, with the terms it speaks of and what was shown for it.
    Theorem {
        /// The theorem and its terms.
        theorem: Phrase<Theorem>,
        /// What it rests on.
        premises: Vec<Evidence>,
    },
    /// There is none: all were looked at.
    Absent(Absent),
    /// Several pieces, one for each part of the statement.
    Parts(Vec<Evidence>),
}

/// Functions that vanish identically.
#[derive(Clone, Debug, PartialEq)]
pub struct Zero {
    /// What they are.
    pub what: Phrase<Function>,
    /// The functions.
    pub functions: Vec<Expr>,
    /// Why they vanish.
    pub proof: ZeroProof,
}

/// A function that does not vanish, because of its value at a real point that respects all that is assumed.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// What it is.
    pub what: Phrase<Function>,
    /// The function.
    pub function: Expr,
    /// Its place among the functions that were asked about.
    pub which: usize,
    /// The point.
    pub at: Vec<(Symbol, Rational)>,
    /// The value there.
    pub value: Enclosure,
}

/// Nothing of a kind: only a search that came to its end can say so.
#[derive(Clone, Debug, PartialEq)]
pub struct Absent {
    what: Phrase<Absence>,
    searched: Exhausted,
    premises: Vec<Evidence>,
}

impl Absent {
    /// What there is none of.
    pub fn what(&self) -> &Phrase<Absence> {
        &self.what
    }
    /// The search.
    pub fn searched(&self) -> &Exhausted {
        &self.searched
    }
    /// The same with other premises.
    pub(super) fn with_premises(self, change: impl FnOnce(Vec<Evidence>) -> Vec<Evidence>) -> Self {
        Self {
            premises: change(self.premises),
            ..self
        }
    }
    /// What was shown besides.
    pub fn premises(&self) -> &[Evidence] {
        &self.premises
    }
}

impl Evidence {
    /// A theorem, with what was shown for it.
    pub fn theorem(
        theorem: impl Into<Phrase<Theorem>>,
        premises: impl IntoIterator<Item = Evidence>,
    ) -> Self {
        Evidence::Theorem {
            theorem: theorem.into(),
            premises: premises.into_iter().collect(),
        }
    }

    /// There is none, as a search shows that left nothing out.
    pub fn none(
        what: impl Into<Phrase<Absence>>,
        searched: Exhausted,
        premises: impl IntoIterator<Item = Evidence>,
    ) -> Self {
        Evidence::Absent(Absent {
            what: what.into(),
            searched,
            premises: premises.into_iter().collect(),
        })
    }

    /// The pieces of evidence that it is made of, itself first.
    pub fn pieces(&self) -> Vec<&Evidence> {
        let mut all = vec![self];
        let mut next = 0;
        while let Some(&piece) = all.get(next) {
            next += 1;
            match piece {
                Evidence::Theorem { premises, .. } => all.extend(premises),
                Evidence::Absent(absent) => all.extend(&absent.premises),
                Evidence::Parts(parts) => all.extend(parts),
                Evidence::Zero(_) | Evidence::Point(_) => {}
            }
        }
        all
    }
}

impl From<Theorem> for Evidence {
    fn from(theorem: Theorem) -> Self {
        Evidence::theorem(theorem, [])
    }
}
impl From<Phrase<Theorem>> for Evidence {
    fn from(theorem: Phrase<Theorem>) -> Self {
        Evidence::theorem(theorem, [])
    }
}
