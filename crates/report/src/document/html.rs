//! A document as an HTML fragment with MathML.

use super::escape::in_html as escaped;
use super::integral;
use super::item::{evidence, too_long, verdict, without_zeros};
use super::text::{flagged, joined_by};
use super::{Block, Cell, Document, Item, Labelled, Name, Remark, Tabular, Value, Vector};
use crate::symbolic::{Expr, Style, Symbol, mathml, mathml_system};
use std::fmt::Write;

/// One `<section>` per section, formulas as `<math>`.
pub fn write(document: &Document) -> String {
    titled(document, &document.title)
}

fn titled(document: &Document, title: &str) -> String {
    let page = Page {
        style: Style {
            unicode: true,
            order: document.order.clone(),
        },
    };
    let part = |(name, part): &(String, Document)| titled(part, &format!("{name}: {}", part.title));
    let mut out: String = document.parts.iter().map(part).collect();
    out += "<article>\n";
    if !title.is_empty() {
        let _ = writeln!(out, "<h1>{}</h1>", escaped(title));
    }
    if !document.lead.is_empty() {
        let _ = writeln!(out, "<p>{}</p>", escaped(&document.lead.join(", ")));
    }
    out += &page.blocks(&document.opening);
    for section in &document.sections {
        let names: Vec<String> = section.of.iter().map(|s| page.symbol(s)).collect();
        let heading = format!("{}{}", escaped(&section.heading), names.join(", "));
        let heading = match heading.is_empty() {
            true => heading,
            false => format!("<h2>{heading}</h2>\n"),
        };
        let blocks = page.blocks(&section.blocks);
        let _ = writeln!(out, "<section>\n{heading}{blocks}</section>");
    }
    for remark in &document.remarks {
        let (kind, words) = match remark {
            Remark::Warning(words) => ("warning", words),
            Remark::Note(words) => ("note", words),
        };
        let _ = writeln!(out, "<p class=\"{kind}\">{kind}: {}</p>", escaped(words));
    }
    out + "</article>\n"
}

struct Page {
    style: Style,
}

impl Page {
    fn symbol(&self, s: &Symbol) -> String {
        mathml(&s.into(), &self.style)
    }

    fn blocks(&self, blocks: &[Block]) -> String {
        blocks.iter().map(|block| self.block(block)).collect()
    }

    fn block(&self, block: &Block) -> String {
        let formula = |e: &Expr| mathml(e, &self.style);
        match block {
            Block::Paragraph { words, .. } => paragraph(&escaped(words)),
            Block::Lines(lines) => lines.iter().map(|l| paragraph(&escaped(l))).collect(),
            Block::Symbols(symbols) => {
                let names: Vec<String> = symbols.iter().map(|s| self.symbol(s)).collect();
                paragraph(&names.join(", "))
            }
            Block::Equations(equations) => format!("{}\n", mathml_system(equations, &self.style)),
            Block::Vectors(all) => {
                let one = |(left, right): &(Vector, Vector)| {
                    let (left, right) = (left.html(&self.style), right.html(&self.style));
                    paragraph(&format!("{left} = {right}"))
                };
                all.iter().map(one).collect()
            }
            Block::Brackets(brackets) => {
                let one = |(a, b, v): &(Symbol, Symbol, Expr)| {
                    let (a, b) = (self.symbol(a), self.symbol(b));
                    paragraph(&format!("{{{a}, {b}}} = {}", formula(v)))
                };
                brackets.iter().map(one).collect()
            }
            Block::NonZero(functions) => {
                let one = |f: &Expr| paragraph(&format!("{} ≠ 0", formula(f)));
                functions.iter().map(one).collect()
            }
            Block::Item(item) => self.item(item),
            Block::Rows(_, rows) => {
                let row = |(name, value): &(String, String)| [escaped(name), escaped(value)];
                table(None, rows.iter().map(row))
            }
            Block::Values(values) => {
                let row = |(name, value): &(String, String)| [escaped(name), escaped(value)];
                table(None, values.iter().map(row))
            }
            Block::Table(all) => self.table(all),
            Block::Figure { svg, caption } => {
                let caption = escaped(caption);
                format!("<figure>\n{svg}\n<figcaption>{caption}</figcaption>\n</figure>\n")
            }
        }
    }

    fn item(&self, item: &Item) -> String {
        if item.quiet {
            return String::new();
        }
        let label = escaped(&item.label);
        let formula = |e: &Expr| too_long(e).unwrap_or_else(|| mathml(e, &self.style));
        let said = match &item.value {
            Value::Line => return paragraph(&label),
            Value::Data(_) => return String::new(),
            Value::Answer(answer) => {
                let evidence = escaped(&evidence(answer));
                format!("<em>{}</em>. {evidence}", verdict(answer))
            }
            Value::Flag(yes) => flagged(*yes).into(),
            Value::Count(n) => n.to_string(),
            Value::Counts(all) => format!("({})", joined_by(all, ", ")),
            Value::Word(word) => escaped(word),
            Value::Words(words) if words.is_empty() => return String::new(),
            Value::Words(words) => {
                let names = words.iter().map(|w| self.symbol(&super::symbol_of(w)));
                names.collect::<Vec<_>>().join(", ")
            }
            Value::Formula(e) => formula(e),
            Value::Equation(left, e) => format!("{} = {}", escaped(left), formula(e)),
            Value::Integral(left, n) => {
                let integral = integral::in_text(n, &self.style);
                format!("{} = {}", escaped(left), escaped(&integral))
            }
            Value::Formulas(all) if all.is_empty() => return String::new(),
            Value::Formulas(all) => {
                let one = |l: &Labelled| match l.left.is_empty() {
                    true => formula(&l.formula),
                    false => format!("{} = {}", escaped(&l.left), formula(&l.formula)),
                };
                let (label, shown) = without_zeros(&label, all);
                return match shown.is_empty() {
                    true => paragraph(&label),
                    false => format!("<p>{label}:</p>\n{}", list(shown.into_iter().map(one))),
                };
            }
            Value::Cases(all) => {
                let one = |s: &super::Special| {
                    let condition = formula(&s.case.condition);
                    let then = escaped(&s.case.then);
                    paragraph(&format!("if {condition} = 0{}: {then}", s.here()))
                };
                return all.iter().map(one).collect();
            }
            Value::List(all) if all.is_empty() => return String::new(),
            Value::List(all) => {
                let one = |items: &Vec<Item>| items.iter().map(|i| self.item(i)).collect();
                return format!("<p>{label}:</p>\n{}", list(all.iter().map(one)));
            }
        };
        match label.is_empty() {
            true => paragraph(&said),
            false => paragraph(&format!("{label}: {said}")),
        }
    }

    fn table(&self, all: &Tabular) -> String {
        let name = |name: &Name| match name {
            Name::Symbol(s) => self.symbol(s),
            Name::Words(name) | Name::Plain(name) => escaped(name),
        };
        let cell = |cell: &Cell| match cell {
            Cell::Words(words) => escaped(words),
            Cell::Formula(e) => mathml(e, &self.style),
        };
        let rows = all.rows.iter().map(|(about, cells)| {
            let cells = cells.iter().map(cell);
            std::iter::once(name(about))
                .chain(cells)
                .collect::<Vec<_>>()
        });
        let head: Vec<String> = all.head.iter().map(name).collect();
        table((!head.is_empty()).then_some(&*head), rows)
    }
}

fn paragraph(content: &str) -> String {
    format!("<p>{content}</p>\n")
}

fn list(items: impl Iterator<Item = String>) -> String {
    let items: String = items
        .map(|i| format!("<li>{}</li>\n", i.trim_end()))
        .collect();
    format!("<ul>\n{items}</ul>\n")
}

fn table<R: AsRef<[String]>>(head: Option<&[String]>, rows: impl Iterator<Item = R>) -> String {
    let row = |cells: &[String], tag: &str| {
        let cells = cells.iter().map(|c| format!("<{tag}>{c}</{tag}>"));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let head = head.map(|cells| row(cells, "th"));
    let rows: String = rows.map(|cells| row(cells.as_ref(), "td")).collect();
    format!("<table>\n{}{rows}</table>\n", head.unwrap_or_default())
}
