//! Declarations of the configuration space: `coord` and `group`.

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::suggest::closest;
use crate::syntax::{GroupDeclaration, Name, StatementKind, VelocityNames};
use crate::token::Kind;
use crate::words::groups;

use super::cursor::Cursor;
use super::statement::{list, shorten};

/// `coord x, y` · `coord theta : angle`; a kind holds for the names before it.
pub(super) fn coordinates(cursor: &mut Cursor) -> StatementKind {
    let mut coordinates: Vec<(Name, bool)> = Vec::new();
    let mut undecided = 0;
    let items = list(cursor, |c| {
        let name = c.plain_name("a coordinate's name")?;
        if c.bracket_text() == "(t)" {
            let end = c.skip_brackets();
            let message = "a coordinate is declared by its name alone";
            let help = format!(
                "it depends on time without saying so: write `{}`",
                name.text
            );
            c.report(Diagnostic::error("syntax", name.span.to(end), message).help(help));
        }
        not_declared_so(c, &name);
        let angle = if c.eat(Kind::Colon).is_some() {
            coordinate_kind(c)
        } else {
            None
        };
        Some((name, angle))
    });
    for (name, angle) in items {
        coordinates.push((name, false));
        if let Some(angle) = angle {
            for coordinate in &mut coordinates[undecided..] {
                coordinate.1 = angle;
            }
            undecided = coordinates.len();
        }
    }
    StatementKind::Coord(coordinates)
}

/// `coord x = 1` and `coord x[3]`: reported, and the rest of the item skipped.
fn not_declared_so(cursor: &mut Cursor, name: &Name) {
    let name = &name.text;
    let help = match cursor.peek_kind() {
        Some(Kind::Equals) => format!("its value at the start is `start {name} = …`"),
        Some(Kind::OpenBracket) => format!("list them: `coord {name}1, {name}2`"),
        _ => return,
    };
    let message = "a coordinate is declared by its name alone";
    let here = cursor.here();
    cursor.report(Diagnostic::error("syntax", here, message).help(help));
    cursor.skip_item();
}

/// Whether the coordinate is an angle.
fn coordinate_kind(cursor: &mut Cursor) -> Option<bool> {
    let known = ["angle", "line"];
    for (word, angle) in known.into_iter().zip([true, false]) {
        if cursor.eat_word(word).is_some() {
            return Some(angle);
        }
    }
    let word = cursor
        .peek()
        .map_or("", |token| cursor.text(token))
        .to_owned();
    let mut diagnostic = Diagnostic::error(
        "syntax",
        cursor.here(),
        format!("expected `angle`, found {}", cursor.found()),
    );
    if let Some(meant) = closest(&word, known) {
        diagnostic = diagnostic.help(format!("did you mean `{meant}`?"));
    } else if groups().contains(&word.as_str()) {
        diagnostic =
            diagnostic.help("a Lie group is declared with `group NAME : SO(3) velocity w`");
    } else {
        diagnostic = diagnostic
            .help("a coordinate on the line needs no kind; one on the circle is `: angle`");
    }
    cursor.report(diagnostic);
    cursor.skip_item();
    None
}

/// `group R : SO(3) velocity w [space]`
pub(super) fn group(cursor: &mut Cursor) -> StatementKind {
    // If the statement cannot be read, it may still have declared these.
    let words = cursor.words_ahead();
    let Some(name) = cursor.plain_name("the group factor's name") else {
        return StatementKind::Unreadable(words);
    };
    if cursor
        .expect(Kind::Colon, "and a group such as `SO(3)`")
        .is_none()
    {
        return StatementKind::Unreadable(words);
    }
    let Some(family) = cursor.plain_name("a group: SO(2), SO(3), SE(2), SE(3), SU(2) or R(n)")
    else {
        return StatementKind::Unreadable(words);
    };
    let dimension = group_dimension(cursor, &family);
    let mut declaration = GroupDeclaration {
        name,
        family,
        dimension,
        velocity: None,
        space: false,
    };
    if cursor.eat_word("velocity").is_some() {
        declaration.velocity = velocity_names(cursor);
        declaration.space = cursor.eat_word("space").is_some();
        if !declaration.space {
            // The body velocity is the default; saying so is no mistake.
            cursor.eat_word("body");
        }
    } else if !cursor.at_end() {
        cursor.expected("`velocity` and a name");
    }
    StatementKind::Group(declaration)
}

fn group_dimension(cursor: &mut Cursor, family: &Name) -> Option<(u32, Span)> {
    let bare = family.text.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &family.text[bare.len()..];
    if !digits.is_empty() && groups().contains(&bare) {
        let message = "a group's dimension stands in parentheses";
        let help = format!("write `{bare}({digits})`");
        cursor.report(Diagnostic::error("syntax", family.span, message).help(help));
        return None;
    }
    cursor.expect(Kind::OpenParen, "and the dimension, such as `SO(3)`")?;
    let Some(token) = cursor.eat(Kind::Number) else {
        cursor.expected("the dimension, a whole number");
        return None;
    };
    cursor.expect(Kind::CloseParen, "after the dimension")?;
    match cursor.text(token).parse() {
        Ok(n) => Some((n, token.span)),
        Err(_) => {
            let message = format!(
                "the dimension of a group is a whole number, not `{}`",
                shorten(cursor.text(token))
            );
            cursor.report(Diagnostic::error("group", token.span, message));
            None
        }
    }
}

fn velocity_names(cursor: &mut Cursor) -> Option<VelocityNames> {
    let Some(open) = cursor.eat(Kind::OpenParen) else {
        return cursor
            .plain_name("the velocity's name")
            .map(VelocityNames::Vector);
    };
    let mut names = Vec::new();
    loop {
        names.push(cursor.plain_name("the name of a velocity component")?);
        if cursor.eat(Kind::Comma).is_none() {
            break;
        }
    }
    let close = cursor.expect(Kind::CloseParen, "after the names")?;
    Some(VelocityNames::Entries(names, open.span.to(close.span)))
}
