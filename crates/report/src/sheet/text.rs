//! A sheet as plain text.

use super::Sheet;
use super::section::{Body, Section, sections, symbol_of};
use super::wrap::{columns, wrapped};
use crate::compile::AtStart;
use crate::mechanics::Form;
use crate::symbolic::{Expr, Style, Symbol, text, text_system};
use rattleback_numeric::number::shown;
use std::fmt::Write;

/// Lines wider than this are wrapped.
const WIDTH: usize = 110;
/// Left sides wider than this stand alone: alignment would push the right sides out of sight.
const WIDEST_LEFT: usize = 40;

/// Headings at the margin, formulas indented.
pub fn write(sheet: &Sheet, unicode: bool) -> String {
    let style = Style {
        unicode,
        order: sheet.order(),
    };
    let mut out = format!("{}\n", sheet.title());
    let _ = writeln!(out, "  {}", sheet.kind.sentence());
    let _ = writeln!(out, "  in the form {}", sheet.equations.form);
    for section in sections(sheet) {
        let names: Vec<String> = section.of.iter().map(|s| text(&s.into(), &style)).collect();
        let _ = writeln!(out, "\n{}{}", section.heading, names.join(", "));
        for line in body(&section, &style).lines() {
            let _ = writeln!(out, "  {}", wrapped(line, WIDTH, 6));
        }
    }
    if let Some(at_start) = sheet.at_start {
        let _ = writeln!(out, "\nAt the start, t = {}", shown(at_start.time, 1.0));
        for line in table(&start_rows(sheet, at_start, &style)).lines() {
            let _ = writeln!(out, "  {line}");
        }
        // Under a heading of their own: a model may call an observable `E` as the energy is called.
        if !at_start.observed.is_empty() {
            let _ = writeln!(out, "\nObserved at the start");
            for line in table(&observed_rows(at_start, &style)).lines() {
                let _ = writeln!(out, "  {line}");
            }
        }
    }
    out
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

fn body(section: &Section, style: &Style) -> String {
    let formula = |e: &Expr| text(e, style);
    let symbol = |s: &Symbol| text(&s.into(), style);
    match &section.body {
        Body::Lines(lines) => lines.iter().map(|l| format!("{l}\n")).collect(),
        Body::Symbols(symbols) => {
            let names: Vec<String> = symbols.iter().map(symbol).collect();
            format!("{}\n", names.join(", "))
        }
        Body::Equations(equations) => aligned(equations, style),
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

/// State with rates, then what else has a value there.
fn start_rows(sheet: &Sheet, at_start: &AtStart, style: &Style) -> Vec<[String; 3]> {
    let eq = sheet.equations;
    let values = &at_start.values;
    let scale = scale(at_start);
    let name = |s: &Symbol| text(&s.into(), style);
    let update = match eq.form {
        Form::Map => "next",
        _ => "rate",
    };
    let mut rows = vec![[String::new(), "value".into(), update.into()]];
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
    if !eq.energy.is_undefined() {
        rows.push(["E".into(), shown(values.energy, scale), String::new()]);
    }
    rows
}

/// The model's observables.
fn observed_rows(at_start: &AtStart, style: &Style) -> Vec<[String; 3]> {
    let scale = scale(at_start);
    let name = |observable: &str| text(&symbol_of(observable).into(), style);
    at_start
        .observed
        .iter()
        .map(|(observable, value)| [name(observable), shown(*value, scale), String::new()])
        .collect()
}

/// The largest number of the state and its rates, which round-off is measured by.
fn scale(at_start: &AtStart) -> f64 {
    let numbers = at_start.state.iter().chain(&at_start.values.rates);
    numbers.fold(0.0f64, |m, v| m.max(v.abs()))
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
