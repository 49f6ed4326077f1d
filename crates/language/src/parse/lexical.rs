//! Lexical mistakes: characters, letters and quotes that no statement can have.

use crate::diagnostic::{Diagnostic, Sink};
use crate::letters::{BadLetter, spell};
use crate::source::{Source, Span};
use crate::token::{Kind, Token};

/// Reports the lexical mistakes of a statement; says whether there were none.
pub(crate) fn check(source: &Source, tokens: &[Token], sink: &mut Sink) -> bool {
    let mut clean = true;
    for token in tokens {
        if let Some(diagnostic) = mistake(source, *token) {
            sink.push(diagnostic);
            clean = false;
        }
    }
    clean
}

/// The tokens that the parser can read.
pub(crate) fn readable(tokens: &[Token]) -> Vec<Token> {
    tokens
        .iter()
        .copied()
        .filter(|token| token.kind != Kind::Unknown)
        .collect()
}

fn mistake(source: &Source, token: Token) -> Option<Diagnostic> {
    let text = source.slice(token.span);
    match token.kind {
        Kind::Unknown => Some(unknown_characters(text, token.span)),
        Kind::UnclosedText => Some(
            Diagnostic::error(
                "unclosed-text",
                token.span,
                "this text has no closing quote",
            )
            .help("end it with `\"` on the same line"),
        ),
        Kind::Word | Kind::Member => spell(text.trim_start_matches('.'))
            .err()
            .map(|bad| bad_letter(bad, token.span)),
        _ => None,
    }
}

fn unknown_characters(text: &str, span: Span) -> Diagnostic {
    let first = text.chars().next().unwrap_or(' ');
    let shown = if first.is_control() || first.is_whitespace() {
        format!("the character U+{:04X}", u32::from(first))
    } else {
        format!("`{first}`")
    };
    let diagnostic = Diagnostic::error(
        "character",
        span,
        format!("{shown} has no meaning in a model"),
    );
    match first {
        '.' => diagnostic.help(
            "a number needs a digit on both sides of its point: `1.0`, `0.5`; a range is `..`",
        ),
        ';' => diagnostic.help("a statement ends with its line; write one per line"),
        '!' => diagnostic.help("`not equal` is `!=`; there is no factorial"),
        '{' | '}' => diagnostic.help("group with parentheses `( )`; vectors are `[a, b]`"),
        '\0' => diagnostic.help("remove the zero byte; a model is plain text"),
        _ => diagnostic.help("remove it"),
    }
}

fn bad_letter(bad: BadLetter, span: Span) -> Diagnostic {
    match bad {
        BadLetter::Superscript(digit) => {
            let index = "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|c| c == digit).unwrap_or(0);
            Diagnostic::error(
                "character",
                span,
                format!("`{digit}` is not part of a name"),
            )
            .help(format!("write a power as `^{index}`"))
        }
        BadLetter::Foreign(letter) => Diagnostic::error(
            "character",
            span,
            format!("`{}` cannot be part of a name", letter.escape_debug()),
        )
        .help("names are made of Latin and Greek letters, digits and `_`"),
    }
}
