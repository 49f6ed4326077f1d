//! Rendering of diagnostics with the source lines underlined.

use ariadne::{CharSet, Color, Config, IndexType, Label, Report, ReportKind};

use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{Location, Source, Span};

/// Lines longer than this, in characters, are shown in part.
const MAX_SHOWN: usize = 160;

/// Line numbers up to here are reached by empty lines before the excerpt; beyond, a note gives the place.
const MAX_PADDING: usize = 100_000;

type Place = (String, std::ops::Range<usize>);

impl Diagnostic {
    /// The diagnostic as text: the place, the source line underlined, and the help. Colours are for terminals.
    pub fn render(&self, source: &Source, color: bool) -> String {
        let excerpt = Excerpt::new(source, &self.labels);
        let config = Config::default()
            .with_color(color)
            .with_char_set(CharSet::Unicode)
            .with_index_type(IndexType::Char)
            .with_tab_width(1);
        let (kind, tint) = match self.severity {
            Severity::Error => (ReportKind::Error, Color::Red),
            Severity::Warning => (ReportKind::Warning, Color::Yellow),
            Severity::Note => (ReportKind::Advice, Color::Blue),
        };
        let id = source.name().to_owned();
        let mut report = Report::<Place>::build(kind, (id.clone(), excerpt.map(self.span())))
            .with_code(self.code)
            .with_message(&self.message)
            .with_config(config);
        let mut labels: Vec<_> = self.labels.iter().enumerate().collect();
        // The lines are shown from top to bottom, whichever place is the main one.
        labels.sort_by_key(|(_, (span, _))| *span);
        for (k, (span, text)) in labels {
            let color = if k == 0 { tint } else { Color::Cyan };
            let text = if text.is_empty() { "here" } else { text };
            let place = (id.clone(), excerpt.map(*span));
            report = report.with_label(Label::new(place).with_message(text).with_color(color));
        }
        if let Some(help) = &self.help {
            report = report.with_help(help);
        }
        let place = self.location(source);
        let shown = excerpt.location(self.span());
        if excerpt.displaced {
            report = report.with_note("the text is shown in part");
        }
        let mut out = Vec::new();
        let text = ariadne::Source::from(excerpt.text);
        match report.finish().write((id, text), &mut out) {
            Ok(()) => {
                // An excerpt has its own lines and columns; the reader wants those of the source.
                let header = |l: Location| format!("{}:{}:{}", source.name(), l.line, l.column);
                String::from_utf8_lossy(&out).replacen(&header(shown), &header(place), 1)
            }
            Err(_) => self.plain(source),
        }
    }

    /// One line: `name:line:column: severity: message`.
    pub fn plain(&self, source: &Source) -> String {
        let place = self.location(source);
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        format!(
            "{}:{}:{}: {severity}: {}",
            source.name(),
            place.line,
            place.column,
            self.message
        )
    }
}

/// The lines that a diagnostic needs, cleaned of what a terminal could misread.
struct Excerpt {
    text: String,
    /// Whether line or column in the excerpt differ from those in the source.
    displaced: bool,
    /// Pieces that were kept: start in the source, start in the excerpt, length.
    pieces: Vec<(usize, usize, usize)>,
}

impl Excerpt {
    fn new(source: &Source, labels: &[(Span, String)]) -> Self {
        let lines: Vec<usize> = labels
            .iter()
            .flat_map(|(span, _)| {
                [
                    source.line(span.start),
                    source.line(span.end.max(span.start)),
                ]
            })
            .collect();
        let first = lines.iter().copied().min().unwrap_or(1);
        let last = lines.iter().copied().max().unwrap_or(1);
        let padding = if first > MAX_PADDING { 0 } else { first - 1 };
        let mut excerpt = Excerpt {
            text: "\n".repeat(padding),
            displaced: padding + 1 != first,
            pieces: Vec::new(),
        };
        for line in first..=last.min(first + MAX_PADDING) {
            // Lines without a label only keep the numbering right.
            if lines.contains(&line) {
                excerpt.add(source, source.line_span(line), labels);
            }
            excerpt.text.push('\n');
        }
        excerpt
    }

    fn add(&mut self, source: &Source, line: Span, labels: &[(Span, String)]) {
        let text = source.slice(line);
        let (mut from, mut to) = (0, text.len());
        if text.chars().count() > MAX_SHOWN {
            self.displaced = true;
            let place = labels
                .iter()
                .map(|(span, _)| span.start)
                .find(|&s| s >= line.start && s <= line.end);
            let place = place.map_or(0, |s| (s - line.start) as usize);
            from = floor_boundary(text, place.saturating_sub(MAX_SHOWN / 2));
            to = floor_boundary(text, (place + MAX_SHOWN / 2).min(text.len()));
        }
        self.pieces
            .push((line.start as usize + from, self.text.len(), to - from));
        self.text.extend(text[from..to].chars().map(visible));
    }

    /// Where ariadne sees a span of the source.
    fn location(&self, span: Span) -> Location {
        let before = self.map(span).start;
        let lines = || self.text.chars().take(before);
        let line = 1 + lines().filter(|&c| c == '\n').count();
        let column = lines().fold(1, |column, c| if c == '\n' { 1 } else { column + 1 });
        Location { line, column }
    }

    /// A span of the source in the characters of the excerpt.
    fn map(&self, span: Span) -> std::ops::Range<usize> {
        let place = |offset: usize| {
            let piece = self
                .pieces
                .iter()
                .rev()
                .find(|(start, ..)| *start <= offset);
            let byte = piece
                .or(self.pieces.first())
                .map_or(0, |&(start, at, length)| {
                    at + offset.saturating_sub(start).min(length)
                });
            self.text[..floor_boundary(&self.text, byte)]
                .chars()
                .count()
        };
        let (start, end) = (place(span.start as usize), place(span.end as usize));
        start..end.max(start)
    }
}

/// Characters that a terminal could misread are shown as others with as many bytes.
fn visible(c: char) -> char {
    match c {
        '\t' => ' ',
        c if c.is_control() && c.len_utf8() == 1 => '?',
        c if c.is_control() => '¿',
        '\u{2028}'
        | '\u{2029}'
        | '\u{FEFF}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2066}'..='\u{2069}' => '\u{FFFD}',
        c => c,
    }
}

fn floor_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
