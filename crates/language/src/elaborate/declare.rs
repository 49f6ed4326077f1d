//! Declarations: every name of the file gets an entry, whatever order the statements come in.

use std::collections::hash_map::Entry as Slot;

use rattleback_symbolic::Symbol;

use crate::diagnostic::Diagnostic;
use crate::model::{CoordinateKind, Factor};
use crate::names::Names;
use crate::scope::{Dependence, Entry, Meaning, Scope, Variable};
use crate::syntax::{Name, Statement, StatementKind};
use crate::words;

use super::Elaborator;

impl Elaborator<'_> {
    pub(super) fn declare(&mut self, statements: &[Statement]) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Coord(names) => {
                    for (name, angle) in names {
                        self.declare_coordinate(statement, name, *angle);
                    }
                }
                StatementKind::Group(group) => self.declare_group(statement, group),
                StatementKind::State(names) => {
                    names.iter().for_each(|name| self.declare_state(name))
                }
                StatementKind::Free(items) => items
                    .iter()
                    .for_each(|d| self.declare_pending(&d.name, "a free number")),
                StatementKind::Flat(items) => items
                    .iter()
                    .for_each(|d| self.declare_pending(&d.name, "a flat output")),
                StatementKind::Param(items) => items
                    .iter()
                    .for_each(|d| self.declare_pending(&d.name, "a parameter")),
                StatementKind::Let(items) => items
                    .iter()
                    .for_each(|d| self.declare_pending(&d.name, "an abbreviation")),
                StatementKind::Observe(items) => items
                    .iter()
                    .for_each(|d| self.declare_pending(&d.name, "an observable")),
                StatementKind::Control(items) => {
                    items.iter().for_each(|c| self.declare_control(&c.name))
                }
                StatementKind::Symmetry(items) => items
                    .iter()
                    .for_each(|f| self.declare_field(&f.name, "a symmetry")),
                StatementKind::Constraint(items) => items
                    .iter()
                    .filter_map(|c| c.name.as_ref())
                    .for_each(|name| self.declare_field(name, "a constraint")),
                StatementKind::Frame(items) => {
                    for field in items {
                        self.declare_field(&field.name, "a field of the frame");
                        self.scope.frame.push(field.name.text.clone());
                    }
                }
                StatementKind::OneForm(items) => items
                    .iter()
                    .for_each(|f| self.declare_field(&f.name, "a one-form")),
                _ => {}
            }
        }
        self.scope.names = generated_names(&self.scope, statements);
        // A statement that could not be read may have declared these: uses of them are no mistake.
        for statement in statements {
            for name in statement.doubtful_names() {
                self.scope
                    .entries
                    .entry(name.clone())
                    .or_insert_with(|| Entry {
                        meaning: Meaning::Unknown,
                        what: "unreadable",
                        span: statement.span,
                        rank: 0,
                        dependence: Dependence::default(),
                    });
            }
        }
    }

    /// Adds a name; false where it cannot be declared.
    pub(super) fn declare_name(
        &mut self,
        name: &Name,
        what: &'static str,
        meaning: Meaning,
        dependence: Dependence,
    ) -> bool {
        let mut meaning = meaning;
        let mut fine = true;
        if let Some(use_) = words::reserved(&name.text) {
            let message = format!("`{}` cannot be declared: it is {use_}", name.text);
            self.sink.push(
                Diagnostic::error("reserved", name.span, message).help("choose another name"),
            );
            if words::CONSTANTS.contains(&name.text.as_str()) {
                return false;
            }
            (meaning, fine) = (Meaning::Unknown, false);
        }
        let rank = self.scope.entries.len();
        match self.scope.entries.entry(name.text.clone()) {
            Slot::Vacant(slot) => {
                slot.insert(Entry {
                    meaning,
                    what,
                    span: name.span,
                    rank,
                    dependence,
                });
                fine
            }
            Slot::Occupied(mut slot) => {
                let first = slot.get_mut();
                // Which of two different meanings a use has cannot be known.
                if first.what != what {
                    first.meaning = Meaning::Unknown;
                }
                let diagnostic = Diagnostic::error(
                    "duplicate",
                    name.span,
                    format!("the name `{}` is declared twice", name.text),
                )
                .label(format!("second, as {what}"))
                .also(first.span, format!("first, as {}", first.what))
                .help("a name has one meaning; rename one of them");
                self.sink.push(diagnostic);
                false
            }
        }
    }

    fn declare_pending(&mut self, name: &Name, what: &'static str) {
        self.declare_name(name, what, Meaning::Pending, Dependence::default());
    }

    fn declare_field(&mut self, name: &Name, what: &'static str) {
        self.declare_name(name, what, Meaning::Field, Dependence::default());
    }

    fn declare_control(&mut self, name: &Name) {
        let symbol = self.scope.assumed(Symbol::variable(&name.text));
        let dependence = Dependence {
            controls: true,
            ..Dependence::default()
        };
        if self.declare_name(name, "a control", Meaning::Control(symbol), dependence) {
            self.scope
                .variables
                .insert(name.text.clone(), Variable::Control);
        }
    }

    fn declare_state(&mut self, name: &Name) {
        let symbol = self.scope.assumed(Symbol::variable(&name.text));
        let dependence = Dependence {
            positions: true,
            ..Dependence::default()
        };
        let meaning = Meaning::Auxiliary(symbol);
        if self.declare_name(name, "an auxiliary state", meaning, dependence) {
            self.scope
                .variables
                .insert(name.text.clone(), Variable::Auxiliary);
        }
    }

    fn declare_coordinate(&mut self, statement: &Statement, name: &Name, angle: bool) {
        let symbol = self.scope.assumed(Symbol::variable(&name.text));
        let dependence = Dependence {
            positions: true,
            ..Dependence::default()
        };
        if !self.declare_name(
            name,
            "a coordinate",
            Meaning::Coordinate(symbol.clone()),
            dependence,
        ) {
            return;
        }
        self.scope
            .variables
            .insert(name.text.clone(), Variable::Position);
        let kind = if angle {
            CoordinateKind::Angle
        } else {
            CoordinateKind::Line
        };
        let doc = self.doc(statement, name.span);
        self.model.configuration.push(Factor::Coordinate {
            symbol,
            kind,
            doc,
            span: name.span,
        });
    }
}

/// What the program may make up beside the names that are declared.
fn generated_names(scope: &Scope, statements: &[Statement]) -> Names {
    let equations = statements.iter().flat_map(|s| match &s.kind {
        StatementKind::Constraint(equations) => equations.as_slice(),
        _ => &[],
    });
    let names = equations.map(|e| e.name.as_ref().map(|n| n.text.clone()));
    Names::new(scope.entries.keys().cloned(), names.collect())
}
