//! A diagnostic with the text that it is about.

use crate::{Diagnostic, Source};
use std::fmt;
use std::sync::Arc;

/// A diagnostic with the text that it is about: the file, or a setting.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What was found.
    pub diagnostic: Diagnostic,
    /// Where.
    pub source: Arc<Source>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.diagnostic.location(&self.source);
        let (name, message) = (self.source.name(), &self.diagnostic.message);
        write!(f, "{name}:{}:{}: {message}", place.line, place.column)?;
        match &self.diagnostic.help {
            Some(help) => write!(f, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}
