//! Expressions by operator precedence, with explicit stacks: nothing recurses on the depth of the input.
//!
//! Binding, from loose to tight: `+ -`, `* /`, unary `-`, `^` (to the right), then primes, indices and calls.

mod slip;

use crate::diagnostic::Diagnostic;
use crate::letters::spell;
use crate::slips;
use crate::source::Span;
use crate::syntax::{Name, Node, NodeId, NodeKind, Tree};
use crate::token::{Kind, Token};

use super::cursor::Cursor;
use super::operators::{Bracket, Level, Pending};

/// How deep brackets, signs and powers may nest.
pub(crate) const MAX_DEPTH: usize = 1000;

/// What a word means where an operator could stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// A missing operator.
    Never,
    /// The end of the expression: `10 step 0.01`.
    AtWord,
    /// The end of the expression, whatever operand follows: the names before `:` and `=`.
    AtOperand,
}

/// Parses one expression. A mistake is reported and leaves an error node.
pub(crate) fn expression(cursor: &mut Cursor, stop: Stop) -> Tree {
    Builder {
        cursor,
        nodes: Vec::new(),
        operands: Vec::new(),
        operators: Vec::new(),
        depth: 0,
        brackets: 0,
        stop,
    }
    .run()
}

fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || c == '.')
}

struct Builder<'c, 'a> {
    cursor: &'c mut Cursor<'a>,
    nodes: Vec<Node>,
    operands: Vec<NodeId>,
    operators: Vec<Pending>,
    depth: usize,
    brackets: usize,
    stop: Stop,
}

/// What the reader looks for next.
enum Next {
    Operand,
    Operator,
    Done,
}

impl Builder<'_, '_> {
    fn run(mut self) -> Tree {
        let start = self.cursor.here();
        let mut next = Next::Operand;
        loop {
            next = match next {
                Next::Operand => self.operand(),
                Next::Operator => self.operator(),
                Next::Done => break,
            };
            if self.depth > MAX_DEPTH {
                return self.too_deep(start);
            }
        }
        self.finish(start)
    }

    fn too_deep(self, start: Span) -> Tree {
        let span = self.cursor.previous();
        self.cursor.report(
            Diagnostic::error(
                "nesting",
                span,
                format!("the expression nests more than {MAX_DEPTH} levels deep"),
            )
            .help("name its parts with `let`"),
        );
        self.cursor.skip_item();
        Tree::error(start)
    }

    fn push(&mut self, kind: NodeKind, span: Span) {
        // The number of nodes is bounded by the size of the file, far below 2^32.
        let id = self.nodes.len() as NodeId;
        self.nodes.push(Node { kind, span });
        self.operands.push(id);
    }

    fn pend(&mut self, pending: Pending) {
        self.depth += usize::from(pending.nests());
        self.brackets += usize::from(pending.level().is_none());
        self.operators.push(pending);
    }

    fn unpend(&mut self) -> Option<Pending> {
        let pending = self.operators.pop()?;
        self.depth -= usize::from(pending.nests());
        self.brackets -= usize::from(pending.level().is_none());
        Some(pending)
    }

    fn span_of(&self, id: NodeId) -> Span {
        self.nodes
            .get(id as usize)
            .map_or(Span::default(), |node| node.span)
    }

    fn operand(&mut self) -> Next {
        let Some(token) = self.cursor.peek().filter(|_| !self.cursor.at_statement()) else {
            return self.missing_operand();
        };
        match token.kind {
            Kind::Number => {
                self.cursor.advance();
                self.push(NodeKind::Number, token.span);
                Next::Operator
            }
            Kind::Word => self.word(token),
            Kind::OpenParen => self.open(Bracket::Group, token),
            Kind::OpenBracket => self.open(Bracket::List, token),
            Kind::Minus => {
                self.cursor.advance();
                self.pend(Pending::Negate(token.span));
                Next::Operand
            }
            Kind::Plus => {
                self.cursor.report(
                    Diagnostic::error("syntax", token.span, "expected an expression, found `+`")
                        .help("there is no unary plus; remove the `+`"),
                );
                self.cursor.advance();
                Next::Operand
            }
            _ => match self.doubled(token) {
                Some(next) => next,
                None => self.missing_operand(),
            },
        }
    }

    fn missing_operand(&mut self) -> Next {
        self.cursor.expected("an expression");
        let span = self.cursor.here();
        self.push(NodeKind::Error, span);
        Next::Operator
    }

    fn word(&mut self, token: Token) -> Next {
        self.cursor.advance();
        // A word with letters outside the alphabet has been reported.
        let Ok(spelling) = spell(self.cursor.text(token)) else {
            self.push(NodeKind::Error, token.span);
            return Next::Operator;
        };
        let call = self
            .cursor
            .peek()
            .filter(|next| next.kind == Kind::OpenParen);
        let slip = match call {
            Some(_) => self.no_call(&spelling.name, token),
            None => self.no_value(&spelling.name, token),
        };
        if let Some(next) = slip {
            return next;
        }
        match call {
            // `dot (x)` with a gap is a call too; `x (y)` cannot mean anything else.
            Some(open) if spelling.dots == 0 => self.open(
                Bracket::Call(Name {
                    text: spelling.name,
                    span: token.span,
                }),
                open,
            ),
            _ => {
                self.push(NodeKind::Name(spelling.name), token.span);
                if spelling.dots > 0 {
                    self.prime(spelling.dots, token.span);
                }
                Next::Operator
            }
        }
    }

    fn open(&mut self, bracket: Bracket, token: Token) -> Next {
        self.cursor.advance();
        let base = self.operands.len();
        self.pend(Pending::Open {
            bracket,
            token,
            base,
        });
        Next::Operand
    }

    fn operator(&mut self) -> Next {
        let Some(token) = self.cursor.peek().filter(|_| !self.cursor.at_statement()) else {
            return Next::Done;
        };
        match token.kind {
            kind if kind.is_open() && self.at_moment() => self.moment_of(token),
            Kind::Plus | Kind::Minus => self.infix(Level::Sum, token.kind == Kind::Minus),
            Kind::Times => self.times(token),
            Kind::Over => self.infix(Level::Product, true),
            Kind::Power => self.infix(Level::Power, false),
            Kind::Prime => {
                self.cursor.advance();
                let count = match self.cursor.text(token) {
                    "″" => 2,
                    "‴" => 3,
                    _ => 1,
                };
                self.prime(count, token.span);
                Next::Operator
            }
            Kind::OpenBracket => match self.bracketed_unit(token) {
                Some(next) => next,
                None => self.open(Bracket::Index, token),
            },
            Kind::Member => self.member(token),
            Kind::Comma => self.comma(token),
            Kind::CloseParen | Kind::CloseBracket => self.close(token),
            Kind::Word if self.stop == Stop::AtWord && !self.inside() => Next::Done,
            kind if kind.begins_operand() && self.stop == Stop::AtOperand && !self.inside() => {
                Next::Done
            }
            kind if kind.begins_operand() => self.missing_operator(token),
            _ if self.inside() => self.unclosed(),
            _ => Next::Done,
        }
    }

    fn infix(&mut self, level: Level, inverse: bool) -> Next {
        self.cursor.advance();
        self.reduce_above(Some(level));
        self.pend(Pending::Infix(level, inverse));
        Next::Operand
    }

    fn prime(&mut self, count: u32, span: Span) {
        let Some(id) = self.operands.pop() else {
            return;
        };
        if let Some(Node {
            kind: NodeKind::Prime(_, primes),
            span: whole,
        }) = self.nodes.get_mut(id as usize)
        {
            *primes = primes.saturating_add(count);
            *whole = whole.to(span);
            self.operands.push(id);
        } else {
            let span = self.span_of(id).to(span);
            self.push(NodeKind::Prime(id, count), span);
        }
    }

    /// `T.R`: a part of the operand before it.
    fn member(&mut self, token: Token) -> Next {
        self.cursor.advance();
        let text = self.cursor.text(token).trim_start_matches('.');
        if slips::is_derivative_call(text) {
            return self.derivative_call(token);
        }
        if let Some(next) = self.module(text, token) {
            return next;
        }
        // Letters outside the alphabet have been reported.
        let text = spell(text).map_or_else(|_| text.to_owned(), |spelling| spelling.name);
        if let Some(of) = self.operands.pop() {
            let span = self.span_of(of).to(token.span);
            let name = Name {
                text,
                span: token.span,
            };
            self.push(NodeKind::Member(of, name), span);
        }
        Next::Operator
    }

    /// Whether a bracket of this expression is open.
    fn inside(&self) -> bool {
        self.brackets > 0
    }

    /// `2x` and the like: reported, then read as a product. The operand that follows is sure to be read.
    fn missing_operator(&mut self, token: Token) -> Next {
        let left = self
            .operands
            .last()
            .map_or(Span::default(), |&id| self.span_of(id));
        if let Some(next) = self.behind_operand(left, token) {
            return next;
        }
        let (a, b) = (self.cursor.source.slice(left), self.cursor.text(token));
        let example = if is_number(a) && slips::may_be_unit(b) {
            format!("write `{a}*{b}`; if `{b}` is meant as a unit, leave it out: numbers have none")
        } else if a.len() + b.len() < 40 && a.lines().count() < 2 && !token.kind.is_open() {
            format!("write `{a}*{b}`")
        } else {
            "write `*` between the factors".to_owned()
        };
        self.cursor.report(
            Diagnostic::error(
                "implicit-product",
                left.after().to(token.span),
                "an operator is missing here",
            )
            .label("there is no implicit multiplication")
            .help(example),
        );
        self.reduce_above(Some(Level::Product));
        self.pend(Pending::Infix(Level::Product, false));
        Next::Operand
    }

    fn comma(&mut self, token: Token) -> Next {
        self.reduce_above(None);
        match self.operators.last() {
            None => Next::Done,
            Some(Pending::Open {
                bracket: Bracket::Group,
                token: open,
                base,
            }) => {
                let base = *base;
                self.cursor.report(
                    Diagnostic::error("syntax", token.span, "expected `)`, found `,`")
                        .also(open.span, "opened here")
                        .help("a vector is written with square brackets: `[a, b]`"),
                );
                self.cursor.advance();
                // The pieces become one erroneous value.
                self.operands.truncate(base);
                Next::Operand
            }
            Some(_) => {
                self.cursor.advance();
                Next::Operand
            }
        }
    }

    fn close(&mut self, token: Token) -> Next {
        self.reduce_above(None);
        let Some(Pending::Open { token: open, .. }) = self.operators.last() else {
            return Next::Done;
        };
        let open = *open;
        let matches = (open.kind == Kind::OpenParen) == (token.kind == Kind::CloseParen);
        if !matches {
            let wanted = if open.kind == Kind::OpenParen {
                "`)`"
            } else {
                "`]`"
            };
            self.cursor.report(
                Diagnostic::error(
                    "bracket",
                    token.span,
                    format!("expected {wanted}, found {}", token.kind.name()),
                )
                .label(format!("expected {wanted}"))
                .also(open.span, "opened here"),
            );
        }
        self.cursor.advance();
        self.close_bracket(token.span);
        Next::Operator
    }

    /// A token that cannot be part of an expression while a bracket is open.
    fn unclosed(&mut self) -> Next {
        let open = self.innermost_open();
        let found = self.cursor.found();
        let wanted = if open.kind == Kind::OpenParen {
            "`)`"
        } else {
            "`]`"
        };
        self.cursor.report(
            Diagnostic::error(
                "bracket",
                self.cursor.here(),
                format!("expected {wanted} or an operator, found {found}"),
            )
            .also(open.span, "this bracket is still open"),
        );
        Next::Done
    }

    fn innermost_open(&self) -> Token {
        let open = self.operators.iter().rev().find_map(|p| match p {
            Pending::Open { token, .. } => Some(*token),
            _ => None,
        });
        open.unwrap_or(Token {
            kind: Kind::OpenParen,
            begins_line: false,
            span: Span::default(),
        })
    }

    fn close_bracket(&mut self, end: Span) {
        let Some(Pending::Open {
            bracket,
            token,
            base,
        }) = self.unpend()
        else {
            return;
        };
        let items = self.operands.split_off(base.min(self.operands.len()));
        match bracket {
            Bracket::Group => {
                if let Some(&id) = items.last() {
                    // A number is read from its span: that stays the digits alone.
                    if let Some(node) = self.nodes.get_mut(id as usize)
                        && !matches!(node.kind, NodeKind::Number)
                    {
                        node.span = token.span.to(end);
                    }
                    self.operands.push(id);
                }
            }
            Bracket::List => self.push(NodeKind::List(items), token.span.to(end)),
            Bracket::Call(name) => {
                let span = name.span.to(end);
                self.push(NodeKind::Call(name, items), span);
            }
            Bracket::Index => {
                if let Some(of) = self.operands.pop() {
                    let span = self.span_of(of).to(end);
                    self.push(NodeKind::Index(of, items), span);
                }
            }
        }
    }

    /// Builds the nodes of all waiting operators that bind tighter than `level` (of all, without one).
    fn reduce_above(&mut self, level: Option<Level>) {
        while let Some(top) = self.operators.last().and_then(Pending::level) {
            if level.is_some_and(|level| top <= level) {
                return;
            }
            match top {
                Level::Sum | Level::Product => self.reduce_run(top),
                Level::Sign => self.reduce_sign(),
                Level::Power => self.reduce_power(),
            }
        }
    }

    fn reduce_sign(&mut self) {
        if let (Some(Pending::Negate(sign)), Some(id)) = (self.unpend(), self.operands.pop()) {
            let span = sign.to(self.span_of(id));
            self.push(NodeKind::Negate(id), span);
        }
    }

    fn reduce_power(&mut self) {
        self.unpend();
        if let (Some(exponent), Some(base)) = (self.operands.pop(), self.operands.pop()) {
            let span = self.span_of(base).to(self.span_of(exponent));
            self.push(NodeKind::Power(base, exponent), span);
        }
    }

    /// A whole run `a + b - c` becomes one node, so that long sums are neither deep nor slow.
    fn reduce_run(&mut self, level: Level) {
        let mut inverses = Vec::new();
        while let Some(&Pending::Infix(l, inverse)) = self.operators.last() {
            if l != level {
                break;
            }
            inverses.push(inverse);
            self.unpend();
        }
        inverses.push(false);
        inverses.reverse();
        let first = self.operands.len().saturating_sub(inverses.len());
        let items: Vec<(bool, NodeId)> = inverses
            .into_iter()
            .zip(self.operands.split_off(first))
            .collect();
        let (Some(&(_, a)), Some(&(_, b))) = (items.first(), items.last()) else {
            return;
        };
        let span = self.span_of(a).to(self.span_of(b));
        let kind = if level == Level::Sum {
            NodeKind::Sum(items)
        } else {
            NodeKind::Product(items)
        };
        self.push(kind, span);
    }

    fn finish(mut self, start: Span) -> Tree {
        self.reduce_above(None);
        if self.inside() {
            let open = self.innermost_open();
            let wanted = if open.kind == Kind::OpenParen {
                "`)`"
            } else {
                "`]`"
            };
            let found = self.cursor.found();
            self.cursor.report(
                Diagnostic::error(
                    "bracket",
                    open.span,
                    format!("this bracket is never closed: expected {wanted} before {found}"),
                )
                .label("opened here"),
            );
            return Tree::error(start.to(self.cursor.previous()));
        }
        match self.operands.last() {
            Some(&root) if root as usize + 1 == self.nodes.len() => Tree { nodes: self.nodes },
            _ => Tree::error(start),
        }
    }
}
