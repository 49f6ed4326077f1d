//! A document as plain text: a page to read.

use super::integral::in_text;
use super::item::{evidence, too_long, verdict, without_zeros};
use super::left_side::{plain, prose};
use super::wrap::{columns, wrapped, wrapped_tightly};
use super::{Block, Cell, Document, Item, Labelled, Name, Remark, Tabular, Value};
use crate::symbolic::{Expr, Style, Symbol, text, text_system};
use std::fmt::Write;

/// Where lines are broken.
#[derive(Clone, Copy, Debug)]
pub struct Width {
    /// Columns for prose and labelled formulas.
    prose: usize,
    /// Columns for formulas on lines of their own, behind their margin.
    display: usize,
    /// Did a reader say so?
    given: bool,
}

impl Width {
    /// What reads well where nobody says how wide a line may be.
    const USUAL: Self = Self {
        prose: 100,
        display: 110,
        given: false,
    };
    /// Narrower than this nothing can be read.
    const LEAST: usize = 40;

    /// A formula in lines; narrow ones are broken within products too.
    fn wrapped(self, line: &str, width: usize) -> String {
        match self.given {
            true => wrapped_tightly(line, width, 6),
            false => wrapped(line, width, 6),
        }
    }

    /// As wide as a terminal.
    fn within(columns: usize) -> Self {
        let columns = columns.max(Self::LEAST);
        Self {
            prose: columns,
            display: columns - MARGIN,
            given: true,
        }
    }
}

/// In front of formulas.
const MARGIN: usize = 2;
/// Left sides wider than this stand alone: alignment would push the right sides out of sight.
const WIDEST_LEFT: usize = 40;
/// What numbers take that stand below each other.
const NUMBER_WIDTH: usize = 12;

/// Headings at the margin, what stands under them indented; lines as wide as a reader's terminal, where that is known.
pub fn write(document: &Document, unicode: bool, columns: Option<usize>) -> String {
    let part = |(name, part): &(String, Document)| {
        format!("--- {name} ---\n{}", write(part, unicode, columns))
    };
    let parts: Vec<String> = document.parts.iter().map(part).collect();
    let mut page = Page {
        out: parts.join("\n"),
        style: Style {
            unicode,
            order: document.order.clone(),
        },
        width: columns.map_or(Width::USUAL, Width::within),
    };
    if !document.title.is_empty() {
        page.put(&document.title);
    }
    for phrase in &document.lead {
        page.remark(phrase, 2);
    }
    page.blocks(&document.opening);
    for section in &document.sections {
        let names: Vec<String> = section.of.iter().map(|s| page.symbol(s)).collect();
        page.out.push('\n');
        if !section.heading.is_empty() {
            page.put(&format!("{}{}", section.heading, names.join(", ")));
        }
        page.blocks(&section.blocks);
    }
    for remark in &document.remarks {
        page.out.push('\n');
        let words = match remark {
            Remark::Warning(words) => format!("warning: {words}"),
            Remark::Note(words) => format!("note: {words}"),
        };
        page.remark(&words, 0);
    }
    page.out
}

struct Page {
    out: String,
    style: Style,
    width: Width,
}

impl Page {
    fn put(&mut self, line: &str) {
        // Spaces that no line may be broken at were for the breaking only.
        let _ = writeln!(self.out, "{}", line.replace('\u{a0}', " "));
    }

    fn symbol(&self, s: &Symbol) -> String {
        text(&s.into(), &self.style)
    }

    fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            self.block(block);
        }
    }

    fn block(&mut self, block: &Block) {
        let formula = |e: &Expr| text(e, &self.style);
        match block {
            Block::Paragraph { words, depth } => self.paragraph(words, 2 + 2 * depth),
            Block::Lines(lines) => lines.iter().for_each(|l| self.remark(l, 2)),
            Block::Symbols(symbols) => {
                let names: Vec<String> = symbols.iter().map(|s| self.symbol(s)).collect();
                self.remark(&names.join(", "), 2);
            }
            Block::Equations(equations) => self.display(&aligned(equations, &self.style)),
            Block::Vectors(all) => {
                let lines = joined(all, |(left, right)| {
                    format!("{} = {}", left.text(&self.style), right.text(&self.style))
                });
                self.display(&lines);
            }
            Block::Brackets(all) => {
                let one = |(a, b, value): &(Symbol, Symbol, Expr)| {
                    format!(
                        "{{{}, {}}} = {}",
                        self.symbol(a),
                        self.symbol(b),
                        formula(value)
                    )
                };
                self.display(&joined(all, one));
            }
            Block::NonZero(all) => {
                let all = joined(all, |f| format!("{} != 0", formula(f)));
                self.display(&all);
            }
            Block::Item(item) => self.item(item, 2),
            Block::Rows(width, rows) => {
                for (name, value) in rows {
                    self.row(&format!("  {name:<width$}  "), value);
                }
            }
            Block::Values(values) => {
                let width = values.iter().map(|(n, _)| n.chars().count());
                let width = width.max().unwrap_or(0);
                for (name, value) in values {
                    // A further line of the value above.
                    let sign = if name.is_empty() { ' ' } else { '=' };
                    self.put(&format!("  {name:<width$} {sign} {value}"));
                }
            }
            Block::Table(table) => self.table(table),
            Block::Figure { caption, .. } => self.paragraph(caption, 2),
        }
    }

    /// Formulas on lines of their own.
    fn display(&mut self, lines: &str) {
        for line in lines.lines() {
            self.put(&format!(
                "  {}",
                self.width.wrapped(line, self.width.display)
            ));
        }
    }

    /// What is said of something, further lines below the first.
    fn row(&mut self, name: &str, value: &str) {
        let margin = " ".repeat(columns(name));
        let mut line = name.to_owned();
        let room = self.width.display.saturating_sub(columns(name));
        for (k, word) in words(value, room).enumerate() {
            let fits = columns(&line) + 1 + columns(word) <= self.width.display;
            if k > 0 && !fits && line.trim() != "" {
                self.put(line.trim_end());
                line.clone_from(&margin);
            } else if k > 0 {
                line.push(' ');
            }
            line.push_str(word);
        }
        self.put(&line);
    }

    /// A line that is broken only where somebody said how wide a line may be.
    fn remark(&mut self, words: &str, indent: usize) {
        match self.width.given && indent + columns(words) > self.width.prose {
            true => self.paragraph(words, indent),
            false => self.put(&format!("{}{words}", " ".repeat(indent))),
        }
    }

    /// Prose is broken between words.
    fn paragraph(&mut self, words: &str, indent: usize) {
        let margin = " ".repeat(indent);
        let mut line = margin.clone();
        let room = self.width.prose.saturating_sub(indent);
        for word in self::words(words, room) {
            let fits = columns(&line) + 1 + columns(word) <= self.width.prose;
            if !fits && line.trim() != "" {
                self.put(&line);
                line.clone_from(&margin);
            }
            if line.trim() != "" {
                line.push(' ');
            }
            line.push_str(word);
        }
        self.put(&line);
    }

    /// A labelled formula is broken where a reader pauses.
    fn line(&mut self, content: &str, indent: usize) {
        let margin = " ".repeat(indent);
        let taken = if self.width.given { indent } else { 0 };
        let width = self.width.prose.saturating_sub(taken);
        for l in self.width.wrapped(content, width).lines() {
            // Words have no signs to be broken at.
            match self.width.given && columns(l) > width {
                true => self.paragraph(l.trim_start(), indent),
                false => self.put(&format!("{margin}{l}")),
            }
        }
    }

    fn item(&mut self, item: &Item, indent: usize) {
        if item.quiet {
            return;
        }
        let words = |words: &str| prose(words, &self.style);
        let label = &words(&item.label);
        let formula = |e: &Expr| too_long(e).unwrap_or_else(|| text(e, &self.style));
        let said = match &item.value {
            Value::Line => return self.paragraph(label, indent),
            Value::Data(_) => return,
            Value::Answer(answer) => {
                let evidence = words(&evidence(answer));
                self.line(&format!("{label}: {}", verdict(answer)), indent);
                return self.paragraph(&evidence, indent + 2);
            }
            Value::Formulas(all) => {
                let (label, shown) = without_zeros(label, all);
                if shown.is_empty() && !all.is_empty() {
                    return self.line(&label, indent);
                }
                let labelled = |l: &Labelled| labelled(l, &self.style, formula);
                let lines: Vec<String> = shown.into_iter().map(labelled).collect();
                return self.list(&label, &lines, indent);
            }
            Value::Cases(all) => {
                let lines = all.iter().map(|s| {
                    let condition = formula(&s.case.condition);
                    format!("if {condition} = 0{}: {}", s.here(), words(&s.case.then))
                });
                let lines: Vec<String> = lines.collect();
                let said = lines.iter();
                return said.for_each(|l| match self.width.given {
                    true => self.paragraph(l, indent),
                    false => self.line(l, indent),
                });
            }
            Value::List(all) => return self.objects(label, all, indent),
            Value::Words(words) if words.is_empty() => return,
            Value::Words(words) => {
                let names = words.iter().map(|w| self.symbol(&Symbol::variable(w)));
                names.collect::<Vec<_>>().join(", ")
            }
            Value::Flag(yes) => flagged(*yes).into(),
            Value::Count(n) => n.to_string(),
            Value::Counts(all) => format!("({})", joined_by(all, ", ")),
            Value::Word(word) => words(word),
            Value::Formula(e) => formula(e),
            Value::Equation(left, e) => format!("{} = {}", plain(left, &self.style), formula(e)),
            Value::Integral(left, n) => {
                format!("{} = {}", plain(left, &self.style), in_text(n, &self.style))
            }
        };
        let whole = match label.is_empty() {
            true => said,
            false => format!("{label}: {said}"),
        };
        // What has no key is prose.
        match item.key.is_empty() {
            true => self.paragraph(&whole, indent),
            false => self.line(&whole, indent),
        }
    }

    fn list(&mut self, label: &str, lines: &[String], indent: usize) {
        if !lines.is_empty() {
            self.line(&format!("{label}:"), indent);
        }
        for line in lines {
            self.line(line, indent + 2);
        }
    }

    /// Objects, of each the first item in front of the others.
    fn objects(&mut self, label: &str, all: &[Vec<Item>], indent: usize) {
        if !all.is_empty() {
            self.line(&format!("{label}:"), indent);
        }
        for items in all {
            for (k, item) in items.iter().filter(|i| !i.quiet).enumerate() {
                self.item(item, indent + if k == 0 { 2 } else { 4 });
            }
        }
    }

    fn table(&mut self, table: &Tabular) {
        let name = |name: &Name| match name {
            Name::Symbol(s) => self.symbol(s),
            Name::Words(name) | Name::Plain(name) => name.clone(),
        };
        let cell = |cell: &Cell| match cell {
            Cell::Words(words) => words.clone(),
            Cell::Formula(e) => text(e, &self.style),
        };
        let head = (!table.head.is_empty()).then(|| table.head.iter().map(name).collect());
        let rows = table.rows.iter().map(|(about, cells)| {
            let cells = cells.iter().map(cell);
            std::iter::once(name(about)).chain(cells).collect()
        });
        let rows: Vec<Vec<String>> = head.into_iter().chain(rows).collect();
        let most = rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |k: usize| {
            let cells = rows.iter().filter_map(|row| row.get(k));
            cells.map(|cell| columns(cell)).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..most).map(width).collect();
        let place = |k: usize| match table.wide && k > 0 {
            true => 1 + widths[k].max(NUMBER_WIDTH),
            false => 2 + widths[k],
        };
        let groups = match self.width.given {
            true => columns_that_fit(&(0..most).map(place).collect::<Vec<_>>(), self.width.prose),
            false => vec![(0..most).collect()],
        };
        for (n, group) in groups.iter().enumerate() {
            if n > 0 {
                self.out.push('\n');
            }
            for row in &rows {
                let mut line = String::new();
                let cells = group.iter().filter_map(|&k| Some((k, row.get(k)?)));
                for (k, cell) in cells {
                    line += &match table.wide && k > 0 {
                        true => format!(" {}{cell}", padding(cell, NUMBER_WIDTH)),
                        false => format!("  {cell}{}", padding(cell, widths[k])),
                    };
                }
                self.put(line.trim_end());
            }
        }
    }
}

/// What a line is made of: words, and of those that are kept together and too wide the parts.
fn words(text: &str, room: usize) -> impl Iterator<Item = &str> {
    text.split(' ').flat_map(move |word| {
        let is_wide = columns(word) > room;
        word.split(move |c| is_wide && c == '\u{a0}')
    })
}

/// The columns of a table in groups that fit a line, the first one in front of each.
pub(super) fn columns_that_fit(places: &[usize], width: usize) -> Vec<Vec<usize>> {
    let first = places.first().copied().unwrap_or(0);
    let mut groups: Vec<Vec<usize>> = vec![vec![0]];
    let mut taken = first;
    for (k, place) in places.iter().enumerate().skip(1) {
        if taken + place > width && taken > first {
            groups.push(vec![0]);
            taken = first;
        }
        taken += place;
        groups.last_mut().into_iter().for_each(|g| g.push(k));
    }
    groups
}

fn padding(cell: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(columns(cell)))
}

/// Yes or no; nothing where it is not decided.
pub fn flagged(yes: Option<bool>) -> &'static str {
    match yes {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not decided",
    }
}

fn labelled(l: &Labelled, style: &Style, formula: impl Fn(&Expr) -> String) -> String {
    match l.left.is_empty() {
        true => formula(&l.formula),
        false => format!("{} = {}", plain(&l.left, style), formula(&l.formula)),
    }
}

fn joined<T>(all: &[T], one: impl Fn(&T) -> String) -> String {
    all.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// Numbers in a row.
pub fn joined_by<T: ToString>(all: &[T], between: &str) -> String {
    let all: Vec<String> = all.iter().map(ToString::to_string).collect();
    all.join(between)
}

/// Equations below each other, aligned where the left sides are short.
fn aligned(equations: &[(Expr, Expr)], style: &Style) -> String {
    let wide = |(left, _): &(Expr, Expr)| {
        left.as_symbol().is_none() && columns(&text(left, style)) > WIDEST_LEFT
    };
    if equations.iter().any(wide) {
        let one = |e: &(Expr, Expr)| text_system(std::slice::from_ref(e), style);
        equations.iter().map(one).collect()
    } else {
        text_system(equations, style)
    }
}
