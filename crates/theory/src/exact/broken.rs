//! Circles that poles of a one-form cut into pieces: no closed way goes around them.

use rattleback_symbolic::{
    Enclosure, Expr, Rational, Role, Sign, Symbol, Tape, enclose, enclose_over, free_symbols,
    normalize,
};
use std::f64::consts::TAU;

/// What the poles of a form make of the circle of a coordinate.
#[derive(Clone, Debug)]
pub(super) enum Circle {
    /// There is a place of the other coordinates at which the circle meets no pole.
    Whole,
    /// Zeros of these functions of the coordinate alone cut it, wherever the others are.
    Cut(Vec<Expr>),
    /// This may vanish somewhere on it.
    Unknown(Expr),
}

/// Places on the circle at which signs are compared.
const PLACES: i64 = 64;
/// Halvings of a bracket around a pole.
const HALVINGS: usize = 24;

/// The circle of `s` under a form with these components and poles. `near` has values of the parameters, `base` of
/// the other coordinates.
pub(super) fn circle(
    s: &Symbol,
    form: &[Expr],
    poles: &[Expr],
    base: &[(Symbol, Expr)],
    near: &[(Symbol, Expr)],
) -> Circle {
    let on_circle: Vec<&Expr> = poles.iter().filter(|p| p.contains(s)).collect();
    if on_circle.is_empty() {
        return Circle::Whole;
    }
    let here = numbers(s, form, poles, base, near);
    let cutting: Vec<Expr> = on_circle
        .iter()
        .filter(|p| cuts_always(p, s) && is_genuine(p, form, s, &here))
        .map(|p| (*p).clone())
        .collect();
    if !cutting.is_empty() {
        return Circle::Cut(cutting);
    }
    match on_circle
        .iter()
        .find(|p| !avoids_zero(&p.substitute(&here), s))
    {
        None => Circle::Whole,
        Some(p) => Circle::Unknown((*p).clone()),
    }
}

/// Numbers for everything but the coordinate: the model's where they are known, else others.
fn numbers(
    s: &Symbol,
    form: &[Expr],
    poles: &[Expr],
    base: &[(Symbol, Expr)],
    near: &[(Symbol, Expr)],
) -> Vec<(Symbol, Expr)> {
    let symbols = free_symbols(&[form, poles].concat());
    let others = symbols.into_iter().filter(|x| x != s).enumerate();
    others
        .map(|(i, x)| {
            let known = match x.role() {
                Role::Constant => near.iter().find(|(n, _)| *n == x),
                _ => base.iter().find(|(n, _)| *n == x),
            };
            let value = known.map(|(_, e)| e.substitute(near));
            let number = value.filter(|e| e.free_symbols().is_empty());
            (
                x,
                number.unwrap_or_else(|| Expr::ratio(7 + 2 * i as i64, 11)),
            )
        })
        .collect()
}

/// Does p, a function of s and parameters, have both signs on the circle for all parameters?
fn cuts_always(p: &Expr, s: &Symbol) -> bool {
    let others = p.free_symbols().into_iter().filter(|x| x != s);
    if others.into_iter().any(|x| x.role() != Role::Constant) {
        return false;
    }
    let at = |k: i64| {
        p.substitute(&[(s.clone(), Expr::ratio(k, 12) * Expr::pi())])
            .sign()
    };
    let signs: Vec<Sign> = (0..24).map(at).collect();
    let numbers = p.free_symbols().len() == 1;
    let both = signs.contains(&Sign::Positive) && signs.contains(&Sign::Negative);
    both || numbers && bracket(p, s).is_some()
}

/// A short rational interval at whose ends p, a function of s alone, certainly has different signs.
fn bracket(p: &Expr, s: &Symbol) -> Option<(Rational, Rational)> {
    let tape = Tape::new(std::slice::from_ref(s), std::slice::from_ref(p)).ok()?;
    let value = |x: f64| tape.evaluate(&[x]).first().copied();
    let place = |k: i64| TAU * (k as f64 + 0.137) / PLACES as f64;
    let differ = |a: f64, b: f64| Some(value(a)? * value(b)? < 0.0);
    let k = (0..PLACES).find(|&k| differ(place(k), place(k + 1)) == Some(true))?;
    let (mut low, mut high) = (place(k), place(k + 1));
    for _ in 0..HALVINGS {
        let middle = low + (high - low) / 2.0;
        match differ(low, middle)? {
            true => high = middle,
            false => low = middle,
        }
    }
    let margin = (high - low).max(1e-9);
    let exact = |x: f64| x.to_string().parse::<Rational>().ok();
    let (low, high) = (exact(low - margin)?, exact(high + margin)?);
    let sign = |x: &Rational| {
        let value = enclose(&p.substitute(&[(s.clone(), x.into())]))?;
        value.excludes_zero().then_some(value.low > 0.0)
    };
    (sign(&low)? != sign(&high)?).then_some((low, high))
}

/// Is a zero of p a pole of the form: does some p ω_i stay away from zero around one?
fn is_genuine(p: &Expr, form: &[Expr], s: &Symbol, here: &[(Symbol, Expr)]) -> bool {
    let Some((low, high)) = bracket(&p.substitute(here), s) else {
        return false;
    };
    form.iter().filter(|w| w.contains(s)).any(|w| {
        let cleared = normalize(&(w * p).substitute(here));
        enclose_over(&cleared, s, &low, &high).is_some_and(|hull| hull.excludes_zero())
    })
}

/// Does p, a function of s alone, stay away from zero all around?
fn avoids_zero(p: &Expr, s: &Symbol) -> bool {
    let piece = |k: i64| {
        let end = |k: i64| Rational::new(k * 710, 113 * PLACES);
        enclose_over(p, s, &end(k), &end(k + 1))
    };
    // 710/113 > 2π: the pieces cover the circle.
    (0..PLACES).all(|k| piece(k).is_some_and(|hull: Enclosure| hull.excludes_zero()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(f: impl Fn(&Expr, &Expr) -> Expr) -> Circle {
        let (s, a) = (Symbol::variable("phi"), Symbol::constant("a"));
        let form = [f(&Expr::from(&s), &Expr::from(&a))];
        let poles = rattleback_geometry::singularities(std::slice::from_ref(&s), &form);
        circle(&s, &form, &poles, &[], &[(a, Expr::ratio(1, 3))])
    }

    #[test]
    fn poles_cut_a_circle() {
        assert!(matches!(judged(|s, _| 1 + s.tan()), Circle::Cut(p) if p.len() == 1));
        assert!(matches!(
            judged(|s, a| a / (1 - 2 * s.sin())),
            Circle::Cut(_)
        ));
        assert!(matches!(
            judged(|s, _| (2 + s.sin()).recip()),
            Circle::Whole
        ));
        assert!(matches!(
            judged(|s, a| (1 + a * s.cos()).recip()),
            Circle::Whole
        ));
    }

    #[test]
    fn poles_that_some_parameters_have_are_not_told() {
        // For |a| < 1 it has poles, for others none.
        assert!(matches!(
            judged(|s, a| (s.cos() - a).recip()),
            Circle::Unknown(_)
        ));
    }

    #[test]
    fn what_cancels_is_no_pole() {
        let removable = judged(|s, _| s.sin().powi(2) * s.cos().exp() / s.sin());
        assert!(!matches!(removable, Circle::Cut(_)), "{removable:?}");
    }
}
