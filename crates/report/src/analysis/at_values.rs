//! A topic at the values of the parameters against the same topic in general.

use super::page::Topic;
use crate::document::verdict;
use crate::document::{Item, Labelled, Value};
use crate::mechanics::Values;
use crate::symbolic::{Expr, Kind, Set, postorder, prove_zero};

/// A topic at the values given, and how it differs from the general one.
pub struct AtValues {
    /// What is true for the values.
    pub topic: Topic,
    /// What is different from the general answer.
    pub differences: Vec<Difference>,
}

/// One thing that is different.
pub struct Difference {
    /// Its key in JSON.
    pub key: String,
    /// What it is about.
    pub label: String,
    /// In general.
    pub general: String,
    /// For the values given.
    pub here: String,
    /// Is it for machines only, because a reader is told in other words?
    pub quiet: bool,
}

const UNDECIDED: &str = "not decided";

impl AtValues {
    /// Compares what is said in general with what is said for the values.
    pub fn new(general: &Topic, here: Topic, values: &Values) -> Self {
        let [a, b] = [&general.finding, &here.finding];
        let verdicts = (verdict(&a.answer), verdict(&b.answer));
        let headline =
            (verdicts.0 != verdicts.1 || a.statement != b.statement).then(|| Difference {
                key: "verdict".into(),
                label: b.statement.clone(),
                general: verdicts.0.into(),
                here: verdicts.1.into(),
                quiet: true,
            });
        let keys = keys(&general.items, &here.items);
        let differing = keys.into_iter().filter_map(|key| {
            let [a, b] = [&general.items, &here.items].map(|all| all.iter().find(|i| i.key == key));
            difference(key, a, b)
        });
        let lost = general.items.iter().filter_map(|i| undefined(i, values));
        Self {
            differences: headline.into_iter().chain(differing).chain(lost).collect(),
            topic: here,
        }
    }

    /// What holds for all values at which its formulas are defined: which of them are not.
    pub fn of_formulas(general: &Topic, values: &Values) -> Self {
        let lost = general.items.iter().filter_map(|i| undefined(i, values));
        Self {
            differences: lost.collect(),
            topic: Topic::new(
                general.name,
                &*general.finding.statement,
                general.finding.answer.clone(),
            ),
        }
    }

    /// Is nothing different?
    pub fn is_same(&self) -> bool {
        self.differences.is_empty()
    }

    /// Is the verdict different?
    pub fn overturns(&self) -> bool {
        self.differences.iter().any(|d| d.key == "verdict")
    }

    /// Is a rank or a growth vector different?
    pub fn ranks_differ(&self) -> bool {
        self.differences.iter().any(|d| d.key == "growth")
    }

    /// The first thing that a reader must know; nothing where only machines are told.
    pub fn headline(&self) -> Option<String> {
        if self.overturns() {
            let verdict = verdict(&self.topic.finding.answer);
            return Some(format!(
                "for the values given, {}: {verdict}",
                self.topic.finding.statement
            ));
        }
        let mut told = self.told().peekable();
        told.peek()?;
        let words = match told.all(|d| d.here == UNDECIDED) {
            true => "for the values given not all of this could be decided",
            false => "for the values given some of this is different",
        };
        Some(words.into())
    }

    /// The other differences in words; `hint` says what a model could assume.
    pub fn details(&self, hint: Option<&str>) -> Vec<String> {
        let line = |d: &Difference| match (d.here.as_str(), d.general.as_str(), hint) {
            ("proven", UNDECIDED, Some(hint)) => {
                format!(
                    "{}: holds at the model's values; {hint} may decide it in general",
                    d.label
                )
            }
            _ => format!("{}: {}, in general {}", d.label, d.here, d.general),
        };
        self.told().map(line).collect()
    }

    fn told(&self) -> impl Iterator<Item = &Difference> {
        self.differences.iter().filter(|d| !d.quiet)
    }
}

fn keys<'a>(a: &'a [Item], b: &'a [Item]) -> Vec<&'a str> {
    let mut keys: Vec<&str> = Vec::new();
    for item in a.iter().chain(b) {
        if !item.key.is_empty() && !keys.contains(&item.key) {
            keys.push(item.key);
        }
    }
    keys
}

fn difference(key: &str, general: Option<&Item>, here: Option<&Item>) -> Option<Difference> {
    let item = here.or(general)?;
    if NOT_COMPARED.contains(&key) || is_longer(general, here) {
        return None;
    }
    let said = |item: Option<&Item>| item.map_or_else(|| Some("none".into()), said);
    let (a, b) = (said(general)?, said(here)?);
    (a != b).then(|| Difference {
        key: key.into(),
        label: label(item),
        general: a,
        here: b,
        // Flags and numbers for machines repeat what claims say; ranks do not.
        quiet: item.quiet && !matches!(item.value, Value::Counts(_)),
    })
}

/// What belongs to an argument, not to an answer.
const NOT_COMPARED: &[&str] = &["branches", "conditions"];

/// Has the general list as many formulas at least? They hold for the values too, where they are defined.
fn is_longer(general: Option<&Item>, here: Option<&Item>) -> bool {
    let length = |item: Option<&Item>| match item.map(|i| &i.value) {
        None => Some(0),
        Some(Value::Formulas(all)) => Some(all.len()),
        Some(Value::List(all)) => Some(all.len()),
        Some(Value::Words(all)) => Some(all.len()),
        Some(Value::Formula(_) | Value::Equation(..) | Value::Integral(..)) => Some(1),
        _ => None,
    };
    length(general)
        .zip(length(here))
        .is_some_and(|(general, here)| general >= here)
}

fn label(item: &Item) -> String {
    match item.label.is_empty() {
        true => item.key.replace('_', " "),
        false => item.label.clone(),
    }
}

/// What can be compared: verdicts, numbers, words for machines, and how many formulas there are. Formulas themselves look
/// different for other values, and special cases are of no more interest.
fn said(item: &Item) -> Option<String> {
    let count = |n: usize| match n {
        0 => "none".to_owned(),
        n => n.to_string(),
    };
    Some(match &item.value {
        Value::Answer(c) => verdict(c).into(),
        Value::Flag(Some(yes)) => if *yes { "yes" } else { "no" }.into(),
        Value::Flag(None) => UNDECIDED.into(),
        Value::Count(n) => count(*n),
        Value::Counts(all) => {
            let all: Vec<String> = all.iter().map(ToString::to_string).collect();
            format!("({})", all.join(", "))
        }
        Value::Word(w) if item.quiet => w.clone(),
        Value::Words(w) => count(w.len()),
        Value::Formula(_) | Value::Equation(..) | Value::Integral(..) => "one".into(),
        Value::Formulas(all) => count(all.len()),
        Value::List(all) => count(all.len()),
        Value::Word(_) | Value::Line | Value::Cases(_) | Value::Data(_) => return None,
    })
}

/// A formula that divides by zero for the values.
fn undefined(item: &Item, values: &Values) -> Option<Difference> {
    let lost = |e: &Expr| divides_by_zero(e, values);
    let any = match &item.value {
        Value::Formula(e) | Value::Equation(_, e) => lost(e),
        Value::Formulas(all) => all.iter().any(|l: &Labelled| lost(&l.formula)),
        Value::List(all) => all
            .iter()
            .flatten()
            .any(|item| undefined(item, values).is_some()),
        _ => false,
    };
    any.then(|| Difference {
        key: item.key.into(),
        label: label(item),
        general: "given by a formula".into(),
        here: "the formula divides by zero".into(),
        quiet: false,
    })
}

/// Is a denominator zero for the values?
fn divides_by_zero(e: &Expr, values: &Values) -> bool {
    let nodes = postorder(std::slice::from_ref(e), |_| true);
    let below = nodes.iter().flat_map(|node| match node.kind() {
        Kind::Product(factors) => &factors[..],
        _ => &[],
    });
    // The same ones stand below many lines.
    let below: Set<&Expr> = below
        .filter(|(_, r)| r.is_negative())
        .map(|(b, _)| b)
        .collect();
    let zero = |b: &&Expr| prove_zero(&values.at(b)).is_proven();
    below.iter().any(zero)
}
