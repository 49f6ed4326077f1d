//! Proofs on a space that is given by a parametrisation.
//!
//! Coordinates may be redundant (the entries of a rotation matrix). A list `(symbol, expression)`
//! that parametrises them turns a statement on the space into an ordinary identity.

use crate::tidy::tidy;
use rattleback_symbolic::{
    Expr, Rational, Role, Symbol, Verdict, Witness, certainly_nonzero, fingerprint, free_symbols,
    prove_all_zero, substitute_all,
};

/// How redundant coordinates depend on free ones; empty where coordinates are free already.
pub type Parametrization = [(Symbol, Expr)];

/// Do all the expressions vanish on the parametrised space? A witness gives values to the coordinates that
/// they contain, not to the parameters.
///
/// ```
/// use rattleback_geometry::{Group, LieGroup, vanish_on};
/// use rattleback_symbolic::{Expr, Symbol, Verdict};
/// let entries: Vec<Symbol> = (1..=4).map(|k| Symbol::variable(&format!("R_{k}"))).collect();
/// let on: Vec<_> = entries.iter().cloned().zip(Group::SO2.parametrization("R")).collect();
/// let relations = Group::SO2.relations(&Group::SO2.element(&entries));
/// assert!(vanish_on(&relations, &on).is_proven());
/// let verdict = vanish_on(&[Expr::from(&entries[0])], &on);
/// let Verdict::Refuted { witness, value } = verdict else { panic!("it does not vanish") };
/// assert_eq!((witness.len(), &witness[0].0), (1, &entries[0]));
/// assert!((witness[0].1.to_f64() - value.middle()).abs() < 1e-15);
/// ```
pub fn vanish_on(expressions: &[Expr], on: &Parametrization) -> Verdict {
    match prove_all_zero(&substitute_all(expressions, on)) {
        Verdict::Refuted { witness, value } => Verdict::Refuted {
            witness: Witness {
                point: on_the_space(expressions, on, witness.point),
                which: witness.which,
            },
            value,
        },
        verdict => verdict,
    }
}

/// A point by the coordinates that expressions contain, in place of the parameters.
fn on_the_space(
    expressions: &[Expr],
    on: &Parametrization,
    point: Vec<(Symbol, Rational)>,
) -> Vec<(Symbol, Rational)> {
    if on.is_empty() {
        return point;
    }
    let values: Vec<Expr> = on.iter().map(|(_, e)| e.clone()).collect();
    let parameters = free_symbols(&values);
    let given = |s: &Symbol| point.iter().find(|(p, _)| p == s);
    let at: Vec<(Symbol, Expr)> = parameters
        .iter()
        .map(|s| (s.clone(), given(s).map_or(Expr::zero(), |p| (&p.1).into())))
        .collect();
    let contained = free_symbols(expressions);
    let coordinates = on
        .iter()
        .filter(|(s, _)| contained.contains(s))
        .filter_map(|(s, e)| Some((s.clone(), e.substitute(&at).as_number()?.clone())));
    let others = point.iter().filter(|(s, _)| !parameters.contains(s));
    others.cloned().chain(coordinates).collect()
}

/// Is the expression certainly not zero at generic points of the space? No is only a guess.
pub(crate) fn is_certainly_nonzero(e: &Expr, on: &Parametrization) -> bool {
    e.is_nonvanishing() || certainly_nonzero(&[e.substitute(on)])[0]
}

/// For each expression: does it have the same nonzero value at two unrelated random points? A guess.
pub(crate) fn look_constant(expressions: &[Expr], on: &Parametrization) -> Option<Vec<bool>> {
    look_independent_of(expressions, on, |_| true)
}

/// For each expression: is it nonzero, with a value that does not depend on variables or time? A guess.
pub(crate) fn look_motionless(expressions: &[Expr], on: &Parametrization) -> Option<Vec<bool>> {
    look_independent_of(expressions, on, |s| s.role() != Role::Constant)
}

fn look_independent_of(
    expressions: &[Expr],
    on: &Parametrization,
    moves: impl Fn(&Symbol) -> bool,
) -> Option<Vec<bool>> {
    let here = substitute_all(expressions, on);
    let elsewhere: Vec<(Symbol, Expr)> = free_symbols(&here)
        .into_iter()
        .filter(moves)
        .map(|s| {
            let twin = Symbol::variable(&format!("{s}_elsewhere")).with_sign(s.sign());
            (s, twin.into())
        })
        .collect();
    let there = substitute_all(&here, &elsewhere);
    let values = fingerprint(&[here, there].concat())?;
    let (first, second) = values.split_at(expressions.len());
    let same = first.iter().zip(second).map(|(a, b)| a == b && *a != 0);
    Some(same.collect())
}

/// The number that the expression equals everywhere on the space, if it is a nonzero constant.
pub(crate) fn constant_value(e: &Expr, on: &Parametrization) -> Option<Expr> {
    if e.as_number().is_some() {
        return Some(e.clone()).filter(|e| !e.is_zero());
    }
    if !look_constant(std::slice::from_ref(e), on)?[0] {
        return None;
    }
    // A constant has its value anywhere, so a point where sines and cosines are numbers will do.
    let here = e.substitute(on);
    let origin: Vec<(Symbol, Expr)> = here
        .free_symbols()
        .into_iter()
        .map(|s| (s, Expr::zero()))
        .collect();
    let mut value = here.substitute(&origin);
    if value.as_number().is_none() {
        value = tidy(&here);
    }
    value.as_number()?;
    prove_all_zero(&[here - &value])
        .is_proven()
        .then_some(value)
}
