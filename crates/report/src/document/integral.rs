//! Functions that are given by integrals, in the notations of the pages.

use crate::symbolic::{Expr, Style, latex, text};
use crate::theory::{Leg, Quadrature};

/// `c*exp(∫(f(s), s = a .. x))`; with the word `integral` where letters are plain.
pub fn in_text(n: &Quadrature, style: &Style) -> String {
    let sign = if style.unicode { "∫" } else { "integral" };
    let legs: Vec<String> = n
        .legs
        .iter()
        .map(|l| {
            format!(
                "{sign}({}, {} = {} .. {})",
                text(&l.integrand, style),
                text(&Expr::from(&l.dummy), style),
                text(&l.from, style),
                text(&Expr::from(&l.coordinate), style)
            )
        })
        .collect();
    let integral = format!("exp({})", legs.join(" + "));
    match n.factor.is_one() {
        true => integral,
        false => format!("{}*{integral}", text(&n.factor, style)),
    }
}

/// The same in LaTeX.
pub fn in_latex(n: &Quadrature, style: &Style) -> String {
    let legs: Vec<String> = n.legs.iter().map(|l| leg_in_latex(l, style)).collect();
    let integral = format!("\\exp\\left({}\\right)", legs.join(" + "));
    match n.factor.is_one() {
        true => integral,
        false => format!("{} \\, {integral}", latex(&n.factor, style)),
    }
}

/// One integral in LaTeX.
pub fn leg_in_latex(l: &Leg, style: &Style) -> String {
    format!(
        "\\int_{{{}}}^{{{}}} {} \\, \\mathrm{{d}}{}",
        latex(&l.from, style),
        latex(&Expr::from(&l.coordinate), style),
        latex(&l.integrand, style),
        latex(&Expr::from(&l.dummy), style)
    )
}
