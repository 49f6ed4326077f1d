//! Visiting each distinct subexpression once, children first, without recursion.

use crate::hash::{Map, Set};
use crate::node::{Kind, symbol_mask};
use crate::work::count_work;
use crate::{Expr, Rational, Role, Symbol};

impl Kind {
    /// Calls `f` for each direct subexpression.
    pub fn for_each_child<'a>(&'a self, mut f: impl FnMut(&'a Expr)) {
        match self {
            Kind::Number(_) | Kind::Pi | Kind::Undefined | Kind::Symbol(_) => {}
            Kind::Sum(_, items) => items.iter().for_each(|(e, _)| f(e)),
            Kind::Product(items) => items.iter().for_each(|(e, _)| f(e)),
            Kind::Scaled(_, e) => f(e),
            Kind::Function(_, arguments) => arguments.iter().for_each(f),
        }
    }

    /// The same operation on other children.
    pub fn rebuild(&self, mut f: impl FnMut(&Expr) -> Expr) -> Option<Expr> {
        let mut map = |items: &[(Expr, Rational)]| -> Vec<(Expr, Rational)> {
            items.iter().map(|(e, c)| (f(e), c.clone())).collect()
        };
        Some(match self {
            Kind::Number(_) | Kind::Pi | Kind::Undefined | Kind::Symbol(_) => return None,
            Kind::Sum(c, terms) => {
                let mut items = map(terms);
                items.push((c.into(), Rational::ONE));
                Expr::linear_combination(items)
            }
            Kind::Product(factors) => Expr::power_product(map(factors)),
            Kind::Scaled(c, e) => Expr::linear_combination([(f(e), c.clone())]),
            Kind::Function(g, arguments) => g.apply(&arguments.iter().map(f).collect::<Vec<_>>()),
        })
    }
}

/// The distinct subexpressions of `roots`, children before parents; those for which `enter` is
/// false are left out together with what is only below them.
pub fn postorder(roots: &[Expr], enter: impl Fn(&Expr) -> bool) -> Vec<Expr> {
    visited(roots, enter).into_iter().cloned().collect()
}

/// [`postorder`] for who only looks: counting an owner of every node takes longer than the way there.
fn visited(roots: &[Expr], enter: impl Fn(&Expr) -> bool) -> Vec<&Expr> {
    let mut order = Vec::new();
    let mut seen: Set<&Expr> = Set::default();
    let mut stack: Vec<(&Expr, bool)> = roots.iter().rev().map(|e| (e, false)).collect();
    while let Some((e, children_done)) = stack.pop() {
        if children_done {
            order.push(e);
        } else if enter(e) && seen.insert(e) {
            stack.push((e, true));
            e.kind().for_each_child(|c| stack.push((c, false)));
        }
    }
    count_work(order.len() as u64);
    order
}

impl Expr {
    /// The symbols that occur, in name order.
    pub fn free_symbols(&self) -> Vec<Symbol> {
        free_symbols(std::slice::from_ref(self))
    }

    /// Does the symbol occur?
    pub fn contains(&self, s: &Symbol) -> bool {
        let mask = symbol_mask(s);
        self.0.mask & mask != 0
            && visited(std::slice::from_ref(self), |e| e.0.mask & mask != 0)
                .iter()
                .any(|e| e.as_symbol() == Some(s))
    }

    /// Does any of the symbols occur?
    pub fn contains_any<'a>(&self, symbols: impl IntoIterator<Item = &'a Symbol>) -> bool {
        // Most are told apart by their masks alone; the others are looked for together.
        let near = |s: &&Symbol| self.0.mask & symbol_mask(s) != 0;
        let wanted: Set<&Symbol> = symbols.into_iter().filter(near).collect();
        let mask = wanted.iter().fold(0, |m, s| m | symbol_mask(s));
        !wanted.is_empty()
            && visited(std::slice::from_ref(self), |e| e.0.mask & mask != 0)
                .iter()
                .any(|e| e.as_symbol().is_some_and(|s| wanted.contains(&s)))
    }

    /// Is it a function of parameters alone, or a number?
    pub fn is_constant(&self) -> bool {
        self.free_symbols()
            .iter()
            .all(|s| s.role() == Role::Constant)
    }

    /// How many distinct nodes the expression has: its true size.
    pub fn node_count(&self) -> usize {
        visited(std::slice::from_ref(self), |_| true).len()
    }

    /// Replaces all keys by their values at once; values are not searched again.
    ///
    /// ```
    /// use rattleback_symbolic::{Expr, Symbol};
    /// let (x, y) = (Symbol::variable("x"), Symbol::variable("y"));
    /// let swapped = (Expr::from(&x) - &Expr::from(&y)).substitute(&[(x.clone(), (&y).into()), (y, (&x).into())]);
    /// assert_eq!(swapped.to_string(), "y - x");
    /// ```
    pub fn substitute(&self, pairs: &[(Symbol, Expr)]) -> Expr {
        substitute_all(std::slice::from_ref(self), pairs).swap_remove(0)
    }
}

/// Each distinct expression below some roots once, children first. Leaves are not entered; an expression may have one child
/// more than it is written with.
pub(crate) fn children_first(
    roots: impl DoubleEndedIterator<Item = Expr>,
    is_leaf: impl Fn(&Expr) -> bool,
    further: impl Fn(&Expr) -> Option<Expr>,
) -> Vec<Expr> {
    let mut seen: Set<Expr> = Set::default();
    let mut all = Vec::new();
    let mut stack: Vec<(Expr, bool)> = roots.rev().map(|e| (e, false)).collect();
    while let Some((e, done)) = stack.pop() {
        if done {
            all.push(e);
        } else if seen.insert(e.clone()) {
            if is_leaf(&e) {
                all.push(e);
                continue;
            }
            stack.push((e.clone(), true));
            let mut child = |c: &Expr| {
                if !seen.contains(c) {
                    stack.push((c.clone(), false));
                }
            };
            e.kind().for_each_child(&mut child);
            further(&e).iter().for_each(child);
        }
    }
    all
}

/// The symbols that occur in any of the expressions, in name order.
pub fn free_symbols(roots: &[Expr]) -> Vec<Symbol> {
    let mut symbols: Vec<Symbol> = visited(roots, |e| e.0.mask != 0)
        .into_iter()
        .filter_map(|e| e.as_symbol().cloned())
        .collect();
    symbols.sort();
    symbols
}

/// [`Expr::substitute`] for several expressions that share subexpressions.
pub fn substitute_all(roots: &[Expr], pairs: &[(Symbol, Expr)]) -> Vec<Expr> {
    let table: Map<Expr, Expr> = pairs.iter().map(|(s, e)| (s.into(), e.clone())).collect();
    replace_all(roots, &table)
}

/// Rewrites an expression from its leaves up: each node is built anew of its rewritten parts, and
/// then becomes what the rule makes of it, if it makes anything.
///
/// ```
/// use rattleback_symbolic::{Expr, Function, Kind, Symbol, rewrite};
/// let x = Expr::from(Symbol::variable("x"));
/// let small = |e: &Expr| match e.kind() {
///     Kind::Function(Function::Sin, x) => Some(x[0].clone()),
///     _ => None,
/// };
/// assert_eq!(rewrite(&(x.sin().sin() + 1), small), &x + 1);
/// ```
pub fn rewrite(e: &Expr, rule: impl Fn(&Expr) -> Option<Expr>) -> Expr {
    let mut done: Map<Expr, Expr> = Map::default();
    for node in postorder(std::slice::from_ref(e), |_| true) {
        let rebuilt = node
            .kind()
            .rebuild(|c| done.get(c).unwrap_or(c).clone())
            .unwrap_or_else(|| node.clone());
        let value = rule(&rebuilt).unwrap_or(rebuilt);
        done.insert(node, value);
    }
    done.remove(e).unwrap_or_else(|| e.clone())
}

/// Replaces whole subexpressions (not only symbols) by others, at once.
pub fn replace_all(roots: &[Expr], table: &Map<Expr, Expr>) -> Vec<Expr> {
    if table.is_empty() {
        return roots.to_vec();
    }
    let mask = table.keys().fold(0, |m, e| m | e.0.mask);
    let unmasked = table.keys().any(|e| e.0.mask == 0);
    let touched = |e: &Expr| unmasked || e.0.mask & mask != 0;
    let mut done: Map<Expr, Expr> = table.clone();
    for e in visited(roots, |e| touched(e) && !table.contains_key(e)) {
        let new = e
            .kind()
            .rebuild(|c| done.get(c).unwrap_or(c).clone())
            .unwrap_or_else(|| e.clone());
        done.insert(e.clone(), new);
    }
    roots
        .iter()
        .map(|e| done.get(e).unwrap_or(e).clone())
        .collect()
}
