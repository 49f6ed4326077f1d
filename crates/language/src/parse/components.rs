//! One-forms and vector fields by components: `force`, `control`, `symmetry`, `frame`, `oneform`.

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::{Components, NamedComponents, StatementKind};
use crate::token::Kind;

use super::cursor::Cursor;
use super::expression::{Stop, expression};
use super::statement::unreadable;

pub(super) fn force(cursor: &mut Cursor) -> StatementKind {
    if cursor.at(Kind::Word) && cursor.peek_second().is_some_and(|t| t.kind == Kind::Equals) {
        let diagnostic = Diagnostic::error("syntax", cursor.here(), "expected `(`, found a name")
            .help("a force has no name: `force (x: -c*x')`");
        cursor.report(diagnostic);
        cursor.advance();
        cursor.advance();
    }
    if !cursor.at(Kind::OpenParen) {
        let found = cursor.found();
        let message = format!("expected `(` and components, found {found}");
        let help = "say what it pushes: `force (x: -c*x', y: 2)`";
        let here = cursor.here();
        cursor.report(Diagnostic::error("syntax", here, message).help(help));
    }
    components(cursor).map_or_else(|| unreadable(cursor), StatementKind::Force)
}

/// `(x: e, y: e)`
fn components(cursor: &mut Cursor) -> Option<Components> {
    let open = cursor.expect(Kind::OpenParen, "and components such as `(x: 1, y: 2)`")?;
    let mut items = Vec::new();
    let muted = cursor.muted;
    loop {
        let label = expression(cursor, Stop::AtOperand);
        if cursor.eat(Kind::Colon).is_some() {
            items.push((label, Some(expression(cursor, Stop::Never))));
        } else {
            cursor.expected("`:` and the component");
            skip_component(cursor);
        }
        if cursor.eat(Kind::Comma).is_none() {
            break;
        }
        cursor.muted = muted;
    }
    if !cursor.at(Kind::CloseParen) {
        let found = cursor.found();
        let diagnostic = Diagnostic::error(
            "bracket",
            cursor.here(),
            format!("expected `,` or `)`, found {found}"),
        )
        .also(open.span, "opened here");
        cursor.report(diagnostic);
        skip_component(cursor);
    }
    cursor.eat(Kind::CloseParen);
    Some(Components {
        items,
        span: open.span.to(cursor.previous()),
    })
}

/// Skips to the comma or the parenthesis that ends a component.
fn skip_component(cursor: &mut Cursor) {
    let mut depth = 0usize;
    while let Some(token) = cursor.peek() {
        let ends = matches!(token.kind, Kind::Comma | Kind::CloseParen);
        if cursor.at_statement() || (depth == 0 && ends) {
            return;
        }
        depth = (depth + usize::from(token.kind.is_open()))
            .saturating_sub(usize::from(token.kind.is_close()));
        cursor.advance();
    }
}

pub(super) fn named_components(cursor: &mut Cursor) -> Option<NamedComponents> {
    let Some(name) = cursor.plain_name("a name") else {
        cursor.skip_item();
        return None;
    };
    let whole = |span: Span| Components {
        items: Vec::new(),
        span,
    };
    if cursor
        .expect(Kind::Equals, "and components such as `(x: 1, y: 2)`")
        .is_none()
    {
        cursor.skip_item();
        return Some(NamedComponents {
            components: whole(name.span),
            name,
        });
    }
    let components = components(cursor).unwrap_or_else(|| {
        let here = cursor.here();
        cursor.skip_item();
        whole(here)
    });
    Some(NamedComponents { name, components })
}

/// `control u on x` · `control u on (x: cos(theta), y: sin(theta))` · `control u`
pub(super) fn control(cursor: &mut Cursor) -> Option<NamedComponents> {
    let Some(name) = cursor.plain_name("the control's name") else {
        cursor.skip_item();
        return None;
    };
    if cursor.eat_word("on").is_none() {
        // Without a one-form it acts through rates, maps and costs.
        if !cursor.at(Kind::Comma) && !cursor.at_end() && !cursor.at_statement() {
            let found = cursor.found();
            let message = format!("expected `on` and what the control acts on, found {found}");
            let help = format!(
                "write `control {0} on x`, or `control {0}` where it acts through rates",
                name.text
            );
            let here = cursor.here();
            cursor.report(Diagnostic::error("syntax", here, message).help(help));
            cursor.skip_item();
        }
        let components = Components {
            items: Vec::new(),
            span: name.span,
        };
        return Some(NamedComponents { name, components });
    }
    let components = if cursor.at(Kind::OpenParen) {
        components(cursor)?
    } else {
        let target = expression(cursor, Stop::Never);
        let span = target.span();
        Components {
            items: vec![(target, None)],
            span,
        }
    };
    Some(NamedComponents { name, components })
}
