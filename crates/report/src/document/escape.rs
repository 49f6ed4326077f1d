//! Prose as LaTeX and as HTML: signs that either reads as commands are escaped.

use crate::symbolic::{Expr, Style, Symbol, greek_name, latex};

/// Text with the characters escaped that HTML reads as tags.
pub fn in_html(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Text with the characters escaped that LaTeX reads as commands.
pub fn in_latex(text: &str) -> String {
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
        assert_eq!(in_latex("i_X Ω = α"), r"i\_X $\Omega$ = $\alpha$");
        assert_eq!(
            in_latex("μ' = λ − N μ, …"),
            r"$\mu$' = $\lambda$ $-$ N $\mu$, $\dots$"
        );
        assert_eq!(in_latex("50% & more"), r"50\% \& more");
    }
}
