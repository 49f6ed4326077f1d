//! A sheet as plain text.

use super::Sheet;
use super::section::{Body, Section, sections, symbol_of};
use crate::number::shown;
use crate::start::AtStart;
use rattleback::symbolic::{Expr, Style, Symbol, text, text_system};
use std::fmt::Write;

/// Headings at the margin, formulas indented.
pub fn write(sheet: &Sheet, unicode: bool) -> String {
    let style = Style {
        unicode,
        order: sheet.order(),
    };
    let mut out = format!("{}\n", sheet.title());
    let _ = writeln!(
        out,
        "{}, in the form {}",
        sheet.kind.sentence(),
        sheet.equations.form
    );
    for section in sections(sheet) {
        let _ = write!(
            out,
            "\n{}\n{}",
            section.heading,
            indented(&body(&section, &style))
        );
    }
    if let Some(at_start) = sheet.at_start {
        let _ = write!(out, "\nAt the start, t = {}\n", shown(at_start.time, 1.0));
        out += &indented(&table(&start_rows(sheet, at_start, &style)));
    }
    out
}

fn body(section: &Section, style: &Style) -> String {
    let formula = |e: &Expr| text(e, style);
    let symbol = |s: &Symbol| text(&s.into(), style);
    match &section.body {
        Body::Lines(lines) => lines.iter().map(|l| format!("{l}\n")).collect(),
        Body::Symbols(symbols) => {
            let names: Vec<String> = symbols.iter().map(symbol).collect();
            format!("{}\n", names.join(", "))
        }
        Body::Equations(equations) => text_system(equations, style),
        Body::Brackets(brackets) => brackets
            .iter()
            .map(|(a, b, value)| format!("{{{}, {}}} = {}\n", symbol(a), symbol(b), formula(value)))
            .collect(),
        Body::NonZero(functions) => functions
            .iter()
            .map(|f| format!("{} != 0\n", formula(f)))
            .collect(),
    }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}

/// State with rates, then what else has a value there.
fn start_rows(sheet: &Sheet, at_start: &AtStart, style: &Style) -> Vec<[String; 3]> {
    let eq = sheet.equations;
    let values = &at_start.values;
    let scale = at_start
        .state
        .iter()
        .chain(&values.rates)
        .fold(0.0f64, |m, v| m.max(v.abs()));
    let name = |s: &Symbol| text(&s.into(), style);
    let mut rows = vec![[String::new(), "value".into(), "rate".into()]];
    for ((s, value), rate) in eq.state.iter().zip(&at_start.state).zip(&values.rates) {
        rows.push([name(s), shown(*value, scale), shown(*rate, scale)]);
    }
    for (q, value) in eq.multipliers.iter().zip(&values.multipliers) {
        if !eq.state.iter().any(|s| s.to_string() == q.name) {
            rows.push([
                name(&symbol_of(&q.name)),
                shown(*value, scale),
                String::new(),
            ]);
        }
    }
    rows.push(["E".into(), shown(values.energy, scale), String::new()]);
    for (observable, value) in &at_start.observed {
        rows.push([
            name(&symbol_of(observable)),
            shown(*value, scale),
            String::new(),
        ]);
    }
    rows
}

fn table(rows: &[[String; 3]]) -> String {
    let width = |k: usize| rows.iter().map(|r| columns(&r[k])).max().unwrap_or(0);
    let widths = [width(0), width(1)];
    let pad = |cell: &str, width: usize| {
        format!("{cell}{}", " ".repeat(width.saturating_sub(columns(cell))))
    };
    let line = |r: &[String; 3]| {
        let line = format!(
            "{}  {}  {}",
            pad(&r[0], widths[0]),
            pad(&r[1], widths[1]),
            r[2]
        );
        format!("{}\n", line.trim_end())
    };
    rows.iter().map(line).collect()
}

/// Columns on a terminal: combining dots take none.
fn columns(text: &str) -> usize {
    text.chars()
        .filter(|c| !('\u{300}'..='\u{36F}').contains(c))
        .count()
}
