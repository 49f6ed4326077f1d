//! Statements: the word that begins one decides how the rest is read.

use crate::diagnostic::Diagnostic;
use crate::layout::Docs;
use crate::source::Span;
use crate::suggest::closest;
use crate::syntax::{
    Chain, Components, Definition, DrawStatement, DrawValue, Equation, GroupDeclaration, Name,
    NamedComponents, Relation, Statement, StatementKind, Tree, VelocityNames,
};
use crate::token::{Kind, Token};
use crate::words::{GROUPS, STATEMENTS, is_statement};

use super::cursor::Cursor;
use super::expression::{Stop, expression};

/// Reads one statement and all of its tokens.
pub(crate) fn statement(cursor: &mut Cursor, docs: &Docs) -> Statement {
    let keyword = cursor.here();
    let mut guessed = Vec::new();
    let kind = match cursor.peek().filter(|token| token.kind == Kind::Word) {
        Some(token) => begin(cursor, token, &mut guessed),
        None => {
            cursor.expected("a statement such as `coord` or `lagrangian`");
            unreadable(cursor)
        }
    };
    cursor.expect_end();
    let span = keyword.to(cursor.previous());
    // The next statement on these lines, if layout joined two, is read afresh.
    if cursor.at_statement() {
        cursor.muted = false;
    }
    Statement {
        kind,
        keyword,
        span,
        docs: docs.clone(),
        guessed,
    }
}

fn begin(cursor: &mut Cursor, token: Token, guessed: &mut Vec<String>) -> StatementKind {
    let word = cursor.text(token);
    if is_statement(word) {
        cursor.advance();
        return body(cursor, word);
    }
    let Some(meant) = closest(word, STATEMENTS.iter().copied()) else {
        let mut diagnostic = Diagnostic::error(
            "unknown-statement",
            token.span,
            format!("`{}` does not begin a statement", shorten(word)),
        );
        diagnostic = match cursor.peek_second().map(|t| t.kind) {
            Some(Kind::Equals) => diagnostic.help(format!(
                "to abbreviate, write `let {word} = …`; to declare a constant, `param {word} = …`"
            )),
            _ => diagnostic
                .help("a statement begins with one of: ".to_owned() + &STATEMENTS.join(", ")),
        };
        cursor.report(diagnostic);
        return unreadable(cursor);
    };
    cursor.report(
        Diagnostic::error(
            "unknown-statement",
            token.span,
            format!("`{word}` does not begin a statement"),
        )
        .help(format!("did you mean `{meant}`?")),
    );
    cursor.advance();
    *guessed = cursor.words_ahead();
    body(cursor, meant)
}

fn shorten(word: &str) -> String {
    if word.chars().count() > 40 {
        word.chars().take(40).chain(['…']).collect()
    } else {
        word.to_owned()
    }
}

/// Skips the statement, and keeps its names: what uses them is not wrong on their account.
fn unreadable(cursor: &mut Cursor) -> StatementKind {
    let mut names = Vec::new();
    while let Some(token) = cursor.peek() {
        if cursor.at_statement() {
            break;
        }
        if token.kind == Kind::Word {
            names.push(cursor.spelling(token).name);
        }
        cursor.advance();
    }
    StatementKind::Unreadable(names)
}

fn body(cursor: &mut Cursor, word: &str) -> StatementKind {
    match word {
        "system" => system(cursor),
        "param" => StatementKind::Param(list(cursor, |c| definition(c, "a parameter's name"))),
        "assume" => {
            StatementKind::Assume(list(cursor, |c| chain(c, "a condition such as `m > 0`")))
        }
        "coord" => coordinates(cursor),
        "group" => group(cursor),
        "let" => StatementKind::Let(list(cursor, |c| definition(c, "a name"))),
        "lagrangian" => StatementKind::Lagrangian(expression(cursor, Stop::Never)),
        "kinetic" => StatementKind::Kinetic(expression(cursor, Stop::Never)),
        "potential" => StatementKind::Potential(expression(cursor, Stop::Never)),
        "constraint" => {
            StatementKind::Constraint(list(cursor, |c| equation(c, Stop::Never, "LEFT = RIGHT")))
        }
        "force" => force(cursor),
        "control" => StatementKind::Control(list(cursor, control)),
        "symmetry" => StatementKind::Symmetry(list(cursor, named_components)),
        "frame" => StatementKind::Frame(list(cursor, named_components)),
        "oneform" => StatementKind::OneForm(list(cursor, named_components)),
        "fibre" => StatementKind::Fibre(list(cursor, |c| c.plain_name("a coordinate or a group"))),
        "observe" => StatementKind::Observe(list(cursor, |c| definition(c, "a name"))),
        "start" => StatementKind::Start(list(cursor, |c| {
            equation(c, Stop::AtOperand, "NAME = VALUE")
        })),
        "goal" => StatementKind::Goal(list(cursor, |c| {
            equation(c, Stop::AtOperand, "NAME = VALUE")
        })),
        "cost" => StatementKind::Cost(expression(cursor, Stop::Never)),
        "terminal" => StatementKind::Terminal(expression(cursor, Stop::Never)),
        "bound" => StatementKind::Bound(list(cursor, |c| {
            chain(c, "an inequality such as `-1 <= u <= 1`")
        })),
        "time" => time(cursor),
        "draw" => draw(cursor),
        _ => unreadable(cursor),
    }
}

/// One or more items between commas; a mistake in one does not hide the others.
fn list<T>(cursor: &mut Cursor, mut item: impl FnMut(&mut Cursor) -> Option<T>) -> Vec<T> {
    let mut items = Vec::new();
    let muted = cursor.muted;
    loop {
        items.extend(item(cursor));
        if !cursor.at(Kind::Comma) && !cursor.at_end() && !cursor.at_statement() {
            cursor.expected("`,` or the end of the statement");
            cursor.skip_item();
        }
        if cursor.eat(Kind::Comma).is_none() {
            return items;
        }
        cursor.muted = muted;
    }
}

fn system(cursor: &mut Cursor) -> StatementKind {
    let Some(name) = cursor.plain_name("the system's name") else {
        return unreadable(cursor);
    };
    let title = cursor
        .eat(Kind::Text)
        .map(|token| cursor.text(token).trim_matches('"').to_owned());
    StatementKind::System { name, title }
}

fn definition(cursor: &mut Cursor, what: &str) -> Option<Definition> {
    let Some(name) = cursor.plain_name(what) else {
        cursor.skip_item();
        return None;
    };
    let value = if cursor
        .expect(Kind::Equals, &format!("and a value after `{}`", name.text))
        .is_some()
    {
        expression(cursor, Stop::Never)
    } else {
        let here = cursor.here();
        cursor.skip_item();
        Tree::error(here)
    };
    Some(Definition { name, value })
}

/// `LEFT = RIGHT`; `form` says in a message what is expected.
pub(crate) fn equation(cursor: &mut Cursor, stop: Stop, form: &str) -> Option<Equation> {
    let left = expression(cursor, stop);
    if cursor.eat(Kind::Equals).is_none() {
        cursor.expected(&format!("`=` ({form})"));
        cursor.skip_item();
        return Some(Equation {
            right: Tree::error(left.span().after()),
            left,
        });
    }
    let right = expression(cursor, Stop::Never);
    if cursor.at(Kind::Equals) {
        let diagnostic = Diagnostic::error(
            "syntax",
            cursor.here(),
            "expected one `=`, found a second one",
        )
        .help("write two equations, separated by a comma");
        cursor.report(diagnostic);
        cursor.skip_item();
    }
    Some(Equation { left, right })
}

fn relation(cursor: &mut Cursor) -> Option<Relation> {
    let relation = match cursor.peek_kind()? {
        Kind::Less => Relation::Less,
        Kind::LessEqual => Relation::LessOrEqual,
        Kind::Greater => Relation::Greater,
        Kind::GreaterEqual => Relation::GreaterOrEqual,
        Kind::NotEqual => Relation::NotEqual,
        Kind::Equals => Relation::Equal,
        _ => return None,
    };
    cursor.advance();
    Some(relation)
}

fn chain(cursor: &mut Cursor, what: &str) -> Option<Chain> {
    let mut chain = Chain {
        sides: vec![expression(cursor, Stop::Never)],
        relations: Vec::new(),
    };
    while let Some(relation) = relation(cursor) {
        chain.relations.push(relation);
        chain.sides.push(expression(cursor, Stop::Never));
    }
    if chain.relations.is_empty() {
        cursor.expected(&format!("`<`, `<=`, `>`, `>=` or `!=` in {what}"));
        cursor.skip_item();
        return None;
    }
    Some(chain)
}

/// `coord x, y` · `coord theta : angle`; a kind holds for the names before it.
fn coordinates(cursor: &mut Cursor) -> StatementKind {
    let mut coordinates: Vec<(Name, bool)> = Vec::new();
    let mut undecided = 0;
    let items = list(cursor, |c| {
        let name = c.plain_name("a coordinate's name")?;
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
    } else if GROUPS.contains(&word.as_str()) {
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
fn group(cursor: &mut Cursor) -> StatementKind {
    let Some(name) = cursor.plain_name("the group factor's name") else {
        return unreadable(cursor);
    };
    if cursor
        .expect(Kind::Colon, "and a group such as `SO(3)`")
        .is_none()
    {
        return StatementKind::Unreadable(vec![name.text]);
    }
    let Some(family) = cursor.plain_name("a group: SO(2), SO(3), SE(2), SE(3), SU(2) or R(n)")
    else {
        return StatementKind::Unreadable(vec![name.text]);
    };
    let dimension = group_dimension(cursor);
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

fn group_dimension(cursor: &mut Cursor) -> Option<(u32, Span)> {
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

fn force(cursor: &mut Cursor) -> StatementKind {
    if cursor.at(Kind::Word) && cursor.peek_second().is_some_and(|t| t.kind == Kind::Equals) {
        let diagnostic = Diagnostic::error("syntax", cursor.here(), "expected `(`, found a name")
            .help("a force has no name: `force (x: -c*x')`");
        cursor.report(diagnostic);
        cursor.advance();
        cursor.advance();
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

fn named_components(cursor: &mut Cursor) -> Option<NamedComponents> {
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

/// `control u on x` · `control u on (x: cos(theta), y: sin(theta))`
fn control(cursor: &mut Cursor) -> Option<NamedComponents> {
    let Some(name) = cursor.plain_name("the control's name") else {
        cursor.skip_item();
        return None;
    };
    if cursor.eat_word("on").is_none() {
        cursor.expected("`on` and what the control acts on, such as `on x`");
        cursor.skip_item();
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

/// `time 0 .. 10 [step 0.01]`
fn time(cursor: &mut Cursor) -> StatementKind {
    let from = expression(cursor, Stop::AtWord);
    if cursor
        .expect(Kind::Range, "and the end of the time interval")
        .is_none()
    {
        return unreadable(cursor);
    }
    let to = expression(cursor, Stop::AtWord);
    let step = cursor
        .eat_word("step")
        .map(|_| expression(cursor, Stop::AtWord));
    if step.is_none() && cursor.at(Kind::Word) {
        cursor.expected("`step` or the end of the statement");
    }
    StatementKind::Time { from, to, step }
}

/// `draw SHAPE [SIZE] (ATTRIBUTE VALUE)…`
fn draw(cursor: &mut Cursor) -> StatementKind {
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
    StatementKind::Draw(DrawStatement { shape, pieces })
}

/// Whether a word is followed by a value, and so is no value itself.
fn begins_attribute(cursor: &Cursor, token: Token) -> bool {
    crate::model::draw_attribute(cursor.text(token)).is_some()
        || cursor
            .peek_second()
            .is_some_and(|next| matches!(next.kind, Kind::Word | Kind::Number | Kind::Text))
            && cursor
                .peek_second()
                .is_some_and(|next| crate::model::draw_attribute(cursor.text(next)).is_none())
}

fn draw_value(cursor: &mut Cursor) -> DrawValue {
    match cursor.eat(Kind::Text) {
        Some(token) => DrawValue::Text(cursor.text(token).trim_matches('"').to_owned(), token.span),
        None => DrawValue::Expression(expression(cursor, Stop::AtWord)),
    }
}
