//! A topic as a list of labelled items, in no notation yet.

use super::at_values::AtValues;
use crate::document::{Item, Special, Value};
use crate::mechanics::Values;
use crate::symbolic::prove_zero;
use crate::theory::{Answer, Case, Definitions, Fact, Finding, Gap, Reason, Settled};

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
