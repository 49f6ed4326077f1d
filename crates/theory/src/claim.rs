//! Claims: what is said of a system, and the evidence for it.

use rattleback_symbolic::Expr;

/// A claim about a system, decided or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// True, and why.
    Proven {
        /// The theorem or computation that shows it.
        how: String,
    },
    /// False, with a point or an object that shows it.
    Refuted {
        /// What shows it.
        witness: String,
    },
    /// Neither could be shown.
    Undecided {
        /// What stood in the way.
        why: String,
    },
}

impl Claim {
    /// True, because of this.
    pub fn proven(how: impl Into<String>) -> Self {
        Claim::Proven { how: how.into() }
    }

    /// False, as this shows.
    pub fn refuted(witness: impl Into<String>) -> Self {
        Claim::Refuted {
            witness: witness.into(),
        }
    }

    /// Not decided, because of this.
    pub fn undecided(why: impl Into<String>) -> Self {
        Claim::Undecided { why: why.into() }
    }

    /// Is it proven?
    pub fn is_proven(&self) -> bool {
        matches!(self, Claim::Proven { .. })
    }

    /// Is it refuted?
    pub fn is_refuted(&self) -> bool {
        matches!(self, Claim::Refuted { .. })
    }
}

/// A special value of the parameters that changes an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// What vanishes there.
    pub condition: Expr,
    /// What is different then.
    pub then: String,
}
