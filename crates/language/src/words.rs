//! The words of the language: statements, functions, reserved and generated names.

/// The words that begin a statement.
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

/// The groups that a factor of the configuration space may be.
pub(crate) const GROUPS: &[&str] = &["SO", "SE", "SU", "R"];

pub(crate) fn is_statement(word: &str) -> bool {
    STATEMENTS.contains(&word)
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
