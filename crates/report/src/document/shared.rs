//! A formula by its shared parts: what would fill the memory when it is written out is short with names for them.

use super::length::written_length;
use crate::symbolic::{Expr, Map, Symbol, free_symbols, postorder};

/// A formula in which names stand for parts that occur more than once, each part by the names before it.
pub struct Shared {
    /// The parts, in an order in which they can be worked out.
    pub parts: Vec<(Symbol, Expr)>,
    /// The formula in terms of them.
    pub whole: Expr,
}

impl Shared {
    /// Names the parts of a formula that occur more than once.
    pub fn of(e: &Expr) -> Self {
        let nodes = postorder(std::slice::from_ref(e), |_| true);
        let mut uses: Map<Expr, usize> = Map::default();
        for node in &nodes {
            node.kind()
                .for_each_child(|c| *uses.entry(c.clone()).or_default() += 1);
        }
        let taken: Vec<String> = free_symbols(std::slice::from_ref(e))
            .iter()
            .map(|s| s.name().to_owned())
            .collect();
        let stem = ["part", "shared", "common", "piece"]
            .into_iter()
            .find(|stem| !taken.iter().any(|name| name.starts_with(stem)))
            .unwrap_or("part_of_formula");
        let mut written: Map<Expr, Expr> = Map::default();
        let mut parts = Vec::new();
        for node in nodes {
            let is_shared = uses.get(&node).is_some_and(|n| *n > 1);
            let inner = node.kind().rebuild(|c| written.get(c).unwrap_or(c).clone());
            let is_leaf = node.as_number().is_some() || node.as_symbol().is_some();
            let mut short = inner.unwrap_or_else(|| node.clone());
            if is_shared && !is_leaf {
                let symbol = Symbol::variable(&format!("{stem}{}", parts.len() + 1));
                let name = Expr::from(&symbol);
                parts.push((symbol, std::mem::replace(&mut short, name)));
            }
            written.insert(node, short);
        }
        let whole = written.remove(e).unwrap_or_else(|| e.clone());
        Self { parts, whole }
    }

    /// How long it is, all parts together.
    pub fn length(&self) -> u64 {
        let all = self.parts.iter().map(|(_, e)| e).chain([&self.whole]);
        all.fold(0, |sum, e| sum.saturating_add(written_length(e)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_put_back_give_the_formula() {
        let x = Expr::from(Symbol::variable("x"));
        let e = (0..40).fold(x, |e, _| (&e * &e + 1).sin() / (2 + &e));
        let shared = Shared::of(&e);
        assert!(shared.length() < 2_000 && written_length(&e) > 1_000_000);
        let mut whole = shared.whole.clone();
        for (symbol, part) in shared.parts.iter().rev() {
            whole = whole.substitute(&[(symbol.clone(), part.clone())]);
        }
        assert_eq!(whole, e);
    }
}
