//! An analysis as a LaTeX fragment: a paragraph per topic with displayed formulas (needs amsmath).

use super::Analysis;
use super::page::{Item, Value, evidence};
use super::text::{heading, too_long, verdict};
use crate::sheet::latex::escaped;
use rattleback::symbolic::{Expr, Style, Symbol, latex};
use std::fmt::Write;

/// One paragraph per topic.
pub fn write(analysis: &Analysis) -> String {
    let style = Style {
        unicode: false,
        order: analysis.order(),
    };
    let mut out = format!(
        "\\section*{{{}}}\n{}.\n",
        escaped(&analysis.title()),
        escaped(&analysis.sentence)
    );
    for topic in &analysis.topics {
        let _ = write!(
            out,
            "\n\\paragraph{{{}.}} {}: \\emph{{{}}}. {}.\n",
            escaped(&heading(topic.name)),
            escaped(&topic.statement),
            verdict(&topic.claim),
            escaped(&capital(&evidence(&topic.claim)))
        );
        for item in &topic.items {
            item_lines(&mut out, item, &style);
        }
    }
    out
}

fn capital(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters
        .next()
        .map(|c| c.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}

fn item_lines(out: &mut String, item: &Item, style: &Style) {
    if item.quiet {
        return;
    }
    let label = escaped(&capital(&item.label));
    let formula = |e: &Expr| match too_long(e) {
        Some(words) => format!("\\text{{{words}}}"),
        None => latex(e, style),
    };
    let name = |s: &str| format!("${}$", latex(&Expr::from(Symbol::variable(s)), style));
    match &item.value {
        Value::Line => _ = writeln!(out, "{label}."),
        Value::Claim(c) => {
            let evidence = escaped(&capital(&evidence(c)));
            let _ = writeln!(out, "{label}: \\emph{{{}}}. {evidence}.", verdict(c));
        }
        Value::Flag(yes) => {
            let word = match yes {
                Some(true) => "yes",
                Some(false) => "no",
                None => "not decided",
            };
            let _ = writeln!(out, "{label}: {word}.");
        }
        Value::Count(n) => _ = writeln!(out, "{label}: ${n}$."),
        Value::Counts(all) => {
            let all: Vec<String> = all.iter().map(ToString::to_string).collect();
            let _ = writeln!(out, "{label}: $({})$.", all.join(", "));
        }
        Value::Word(w) => _ = writeln!(out, "{label}: {}.", escaped(w)),
        Value::Words(w) if w.is_empty() => {}
        Value::Words(w) => {
            let names: Vec<String> = w.iter().map(|w| name(w)).collect();
            let _ = writeln!(out, "{label}: {}.", names.join(", "));
        }
        Value::Formula(e) => _ = writeln!(out, "{label}: \\[ {} \\]", formula(e)),
        Value::Equation(left, e) => {
            let _ = writeln!(out, "{label}: \\[ {} = {} \\]", math(left), formula(e));
        }
        Value::Formulas(all) if all.is_empty() => {}
        Value::Formulas(all) => {
            let lines: Vec<String> = all
                .iter()
                .map(|l| {
                    if l.left.is_empty() {
                        format!("& {}", formula(&l.formula))
                    } else {
                        format!("{} &= {}", math(&l.left), formula(&l.formula))
                    }
                })
                .collect();
            let _ = writeln!(
                out,
                "{label}: \\[\n\\begin{{aligned}}\n{}\n\\end{{aligned}}\n\\]",
                lines.join(" \\\\\n")
            );
        }
        Value::Cases(all) => {
            for c in all {
                let then = escaped(&c.then);
                let _ = writeln!(out, "If ${} = 0$: {then}.", formula(&c.condition));
            }
        }
        Value::List(all) => {
            for items in all {
                for item in items {
                    item_lines(out, item, style);
                }
            }
        }
    }
}

/// A left side: names in upright letters, indices kept.
fn math(left: &str) -> String {
    format!("\\mathrm{{{}}}", escaped(left))
}
