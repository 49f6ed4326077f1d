//! An analysis as a LaTeX fragment: a paragraph per topic with displayed formulas (needs amsmath).

use super::Analysis;
use super::integral::in_latex;
use super::page::{Item, Value, evidence};
use super::text::{heading, here, too_long, verdict};
use crate::sheet::latex::escaped;
use crate::symbolic::{Expr, Style, Symbol, latex};
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
    if let Some(piece) = &analysis.piece {
        let _ = writeln!(out, "{}.", escaped(&capital(&piece.words())));
    }
    for topic in &analysis.topics {
        let _ = write!(out, "\n\\paragraph{{{}.}} ", escaped(&heading(topic.name)));
        if let Some((here, headline)) = topic.different() {
            let _ = writeln!(out, "{}.", escaped(&capital(&headline)));
            if here.overturns() {
                let words = capital(&evidence(&here.topic.finding.answer));
                let _ = writeln!(out, "{}.", escaped(&words));
            }
            for d in here.details() {
                let _ = writeln!(out, "{}.", escaped(&capital(&d)));
            }
            let _ = write!(out, "In general: ");
        }
        let _ = writeln!(
            out,
            "{}: \\emph{{{}}}. {}.",
            escaped(&topic.finding.statement),
            verdict(&topic.finding.answer),
            escaped(&capital(&evidence(&topic.finding.answer)))
        );
        for item in &topic.items {
            item_lines(&mut out, item, &style);
        }
    }
    out
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

fn item_lines(out: &mut String, item: &Item, style: &Style) {
    if item.quiet {
        return;
    }
    let label = escaped(&capital(&item.label));
    let formula = |e: &Expr| match too_long(e) {
        Some(words) => format!("\\text{{{words}}}"),
        None => latex(e, style),
    };
    let name = |s: &str| format!("${}$", symbol(s, style));
    let math = |left: &str| math(left, style);
    match &item.value {
        Value::Line => _ = writeln!(out, "{label}."),
        Value::Data(_) => {}
        Value::Answer(c) => {
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
        Value::Integral(left, n) => {
            let _ = writeln!(
                out,
                "{label}: \\[ {} = {} \\]",
                math(left),
                in_latex(n, style)
            );
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
            for s in all {
                let (condition, then) = (formula(&s.case.condition), escaped(&s.case.then));
                let _ = writeln!(out, "If ${condition} = 0${}: {then}.", here(s));
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

fn symbol(name: &str, style: &Style) -> String {
    let order = name.chars().rev().take_while(|c| *c == '\'').count();
    let variable = Symbol::variable(&name[..name.len() - order]);
    latex(&Expr::from(variable.jet(order as u32)), style)
}

/// A left side: names as symbols, words upright, `dx/dt` as a derivative.
fn math(left: &str, style: &Style) -> String {
    if let Some(of) = left.strip_prefix('d').and_then(|l| l.strip_suffix("/dt")) {
        return format!("\\frac{{d}}{{dt}} {}", symbol(of, style));
    }
    let mut out = String::new();
    let mut rest = left;
    while let Some(c) = rest.chars().next() {
        let length = if c.is_ascii_alphabetic() {
            name_length(rest)
        } else {
            c.len_utf8()
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        match token {
            " " => out.push_str("\\ "),
            "{" | "}" => out += &format!("\\{token}"),
            _ if !c.is_ascii_alphabetic() => out += &escaped(token),
            _ if is_word(token) => out += &format!("\\mathrm{{{token}}}"),
            _ => out += &symbol(token, style),
        }
    }
    out
}

/// A name with its index and primes: `w[1]'`, `P_y1`.
fn name_length(text: &str) -> usize {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name = text.find(|c| !part(c)).unwrap_or(text.len());
    let index = match text[name..].strip_prefix('[').and_then(|t| t.find(']')) {
        Some(end) => end + 2,
        None => 0,
    };
    let primes = text[name + index..]
        .chars()
        .take_while(|c| *c == '\'')
        .count();
    name + index + primes
}

/// Words of the page among names.
fn is_word(token: &str) -> bool {
    matches!(token, "along" | "ln" | "Jac")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn left_sides_are_typeset() {
        let style = Style::ascii();
        assert_eq!(math("dphi'/dt", &style), r"\frac{d}{dt} \dot{\varphi}");
        assert_eq!(math("lambda1", &style), r"\lambda_{1}");
        assert_eq!(math("{F2, F3}", &style), r"\{F_{2},\ F_{3}\}");
        assert_eq!(math("Jac(P_y1, x)", &style), r"\mathrm{Jac}(P_{y,1},\ x)");
        assert_eq!(
            math("(d ln N)(w[1])", &style),
            r"(d\ \mathrm{ln}\ N)(w_{1})"
        );
    }

    #[test]
    fn names_keep_their_letters() {
        assert_eq!(capital("slide = (y: 1)"), "slide = (y: 1)");
        assert_eq!(capital("d ln N is a trace"), "d ln N is a trace");
        assert_eq!(capital("a frame"), "A frame");
        assert_eq!(capital("iterated brackets"), "Iterated brackets");
    }
}
