//! Identifiers for the names of the model language.

use std::collections::HashSet;

/// The identifiers that are taken in a piece of source.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    taken: HashSet<String>,
}

impl Scope {
    pub fn new(reserved: &[&str]) -> Scope {
        Scope {
            taken: reserved.iter().map(|word| (*word).to_owned()).collect(),
        }
    }

    /// An identifier for a name, unlike all others: `theta_dot` for `theta'`, `R_1_2` for `R[1,2]`.
    pub fn declare(&mut self, name: &str) -> String {
        let mut identifier = identifier(name);
        while !self.taken.insert(identifier.clone()) {
            identifier.push('_');
        }
        identifier
    }

    /// The next of `a1`, `a2`, … that is free.
    pub fn number(&mut self, stem: &str, counter: &mut usize) -> String {
        loop {
            *counter += 1;
            let name = format!("{stem}{counter}");
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// A name in letters, digits and underscores.
pub(super) fn identifier(name: &str) -> String {
    let bare = name.trim_end_matches('\'');
    let order = name.len() - bare.len();
    let mut text = String::with_capacity(name.len() + 5);
    for c in bare.chars() {
        match c {
            _ if c.is_ascii_alphanumeric() => text.push(c),
            ']' | ' ' => {}
            _ => text.push('_'),
        }
    }
    match order {
        0 => {}
        1..=4 => text = format!("{text}_{}dot", "d".repeat(order - 1)),
        _ => text = format!("{text}_d{order}"),
    }
    let starts_well = text.starts_with(|c: char| c.is_ascii_alphabetic());
    if starts_well {
        text
    } else {
        format!("q{text}")
    }
}

/// `ConstraintResiduals` for `constraint_residuals`.
pub(super) fn type_name(name: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    identifier(name).split('_').map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_identifiers() {
        assert_eq!(identifier("theta'"), "theta_dot");
        assert_eq!(identifier("x''"), "x_ddot");
        assert_eq!(identifier("R[1,2]"), "R_1_2");
        assert_eq!(identifier("x'''''"), "x_d5");
        assert_eq!(identifier("_a"), "q_a");
        assert_eq!(type_name("constraint_residuals"), "ConstraintResiduals");
    }

    #[test]
    fn identifiers_are_unlike_each_other() {
        let mut scope = Scope::new(&["lambda"]);
        assert_eq!(scope.declare("lambda"), "lambda_");
        assert_eq!(scope.declare("R[1]"), "R_1");
        assert_eq!(scope.declare("R_1"), "R_1_");
        assert_eq!(scope.declare("a1"), "a1");
        assert_eq!(scope.number("a", &mut 0), "a2");
    }
}
