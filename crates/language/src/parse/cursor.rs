//! A cursor over the tokens of one statement.

use crate::diagnostic::{Diagnostic, Sink};
use crate::letters::{Spelling, spell};
use crate::source::{Source, Span};
use crate::syntax::Name;
use crate::token::{Kind, Token};
use crate::words::{begins_statement, is_statement};

/// A place in a statement, and where to report.
pub(crate) struct Cursor<'a> {
    pub(crate) source: &'a Source,
    tokens: &'a [Token],
    position: usize,
    sink: &'a mut Sink,
    /// After a mistake, what follows from it is not reported.
    pub(crate) muted: bool,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(source: &'a Source, tokens: &'a [Token], sink: &'a mut Sink) -> Self {
        Cursor {
            source,
            tokens,
            position: 0,
            sink,
            muted: false,
        }
    }

    pub(crate) fn peek(&self) -> Option<Token> {
        self.tokens.get(self.position).copied()
    }

    pub(crate) fn peek_second(&self) -> Option<Token> {
        self.tokens.get(self.position + 1).copied()
    }

    pub(crate) fn peek_kind(&self) -> Option<Kind> {
        self.peek().map(|token| token.kind)
    }

    pub(crate) fn at(&self, kind: Kind) -> bool {
        self.peek_kind() == Some(kind)
    }

    pub(crate) fn at_end(&self) -> bool {
        self.position >= self.tokens.len()
    }

    pub(crate) fn advance(&mut self) {
        self.position = (self.position + 1).min(self.tokens.len());
    }

    pub(crate) fn eat(&mut self, kind: Kind) -> Option<Token> {
        let token = self.peek().filter(|token| token.kind == kind)?;
        self.advance();
        Some(token)
    }

    /// Whether the next token is this word.
    pub(crate) fn at_word(&self, word: &str) -> bool {
        self.peek()
            .is_some_and(|token| token.kind == Kind::Word && self.text(token) == word)
    }

    pub(crate) fn eat_word(&mut self, word: &str) -> Option<Token> {
        let token = self.peek().filter(|_| self.at_word(word))?;
        self.advance();
        Some(token)
    }

    /// Whether a new statement begins here although layout joined the lines.
    pub(crate) fn at_statement(&self) -> bool {
        let next = self
            .peek_second()
            .filter(|token| !token.begins_line)
            .map(|token| (token.kind, self.text(token)));
        self.peek()
            .is_some_and(|token| token.begins_line && begins_statement(self.text(token), next))
    }

    pub(crate) fn text(&self, token: Token) -> &'a str {
        self.source.slice(token.span)
    }

    /// The next token's place, or the end of the statement.
    pub(crate) fn here(&self) -> Span {
        self.peek()
            .map_or_else(|| self.previous().after(), |token| token.span)
    }

    /// The place of the token before.
    pub(crate) fn previous(&self) -> Span {
        self.position
            .checked_sub(1)
            .and_then(|i| self.tokens.get(i))
            .map_or(Span::default(), |token| token.span)
    }

    /// How a message names the next token.
    pub(crate) fn found(&self) -> String {
        match self.peek() {
            None => "the end of the statement".to_owned(),
            Some(token) if matches!(token.kind, Kind::Word | Kind::Number) => {
                let text = self.text(token);
                if text.len() > 40 {
                    token.kind.name().to_owned()
                } else {
                    format!("`{text}`")
                }
            }
            Some(token) => token.kind.name().to_owned(),
        }
    }

    /// The name of a word, without moving.
    pub(crate) fn spelling(&self, token: Token) -> Spelling {
        let text = self.text(token);
        // Letters outside the alphabet have been reported; the raw text stands in for the name.
        spell(text).unwrap_or_else(|_| Spelling {
            name: text.to_owned(),
            dots: 0,
        })
    }

    /// A name that is declared or listed: no dots, no primes.
    pub(crate) fn plain_name(&mut self, what: &str) -> Option<Name> {
        let Some(token) = self
            .peek()
            .filter(|token| token.kind == Kind::Word && !self.at_statement())
        else {
            self.expected(what);
            return None;
        };
        self.advance();
        let spelling = self.spelling(token);
        let primes = self.peek().filter(|next| next.kind == Kind::Prime);
        if spelling.dots > 0 || primes.is_some() {
            let span = primes.map_or(token.span, |prime| token.span.to(prime.span));
            let message = format!("expected {what} without a time derivative");
            self.report(
                Diagnostic::error("derivative", span, message)
                    .help(format!("write `{}`", spelling.name)),
            );
            while self.eat(Kind::Prime).is_some() {}
        }
        Some(Name {
            text: spelling.name,
            span: token.span,
        })
    }

    /// Reports unless muted, and mutes what follows.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        if !self.muted {
            self.sink.push(diagnostic);
        }
        self.muted = true;
    }

    /// Reports that `what` should stand here.
    pub(crate) fn expected(&mut self, what: &str) {
        let found = self.found();
        let diagnostic = Diagnostic::error(
            "syntax",
            self.here(),
            format!("expected {what}, found {found}"),
        )
        .label(format!("expected {what}"));
        self.report(Diagnostic {
            help: self.commonest_cause(),
            ..diagnostic
        });
    }

    /// What most likely happened where something is missing.
    pub(crate) fn commonest_cause(&self) -> Option<String> {
        let behind_comma = || Some(self.tokens.get(self.position.checked_sub(1)?)?.kind);
        let cause = if self.at_statement() {
            OVER_INDENTED
        } else if (1..=2).any(|back| self.is_decimal(self.position.wrapping_sub(back))) {
            DECIMAL_POINT
        } else if self.at_end() && behind_comma() == Some(Kind::Comma) {
            "remove the comma, or go on in the next line, indented"
        } else {
            return None;
        };
        Some(cause.to_owned())
    }

    /// Eats the token or reports that it is missing.
    pub(crate) fn expect(&mut self, kind: Kind, context: &str) -> Option<Token> {
        let token = self.eat(kind);
        if token.is_none() {
            self.expected(&format!("{} {context}", kind.name()));
        }
        token
    }

    /// Reports whatever is left of the statement, and skips it. A statement that begins there is left.
    pub(crate) fn expect_end(&mut self) {
        if let Some(token) = self.peek() {
            let found = self.found();
            let span = token.span;
            let mut diagnostic = Diagnostic::error(
                "syntax",
                span,
                format!("expected the end of the statement, found {found}"),
            )
            .label("not expected here");
            if self.at_statement() {
                // Its own mistake, whatever came before.
                self.muted = false;
                diagnostic = diagnostic.help(OVER_INDENTED);
            } else if token.kind == Kind::CloseParen || token.kind == Kind::CloseBracket {
                diagnostic.message = format!("{} closes nothing", token.kind.name());
                diagnostic.help = Some("remove it, or open the bracket before".to_owned());
            } else if self.is_decimal(self.position) {
                diagnostic.help = Some(DECIMAL_POINT.to_owned());
            } else if token.kind == Kind::Word && is_statement(self.text(token)) {
                diagnostic.help = Some("write one statement per line".to_owned());
            }
            self.report(diagnostic);
        }
        while !self.at_end() && !self.at_statement() {
            self.advance();
        }
    }

    /// Is there a comma at this position, between the digits of a number?
    fn is_decimal(&self, position: usize) -> bool {
        let around = position.wrapping_sub(1)..position.saturating_add(2);
        let Some([before, comma, after]) = self.tokens.get(around) else {
            return false;
        };
        let adjacent = before.span.end == comma.span.start && comma.span.end == after.span.start;
        let kinds = [before.kind, comma.kind, after.kind];
        adjacent && kinds == [Kind::Number, Kind::Comma, Kind::Number]
    }

    /// Does `NAME =` or `NAME' =` begin here?
    pub(crate) fn at_assignment(&self) -> bool {
        let mut behind = self.tokens[self.position..].iter().skip(1);
        let sign = behind.find(|token| token.kind != Kind::Prime);
        self.at(Kind::Word) && sign.is_some_and(|token| token.kind == Kind::Equals)
    }

    /// All names from here to the end of the statement, without moving.
    pub(crate) fn words_ahead(&self) -> Vec<String> {
        let words = self.tokens[self.position..]
            .iter()
            .filter(|token| token.kind == Kind::Word);
        words.map(|&token| self.spelling(token).name).collect()
    }

    /// The text of a bracket with at most one word in it that opens here; empty where it is longer.
    pub(crate) fn bracket_text(&self) -> &'a str {
        let close = |kind| matches!(kind, Kind::CloseParen | Kind::CloseBracket);
        let Some(open) = self.peek().filter(|token| token.kind.is_open()) else {
            return "";
        };
        let end = self.tokens[self.position..]
            .iter()
            .take(3)
            .find(|token| close(token.kind));
        end.map_or("", |end| self.source.slice(open.span.to(end.span)))
    }

    /// Skips a bracket that opens here with all that is in it, and gives the place of its end.
    pub(crate) fn skip_brackets(&mut self) -> Span {
        let mut depth = 0usize;
        while let Some(token) = self.peek().filter(|_| !self.at_statement()) {
            self.advance();
            depth = (depth + usize::from(token.kind.is_open()))
                .saturating_sub(usize::from(token.kind.is_close()));
            if depth == 0 {
                break;
            }
        }
        self.previous()
    }

    /// Skips to the next comma outside brackets, or to the end.
    pub(crate) fn skip_item(&mut self) {
        let mut depth = 0usize;
        while let Some(token) = self.peek() {
            if self.at_statement() || (depth == 0 && token.kind == Kind::Comma) {
                return;
            }
            depth = (depth + usize::from(token.kind.is_open()))
                .saturating_sub(usize::from(token.kind.is_close()));
            self.advance();
        }
    }
}

const DECIMAL_POINT: &str = "a decimal point is `.`: write `1.5`";
const OVER_INDENTED: &str = "this line is indented deeper than the statement above and so continues it; remove the indentation to begin a new statement";
