//! Left sides in LaTeX: names among signs and words, as they stand in the text.

use super::escape::in_formula;
use super::symbol_of;
use crate::symbolic::{Expr, Style, latex};

/// A name as a symbol: primes behind it are dots.
pub fn symbol(name: &str, style: &Style) -> String {
    latex(&Expr::from(symbol_of(name)), style)
}

/// A left side: names as symbols, words upright, `dx/dt` as a derivative.
pub fn math(left: &str, style: &Style) -> String {
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
            _ if !c.is_ascii_alphabetic() => out += &in_formula(token),
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
}
