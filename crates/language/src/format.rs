//! The formatter: one way of spacing, with every comment and line break of the author kept.

use crate::diagnostic::{Diagnostic, Sink};
use crate::drawing::draw_attribute;
use crate::layout::{Block, Comment, Layout, layout};
use crate::parse::statements;
use crate::source::Source;
use crate::token::{Kind, Token};
use crate::words::{CONTEXT, MOMENTS, is_function};

/// Indentation of the lines that continue a statement.
const INDENT: &str = "    ";

/// Formats a model. Errors are those of the syntax; names and shapes are not looked at.
///
/// ```
/// let formatted = rattleback_language::format("system  a\nlet v=x+ -2 * y # sum").unwrap();
/// assert_eq!(formatted, "system a\nlet v = x + -2*y  # sum\n");
/// ```
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let source = Source::new("", text);
    if let Some(diagnostic) = crate::oversize(&source) {
        return Err(vec![diagnostic]);
    }
    let mut sink = Sink::default();
    statements(&source, &mut sink);
    if sink.has_errors() {
        return Err(sink.finish());
    }
    let layout = layout(text);
    Ok(Printer {
        text,
        layout: &layout,
        out: String::with_capacity(text.len()),
        last_line: None,
        next_comment: 0,
        trailing: Vec::new(),
    }
    .run())
}

struct Printer<'a> {
    text: &'a str,
    layout: &'a Layout,
    out: String,
    /// The source line that was printed last.
    last_line: Option<usize>,
    next_comment: usize,
    /// Where in the output the comments behind code begin.
    trailing: Vec<usize>,
}

impl Printer<'_> {
    fn run(mut self) -> String {
        for block in &self.layout.blocks {
            self.comments_before(block.tokens.start, "");
            self.block(block);
        }
        self.comments_before(usize::MAX, "");
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        aligned(&self.out, &self.trailing)
    }

    /// Begins a new line for what stands on `line`; one empty line stays where there were any.
    fn begin_line(&mut self, line: usize, indent: &str, keep_gap: bool) {
        if let Some(last) = self.last_line {
            self.out.push('\n');
            if keep_gap && line > last + 1 {
                self.out.push('\n');
            }
        }
        self.out.push_str(indent);
        self.last_line = Some(line);
    }

    /// Prints the comments that stand before a token.
    fn comments_before(&mut self, token: usize, indent: &str) {
        while let Some(comment) = self.layout.comments.get(self.next_comment) {
            if comment.before > token {
                return;
            }
            self.next_comment += 1;
            self.comment(comment, indent);
        }
    }

    fn comment(&mut self, comment: &Comment, indent: &str) {
        let text = self.text[comment.span.range()].trim_end();
        if comment.own_line {
            self.begin_line(comment.line, indent, indent.is_empty());
        } else {
            self.out.push_str("  ");
            self.trailing.push(self.out.len());
        }
        self.out.push_str(text);
    }

    fn block(&mut self, block: &Block) {
        let tokens = &self.layout.tokens[block.tokens.clone()];
        let mut spacing = Spacing::new(self.text, tokens);
        for (k, token) in tokens.iter().enumerate() {
            let index = block.tokens.start + k;
            let line = self.layout.lines[index] as usize;
            if k == 0 {
                self.begin_line(line, "", true);
            } else {
                self.comments_before(index, INDENT);
                if self.last_line != Some(line) {
                    self.begin_line(line, INDENT, false);
                } else if spacing.gap_before(k) {
                    self.out.push(' ');
                }
            }
            self.out.push_str(spelled(self.text, *token));
            spacing.pass(k);
        }
        // What stands behind the last line of the statement.
        while let Some(comment) = self
            .layout
            .comments
            .get(self.next_comment)
            .filter(|c| !c.own_line)
        {
            if comment.before > block.tokens.end {
                break;
            }
            self.next_comment += 1;
            self.comment(comment, "");
        }
    }
}

/// Aligns the comments behind the code of consecutive lines. `trailing` has the places where they begin.
fn aligned(text: &str, trailing: &[usize]) -> String {
    let mut out = String::with_capacity(text.len());
    // Lines since the last one without a comment behind its code: code, comment.
    let mut run: Vec<(&str, &str)> = Vec::new();
    let (mut begin, mut next) = (0, 0);
    for line in text.split_inclusive('\n') {
        let end = begin + line.len();
        match trailing.get(next).filter(|place| **place < end) {
            Some(place) => {
                run.push(line.split_at(place - begin));
                next += 1;
            }
            None => {
                write_run(&mut out, &mut run);
                out.push_str(line);
            }
        }
        begin = end;
    }
    write_run(&mut out, &mut run);
    out
}

fn write_run(out: &mut String, run: &mut Vec<(&str, &str)>) {
    let columns = |code: &str| code.chars().count();
    let widest = run.iter().map(|(code, _)| columns(code)).max().unwrap_or(0);
    for (code, comment) in run.drain(..) {
        out.push_str(code);
        out.extend(std::iter::repeat_n(' ', widest - columns(code)));
        out.push_str(comment);
    }
}

fn spelled(text: &str, token: Token) -> &str {
    let raw = &text[token.span.range()];
    match (token.kind, raw) {
        (Kind::Prime, "″") => "''",
        (Kind::Prime, "‴") => "'''",
        (Kind::Prime, _) => "'",
        (kind, raw) => kind.spelling().unwrap_or(raw),
    }
}

/// Whether a bracket behind the word belongs to it.
fn is_call(word: &str) -> bool {
    is_function(word) || MOMENTS.contains(&word)
}

/// Decides where blanks stand inside a statement.
struct Spacing<'a> {
    text: &'a str,
    tokens: &'a [Token],
    /// Open brackets; whether each is an index.
    brackets: Vec<bool>,
    /// Whether the last token was a sign rather than an operator.
    after_sign: bool,
}

impl<'a> Spacing<'a> {
    fn new(text: &'a str, tokens: &'a [Token]) -> Self {
        Spacing {
            text,
            tokens,
            brackets: Vec::new(),
            after_sign: false,
        }
    }

    fn word(&self, k: usize) -> &'a str {
        &self.text[self.tokens[k].span.range()]
    }

    fn keyword(&self) -> &'a str {
        self.word(0)
    }

    fn adjacent(&self, k: usize) -> bool {
        self.tokens[k - 1].span.end == self.tokens[k].span.start
    }

    /// Whether token `k` begins an operand, so that a minus before it is a sign.
    fn is_sign(&self, k: usize) -> bool {
        let Some(before) = k.checked_sub(1).map(|i| self.tokens[i].kind) else {
            return true;
        };
        match before {
            Kind::Word => k == 1 || CONTEXT.contains(&self.word(k - 1)) || self.is_draw_word(k - 1),
            Kind::Number
            | Kind::Prime
            | Kind::Member
            | Kind::CloseParen
            | Kind::CloseBracket
            | Kind::Text => false,
            _ => true,
        }
    }

    fn is_draw_word(&self, k: usize) -> bool {
        self.keyword() == "draw"
            && self.brackets.is_empty()
            && draw_attribute(self.word(k)).is_some()
    }

    /// Whether the bracket at `k` picks an entry: it follows an operand without a gap.
    fn is_index(&self, k: usize) -> bool {
        let operand = matches!(
            self.tokens[k - 1].kind,
            Kind::Word | Kind::Member | Kind::Prime | Kind::CloseParen | Kind::CloseBracket
        );
        operand && self.adjacent(k)
    }

    /// Whether a blank stands before token `k`, which is not the first.
    fn gap_before(&self, k: usize) -> bool {
        use Kind::{
            CloseBracket, CloseParen, Colon, Comma, Member, Minus, OpenBracket, OpenParen, Over,
            Plus, Power, Prime, Times, Word,
        };
        let (before, here) = (self.tokens[k - 1].kind, self.tokens[k].kind);
        match (before, here) {
            (_, Comma | CloseParen | CloseBracket | Member | Prime | Times | Over | Power) => false,
            (OpenParen | OpenBracket | Times | Over | Power, _) => false,
            (Comma, _) => !self.brackets.last().copied().unwrap_or(false),
            (Minus, _) if self.after_sign => false,
            (_, Colon) => matches!(self.keyword(), "coord" | "group"),
            (Word, OpenParen) => k == 1 || !(is_call(self.word(k - 1)) || self.adjacent(k)),
            (Word, OpenBracket) => k == 1 || !self.adjacent(k),
            (Member | Prime | CloseParen | CloseBracket, OpenBracket) => !self.adjacent(k),
            (Plus, _) => true,
            _ => true,
        }
    }

    /// Notes token `k` as printed.
    fn pass(&mut self, k: usize) {
        let kind = self.tokens[k].kind;
        if kind.is_open() {
            let index = kind == Kind::OpenBracket && k > 0 && self.is_index(k);
            self.brackets.push(index);
        } else if kind.is_close() {
            self.brackets.pop();
        }
        self.after_sign = kind == Kind::Minus && self.is_sign(k);
    }
}
