//! Integrals of one-forms around circles.

use super::tidy;
use rattleback_geometry::singularities;
use rattleback_symbolic::{Expr, Role, Symbol, Tape, expand, free_symbols, prove_zero};
use std::f64::consts::TAU;

/// ∮ f ds.
#[derive(Clone, Debug)]
pub(super) enum Period {
    /// Zero; or the circle is broken by a singularity, and there is no way around.
    Zero,
    /// A formula that is not zero.
    Exact(Expr),
    /// Not zero for these values of the parameters, and so for generic ones.
    Number {
        /// The integral.
        change: f64,
        /// The values, in words.
        at: String,
    },
    /// Not known.
    Undecided(String),
}

/// The integral of f around the circle of `s`; everything else that f contains is a parameter.
pub(super) fn around(f: &Expr, s: &Symbol, near: &[(Symbol, Expr)]) -> Period {
    let f = tidy(f);
    if !f.contains(s) {
        let change = tidy(&(2 * Expr::pi() * &f));
        return match prove_zero(&change).is_proven() {
            true => Period::Zero,
            false => Period::Exact(change),
        };
    }
    if vanishes_by_symmetry(&f, s) {
        return Period::Zero;
    }
    let mut reason = "its integral around the circle did not converge".to_owned();
    for point in parameter_points(&f, s, near) {
        match by_numbers(&f, s, &point) {
            Sum::Broken => return Period::Zero,
            Sum::Value { change, size } if change.abs() > 1e-9 * size => {
                return Period::Number {
                    change,
                    at: words(&point),
                };
            }
            Sum::Value { size, .. } => {
                reason = format!(
                    "its integral around the circle is zero up to {:.0e}, which is no proof",
                    1e-9 * size
                );
            }
            Sum::Divergent => {}
        }
    }
    Period::Undecided(reason)
}

/// f(s + π) = −f(s) or f(c − s) = −f(s), for f or each of its terms.
fn vanishes_by_symmetry(f: &Expr, s: &Symbol) -> bool {
    let odd = |e: &Expr| {
        let here = Expr::from(s);
        let quarter = |k: i64| Expr::ratio(k, 2) * Expr::pi();
        let images = (0..4)
            .map(|k| quarter(k) - &here)
            .chain([&here + quarter(2)]);
        images
            .map(|image| e + e.substitute(&[(s.clone(), image)]))
            .any(|sum| prove_zero(&sum).is_proven())
    };
    let constant = |e: &Expr| !e.contains(s) && !e.is_zero();
    let parts = super::quadrature::summands(&expand(f));
    odd(f) || (parts.len() > 1 && !parts.iter().any(constant) && parts.iter().all(odd))
}

enum Sum {
    /// The circle meets a singularity.
    Broken,
    Divergent,
    Value {
        change: f64,
        /// ∮ |f|.
        size: f64,
    },
}

/// The trapezoidal rule, which converges geometrically for periodic functions that are analytic.
fn by_numbers(f: &Expr, s: &Symbol, point: &[(Symbol, f64)]) -> Sum {
    let poles = singularities(std::slice::from_ref(s), std::slice::from_ref(f));
    let symbols: Vec<Symbol> = [s.clone()]
        .into_iter()
        .chain(point.iter().map(|p| p.0.clone()))
        .collect();
    let outputs: Vec<Expr> = [f.clone()].into_iter().chain(poles).collect();
    let Ok(tape) = Tape::new(&symbols, &outputs) else {
        return Sum::Divergent;
    };
    let at = |angle: f64| {
        let mut inputs = vec![angle];
        inputs.extend(point.iter().map(|p| p.1));
        tape.evaluate(&inputs)
    };
    let mut signs: Option<Vec<bool>> = None;
    let mut last: Option<f64> = None;
    for level in 5..14 {
        let n = 1 << level;
        let (mut total, mut size) = (0.0, 0.0);
        for k in 0..n {
            // The offset keeps away from places where something special may happen.
            let values = at(TAU * (f64::from(k) + 0.318_281_8) / f64::from(n));
            let here: Vec<bool> = values[1..].iter().map(|v| *v > 0.0).collect();
            if values.iter().any(|v| !v.is_finite()) || signs.get_or_insert(here.clone()) != &here {
                return Sum::Broken;
            }
            total += values[0];
            size += values[0].abs();
        }
        let scale = TAU / f64::from(n);
        let (change, size) = (total * scale, size * scale);
        if last.is_some_and(|l| (change - l).abs() <= 1e-12 * size) {
            return Sum::Value { change, size };
        }
        last = Some(change);
    }
    Sum::Divergent
}

/// Values of the parameters: those of the model, and others.
fn parameter_points(f: &Expr, s: &Symbol, near: &[(Symbol, Expr)]) -> Vec<Vec<(Symbol, f64)>> {
    let parameters: Vec<Symbol> = free_symbols(std::slice::from_ref(f))
        .into_iter()
        .filter(|p| p != s)
        .collect();
    let own = |p: &Symbol| {
        let stated = near
            .iter()
            .find(|(n, _)| n == p && p.role() == Role::Constant);
        stated.and_then(|(_, e)| super::potential::value_at(e, &[]))
    };
    (0..3)
        .map(|round| {
            let value = |(i, p): (usize, &Symbol)| {
                let other = 0.6 + 0.17 * f64::from(round) + 0.11 * i as f64;
                let stated = (round == 0).then(|| own(p)).flatten();
                (p.clone(), stated.unwrap_or(other))
            };
            parameters.iter().enumerate().map(value).collect()
        })
        .collect()
}

fn words(point: &[(Symbol, f64)]) -> String {
    let values: Vec<String> = point.iter().map(|(s, v)| format!("{s} = {v}")).collect();
    values.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn period(f: impl Fn(&Expr, &Expr) -> Expr) -> Period {
        let (s, a) = (Symbol::variable("phi"), Symbol::constant("a"));
        let near = [(a.clone(), Expr::ratio(1, 3))];
        around(&f(&Expr::from(&s), &Expr::from(&a)), &s, &near)
    }

    #[test]
    fn symmetric_integrands_have_none() {
        let zero = |p: Period| assert!(matches!(p, Period::Zero), "{p:?}");
        zero(period(|s, a| s.sin().sin() * a));
        zero(period(|s, a| s.cos() / (2 + a * s.cos().powi(2)).sqrt()));
        zero(period(|s, _| (s.cos().exp() * s.sin()) + s.cos().powi(3)));
        // Broken at cos = 0.
        zero(period(|s, _| s.cos().powi(2).exp() / s.cos()));
    }

    #[test]
    fn others_are_numbers_or_formulas() {
        match period(|s, a| (1 + a * s.cos()).recip()) {
            Period::Number { change, at } => {
                let exact = TAU / (1.0f64 - 1.0 / 9.0).sqrt();
                assert!((change - exact).abs() < 1e-12, "{change} at {at}");
            }
            other => panic!("{other:?}"),
        }
        assert!(matches!(period(|_, a| a.clone()), Period::Exact(_)));
    }

    #[test]
    fn a_zero_without_a_reason_is_no_proof() {
        // ∮ ln(1 − 2 a cos φ + a²) = 0 for |a| < 1, though no symmetry shows it.
        let found = period(|s, _| {
            let a = Expr::ratio(1, 2);
            (1 - 2 * &a * s.cos() + a.powi(2)).log()
        });
        assert!(matches!(found, Period::Undecided(_)), "{found:?}");
    }
}
