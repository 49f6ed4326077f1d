//! A table's description as lines of text, the same in every format.

use crate::column::{Column, ColumnKind};
use crate::metadata::Metadata;
use crate::table::Table;

/// One line on a column: `x(vakonomic): coordinate [m] of x in vakonomic`.
pub(super) fn column_line(column: &Column) -> String {
    let mut line = format!("{}: {}", column.name, column.kind.word());
    if let Some(unit) = &column.unit {
        line += &format!(" [{unit}]");
    }
    if let Some(motion) = &column.motion {
        line += &format!(" of {} in {motion}", column.quantity);
    }
    line
}

/// The column that a line describes.
pub(super) fn column_of_line(line: &str) -> Option<Column> {
    let (name, rest) = line.split_once(": ")?;
    let (word, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let mut column = Column::new(name, ColumnKind::from_word(word)?);
    column.unit = None;
    let mut rest = rest.trim();
    if let Some((unit, after)) = rest.strip_prefix('[').and_then(|r| r.split_once(']')) {
        column.unit = Some(unit.to_owned());
        rest = after.trim();
    }
    if let Some((quantity, motion)) = rest.strip_prefix("of ").and_then(|r| r.split_once(" in ")) {
        column.quantity = quantity.to_owned();
        column.motion = Some(motion.to_owned());
    }
    Some(column)
}

/// The columns with what their lines say; a column without a line keeps only its name.
pub(super) fn described_columns<'a>(
    names: impl Iterator<Item = &'a str>,
    lines: &[Column],
) -> Vec<Column> {
    names
        .map(|name| {
            let known = lines.iter().find(|column| column.name == name);
            known
                .cloned()
                .unwrap_or_else(|| Column::new(name, ColumnKind::Other))
        })
        .collect()
}

/// The description as comment lines.
pub(super) fn comment_lines(table: &Table) -> String {
    let mut text = String::new();
    for (key, entry) in table.metadata.iter() {
        let mut lines = entry.lines();
        match (lines.next(), lines.next()) {
            (first, None) => text += format!("# {key}: {}", first.unwrap_or_default()).trim_end(),
            _ => {
                text += &format!("# {key}:");
                for line in entry.lines() {
                    text.push('\n');
                    text += format!("#   {line}").trim_end();
                }
            }
        }
        text.push('\n');
    }
    for column in &table.columns {
        text += &format!("# column {}\n", column_line(column));
    }
    text
}

/// Reads comment lines, one at a time.
#[derive(Debug, Default)]
pub(super) struct Comments {
    pub metadata: Metadata,
    pub columns: Vec<Column>,
    open: Option<(String, String)>,
}

impl Comments {
    /// Takes one line that starts with `#`.
    pub fn line(&mut self, line: &str) {
        let line = line.trim_end();
        if let Some((_, text)) = &mut self.open {
            let inside = line.strip_prefix("#   ").or((line == "#").then_some(""));
            if let Some(inside) = inside {
                text.push_str(inside);
                text.push('\n');
                return;
            }
        }
        self.close();
        let content = line.trim_start_matches('#').trim_start();
        if let Some(column) = content.strip_prefix("column ").and_then(column_of_line) {
            self.columns.push(column);
        } else if let Some((key, entry)) = content.split_once(": ") {
            self.metadata.set(key, entry);
        } else if let Some(key) = content.strip_suffix(':') {
            self.open = Some((key.to_owned(), String::new()));
        }
    }

    /// Ends a text of several lines.
    pub fn close(&mut self) {
        if let Some((key, text)) = self.open.take() {
            self.metadata.set(key, text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn column_lines_read_back() {
        for column in [
            Column::new("R[1,2]", ColumnKind::GroupEntry),
            Column::new("theta'", ColumnKind::Velocity).with_unit(Some("rad/s")),
            Column::new("x", ColumnKind::Line).of_motion("vakonomic motion"),
            Column::new("phi", ColumnKind::Angle).of_motion("b"),
        ] {
            assert_eq!(column_of_line(&column_line(&column)), Some(column));
        }
        assert_eq!(column_of_line("x: unheard-of"), None);
    }

    #[test]
    fn comments_read_back() {
        let model = "system s\n\n  # note: a comment\ncoord x\n";
        let metadata = Metadata::new()
            .with("version", "1.0")
            .with("model", model)
            .with("empty", "")
            .with("method", "gauss: order 4");
        let table = Table::new(vec![Column::new("x", ColumnKind::Line)]).described(metadata);
        let mut comments = Comments::default();
        for line in comment_lines(&table).lines() {
            comments.line(line);
        }
        comments.close();
        assert_eq!(comments.columns, table.columns);
        assert_eq!(comments.metadata, table.metadata);
    }
}
