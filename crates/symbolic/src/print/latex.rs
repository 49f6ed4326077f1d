//! LaTeX.

use super::Style;
use super::layout::{Item, Layout, leading_first};
use super::letters::{greek_letter, is_one_letter};
use super::render::{Binding, Notation, Piece, rendered};
use crate::function::Function;
use crate::{Expr, Rational, Symbol};

/// The formula in LaTeX, for math mode.
///
/// ```
/// use rattleback_symbolic::{Expr, Style, Symbol, latex};
/// let (m, q) = (Symbol::constant("m_1"), Symbol::variable("theta"));
/// let e = Expr::from(&m) * Expr::from(&q).sin() * Expr::from(q.jet(1)).powi(2) / 2;
/// assert_eq!(latex(&e, &Style::default()), r"\frac{m_{1} \sin\theta \, \dot{\theta}^{2}}{2}");
/// ```
pub fn latex(e: &Expr, style: &Style) -> String {
    let layout = Layout::new(std::slice::from_ref(e), &style.order);
    rendered(&Latex, &layout, layout.roots[0])
}

pub(super) struct Latex;

impl Notation for Latex {
    fn binding(&self, item: &Item) -> Binding {
        match item {
            Item::Sum(_) | Item::Negated(_) => Binding::Sum,
            Item::Product(_) => Binding::Product,
            // An exponential is written as a power; a fraction is tall enough to stand alone.
            Item::Power(..) | Item::PowerOf(..) | Item::Fraction(..) | Item::Call("exp", _) => {
                Binding::Power
            }
            _ => Binding::Atom,
        }
    }

    fn brackets(&self) -> (&'static str, &'static str) {
        (r"\left(", r"\right)")
    }

    fn pieces(&self, layout: &Layout, item: &Item, out: &mut Vec<Piece>) {
        match item {
            Item::Number(n) => out.push(n.to_string().into()),
            Item::Pi => out.push(r"\pi".into()),
            Item::Undefined => out.push(r"\mathrm{undefined}".into()),
            Item::Symbol(s) => out.push(symbol(layout, s).into()),
            Item::Sum(terms) => {
                for (i, (negative, id)) in leading_first(terms).enumerate() {
                    let sign = match (i, negative) {
                        (0, false) => "",
                        (0, true) => "-",
                        (_, false) => " + ",
                        (_, true) => " - ",
                    };
                    out.extend([sign.into(), Piece::Item(id, Binding::Product)]);
                }
            }
            Item::Negated(id) => out.extend(["-".into(), Piece::Item(*id, Binding::Product)]),
            Item::Product(factors) => {
                for (i, id) in factors.iter().enumerate() {
                    if i > 0 {
                        let (before, after) = (layout.item(factors[i - 1]), layout.item(*id));
                        out.push(separator(layout, before, after).into());
                    }
                    out.push(Piece::Item(*id, Binding::Power));
                }
            }
            Item::Fraction(above, below) => out.extend([
                r"\frac{".into(),
                Piece::Item(*above, Binding::Sum),
                "}{".into(),
                Piece::Item(*below, Binding::Sum),
                "}".into(),
            ]),
            Item::Power(base, r) => power(layout, layout.item(*base), *base, r, out),
            Item::PowerOf(base, e) => {
                // A bare argument would swallow the exponent: sin x^n.
                let (open, close) = match layout.item(*base) {
                    Item::Call(name, _) if *name != "exp" => self.brackets(),
                    _ => ("", ""),
                };
                out.extend([
                    open.into(),
                    Piece::Item(*base, Binding::Atom),
                    close.into(),
                    "^{".into(),
                    Piece::Item(*e, Binding::Sum),
                    "}".into(),
                ]);
            }
            Item::Root(id) => {
                out.extend([r"\sqrt{".into(), Piece::Item(*id, Binding::Sum), "}".into()]);
            }
            Item::Call("exp", x) => {
                // Upright: a model may have a coordinate `e`.
                out.push(r"\mathrm{e}^{".into());
                out.extend(x.iter().map(|id| Piece::Item(*id, Binding::Sum)));
                out.push("}".into());
            }
            Item::Call(name, x) => call(layout, name, None, x, out),
        }
    }
}

/// sin²θ is written that way; other powers go behind the base.
fn power(layout: &Layout, base: &Item, id: usize, r: &Rational, out: &mut Vec<Piece>) {
    match base {
        Item::Call(name, x) if r.is_integer() && *name != "exp" && x.len() == 1 => {
            call(layout, name, Some(r), x, out);
        }
        _ => out.extend([Piece::Item(id, Binding::Atom), format!("^{{{r}}}").into()]),
    }
}

fn call(layout: &Layout, name: &str, power: Option<&Rational>, x: &[usize], out: &mut Vec<Piece>) {
    out.push(function(name).into());
    out.extend(power.map(|r| format!("^{{{r}}}").into()));
    if let [only] = x
        && let Some(argument) = bare(layout, layout.item(*only))
    {
        // A command swallows the letter behind it unless something separates them.
        let gap = if argument.starts_with('\\') || power.is_some() {
            ""
        } else {
            " "
        };
        out.extend([gap.into(), argument.into()]);
        return;
    }
    out.push(r"\left(".into());
    for (i, id) in x.iter().enumerate() {
        let separator = if i == 0 { "" } else { ", " };
        out.extend([separator.into(), Piece::Item(*id, Binding::Sum)]);
    }
    out.push(r"\right)".into());
}

/// An argument that needs no brackets.
fn bare(layout: &Layout, item: &Item) -> Option<String> {
    match item {
        Item::Symbol(s) => Some(symbol(layout, s)),
        Item::Pi => Some(r"\pi".to_owned()),
        _ => None,
    }
}

fn function(name: &str) -> &'static str {
    match name {
        "tan" => r"\tan",
        "cot" => r"\cot",
        "sec" => r"\sec",
        "csc" => r"\csc",
        _ => Function::named(name).map_or(r"\operatorname{f}", Function::latex),
    }
}

/// What stands between two factors: a dot before digits, a thin space behind a bare argument.
fn separator(layout: &Layout, before: &Item, after: &Item) -> &'static str {
    let of_base = |item: &Item| match item {
        Item::Power(base, _) | Item::PowerOf(base, _) => layout.item(*base).clone(),
        other => other.clone(),
    };
    if matches!(of_base(after), Item::Number(_)) {
        return r" \cdot ";
    }
    match of_base(before) {
        Item::Call(name, x)
            if name != "exp" && x.iter().all(|id| bare(layout, layout.item(*id)).is_some()) =>
        {
            r" \, "
        }
        _ => " ",
    }
}

/// A symbol with dots over its stem and its subscripts below: `theta1''` is `\ddot{\theta}_{1}`.
fn symbol(layout: &Layout, s: &Symbol) -> String {
    let name = layout.name(s);
    let stem = word(name.stem);
    let mut out = match s.order() {
        1 => format!(r"\dot{{{stem}}}"),
        2 => format!(r"\ddot{{{stem}}}"),
        3 => format!(r"\dddot{{{stem}}}"),
        _ => stem,
    };
    let subscripts: Vec<String> = name.subscripts().map(word).collect();
    if !subscripts.is_empty() {
        out += &format!("_{{{}}}", subscripts.join(","));
    }
    if s.order() > 3 {
        out += &format!("^{{({})}}", s.order());
    }
    out
}

/// A stem or a subscript: a Greek letter, one letter or digits as they are, a word upright.
fn word(w: &str) -> String {
    if let Some(command) = greek_command(w) {
        return command;
    }
    let escaped = escape(w);
    if is_one_letter(w) || w.bytes().all(|b| b.is_ascii_digit()) {
        escaped
    } else {
        format!(r"\mathrm{{{escaped}}}")
    }
}

/// Capital letters that look Latin, and omicron, have no command of their own.
fn greek_command(name: &str) -> Option<String> {
    let letter = greek_letter(name)?;
    Some(match letter {
        'ο' => r"\mathrm{o}".to_owned(),
        'ε' => r"\varepsilon".to_owned(),
        'φ' => r"\varphi".to_owned(),
        'Γ' | 'Δ' | 'Θ' | 'Λ' | 'Ξ' | 'Π' | 'Σ' | 'Υ' | 'Φ' | 'Ψ' | 'Ω' => {
            format!(r"\{name}")
        }
        capital if capital.is_uppercase() => match name {
            "Chi" => r"\mathrm{X}".to_owned(),
            "Eta" => r"\mathrm{H}".to_owned(),
            "Rho" => r"\mathrm{P}".to_owned(),
            _ => format!(r"\mathrm{{{}}}", name.chars().next().unwrap_or('?')),
        },
        _ => format!(r"\{name}"),
    })
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str(r"\backslash "),
            '^' => out.push_str(r"\hat{}"),
            '~' => out.push_str(r"\sim "),
            '_' | '%' | '&' | '#' | '$' | '{' | '}' => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out
}
