//! Families of common motions on invariant sets with simple equations: velocities that vanish, angles
//! at quarter turns or equal to each other, entries of group elements that vanish.
//!
//! Splitting M μ = 0 into factors ends where the formulas are long. Here a set is tried as a whole: it
//! is kept if the motion carries it along and, by Taylor series at a random state of it, the conditions
//! on μ are consistent there; then the comparison on it is decided as for a system of its own.

use super::comparison::Comparison;
use super::prolongation::{Admissible, Outcome, generic};
use super::series::{Answer, Conditions};
use super::strata::Stratum;
use crate::Effort;
use crate::exact::tidy;
use rattleback_symbolic::{
    Expr, Function, Kind, Matrix, Set, Symbol, free_symbols, inverse, postorder, prove_all_zero,
    prove_zero, together,
};

/// Sets that are looked at before the search gives up.
const MOST_CELLS: usize = 800;
/// Families after which the search is content.
const MOST_FAMILIES: usize = 6;
/// Equations that a set may have.
const MOST_EQUATIONS: usize = 12;

/// A symbol and the value it is given.
type Move = (Symbol, Expr);

/// A set of states.
#[derive(Clone, Debug)]
struct Cell {
    /// The moves that led here, by number.
    moves: Vec<usize>,
    /// What holds; values contain no symbol that has one.
    fixed: Vec<(Symbol, Expr)>,
    /// Redundant positions by free parameters.
    on: Vec<(Symbol, Expr)>,
}

/// All families that are found.
pub(super) fn search(c: &Comparison, effort: Effort) -> Vec<Stratum> {
    let moves = moves(c);
    let first = Cell {
        moves: Vec::new(),
        fixed: Vec::new(),
        on: c.on.clone(),
    };
    // Sets that the motion carries along come first: their subsets are the most promising.
    let (mut carried, mut others) = (vec![first], Vec::new());
    let mut seen: Set<Vec<usize>> = Set::default();
    let mut found = Vec::new();
    let mut looked = 0;
    while let Some((cell, escape)) = carried
        .pop()
        .map(carried_along)
        .or_else(|| next(&mut others))
    {
        if looked >= MOST_CELLS || found.len() >= MOST_FAMILIES || effort.is_spent() {
            break;
        }
        for (k, step) in moves.iter().enumerate() {
            // Only a symbol that occurs in a rate that leads out can stop it.
            if escape.as_ref().is_some_and(|e| !touches(c, e, &step.0)) || effort.is_spent() {
                continue;
            }
            let mut path = [cell.moves.as_slice(), &[k]].concat();
            path.sort_unstable();
            if path.len() > MOST_EQUATIONS || !seen.insert(path.clone()) {
                continue;
            }
            let Some(child) = cell.with(step, path) else {
                continue;
            };
            looked += 1;
            if let Some(rate) = child.escape(c) {
                others.push((child, rate));
                continue;
            }
            match child.judge(c, effort) {
                Judged::Family(stratum) => found.push(*stratum),
                Judged::Nothing => {}
                Judged::Open => carried.push(child),
            }
        }
    }
    found
}

/// A cell that no rate leads out of.
fn carried_along(cell: Cell) -> (Cell, Option<Expr>) {
    (cell, None)
}

/// The cell with the fewest equations, and the rate that leads out of it.
fn next(cells: &mut Vec<(Cell, Expr)>) -> Option<(Cell, Option<Expr>)> {
    let at = (0..cells.len()).min_by_key(|&i| cells[i].0.moves.len())?;
    let (cell, rate) = cells.swap_remove(at);
    Some((cell, Some(rate)))
}

/// Does a function depend on a symbol, a redundant position counting with all of its kind?
fn touches(c: &Comparison, e: &Expr, s: &Symbol) -> bool {
    let redundant = |x: &Symbol| c.on.iter().any(|(w, _)| w == x);
    e.contains(s) || redundant(s) && e.free_symbols().iter().any(redundant)
}

/// Velocities that may vanish, and special values of the positions that the motion sees.
fn moves(c: &Comparison) -> Vec<Move> {
    let seen = [
        &c.rates[c.positions.len()..],
        c.turning.entries(),
        c.transport.entries(),
        &c.reactions,
    ]
    .concat();
    let occurring = free_symbols(&seen);
    let circular = angles(&seen);
    let mut all: Vec<Move> = c
        .velocities
        .iter()
        .map(|v| (v.clone(), Expr::zero()))
        .collect();
    let positions: Vec<&Symbol> = c
        .positions
        .iter()
        .filter(|q| occurring.contains(q))
        .collect();
    for (i, q) in positions.iter().enumerate() {
        if !circular.contains(*q) {
            all.push(((*q).clone(), Expr::zero()));
            continue;
        }
        let half = Expr::pi() / 2;
        let quarters = [Expr::zero(), half.clone(), Expr::pi(), -half];
        all.extend(quarters.map(|value| ((*q).clone(), value)));
        // What comes last is tried first.
        for p in positions[..i].iter().filter(|p| circular.contains(**p)) {
            all.push(((*q).clone(), Expr::from(*p) + Expr::pi()));
            all.push(((*q).clone(), Expr::from(*p)));
        }
    }
    all
}

/// Symbols inside sines and cosines.
fn angles(all: &[Expr]) -> Vec<Symbol> {
    let circular = |e: &Expr| match e.kind() {
        Kind::Function(Function::Sin | Function::Cos, x) => Some(x[0].clone()),
        _ => None,
    };
    let arguments: Vec<Expr> = postorder(all, |_| true)
        .iter()
        .filter_map(circular)
        .collect();
    free_symbols(&arguments)
}

enum Judged {
    Family(Box<Stratum>),
    /// Nothing moves, or the system itself is degenerate there.
    Nothing,
    /// The conditions contradict each other at generic states of the set, or nothing is known.
    Open,
}

impl Cell {
    /// The part of the set where one thing more holds; `None` if it holds already, or never, or
    /// cannot be solved for.
    fn with(&self, (symbol, value): &Move, moves: Vec<usize>) -> Option<Self> {
        let value = value.substitute(&self.fixed);
        if self.fixed.iter().any(|(s, _)| s == symbol) || value.contains(symbol) {
            return None;
        }
        let mut cell = self.clone();
        cell.moves = moves;
        let Some((_, here)) = self.on.iter().find(|(s, _)| s == symbol) else {
            let pair = [(symbol.clone(), value.clone())];
            for (_, e) in &mut cell.fixed {
                *e = e.substitute(&pair);
            }
            cell.fixed.push((symbol.clone(), value));
            return Some(cell);
        };
        let pair = [parameter_where(&(here - &value))?];
        for (_, e) in &mut cell.on {
            *e = together(&e.substitute(&pair));
        }
        // Entries that are constant now are equations too.
        cell.fixed = self.fixed.clone();
        for (s, e) in &cell.on {
            let known = cell.fixed.iter().any(|(w, _)| w == s);
            if e.as_number().is_some() && !known {
                cell.fixed.push((s.clone(), e.clone()));
            }
        }
        Some(cell)
    }

    /// The rate with which the motion leaves the set, if it does.
    fn escape(&self, c: &Comparison) -> Option<Expr> {
        let rate = |(s, e): &(Symbol, Expr)| {
            let rate = c.along(&[Expr::from(s) - e]).swap_remove(0);
            rate.substitute(&self.fixed)
        };
        // One after the other: the first one often leads out.
        let mut rates = self.fixed.iter().map(rate);
        rates.find(|e| !prove_zero(&e.substitute(&self.on)).is_proven())
    }

    fn judge(&self, c: &Comparison, effort: Effort) -> Judged {
        let gone = |f: &Expr| {
            let here = f.substitute(&self.fixed).substitute(&self.on);
            here.is_undefined() || prove_zero(&here).is_proven()
        };
        if c.velocity.iter().all(gone) || c.regular.iter().any(gone) {
            return Judged::Nothing;
        }
        let here = c.within(&self.fixed, &self.on);
        let consistent = Conditions::of(&here)
            .and_then(|all| all.generic(effort))
            .is_some_and(|answer| matches!(answer, Answer::Consistent { .. }));
        if !consistent {
            return Judged::Open;
        }
        match generic(&here, effort) {
            Outcome::Consistent(found) => self
                .stratum(c, &found)
                .map_or(Judged::Open, |s| Judged::Family(Box::new(s))),
            _ => Judged::Open,
        }
    }

    /// The family with its multipliers, proven.
    fn stratum(&self, c: &Comparison, found: &Admissible) -> Option<Stratum> {
        let (multipliers, free) = by_free_multipliers(&c.multipliers, found)?;
        let stratum = Stratum {
            equations: self.fixed.clone(),
            conditions: found.conditions.clone(),
            multipliers,
            free,
            on: self.on.clone(),
        };
        prove_all_zero(&stratum.defects(c))
            .is_proven()
            .then_some(stratum)
    }
}

/// A free parameter and its value where an equation holds that is linear in it.
fn parameter_where(e: &Expr) -> Option<(Symbol, Expr)> {
    let above = numerator(&together(e));
    let mut best: Option<(usize, Symbol, Expr)> = None;
    for s in above.free_symbols() {
        let Ok(parts) = above.coefficients(&s) else {
            continue;
        };
        let [rest, slope] = parts.as_slice() else {
            continue;
        };
        let size = slope.node_count();
        if best.as_ref().is_none_or(|b| size < b.0) {
            best = Some((size, s, tidy(&-(rest / slope))));
        }
    }
    best.map(|(_, s, value)| (s, value))
}

/// The factors of a product that are not below the line.
fn numerator(e: &Expr) -> Expr {
    let (_, core) = e.split_coefficient();
    let Kind::Product(items) = core.kind() else {
        return core;
    };
    Expr::power_product(items.iter().filter(|(_, r)| !r.is_negative()).cloned())
}

/// μ as functions of those multipliers that may be chosen: with the directions as rows of D and columns
/// F of it that are independent, μ = p + Dᵀ D_F⁻ᵀ (μ_F − p_F).
fn by_free_multipliers(names: &[Symbol], found: &Admissible) -> Option<(Vec<Expr>, Vec<Symbol>)> {
    let k = found.directions.len();
    if k == 0 {
        return Some((found.point.clone(), Vec::new()));
    }
    let all = Matrix::from_rows(&found.directions);
    let rows: Vec<usize> = (0..k).collect();
    let columns = independent_columns(&found.directions)?;
    let weights = inverse(&all.select(&rows, &columns).transpose())
        .ok()?
        .solution;
    let gap: Vec<Expr> = columns
        .iter()
        .map(|&s| Expr::from(&names[s]) - &found.point[s])
        .collect();
    let moved = all.transpose().apply(&weights.apply(&gap));
    let mut mu: Vec<Expr> = found
        .point
        .iter()
        .zip(&moved)
        .map(|(p, d)| tidy(&(p + d)))
        .collect();
    let free: Vec<Symbol> = columns.iter().map(|&s| names[s].clone()).collect();
    for (&s, name) in columns.iter().zip(&free) {
        mu[s] = Expr::from(name);
    }
    Some((mu, free))
}

/// Columns in which the directions are independent.
fn independent_columns(directions: &[Vec<Expr>]) -> Option<Vec<usize>> {
    let mut span = rattleback_geometry::Span::default();
    for d in directions {
        span.insert(d).ok()?;
    }
    let columns = span.pivots();
    (columns.len() == directions.len()).then_some(columns)
}
