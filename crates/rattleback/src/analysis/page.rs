//! A topic as a list of labelled items, in no notation yet.

use super::at_values::AtValues;
use crate::language::Values;
use crate::symbolic::{Expr, prove_zero};
use crate::theory::{Answer, Case, Definitions, Fact, Finding, Gap, Quadrature, Reason, Settled};

/// What is said about one topic.
pub struct Topic {
    /// Its name on the command line and in JSON.
    pub name: &'static str,
    /// Its question, as a statement that is proven, refuted or undecided.
    pub finding: Finding,
    /// Further statements and objects.
    pub items: Vec<Item>,
    /// What it settles that other topics settle too.
    pub settled: Vec<Settled>,
    /// The same for the values of the parameters, where it was judged.
    pub at_values: Option<Box<AtValues>>,
}

/// One thing that is said.
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
pub struct Labelled {
    /// Further keys in JSON.
    pub keys: Vec<(&'static str, Vec<String>)>,
    /// The left side, in the model language.
    pub left: String,
    /// The formula.
    pub formula: Expr,
}

/// A special value of parameters.
pub struct Special {
    /// What vanishes, and what is different then.
    pub case: Case,
    /// Is it so for the values that the model gives?
    pub here: bool,
}

/// What an item may be.
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

impl Topic {
    /// A topic with nothing but its statement and the answer.
    pub fn new(name: &'static str, statement: impl Into<String>, answer: Answer) -> Self {
        Self {
            name,
            finding: Finding::new(statement, answer),
            items: Vec::new(),
            settled: Vec::new(),
            at_values: None,
        }
    }

    /// What is different for the values of the parameters, and the line that says so, if anything is.
    pub fn different(&self) -> Option<(&AtValues, String)> {
        let here = self.at_values.as_deref()?;
        Some((here, here.headline()?))
    }

    /// Adds an item.
    pub fn with(mut self, key: &'static str, label: impl Into<String>, value: Value) -> Self {
        self.items.push(Item::new(key, label, value));
        self
    }

    /// Adds an item for machines.
    pub fn data(mut self, key: &'static str, value: Value) -> Self {
        self.items.push(Item::data(key, value));
        self
    }

    /// Adds a line for readers.
    pub fn line(mut self, words: impl Into<String>) -> Self {
        self.items.push(Item::line(words));
        self
    }

    /// Adds an item if there is one.
    pub fn maybe(self, key: &'static str, label: impl Into<String>, value: Option<Value>) -> Self {
        match value {
            Some(value) => self.with(key, label, value),
            None => self,
        }
    }

    /// Says so where a topic was cancelled before it was decided.
    pub fn cancelled(mut self) -> Self {
        if let Answer::Undecided(why) = &self.finding.answer
            && !why.is_cancelled()
        {
            let why = Reason::because(Gap::Cancelled, why.clone());
            self.finding.answer = Answer::undecided(why);
        }
        self
    }

    /// With witnesses at which derived parameters keep their definitions.
    pub fn keeping(mut self, definitions: &Definitions) -> Self {
        self.finding.answer = self.finding.answer.keeping(definitions);
        for item in &mut self.items {
            if let Value::Answer(answer) = &mut item.value {
                *answer = answer.clone().keeping(definitions);
            }
        }
        self
    }

    /// Notes what an answer settles, if it is decided.
    pub fn settles(mut self, fact: Fact, answer: &Answer) -> Self {
        self.settled.extend(answer.decided().map(|yes| (fact, yes)));
        self
    }

    /// Adds the cases.
    pub fn cases(self, cases: &[Case]) -> Self {
        let special = |case: &Case| Special {
            case: case.clone(),
            here: false,
        };
        let all = cases.iter().map(special).collect();
        self.with("cases", "special parameters", Value::Cases(all))
    }

    /// Marks the cases that the values of the parameters are.
    pub fn at(mut self, values: &Values) -> Self {
        for item in &mut self.items {
            if let Value::Cases(all) = &mut item.value {
                for s in all {
                    s.here = prove_zero(&values.at(&s.case.condition)).is_proven();
                }
            }
        }
        self
    }
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
