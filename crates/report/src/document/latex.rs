//! A document as a LaTeX fragment: a paragraph per section with displayed formulas (needs amsmath and longtable).

use super::broken;
use super::escape::in_latex as escaped;
use super::integral;
use super::item::{evidence, too_long, verdict, without_zeros};
use super::left_side::{math, symbol};
use super::text::{columns_that_fit, flagged, joined_by};
use super::{Block, Cell, Document, Item, Labelled, Name, Remark, Tabular, Value, Vector};
use crate::symbolic::{Expr, Style, Symbol, latex};
use std::fmt::Write;

/// One paragraph per section.
pub fn write(document: &Document) -> String {
    titled(document, &document.title)
}

/// A fragment with all that an engine needs besides.
pub fn page(fragment: &str) -> String {
    format!("{PREAMBLE}\\begin{{document}}\n{fragment}\\end{{document}}\n")
}

/// Pages of A4; long displays may go on on the next page, lines of prose may be loose.
const PREAMBLE: &str = r"\documentclass[a4paper,10pt]{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage[margin=2cm]{geometry}
\usepackage{amsmath}
\usepackage{longtable}
\allowdisplaybreaks
\setlength{\emergencystretch}{6em}
";

/// The room between columns of a table, in widths of a letter.
const BETWEEN_COLUMNS: usize = 2;

/// A formula of LaTeX that stands among words is not longer than this.
const LONGEST_IN_LINE: usize = 80;

fn titled(document: &Document, title: &str) -> String {
    let mut page = Page {
        out: String::new(),
        style: Style {
            unicode: false,
            order: document.order.clone(),
        },
    };
    for (name, part) in &document.parts {
        page.out += &titled(part, &format!("{name}: {}", part.title));
        page.out.push('\n');
    }
    if !title.is_empty() {
        page.put(&format!("\\section*{{{}}}", escaped(title)));
    }
    if !document.lead.is_empty() {
        page.put(&format!("{}.", escaped(&document.lead.join(", "))));
    }
    page.blocks(&document.opening);
    for section in &document.sections {
        let names = section.of.iter().map(|s| format!("${}$", page.symbol(s)));
        let names = names.collect::<Vec<_>>().join(", ");
        page.out.push('\n');
        if !section.heading.is_empty() {
            let heading = escaped(&section.heading);
            let _ = write!(page.out, "\\paragraph{{{heading}{names}.}} ");
        }
        page.blocks(&section.blocks);
    }
    for remark in &document.remarks {
        let (kind, words) = match remark {
            Remark::Warning(words) => ("Warning", words),
            Remark::Note(words) => ("Note", words),
        };
        page.put(&format!("\n\\emph{{{kind}:}} {}.", escaped(words)));
    }
    page.out
}

struct Page {
    out: String,
    style: Style,
}

impl Page {
    fn put(&mut self, line: &str) {
        let _ = writeln!(self.out, "{line}");
    }

    fn symbol(&self, s: &Symbol) -> String {
        latex(&s.into(), &self.style)
    }

    fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            self.block(block);
        }
    }

    fn block(&mut self, block: &Block) {
        let formula = |e: &Expr| latex(e, &self.style);
        match block {
            Block::Paragraph { words, .. } => {
                self.put(&format!("{}.", escaped(&capital(words))));
            }
            Block::Lines(lines) => {
                let lines: Vec<String> = lines.iter().map(|l| escaped(l)).collect();
                self.put(&format!("{}.", lines.join(". ")));
            }
            Block::Symbols(symbols) => {
                let names = symbols.iter().map(|s| format!("${}$", self.symbol(s)));
                self.put(&format!("{}.", names.collect::<Vec<_>>().join(", ")));
            }
            Block::Equations(equations) => {
                let one = |(l, r): &(Expr, Expr)| (formula(l), formula(r));
                self.put(&system(equations.iter().map(one)));
            }
            Block::Vectors(all) => {
                let one = |(left, right): &(Vector, Vector)| {
                    (left.latex(&self.style), right.latex(&self.style))
                };
                self.put(&system(all.iter().map(one)));
            }
            Block::Brackets(all) => {
                let one = |(a, b, value): &(Symbol, Symbol, Expr)| {
                    let (a, b) = (self.symbol(a), self.symbol(b));
                    (format!("\\{{{a}, {b}\\}}"), formula(value))
                };
                self.put(&system(all.iter().map(one)));
            }
            Block::NonZero(all) => {
                let all = all.iter().map(|f| format!("{} \\neq 0", formula(f)));
                self.put(&system(all.map(|f| (String::new(), f))));
            }
            Block::Item(item) => self.item(item),
            Block::Rows(_, rows) => {
                let row = |(name, value): &(String, String)| [escaped(name), escaped(value)];
                self.put(&described(rows.iter().map(row)));
            }
            Block::Values(values) => {
                let row = |(name, value): &(String, String)| {
                    // A further line of the value above has no name.
                    let sign = if name.is_empty() { "\\phantom{=}" } else { "=" };
                    let name = math(name, &self.style);
                    [format!("${name}$"), format!("${sign} {}$", number(value))]
                };
                self.put(&tabular(2, values.iter().map(row)));
            }
            Block::Table(table) => self.table(table),
            Block::Figure { caption, .. } => self.put(&format!("{}.", escaped(caption))),
        }
    }

    fn item(&mut self, item: &Item) {
        if item.quiet {
            return;
        }
        let label = escaped(&capital(&item.label));
        let formula = |e: &Expr| match too_long(e) {
            Some(words) => format!("\\text{{{words}}}"),
            None => latex(e, &self.style),
        };
        let left = |left: &str| math(left, &self.style);
        let said = match &item.value {
            Value::Line => return self.put(&format!("{label}.")),
            Value::Data(_) => return,
            Value::Answer(answer) => {
                let evidence = escaped(&capital(&evidence(answer)));
                format!("\\emph{{{}}}. {evidence}.", verdict(answer))
            }
            Value::Flag(yes) => format!("{}.", flagged(*yes)),
            Value::Count(n) => format!("${n}$."),
            Value::Counts(all) => format!("$({})$.", joined_by(all, ", ")),
            Value::Word(word) => format!("{}.", escaped(word)),
            Value::Words(words) if words.is_empty() => return,
            Value::Words(words) => {
                let names = words
                    .iter()
                    .map(|w| format!("${}$", symbol(w, &self.style)));
                format!("{}.", names.collect::<Vec<_>>().join(", "))
            }
            Value::Formula(e) => broken::system(&[(String::new(), formula(e))]),
            Value::Equation(name, e) => broken::system(&[(left(name), formula(e))]),
            Value::Integral(name, n) => {
                let integral = integral::in_latex(n, &self.style);
                broken::system(&[(left(name), integral)])
            }
            Value::Formulas(all) if all.is_empty() => return,
            Value::Formulas(all) => {
                let (label, shown) = without_zeros(&label, all);
                if shown.is_empty() {
                    return self.put(&format!("{label}."));
                }
                let one = |l: &Labelled| match l.left.is_empty() {
                    true => (String::new(), formula(&l.formula)),
                    false => (left(&l.left), formula(&l.formula)),
                };
                let system = system(shown.into_iter().map(one));
                return self.put(&said_of(&label, &system));
            }
            Value::Cases(all) => {
                let one = |s: &super::Special| {
                    let (condition, then) = (formula(&s.case.condition), escaped(&s.case.then));
                    let here = s.here();
                    match condition.len() > LONGEST_IN_LINE {
                        true => {
                            let shown = format!("{condition} = 0");
                            let shown = broken::system(&[(String::new(), shown)]);
                            format!("If\n{shown}\nholds{here}: {then}.")
                        }
                        false => format!("If ${condition} = 0${here}: {then}."),
                    }
                };
                let lines: Vec<String> = all.iter().map(one).collect();
                return lines.iter().for_each(|line| self.put(line));
            }
            Value::List(all) => return all.iter().flatten().for_each(|item| self.item(item)),
        };
        self.put(&said_of(&label, &said));
    }

    fn table(&mut self, table: &Tabular) {
        let name = |name: &Name| match name {
            Name::Symbol(s) => format!("${}$", self.symbol(s)),
            Name::Plain(name) => format!("${}$", math(name, &self.style)),
            Name::Words(words) => escaped(words),
        };
        let cell = |cell: &Cell| match cell {
            Cell::Words(words) => format!("${}$", number(words)),
            Cell::Formula(e) => format!("${}$", latex(e, &self.style)),
        };
        let most = table.rows.iter().map(|(_, cells)| 1 + cells.len());
        let most = most.chain([table.head.len()]).max().unwrap_or(1);
        let head = (!table.head.is_empty()).then(|| table.head.iter().map(name).collect());
        let rows = table.rows.iter().map(|(about, cells)| {
            let cells = cells.iter().map(cell);
            std::iter::once(name(about)).chain(cells).collect()
        });
        let rows: Vec<Vec<String>> = head.into_iter().chain(rows).collect();
        let place = |k: usize| {
            let cells = rows.iter().filter_map(|row| row.get(k));
            let widest = cells.map(|cell| broken::letters(cell)).max().unwrap_or(0);
            widest + BETWEEN_COLUMNS
        };
        let places: Vec<usize> = (0..most).map(place).collect();
        for group in columns_that_fit(&places, broken::LINE as usize) {
            let part = |row: &Vec<String>| -> Vec<String> {
                group.iter().filter_map(|&k| row.get(k).cloned()).collect()
            };
            self.put(&tabular(group.len(), rows.iter().map(part)));
        }
    }
}

/// Equations below each other.
fn system(equations: impl Iterator<Item = (String, String)>) -> String {
    broken::system(&equations.collect::<Vec<_>>())
}

fn tabular<R: AsRef<[String]>>(columns: usize, rows: impl IntoIterator<Item = R>) -> String {
    let rows = rows.into_iter().map(|row| row.as_ref().join(" & "));
    format!(
        "\n\\begin{{longtable}}[l]{{{}}}\n{}\n\\end{{longtable}}\n",
        "l".repeat(columns),
        rows.collect::<Vec<_>>().join(" \\\\\n")
    )
}

/// Names and what is said of each, which may take several lines.
fn described(rows: impl Iterator<Item = [String; 2]>) -> String {
    let rows = rows.map(|row| row.join(" & "));
    format!(
        "\n\\begin{{longtable}}[l]{{p{{0.25\\linewidth}}p{{0.68\\linewidth}}}}\n{}\n\\end{{longtable}}\n",
        rows.collect::<Vec<_>>().join(" \\\\\n")
    )
}

/// A number, `1.5e-7` as a power of ten.
fn number(shown: &str) -> String {
    if shown.parse::<f64>().is_err() {
        return format!("\\text{{{}}}", escaped(shown));
    }
    match shown.split_once('e') {
        Some((digits, exponent)) => format!("{digits} \\cdot 10^{{{exponent}}}"),
        None => shown.to_owned(),
    }
}

/// A label, where there is one, and what is said.
fn said_of(label: &str, said: &str) -> String {
    match label.is_empty() {
        true => said.to_owned(),
        false => format!("{label}: {said}"),
    }
}

/// A sentence begins with a capital letter, unless it begins with a formula or defines a name.
fn capital(sentence: &str) -> String {
    let mut words = sentence.split(' ');
    let first = words.next().unwrap_or_default();
    let is_word = first == "a" || first.chars().filter(|c| c.is_alphabetic()).count() > 1;
    if !is_word || words.next() == Some("=") {
        return sentence.into();
    }
    let mut letters = sentence.chars();
    letters
        .next()
        .map(|c| c.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_letters() {
        assert_eq!(capital("slide = (y: 1)"), "slide = (y: 1)");
        assert_eq!(capital("d ln N is a trace"), "d ln N is a trace");
        assert_eq!(capital("a frame"), "A frame");
        assert_eq!(capital("iterated brackets"), "Iterated brackets");
    }
}
