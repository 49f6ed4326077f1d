//! Printers: text, LaTeX and MathML, all drawn from one layout in the order a person would write.

mod compare;
mod fraction;
mod latex;
mod layout;
mod letters;
mod mathml;
mod render;
mod system;
mod text;

pub use compare::Order;
pub use latex::latex;
pub use letters::{greek_letter, greek_name};
pub use mathml::mathml;
pub use system::{latex_system, mathml_system, text_system};
pub use text::text;

pub(crate) use layout::paying_content;

/// How a formula is written.
///
/// ```
/// use rattleback_symbolic::{Expr, Order, Style, Symbol, text};
/// let theta = Symbol::variable("theta");
/// let e = Expr::from(&theta).cos() * Expr::from(theta.jet(1)).powi(2);
/// assert_eq!(text(&e, &Style::ascii()), "cos(theta)*theta'^2");
/// assert_eq!(text(&e, &Style::unicode()), "cos(θ)*θ\u{307}^2");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Style {
    /// Greek letters, dots and subscripts in plain text; LaTeX and MathML always have them.
    pub unicode: bool,
    /// Which symbols come first.
    pub order: Order,
}

impl Style {
    /// ASCII letters and primes, symbols in alphabetical order.
    pub fn ascii() -> Self {
        Self::default()
    }

    /// Greek letters and dots, symbols in alphabetical order.
    pub fn unicode() -> Self {
        Style {
            unicode: true,
            ..Self::default()
        }
    }

    /// The same style with symbols in a given order.
    pub fn with_order(self, order: Order) -> Self {
        Style { order, ..self }
    }
}
