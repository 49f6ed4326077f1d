//! Plain text that the model language reads back.

use super::Style;
use super::compare::Order;
use super::layout::{Item, Layout, leading_first};
use super::letters::unicode_name;
use super::render::{Binding, Notation, Piece, render, rendered};
use crate::{Expr, Rational, Symbol};
use std::fmt;

/// The formula as text of the model language.
///
/// ```
/// use rattleback_symbolic::{Expr, Style, Symbol, text};
/// let (m, x) = (Symbol::constant("m"), Symbol::variable("x"));
/// let kinetic = Expr::from(&m) * Expr::from(x.jet(1)).powi(2) / 2;
/// assert_eq!(text(&kinetic, &Style::ascii()), "m*x'^2/2");
/// assert_eq!(text(&kinetic, &Style::unicode()), "m*ẋ^2/2");
/// ```
pub fn text(e: &Expr, style: &Style) -> String {
    let layout = Layout::new(std::slice::from_ref(e), &style.order);
    rendered(&Text::new(style), &layout, layout.roots[0])
}

/// The notation of the model language.
pub(super) struct Text {
    unicode: bool,
}

impl Text {
    pub(super) fn new(style: &Style) -> Self {
        Text {
            unicode: style.unicode,
        }
    }

    fn symbol(&self, s: &Symbol) -> String {
        if self.unicode {
            unicode_name(s.name(), s.order())
        } else {
            s.to_string()
        }
    }
}

/// An exponent: brackets around fractions, because `^` binds tighter than `/`.
fn exponent(r: &Rational) -> String {
    if r.is_integer() {
        format!("^{r}")
    } else {
        format!("^({r})")
    }
}

impl Notation for Text {
    fn binding(&self, item: &Item) -> Binding {
        match item {
            Item::Sum(_) | Item::Negated(_) => Binding::Sum,
            Item::Product(_) | Item::Fraction(..) => Binding::Product,
            Item::Power(..) | Item::PowerOf(..) => Binding::Power,
            _ => Binding::Atom,
        }
    }

    fn brackets(&self) -> (&'static str, &'static str) {
        ("(", ")")
    }

    fn pieces(&self, _: &Layout, item: &Item, out: &mut Vec<Piece>) {
        match item {
            Item::Number(n) => out.push(n.to_string().into()),
            Item::Pi if self.unicode => out.push("π".into()),
            Item::Pi => out.push("pi".into()),
            Item::Undefined => out.push("undefined".into()),
            Item::Symbol(s) => out.push(self.symbol(s).into()),
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
                    let sign = if i == 0 { "" } else { "*" };
                    out.extend([sign.into(), Piece::Item(*id, Binding::Power)]);
                }
            }
            Item::Fraction(above, below) => out.extend([
                Piece::Item(*above, Binding::Product),
                "/".into(),
                Piece::Item(*below, Binding::Power),
            ]),
            Item::Power(base, r) => {
                out.extend([Piece::Item(*base, Binding::Atom), exponent(r).into()])
            }
            Item::PowerOf(base, e) => out.extend([
                Piece::Item(*base, Binding::Atom),
                "^".into(),
                Piece::Item(*e, Binding::Atom),
            ]),
            Item::Root(id) => {
                out.extend(["sqrt(".into(), Piece::Item(*id, Binding::Sum), ")".into()]);
            }
            Item::Call(name, arguments) => {
                out.extend([(*name).into(), "(".into()]);
                for (i, id) in arguments.iter().enumerate() {
                    let separator = if i == 0 { "" } else { ", " };
                    out.extend([separator.into(), Piece::Item(*id, Binding::Sum)]);
                }
                out.push(")".into());
            }
        }
    }
}

/// ASCII text of the model language, symbols in alphabetical order.
impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let layout = Layout::new(std::slice::from_ref(self), &Order::default());
        render(&Text { unicode: false }, &layout, layout.roots[0], f)
    }
}

/// The same as the text, cut short: a shared expression may be far longer written out.
impl fmt::Debug for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LIMIT: usize = 10_000;
        let layout = Layout::new(std::slice::from_ref(self), &Order::default());
        let mut short = Short {
            sink: f,
            left: LIMIT,
        };
        match render(
            &Text { unicode: false },
            &layout,
            layout.roots[0],
            &mut short,
        ) {
            Err(_) if short.left == 0 => f.write_str("…"),
            result => result,
        }
    }
}

/// Passes on a limited number of bytes, then fails.
struct Short<'a, 'b> {
    sink: &'a mut fmt::Formatter<'b>,
    left: usize,
}

impl fmt::Write for Short<'_, '_> {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        if s.len() > self.left {
            self.left = 0;
            return Err(fmt::Error);
        }
        self.left -= s.len();
        self.sink.write_str(s)
    }
}
