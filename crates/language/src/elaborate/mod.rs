//! Elaboration: from statements to the model. Names get their meanings, shapes are checked, and every
//! independent mistake is reported.

pub(crate) mod access;
mod arithmetic;
mod auxiliary;
mod clock;
pub(crate) mod context;
mod declare;
mod definitions;
mod domain;
mod ends;
mod entries;
pub(crate) mod evaluate;
mod fields;
mod functions;
mod groups;
mod mechanics;
mod moments;
mod problem;
pub(crate) mod review;
pub(crate) mod schedule;
mod signs;
pub(crate) mod state;
mod structure;

use std::collections::HashMap;

use rattleback_symbolic::{Assumptions, Expr, Fact};

use crate::auxiliary::Clock;
use crate::diagnostic::{Diagnostic, Sink};
use crate::model::Model;
use crate::numeric::Values;
use crate::scope::Scope;
use crate::source::{Source, Span};
use crate::syntax::{Statement, Tree};
use crate::value::Value;

use context::Context;
use evaluate::{Evaluator, Ledger};

/// The model of the statements, some parameters fixed at values and more assumed than the file says; diagnostics go to the sink. It is of use
/// only if there were no errors.
pub(crate) fn elaborate(
    source: &Source,
    statements: &[Statement],
    fixed: HashMap<String, Expr>,
    assumed: &[Fact],
    sink: &mut Sink,
) -> Model {
    let mut scope = Scope {
        signs: signs::collect(source, statements),
        fixed,
        ..Scope::default()
    };
    let mut facts = signs::relations(source, statements, &scope);
    facts.extend_from_slice(assumed);
    scope.assumptions = Assumptions::new(&facts);
    let (mut model, asked) = pass(source, statements, scope.clone(), sink);
    let all = domain::domain(&model, statements, asked);
    let (domain, tied): (Vec<_>, Vec<_>) = all.into_iter().partition(domain::Defined::is_fact);
    model.domain = domain::watched(&tied, &model.scope);
    if domain.is_empty() || sink.has_errors() {
        return model;
    }
    facts.extend(domain.iter().map(|d| d.fact.clone()));
    if let Some(nowhere) = domain::nowhere(&domain, &facts) {
        sink.push(nowhere);
        return model;
    }
    // Now the symbols know where the model is defined.
    scope.assumptions = Assumptions::new(&facts);
    let mut second = Sink::default();
    let (mut model, _) = pass(source, statements, scope, &mut second);
    sink.take_errors(second);
    model.domain = domain::watched(domain.iter().chain(&tied), &model.scope);
    model
}

/// One reading of the statements, with what is known of their names, and what functions ask of their arguments.
fn pass(
    source: &Source,
    statements: &[Statement],
    scope: Scope,
    sink: &mut Sink,
) -> (Model, Ledger) {
    let mut elaborator = Elaborator::new(source, sink, scope);
    elaborator.clock(statements);
    elaborator.structure(statements);
    elaborator.declare(statements);
    elaborator.define(statements);
    elaborator.auxiliary(statements);
    elaborator.mechanics(statements);
    elaborator.problem(statements);
    elaborator.ends(statements);
    elaborator.review(statements);
    let mut model = elaborator.model;
    model.scope = elaborator.scope;
    (model, elaborator.ledger)
}

/// A model under construction.
pub(crate) struct Elaborator<'a> {
    source: &'a Source,
    sink: &'a mut Sink,
    scope: Scope,
    ledger: Ledger,
    model: Model,
    /// The derivatives of auxiliary states.
    rates: Values,
    /// Statements that may occur once, with their places.
    seen: Vec<(&'static str, Span)>,
}

impl<'a> Elaborator<'a> {
    fn new(source: &'a Source, sink: &'a mut Sink, scope: Scope) -> Self {
        Self {
            source,
            sink,
            scope,
            ledger: Ledger::default(),
            model: empty_model(),
            rates: Values::default(),
            seen: Vec::new(),
        }
    }
}

impl Elaborator<'_> {
    fn evaluator(&mut self) -> Evaluator<'_> {
        Evaluator {
            source: self.source,
            scope: &self.scope,
            sink: self.sink,
            ledger: &mut self.ledger,
        }
    }

    fn value(&mut self, tree: &Tree, context: &Context) -> Option<Value> {
        self.evaluator().evaluate(tree, context)
    }

    fn scalar(&mut self, tree: &Tree, context: &Context) -> Option<Expr> {
        self.evaluator().scalar(tree, context)
    }

    fn doc(&self, statement: &Statement, item: Span) -> Option<String> {
        statement.docs.of_line(self.source.line(item.end))
    }

    /// Notes a statement that may occur once; reports a second one with both places.
    fn only_once(&mut self, word: &'static str, span: Span) -> bool {
        if let Some((_, first)) = self.seen.iter().find(|(seen, _)| *seen == word) {
            let diagnostic = Diagnostic::error(
                "duplicate",
                span,
                format!("a model has one `{word}` statement, and this is a second one"),
            )
            .label("second")
            .also(*first, "first")
            .help("remove one of them");
            self.sink.push(diagnostic);
            return false;
        }
        self.seen.push((word, span));
        true
    }
}

fn empty_model() -> Model {
    Model {
        name: String::new(),
        title: None,
        doc: None,
        span: Span::default(),
        clock: Clock::default(),
        parameters: Vec::new(),
        free: Vec::new(),
        assumptions: Vec::new(),
        domain: Vec::new(),
        configuration: Vec::new(),
        states: Vec::new(),
        abbreviations: Vec::new(),
        kinetic: None,
        potential: None,
        lagrangian: Expr::zero(),
        lagrangian_span: Span::default(),
        order: 1,
        constraints: Vec::new(),
        forces: Vec::new(),
        controls: Vec::new(),
        inputs: Vec::new(),
        flats: Vec::new(),
        symmetries: Vec::new(),
        frame: Vec::new(),
        oneforms: Vec::new(),
        fibre: Vec::new(),
        observables: Vec::new(),
        start: Default::default(),
        goals: Vec::new(),
        vias: Vec::new(),
        guesses: Vec::new(),
        costs: Vec::new(),
        terminals: Vec::new(),
        bounds: Vec::new(),
        time: None,
        draws: Vec::new(),
        scope: Scope::default(),
    }
}
