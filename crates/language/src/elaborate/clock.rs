//! How time passes: by what the statements say, before any name has a meaning.

use crate::auxiliary::Clock;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::{NodeKind, Statement, StatementKind, Tree};

use super::Elaborator;

impl Elaborator<'_> {
    /// Settles how time passes, and reports what does not go with it.
    pub(super) fn clock(&mut self, statements: &[Statement]) {
        let (clock, place) = clock(statements);
        (self.model.clock, self.scope.clock) = (clock, clock);
        self.scope.discrete = place;
        let Some(place) = place else { return };
        for statement in statements {
            let (what, help) = match (&statement.kind, clock) {
                (StatementKind::Rate(_), Clock::Map) => (
                    "`rate` belongs to continuous time, and `map` to discrete time: a model has one of them",
                    "give every state a `map`, or every state a `rate`",
                ),
                (StatementKind::Rate(_), Clock::DiscreteLagrangian) => (
                    "`rate` belongs to continuous time, and a Lagrangian with `next` to discrete time",
                    "remove the auxiliary state, or write the Lagrangian in derivatives",
                ),
                (StatementKind::Coord(_) | StatementKind::Group(_), Clock::Map) => (
                    "a discrete-time model has no configuration space: its variables are states",
                    "declare them with `state`, each with its `map`",
                ),
                _ => continue,
            };
            let diagnostic = Diagnostic::error("clock", statement.keyword, what)
                .also(place, "this makes time discrete")
                .help(help);
            self.sink.push(diagnostic);
        }
    }
}

/// How time passes, and the place that says that it is discrete.
fn clock(statements: &[Statement]) -> (Clock, Option<Span>) {
    let map = statements
        .iter()
        .find(|s| matches!(s.kind, StatementKind::Map(_)));
    if let Some(map) = map {
        return (Clock::Map, Some(map.keyword));
    }
    let next = statements.iter().find_map(|s| match &s.kind {
        StatementKind::Lagrangian(tree) => next_in(tree),
        StatementKind::Let(items) => items.iter().find_map(|d| next_in(&d.value)),
        _ => None,
    });
    match next {
        Some(place) => (Clock::DiscreteLagrangian, Some(place)),
        None => (Clock::Continuous, None),
    }
}

/// The first value at the next node in an expression.
fn next_in(tree: &Tree) -> Option<Span> {
    let is_next = |kind: &NodeKind| matches!(kind, NodeKind::Call(name, _) if name.text == "next");
    let node = tree.nodes.iter().find(|node| is_next(&node.kind))?;
    Some(node.span)
}
