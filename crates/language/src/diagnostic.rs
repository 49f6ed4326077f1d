//! Diagnostics: what is wrong, where, and what would put it right.

use crate::source::{Location, Source, Span};

/// How serious a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The model cannot be used.
    Error,
    /// The model can be used, but probably does not say what was meant.
    Warning,
    /// Something worth knowing.
    Note,
}

/// One finding about a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How serious it is.
    pub severity: Severity,
    /// A stable word for the kind of finding, such as `unknown-name`.
    pub code: &'static str,
    /// What is wrong and what was expected.
    pub message: String,
    /// Places with a text each; the first is the place of the diagnostic.
    pub labels: Vec<(Span, String)>,
    /// What would put it right.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, span, message)
    }

    /// A warning at `span`.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, span, message)
    }

    fn new(severity: Severity, code: &'static str, span: Span, message: impl Into<String>) -> Self {
        let message = message.into();
        Diagnostic {
            severity,
            code,
            message,
            labels: vec![(span, String::new())],
            help: None,
        }
    }

    /// The text under the main place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        if let Some(first) = self.labels.first_mut() {
            first.1 = text.into();
        }
        self
    }

    /// One more place.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push((span, text.into()));
        self
    }

    /// What would put it right.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// The main place.
    pub fn span(&self) -> Span {
        self.labels.first().map_or(Span::default(), |label| label.0)
    }

    /// Line and column of the main place.
    pub fn location(&self, source: &Source) -> Location {
        source.location(self.span().start)
    }

    /// Line of the main place, from 1.
    pub fn line(&self, source: &Source) -> usize {
        source.line(self.span().start)
    }

    /// Column of the main place in characters, from 1.
    pub fn column(&self, source: &Source) -> usize {
        self.location(source).column
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// How many diagnostics are kept. More than that help nobody, and a hostile file could make millions.
pub const MAX_DIAGNOSTICS: usize = 100;

/// Collects diagnostics up to a bound, and counts the rest.
#[derive(Debug, Default)]
pub(crate) struct Sink {
    kept: Vec<Diagnostic>,
    dropped: usize,
    errors: usize,
}

impl Sink {
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        self.errors += usize::from(diagnostic.is_error());
        if self.kept.len() < MAX_DIAGNOSTICS {
            self.kept.push(diagnostic);
        } else {
            self.dropped += 1;
        }
    }

    /// Takes over the errors of another reading.
    pub(crate) fn take_errors(&mut self, other: Sink) {
        let errors = other.kept.into_iter().filter(Diagnostic::is_error);
        errors.for_each(|d| self.push(d));
    }

    /// Whether further diagnostics are only counted.
    pub(crate) fn is_full(&self) -> bool {
        self.kept.len() >= MAX_DIAGNOSTICS
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// The diagnostics in the order of the text.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        self.kept.sort_by_key(|d| d.span());
        self.kept.dedup();
        if self.dropped > 0 {
            let span = self.kept.last().map_or(Span::default(), Diagnostic::span);
            let severity = if self.errors > 0 {
                Severity::Error
            } else {
                Severity::Note
            };
            let message = format!("{} more findings are not shown", self.dropped);
            self.kept
                .push(Diagnostic::new(severity, "too-many", span, message));
        }
        self.kept
    }
}
