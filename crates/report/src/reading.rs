//! What is found in a model on the way through the rooms, with the texts that it is about.

use crate::complaint::{Blame, Complaint};
use crate::language::{Diagnostic, Source};
use crate::symbolic::cancelled;
use std::fmt;
use std::sync::Arc;

pub use crate::language::Finding;

/// An error of a room, found in the model.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// What is wrong, and where.
    pub finding: Finding,
    /// What it comes from.
    pub blame: Blame,
}

/// Who hears of each finding as it is made.
pub type Tell = Arc<dyn Fn(&Finding) + Send + Sync>;
/// What a host calls the texts that are not files: `setting`, `until`, `step`.
pub type Naming = Arc<dyn Fn(&str) -> String + Send + Sync>;

/// The text of a model and what was found in it so far.
#[derive(Clone)]
pub struct Reading {
    /// The text.
    pub source: Arc<Source>,
    /// Findings so far.
    pub findings: Vec<Finding>,
    tell: Tell,
    naming: Naming,
}

impl fmt::Debug for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Reading");
        shown.field("source", &self.source.name());
        shown.field("findings", &self.findings).finish()
    }
}

impl Reading {
    /// A text in which nothing has been found yet.
    pub fn new(source: Source, tell: Tell, naming: Naming) -> Self {
        Self {
            source: Arc::new(source),
            findings: Vec::new(),
            tell,
            naming,
        }
    }

    /// Adds a finding about the file and tells it.
    pub fn add(&mut self, diagnostic: Diagnostic) {
        let source = Arc::clone(&self.source);
        self.add_about(diagnostic, &source);
    }

    /// Adds findings about a setting and tells them.
    pub fn add_about_setting(&mut self, diagnostics: Vec<Diagnostic>, setting: &Source) {
        let name = (self.naming)(setting.name());
        let source = Arc::new(Source::new(name, setting.text()));
        for diagnostic in diagnostics {
            self.add_about(diagnostic, &source);
        }
    }

    /// Adds an error of a room and tells it.
    pub fn complain(&mut self, complaint: Complaint) -> Refusal {
        let source = match complaint.setting {
            Some(setting) => Arc::new(Source::new((self.naming)(Source::SETTING), setting)),
            None => Arc::clone(&self.source),
        };
        Refusal {
            finding: self.add_about(complaint.diagnostic, &source),
            blame: complaint.blame,
        }
    }

    fn add_about(&mut self, diagnostic: Diagnostic, source: &Arc<Source>) -> Finding {
        let finding = Finding {
            diagnostic,
            source: Arc::clone(source),
        };
        // Who was cancelled gives up early, and what he then finds is no fault of the model.
        if !cancelled() {
            (self.tell)(&finding);
            self.findings.push(finding.clone());
        }
        finding
    }
}
