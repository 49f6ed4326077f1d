//! Layout: which tokens make one statement, and which comments document it.
//!
//! A line goes on while a bracket is open, or while the next line is indented deeper than the statement's first line.

use std::ops::Range;

use crate::source::Span;
use crate::token::{Kind, Token, tokenize};
use crate::words::begins_statement;

/// A tab moves to the next multiple of this.
const TAB: usize = 4;

/// A comment with its place between the tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comment {
    pub(crate) span: Span,
    /// Its line, from 0.
    pub(crate) line: usize,
    /// Whether nothing but blanks stands before it on its line.
    pub(crate) own_line: bool,
    /// Index of the first token behind it.
    pub(crate) before: usize,
}

/// The tokens of one statement.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) tokens: Range<usize>,
    /// First line, from 0.
    pub(crate) first_line: usize,
    /// Last line, from 0.
    pub(crate) last_line: usize,
}

/// A text cut into statements.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    /// Tokens without comments and line ends.
    pub(crate) tokens: Vec<Token>,
    /// Line of each token, from 0.
    pub(crate) lines: Vec<u32>,
    pub(crate) comments: Vec<Comment>,
    pub(crate) blocks: Vec<Block>,
}

struct Open {
    first: usize,
    indent: usize,
    depth: usize,
}

/// Cuts a text into statements.
pub(crate) fn layout(text: &str) -> Layout {
    let mut layout = Layout::default();
    let mut open: Option<Open> = None;
    let (mut line, mut line_start) = (0, 0);
    let tokens = tokenize(text);
    for (i, &token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Newline => {
                line += 1;
                line_start = token.span.end as usize;
            }
            Kind::Comment => layout.comments.push(Comment {
                span: token.span,
                line,
                own_line: token.begins_line,
                before: layout.tokens.len(),
            }),
            kind => {
                if token.begins_line {
                    let indent = indentation(&text[line_start..token.span.start as usize]);
                    let word = &text[token.span.range()];
                    let next = tokens.get(i + 1).map(|t| (t.kind, &text[t.span.range()]));
                    let statement_word = begins_statement(word, next);
                    if !open
                        .as_ref()
                        .is_some_and(|o| goes_on(o, indent, statement_word))
                    {
                        layout.close(open.take());
                        open = Some(Open {
                            first: layout.tokens.len(),
                            indent,
                            depth: 0,
                        });
                    }
                }
                if let Some(o) = &mut open {
                    o.depth = (o.depth + usize::from(kind.is_open()))
                        .saturating_sub(usize::from(kind.is_close()));
                }
                layout.tokens.push(token);
                layout.lines.push(line as u32);
            }
        }
    }
    layout.close(open);
    layout
}

/// Whether a line belongs to the open statement. A statement's word cannot occur inside brackets: where a
/// line begins with one, a bracket was left open, and the statement is better read than swallowed.
fn goes_on(open: &Open, indent: usize, statement_word: bool) -> bool {
    indent > open.indent || (open.depth > 0 && !statement_word)
}

fn indentation(blanks: &str) -> usize {
    blanks.chars().fold(0, |width, c| match c {
        '\t' => (width / TAB + 1) * TAB,
        '\u{FEFF}' => width,
        _ => width + 1,
    })
}

impl Layout {
    fn close(&mut self, open: Option<Open>) {
        let Some(open) = open else { return };
        let tokens = open.first..self.tokens.len();
        let first_line = self.lines[tokens.start] as usize;
        let last_line = self.lines[tokens.end - 1] as usize;
        self.blocks.push(Block {
            tokens,
            first_line,
            last_line,
        });
    }

    /// The comments directly above a statement and those behind its lines.
    pub(crate) fn docs(&self, text: &str, block: &Block) -> Docs {
        let mut docs = Docs::default();
        let first = self
            .comments
            .partition_point(|c| c.before < block.tokens.start);
        let above = self
            .comments
            .partition_point(|c| c.before <= block.tokens.start);
        let mut wanted_line = block.first_line;
        for comment in self.comments[first..above].iter().rev() {
            // Only comments in unbroken lines above the statement are its own.
            if !comment.own_line || comment.line + 1 != wanted_line {
                break;
            }
            docs.above.push(comment_text(text, comment));
            wanted_line = comment.line;
        }
        docs.above.reverse();
        for comment in &self.comments[above..] {
            if comment.line > block.last_line {
                break;
            }
            docs.behind
                .push((comment.line, comment_text(text, comment)));
        }
        docs
    }
}

fn comment_text(text: &str, comment: &Comment) -> String {
    text[comment.span.range()]
        .trim_start_matches('#')
        .trim()
        .to_owned()
}

/// The comments that document a statement.
#[derive(Clone, Debug, Default)]
pub(crate) struct Docs {
    above: Vec<String>,
    /// With their lines, from 0.
    behind: Vec<(usize, String)>,
}

impl Docs {
    /// The documentation of an item of the statement that ends on `line` (from 1).
    pub(crate) fn of_line(&self, line: usize) -> Option<String> {
        let behind = self
            .behind
            .iter()
            .filter(|(l, _)| l + 1 == line)
            .map(|(_, text)| text);
        let lines: Vec<&str> = self
            .above
            .iter()
            .chain(behind)
            .map(String::as_str)
            .collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(text: &str) -> Vec<usize> {
        layout(text).blocks.iter().map(|b| b.tokens.len()).collect()
    }

    #[test]
    fn one_statement_per_line() {
        assert_eq!(blocks("param a\n\n# c\nparam b c\n"), [2, 3]);
    }

    #[test]
    fn open_brackets_and_indentation_continue() {
        assert_eq!(
            blocks("let a = (1 +\n2)\nlet b = 1\n  + 2\n\n  + 3\nlet c"),
            [8, 8, 2]
        );
    }

    #[test]
    fn a_statement_word_ends_an_open_bracket() {
        assert_eq!(blocks("let a = (1 +\ncoord x"), [6, 2]);
    }

    #[test]
    fn a_newer_word_ends_an_open_bracket_only_at_the_head_of_a_statement() {
        assert_eq!(blocks("let a = (1 +\nstate z"), [6, 2]);
        assert_eq!(blocks("let a = (1 +\nstate)"), [8]);
        assert_eq!(blocks("start w = [0,\nfree, 1]"), [10]);
        assert_eq!(blocks("goal x = (\nstart(x))"), [9]);
    }

    #[test]
    fn comments_document() {
        let text = "# no\n\n# one\n# two\nparam a,  # a\n  b  # b\nparam c";
        let l = layout(text);
        let docs = l.docs(text, &l.blocks[0]);
        assert_eq!(docs.of_line(5).as_deref(), Some("one\ntwo\na"));
        assert_eq!(docs.of_line(6).as_deref(), Some("one\ntwo\nb"));
        assert_eq!(l.docs(text, &l.blocks[1]).of_line(7), None);
    }
}
