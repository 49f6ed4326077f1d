//! Parsing: from tokens to statements, reporting every independent mistake.

mod components;
mod continuation;
mod cursor;
mod declaration;
mod drawing;
mod expression;
mod lexical;
mod operators;
mod statement;

use crate::diagnostic::{Diagnostic, Sink};
use crate::layout::layout;
use crate::source::{Source, Span};
use crate::syntax::{Equation, Statement};
use crate::token::Kind;
use crate::words::is_statement;

use cursor::Cursor;
use expression::{Stop, expression};

/// All statements of a source text.
pub(crate) fn statements(source: &Source, sink: &mut Sink) -> Vec<Statement> {
    let layout = layout(source.text());
    let mut statements = Vec::with_capacity(layout.blocks.len());
    for block in &continuation::joined(source, &layout, sink) {
        let docs = layout.docs(source.text(), block);
        let block_tokens = &layout.tokens[block.tokens.clone()];
        let clean = lexical::check(source, block_tokens, sink);
        let tokens = lexical::readable(source, block_tokens);
        let mut cursor = Cursor::new(source, &tokens, sink);
        cursor.muted = !clean;
        while !cursor.at_end() {
            statements.push(statement::statement(&mut cursor, &docs));
        }
    }
    statements
}

/// One expression that makes up a whole source text, such as a value on the command line.
pub(crate) fn lone_expression(source: &Source, sink: &mut Sink) -> crate::syntax::Tree {
    let layout = layout(source.text());
    let clean = lexical::check(source, &layout.tokens, sink);
    let tokens = lexical::readable(source, &layout.tokens);
    let mut cursor = Cursor::new(source, &tokens, sink);
    cursor.muted = !clean;
    let tree = expression(&mut cursor, Stop::Never);
    cursor.expect_end();
    tree
}

/// `TARGET = VALUE` as a whole source text. None where there is no equals sign.
pub(crate) fn lone_assignment(source: &Source, sink: &mut Sink) -> Option<Equation> {
    let layout = layout(source.text());
    let word = layout
        .tokens
        .iter()
        .find(|token| token.kind == Kind::Word && is_statement(&source.text()[token.span.range()]));
    if let Some(word) = word {
        let name = &source.text()[word.span.range()];
        let message =
            format!("`{name}` is a word of the statements: it cannot be set or used here");
        let help = "set a parameter, a start value, `until` or `step`";
        sink.push(Diagnostic::error("target", word.span, message).help(help));
        return None;
    }
    let clean = lexical::check(source, &layout.tokens, sink);
    let tokens = lexical::readable(source, &layout.tokens);
    let mut cursor = Cursor::new(source, &tokens, sink);
    cursor.muted = !clean;
    let equation = statement::equation(&mut cursor, Stop::AtOperand, "NAME=VALUE");
    cursor.expect_end();
    equation
}

/// The place behind the last byte of a text.
pub(crate) fn end_of(source: &Source) -> Span {
    Span::new(source.text().len(), source.text().len())
}
