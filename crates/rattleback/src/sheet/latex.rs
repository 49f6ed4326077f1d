//! A sheet as a LaTeX fragment: paragraphs with displayed equations (needs amsmath).

use super::Sheet;
use super::section::{Body, Section, sections};
use rattleback::symbolic::{Expr, Style, Symbol, latex, latex_system};
use std::fmt::Write;

/// One paragraph per section.
pub fn write(sheet: &Sheet) -> String {
    let style = Style {
        unicode: false,
        order: sheet.order(),
    };
    let mut out = format!(
        "\\paragraph{{{}}} {}, in the form {}.\n",
        escaped(&sheet.title()),
        escaped(&sheet.kind.sentence()),
        sheet.equations.form
    );
    for section in sections(sheet) {
        let names: Vec<String> = section
            .of
            .iter()
            .map(|s| format!("${}$", latex(&s.into(), &style)))
            .collect();
        let heading = format!("{}{}", escaped(&section.heading), names.join(", "));
        let _ = write!(
            out,
            "\n\\paragraph{{{heading}}}\n{}\n",
            body(&section, &style)
        );
    }
    out
}

fn body(section: &Section, style: &Style) -> String {
    let formula = |e: &Expr| latex(e, style);
    let symbol = |s: &Symbol| latex(&s.into(), style);
    match &section.body {
        Body::Lines(lines) => {
            let lines: Vec<String> = lines.iter().map(|l| escaped(l)).collect();
            format!("{}.", lines.join(". "))
        }
        Body::Symbols(symbols) => {
            let names: Vec<String> = symbols.iter().map(symbol).collect();
            format!("$({})$", names.join(",\\ "))
        }
        Body::Equations(equations) => format!("\\[\n{}\n\\]", latex_system(equations, style)),
        Body::Brackets(brackets) => {
            let lines: Vec<String> = brackets
                .iter()
                .map(|(a, b, v)| format!("\\{{{}, {}\\}} &= {}", symbol(a), symbol(b), formula(v)))
                .collect();
            format!(
                "\\[\n\\begin{{aligned}}\n{}\n\\end{{aligned}}\n\\]",
                lines.join(" \\\\\n")
            )
        }
        Body::NonZero(functions) => {
            let all: Vec<String> = functions
                .iter()
                .map(|f| format!("{} \\neq 0", formula(f)))
                .collect();
            format!("$ {} $", all.join(", \\quad "))
        }
    }
}

/// Text with the characters escaped that LaTeX reads as commands.
pub fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}
