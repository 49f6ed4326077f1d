//! From a path and settings to a model, with everything that was found on the way.

use crate::arguments::ModelArguments;
use crate::complaint::Complaint;
use crate::failure::{BAD_INPUT, Failure};
use crate::terminal;
use rattleback::language::{
    Diagnostic, Model, Overrides, Rejected, Source, TimeOption, load, parse,
};
use std::path::Path;
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
        Self::with_settings(&arguments.model, &arguments.set, &[])
    }

    /// The same with the options that set the time.
    pub fn with_settings(
        model: &Path,
        settings: &[String],
        times: &[(TimeOption, &str)],
    ) -> Result<Self, Failure> {
        let source = load(model).map_err(|e| Failure::Input(e.to_string()))?;
        let outcome = parse(&source);
        let mut reading = Self {
            source: Rc::new(source),
            model: outcome.model,
            findings: Vec::new(),
        };
        outcome.diagnostics.into_iter().for_each(|d| reading.add(d));
        reading.apply(settings, times);
        Ok(reading)
    }

    /// Adds a finding about the file and tells it.
    pub fn add(&mut self, diagnostic: Diagnostic) {
        let source = Rc::clone(&self.source);
        self.add_about(diagnostic, &source);
    }

    /// Adds an error of a room; gives the failure that ends the command.
    pub fn complain(&mut self, complaint: Complaint) -> Failure {
        match complaint.setting {
            Some(setting) => {
                let source = Rc::new(Source::new("--set", setting));
                self.add_about(complaint.diagnostic, &source);
            }
            None => self.add(complaint.diagnostic),
        }
        Failure::Reported {
            code: complaint.code,
        }
    }

    /// Takes the model out; an error if there is none.
    pub fn take_model(&mut self) -> Result<Model, Failure> {
        self.model
            .take()
            .ok_or(Failure::Reported { code: BAD_INPUT })
    }

    /// Applies settings of the command line; what is wrong with them is told with their own text.
    fn apply(&mut self, settings: &[String], times: &[(TimeOption, &str)]) {
        let Some(model) = &self.model else { return };
        let mut rejected = Vec::new();
        let mut overrides = Overrides::parse(settings).unwrap_or_else(|error| {
            rejected = error.rejected;
            Overrides::default()
        });
        for (option, value) in times {
            let wrong = overrides.option(*option, value).err();
            rejected.extend(wrong.into_iter().flat_map(|error| error.rejected));
        }
        if rejected.is_empty() {
            match model.with_overrides(&overrides) {
                Ok(changed) => self.model = Some(changed),
                Err(error) => rejected = error.rejected,
            }
        }
        if !rejected.is_empty() {
            self.model = None;
        }
        for Rejected {
            source,
            diagnostics,
        } in rejected
        {
            let source = Rc::new(source);
            let found = diagnostics.into_iter();
            found.for_each(|d| self.add_about(d, &source));
        }
    }

    fn add_about(&mut self, diagnostic: Diagnostic, source: &Rc<Source>) {
        terminal::tell(&diagnostic.render(source, terminal::colours()));
        self.findings.push(Finding {
            diagnostic,
            source: Rc::clone(source),
        });
    }
}
