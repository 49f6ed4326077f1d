//! Overrides: values that are set from outside, read with the expression parser of the model language.

mod apply;
mod consequences;

use std::fmt;

use crate::diagnostic::{Diagnostic, Sink};
use crate::elaborate::access::access;
use crate::parse::{lone_assignment, lone_expression};
use crate::source::{Source, Span};
use crate::syntax::{Equation, Tree};

/// Settings such as `m=2`, `theta'=0.5`, `R=identity`, `u=1.2` (a constant input), `until=5` or `step=1/100`.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    items: Vec<(Source, Item)>,
}

/// One setting.
#[derive(Clone, Debug)]
enum Item {
    /// `NAME=VALUE`.
    Assignment(Equation),
    /// The value of an option of its own.
    Option(TimeOption, Tree),
}

impl Item {
    fn span(&self) -> Span {
        match self {
            Item::Assignment(equation) => equation.left.span().to(equation.right.span()),
            Item::Option(_, value) => value.span(),
        }
    }

    /// The name of what is set, where it has one.
    fn name<'a>(&'a self, source: &'a Source) -> Option<&'a str> {
        match self {
            Item::Assignment(equation) => access(&equation.left, source).map(|a| a.name),
            Item::Option(option, _) => Some(option.name()),
        }
    }
}

/// What sets the time of a motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeOption {
    /// The end.
    Until,
    /// The step, or the spacing of the rows.
    Step,
}

impl TimeOption {
    /// Its name.
    fn name(self) -> &'static str {
        match self {
            TimeOption::Until => "until",
            TimeOption::Step => "step",
        }
    }

    /// A value that there could be.
    fn example(self) -> &'static str {
        match self {
            TimeOption::Until => "give a number or a constant expression, for example `until=2*pi`",
            TimeOption::Step => "give a positive number, for example `step=0.01`",
        }
    }
}

/// A setting that cannot be used, with what is wrong with it.
#[derive(Clone, Debug)]
pub struct Rejected {
    /// The text of the setting.
    pub source: Source,
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
}

/// All settings that cannot be used.
#[derive(Clone, Debug, thiserror::Error)]
pub struct OverrideError {
    /// Each setting with its diagnostics.
    pub rejected: Vec<Rejected>,
}

impl fmt::Display for OverrideError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl OverrideError {
    /// All diagnostics with the settings underlined.
    pub fn render(&self, color: bool) -> String {
        let render = |r: &Rejected| -> String {
            r.diagnostics
                .iter()
                .map(|d| d.render(&r.source, color))
                .collect()
        };
        self.rejected.iter().map(render).collect()
    }
}

impl Overrides {
    /// Reads settings of the form `NAME=VALUE`.
    pub fn parse<S: AsRef<str>>(
        settings: impl IntoIterator<Item = S>,
    ) -> Result<Self, OverrideError> {
        Self::parse_as(Source::SETTING, settings)
    }

    /// The same for settings by another option; what is wrong with them is told under its name.
    pub fn parse_as<S: AsRef<str>>(
        option: &str,
        settings: impl IntoIterator<Item = S>,
    ) -> Result<Self, OverrideError> {
        let mut overrides = Overrides::default();
        let mut rejected = Vec::new();
        for setting in settings {
            let source = Source::new(option, setting.as_ref());
            let read = |source: &Source, sink: &mut Sink| {
                lone_assignment(source, sink).map(Item::Assignment)
            };
            rejected.extend(overrides.add(source, read).err());
        }
        if rejected.is_empty() {
            Ok(overrides)
        } else {
            Err(OverrideError { rejected })
        }
    }

    /// Adds the value of an option; what is wrong with it is told under the option's name.
    pub fn option(&mut self, option: TimeOption, value: &str) -> Result<(), OverrideError> {
        let source = Source::new(option.name(), value);
        let read = |source: &Source, sink: &mut Sink| {
            Some(Item::Option(option, lone_expression(source, sink)))
        };
        self.add(source, read).map_err(|mut rejected| {
            for diagnostic in &mut rejected.diagnostics {
                diagnostic.help.get_or_insert(option.example().to_owned());
            }
            let rejected = vec![rejected];
            OverrideError { rejected }
        })
    }

    /// Reads one setting and keeps it.
    fn add(
        &mut self,
        source: Source,
        read: impl FnOnce(&Source, &mut Sink) -> Option<Item>,
    ) -> Result<(), Rejected> {
        let mut sink = Sink::default();
        let item = match crate::oversize(&source) {
            Some(diagnostic) => {
                sink.push(diagnostic);
                None
            }
            None => read(&source, &mut sink),
        };
        match item {
            Some(item) if !sink.has_errors() => {
                self.items.push((source, item));
                Ok(())
            }
            _ => Err(Rejected {
                source,
                diagnostics: sink.finish(),
            }),
        }
    }

    /// Adds a value by name: `set("m", "2")`.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OverrideError> {
        let mut more = Self::parse([format!("{name}={value}")])?;
        self.items.append(&mut more.items);
        Ok(())
    }

    /// Whether nothing is set.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}
