//! A sheet as a LaTeX fragment: paragraphs with displayed equations (needs amsmath).

use super::Sheet;
use super::section::{Body, Section, sections};
use crate::symbolic::{Expr, Style, Symbol, greek_name, latex, latex_system};
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
            c => match in_math(c) {
                Some(command) => out += &format!("${command}$"),
                None => out.push(c),
            },
        }
    }
    out
}

/// Signs of prose that LaTeX knows in formulas only.
fn in_math(c: char) -> Option<String> {
    let command = match c {
        '−' => "-",
        '…' => "\\dots",
        '∂' => "\\partial",
        '∧' => "\\wedge",
        '∈' => "\\in",
        '∩' => "\\cap",
        '⊕' => "\\oplus",
        '⊂' => "\\subset",
        '≠' => "\\neq",
        '≤' => "\\leq",
        '≥' => "\\geq",
        '⟨' => "\\langle",
        '⟩' => "\\rangle",
        '∫' => "\\int",
        '√' => "\\surd",
        '·' => "\\cdot",
        '×' => "\\times",
        '°' => "^\\circ",
        '²' => "^2",
        '½' => "\\tfrac12",
        '⁻' => "^-",
        '¹' => "^1",
        letter => {
            let name = Symbol::variable(greek_name(letter)?);
            return Some(latex(&Expr::from(name), &Style::ascii()));
        }
    };
    Some(command.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_plain_latex() {
        assert_eq!(escaped("i_X Ω = α"), r"i\_X $\Omega$ = $\alpha$");
        assert_eq!(
            escaped("μ' = λ − N μ, …"),
            r"$\mu$' = $\lambda$ $-$ N $\mu$, $\dots$"
        );
        assert_eq!(escaped("50% & more"), r"50\% \& more");
    }
}
