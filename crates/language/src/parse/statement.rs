//! Statements: the word that begins one decides how the rest is read.

use crate::diagnostic::Diagnostic;
use crate::layout::Docs;
use crate::slips;
use crate::suggest::closest;
use crate::syntax::{
    Chain, Definition, Equation, NamedEquation, Relation, StartItem, Statement, StatementKind, Tree,
};
use crate::token::{Kind, Token};
use crate::words;

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
    let assigned = cursor.peek_second().is_some_and(|t| t.kind == Kind::Equals);
    // `rate = 2` is no statement: a newer word is a name there.
    if words::is_statement(word) || words::HEADS.contains(&word) && !assigned {
        cursor.advance();
        return body(cursor, word);
    }
    let unknown = Diagnostic::error(
        "unknown-statement",
        token.span,
        format!("`{}` does not begin a statement", shorten(word)),
    );
    let Some(meant) = meant(word, assigned) else {
        let help = match cursor.at_assignment() && !assigned {
            true => slips::DIFFERENTIAL_EQUATION.to_owned(),
            false => no_statement(word, assigned),
        };
        cursor.report(unknown.help(help));
        return unreadable(cursor);
    };
    cursor.report(unknown.help(format!("did you mean `{meant}`?")));
    cursor.advance();
    *guessed = cursor.words_ahead();
    body(cursor, meant)
}

/// The statement that an unknown word stands for.
pub(super) fn meant(word: &str, assigned: bool) -> Option<&'static str> {
    let slip = slips::statement(word).filter(|_| !assigned);
    let near = || closest(word, words::statements()).filter(|_| !words::HEADS.contains(&word));
    slip.or_else(near)
}

/// What to write instead of a line that begins with a word of no statement.
fn no_statement(word: &str, assigned: bool) -> String {
    let energy = match word {
        "L" => Some("lagrangian"),
        "T" | "K" => Some("kinetic"),
        "V" | "U" => Some("potential"),
        _ => None,
    };
    if let Some(help) = slips::no_statement(word).filter(|_| !assigned) {
        return help.to_owned();
    }
    match (assigned, energy) {
        (true, Some(statement)) => {
            format!("write `{statement} …`; to abbreviate, `let {word} = …`")
        }
        (true, None) => format!(
            "to abbreviate, write `let {word} = …`; to declare a constant, `param {word} = …`"
        ),
        (false, _) => {
            let all: Vec<&str> = words::statements().collect();
            "a statement begins with one of: ".to_owned() + &all.join(", ")
        }
    }
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
        "lagrangian" => StatementKind::Lagrangian(unnamed(cursor, word)),
        "kinetic" => StatementKind::Kinetic(unnamed(cursor, word)),
        "potential" => StatementKind::Potential(unnamed(cursor, word)),
        "constraint" => StatementKind::Constraint(list(cursor, named_equation)),
        "force" => force(cursor),
        "control" => StatementKind::Control(list(cursor, control)),
        "symmetry" => StatementKind::Symmetry(list(cursor, named_components)),
        "frame" => StatementKind::Frame(list(cursor, named_components)),
        "oneform" => StatementKind::OneForm(list(cursor, named_components)),
        "fibre" => StatementKind::Fibre(list(cursor, |c| c.plain_name("a coordinate or a group"))),
        "observe" => StatementKind::Observe(list(cursor, |c| definition(c, "a name"))),
        "input" => StatementKind::Input(list(cursor, |c| definition(c, "a control's name"))),
        "state" => StatementKind::State(list(cursor, |c| c.plain_name("a state's name"))),
        "rate" => StatementKind::Rate(list(cursor, |c| {
            equation(c, Stop::AtOperand, "z' = EXPRESSION")
        })),
        "map" => StatementKind::Map(list(cursor, |c| {
            equation(c, Stop::AtOperand, "next(z) = EXPRESSION")
        })),
        "flat" => StatementKind::Flat(list(cursor, |c| definition(c, "a name for the output"))),
        "free" => StatementKind::Free(list(cursor, |c| definition(c, "a free number's name"))),
        "start" => StatementKind::Start(list(cursor, start_item)),
        "goal" => StatementKind::Goal(list(cursor, condition)),
        "periodic" => {
            StatementKind::Periodic(list(cursor, |c| Some(expression(c, Stop::AtOperand))))
        }
        "via" => via(cursor),
        "guess" => StatementKind::Guess(list(cursor, |c| {
            equation(c, Stop::AtOperand, "NAME = EXPRESSION")
        })),
        "cost" => StatementKind::Cost(unnamed(cursor, word)),
        "terminal" => StatementKind::Terminal(unnamed(cursor, word)),
        "bound" => StatementKind::Bound(list(cursor, |c| {
            chain(c, "an inequality such as `-1 <= u <= 1`")
        })),
        "time" => time(cursor),
        "draw" => draw(cursor),
        _ => unreadable(cursor),
    }
}

/// An expression that has no name: `lagrangian L = …`, `kinetic: …` and `kinetic energy …` are slips.
fn unnamed(cursor: &mut Cursor, word: &str) -> Tree {
    let assigns = |token: Token| matches!(token.kind, Kind::Equals | Kind::Colon);
    let second = cursor.peek_second();
    let named = cursor
        .peek()
        .filter(|token| token.kind == Kind::Word && second.is_some_and(assigns));
    let energy = cursor.at_word("energy") && second.is_some_and(|t| t.kind.begins_operand());
    let help = match named {
        Some(name) => {
            let text = shorten(cursor.text(name));
            format!(
                "write `{word} …` without `{text} =`; to use it elsewhere, `let {text} = …` and `{word} {text}`"
            )
        }
        None if energy || cursor.peek().is_some_and(assigns) => {
            format!("write `{word} …`: the expression follows at once")
        }
        None => return expression(cursor, Stop::Never),
    };
    let message = format!("the expression of `{word}` has no name");
    cursor.report(Diagnostic::error("syntax", cursor.here(), message).help(help));
    if cursor.at(Kind::Word) {
        cursor.advance();
    }
    while cursor.peek().is_some_and(assigns) {
        cursor.advance();
    }
    expression(cursor, Stop::Never)
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
    let value = if equals(cursor) {
        expression(cursor, Stop::Never)
    } else {
        let (name, found) = (&name.text, cursor.found());
        let message = format!("expected `=` and a value after `{name}`, found {found}");
        let help = format!("write `{name} = …`");
        let here = cursor.here();
        cursor.report(Diagnostic::error("syntax", here, message).help(help));
        cursor.skip_item();
        Tree::error(here)
    };
    Some(Definition { name, value })
}

/// Eats `=`, and what stands for it elsewhere: `:=` and `<-`.
fn equals(cursor: &mut Cursor) -> bool {
    let pair = cursor.peek().zip(cursor.peek_second());
    let pair = pair.map(|(first, second)| first.span.to(second.span));
    let foreign = pair.filter(|&pair| matches!(cursor.source.slice(pair), ":=" | "<-"));
    if let Some(pair) = foreign {
        let message = format!("`{}` is no operator", cursor.source.slice(pair));
        cursor.report(Diagnostic::error("syntax", pair, message).help("write `=`"));
        cursor.advance();
        cursor.advance();
        return true;
    }
    cursor.eat(Kind::Equals).is_some()
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
    Some(equation_after(cursor, left, form))
}

/// `= RIGHT` behind the left side.
fn equation_after(cursor: &mut Cursor, left: Tree, form: &str) -> Equation {
    if !equals(cursor) {
        let found = cursor.found();
        let message = format!("expected `=` ({form}), found {found}");
        let place = left.span();
        let cause = cursor.commonest_cause();
        // `x = 1,5`: what stands here is no left side.
        let left = if cause.is_some() {
            Tree::error(place)
        } else {
            left
        };
        let help = cause.unwrap_or_else(|| match cursor.peek_kind().and_then(relation_of) {
            Some(_) => "an inequality along the path is a `bound`".to_owned(),
            None => format!("write `{} = …`", cursor.source.slice(place)),
        });
        let here = cursor.here();
        cursor.report(Diagnostic::error("syntax", here, message).help(help));
        cursor.skip_item();
        return Equation {
            right: Tree::error(place.after()),
            left,
        };
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
    Equation { left, right }
}

/// `NAME = VALUE` or `NAME ~ VALUE`.
fn start_item(cursor: &mut Cursor) -> Option<StartItem> {
    let left = expression(cursor, Stop::AtOperand);
    let approximate = cursor.eat(Kind::Tilde).is_some();
    let equation = match approximate {
        true => Equation {
            right: expression(cursor, Stop::Never),
            left,
        },
        false => equation_after(cursor, left, "NAME = VALUE"),
    };
    Some(StartItem {
        equation,
        approximate,
    })
}

/// `LEFT = RIGHT`, `LEFT >= RIGHT` or `A <= B <= C`.
fn condition(cursor: &mut Cursor) -> Option<Chain> {
    let left = expression(cursor, Stop::AtOperand);
    if cursor.peek_kind().and_then(relation_of).is_none() {
        cursor.expected("`=`, `<=` or `>=` (LEFT = RIGHT)");
        cursor.skip_item();
        let right = Tree::error(left.span().after());
        return Some(Chain {
            sides: vec![left, right],
            relations: vec![Relation::Equal],
        });
    }
    Some(chain_after(cursor, left))
}

/// `via TIME: CONDITIONS`
fn via(cursor: &mut Cursor) -> StatementKind {
    let time = expression(cursor, Stop::AtOperand);
    if cursor
        .expect(Kind::Colon, "and conditions such as `via 0.5: x = 1`")
        .is_none()
    {
        return unreadable(cursor);
    }
    StatementKind::Via {
        time,
        conditions: list(cursor, condition),
    }
}

fn relation(cursor: &mut Cursor) -> Option<Relation> {
    let relation = relation_of(cursor.peek_kind()?)?;
    cursor.advance();
    Some(relation)
}

fn relation_of(kind: Kind) -> Option<Relation> {
    Some(match kind {
        Kind::Less => Relation::Less,
        Kind::LessEqual => Relation::LessOrEqual,
        Kind::Greater => Relation::Greater,
        Kind::GreaterEqual => Relation::GreaterOrEqual,
        Kind::NotEqual => Relation::NotEqual,
        Kind::Equals => Relation::Equal,
        _ => return None,
    })
}

fn chain(cursor: &mut Cursor, what: &str) -> Option<Chain> {
    let left = expression(cursor, Stop::Never);
    let chain = chain_after(cursor, left);
    if chain.relations.is_empty() {
        cursor.expected(&format!("`<`, `<=`, `>`, `>=` or `!=` in {what}"));
        cursor.skip_item();
        return None;
    }
    Some(chain)
}

/// Relations and the sides behind them.
fn chain_after(cursor: &mut Cursor, left: Tree) -> Chain {
    let mut chain = Chain {
        sides: vec![left],
        relations: Vec::new(),
    };
    while let Some(relation) = relation(cursor) {
        chain.relations.push(relation);
        chain.sides.push(expression(cursor, Stop::Never));
    }
    chain
}

const TIME: &str =
    "write `time 0 .. 10`, with the spacing of the rows behind it: `time 0 .. 10 step 0.01`";

/// `time 0 .. 10 [step 0.01]`
fn time(cursor: &mut Cursor) -> StatementKind {
    let from = expression(cursor, Stop::AtWord);
    if cursor.eat(Kind::Range).is_none() {
        let found = cursor.found();
        let message = format!("expected `..` and the end of the time interval, found {found}");
        let here = cursor.here();
        cursor.report(Diagnostic::error("syntax", here, message).help(TIME));
        return unreadable(cursor);
    }
    let to = expression(cursor, Stop::AtWord);
    let step = cursor
        .eat_word("step")
        .map(|_| expression(cursor, Stop::AtWord));
    if step.is_none() && (cursor.at(Kind::Word) || cursor.at(Kind::Comma)) {
        let found = cursor.found();
        let message = format!("expected `step` or the end of the statement, found {found}");
        let here = cursor.here();
        cursor.report(Diagnostic::error("syntax", here, message).help(TIME));
    }
    StatementKind::Time { from, to, step }
}
