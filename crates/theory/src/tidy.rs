//! Formulas as a person would write them.

use rattleback_symbolic::{
    Expr, Function, Kind, Map, Simplifier, postorder, simplify_all, simplify_with,
};

/// Longer formulas are left as they are: nobody reads them.
const READABLE: usize = 600;

fn how() -> Simplifier {
    Simplifier {
        max_nodes: READABLE,
        ..Simplifier::default()
    }
}

/// A shorter form of the same value.
pub(crate) fn tidy(e: &Expr) -> Expr {
    if e.as_number().is_some() || e.as_symbol().is_some() {
        return e.clone();
    }
    merge_exponentials(&simplify_with(e, &how()))
}

/// exp(u)^k as exp(k u), which reads better and is one function to evaluate.
fn merge_exponentials(e: &Expr) -> Expr {
    let nodes = postorder(std::slice::from_ref(e), |_| true);
    let is_exponential = |n: &Expr| matches!(n.kind(), Kind::Function(Function::Exp, _));
    if !nodes.iter().any(is_exponential) {
        return e.clone();
    }
    let mut done: Map<Expr, Expr> = Map::default();
    for node in nodes {
        let rebuilt = node
            .kind()
            .rebuild(|c| done.get(c).unwrap_or(c).clone())
            .unwrap_or_else(|| node.clone());
        let merged = match rebuilt.kind() {
            Kind::Product(factors) => {
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
                if powers.is_empty() {
                    rebuilt.clone()
                } else {
                    Expr::power_product(rest) * Expr::sum(exponent).exp()
                }
            }
            _ => rebuilt.clone(),
        };
        done.insert(node, merged);
    }
    done.remove(e).unwrap_or_else(|| e.clone())
}

/// [`tidy`] of several formulas, which share the work.
pub(crate) fn tidy_all(all: &[Expr]) -> Vec<Expr> {
    simplify_all(all, &how())
        .iter()
        .map(merge_exponentials)
        .collect()
}
