//! Powers of exponentials as exponentials.

use crate::{Expr, Function, Kind, Rational, postorder, rewrite};

/// exp(u)^k as exp(k u), which reads better and is one function to evaluate.
///
/// ```
/// use rattleback_symbolic::{Expr, Symbol, merge_exponentials};
/// let [x, y] = ["x", "y"].map(|n| Expr::from(Symbol::variable(n)));
/// let both = x.exp().powi(2) * y.exp();
/// assert_eq!(merge_exponentials(&both).to_string(), "exp(2*x + y)");
/// ```
pub fn merge_exponentials(e: &Expr) -> Expr {
    let is_exponential = |n: &Expr| matches!(n.kind(), Kind::Function(Function::Exp, _));
    let nodes = postorder(std::slice::from_ref(e), |_| true);
    if !nodes.iter().any(is_exponential) {
        return e.clone();
    }
    rewrite(e, |node| match node.kind() {
        Kind::Product(factors) => merged(factors),
        _ => None,
    })
}

/// The product with one exponential; `None` if it has none.
fn merged(factors: &[(Expr, Rational)]) -> Option<Expr> {
    let exponential = |b: &Expr| match b.kind() {
        Kind::Function(Function::Exp, x) => Some(x[0].clone()),
        _ => None,
    };
    let (powers, rest): (Vec<_>, Vec<_>) = factors
        .iter()
        .cloned()
        .partition(|(b, _)| exponential(b).is_some());
    let exponent = powers
        .iter()
        .filter_map(|(b, r)| Some(exponential(b)? * Expr::from(r)));
    (!powers.is_empty()).then(|| Expr::power_product(rest) * Expr::sum(exponent).exp())
}
