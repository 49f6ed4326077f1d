//! Integrals of one-forms around circles.

use super::tidy;
use rattleback_geometry::singularities;
use rattleback_symbolic::{
    Enclosure, Expr, Rational, Region, Role, Symbol, Tape, Verdict, expand, free_symbols,
    nonzero_period, normalize, prove_zero,
};
use std::f64::consts::TAU;

/// ∮ f ds.
#[derive(Clone, Debug)]
pub(super) enum Period {
    /// Zero.
    Zero,
    /// A formula that is not zero.
    Exact(Expr),
    /// Not zero for these values of the parameters, and so for generic ones.
    Number(EnclosedPeriod),
    /// Not known.
    Undecided(String),
}

/// An integral around a circle that an enclosure keeps from zero.
#[derive(Clone, Debug)]
pub struct EnclosedPeriod {
    /// What is integrated, over one turn of the variable.
    pub integrand: Expr,
    /// The variable.
    pub variable: Symbol,
    /// The values of everything else.
    pub at: Vec<(Symbol, Rational)>,
    /// The integral, to the accuracy of floating-point numbers.
    pub change: f64,
    /// An enclosure of it, without zero.
    pub value: Enclosure,
}

/// The integral of f around the circle of `s`; everything else that f contains is a parameter.
pub(super) fn around(f: &Expr, s: &Symbol, near: &[(Symbol, Expr)]) -> Period {
    let f = tidy(f);
    if !f.contains(s) {
        let change = tidy(&(2 * Expr::pi() * &f));
        return match prove_zero(&change) {
            Verdict::Proven { .. } => Period::Zero,
            Verdict::Refuted { .. } => Period::Exact(change),
            Verdict::Undecided { why } => Period::Undecided(why.to_string()),
        };
    }
    if vanishes_by_symmetry(&f, s) {
        return Period::Zero;
    }
    let mut reason = "its integral around the circle did not converge".to_owned();
    for point in parameter_points(&f, s, near) {
        match by_numbers(&f, s, &point) {
            Sum::Broken => return Period::Undecided(BROKEN.to_owned()),
            Sum::Value { change, size } if change.abs() > 1e-9 * size => {
                // The sum says where to look; an enclosure says that it is not zero.
                if let Some((at, value)) = enclosed(&f, s, &point) {
                    return Period::Number(EnclosedPeriod {
                        integrand: f,
                        variable: s.clone(),
                        at,
                        change,
                        value,
                    });
                }
                reason = UNCERTAIN.to_owned();
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

const BROKEN: &str = "a pole breaks it: on each piece between the poles there is a density, and whether the pieces fit \
     together is not decided";
const UNCERTAIN: &str =
    "its integral around the circle does not seem to be zero, but no enclosure excludes it";

/// The integral, if an enclosure of it excludes zero at this point and the point satisfies all assumptions.
fn enclosed(
    f: &Expr,
    s: &Symbol,
    point: &[(Symbol, f64)],
) -> Option<(Vec<(Symbol, Rational)>, Enclosure)> {
    let exact = |(p, v): &(Symbol, f64)| Some((p.clone(), v.to_string().parse::<Rational>().ok()?));
    let point: Vec<(Symbol, Rational)> = point.iter().map(exact).collect::<Option<_>>()?;
    let (symbols, values): (Vec<Symbol>, Vec<Rational>) = point.iter().cloned().unzip();
    let region = Region::of(&symbols);
    if region.symbols().len() != symbols.len() || region.contains(&values) != Some(true) {
        return None;
    }
    let known: Vec<(Symbol, Expr)> = point.iter().map(|(p, r)| (p.clone(), r.into())).collect();
    let value = nonzero_period(&normalize(&f.substitute(&known)), s, &[])?;
    Some((point, value))
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
    let parts = expand(f).terms();
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

/// The integral for these values of the parameters. Where a denominator changes its sign there is a pole, unless
/// the numerator vanishes too: then, and only then, it does not matter where the samples are taken.
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
    let first = trapezoidal(&at, 0.318_281_8);
    if !first.crossed {
        return match first.value {
            Some((change, size)) => Sum::Value { change, size },
            None if first.finite => Sum::Divergent,
            None => Sum::Broken,
        };
    }
    match (first.value, trapezoidal(&at, 0.123_456_7).value) {
        (Some((a, size)), Some((b, _))) if (a - b).abs() <= 1e-9 * size => {
            Sum::Value { change: a, size }
        }
        _ => Sum::Broken,
    }
}

/// What sampling a circle says.
struct Sampled {
    /// ∮ f and ∮ |f|, if the sums converge.
    value: Option<(f64, f64)>,
    /// Does a pole change its sign?
    crossed: bool,
    finite: bool,
}

/// The trapezoidal rule, which converges geometrically for periodic functions that are analytic. `at` gives f
/// and its poles; the offset keeps away from places where something special may happen.
fn trapezoidal(at: &dyn Fn(f64) -> Vec<f64>, offset: f64) -> Sampled {
    let mut signs: Option<Vec<bool>> = None;
    let mut sampled = Sampled {
        value: None,
        crossed: false,
        finite: true,
    };
    let mut last: Option<f64> = None;
    for level in 5..14 {
        let n = 1 << level;
        let (mut total, mut size) = (0.0, 0.0);
        for k in 0..n {
            let values = at(TAU * (f64::from(k) + offset) / f64::from(n));
            if values.iter().any(|v| !v.is_finite()) {
                sampled.finite = false;
                return sampled;
            }
            let here: Vec<bool> = values[1..].iter().map(|v| *v > 0.0).collect();
            sampled.crossed |= signs.get_or_insert_with(|| here.clone()) != &here;
            total += values[0];
            size += values[0].abs();
        }
        let scale = TAU / f64::from(n);
        let (change, size) = (total * scale, size * scale);
        if last.is_some_and(|l| (change - l).abs() <= 1e-12 * size) {
            sampled.value = Some((change, size));
            return sampled;
        }
        last = Some(change);
    }
    sampled
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
    }

    #[test]
    fn others_are_numbers_or_formulas() {
        match period(|s, a| (1 + a * s.cos()).recip()) {
            Period::Number(found) => {
                let exact = TAU / (1.0f64 - 1.0 / 9.0).sqrt();
                assert!((found.change - exact).abs() < 1e-12, "{found:?}");
                assert!(found.value.low < exact && exact < found.value.high);
                assert!(found.integrand.contains(&found.variable) && found.at.len() == 1);
            }
            other => panic!("{other:?}"),
        }
        assert!(matches!(period(|_, a| a.clone()), Period::Exact(_)));
        // A denominator that vanishes together with its numerator is no pole.
        match period(|s, a| (s.cos().powi(4) - a.powi(4)) * s.cos().exp() / (s.cos() - a)) {
            Period::Number(found) => assert!(found.value.low > 0.0, "{found:?}"),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn pieces_between_poles_need_not_fit() {
        let found = period(|s, a| (2 + s.sin()) / (s.cos() - a));
        assert!(matches!(found, Period::Undecided(_)), "{found:?}");
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
