//! What a table says about itself: the model, the parameters, the method.

/// Texts by key, in the order in which they were added.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata {
    entries: Vec<(String, String)>,
}

impl Metadata {
    /// The key of the model's text.
    pub const MODEL: &'static str = "model";
    /// The key of the model's name.
    pub const SYSTEM: &'static str = "system";
    /// The key of the title, which heads figures too.
    pub const TITLE: &'static str = "title";
    /// The key of the parameter values.
    pub const PARAMETERS: &'static str = "parameters";
    /// The key of the method.
    pub const METHOD: &'static str = "method";
    /// The key of the tolerance or the step.
    pub const TOLERANCE: &'static str = "tolerance";
    /// The key of the program's version.
    pub const VERSION: &'static str = "version";

    /// Nothing said yet.
    pub fn new() -> Metadata {
        Metadata::default()
    }

    /// The metadata with one more entry; an entry of the same key is replaced.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, text: impl Into<String>) -> Metadata {
        self.set(key, text);
        self
    }

    /// Sets an entry.
    pub fn set(&mut self, key: impl Into<String>, text: impl Into<String>) {
        let (key, text) = (key.into(), text.into());
        match self.entries.iter_mut().find(|(k, _)| *k == key) {
            Some(entry) => entry.1 = text,
            None => self.entries.push((key, text)),
        }
    }

    /// The text of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.iter().find(|(k, _)| *k == key).map(|(_, text)| text)
    }

    /// Takes an entry out.
    pub(crate) fn take(&mut self, key: &str) -> Option<String> {
        let place = self.entries.iter().position(|(k, _)| k == key)?;
        Some(self.entries.remove(place).1)
    }

    /// All entries in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries.iter().map(|(k, t)| (k.as_str(), t.as_str()))
    }
}
