//! Lexical mistakes: characters, letters and quotes that no statement can have.

use crate::diagnostic::{Diagnostic, Sink};
use crate::letters::{BadLetter, spell};
use crate::slips;
use crate::source::{Source, Span};
use crate::token::{Kind, Token};

/// Reports the lexical mistakes of a statement; says whether there were none.
pub(crate) fn check(source: &Source, tokens: &[Token], sink: &mut Sink) -> bool {
    let mut told: Vec<Diagnostic> = Vec::new();
    let commented = commented(source, tokens);
    for (i, token) in tokens.iter().enumerate() {
        let begins = commented[i] && (token.begins_line || i == 0 || !commented[i - 1]);
        let diagnostic = match commented[i] {
            true if begins => comment_sign(source, &tokens[i..]).map(foreign_comment),
            true => None,
            false => mistake(source, *token),
        };
        // One sign that stands twice, as in `|x|`, is one mistake.
        if let Some(diagnostic) = diagnostic
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
    let outside = |(token, commented): &(&Token, bool)| token.kind != Kind::Unknown && !commented;
    let commented = commented(source, tokens);
    let all = tokens.iter().zip(commented).filter(outside);
    all.map(|(&token, _)| token).collect()
}

/// Which tokens stand in a comment as other languages write it, from its sign to the end of the line.
fn commented(source: &Source, tokens: &[Token]) -> Vec<bool> {
    let mut inside = false;
    let each = (0..tokens.len()).map(|i| {
        inside &= !tokens[i].begins_line;
        inside |= comment_sign(source, &tokens[i..]).is_some();
        inside
    });
    each.collect()
}

/// The sign of a comment that these tokens begin with: `%`, `//` or `/*`, with its place.
pub(super) fn comment_sign<'a>(source: &'a Source, tokens: &[Token]) -> Option<(&'a str, Span)> {
    let first = tokens.first()?;
    if first.kind == Kind::Unknown && source.slice(first.span).starts_with('%') {
        return Some(("%", first.span));
    }
    let second = tokens.get(1)?;
    let pair = first.span.to(second.span);
    let text = source.slice(pair);
    matches!(text, "//" | "/*").then_some((text, pair))
}

fn foreign_comment((sign, span): (&str, Span)) -> Diagnostic {
    let message = format!("`{sign}` does not begin a comment");
    let help = match sign {
        "%" => "a comment begins with `#`; there is no remainder, and angles need no wrapping",
        _ => "a comment begins with `#`",
    };
    Diagnostic::error("character", span, message).help(help)
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
