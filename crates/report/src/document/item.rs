//! What is said about something, piece by piece, each with a label for readers and a key for machines.

use super::length::{Limit, written_length};
use crate::symbolic::Expr;
use crate::theory::{Answer, Case, Quadrature};

/// One thing that is said.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its key in JSON.
    pub key: &'static str,
    /// What a reader is told.
    pub label: String,
    /// The value.
    pub value: Value,
    /// Is it for machines only, because a reader is told in other words?
    pub quiet: bool,
}

/// A formula with a left side or a name.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// Further keys in JSON.
    pub keys: Vec<(&'static str, Vec<String>)>,
    /// The left side, in the model language.
    pub left: String,
    /// The formula.
    pub formula: Expr,
    /// Is it one of all components of an object? Those that are 0 need not be told one by one.
    pub component: bool,
}

/// A special value of parameters.
#[derive(Clone, Debug)]
pub struct Special {
    /// What vanishes, and what is different then.
    pub case: Case,
    /// Is it so for the values that the model gives?
    pub here: bool,
}

/// What an item may be.
#[derive(Clone, Debug)]
pub enum Value {
    /// Nothing beyond the label.
    Line,
    /// The answer to a further statement, which is the label.
    Answer(Answer),
    /// Yes or no; nothing where it is not decided.
    Flag(Option<bool>),
    /// A number.
    Count(usize),
    /// Numbers.
    Counts(Vec<usize>),
    /// Words.
    Word(String),
    /// A list of names.
    Words(Vec<String>),
    /// A formula.
    Formula(Expr),
    /// A formula with a left side that only a reader sees: `H = …`.
    Equation(String, Expr),
    /// A function that is an integral, with a left side.
    Integral(String, Box<Quadrature>),
    /// Formulas with names.
    Formulas(Vec<Labelled>),
    /// Special values of parameters.
    Cases(Vec<Special>),
    /// Objects with items of their own.
    List(Vec<Vec<Item>>),
    /// Anything else for machines.
    Data(serde_json::Value),
}

impl Item {
    /// An item.
    pub fn new(key: &'static str, label: impl Into<String>, value: Value) -> Self {
        Self {
            key,
            label: label.into(),
            value,
            quiet: false,
        }
    }

    /// An item for machines.
    pub fn data(key: &'static str, value: Value) -> Self {
        Self {
            key,
            label: String::new(),
            value,
            quiet: true,
        }
    }

    /// An item for readers: a line without a value of its own.
    pub fn line(words: impl Into<String>) -> Self {
        Self::new("", words, Value::Line)
    }
}

impl Labelled {
    /// A formula with a left side.
    pub fn new(left: impl Into<String>, formula: Expr) -> Self {
        Self {
            keys: Vec::new(),
            left: left.into(),
            formula,
            component: false,
        }
    }

    /// One of all components of an object.
    pub fn component(self) -> Self {
        Self {
            component: true,
            ..self
        }
    }

    /// With a key in JSON.
    pub fn key(mut self, key: &'static str, value: Vec<String>) -> Self {
        self.keys.push((key, value));
        self
    }
}

/// Evidence as it is shown: a formula in it may be longer than a person reads.
pub fn evidence(answer: &Answer) -> String {
    let words = answer.words();
    match words.char_indices().nth(LONGEST_EVIDENCE) {
        Some((end, _)) => format!("{} …", &words[..end]),
        None => words,
    }
}

/// Characters of evidence that are shown.
const LONGEST_EVIDENCE: usize = 1_000;

/// Is a statement true, false or open?
pub fn flag(answer: &Answer) -> Value {
    Value::Flag(answer.decided())
}

/// The verdict in a word.
pub fn verdict(answer: &Answer) -> &'static str {
    match answer {
        Answer::Proven(_) => "proven",
        Answer::Refuted(_) => "refuted",
        Answer::Undecided(_) => "not decided",
    }
}

/// What stands for a formula that is longer than a person reads on a page of many.
pub fn too_long(e: &Expr) -> Option<String> {
    let length = written_length(e);
    (!Limit::ON_A_PAGE.allows(length)).then(|| format!("({length} operations)"))
}

/// The formulas of a list that a reader is shown, and its label: of the components of an object those that are 0 are left out.
pub fn without_zeros<'a>(label: &str, all: &'a [Labelled]) -> (String, Vec<&'a Labelled>) {
    let others: Vec<&Labelled> = all.iter().filter(|l| !l.formula.is_zero()).collect();
    let left_out = all.len() - others.len();
    let complete = all.iter().all(|l| l.component);
    match complete && left_out > 1 {
        false => (label.to_owned(), all.iter().collect()),
        true if others.is_empty() => (format!("{label}, all 0"), others),
        true => (format!("{label}, all others 0"), others),
    }
}

impl Special {
    /// Whether it is the case at hand.
    pub fn here(&self) -> &'static str {
        match self.here {
            true => ", as it is for the values given",
            false => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_components_are_left_out_where_they_are_zero() {
        let of = |component: bool| -> Vec<Labelled> {
            let all = ["a", "b", "c"].into_iter().zip([0, 2, 0]);
            let one = |(name, x): (&str, i64)| Labelled::new(name, x.into());
            let all = all.map(one);
            match component {
                true => all.map(Labelled::component).collect(),
                false => all.collect(),
            }
        };
        let (components, values) = (of(true), of(false));
        let (label, shown) = without_zeros("field", &components);
        assert_eq!((&*label, shown.len()), ("field, all others 0", 1));
        assert_eq!(shown[0].left, "b");
        // Which unknowns vanish is what a condition says.
        let (label, shown) = without_zeros("where", &values);
        assert_eq!((&*label, shown.len()), ("where", 3));
        let none = [Labelled::new("a", 0.into()), Labelled::new("b", 0.into())];
        let none = none.map(Labelled::component);
        assert_eq!(without_zeros("field", &none).0, "field, all 0");
    }
}
