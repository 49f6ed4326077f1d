//! Lexical mistakes: characters, letters and quotes that no statement can have.

use crate::diagnostic::{Diagnostic, Sink};
use crate::letters::{BadLetter, spell};
use crate::slips;
use crate::source::{Source, Span};
use crate::token::{Kind, Token};

/// Reports the lexical mistakes of a statement; says whether there were none.
pub(crate) fn check(source: &Source, tokens: &[Token], sink: &mut Sink) -> bool {
    let mut told: Vec<Diagnostic> = Vec::new();
    for token in tokens {
        // One sign that stands twice, as in `|x|`, is one mistake.
        if let Some(diagnostic) = mistake(source, *token)
            && !told.iter().any(|d| d.message == diagnostic.message)
        {
            told.push(diagnostic);
        }
    }
    let clean = told.is_empty();
    told.into_iter().for_each(|d| sink.push(d));
    clean
}

/// The tokens that the parser can read.
pub(crate) fn readable(source: &Source, tokens: &[Token]) -> Vec<Token> {
    let mut readable = Vec::with_capacity(tokens.len());
    let mut in_comment = false;
    for &token in tokens {
        in_comment &= !token.begins_line;
        // Elsewhere it begins a comment.
        in_comment |= token.kind == Kind::Unknown && source.slice(token.span).starts_with('%');
        if token.kind != Kind::Unknown && !in_comment {
            readable.push(token);
        }
    }
    readable
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
            .help("end it with `\"` on the same line; a second derivative is two primes, `x''`"),
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
    diagnostic.help(slips::character(first).unwrap_or_else(|| "remove it".to_owned()))
}

fn bad_letter(bad: BadLetter, span: Span) -> Diagnostic {
    match bad {
        BadLetter::Superscript(digit) => {
            let message = format!("`{digit}` is not part of a name");
            Diagnostic::error("character", span, message)
                .help(slips::character(digit).unwrap_or_default())
        }
        BadLetter::Foreign(letter) => Diagnostic::error(
            "character",
            span,
            format!("`{}` cannot be part of a name", letter.escape_debug()),
        )
        .help(slips::character(letter).unwrap_or_else(|| {
            "names are made of Latin and Greek letters, digits and `_`".to_owned()
        })),
    }
}
