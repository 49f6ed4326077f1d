//! Functions from which an ansatz is made: factors of given expressions, and monomials.

use rattleback_geometry::Frame;
use rattleback_symbolic::{
    Budget, Expr, Function, Kind, Role, Symbol, normalize_within, postorder,
};

/// Does the expression change on the configuration space?
fn moves(e: &Expr) -> bool {
    e.free_symbols().iter().any(|s| s.role() == Role::Variable)
}

/// The distinct factors, powers and constants aside, of the expressions as written, in lowest terms and
/// simplified; and the sines, cosines and symbols in them that are factors of a factor.
pub(crate) fn factors_of(all: &[Expr]) -> Vec<Expr> {
    let mut found: Vec<Expr> = Vec::new();
    for e in all {
        let lowest = normalize_within(e, Budget::SMALL);
        for form in std::iter::once(e.clone()).chain(lowest) {
            // A sum may hide a factor that simplification brings out.
            let bases = bases(&super::tidy(&form));
            for b in bases.iter().flat_map(|b| self::bases(&super::tidy(b))) {
                let plain = !matches!(b.kind(), Kind::Function(Function::Exp, _));
                // A sum of fractions comes again over its common denominator.
                let new = !found.contains(&b) && !found.contains(&-&b);
                if plain && new && moves(&b) && !has_denominator(&b) {
                    found.push(b);
                }
            }
        }
    }
    let split: Vec<Expr> = found.iter().flat_map(split_by_atoms).collect();
    for e in split {
        if !found.contains(&e) {
            found.push(e);
        }
    }
    found
}

/// The bases of the powers that an expression is a product of.
fn bases(e: &Expr) -> Vec<Expr> {
    let (_, core) = e.split_coefficient();
    let base = |b: &Expr| match b.kind() {
        Kind::Function(Function::Power, x) => x[0].clone(),
        _ => b.clone(),
    };
    match core.kind() {
        Kind::Product(factors) => factors.iter().map(|(b, _)| base(b)).collect(),
        _ => vec![base(&core)],
    }
}

/// b = a·c for a sine, cosine or symbol a at whose zeros b vanishes: both factors.
fn split_by_atoms(b: &Expr) -> Vec<Expr> {
    let mut parts = Vec::new();
    let mut rest = b.clone();
    for atom in atoms(std::slice::from_ref(b)) {
        let Some(quotient) = normalize_within(&(&rest / &atom), Budget::SMALL) else {
            continue;
        };
        if !has_denominator(&quotient) && quotient != rest {
            parts.push(atom);
            rest = quotient;
        }
    }
    if !parts.is_empty() && moves(&rest) {
        parts.push(super::tidy(&rest));
    }
    parts
}

fn has_denominator(e: &Expr) -> bool {
    postorder(std::slice::from_ref(e), |_| true)
        .iter()
        .any(|node| match node.kind() {
            Kind::Product(factors) => factors.iter().any(|(b, r)| r.is_negative() && moves(b)),
            _ => false,
        })
}

/// The variables, and the sines and cosines of variables, that occur.
fn atoms(all: &[Expr]) -> Vec<Expr> {
    let is_atom = |e: &Expr| match e.kind() {
        Kind::Symbol(s) => s.role() == Role::Variable,
        Kind::Function(Function::Sin | Function::Cos, x) => {
            x[0].as_symbol().is_some_and(|s| s.role() == Role::Variable)
        }
        _ => false,
    };
    postorder(all, |_| true)
        .into_iter()
        .filter(is_atom)
        .collect()
}

/// Monomials in the coordinates of a frame up to a degree: symbols on the line, sines and cosines of
/// those that `circular` says so, entries of groups. The constant 1 comes first.
pub(crate) fn monomials(
    coordinates: &[Symbol],
    circular: impl Fn(&Symbol) -> bool,
    degree: usize,
    most: usize,
) -> Vec<Expr> {
    let mut generators: Vec<Expr> = Vec::new();
    for s in coordinates {
        let e = Expr::from(s);
        if circular(s) {
            generators.extend([e.cos(), e.sin()]);
        } else {
            generators.push(e);
        }
    }
    let mut all = vec![(Expr::one(), 0)];
    let mut level = all.clone();
    for _ in 0..degree {
        let mut next = Vec::new();
        for (monomial, from) in &level {
            for (k, g) in generators.iter().enumerate().skip(*from) {
                let product = monomial * g;
                // sin² is 1 − cos².
                let repeated_sine = matches!(g.kind(), Kind::Function(Function::Sin, _))
                    && is_divisible(monomial, g);
                if !repeated_sine {
                    next.push((product, k));
                }
            }
        }
        all.extend(next.iter().cloned());
        level = next;
        if all.len() > most {
            break;
        }
    }
    all.truncate(most);
    all.into_iter().map(|(e, _)| e).collect()
}

fn is_divisible(monomial: &Expr, by: &Expr) -> bool {
    match monomial.kind() {
        Kind::Product(factors) => factors.iter().any(|(b, _)| b == by),
        _ => monomial == by,
    }
}

/// All sets of so many of these, as far as they are few enough to try.
pub(crate) fn choices(from: &[usize], size: usize) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    let mut stack = vec![(0, Vec::new())];
    while let Some((next, chosen)) = stack.pop() {
        if chosen.len() == size {
            found.push(chosen);
        } else if next < from.len() && found.len() < MOST_CHOICES {
            stack.push((next + 1, chosen.clone()));
            stack.push((next + 1, [chosen, vec![from[next]]].concat()));
        }
    }
    found
}

const MOST_CHOICES: usize = 40;

/// The coordinates that enter the expressions only through sines and cosines.
pub(crate) fn circular_coordinates(frame: &Frame, all: &[Expr], circles: &[Symbol]) -> Vec<Symbol> {
    let mut under: Vec<Symbol> = Vec::new();
    for e in postorder(all, |_| true) {
        if let Kind::Function(Function::Sin | Function::Cos, x) = e.kind() {
            under.extend(x[0].free_symbols());
        }
    }
    let inside = |s: &&Symbol| circles.contains(s) || under.contains(s);
    frame.base().iter().filter(inside).cloned().collect()
}
