//! Relations between inverse functions, roots and logarithms that hold on one branch: proven there, refuted beside it.

use proptest::prelude::*;
use rattleback_symbolic::{Assumptions, Expr, Fact, Rational, Sign, Symbol, Verdict, prove_zero};
use rattleback_testing::cases;

/// A coordinate between two numbers.
fn between(low: &Rational, high: &Rational) -> Symbol {
    let x = Symbol::variable("x");
    let plain = Expr::from(&x);
    let above = Fact::new(&plain - Expr::from(low), Sign::Positive);
    let below = Fact::new(Expr::from(high) - &plain, Sign::Positive);
    Assumptions::new(&[above, below]).apply(&x)
}

fn x_in(low: (i64, i64), high: (i64, i64)) -> Expr {
    between(&Rational::new(low.0, low.1), &Rational::new(high.0, high.1)).into()
}

#[track_caller]
fn proven(e: Expr) {
    let verdict = prove_zero(&e);
    assert!(verdict.is_proven(), "{e}: {verdict:?}");
}

#[track_caller]
fn refuted(e: Expr) {
    let verdict = prove_zero(&e);
    assert!(verdict.is_refuted(), "{e}: {verdict:?}");
}

#[test]
fn numbers_are_on_the_branch_that_their_enclosures_tell() {
    let (c, three) = (Expr::ratio(701, 500), Expr::from(3));
    proven(c.cos().powi(2).sqrt() - c.cos());
    refuted(c.cos().powi(2).sqrt() + c.cos());
    proven((1 - three.sin().powi(2)).sqrt() + three.cos());
    proven(three.sin().asin() + &three - Expr::pi());
    refuted(three.sin().asin() - &three);
    proven(Expr::from(5).cos().acos() + 5 - 2 * Expr::pi());
    proven(Expr::from(4).tan().atan() + Expr::pi() - 4);
    proven(Expr::atan2(&Expr::from(2).sin(), &Expr::from(2).cos()) - 2);
    proven(Expr::atan2(&Expr::from(-2).sin(), &Expr::from(-2).cos()) + 2);
    proven(
        ((three.sin() - 1).powi(2) * three.exp().powi(2)).sqrt() - (1 - three.sin()) * three.exp(),
    );
}

#[test]
fn relations_are_found_by_derivatives_and_one_value() {
    let quarter = || Expr::pi() / 4;
    for (low, high, sign) in [((5, 4), (3, 1), 1), ((-3, 1), (-5, 4), -1)] {
        let x = x_in(low, high);
        let e = (x.powi(2) - 1).sqrt().atan() + sign * x.recip().asin() - 2 * quarter();
        proven(e.clone());
        refuted(e + Expr::pi());
    }
    let x = x_in((-2, 5), (2, 5));
    proven((2 * &x * (1 - x.powi(2)).sqrt()).asin() - 2 * x.asin());
    proven((2 * &x / (1 - x.powi(2))).atan() - 2 * x.atan());
    proven((2 * &x / (1 + x.powi(2))).asin() - 2 * x.atan());
    proven(((1 + &x) / (1 - &x)).atan() - x.atan() - quarter());
    let x = x_in((2, 1), (9, 4));
    refuted((2 * &x / (1 - x.powi(2))).atan() - 2 * x.atan());
    proven((2 * &x / (1 - x.powi(2))).atan() - 2 * x.atan() + Expr::pi());
    proven((2 * &x / (1 + x.powi(2))).asin() + 2 * x.atan() - Expr::pi());
}

#[test]
fn a_factor_that_vanishes_is_enough() {
    let x = x_in((1, 1), (2, 1));
    let sum = Expr::ratio(1, 2).atan() + Expr::ratio(1, 3).atan() - Expr::pi() / 4;
    proven(&sum * x.exp());
    proven(Expr::from(2).sqrt() * &sum);
    refuted((sum + Expr::ratio(1, 1_000_000)) * x.exp());
}

#[test]
fn roots_of_half_angles_have_the_sign_of_their_piece() {
    let x = x_in((7, 1), (15, 2));
    proven(((1 - x.cos()) / 2).sqrt() + (&x / 2).sin());
    refuted(((1 - x.cos()) / 2).sqrt() - (&x / 2).sin());
    let x = x_in((11, 1), (23, 2));
    proven(((1 + x.cos()) / 2).sqrt() - (&x / 2).cos());
    refuted(((1 + x.cos()) / 2).sqrt() + (&x / 2).cos());
    // Of both signs in the interval.
    let x = x_in((7, 1), (12, 1));
    refuted(((1 + x.cos()) / 2).sqrt() - (&x / 2).cos());
}

#[test]
fn logarithms_of_exponentials_are_what_they_are() {
    let [x, y] = ["x", "y"].map(|n| Expr::from(Symbol::variable(n)));
    proven((x.sinh() + x.cosh()).log() - &x);
    refuted((x.sinh() + x.cosh()).log() + &x);
    proven((x.sinh() + x.cosh()).log().powi(2) - (x.cosh() - x.sinh()).log() * -&x);
    proven((x.exp() * (1 + y.powi(2))).log() - &x - (1 + y.powi(2)).log());
    proven((&x + (1 + x.powi(2)).sqrt()).log() + ((1 + x.powi(2)).sqrt() - &x).log());
}

/// An inverse function of x and a multiple of another one from which it differs by a constant on every piece.
fn related(which: usize, x: &Expr) -> (Expr, Expr) {
    let leg = || (1 - x.powi(2)).sqrt();
    match which {
        0 => ((2 * x * leg()).asin(), 2 * x.asin()),
        1 => ((2 * x / (1 - x.powi(2))).atan(), 2 * x.atan()),
        2 => ((2 * x / (1 + x.powi(2))).asin(), 2 * x.atan()),
        3 => ((x.powi(2) - 1).sqrt().atan(), x.recip().asin()),
        4 => (((1 + x) / (1 - x)).atan(), x.atan()),
        5 => ((1 - 2 * x.powi(2)).acos(), 2 * x.asin()),
        6 => ((2 * x).sin().asin(), 2 * x),
        7 => (x.cos().acos(), x.clone()),
        8 => (Expr::atan2(&x.sin(), &x.cos()), x.clone()),
        9 => ((x.sin() / (1 + x.cos())).atan(), x / 2),
        10 => ((3 * x - 4 * x.powi(3)).asin(), 3 * x.asin()),
        _ => (x.recip().atan(), x.atan()),
    }
}

proptest! {
    #![proptest_config(cases(600))]

    /// Whatever is claimed of A − sB + kπ/4 in a short interval is what values there say.
    #[test]
    fn claims_on_a_branch_are_true_there(
        which in 0usize..12, at in -400i64..400, is_plus in any::<bool>(), shift in -2i64..3,
    ) {
        let middle = Rational::new(at, 100);
        let half = Rational::new(1, 64);
        let (low, high) = (&middle - &half, &middle + &half);
        let s = between(&low, &high);
        let x = Expr::from(&s);
        let (a, b) = related(which, &x);
        let sum = if is_plus { a + b } else { a - b };
        let value = |e: &Expr, t: f64| {
            e.evaluate(&[(s.clone(), low.to_f64() + t * 2.0 * half.to_f64())]).ok().filter(|v| v.is_finite())
        };
        let Some(here) = value(&sum, 0.5) else { return Ok(()); };
        // The nearest multiple of a quarter of π, or one beside it.
        let near = (here / std::f64::consts::FRAC_PI_4).round() as i64 + shift.signum() * (shift.abs() / 2);
        let e = sum - near * Expr::pi() / 4;
        let values: Vec<f64> = (1..16).filter_map(|k| value(&e, f64::from(k) / 16.0)).collect();
        let largest = values.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        match prove_zero(&e) {
            Verdict::Proven { .. } => prop_assert!(largest < 1e-12, "{e} in {low} .. {high}: {largest}"),
            Verdict::Refuted { .. } => prop_assert!(largest > 1e-13, "{e} in {low} .. {high}: {largest}"),
            Verdict::Undecided { .. } => {}
        }
    }
}
