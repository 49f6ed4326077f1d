//! Claims: what is said of a system, and the evidence for it.

use rattleback_symbolic::{Expr, Rational, Symbol, Verdict};

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

    /// The claim that something vanishes, from the answer of the zero test.
    pub fn that_vanishes(verdict: &Verdict, what: &str) -> Self {
        match verdict {
            Verdict::Proven { how } => Claim::proven(format!("{what} vanishes: {how}")),
            Verdict::Refuted { witness, value } => {
                Claim::refuted(format!("{what} is {value} at {}", point(witness)))
            }
            Verdict::Undecided { why } => Claim::undecided(why.clone()),
        }
    }

    /// The evidence, whichever it is.
    pub fn evidence(&self) -> &str {
        match self {
            Claim::Proven { how } => how,
            Claim::Refuted { witness } => witness,
            Claim::Undecided { why } => why,
        }
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

/// A point in words: `x = 1/2, phi = 3`.
pub fn point(witness: &[(Symbol, Rational)]) -> String {
    let values: Vec<String> = witness.iter().map(|(s, r)| format!("{s} = {r}")).collect();
    if values.is_empty() {
        return "every point".into();
    }
    values.join(", ")
}

/// A special value of the parameters that changes an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// What vanishes there.
    pub condition: Expr,
    /// What is different then.
    pub then: String,
}
