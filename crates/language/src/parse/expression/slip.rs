//! Slips inside expressions: each is reported with what was meant, then read so.

use crate::diagnostic::Diagnostic;
use crate::slips;
use crate::source::Span;
use crate::syntax::NodeKind;
use crate::token::{Kind, Token};
use crate::words::{CONSTANTS, MOMENTS, is_function};

use super::super::operators::Level;
use super::{Builder, Next};

impl Builder<'_, '_> {
    /// `x**2` is a power elsewhere.
    pub(super) fn times(&mut self, token: Token) -> Next {
        let second = self
            .cursor
            .peek_second()
            .filter(|next| next.kind == Kind::Times && next.span.start == token.span.end);
        let Some(second) = second else {
            return self.infix(Level::Product, false);
        };
        let message = "`**` is no operator";
        let span = token.span.to(second.span);
        self.cursor
            .report(Diagnostic::error("syntax", span, message).help("a power is written with `^`"));
        self.cursor.advance();
        self.infix(Level::Power, false)
    }

    /// A sign that is doubled, as in `x == 1` and `x^^2`, has an arrow's head, or is `<>`.
    pub(super) fn doubled(&mut self, token: Token) -> Option<Next> {
        let before = self.cursor.previous();
        if before.end != token.span.start {
            return None;
        }
        let pair = before.to(token.span);
        let help = slips::pair(self.cursor.source.slice(pair))?;
        let message = format!("`{}` is no operator", self.cursor.source.slice(pair));
        self.cursor
            .report(Diagnostic::error("syntax", pair, message).help(help));
        self.cursor.advance();
        Some(Next::Operand)
    }

    /// A word with a bracket behind it that is no call: `if(…)`, `pi()`, `x(t)`. None where it is one.
    pub(super) fn no_call(&mut self, name: &str, token: Token) -> Option<Next> {
        if slips::is_conditional(name) {
            return Some(self.conditional(name, token));
        }
        let arguments = self.cursor.bracket_text();
        let help = match arguments {
            "()" if CONSTANTS.contains(&name) => format!("`{name}` is a value: write `{name}`"),
            "(t)" if !is_function(name) && !MOMENTS.contains(&name) => {
                format!("coordinates depend on time without saying so: write `{name}`")
            }
            "(0)" if !is_function(name) && !MOMENTS.contains(&name) => {
                format!("a value at the start is `start {name} = …`; a product is `{name}*0`")
            }
            _ => return None,
        };
        let message = format!("`{name}` is not a function");
        let end = self.cursor.skip_brackets();
        let span = token.span.to(end);
        self.cursor
            .report(Diagnostic::error("not-a-function", span, message).help(help));
        self.push(NodeKind::Name(name.to_owned()), token.span);
        Some(Next::Operator)
    }

    /// A word without a bracket that is no value: `if x > 0 …`, `sin x`. None where it is one.
    pub(super) fn no_value(&mut self, name: &str, token: Token) -> Option<Next> {
        let operand = self
            .cursor
            .peek()
            .is_some_and(|next| next.kind.begins_operand() && !next.begins_line);
        if slips::is_conditional(name) && operand {
            return Some(self.conditional(name, token));
        }
        self.bare_function(name, token)
    }

    fn conditional(&mut self, name: &str, token: Token) -> Next {
        let message = format!("there is no `{name}` in expressions");
        let diagnostic = Diagnostic::error("unknown-function", token.span, message);
        self.cursor.report(diagnostic.help(slips::CONDITIONAL));
        match self.cursor.at(Kind::OpenParen) {
            true => drop(self.cursor.skip_brackets()),
            false => self.cursor.skip_item(),
        }
        self.push(NodeKind::Error, token.span.to(self.cursor.previous()));
        Next::Operator
    }

    /// `np.sin(x)`, `math.pi`: a word of the language behind the name of a module. None where it is a part.
    pub(super) fn module(&mut self, text: &str, token: Token) -> Option<Next> {
        let function = is_function(text);
        if !function && !CONSTANTS.contains(&text) {
            return None;
        }
        let of = *self.operands.last()?;
        let written = if function { "(…)" } else { "" };
        let help = format!("write `{text}{written}` alone");
        let message = "there are no modules";
        let span = self.span_of(of).to(token.span);
        self.cursor
            .report(Diagnostic::error("syntax", span, message).help(help));
        if self.cursor.at(Kind::OpenParen) {
            self.cursor.skip_brackets();
        }
        if let Some(node) = self.nodes.get_mut(of as usize) {
            node.kind = NodeKind::Error;
        }
        Some(Next::Operator)
    }

    /// `sin x` and `sin^2(x)`: a function without its bracket. None where nothing follows that it could take.
    fn bare_function(&mut self, name: &str, token: Token) -> Option<Next> {
        if !is_function(name) {
            return None;
        }
        let first = self.cursor.peek().filter(|next| !next.begins_line)?;
        let second = self.cursor.peek_second();
        let power = second.filter(|s| first.kind == Kind::Power && s.kind == Kind::Number);
        let help = match power {
            Some(power) => format!("write `{name}(x)^{}`", self.cursor.text(power)),
            None if matches!(first.kind, Kind::Word | Kind::Number) => {
                format!("write `{name}({})`", self.cursor.text(first))
            }
            None if first.kind == Kind::OpenBracket => format!("write `{name}(…)`"),
            None => return None,
        };
        let message = format!("`{name}` needs its argument in parentheses");
        self.cursor
            .report(Diagnostic::error("arguments", token.span, message).help(help));
        if power.is_some() {
            self.cursor.advance();
            self.cursor.advance();
        }
        if self.cursor.peek().is_some_and(|next| next.kind.is_open()) {
            self.cursor.skip_brackets();
        } else if power.is_none() {
            self.cursor.advance();
        }
        self.push(NodeKind::Error, token.span.to(self.cursor.previous()));
        Some(Next::Operator)
    }

    /// `x.diff(t)`: a derivative as a method of the operand before it.
    pub(super) fn derivative_call(&mut self, token: Token) -> Next {
        let of = self
            .operands
            .last()
            .map_or(token.span, |&id| self.span_of(id));
        let value = self.cursor.source.slice(of);
        let end = match self.cursor.at(Kind::OpenParen) {
            true => self.cursor.skip_brackets(),
            false => token.span,
        };
        let help = format!("a time derivative is a prime: write `{value}'`");
        let message = "a derivative is not a part of a quantity";
        self.cursor
            .report(Diagnostic::error("derivative", token.span.to(end), message).help(help));
        self.prime(1, token.span);
        Next::Operator
    }

    /// `x'(t)`, `x[t]`, `x'(0)`: does a time stand in brackets here?
    pub(super) fn at_moment(&self) -> bool {
        matches!(self.cursor.bracket_text(), "(t)" | "[t]" | "(0)")
    }

    /// A time in brackets behind an operand.
    pub(super) fn moment_of(&mut self, token: Token) -> Next {
        let left = self
            .operands
            .last()
            .map_or(token.span, |&id| self.span_of(id));
        let value = self.cursor.source.slice(left);
        let help = match self.cursor.bracket_text() {
            "(0)" => format!("a value at the start is `start {value} = …`"),
            _ => format!("coordinates depend on time without saying so: write `{value}`"),
        };
        let end = self.cursor.skip_brackets();
        let span = token.span.to(end);
        let diagnostic = Diagnostic::error("not-a-function", span, "nothing is called here");
        self.cursor.report(diagnostic.help(help));
        Next::Operator
    }

    /// What follows an operand and is no factor: a unit, a digit too many, the next item of a list, a word between
    /// conditions. None where it is something else.
    pub(super) fn behind_operand(&mut self, left: Span, token: Token) -> Option<Next> {
        let text = self.cursor.text(token);
        let value = self.cursor.source.slice(left);
        let is_number = self
            .nodes
            .last()
            .is_some_and(|n| matches!(n.kind, NodeKind::Number));
        if is_number && token.kind == Kind::Word && slips::is_unit(text) {
            let end = self.unit_end();
            let unit = self.cursor.source.slice(token.span.to(end));
            let diagnostic =
                Diagnostic::error("unit", token.span.to(end), "a number has no unit here");
            let help = slips::unit_help(value, unit);
            self.cursor.report(diagnostic.help(help));
            return Some(Next::Operator);
        }
        if is_number
            && left.end == token.span.start
            && let Some(help) = slips::number_tail(value, text)
        {
            let span = left.to(token.span);
            let diagnostic = Diagnostic::error("number", span, "this is no number");
            self.cursor.report(diagnostic.help(help));
            self.cursor.advance();
            return Some(Next::Operator);
        }
        if self.inside() || token.kind != Kind::Word {
            return None;
        }
        let (message, help) = match slips::between(text) {
            Some(help) => (format!("`{text}` joins nothing here"), help.to_owned()),
            None if self.cursor.at_assignment() => {
                let help = format!("write `{value}, {text} …`");
                ("a comma is missing here".to_owned(), help)
            }
            None => return None,
        };
        let diagnostic = Diagnostic::error("syntax", left.after().to(token.span), message);
        self.cursor.report(diagnostic.help(help));
        if !self.cursor.at_assignment() {
            self.cursor.skip_item();
        }
        Some(Next::Done)
    }

    /// `9.81 [m/s^2]`: a unit in brackets. None where it is an index.
    pub(super) fn bracketed_unit(&mut self, token: Token) -> Option<Next> {
        let last = self.nodes.last()?;
        let number = self.cursor.source.slice(last.span);
        if !matches!(last.kind, NodeKind::Number) || self.cursor.previous() != last.span {
            return None;
        }
        let end = self.cursor.skip_brackets();
        let span = token.span.to(end);
        let unit = self.cursor.source.slice(span).trim_matches(['[', ']']);
        let help = slips::unit_help(number, unit);
        self.cursor
            .report(Diagnostic::error("unit", span, "a number has no unit here").help(help));
        Some(Next::Operator)
    }

    /// Skips a unit such as `kg*m^2/s` and gives the place of its end.
    fn unit_end(&mut self) -> Span {
        let mut end = self.cursor.here();
        self.cursor.advance();
        while let Some(token) = self.cursor.peek() {
            let next = self.cursor.peek_second();
            let unit_follows = next.is_some_and(|n| {
                let text = self.cursor.text(n);
                slips::is_unit(text) || slips::may_be_unit(text)
            });
            let power = token.kind == Kind::Power && next.is_some_and(|n| n.kind == Kind::Number);
            let more = matches!(token.kind, Kind::Times | Kind::Over) && unit_follows;
            let text = self.cursor.text(token);
            let lone = token.kind == Kind::Word
                && !token.begins_line
                && (slips::is_unit(text) || slips::may_be_unit(text));
            if !(power || more || lone) {
                break;
            }
            if !lone {
                self.cursor.advance();
            }
            end = self.cursor.here();
            self.cursor.advance();
        }
        end
    }
}
