//! An analysis as plain text: a page to read.

use super::Analysis;
use super::integral::in_text;
use super::page::{Item, Special, Topic, Value, evidence};
use crate::sheet::length::{Limit, written_length};
use crate::sheet::wrap::wrapped;
use crate::symbolic::{Expr, Style, Symbol, text};
use crate::theory::Answer;
use std::fmt::Write;

/// Lines wider than this are wrapped.
const WIDTH: usize = 100;

/// Headings at the margin, statements and formulas indented.
pub fn write(analysis: &Analysis, unicode: bool) -> String {
    let style = Style {
        unicode,
        order: analysis.order(),
    };
    let mut out = format!("{}\n", analysis.title());
    let _ = writeln!(out, "  {}", analysis.sentence);
    if let Some(piece) = &analysis.piece {
        paragraph(&mut out, &piece.words(), 2);
    }
    for topic in &analysis.topics {
        let _ = writeln!(out, "\n{}", heading(topic.name));
        statement(&mut out, topic);
        for item in &topic.items {
            item_lines(&mut out, item, &style, 2);
        }
    }
    out
}

/// What stands for a formula that is longer than a person reads on a page of many.
pub fn too_long(e: &Expr) -> Option<String> {
    let length = written_length(e);
    (!Limit::ON_A_PAGE.allows(length)).then(|| format!("({length} operations)"))
}

/// `first_integrals` as a heading.
pub fn heading(name: &str) -> String {
    if name == "hamilton_jacobi" {
        return "Hamilton-Jacobi".into();
    }
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    letters
        .next()
        .map(|c| c.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}

/// The verdict in a word.
pub fn verdict(answer: &Answer) -> &'static str {
    match answer {
        Answer::Proven(_) => "proven",
        Answer::Refuted(_) => "refuted",
        Answer::Undecided(_) => "not decided",
    }
}

fn statement(out: &mut String, topic: &Topic) {
    let mut general = "";
    if let Some((here, headline)) = topic.different() {
        paragraph(out, &headline, 2);
        if here.overturns() {
            paragraph(out, &evidence(&here.topic.finding.answer), 4);
            general = "in general, ";
        }
        for d in here.details() {
            paragraph(out, &d, 4);
        }
    }
    let _ = writeln!(
        out,
        "  {general}{}: {}",
        topic.finding.statement,
        verdict(&topic.finding.answer)
    );
    paragraph(out, &evidence(&topic.finding.answer), 4);
}

/// Whether a special case is the one at hand.
pub fn here(special: &Special) -> &'static str {
    match special.here {
        true => ", as it is for the values given",
        false => "",
    }
}

/// Evidence is prose: it is broken between words.
fn paragraph(out: &mut String, words: &str, indent: usize) {
    let margin = " ".repeat(indent);
    let mut line = margin.clone();
    for word in words.split(' ') {
        let fits = line.chars().count() + 1 + word.chars().count() <= WIDTH;
        if !fits && line.trim() != "" {
            let _ = writeln!(out, "{line}");
            line = margin.clone();
        }
        if line.trim() != "" {
            line.push(' ');
        }
        line.push_str(word);
    }
    let _ = writeln!(out, "{line}");
}

fn line(out: &mut String, content: &str, indent: usize) {
    let margin = " ".repeat(indent);
    for l in wrapped(content, WIDTH, 6).lines() {
        let _ = writeln!(out, "{margin}{l}");
    }
}

fn item_lines(out: &mut String, item: &Item, style: &Style, indent: usize) {
    if item.quiet {
        return;
    }
    let label = &item.label;
    let formula = |e: &Expr| too_long(e).unwrap_or_else(|| text(e, style));
    let name = |s: &str| text(&Expr::from(Symbol::variable(s)), style);
    match &item.value {
        Value::Line => paragraph(out, label, indent),
        Value::Data(_) => {}
        Value::Answer(c) => {
            line(out, &format!("{label}: {}", verdict(c)), indent);
            paragraph(out, &evidence(c), indent + 2);
        }
        Value::Flag(Some(yes)) => {
            let word = if *yes { "yes" } else { "no" };
            line(out, &format!("{label}: {word}"), indent);
        }
        Value::Flag(None) => line(out, &format!("{label}: not decided"), indent),
        Value::Count(n) => line(out, &format!("{label}: {n}"), indent),
        Value::Counts(all) => {
            let all: Vec<String> = all.iter().map(ToString::to_string).collect();
            line(out, &format!("{label}: ({})", all.join(", ")), indent);
        }
        Value::Word(w) => line(out, &format!("{label}: {w}"), indent),
        Value::Words(w) if w.is_empty() => {}
        Value::Words(w) => {
            let names: Vec<String> = w.iter().map(|w| name(w)).collect();
            line(out, &format!("{label}: {}", names.join(", ")), indent);
        }
        Value::Formula(e) => line(out, &format!("{label}: {}", formula(e)), indent),
        Value::Equation(left, e) => {
            line(out, &format!("{label}: {left} = {}", formula(e)), indent);
        }
        Value::Integral(left, n) => {
            line(
                out,
                &format!("{label}: {left} = {}", in_text(n, style)),
                indent,
            );
        }
        Value::Formulas(all) if all.is_empty() => {}
        Value::Formulas(all) => {
            line(out, &format!("{label}:"), indent);
            for l in all {
                let content = if l.left.is_empty() {
                    formula(&l.formula)
                } else {
                    format!("{} = {}", l.left, formula(&l.formula))
                };
                line(out, &content, indent + 2);
            }
        }
        Value::Cases(all) => {
            for s in all {
                let condition = formula(&s.case.condition);
                let content = format!("if {condition} = 0{}: {}", here(s), s.case.then);
                line(out, &content, indent);
            }
        }
        Value::List(all) if all.is_empty() => {}
        Value::List(all) => {
            line(out, &format!("{label}:"), indent);
            for items in all {
                for (k, item) in items.iter().filter(|i| !i.quiet).enumerate() {
                    item_lines(
                        out,
                        item,
                        style,
                        if k == 0 { indent + 2 } else { indent + 4 },
                    );
                }
            }
        }
    }
}
