//! MathML for presentation.

use super::Style;
use super::layout::{Id, Item, Layout, leading_first};
use super::letters::greek_letter;
use super::render::{Binding, Notation, Piece, rendered};
use crate::{Expr, Rational, Symbol};

/// The formula as one `<math>` element.
///
/// ```
/// use rattleback_symbolic::{Expr, Style, Symbol, mathml};
/// let x = Expr::from(Symbol::variable("x"));
/// assert_eq!(
///     mathml(&x.powi(2), &Style::default()),
///     "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></math>"
/// );
/// ```
pub fn mathml(e: &Expr, style: &Style) -> String {
    let layout = Layout::new(std::slice::from_ref(e), &style.order);
    let body = row(&layout, layout.roots[0]);
    format!("<math xmlns=\"{NAMESPACE}\">{body}</math>")
}

pub(super) const NAMESPACE: &str = "http://www.w3.org/1998/Math/MathML";

/// The formula as one `<mrow>`.
pub(super) fn row(layout: &Layout, root: Id) -> String {
    format!("<mrow>{}</mrow>", rendered(&MathMl, layout, root))
}

struct MathMl;

const TIMES: &str = "<mo>&#x2062;</mo>";
const APPLY: &str = "<mo>&#x2061;</mo>";

impl Notation for MathMl {
    fn binding(&self, item: &Item) -> Binding {
        match item {
            Item::Sum(_) | Item::Negated(_) => Binding::Sum,
            Item::Product(_) => Binding::Product,
            Item::Power(..) | Item::PowerOf(..) | Item::Fraction(..) | Item::Call("exp", _) => {
                Binding::Power
            }
            _ => Binding::Atom,
        }
    }

    fn brackets(&self) -> (&'static str, &'static str) {
        ("<mrow><mo>(</mo>", "<mo>)</mo></mrow>")
    }

    fn pieces(&self, layout: &Layout, item: &Item, out: &mut Vec<Piece>) {
        match item {
            Item::Number(n) => out.push(format!("<mn>{n}</mn>").into()),
            Item::Pi => out.push("<mi>π</mi>".into()),
            Item::Undefined => out.push("<mtext>undefined</mtext>".into()),
            Item::Symbol(s) => out.push(symbol(layout, s).into()),
            Item::Sum(terms) => {
                for (i, (negative, id)) in leading_first(terms).enumerate() {
                    let sign = match (i, negative) {
                        (0, false) => "",
                        (_, false) => "<mo>+</mo>",
                        (_, true) => "<mo>−</mo>",
                    };
                    out.extend([sign.into(), Piece::Item(id, Binding::Product)]);
                }
            }
            Item::Negated(id) => {
                out.extend(["<mo>−</mo>".into(), Piece::Item(*id, Binding::Product)]);
            }
            Item::Product(factors) => {
                for (i, id) in factors.iter().enumerate() {
                    let sign = if i == 0 { "" } else { TIMES };
                    out.extend([sign.into(), Piece::Item(*id, Binding::Power)]);
                }
            }
            Item::Fraction(above, below) => out.extend([
                "<mfrac><mrow>".into(),
                Piece::Item(*above, Binding::Sum),
                "</mrow><mrow>".into(),
                Piece::Item(*below, Binding::Sum),
                "</mrow></mfrac>".into(),
            ]),
            Item::Power(base, r) => match layout.item(*base) {
                Item::Call(name, x) if r.is_integer() && *name != "exp" => {
                    let head = format!("<msup><mi>{name}</mi>{}</msup>", exponent(r));
                    call(head, x, out);
                }
                _ => out.extend([
                    "<msup>".into(),
                    Piece::Item(*base, Binding::Atom),
                    exponent(r).into(),
                    "</msup>".into(),
                ]),
            },
            Item::PowerOf(base, e) => out.extend([
                "<msup><mrow>".into(),
                Piece::Item(*base, Binding::Atom),
                "</mrow><mrow>".into(),
                Piece::Item(*e, Binding::Sum),
                "</mrow></msup>".into(),
            ]),
            Item::Root(id) => out.extend([
                "<msqrt>".into(),
                Piece::Item(*id, Binding::Sum),
                "</msqrt>".into(),
            ]),
            Item::Call("exp", x) => {
                out.push("<msup><mi mathvariant=\"normal\">e</mi><mrow>".into());
                out.extend(x.iter().map(|id| Piece::Item(*id, Binding::Sum)));
                out.push("</mrow></msup>".into());
            }
            Item::Call(name, x) => call(format!("<mi>{name}</mi>"), x, out),
        }
    }
}

fn exponent(r: &Rational) -> String {
    if r.is_integer() {
        format!("<mn>{r}</mn>")
    } else {
        let (n, d) = (r.numerator(), r.denominator());
        format!("<mrow><mn>{n}</mn><mo>/</mo><mn>{d}</mn></mrow>")
    }
}

fn call(head: String, x: &[Id], out: &mut Vec<Piece>) {
    out.push(format!("<mrow>{head}{APPLY}<mrow><mo>(</mo>").into());
    for (i, id) in x.iter().enumerate() {
        let separator = if i == 0 { "" } else { "<mo>,</mo>" };
        out.extend([separator.into(), Piece::Item(*id, Binding::Sum)]);
    }
    out.push("<mo>)</mo></mrow></mrow>".into());
}

/// A symbol with dots over its stem, subscripts below and, beyond two dots, primes.
fn symbol(layout: &Layout, s: &Symbol) -> String {
    let name = layout.name(s);
    let stem = format!("<mi>{}</mi>", word(name.stem));
    let accent = |mark: &str| format!("<mover accent=\"true\">{stem}<mo>{mark}</mo></mover>");
    let base = match s.order() {
        1 => accent("˙"),
        2 => accent("¨"),
        _ => stem,
    };
    let subscripts: Vec<String> = name.subscripts().map(subscript).collect();
    let below = format!("<mrow>{}</mrow>", subscripts.join("<mo>,</mo>"));
    let primes = format!("<mo>{}</mo>", "′".repeat(s.order() as usize));
    match (subscripts.is_empty(), s.order() > 2) {
        (true, false) => base,
        (false, false) => format!("<msub>{base}{below}</msub>"),
        (true, true) => format!("<msup>{base}{primes}</msup>"),
        (false, true) => format!("<msubsup>{base}{below}{primes}</msubsup>"),
    }
}

fn subscript(w: &str) -> String {
    if w.bytes().all(|b| b.is_ascii_digit()) {
        format!("<mn>{w}</mn>")
    } else {
        format!("<mi>{}</mi>", word(w))
    }
}

fn word(w: &str) -> String {
    if let Some(letter) = greek_letter(w) {
        return letter.to_string();
    }
    let mut out = String::with_capacity(w.len());
    for c in w.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // Control characters have no place in XML.
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
