//! What a machine is told: the data of a document, with formulas in no notation yet.

use super::item::Item;
use crate::symbolic::Expr;
use crate::theory::Finding;
use serde_json::Value as Json;

/// A value of JSON in which formulas and findings are not written yet.
#[derive(Clone, Debug)]
pub enum Data {
    /// Numbers, words, and lists and objects of them.
    Plain(Json),
    /// A formula: `{"text", "latex"}`.
    Formula(Expr),
    /// A formula in the model language alone.
    Text(Expr),
    /// A list.
    List(Vec<Data>),
    /// An object.
    Object(Vec<(String, Data)>),
    /// Objects of which one is made, in this order.
    Merged(Vec<Data>),
    /// A statement with its answer and the evidence.
    Finding(Finding),
    /// What is said, by its keys.
    Items(Vec<Item>),
}

impl Data {
    /// What JSON can say itself.
    pub fn plain(value: impl Into<Json>) -> Self {
        Data::Plain(value.into())
    }

    /// An object.
    pub fn object<K: Into<String>>(pairs: impl IntoIterator<Item = (K, Data)>) -> Self {
        let pairs = pairs.into_iter().map(|(key, value)| (key.into(), value));
        Data::Object(pairs.collect())
    }

    /// A formula object with a name in front.
    pub fn named(key: &str, name: &str, formula: Expr) -> Self {
        let name = Data::object([(key, Data::plain(name))]);
        Data::Merged(vec![name, Data::Formula(formula)])
    }

    /// Formulas in the model language.
    pub fn texts(all: &[Expr]) -> Self {
        Data::List(all.iter().cloned().map(Data::Text).collect())
    }

    /// Formula objects.
    pub fn formulas(all: &[Expr]) -> Self {
        Data::List(all.iter().cloned().map(Data::Formula).collect())
    }
}
