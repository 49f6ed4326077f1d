//! Operators and brackets that wait for their operands.

use crate::source::Span;
use crate::syntax::Name;
use crate::token::Token;

/// How tight an operator binds, from loose to tight.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Sum,
    Product,
    Sign,
    Power,
}

pub(super) enum Bracket {
    Group,
    List,
    Call(Name),
    Index,
}

/// An operator that waits for its right operand, or a bracket that waits for its end.
pub(super) enum Pending {
    /// The flag says whether the right operand is subtracted or divides.
    Infix(Level, bool),
    Negate(Span),
    Open {
        bracket: Bracket,
        token: Token,
        base: usize,
    },
}

impl Pending {
    pub(super) fn level(&self) -> Option<Level> {
        match self {
            Pending::Infix(level, _) => Some(*level),
            Pending::Negate(_) => Some(Level::Sign),
            Pending::Open { .. } => None,
        }
    }

    /// Sums and products are flat; everything else nests.
    pub(super) fn nests(&self) -> bool {
        !matches!(self.level(), Some(Level::Sum | Level::Product))
    }
}
