//! Lines that go on with the statement above and are not indented: told once, then read as they are meant.

use crate::diagnostic::{Diagnostic, Sink};
use crate::layout::{Block, Layout};
use crate::source::Source;
use crate::token::{Kind, Token};
use crate::words::{HEADS, is_statement};

use super::lexical::comment_sign;
use super::statement::meant;

/// The statements of a text, those that were broken off at an operator put together.
pub(super) fn joined(source: &Source, layout: &Layout, sink: &mut Sink) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::with_capacity(layout.blocks.len());
    for block in &layout.blocks {
        let first = layout.tokens[block.tokens.start];
        match blocks.last_mut() {
            Some(above) if goes_on(source, layout, above, block) => {
                sink.push(unindented(first));
                above.tokens.end = block.tokens.end;
                above.last_line = block.last_line;
            }
            _ => blocks.push(block.clone()),
        }
    }
    blocks
}

/// Does the line under a statement belong to it, by its operators?
fn goes_on(source: &Source, layout: &Layout, above: &Block, block: &Block) -> bool {
    if block.first_line != above.last_line + 1 {
        return false;
    }
    if comment_sign(source, &layout.tokens[block.tokens.clone()]).is_some() {
        return false;
    }
    let first = layout.tokens[block.tokens.start];
    let last = layout.tokens[above.tokens.end - 1];
    if first.kind != Kind::Word {
        return continues(first.kind) || waits(last.kind) && first.kind != Kind::Unknown;
    }
    let word = source.slice(first.span);
    let next = layout.tokens[block.tokens.clone()].get(1);
    let assigned = next.is_some_and(|token| token.kind == Kind::Equals);
    let is_word = || is_statement(word) || HEADS.contains(&word);
    waits(last.kind) && !is_word() && meant(word, assigned).is_none()
}

/// Can a line that begins so only go on with another?
fn continues(kind: Kind) -> bool {
    use Kind::{CloseBracket, CloseParen, Comma, Equals, Minus, Over, Plus, Power, Times};
    matches!(
        kind,
        Plus | Minus | Times | Over | Power | Comma | Equals | CloseParen | CloseBracket
    )
}

/// Does an expression wait for its next operand behind this?
fn waits(kind: Kind) -> bool {
    use Kind::{Comma, Equals, Minus, Over, Plus, Power, Times};
    matches!(kind, Plus | Minus | Times | Over | Power | Comma | Equals)
}

fn unindented(first: Token) -> Diagnostic {
    Diagnostic::error(
        "continuation",
        first.span,
        "this line goes on with the statement above, but is not indented",
    )
    .help("indent it deeper than the first line of the statement, or keep a bracket open")
}
