//! Tokens of the model language.

use logos::Logos;

use crate::source::Span;

/// The kinds of token.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[logos(skip "[ \t\u{00A0}\u{FEFF}]+")]
pub(crate) enum Kind {
    #[regex(r"\r\n|\n|\r")]
    Newline,
    #[regex(r"#[^\r\n]*", allow_greedy = true)]
    Comment,
    #[regex(r"([0-9]+(\.[0-9]+)?|\.[0-9]+)([eE][+-]?[0-9]+)?")]
    Number,
    #[regex(r"[\p{L}_][\p{L}\p{M}\p{N}_]*")]
    Word,
    /// A part of an element of SE(n): `.R`, `.p`.
    #[regex(r"\.[\p{L}_][\p{L}\p{M}\p{N}_]*")]
    Member,
    #[regex("\"[^\"\r\n]*\"")]
    Text,
    #[regex("\"[^\"\r\n]*", priority = 1)]
    UnclosedText,
    #[regex(r"['′’″‴]")]
    Prime,
    #[token("+")]
    Plus,
    #[regex(r"[-−–]")]
    Minus,
    #[regex(r"[*·⋅×]")]
    Times,
    #[token("/")]
    Over,
    #[token("^")]
    Power,
    #[token("(")]
    OpenParen,
    #[token(")")]
    CloseParen,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token("=")]
    Equals,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[regex("<=|≤")]
    LessEqual,
    #[regex(">=|≥")]
    GreaterEqual,
    #[regex("!=|≠")]
    NotEqual,
    #[token("..")]
    Range,
    #[regex("[~≈]")]
    Tilde,
    /// Characters that mean nothing in the language.
    Unknown,
}

impl Kind {
    /// How an error message names the token.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Newline => "the end of the line",
            Kind::Comment => "a comment",
            Kind::Number => "a number",
            Kind::Word => "a name",
            Kind::Member => "a part such as `.R`",
            Kind::Text => "a text in quotes",
            Kind::UnclosedText => "a text without its closing quote",
            Kind::Prime => "`'`",
            Kind::Plus => "`+`",
            Kind::Minus => "`-`",
            Kind::Times => "`*`",
            Kind::Over => "`/`",
            Kind::Power => "`^`",
            Kind::OpenParen => "`(`",
            Kind::CloseParen => "`)`",
            Kind::OpenBracket => "`[`",
            Kind::CloseBracket => "`]`",
            Kind::Comma => "`,`",
            Kind::Colon => "`:`",
            Kind::Equals => "`=`",
            Kind::Less => "`<`",
            Kind::Greater => "`>`",
            Kind::LessEqual => "`<=`",
            Kind::GreaterEqual => "`>=`",
            Kind::NotEqual => "`!=`",
            Kind::Range => "`..`",
            Kind::Tilde => "`~`",
            Kind::Unknown => "an unknown character",
        }
    }

    /// The one ASCII spelling, where the token has one.
    pub(crate) fn spelling(self) -> Option<&'static str> {
        Some(match self {
            Kind::Plus => "+",
            Kind::Minus => "-",
            Kind::Times => "*",
            Kind::Over => "/",
            Kind::Power => "^",
            Kind::OpenParen => "(",
            Kind::CloseParen => ")",
            Kind::OpenBracket => "[",
            Kind::CloseBracket => "]",
            Kind::Comma => ",",
            Kind::Colon => ":",
            Kind::Equals => "=",
            Kind::Less => "<",
            Kind::Greater => ">",
            Kind::LessEqual => "<=",
            Kind::GreaterEqual => ">=",
            Kind::NotEqual => "!=",
            Kind::Range => "..",
            Kind::Tilde => "~",
            _ => return None,
        })
    }

    /// Whether an expression can begin here without a sign.
    pub(crate) fn begins_operand(self) -> bool {
        matches!(
            self,
            Kind::Number | Kind::Word | Kind::OpenParen | Kind::OpenBracket
        )
    }

    pub(crate) fn is_open(self) -> bool {
        matches!(self, Kind::OpenParen | Kind::OpenBracket)
    }

    pub(crate) fn is_close(self) -> bool {
        matches!(self, Kind::CloseParen | Kind::CloseBracket)
    }
}

/// A token with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// Whether it is the first on its line.
    pub(crate) begins_line: bool,
    pub(crate) span: Span,
}

/// All tokens of a text, comments and line ends included. Adjacent unknown characters make one token.
pub(crate) fn tokenize(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut begins_line = true;
    for (kind, range) in Kind::lexer(text).spanned() {
        let kind = kind.unwrap_or(Kind::Unknown);
        let span = Span::new(range.start, range.end);
        if let Some(last) = tokens.last_mut()
            && kind == Kind::Unknown
            && last.kind == Kind::Unknown
            && last.span.end == span.start
        {
            last.span = last.span.to(span);
            continue;
        }
        tokens.push(Token {
            kind,
            begins_line,
            span,
        });
        begins_line = kind == Kind::Newline;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        tokenize(text).iter().map(|t| t.kind).collect()
    }

    #[test]
    fn numbers_and_ranges() {
        use Kind::{Number, Range, Word};
        assert_eq!(kinds("0..10"), [Number, Range, Number]);
        assert_eq!(kinds("1e-3"), [Number]);
        assert_eq!(kinds("2x"), [Number, Word]);
        assert_eq!(
            kinds("0.5 .. 1.5e3 step .01"),
            [Number, Range, Number, Word, Number]
        );
    }

    #[test]
    fn words_and_primes() {
        use Kind::{Prime, Word};
        assert_eq!(
            kinds("x'' ẋ θ\u{0307} θ₁"),
            [Word, Prime, Prime, Word, Word, Word]
        );
    }

    #[test]
    fn parts_and_points() {
        use Kind::{Member, Number, Range, Tilde, Unknown, Word};
        assert_eq!(kinds("T.R .p"), [Word, Member, Member]);
        assert_eq!(kinds("0..T"), [Number, Range, Word]);
        assert_eq!(kinds("1. b ~ .5"), [Number, Unknown, Word, Tilde, Number]);
    }

    #[test]
    fn unknown_characters_are_joined() {
        assert_eq!(kinds("\0\0\0@$ ?"), [Kind::Unknown, Kind::Unknown]);
    }

    #[test]
    fn line_ends() {
        use Kind::{Comment, Newline, Word};
        assert_eq!(
            kinds("\u{FEFF}a # b\r\nc\rd"),
            [Word, Comment, Newline, Word, Newline, Word]
        );
    }
}
