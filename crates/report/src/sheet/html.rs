//! A sheet as an HTML fragment with MathML.

use super::Sheet;
use super::section::{Body, Section, sections};
use crate::symbolic::{Expr, Style, mathml, mathml_system};
use std::fmt::Write;

/// One `<section>` per section, formulas as `<math>`.
pub fn write(sheet: &Sheet) -> String {
    let style = Style {
        unicode: true,
        order: sheet.order(),
    };
    let mut out = format!(
        "<article>\n<h1>{}</h1>\n<p>{}, in the form {}</p>\n",
        escaped(&sheet.title()),
        escaped(&sheet.kind.sentence()),
        sheet.equations.form
    );
    for section in sections(sheet) {
        let names: Vec<String> = section
            .of
            .iter()
            .map(|s| mathml(&s.into(), &style))
            .collect();
        let heading = format!("{}{}", escaped(&section.heading), names.join(", "));
        let _ = writeln!(
            out,
            "<section>\n<h2>{heading}</h2>\n{}</section>",
            body(&section, &style)
        );
    }
    out + "</article>\n"
}

fn body(section: &Section, style: &Style) -> String {
    let formula = |e: &Expr| mathml(e, style);
    match &section.body {
        Body::Lines(lines) => lines
            .iter()
            .map(|l| format!("<p>{}</p>\n", escaped(l)))
            .collect(),
        Body::Symbols(symbols) => {
            let names: Vec<String> = symbols.iter().map(|s| formula(&s.into())).collect();
            format!("<p>{}</p>\n", names.join(", "))
        }
        Body::Equations(equations) => format!("{}\n", mathml_system(equations, style)),
        Body::Brackets(brackets) => brackets
            .iter()
            .map(|(a, b, v)| {
                format!(
                    "<p>{{{}, {}}} = {}</p>\n",
                    formula(&a.into()),
                    formula(&b.into()),
                    formula(v)
                )
            })
            .collect(),
        Body::NonZero(functions) => functions
            .iter()
            .map(|f| format!("<p>{} ≠ 0</p>\n", formula(f)))
            .collect(),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
