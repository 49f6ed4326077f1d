//! What equations have besides their unknowns: worked out once for all iterations of a step.

use rattleback_symbolic::{Expr, Kind, Map, Rational, Symbol, postorder};

/// Expressions with symbols in the place of what is free of the unknowns, and what these stand for.
pub(super) struct Known {
    /// What is worked out once.
    pub values: Vec<(Symbol, Expr)>,
    /// The expressions in unknowns, inputs and those symbols.
    pub rest: Vec<Expr>,
}

impl Known {
    /// Takes out of the expressions the largest parts that are free of these unknowns: terms and factors together, where
    /// a sum or a product has several.
    pub fn of(all: &[Expr], unknowns: &[Symbol]) -> Self {
        let mut names = Names::default();
        let mut done: Map<Expr, Expr> = Map::default();
        let is_free = |e: &Expr| !e.contains_any(unknowns);
        for node in postorder(all, |e| !is_free(e)) {
            let apart = |items: &[(Expr, Rational)]| {
                let (free, bound): (Items, Items) =
                    items.iter().cloned().partition(|(e, _)| is_free(e));
                let known = |(e, r): (Expr, Rational)| (done.get(&e).cloned().unwrap_or(e), r);
                (free, bound.into_iter().map(known).collect::<Items>())
            };
            let rebuilt = match node.kind() {
                Kind::Sum(constant, terms) => {
                    let (mut free, mut bound) = apart(terms);
                    free.push((constant.into(), Rational::ONE));
                    let free = names.named(&Expr::linear_combination(free));
                    bound.push((free, Rational::ONE));
                    Some(Expr::linear_combination(bound))
                }
                Kind::Product(factors) => {
                    let (free, mut bound) = apart(factors);
                    let free = names.named(&Expr::power_product(free));
                    bound.push((free, Rational::ONE));
                    Some(Expr::power_product(bound))
                }
                other => other.rebuild(|c| match done.get(c) {
                    Some(known) => known.clone(),
                    None => names.named(c),
                }),
            };
            let rebuilt = rebuilt.unwrap_or_else(|| node.clone());
            done.insert(node, rebuilt);
        }
        let rest = all.iter().map(|e| match done.get(e) {
            Some(known) => known.clone(),
            None => names.named(e),
        });
        Self {
            rest: rest.collect(),
            values: names.values,
        }
    }
}

/// The symbols so far, by what they stand for.
#[derive(Default)]
struct Names {
    by_value: Map<Expr, Expr>,
    values: Vec<(Symbol, Expr)>,
}

impl Names {
    /// A symbol for a value; numbers and symbols are as cheap themselves.
    fn named(&mut self, value: &Expr) -> Expr {
        if value.as_number().is_some() || value.as_symbol().is_some() || *value.kind() == Kind::Pi {
            return value.clone();
        }
        if let Some(name) = self.by_value.get(value) {
            return name.clone();
        }
        let symbol = Symbol::variable(&format!("known~{}", self.values.len()));
        self.values.push((symbol.clone(), value.clone()));
        self.by_value.insert(value.clone(), Expr::from(&symbol));
        Expr::from(symbol)
    }
}

/// Terms with coefficients, or factors with exponents.
type Items = Vec<(Expr, Rational)>;

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_symbolic::{prove_all_zero, substitute_all};

    #[test]
    fn parts_without_unknowns_are_taken_out() {
        let [u, x, y] = ["u", "x", "y"].map(Symbol::variable);
        let [eu, ex, ey] = [&u, &x, &y].map(Expr::from);
        let all = [
            &eu * ex.sin() * (&ex + &ey) + ey.cos() + 2 * &ex + (&eu + &ex).cos() + 3,
            ex.sin() * (&ex + &ey),
            Expr::atan2(&(&eu + ey.exp()), &(&ex + &ey)),
            &eu + 1,
        ];
        let known = Known::of(&all, std::slice::from_ref(&u));
        let back = substitute_all(&known.rest, &known.values);
        let defects: Vec<Expr> = back.iter().zip(&all).map(|(a, b)| a - b).collect();
        assert!(prove_all_zero(&defects).is_proven());
        assert!(known.values.iter().all(|(_, value)| !value.contains(&u)));
        // The product of the first two, the sum of the first, the exponential and x + y.
        assert_eq!(known.values.len(), 4, "{:?}", known.values);
        let functions = |e: &Expr| {
            let below = postorder(std::slice::from_ref(e), |_| true).into_iter();
            below
                .filter(|e| matches!(e.kind(), Kind::Function(..)))
                .count()
        };
        assert_eq!(known.rest.iter().map(functions).sum::<usize>(), 2);
    }
}
