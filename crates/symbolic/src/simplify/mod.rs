//! Simplification for reading: candidate forms are made, the shortest one that is proven equal wins.

mod angles;
mod atoms;
mod binomials;
mod budget;
mod cost;
mod divisor;
mod expand_angles;
mod exponentials;
mod factor;
mod memory;
mod monomial;
mod occurrence;
mod quotient;
mod radicals;
mod terms;
mod workspace;

pub use exponentials::merge_exponentials;

use crate::hash::{Map, Set};
use crate::node::Kind;
use crate::walk::postorder;
use crate::{Expr, Symbol, fingerprint, work};
use cost::Costs;
use workspace::{Effort, Workspace};

/// What simplification aims at, and how much work it may do.
///
/// ```
/// use rattleback_symbolic::{Expr, Simplifier, Symbol, simplify_with};
/// let (a, b, x) = (Symbol::constant("a"), Symbol::constant("b"), Symbol::variable("x"));
/// let e = Expr::from(&a) * &x + Expr::from(&b) * &x + Expr::from(&a) * &b;
/// let collected = simplify_with(&e, &Simplifier { collect: vec![x], ..Simplifier::default() });
/// assert_eq!(collected.to_string(), "(a + b)*x + a*b");
/// ```
#[derive(Clone, Debug)]
pub struct Simplifier {
    /// Symbols to collect in besides the time derivatives: body velocities, multipliers.
    pub collect: Vec<Symbol>,
    /// How many operations on terms may be spent on one candidate form; some
    /// [`Simplifier::ROUNDS`] times as many altogether.
    pub budget: usize,
    /// Expressions with more nodes are returned as they are.
    pub max_nodes: usize,
    /// Look for squares and binomial factors that hide in longer sums. They break up coefficients that other formulas may
    /// have in common.
    pub binomials: bool,
}

impl Simplifier {
    /// Full budgets that one expression may use up before the best form so far is taken.
    pub const ROUNDS: usize = 4;
}

impl Default for Simplifier {
    fn default() -> Self {
        Simplifier {
            collect: Vec::new(),
            budget: 5_000,
            max_nodes: 3_000,
            binomials: false,
        }
    }
}

/// A shorter way to write `e`, the same wherever both are defined.
///
/// ```
/// use rattleback_symbolic::{Expr, Symbol, simplify};
/// let (m, r, x) = (Symbol::constant("m"), Symbol::constant("r"), Symbol::variable("x"));
/// let (m, r, x) = (Expr::from(m), Expr::from(r), Expr::from(x));
/// let e = &m * x.sin().powi(2) + &m * x.cos().powi(2);
/// assert_eq!(simplify(&e), m);
/// assert_eq!(simplify(&(&m * r.powi(2) + 2 * &m * &r + &m)).to_string(), "m*(r + 1)^2");
/// ```
pub fn simplify(e: &Expr) -> Expr {
    simplify_with(e, &Simplifier::default())
}

/// [`simplify_with`] for several expressions; those that differ by a monomial factor share the work.
///
/// ```
/// use rattleback_symbolic::{Expr, Simplifier, Symbol, simplify_all};
/// let (m, x) = (Expr::from(Symbol::constant("m")), Expr::from(Symbol::variable("x")));
/// let long = x.sin().powi(2) + x.cos().powi(2) + &x;
/// let short = simplify_all(&[long.clone(), &m * &long], &Simplifier::default());
/// assert_eq!(short[1].to_string(), "m*(x + 1)");
/// ```
pub fn simplify_all(all: &[Expr], how: &Simplifier) -> Vec<Expr> {
    let mut done: Map<Expr, Expr> = Map::default();
    all.iter()
        .map(|e| {
            let (monomial, core) = without_monomial(e);
            let short = done
                .entry(core)
                .or_insert_with_key(|core| simplify_with(core, how));
            monomial * &*short
        })
        .collect()
}

/// `e` as a number times powers of symbols, and the rest.
fn without_monomial(e: &Expr) -> (Expr, Expr) {
    let (c, core) = e.split_coefficient();
    let Kind::Product(factors) = core.kind() else {
        return (c.into(), core);
    };
    let (symbols, rest): (Vec<_>, Vec<_>) = factors
        .iter()
        .cloned()
        .partition(|(b, _)| b.as_symbol().is_some());
    let monomial = Expr::power_product(symbols) * Expr::from(c);
    (monomial, Expr::power_product(rest))
}

/// [`simplify`] with aims and limits.
pub fn simplify_with(e: &Expr, how: &Simplifier) -> Expr {
    match is_plain(e) || e.node_count() > how.max_nodes {
        true => e.clone(),
        false => memory::recalled(e, how, || search(e, how)),
    }
}

fn search(e: &Expr, how: &Simplifier) -> Expr {
    let mut search = Search {
        how,
        costs: Costs::new(&how.collect),
        settled: Set::default(),
        left: how.budget.saturating_mul(Simplifier::ROUNDS),
    };
    let mut best = e.clone();
    // Merging angles makes new arguments, which may be simplified in turn.
    for _ in 0..MAX_ROUNDS {
        let next = search.inside_out(&best);
        if next == best {
            break;
        }
        best = next;
    }
    best
}

const MAX_ROUNDS: usize = 4;
/// A formula this long (some lines) is rearranged as a whole only once.
const LONG: u64 = 400;
/// One that fills pages, not even once.
const HUGE: u64 = 20_000;

struct Search<'a> {
    how: &'a Simplifier,
    costs: Costs,
    /// Expressions that have no shorter form among their candidates.
    settled: Set<Expr>,
    /// Operations still allowed.
    left: usize,
}

impl Search<'_> {
    /// Simplifies arguments and radicands before what contains them.
    fn inside_out(&mut self, e: &Expr) -> Expr {
        let nodes = postorder(std::slice::from_ref(e), |_| true);
        let mut separate: Set<&Expr> = Set::default();
        separate.insert(e);
        for node in &nodes {
            match node.kind() {
                Kind::Function(_, x) => separate.extend(x),
                Kind::Product(factors) => {
                    let roots = factors.iter().filter(|(_, r)| !r.is_integer());
                    separate.extend(roots.map(|(b, _)| b));
                }
                _ => {}
            }
        }
        let mut done: Map<&Expr, Expr> = Map::default();
        for node in &nodes {
            let mut value = node
                .kind()
                .rebuild(|c| done.get(c).unwrap_or(c).clone())
                .unwrap_or_else(|| node.clone());
            if separate.contains(node) {
                value = self.shortest(&value);
            }
            done.insert(node, value);
        }
        done.remove(e).unwrap_or_else(|| e.clone())
    }

    /// The shortest form reachable by better and better candidates.
    fn shortest(&mut self, e: &Expr) -> Expr {
        let mut best = e.clone();
        let mut effort = if self.costs.of(e) > HUGE {
            Effort::InPlace
        } else {
            Effort::All
        };
        while !is_plain(&best) && !self.settled.contains(&best) {
            match self.shorter(&best, effort) {
                Some(shorter) => best = shorter,
                None => _ = self.settled.insert(best.clone()),
            }
            if self.costs.of(&best) > LONG {
                effort = Effort::InPlace;
            }
        }
        best
    }

    /// The shortest candidate, if it is shorter than `e`.
    ///
    /// Candidates depend on `e` alone, so that simplifying once more changes nothing.
    fn shorter(&mut self, e: &Expr, effort: Effort) -> Option<Expr> {
        if self.left == 0 || work::cancelled() {
            return None;
        }
        let least = self.costs.of(e);
        let mut workspace = Workspace::new(&mut self.costs, self.how);
        let candidates = workspace.candidates(e, effort);
        self.left = self.left.saturating_sub(workspace.spent);
        let mut better: Vec<(u64, Expr)> = candidates
            .into_iter()
            .map(|c| (self.costs.of(&c), c))
            .filter(|(cost, _)| *cost < least)
            .collect();
        better.sort_by_key(|(cost, _)| *cost);
        // Each candidate comes from exact rules; the check keeps a mistake in them from spreading.
        let mut better = better.into_iter().map(|(_, c)| c);
        better.find(|c| same_value(e, c))
    }
}

fn is_plain(e: &Expr) -> bool {
    matches!(
        e.kind(),
        Kind::Number(_) | Kind::Symbol(_) | Kind::Pi | Kind::Undefined
    )
}

/// Do both have the same value at a random point of a prime field?
fn same_value(a: &Expr, b: &Expr) -> bool {
    match fingerprint(&[a.clone(), b.clone()]) {
        Some(values) => values[0] == values[1],
        None => false,
    }
}
