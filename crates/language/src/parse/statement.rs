//! Statements: the word that begins one decides how the rest is read.

use crate::diagnostic::Diagnostic;
use crate::layout::Docs;
use crate::suggest::closest;
use crate::syntax::{
    Chain, Definition, Equation, NamedEquation, Relation, Statement, StatementKind, Tree,
};
use crate::token::{Kind, Token};
use crate::words::{STATEMENTS, is_statement};

use super::components::{control, force, named_components};
use super::cursor::Cursor;
use super::declaration::{coordinates, group};
use super::drawing::draw;
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

pub(super) fn shorten(word: &str) -> String {
    if word.chars().count() > 40 {
        word.chars().take(40).chain(['…']).collect()
    } else {
        word.to_owned()
    }
}

/// Skips the statement, and keeps its names: what uses them is not wrong on their account.
pub(super) fn unreadable(cursor: &mut Cursor) -> StatementKind {
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
        "constraint" => StatementKind::Constraint(list(cursor, named_equation)),
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
pub(super) fn list<T>(
    cursor: &mut Cursor,
    mut item: impl FnMut(&mut Cursor) -> Option<T>,
) -> Vec<T> {
    let mut items = Vec::new();
    let muted = cursor.muted;
    loop {
        items.extend(item(cursor));
        if !cursor.at(Kind::Comma) && !cursor.at_end() && !cursor.at_statement() {
            cursor.expected("`,` or the end of the statement");
            if cursor.at(Kind::Word) {
                // Most likely the comma between two items was forgotten.
                continue;
            }
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

/// `LEFT = RIGHT` or `NAME: LEFT = RIGHT`.
fn named_equation(cursor: &mut Cursor) -> Option<NamedEquation> {
    let is_named = cursor.at(Kind::Word)
        && cursor
            .peek_second()
            .is_some_and(|token| token.kind == Kind::Colon);
    let name = match is_named {
        true => {
            let name = cursor.plain_name("the name of a constraint")?;
            cursor.advance();
            Some(name)
        }
        false => None,
    };
    let equation = equation(cursor, Stop::Never, "LEFT = RIGHT")?;
    Some(NamedEquation { name, equation })
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
