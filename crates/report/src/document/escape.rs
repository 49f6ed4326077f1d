//! Prose as LaTeX and as HTML: signs that either reads as commands are escaped.

use crate::symbolic::{Expr, Style, Symbol, greek_name, latex};

/// Text with the characters escaped that HTML reads as tags.
pub fn in_html(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Prose for LaTeX: what stands between backticks is to be typed.
pub fn in_latex(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return words(text);
    }
    let each = parts.iter().enumerate().map(|(k, part)| match k % 2 {
        0 => words(part),
        _ => format!("\\texttt{{{}}}", words(part)),
    });
    each.collect()
}

/// Text with the characters escaped that LaTeX reads as commands.
fn words(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            // Two hyphens would become a dash: `--full`.
            '-' if out.ends_with('-') => out.push_str("{}-"),
            '\\' => out.push_str("\\textbackslash{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '\u{a0}' => out.push('~'),
            '~' => out.push_str("\\textasciitilde{}"),
            // Formulas among words may be broken where a reader pauses.
            '*' | '/' => {
                out.push(c);
                out.push_str("\\allowbreak{}");
            }
            // A mark is to be typed, however the host spells it.
            '‹' => out.push_str("\\texttt{‹"),
            '›' => out.push_str("›}"),
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            c => match in_math(c) {
                Some(command) => out += &format!("${command}$"),
                None => out.push(known(c)),
            },
        }
    }
    out
}

/// Signs among the names of a formula, for math mode.
pub fn in_formula(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\backslash "),
            '^' => out.push_str("\\hat{}"),
            '~' => out.push_str("\\sim "),
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => out.extend(['\\', c]),
            c => match in_math(c) {
                Some(command) => out += &format!("{command} "),
                None => out.push(known(c)),
            },
        }
    }
    out
}

/// What every LaTeX engine prints: letters of Latin scripts and the signs of prose.
fn known(c: char) -> char {
    match c {
        c if c < '\u{180}' => c,
        '‘' | '’' | '“' | '”' | '–' | '—' => c,
        _ => '?',
    }
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
        '³' => "^3",
        '⁴' => "^4",
        'ᵀ' => "^{\\mathsf T}",
        '₀'..='₉' => return Some(format!("_{}", c as u32 - '₀' as u32)),
        '\u{307}' => "'",
        '\u{308}' => "''",
        '→' => "\\to",
        '↦' => "\\mapsto",
        '∞' => "\\infty",
        '∇' => "\\nabla",
        '∑' => "\\sum",
        '±' => "\\pm",
        '≈' => "\\approx",
        '∘' => "\\circ",
        '⊗' => "\\otimes",
        '⊥' => "\\perp",
        '♭' => "\\flat",
        '♯' => "\\sharp",
        '′' => "'",
        'ϖ' => "\\varpi",
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
        assert_eq!(in_latex("1--2 of `p_x`"), r"1-{}-2 of \texttt{p\_x}");
        assert_eq!(in_latex("a ` alone"), "a ` alone");
    }
}
