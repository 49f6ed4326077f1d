//! Special values of the parameters.

use rattleback_symbolic::Expr;

/// A special value of the parameters that changes an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// What vanishes there.
    pub condition: Expr,
    /// What is different then.
    pub then: String,
}
