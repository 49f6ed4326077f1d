//! What the animation shows: `draw`.

use crate::drawing::draw_attribute;
use crate::syntax::{DrawStatement, DrawValue, StatementKind};
use crate::token::{Kind, Token};

use super::cursor::Cursor;
use super::expression::{Stop, expression};
use super::statement::unreadable;

/// `draw SHAPE [SIZE] (ATTRIBUTE VALUE)…`
pub(super) fn draw(cursor: &mut Cursor) -> StatementKind {
    // `draw body ellipsoid` draws an ellipsoid that is the body.
    let body = cursor.at_word("body") && cursor.peek_second().is_some_and(|t| t.kind == Kind::Word);
    if body {
        cursor.advance();
    }
    let Some(shape) = cursor.plain_name("a shape such as `disk`, `box`, `rod` or `trail`") else {
        return unreadable(cursor);
    };
    let mut pieces = Vec::new();
    while let Some(token) = cursor.peek() {
        if cursor.at_statement() || cursor.muted {
            break;
        }
        // Behind the shape a value may stand without a word; everywhere else a word comes first.
        let attribute = if token.kind == Kind::Word
            && (!pieces.is_empty() || begins_attribute(cursor, token))
        {
            cursor.plain_name("an attribute")
        } else if pieces.is_empty() {
            None
        } else {
            cursor.expected("a word such as `at` or `radius`");
            break;
        };
        pieces.push((attribute, draw_value(cursor)));
    }
    StatementKind::Draw(DrawStatement {
        body,
        shape,
        pieces,
    })
}

/// Whether a word is followed by a value, and so is no value itself.
fn begins_attribute(cursor: &Cursor, token: Token) -> bool {
    draw_attribute(cursor.text(token)).is_some()
        || cursor
            .peek_second()
            .is_some_and(|next| matches!(next.kind, Kind::Word | Kind::Number | Kind::Text))
            && cursor
                .peek_second()
                .is_some_and(|next| draw_attribute(cursor.text(next)).is_none())
}

fn draw_value(cursor: &mut Cursor) -> DrawValue {
    match cursor.eat(Kind::Text) {
        Some(token) => DrawValue::Text(cursor.text(token).trim_matches('"').to_owned(), token.span),
        None => DrawValue::Expression(expression(cursor, Stop::AtWord)),
    }
}
