//! The words of the language: statements, functions, reserved and generated names.

use rattleback_lie::Group;

use crate::drawing::draw_attribute;
use crate::token::Kind;

/// The words that begin a statement and mean nothing else.
pub(crate) const STATEMENTS: &[&str] = &[
    "system",
    "param",
    "assume",
    "coord",
    "group",
    "let",
    "lagrangian",
    "kinetic",
    "potential",
    "constraint",
    "force",
    "control",
    "symmetry",
    "fibre",
    "frame",
    "oneform",
    "observe",
    "start",
    "goal",
    "cost",
    "terminal",
    "bound",
    "time",
    "draw",
];

/// Words that begin a statement, and are names everywhere else: models of version 0.1 may have declared them.
pub(crate) const HEADS: &[&str] = &[
    "input", "state", "rate", "map", "flat", "periodic", "via", "guess",
];

/// Begins a statement, and is a value in `start`.
pub(crate) const FREE: &str = "free";

/// Calls that are no functions: the value at the start, the value at the next node, a value with a guess.
pub(crate) const MOMENTS: &[&str] = &["start", "next", FREE];

/// The other words of the statements.
pub(crate) const CONTEXT: &[&str] = &["angle", "velocity", "space", "on", "step"];

/// Functions of scalars with one argument.
pub(crate) const SCALAR_FUNCTIONS: &[&str] = &[
    "sin", "cos", "tan", "cot", "sec", "csc", "asin", "acos", "atan", "sinh", "cosh", "tanh",
    "exp", "log", "sqrt",
];

/// All other functions.
pub(crate) const OTHER_FUNCTIONS: &[&str] = &[
    "atan2",
    "dot",
    "cross",
    "norm2",
    "transpose",
    "hat",
    "diag",
    "rotation",
];

/// Constants.
pub(crate) const CONSTANTS: &[&str] = &["t", "pi", "identity"];

/// The families of groups that a factor of the configuration space may be.
pub(crate) fn groups() -> Vec<&'static str> {
    let mut families = Group::ALL.map(Group::family).to_vec();
    families.dedup();
    families
}

/// Every word that begins a statement.
pub(crate) fn statements() -> impl Iterator<Item = &'static str> + Clone {
    STATEMENTS.iter().chain(HEADS).copied().chain([FREE])
}

/// Is it a word of the statements wherever it stands?
pub(crate) fn is_statement(word: &str) -> bool {
    STATEMENTS.contains(&word) || word == FREE
}

/// Does a line that begins with this word begin a statement? `next` is what follows on the line.
///
/// A line inside an open statement may begin with a name that is a newer word, with `free` as a value or with
/// `start(x)`. Two operands side by side, as in `state z` or `via 0.5`, are part of no expression.
pub(crate) fn begins_statement(word: &str, next: Option<(Kind, &str)>) -> bool {
    if word == "start" {
        return next.is_none_or(|(kind, _)| kind != Kind::OpenParen);
    }
    let is_word = |w: &str| CONTEXT.contains(&w) || draw_attribute(w).is_some();
    match next {
        _ if STATEMENTS.contains(&word) => true,
        _ if word != FREE && !HEADS.contains(&word) => false,
        Some((Kind::Word, name)) => !is_word(name),
        Some((kind, _)) => kind == Kind::Number,
        None => false,
    }
}

pub(crate) fn is_function(word: &str) -> bool {
    SCALAR_FUNCTIONS.contains(&word) || OTHER_FUNCTIONS.contains(&word)
}

/// Why a name cannot be declared: what the language uses it for.
pub fn reserved(name: &str) -> Option<&'static str> {
    match name {
        "t" => Some("time"),
        "pi" => Some("the number π"),
        "identity" => Some("the identity of a group"),
        "next" => Some("the value at the next node"),
        _ if is_function(name) => Some("a function"),
        _ if is_statement(name) || CONTEXT.contains(&name) => Some("a word of the statements"),
        _ => None,
    }
}

/// Is it the name of something that is recorded along a motion beside what formulations generate?
pub(crate) fn is_recorded(name: &str) -> bool {
    let numbered = |n: &str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit());
    name == "energy"
        || name.starts_with("momentum_")
        || name.strip_prefix("residual").is_some_and(numbered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_names() {
        for name in ["energy", "momentum_yaw", "residual12"] {
            assert!(is_recorded(name), "{name}");
        }
        for name in ["energies", "residual", "residuals", "momentum"] {
            assert!(!is_recorded(name), "{name}");
        }
    }
}
