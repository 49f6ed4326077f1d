//! Problems with ends: conditions at one time, guesses, costs and free numbers.

use rattleback_symbolic::{Expr, Role, Symbol};

use crate::source::Span;
use crate::syntax::Relation;

/// A number that an optimisation may choose. It is one of the parameters too, and its value there is its guess.
#[derive(Clone, Debug)]
pub struct FreeNumber {
    /// The symbol; entries of vectors are `k[1]`, ….
    pub symbol: Symbol,
    /// The comment at its declaration.
    pub doc: Option<String>,
    /// Where it is declared.
    pub span: Span,
}

/// A condition on the state at one time, in free numbers and [values at the start](crate::at_start) too.
#[derive(Clone, Debug)]
pub enum Condition {
    /// `left relation right`, where the relation is `=`, `<=` or `>=`.
    Scalar {
        /// Left side.
        left: Expr,
        /// The relation.
        relation: Relation,
        /// Right side.
        right: Expr,
        /// Where it stands.
        span: Span,
    },
    /// A group factor is a given element: one condition, though it has many entries.
    Element {
        /// The name of the factor.
        group: String,
        /// The entries of the element, row by row.
        entries: Vec<Expr>,
        /// Where it stands.
        span: Span,
    },
}

impl Condition {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Condition::Scalar { span, .. } | Condition::Element { span, .. } => *span,
        }
    }

    /// The value that it gives to a quantity of the state alone: `x' = 0`.
    ///
    /// ```
    /// use rattleback_language::{Source, parse};
    /// let text = "system a\ncoord x, y\nlagrangian x'^2 + y'^2\ngoal x = 1, x + y >= 2\n";
    /// let model = parse(&Source::new("a", text)).model.unwrap();
    /// let (symbol, value) = model.goals[0].assigned().unwrap();
    /// assert_eq!((symbol.name(), value.to_string().as_str()), ("x", "1"));
    /// assert!(model.goals[1].assigned().is_none());
    /// ```
    pub fn assigned(&self) -> Option<(&Symbol, &Expr)> {
        match self {
            Condition::Scalar {
                left,
                relation: Relation::Equal,
                right,
                ..
            } => {
                let symbol = left.as_symbol().filter(|s| s.role() == Role::Variable)?;
                Some((symbol, right))
            }
            _ => None,
        }
    }

    /// Every expression in it.
    pub fn expressions(&self) -> Vec<&Expr> {
        match self {
            Condition::Scalar { left, right, .. } => vec![left, right],
            Condition::Element { entries, .. } => entries.iter().collect(),
        }
    }
}

/// Conditions at a time inside the horizon.
#[derive(Clone, Debug)]
pub struct Via {
    /// The time, in parameters and free numbers.
    pub time: Expr,
    /// What holds there.
    pub conditions: Vec<Condition>,
    /// Where it stands.
    pub span: Span,
}

/// The first iterate of one quantity along the path.
#[derive(Clone, Debug)]
pub struct Guess {
    /// A coordinate, an entry of a group element, an auxiliary state or a control.
    pub symbol: Symbol,
    /// An expression in `t`, parameters and free numbers.
    pub value: Expr,
    /// Where it stands.
    pub span: Span,
}

/// One term of the running or of the terminal cost.
#[derive(Clone, Debug)]
pub struct Cost {
    /// The term.
    pub expr: Expr,
    /// The comment at its statement.
    pub doc: Option<String>,
    /// Where it stands.
    pub span: Span,
}

/// The sum of the terms; none where there are none.
pub(crate) fn total(terms: &[Cost]) -> Option<Expr> {
    let sum = || Expr::sum(terms.iter().map(|term| term.expr.clone()));
    (!terms.is_empty()).then(sum)
}
