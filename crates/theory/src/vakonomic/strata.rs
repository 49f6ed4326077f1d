//! Families of motions that are both nonholonomic and vakonomic (VE-C26): invariant sets of
//! (z, v, μ) inside M μ = 0, found by splitting into factors and solving linear ones.

use super::comparison::Comparison;
use crate::exact::outermost;
use crate::exact::{small_point, tidy};
use crate::finding::search::{self, CutShort, Exhausted, Searched};
use crate::roots::square_root;
use crate::{Effort, Gap, Named, Reason};
use rattleback_symbolic::{
    Expr, Fact, Function, Kind, Map, Role, Sign, Symbol, Tape, facts_of, free_symbols,
    prove_all_zero, prove_zero, substitute_all,
};

/// A family: states given by equations, and the multipliers on it.
#[derive(Clone, Debug)]
pub struct Stratum {
    /// What holds on it: each symbol (position or velocity of D) equals its expression.
    pub equations: Vec<(Symbol, Expr)>,
    /// What must not vanish on it.
    pub conditions: Vec<Expr>,
    /// The multipliers on it; where `free` ones occur they are arbitrary at the start.
    pub multipliers: Vec<Expr>,
    /// Multipliers that are free at the start.
    pub free: Vec<Symbol>,
    /// Redundant positions by free parameters, on the family.
    pub on: Vec<(Symbol, Expr)>,
}

/// What the search found.
#[derive(Clone, Debug)]
pub struct Search {
    /// The families, states of rest aside.
    pub strata: Vec<Stratum>,
    /// Did every branch end?
    pub end: Result<Exhausted, CutShort>,
    /// Functions of the parameters that were taken not to vanish.
    pub cases: Vec<Expr>,
}

/// Sets explored before the search gives up.
const MOST_NODES: usize = 300;
/// Equations longer than this are not split.
const LONGEST: usize = 600;
/// Equations longer than this are not quoted.
const QUOTED: usize = 80;
/// Points at which a family may turn out to be real.
const SAMPLES: u64 = 40;

#[derive(Clone, Debug, Default)]
struct Node {
    /// Solved symbols; values contain no solved symbol.
    solved: Vec<(Symbol, Expr)>,
    nonzero: Vec<Expr>,
    /// What must vanish still.
    queue: Vec<Expr>,
}

/// A way to make an equation hold.
enum Branch {
    Solve(Symbol, Expr),
    Vanish(Vec<Expr>, Vec<Expr>),
}

/// All families that the splitting finds.
pub fn search(c: &Comparison, effort: Effort) -> Search {
    let mut stack = vec![Node {
        queue: c.residual(),
        nonzero: c.regular.clone(),
        ..Node::default()
    }];
    let mut cases: Vec<Expr> = Vec::new();
    let mut strata: Vec<Stratum> = Vec::new();
    let mut branches = search::Search::of(Searched::Branches, effort);
    let mut tidied = Tidied::default();
    let mut nodes = 0;
    while let Some(mut node) = stack.pop() {
        nodes += 1;
        if nodes > MOST_NODES {
            branches.leave_out(Gap::MostBranches.with("branches", MOST_NODES));
            break;
        }
        if !branches.goes_on() {
            break;
        }
        match step(c, &mut node, &mut cases, &mut branches, &mut tidied) {
            Step::Dead => {}
            Step::Closed => match stratum(c, &node) {
                Some(found) if found.is_real(c) => strata.push(found),
                Some(_) => {
                    branches.leave_out(Gap::FamilyNotReal);
                }
                None => {}
            },
            Step::Open(why) => {
                branches.leave_out(why);
            }
            Step::Split(children) => stack.extend(children.into_iter().rev()),
        }
    }
    Search {
        strata: maximal(strata),
        end: branches.finish(),
        cases,
    }
}

/// Formulas that were tidied already: branches share most of their equations.
#[derive(Default)]
struct Tidied(Map<Expr, Expr>);

impl Tidied {
    fn of(&mut self, e: &Expr) -> Expr {
        let known = self.0.entry(e.clone());
        known.or_insert_with(|| tidy(e)).clone()
    }
}

enum Step {
    Dead,
    Closed,
    Open(Reason),
    Split(Vec<Node>),
}

fn step(
    c: &Comparison,
    node: &mut Node,
    cases: &mut Vec<Expr>,
    search: &mut search::Search,
    tidied: &mut Tidied,
) -> Step {
    let mut open: Vec<Expr> = Vec::new();
    let vanishes = |e: &Expr| prove_all_zero(&c.freed(std::slice::from_ref(e)));
    for e in substitute_all(&node.queue, &node.solved) {
        // Most are settled as they stand; short forms take longer than proofs.
        let settled = vanishes(&e);
        if settled.is_proven() {
            continue;
        }
        let e = tidied.of(&e);
        if e.is_zero() || !settled.is_refuted() && vanishes(&e).is_proven() {
            continue;
        }
        if e.is_undefined() {
            return Step::Dead;
        }
        open.push(e);
    }
    let vanished = node.nonzero.iter().any(|f| {
        let here = f.substitute(&node.solved);
        here.is_undefined() || prove_all_zero(&c.freed(&[here])).is_proven()
    });
    if vanished {
        return Step::Dead;
    }
    let Some(at) = (0..open.len()).min_by_key(|&i| open[i].node_count()) else {
        return Step::Closed;
    };
    let equation = open.swap_remove(at);
    node.queue = open;
    if equation.node_count() > LONGEST {
        let gap = Gap::EquationTooLong.with("terms", equation.node_count());
        return Step::Open(gap.into());
    }
    let mut children = Vec::new();
    for factor in factors(&equation) {
        if node.nonzero.contains(&factor) || !factor.is_constant() && is_generic(c, &factor) {
            continue;
        }
        // No motion stays where a function of time alone vanishes.
        if factor.is_nonvanishing() || is_function_of_time(&factor) {
            continue;
        }
        if factor.is_constant() {
            // Generic parameters: a special value is a case of its own.
            if !cases.contains(&factor) {
                cases.push(factor);
            }
            continue;
        }
        match branches(c, node, &factor) {
            Ok(found) => children.extend(found.into_iter().map(|b| node.with(c, b))),
            Err(why) => {
                search.leave_out(why);
            }
        }
    }
    match children.is_empty() {
        true => Step::Dead,
        false => Step::Split(children),
    }
}

impl Node {
    fn with(&self, c: &Comparison, branch: Branch) -> Node {
        let mut node = self.clone();
        match branch {
            Branch::Solve(w, value) => {
                let value = tidy(&value);
                let pair = [(w.clone(), value.clone())];
                for (_, e) in &mut node.solved {
                    *e = tidy(&e.substitute(&pair));
                }
                // The set must be carried along: X(w − value) = 0.
                node.queue.extend(c.along(&[Expr::from(&w) - &value]));
                node.solved.push((w, value));
            }
            Branch::Vanish(zero, nonzero) => {
                node.queue.extend(zero);
                node.nonzero.extend(nonzero);
            }
        }
        node
    }
}

fn is_function_of_time(e: &Expr) -> bool {
    let symbols = e.free_symbols();
    let still = |s: &Symbol| matches!(s.role(), Role::Constant | Role::Time);
    symbols.iter().all(still) && symbols.iter().any(|s| s.role() == Role::Time)
}

/// Is it different from zero for generic parameters?
fn is_generic(c: &Comparison, e: &Expr) -> bool {
    e.is_nonvanishing()
        || e.is_constant() && !e.is_zero() && prove_zero(e).is_refuted()
        || !c.on.is_empty() && !vanishes_at_rest(c, e) && is_nonvanishing_on_groups(c, e)
}

fn is_nonvanishing_on_groups(c: &Comparison, e: &Expr) -> bool {
    tidy(&c.freed(std::slice::from_ref(e))[0]).is_nonvanishing()
}

/// Does it certainly vanish where velocities and multipliers do? That is where nothing is assumed of them.
fn vanishes_at_rest(c: &Comparison, e: &Expr) -> bool {
    let fibre: Vec<Symbol> = c.velocities.iter().chain(&c.multipliers).cloned().collect();
    let is_free = fibre.iter().all(|s| s.sign() == Sign::Unknown) && facts_of(&fibre).is_empty();
    let rest: Vec<(Symbol, Expr)> = fibre.into_iter().map(|s| (s, Expr::zero())).collect();
    is_free && e.substitute(&rest).is_zero()
}

/// The factors of a product in its numerator.
fn factors(e: &Expr) -> Vec<Expr> {
    let (_, core) = e.split_coefficient();
    match core.kind() {
        Kind::Product(items) => items
            .iter()
            .filter(|(_, r)| !r.is_negative())
            .map(|(b, _)| b.clone())
            .collect(),
        _ => vec![core],
    }
}

/// The ways in which a factor vanishes.
fn branches(c: &Comparison, node: &Node, g: &Expr) -> Result<Vec<Branch>, Reason> {
    if let Some(zeros) = definite(c, g) {
        return Ok(zeros);
    }
    let unsolved = |s: &&Symbol| node.solved.iter().all(|(w, _)| w != *s);
    let mut best: Option<(bool, usize, Symbol, Expr, Expr)> = None;
    for w in c.multipliers.iter().chain(&c.velocities).filter(unsolved) {
        let Ok(parts) = g.coefficients(w) else {
            continue;
        };
        let [rest, slope] = parts.as_slice() else {
            continue;
        };
        let slope = tidy(slope);
        let doubtful = factors(&slope)
            .iter()
            .any(|f| !is_generic(c, f) && !node.nonzero.contains(f));
        let key = (doubtful, slope.node_count());
        if best.as_ref().is_none_or(|b| key < (b.0, b.1)) {
            best = Some((key.0, key.1, w.clone(), slope, rest.clone()));
        }
    }
    if let Some((doubtful, _, w, slope, rest)) = best {
        let value = -(&rest / &slope);
        if !doubtful {
            return Ok(vec![Branch::Solve(w, value)]);
        }
        // Where the slope does not vanish g = 0 is solved for w; else both parts vanish.
        let regular = Branch::Vanish(vec![Expr::from(&w) - &value], factors(&slope));
        return Ok(vec![regular, Branch::Vanish(vec![slope, rest], Vec::new())]);
    }
    let quadratic = c
        .velocities
        .iter()
        .filter(unsolved)
        .find_map(|w| roots(c, g, w));
    if let Some(found) = quadratic {
        return Ok(found);
    }
    position_zeros(c, node, g).ok_or_else(|| match g.node_count() {
        terms if terms > QUOTED => Gap::LongEquationNotSolved.with("terms", terms).into(),
        _ => Gap::EquationNotSolved.with("equation", g).into(),
    })
}

/// A sum of squares of velocities (or multipliers) with coefficients of one sign vanishes where all
/// of them do, and nowhere if a constant of that sign is added.
fn definite(c: &Comparison, g: &Expr) -> Option<Vec<Branch>> {
    let fibre: Vec<Symbol> = c.velocities.iter().chain(&c.multipliers).cloned().collect();
    let present: Vec<Symbol> = fibre.into_iter().filter(|s| g.contains(s)).collect();
    if present.is_empty() || g.degree(&present)? != 2 {
        return None;
    }
    let rest: Vec<(Symbol, Expr)> = present.iter().map(|s| (s.clone(), Expr::zero())).collect();
    let slopes: Vec<Expr> = g.gradient(&present);
    if !prove_all_zero(&substitute_all(&slopes, &rest)).is_proven() {
        return None;
    }
    let mut signs = Vec::new();
    for (i, slope) in slopes.iter().enumerate() {
        for (j, curvature) in slope.gradient(&present).iter().enumerate() {
            let curvature = tidy(curvature);
            if i == j {
                signs.push(curvature.sign());
            } else if !curvature.is_zero() {
                return None;
            }
        }
    }
    let constant = tidy(&g.substitute(&rest));
    let first = *signs.first()?;
    if !first.is_nonzero() || signs.iter().any(|s| *s != first) {
        return None;
    }
    if constant.is_zero() {
        let zeros: Vec<Expr> = present.iter().map(Expr::from).collect();
        return Some(vec![Branch::Vanish(zeros, Vec::new())]);
    }
    (constant.sign() == first).then(Vec::new)
}

/// Both roots of an equation quadratic in a velocity with a leading coefficient that does not vanish.
fn roots(c: &Comparison, g: &Expr, w: &Symbol) -> Option<Vec<Branch>> {
    let parts = g.coefficients(w).ok()?;
    let [constant, b, a] = parts.as_slice() else {
        return None;
    };
    if !is_generic(c, a) {
        return None;
    }
    let root = square_root(&tidy(&(b.powi(2) - 4 * a * constant)));
    let value = |sign: i64| (sign * &root - b) / (2 * a);
    Some(vec![
        Branch::Solve(w.clone(), value(1)),
        Branch::Solve(w.clone(), value(-1)),
    ])
}

/// sin q = 0, cos q = 0, or an equation linear in one coordinate.
fn position_zeros(c: &Comparison, node: &Node, g: &Expr) -> Option<Vec<Branch>> {
    let solve = |q: &Symbol, value: Expr| Branch::Solve(q.clone(), value);
    let free = |q: &Symbol| {
        let known = node.solved.iter().chain(&c.on).any(|(w, _)| w == q);
        c.positions.contains(q) && !known
    };
    if let Kind::Function(f, x) = g.kind()
        && let Some(q) = x[0].as_symbol().filter(|q| free(q))
    {
        if !c.is_periodic(q) {
            return None;
        }
        return match f {
            Function::Sin => Some(vec![solve(q, Expr::zero()), solve(q, Expr::pi())]),
            Function::Cos => Some(vec![solve(q, Expr::pi() / 2), solve(q, -Expr::pi() / 2)]),
            _ => None,
        };
    }
    for q in c.positions.iter().filter(|q| free(q)) {
        if let Ok(parts) = g.coefficients(q)
            && let [rest, slope] = parts.as_slice()
            && is_generic(c, slope)
        {
            return Some(vec![solve(q, -(rest / slope))]);
        }
    }
    None
}

/// The family of a closed node; none for states of rest.
fn stratum(c: &Comparison, node: &Node) -> Option<Stratum> {
    let value = |s: &Symbol| Expr::from(s).substitute(&node.solved);
    let moving = c.velocity.iter().any(|e| {
        let here = c.freed(&[e.substitute(&node.solved)]);
        !prove_all_zero(&here).is_proven()
    });
    if !moving {
        return None;
    }
    let is_multiplier = |s: &Symbol| c.multipliers.contains(s);
    let multipliers: Vec<Expr> = c.multipliers.iter().map(value).collect();
    Some(Stratum {
        equations: node
            .solved
            .iter()
            .filter(|(s, _)| !is_multiplier(s))
            .cloned()
            .collect(),
        conditions: conditions(c, node),
        free: c
            .multipliers
            .iter()
            .filter(|s| multipliers.iter().any(|e| e.contains(s)))
            .cloned()
            .collect(),
        multipliers,
        on: c.on.clone(),
    })
}

/// What may still vanish of what must not, on the family; places where the system itself is
/// degenerate are not repeated.
fn conditions(c: &Comparison, node: &Node) -> Vec<Expr> {
    let mut all: Vec<Expr> = Vec::new();
    for f in node.nonzero.iter().filter(|f| !c.regular.contains(f)) {
        for g in factors(&tidy(&f.substitute(&node.solved))) {
            if !is_generic(c, &g) && !all.contains(&g) {
                all.push(g);
            }
        }
    }
    all
}

/// Has a value this sign?
fn holds(x: f64, sign: Sign) -> bool {
    match sign {
        Sign::Positive => x > 0.0,
        Sign::NonNegative => x >= 0.0,
        Sign::Negative => x < 0.0,
        Sign::NonPositive => x <= 0.0,
        Sign::NonZero => x != 0.0,
        Sign::Unknown => true,
    }
}

/// Drops families inside others.
pub(super) fn maximal(strata: Vec<Stratum>) -> Vec<Stratum> {
    let inside = |a: &Stratum, b: &Stratum| {
        let gaps: Vec<Expr> = b
            .equations
            .iter()
            .map(|(s, e)| (Expr::from(s) - e).substitute(&a.equations))
            .collect();
        b.equations.len() <= a.equations.len() && prove_all_zero(&gaps).is_proven()
    };
    outermost(strata, inside)
}

impl Stratum {
    /// Is there a state of the family with real coordinates that satisfies what is assumed, for the parameters of the
    /// model? Roots of equations may all be complex, and solutions outside the domain.
    fn is_real(&self, c: &Comparison) -> bool {
        let (solved, values): (Vec<Symbol>, Vec<Expr>) = self.equations.iter().cloned().unzip();
        let signs = solved.iter().map(|s| Fact::new(Expr::from(s), s.sign()));
        let facts: Vec<Fact> = signs.chain(facts_of(&solved)).collect();
        let assumed: Vec<Expr> = facts.iter().map(|f| f.expression().clone()).collect();
        let all = [values, assumed].concat();
        let values = c.freed(&substitute_all(&all, &self.equations));
        let names = free_symbols(&values);
        let Ok(tape) = Tape::new(&names, &values) else {
            return false;
        };
        (0..SAMPLES).any(|k| {
            let Some(small) = small_point(&names, k) else {
                return false;
            };
            let point: Vec<f64> = small[..names.len()]
                .iter()
                .map(|(s, small)| {
                    let known = c.parameters.iter().find(|(p, _)| p == s);
                    known.map_or_else(|| small.to_f64(), |(_, x)| *x)
                })
                .collect();
            let found = tape.evaluate(&point);
            let held = found[solved.len()..].iter().zip(&facts);
            found.iter().all(|x| x.is_finite())
                && held.into_iter().all(|(x, f)| holds(*x, f.sign()))
        })
    }

    /// Is the family carried along by the motion, with its multipliers? The certificate.
    pub fn defects(&self, c: &Comparison) -> Vec<Expr> {
        let mut known = self.equations.clone();
        for (s, e) in c.multipliers.iter().zip(&self.multipliers) {
            if Expr::from(s) != *e {
                known.push((s.clone(), e.clone()));
            }
        }
        let gaps: Vec<Expr> = known.iter().map(|(s, e)| Expr::from(s) - e).collect();
        let all = [c.residual(), c.along(&gaps)].concat();
        substitute_all(&substitute_all(&all, &known), &self.on)
    }
}
