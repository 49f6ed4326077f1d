//! Rendering of diagnostics with the source lines underlined.

use ariadne::{CharSet, Color, Config, IndexType, Label, Report, ReportKind};

use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{Source, Span};

/// Lines longer than this, in characters, are shown in part.
const MAX_SHOWN: usize = 160;

/// Lines further apart than this are shown as separate reports' worth of text: the gap is left out.
type Place = (String, std::ops::Range<usize>);

impl Diagnostic {
    /// The diagnostic as text: the place, the source line underlined, and the help. Colours are for terminals.
    pub fn render(&self, source: &Source, color: bool) -> String {
        let excerpt = Excerpt::new(source, &self.labels);
        let config = Config::default()
            .with_color(color)
            .with_char_set(CharSet::Unicode)
            .with_index_type(IndexType::Byte)
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
        for (k, (span, text)) in self.labels.iter().enumerate() {
            let text = if text.is_empty() { "here" } else { text };
            let color = if k == 0 { tint } else { Color::Cyan };
            report = report.with_label(
                Label::new((id.clone(), excerpt.map(*span)))
                    .with_message(text)
                    .with_color(color),
            );
        }
        if let Some(help) = &self.help {
            report = report.with_help(help);
        }
        if excerpt.shortened {
            let place = self.location(source);
            report = report.with_note(format!(
                "the line is long and shown in part; the place is line {}, column {}",
                place.line, place.column
            ));
        }
        let mut out = Vec::new();
        let text = ariadne::Source::from(excerpt.text).with_display_line_offset(excerpt.first_line);
        match report.finish().write((id, text), &mut out) {
            Ok(()) => String::from_utf8_lossy(&out).into_owned(),
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
    /// Number of lines before the excerpt.
    first_line: usize,
    shortened: bool,
    /// Pieces that were kept: start in the source, start in the excerpt, length.
    pieces: Vec<(usize, usize, usize)>,
}

impl Excerpt {
    fn new(source: &Source, labels: &[(Span, String)]) -> Self {
        let lines: Vec<usize> = labels
            .iter()
            .flat_map(|(span, _)| {
                [
                    source.location(span.start).line,
                    source.location(span.end.max(span.start)).line,
                ]
            })
            .collect();
        let first = lines.iter().copied().min().unwrap_or(1);
        let last = lines.iter().copied().max().unwrap_or(1);
        let mut excerpt = Excerpt {
            text: String::new(),
            first_line: first - 1,
            shortened: false,
            pieces: Vec::new(),
        };
        for line in first..=last {
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
            self.shortened = true;
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
        // `visible` may change the number of bytes; pad so that offsets stay put.
    }

    /// A span of the source in the excerpt.
    fn map(&self, span: Span) -> std::ops::Range<usize> {
        let place = |offset: usize| {
            let piece = self
                .pieces
                .iter()
                .rev()
                .find(|(start, ..)| *start <= offset)
                .or(self.pieces.first());
            piece.map_or(0, |&(start, at, length)| {
                at + offset.saturating_sub(start).min(length)
            })
        };
        let (start, end) = (place(span.start as usize), place(span.end as usize));
        start..end.max(start)
    }
}

/// Control characters shown as a character of as many bytes.
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
