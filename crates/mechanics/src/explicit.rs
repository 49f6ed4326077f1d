//! Equations written out: linear solves eliminated where that stays small enough to read.

use crate::SlotRole;
use crate::equations::{Equations, Stage};
use rattleback_symbolic::{
    Budget, Cancel, Expr, Kind, Matrix, Role, Simplifier, Symbol, count_work, free_symbols,
    postorder, simplify, simplify_with, solve_within, substitute_all, uncounted, work_done,
};
use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Beyond this many unknowns or nodes a solved system is no longer something a person reads.
const MOST_UNKNOWNS: usize = 14;
const MOST_NODES: usize = 600;
/// What the simplification of one formula may cost: a derivation is to be there at once.
const READING_BUDGET: usize = 10_000;

impl Equations {
    /// The same equations with every stage that is small enough solved symbolically and everything
    /// simplified for reading. What remains in `stages` stays a solve.
    pub fn explicit(&self) -> Equations {
        let mut result = self.clone();
        result.stages.clear();
        let mut known: Vec<(Symbol, Expr)> = Vec::new();
        for stage in &self.stages {
            let stage = stage.with(&known);
            match stage.solved() {
                Some(solution) => known.extend(stage.unknowns().iter().cloned().zip(solution)),
                None => result.stages.push(stage),
            }
        }
        let reader = self.reader();
        result.stages = tidied(&result.stages, &reader);
        let all: Vec<Expr> = result.expressions_mut().map(|e| e.clone()).collect();
        let written_out = substitute_all(&all, &known);
        let simplified = on_all_cores(&written_out, |e| shortened(e, &reader));
        for (slot, value) in result.expressions_mut().zip(simplified) {
            *slot = value;
        }
        for quantity in result.stated_mut() {
            quantity.value = simplify(&quantity.value);
        }
        let all: Vec<Expr> = result.expressions_mut().map(|e| e.clone()).collect();
        result.conditions = conditions(&result.conditions, &all);
        result
    }

    /// The same equations with every solve left as it is stated, each entry simplified for reading. What the solves do
    /// not touch is taken from [`Equations::explicit`].
    pub fn stated(&self, explicit: &Equations) -> Equations {
        let unknowns: Vec<&Symbol> = self.stages.iter().flat_map(Stage::unknowns).collect();
        let is_open = |e: &Expr| unknowns.iter().any(|u| e.contains(u));
        let reader = self.reader();
        let rates = self.rates.iter().zip(&explicit.rates);
        let rates = rates.map(|(stated, solved)| match is_open(stated) {
            true => shortened(stated, &reader),
            false => solved.clone(),
        });
        let stages = tidied(&self.stages, &reader);
        let entries: Vec<Expr> = stages
            .iter()
            .flat_map(Stage::expressions)
            .cloned()
            .collect();
        Equations {
            rates: rates.collect(),
            multipliers: self.multipliers.clone(),
            conditions: conditions(&self.conditions, &entries),
            stages,
            ..explicit.clone()
        }
    }

    /// The same equations, nothing solved, each entry and each formula shortened.
    pub fn shortened(&self) -> Equations {
        let reader = self.reader();
        let mut result = self.clone();
        result.stages = tidied(&self.stages, &reader);
        let all: Vec<Expr> = result.expressions_mut().map(|e| e.clone()).collect();
        let short = on_all_cores(&all, |e| shortened(e, &reader));
        for (slot, value) in result.expressions_mut().zip(short) {
            *slot = value;
        }
        result
    }

    fn reader(&self) -> Simplifier {
        Simplifier {
            collect: self.collected(),
            budget: READING_BUDGET,
            binomials: true,
            ..Simplifier::default()
        }
    }

    /// The part of the state that formulas are collected in: derivatives and momenta.
    fn collected(&self) -> Vec<Symbol> {
        let slots = self.state.slots().iter();
        let is_momentum = |r: SlotRole| matches!(r, SlotRole::Momentum | SlotRole::Costate);
        let moving = slots.filter(|s| s.symbol.order() > 0 || is_momentum(s.role));
        moving.map(|s| s.symbol.clone()).collect()
    }
}

/// Every entry shortened; equal ones only once.
fn tidied(stages: &[Stage], reader: &Simplifier) -> Vec<Stage> {
    let all: Vec<Expr> = stages
        .iter()
        .flat_map(Stage::expressions)
        .cloned()
        .collect();
    let mut distinct: Vec<Expr> = Vec::new();
    let mut place: HashMap<Expr, usize> = HashMap::new();
    for e in all {
        place.entry(e).or_insert_with_key(|e| {
            distinct.push(e.clone());
            distinct.len() - 1
        });
    }
    let short = on_all_cores(&distinct, |e| shortened(e, reader));
    let of = |e: &Expr| {
        place
            .get(e)
            .map_or_else(|| e.clone(), |&i| short[i].clone())
    };
    stages
        .iter()
        .map(|stage| stage.map(|all| all.iter().map(of).collect()))
        .collect()
}

/// A shorter writing, unless it would divide zero by zero where the formula has a value.
fn shortened(e: &Expr, reader: &Simplifier) -> Expr {
    let short = simplify_with(e, reader);
    match agree_at_special_points(e, &short) {
        true => short,
        false => e.clone(),
    }
}

impl Stage {
    /// The stage with symbols replaced.
    fn with(&self, known: &[(Symbol, Expr)]) -> Stage {
        self.map(|e| substitute_all(e, known))
    }

    /// The solution, if the solve stays small.
    fn solved(&self) -> Option<Vec<Expr>> {
        let Stage::Linear {
            unknowns,
            matrix,
            rhs,
        } = self
        else {
            return None;
        };
        let nodes = postorder(&[matrix.entries(), rhs].concat(), |_| true).len();
        if unknowns.len() > MOST_UNKNOWNS || nodes > MOST_NODES {
            return None;
        }
        let solved = solve_within(matrix, &Matrix::column_vector(rhs), Budget::SMALL);
        match solved {
            Ok(solved) => Some(solved.solution.column(0)),
            Err(_) => divided(matrix, rhs),
        }
    }
}

/// The solution where the matrix is diagonal, whatever functions stand on the right.
fn divided(matrix: &Matrix, rhs: &[Expr]) -> Option<Vec<Expr>> {
    let n = rhs.len();
    let places = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let fits = |(i, j): (usize, usize)| (i == j) != matrix[(i, j)].is_zero();
    let is_diagonal = places.into_iter().all(fits);
    is_diagonal.then(|| (0..n).map(|i| &rhs[i] / &matrix[(i, i)]).collect())
}

/// Have two writings of one function the same value where all variables are 0, a quarter turn or a
/// half turn? There a rewrite with tan(x/2) or a cancelled factor would divide zero by zero.
fn agree_at_special_points(before: &Expr, after: &Expr) -> bool {
    let symbols = free_symbols(&[before.clone(), after.clone()]);
    let point = |angle: &Expr| -> Vec<(Symbol, Expr)> {
        let value = |s: &Symbol| match s.role() {
            Role::Constant => Expr::from(1),
            _ => angle.clone(),
        };
        symbols.iter().map(|s| (s.clone(), value(s))).collect()
    };
    [Expr::zero(), Expr::pi() / 2, Expr::pi()]
        .iter()
        .all(|angle| {
            let at = point(angle);
            let (b, a) = (before.substitute(&at), after.substitute(&at));
            b.is_undefined() || !a.is_undefined()
        })
}

/// Applies `f` to every item, the items shared out among the processor's cores.
fn on_all_cores(items: &[Expr], f: impl Fn(&Expr) -> Expr + Sync) -> Vec<Expr> {
    let next = AtomicUsize::new(0);
    let results: Vec<OnceLock<Expr>> = items.iter().map(|_| OnceLock::new()).collect();
    let cancel = Cancel::current();
    let done = AtomicU64::new(0);
    let work = || {
        let before = work_done();
        let open = |&i: &usize| i < items.len() && !cancel.is_cancelled();
        while let Some(i) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(open) {
            results[i].get_or_init(|| cancel.scope(|| f(&items[i])));
        }
        done.fetch_add(work_done() - before, Ordering::Relaxed);
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    // However the items are shared out, their sum is the caller's work.
    uncounted(|| {
        std::thread::scope(|scope| {
            for _ in 1..cores.min(items.len()) {
                scope.spawn(work);
            }
            work();
        });
    });
    count_work(done.into_inner());
    results
        .into_iter()
        .zip(items)
        .map(|(r, e)| r.into_inner().unwrap_or_else(|| e.clone()))
        .collect()
}

/// What must not vanish: the given functions and every denominator of `formulas`, as far as they
/// are not known to be different from zero. Pivots of a solve do not count: they come and go with
/// the order of elimination, the denominators of its result stay.
fn conditions(given: &[Expr], formulas: &[Expr]) -> Vec<Expr> {
    let mut all: Vec<Expr> = given.iter().map(simplify).collect();
    for node in postorder(formulas, |_| true) {
        if let Kind::Product(factors) = node.kind() {
            let below = factors.iter().filter(|(_, r)| r.is_negative());
            all.extend(below.map(|(b, _)| b.clone()));
        }
    }
    let mut factors: Vec<Expr> = all.iter().flat_map(vanishing_factors).collect();
    factors.sort_by_cached_key(ToString::to_string);
    let mut distinct: Vec<Expr> = Vec::new();
    for f in factors {
        // f and −f vanish together.
        if !distinct.contains(&f) && !distinct.contains(&-&f) {
            distinct.push(f);
        }
    }
    distinct
}

/// The factors of a function that may vanish, without powers and numbers.
fn vanishing_factors(f: &Expr) -> Vec<Expr> {
    let (_, core) = f.split_coefficient();
    let candidates = match core.kind() {
        Kind::Product(factors) => factors.iter().map(|(b, _)| b.clone()).collect(),
        _ => vec![core],
    };
    candidates
        .into_iter()
        .filter(|b| !b.is_nonvanishing())
        .collect()
}
