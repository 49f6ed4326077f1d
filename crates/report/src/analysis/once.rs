//! What a page tells once: evidence, states and formulas that stand on it already are referred to.

use crate::document::length::characters;
use crate::document::{Item, Value, symbol_of, verdict};
use crate::symbolic::Expr;
use crate::theory::{Answer, Evidence};
use std::collections::HashMap;

/// The items of all topics of a page, in its order, each thing told with the first that says it.
pub fn told_once(topics: &mut [&mut Vec<Item>]) {
    let names = Names::among(topics);
    let mut told = Told {
        names,
        ..Told::default()
    };
    for items in topics {
        // Evidence of another topic is too far away to be looked up.
        told.evidence.clear();
        told.visit(items);
    }
}

/// What stands on the page already.
#[derive(Default)]
struct Told {
    evidence: Vec<String>,
    headings: Vec<String>,
    names: Names,
}

impl Told {
    fn visit(&mut self, items: &mut Vec<Item>) {
        let headings = &self.headings;
        items.retain(|i| !matches!(i.value, Value::Line) || !headings.contains(&i.label));
        for item in items.iter_mut().filter(|item| !item.quiet) {
            match &mut item.value {
                Value::Word(_) if item.key.is_empty() => self.headings.push(item.label.clone()),
                Value::Answer(answer) if self.evidence.contains(&answer.words()) => {
                    item.value = Value::Word(format!("{}, as above", verdict(answer)));
                }
                Value::Answer(answer) => self.evidence.extend(words(answer)),
                Value::Equation(left, e) => self.names.refer(left, e),
                Value::Formulas(all) => {
                    // What is free stands for itself.
                    let says_nothing =
                        |e: &Expr, left: &str| e.as_symbol().is_some_and(|s| s.to_string() == left);
                    all.retain(|l| l.left.is_empty() || !says_nothing(&l.formula, &l.left));
                    let all = all.iter_mut();
                    all.for_each(|l| self.names.refer(&l.left, &mut l.formula));
                }
                Value::List(all) => all.iter_mut().for_each(|items| self.visit(items)),
                _ => {}
            }
        }
    }
}

/// The evidence in words, and each part of it.
fn words(answer: &Answer) -> Vec<String> {
    let parts = match answer.evidence() {
        Some(Evidence::Parts(parts)) => &parts[..],
        _ => &[],
    };
    let parts = parts.iter().map(ToString::to_string);
    parts.chain([answer.words()]).collect()
}

/// Left sides that one formula of the page has: `J_yaw`, `F2`. A letter alone says what kind of thing something is.
#[derive(Default)]
struct Names {
    /// How many formulas have it.
    uses: HashMap<String, usize>,
    /// The first of them with a formula, once it stands there.
    of: HashMap<Expr, String>,
}

impl Names {
    fn among(topics: &[&mut Vec<Item>]) -> Self {
        let mut names = Self::default();
        topics.iter().for_each(|items| names.count(items));
        names
    }

    fn count(&mut self, items: &[Item]) {
        for item in items.iter().filter(|item| !item.quiet) {
            match &item.value {
                Value::Equation(left, _) => *self.uses.entry(left.clone()).or_default() += 1,
                Value::List(all) => all.iter().for_each(|items| self.count(items)),
                _ => {}
            }
        }
    }

    /// Writes a formula by its name, where it has one that is shorter, and else learns it.
    fn refer(&mut self, left: &str, formula: &mut Expr) {
        if let Some(name) = self.of.get(formula) {
            *formula = Expr::from(symbol_of(name));
            return;
        }
        let name = left.chars().count() as u64;
        let is_shorter = 1 < name && name < characters(std::slice::from_ref(formula));
        if is_shorter && self.uses.get(left) == Some(&1) {
            self.of.insert(formula.clone(), left.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Labelled;
    use crate::symbolic::Symbol;
    use crate::theory::Theorem;

    fn free() -> Answer {
        Answer::proven(Theorem::NoConstraints)
    }

    #[test]
    fn evidence_is_told_once_in_a_topic() {
        let listed = vec![vec![Item::new("b", "so is this", Value::Answer(free()))]];
        let mut items = vec![
            Item::new("", "it is so", Value::Answer(free())),
            Item::new("found", "found", Value::List(listed)),
            Item::data("machine", Value::Answer(free())),
        ];
        let mut others = vec![Item::new("", "here too", Value::Answer(free()))];
        told_once(&mut [&mut items, &mut others]);
        let Value::List(listed) = &items[1].value else {
            panic!("{items:?}")
        };
        assert!(matches!(&listed[0][0].value, Value::Word(w) if w == "proven, as above"));
        assert!(matches!(&items[2].value, Value::Answer(_)));
        assert!(matches!(&others[0].value, Value::Answer(_)));
    }

    #[test]
    fn formulas_and_states_are_told_once_on_a_page() {
        let [m, v] = ["m", "v"].map(|name| Expr::from(Symbol::variable(name)));
        let momentum = m * v.sin();
        let equation = |left: &str| Value::Equation(left.into(), momentum.clone());
        let mut first = vec![
            Item::new("momentum", "momentum", equation("J_x")),
            Item::new("", "(1) at rest", Value::Word("stable".into())),
        ];
        let mut second = vec![
            Item::new("integral", "integral", equation("F2")),
            Item::line("(1) at rest"),
            Item::line("(2) at rest"),
        ];
        told_once(&mut [&mut first, &mut second]);
        let Value::Equation(_, e) = &second[0].value else {
            panic!("{second:?}")
        };
        assert_eq!(e.to_string(), "J_x");
        assert_eq!(second.len(), 2);
        // What stands for itself is not told.
        let mu = Expr::from(Symbol::variable("mu1"));
        let lines = vec![Labelled::new("mu1", mu.clone()), Labelled::new("mu2", mu)];
        let mut free = vec![Item::new("with", "with", Value::Formulas(lines))];
        told_once(&mut [&mut free]);
        assert!(matches!(&free[0].value, Value::Formulas(all) if all.len() == 1));
        // A name that two formulas have refers to neither.
        let mut twice = vec![
            Item::new("h", "one", equation("H1")),
            Item::new("h", "other", Value::Equation("H1".into(), Expr::one())),
            Item::new("k", "third", equation("K")),
        ];
        told_once(&mut [&mut twice]);
        assert!(matches!(&twice[2].value, Value::Equation(_, e) if *e == momentum));
    }
}
