//! Reasons why a statement is neither proven nor refuted.

use super::phrase::Phrase;
use super::{Evidence, Function, Gap};
use crate::finding::search::{CutShort, Exhausted, Searched};
use rattleback_symbolic as symbolic;
use rattleback_symbolic::Expr;

/// Why a statement stays open.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The zero test did not decide.
    Zero {
        /// What the functions are.
        what: Phrase<Function>,
        /// The functions.
        functions: Vec<Expr>,
        /// Why it did not.
        why: symbolic::Reason,
    },
    /// The work was cut short.
    CutShort(CutShort),
    /// Nothing was found where it was looked for; elsewhere it was not.
    NotFound {
        /// What was not found.
        what: Phrase<Gap>,
        /// Where it was looked for, and how far.
        searched: Searched,
        /// How many candidates were looked at, or why not all were.
        end: Result<Exhausted, CutShort>,
    },
    /// What is in the way, with what is behind it.
    Gap {
        /// What is in the way.
        gap: Phrase<Gap>,
        /// What was shown on the way.
        shown: Vec<Evidence>,
        /// The reason behind.
        behind: Option<Box<Reason>>,
    },
    /// A computation failed, in the words of the error.
    Failed(String),
}

impl Reason {
    /// A computation failed.
    pub fn failed(error: impl std::fmt::Display) -> Self {
        Reason::Failed(error.to_string())
    }

    /// The effort is used up, or somebody cancelled.
    pub(crate) fn out_of_effort() -> Self {
        Reason::CutShort(CutShort::here(0))
    }

    /// This is in the way, because of that.
    pub fn because(gap: impl Into<Phrase<Gap>>, behind: impl Into<Reason>) -> Self {
        Reason::Gap {
            gap: gap.into(),
            shown: Vec::new(),
            behind: Some(Box::new(behind.into())),
        }
    }

    /// This is in the way, although something was shown.
    pub fn although(gap: impl Into<Phrase<Gap>>, shown: Evidence) -> Self {
        Reason::Gap {
            gap: gap.into(),
            shown: vec![shown],
            behind: None,
        }
    }

    /// Was the work cancelled, here or behind?
    pub fn is_cancelled(&self) -> bool {
        match self {
            Reason::Zero { why, .. } => *why == symbolic::Reason::Cancelled,
            Reason::CutShort(cut) | Reason::NotFound { end: Err(cut), .. } => cut.is_cancelled(),
            Reason::Gap { gap, behind, .. } => {
                gap.name == Gap::Cancelled || behind.as_ref().is_some_and(|r| r.is_cancelled())
            }
            Reason::NotFound { .. } | Reason::Failed(_) => false,
        }
    }
}

impl From<Phrase<Gap>> for Reason {
    fn from(gap: Phrase<Gap>) -> Self {
        Reason::Gap {
            gap,
            shown: Vec::new(),
            behind: None,
        }
    }
}
impl From<Gap> for Reason {
    fn from(gap: Gap) -> Self {
        Phrase::from(gap).into()
    }
}

impl From<CutShort> for Reason {
    fn from(cut: CutShort) -> Self {
        match cut {
            CutShort::LeftOut(what) => *what,
            cut => Reason::CutShort(cut),
        }
    }
}
