//! Names among signs and words: left sides in LaTeX and in text, and formulas within prose.

use super::escape::in_formula;
use super::symbol_of;
use crate::symbolic::{Expr, Style, latex, text};

/// A name as a symbol: primes behind it are dots.
pub fn symbol(name: &str, style: &Style) -> String {
    latex(&Expr::from(symbol_of(name)), style)
}

/// A left side in LaTeX: names as symbols, words upright, `dx/dt` as a derivative.
pub fn math(left: &str, style: &Style) -> String {
    if let Some((of, by)) = derivative(left) {
        let [of, by] = [of, by].map(|name| symbol(name, style));
        return format!("\\frac{{d}}{{d{by}}} {of}");
    }
    let each = tokens(left).into_iter().map(|token| match token {
        Token::Name(name) => symbol(name, style),
        Token::Word(word) => format!("\\mathrm{{{word}}}"),
        Token::Sign(" ") => "\\ ".into(),
        Token::Sign(brace @ ("{" | "}")) => format!("\\{brace}"),
        Token::Sign(sign) => in_formula(sign),
    });
    each.collect()
}

/// A left side in text: names as formulas have them, words as they are.
pub fn plain(left: &str, style: &Style) -> String {
    if let Some((of, by)) = derivative(left) {
        return format!("d{}/d{}", spelled(of, style), spelled(by, style));
    }
    let each = tokens(left).into_iter().map(|token| match token {
        Token::Name(name) => spelled(name, style),
        Token::Word(as_it_is) | Token::Sign(as_it_is) => as_it_is.into(),
    });
    each.collect()
}

/// Words with formulas among them: names of the model, and numbered ones, as formulas have them. What stands between
/// backticks is to be typed and stays.
pub fn prose(words: &str, style: &Style) -> String {
    let is_symbol = |name: &str| {
        let base = name.trim_end_matches('\'');
        base == "pi" || style.order.contains(base) || base.ends_with(|c: char| c.is_ascii_digit())
    };
    let parts = words.split('`').enumerate().map(|(k, part)| {
        let each = tokens(part).into_iter().map(|token| match token {
            Token::Name(name) if k % 2 == 0 && is_symbol(name) => spelled(name, style),
            Token::Name(same) | Token::Word(same) | Token::Sign(same) => same.into(),
        });
        each.collect::<String>()
    });
    parts.collect::<Vec<_>>().join("`")
}

fn spelled(name: &str, style: &Style) -> String {
    text(&Expr::from(symbol_of(name)), style)
}

/// `dx/dt`: what is differentiated, and by what.
fn derivative(left: &str) -> Option<(&str, &str)> {
    let (of, by) = left.strip_prefix('d')?.split_once("/d")?;
    let is_name = |text: &str| !text.is_empty() && name_length(text) == text.len();
    (is_name(of) && is_name(by)).then_some((of, by))
}

/// A piece of a left side.
enum Token<'a> {
    /// A name with its index and primes.
    Name(&'a str),
    /// A word of the page.
    Word(&'a str),
    /// Any other character.
    Sign(&'a str),
}

fn tokens(left: &str) -> Vec<Token<'_>> {
    let mut all = Vec::new();
    let mut rest = left;
    while let Some(c) = rest.chars().next() {
        let is_name = c.is_ascii_alphabetic();
        let length = if is_name {
            name_length(rest)
        } else {
            c.len_utf8()
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        all.push(match token {
            _ if !is_name => Token::Sign(token),
            "along" | "ln" | "Jac" => Token::Word(token),
            _ => Token::Name(token),
        });
    }
    all
}

/// A name with its index and primes: `w[1]'`, `P_y1`.
fn name_length(text: &str) -> usize {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name = text.find(|c| !part(c)).unwrap_or(text.len());
    let index = match text[name..].strip_prefix('[').and_then(|t| t.find(']')) {
        Some(end) => end + 2,
        None => 0,
    };
    let behind = &text[name + index..];
    let after = behind.trim_start_matches('\'');
    // `Sturm's` is no derivative.
    let primes = match after.starts_with(char::is_alphabetic) {
        true => 0,
        false => behind.len() - after.len(),
    };
    name + index + primes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::{Order, Symbol};

    #[test]
    fn names_are_spelled_as_in_formulas() {
        let style = Style::unicode();
        assert_eq!(plain("dphi'/dt", &style), "dφ̇/dt");
        assert_eq!(plain("dphi/drho", &style), "dφ/dρ");
        assert_eq!(plain("{phi, P_y2}", &style), "{φ, P_y₂}");
        assert_eq!(plain("Jac(P_y1, x)", &Style::ascii()), "Jac(P_y1, x)");
    }

    #[test]
    fn names_in_prose_are_spelled_as_in_formulas() {
        let declared = ["phi", "x", "mu"].map(Symbol::variable);
        let style = Style::unicode().with_order(Order::new(&declared));
        assert_eq!(
            prose("-0.6 at phi = pi/8, I1 = 2, x' = -rate_yaw*phi'", &style),
            "-0.6 at φ = π/8, I₁ = 2, ẋ = -rate_yaw*φ̇"
        );
        let words = "by Sturm's chain x's modes and the systems' nu, `assume phi > 0`";
        assert_eq!(prose(words, &style), words);
    }

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
