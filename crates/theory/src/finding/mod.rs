//! Findings: what is said of a system, and the evidence for it as data.

mod case;
mod defined;
mod evidence;
mod function;
mod gap;
mod phrase;
mod reason;
pub(crate) mod search;
mod theorem;
mod words;

pub use case::Case;
pub use defined::Definitions;
pub use evidence::{Absent, Evidence, Point, Zero};
pub use function::Function;
pub use gap::Gap;
pub use phrase::{Named, Phrase, Term};
pub use reason::Reason;
pub use theorem::{Absence, Theorem};
pub use words::point;

use rattleback_mechanics::tidy::tidy;
use rattleback_symbolic::{Expr, Verdict};

/// A statement about a system, and whether it is so.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What is claimed, in a sentence.
    pub statement: String,
    /// Is it so?
    pub answer: Answer,
}

impl Finding {
    /// A statement and its answer.
    pub fn new(statement: impl Into<String>, answer: Answer) -> Self {
        Self {
            statement: statement.into(),
            answer,
        }
    }
}

/// Is a statement true? The evidence is data; [`words`](Answer::words) makes prose of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// It is true, as this shows.
    Proven(Evidence),
    /// It is false, as this shows.
    Refuted(Evidence),
    /// Neither could be shown, for this reason.
    Undecided(Reason),
}

impl Answer {
    /// True, because of this.
    pub fn proven(how: impl Into<Evidence>) -> Self {
        Answer::Proven(how.into())
    }

    /// False, as this shows.
    pub fn refuted(witness: impl Into<Evidence>) -> Self {
        Answer::Refuted(witness.into())
    }

    /// Not decided, because of this.
    pub fn undecided(why: impl Into<Reason>) -> Self {
        Answer::Undecided(why.into())
    }

    /// Not decided, because of an error.
    pub fn failed(error: impl std::fmt::Display) -> Self {
        Answer::Undecided(Reason::failed(error))
    }

    /// Do functions vanish? From the answer of the zero test about these very functions.
    ///
    /// ```
    /// use rattleback_symbolic::{Expr, Symbol, prove_zero};
    /// use rattleback_theory::{Answer, Evidence, Function};
    /// let x = Expr::from(Symbol::variable("x"));
    /// let f = [x.cos() - 1];
    /// let answer = Answer::vanish(&f, prove_zero(&f[0]), Function::Residual);
    /// let Answer::Refuted(Evidence::Point(point)) = answer else { panic!("it does not") };
    /// assert!(point.function == f[0] && point.value.excludes_zero());
    /// ```
    pub fn vanish(functions: &[Expr], verdict: Verdict, what: impl Into<Phrase<Function>>) -> Self {
        let what = what.into();
        match verdict {
            Verdict::Proven { how } => Answer::Proven(Evidence::Zero(Zero {
                what,
                functions: functions.to_vec(),
                proof: how,
            })),
            Verdict::Refuted { witness, value } => Answer::Refuted(Evidence::Point(Point {
                what,
                function: readable(&functions[witness.which]),
                which: witness.which,
                at: witness.point,
                value,
            })),
            Verdict::Undecided { why } => Answer::Undecided(Reason::Zero {
                what,
                functions: functions.to_vec(),
                why,
            }),
        }
    }

    /// The same answer, where it is yes by a theorem whose premise is what was proven.
    pub fn by(self, theorem: impl Into<Phrase<Theorem>>) -> Self {
        match self {
            Answer::Proven(premise) => Answer::Proven(Evidence::theorem(theorem, [premise])),
            other => other,
        }
    }

    /// The same answer, where it is no by a theorem whose premise is what was refuted.
    pub fn against(self, theorem: impl Into<Phrase<Theorem>>) -> Self {
        match self {
            Answer::Refuted(premise) => Answer::Refuted(Evidence::theorem(theorem, [premise])),
            other => other,
        }
    }

    /// The same answer, with the function that does not vanish called by its own name: `name` is told its place
    /// among those that were asked about.
    pub fn naming(mut self, name: impl FnOnce(usize) -> Phrase<Function>) -> Self {
        if let Answer::Refuted(Evidence::Point(point)) = &mut self {
            point.what = name(point.which);
        }
        self
    }

    /// The same answer, with another name for what does not vanish and the terms that it had.
    pub(crate) fn renamed(mut self, name: Function) -> Self {
        if let Answer::Refuted(Evidence::Point(point)) = &mut self {
            point.what.name = name;
        }
        self
    }

    /// Yes if all are, no if one is not.
    pub fn all(answers: &[&Answer]) -> Self {
        let refuted = answers.iter().find(|a| a.is_refuted());
        let open = answers.iter().find(|a| !a.is_proven());
        if let Some(answer) = refuted.or(open) {
            return (*answer).clone();
        }
        let parts = answers.iter().filter_map(|a| a.evidence().cloned());
        Answer::Proven(Evidence::Parts(parts.collect()))
    }

    /// The evidence, where it is decided.
    pub fn evidence(&self) -> Option<&Evidence> {
        match self {
            Answer::Proven(evidence) | Answer::Refuted(evidence) => Some(evidence),
            Answer::Undecided(_) => None,
        }
    }

    /// The evidence or the reason in words.
    pub fn words(&self) -> String {
        match self {
            Answer::Proven(evidence) | Answer::Refuted(evidence) => evidence.to_string(),
            Answer::Undecided(reason) => reason.to_string(),
        }
    }

    /// Is it true, false or open?
    pub fn decided(&self) -> Option<bool> {
        match self {
            Answer::Proven(_) => Some(true),
            Answer::Refuted(_) => Some(false),
            Answer::Undecided(_) => None,
        }
    }

    /// Is it proven?
    pub fn is_proven(&self) -> bool {
        self.decided() == Some(true)
    }

    /// Is it refuted?
    pub fn is_refuted(&self) -> bool {
        self.decided() == Some(false)
    }
}

/// A short function as a person would write it.
fn readable(f: &Expr) -> Expr {
    match f.node_count() {
        short if short <= READABLE => tidy(f),
        _ => f.clone(),
    }
}

/// Longer functions are kept as they come.
const READABLE: usize = 80;

#[cfg(test)]
mod tests;
