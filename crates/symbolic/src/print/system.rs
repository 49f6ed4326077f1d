//! Systems of equations, aligned at the equals sign.

use super::Style;
use super::latex::Latex;
use super::layout::{Id, Layout};
use super::letters::width;
use super::mathml::{NAMESPACE, row};
use super::render::rendered;
use super::text::Text;
use crate::Expr;

/// Lays out both sides of all equations at once, so that they share one order.
fn lay_out(equations: &[(Expr, Expr)], style: &Style) -> (Layout, Vec<(Id, Id)>) {
    let sides: Vec<Expr> = equations
        .iter()
        .flat_map(|(l, r)| [l.clone(), r.clone()])
        .collect();
    let layout = Layout::new(&sides, &style.order);
    let pairs = layout.roots.chunks_exact(2).map(|p| (p[0], p[1])).collect();
    (layout, pairs)
}

/// One equation per line, equals signs below each other.
///
/// ```
/// use rattleback_symbolic::{Expr, Style, Symbol, text_system};
/// let x = Symbol::variable("x");
/// let system = [
///     (Expr::from(x.jet(2)), -Expr::from(&x)),
///     (Expr::from(Symbol::variable("energy")), Expr::from(x.jet(1)).powi(2)),
/// ];
/// assert_eq!(text_system(&system, &Style::ascii()), "x''    = -x\nenergy = x'^2\n");
/// ```
pub fn text_system(equations: &[(Expr, Expr)], style: &Style) -> String {
    let (layout, pairs) = lay_out(equations, style);
    let notation = Text::new(style);
    let left: Vec<String> = pairs
        .iter()
        .map(|(l, _)| rendered(&notation, &layout, *l))
        .collect();
    let widest = left.iter().map(|l| width(l)).max().unwrap_or(0);
    let mut out = String::new();
    for (l, (_, r)) in left.iter().zip(&pairs) {
        out.push_str(l);
        out.extend(std::iter::repeat_n(' ', widest - width(l)));
        out.push_str(" = ");
        out.push_str(&rendered(&notation, &layout, *r));
        out.push('\n');
    }
    out
}

/// An `aligned` environment, for display math.
///
/// ```
/// use rattleback_symbolic::{Expr, Style, Symbol, latex_system};
/// let x = Symbol::variable("x");
/// let system = [(Expr::from(x.jet(2)), -Expr::from(&x))];
/// assert_eq!(
///     latex_system(&system, &Style::default()),
///     "\\begin{aligned}\n\\ddot{x} &= -x\n\\end{aligned}"
/// );
/// ```
pub fn latex_system(equations: &[(Expr, Expr)], style: &Style) -> String {
    let (layout, pairs) = lay_out(equations, style);
    let lines: Vec<String> = pairs
        .iter()
        .map(|(l, r)| {
            let side = |id| rendered(&Latex, &layout, id);
            format!("{} &= {}", side(*l), side(*r))
        })
        .collect();
    format!(
        "\\begin{{aligned}}\n{}\n\\end{{aligned}}",
        lines.join(" \\\\\n")
    )
}

/// One `<math>` element with a table of equations.
pub fn mathml_system(equations: &[(Expr, Expr)], style: &Style) -> String {
    let (layout, pairs) = lay_out(equations, style);
    let mut out = format!(
        "<math xmlns=\"{NAMESPACE}\" display=\"block\"><mtable columnalign=\"right center left\">"
    );
    for (l, r) in pairs {
        let (l, r) = (row(&layout, l), row(&layout, r));
        out += &format!("<mtr><mtd>{l}</mtd><mtd><mo>=</mo></mtd><mtd>{r}</mtd></mtr>");
    }
    out + "</mtable></math>"
}
