//! Known identities are proven, near misses refuted, and what cannot be known stays open.

use rattleback_symbolic::{
    Expr, Rational, Sign, Symbol, Verdict, fingerprint, prove_all_zero, prove_zero,
};

fn var(name: &str) -> Expr {
    Symbol::variable(name).into()
}

fn positive(name: &str) -> Expr {
    Symbol::constant(name).with_sign(Sign::Positive).into()
}

fn proven(e: Expr) {
    let verdict = prove_zero(&e);
    assert!(verdict.is_proven(), "{e}: {verdict:?}");
}

fn refuted(e: Expr) {
    match prove_zero(&e) {
        Verdict::Refuted { witness, value } => {
            let point: Vec<_> = witness
                .iter()
                .map(|(s, r)| (s.clone(), r.to_f64()))
                .collect();
            assert!(value.excludes_zero());
            let near = e.evaluate(&point).unwrap();
            assert!((near - value.middle()).abs() <= 1e-6 * near.abs() + 1e-12);
        }
        verdict => panic!("{e}: {verdict:?}"),
    }
}

fn undecided(e: Expr) {
    let verdict = prove_zero(&e);
    assert!(
        matches!(verdict, Verdict::Undecided { .. }),
        "{e}: {verdict:?}"
    );
}

#[test]
fn trigonometry() {
    let (x, y) = (var("x"), var("y"));
    let pi = Expr::pi();
    proven((&x + &y).sin() - x.sin() * y.cos() - x.cos() * y.sin());
    proven((3 * &x).cos() - 4 * x.cos().powi(3) + 3 * x.cos());
    proven((&x / 2).tan() - x.sin() / (1 + x.cos()));
    proven(((&x + &y) * (&x - &y)).sin() - (x.powi(2) - y.powi(2)).sin());
    proven((&x + &pi / 3).sin() - x.sin() / 2 - Expr::from(3).sqrt() / 2 * x.cos());
    proven((&x + &pi / 4).cos() - Expr::from(2).sqrt() / 2 * (x.cos() - x.sin()));
    // The sum of the five fifth roots of unity, and their product form.
    proven(Expr::sum((0..5).map(|k| (&x + 2 * k * &pi / 5).sin())));
    proven(4 * (&pi / 5).cos() - 1 - Expr::from(5).sqrt());
    proven((&x + &pi / 7).sin().powi(2) + (&x + &pi / 7).cos().powi(2) - 1);
    refuted((&x + &y).sin() - x.sin() * y.cos());
    refuted((&x + &pi / 5).sin() - x.sin() / 2 - Expr::from(3).sqrt() / 2 * x.cos());
    refuted(x.sin() - &x);
}

#[test]
fn hyperbolic_and_exponential() {
    let (x, y) = (var("x"), var("y"));
    proven(x.cosh().powi(2) - x.sinh().powi(2) - 1);
    proven((&x + &y).exp() - x.exp() * y.exp());
    proven((&x / 3).exp().powi(3) - x.exp());
    proven(x.tanh() - ((2 * &x).exp() - 1) / ((2 * &x).exp() + 1));
    proven(1 - x.tanh().powi(2) - x.cosh().powi(-2));
    proven((2 * &x).tanh() - 2 * x.tanh() / (1 + x.tanh().powi(2)));
    proven(x.tanh() * x.cosh() - x.sinh());
    proven((&x + 1).exp() / Expr::one().exp() - x.exp());
    refuted(x.cosh() - x.exp() / 2);
}

#[test]
fn roots() {
    let (x, y) = (var("x"), var("y"));
    let r2 = x.powi(2) + y.powi(2);
    let r = r2.sqrt();
    proven(&r2 / &r - &r);
    proven(1 / (&r + 1) - (&r - 1) / (&r2 - 1));
    proven(r2.powr(&Rational::new(3, 2)) - &r2 * &r);
    proven(((&x + 1).powi(2) + 1).sqrt() - (x.powi(2) + 2 * &x + 2).sqrt());
    proven(Expr::from(6).sqrt() - Expr::from(2).sqrt() * Expr::from(3).sqrt());
    proven(Expr::from(77).sqrt() * Expr::from(7).sqrt() - 7 * Expr::from(11).sqrt());
    proven((5 + 2 * Expr::from(6).sqrt()) - (Expr::from(2).sqrt() + Expr::from(3).sqrt()).powi(2));
    let cube = (1 + &x).powr(&Rational::new(1, 3));
    proven(cube.powi(3) - 1 - &x);
    proven((1 + &x).powi(3).powr(&Rational::new(1, 3)) - 1 - &x);
    let m = positive("m");
    proven((&m + m.sqrt()) / m.sqrt() - m.sqrt() - 1);
    proven(m.powr(&Rational::new(1, 4)).powi(2) - m.sqrt());
    // The branch matters: |x| is not x, and the negative branch is no identity either.
    refuted(x.powi(2).sqrt() - &x);
    refuted(x.powi(2).sqrt() + &x);
    refuted((x.powi(2).sqrt() - &x) * (y.powi(2).sqrt() - &y));
    refuted(Expr::from(2).sqrt() - Expr::ratio(14_142_135_623_731, 10_000_000_000_000));
}

#[test]
fn every_branch_of_many_roots_counts() {
    // Zero unless all of the five are negative: random signs would be fooled 31 times in 32.
    let factor = |i: i64| {
        let x = var(&format!("x{i}"));
        x.powi(2).sqrt() - &x
    };
    let verdict = prove_zero(&Expr::product((0..5).map(factor)));
    assert!(!verdict.is_proven(), "{verdict:?}");
    let verdict = prove_zero(&Expr::product((0..12).map(factor)));
    assert!(!verdict.is_proven(), "{verdict:?}");
}

#[test]
fn functions_without_relations() {
    let (x, y) = (var("x"), var("y"));
    let (a, b) = (positive("a"), positive("b"));
    proven((&a * &b).log() - a.log() - b.log());
    proven((6 * &a).log() - Expr::from(2).log() - Expr::from(3).log() - a.log());
    proven((&a / &b).sqrt().log() - a.log() / 2 + b.log() / 2);
    proven((1 + (&x + &y).powi(2)).log() - (1 + x.powi(2) + 2 * &x * &y + y.powi(2)).log());
    proven(x.asin() + x.acos() - Expr::pi() / 2);
    proven((&x / (1 + &x)).atan() + (1 / (1 + &x) - 1).atan());
    proven((x.sin().powi(2) + x.cos().powi(2)).atan() - Expr::pi() / 4);
    proven((-x.sin().powi(2) - x.cos().powi(2)).asin() + Expr::pi() / 2);
    refuted(x.atan() - x.asin());
    refuted(Expr::atan2(&x, &y) - (&x / &y).atan());
    refuted((&x * &y).log() - x.log());
}

#[test]
fn rational_functions() {
    let (x, y) = (var("x"), var("y"));
    proven(1 / (1 / &x + 1 / &y) - &x * &y / (&x + &y));
    proven((&x + &y).powi(20) - (x.powi(2) + 2 * &x * &y + y.powi(2)).powi(10));
    refuted(
        (&x + &y).powi(20) - (x.powi(2) + 2 * &x * &y + y.powi(2)).powi(10)
            + Expr::ratio(1, i64::MAX),
    );
    // Below the rounding of the terms: found exactly.
    let tiny: Rational = "1e-40".parse().unwrap();
    refuted((1 + &x).powi(2) - 2 * &x - 1 - x.powi(2) * (1 - Expr::from(&tiny)));
}

#[test]
fn primes_and_degrees_do_not_fool_it() {
    let x = var("x");
    // A multiple of 2^61 - 1, and Fermat's little theorem.
    refuted(((1i64 << 61) - 1) * &x);
    let verdict = prove_zero(&(x.powi((1 << 61) - 2) - 1));
    assert!(!verdict.is_proven());
    // Degree 2^200: honest about it.
    let mut power = &x + 1;
    for _ in 0..200 {
        power = (&power * &power) + 1;
    }
    let verdict = prove_zero(&(&power * (&power + 1) - power.powi(2) - &power));
    assert!(matches!(verdict, Verdict::Undecided { .. }), "{verdict:?}");
}

#[test]
fn the_undefined_is_not_zero() {
    let x = var("x");
    undecided(Expr::undefined());
    undecided(1 / (x.sin().powi(2) + x.cos().powi(2) - 1));
    // True for real numbers, but no algebraic identity: left open.
    proven((1 + 2 * x.powi(2) + x.powi(4)).sqrt() - 1 - x.powi(2));
}

#[test]
fn witnesses_respect_assumptions() {
    let (m, x) = (positive("m"), var("x"));
    match prove_zero(&(m.sqrt() * &x - &m * &x)) {
        Verdict::Refuted { witness, .. } => {
            assert!(
                witness
                    .iter()
                    .all(|(s, r)| s.sign() != Sign::Positive || r.is_positive())
            );
        }
        verdict => panic!("{verdict:?}"),
    }
    assert!(prove_all_zero(&[Expr::zero(), m.clone() - &m]).is_proven());
    assert!(prove_all_zero(&[Expr::zero(), m]).is_refuted());
}

#[test]
fn answers_repeat() {
    let x = var("x");
    let e = x.sin() * x.exp() - x.cos();
    assert_eq!(prove_zero(&e), prove_zero(&e));
    assert_eq!(fingerprint(std::slice::from_ref(&e)), fingerprint(&[e]));
}

#[test]
fn depth_costs_no_stack() {
    let mut e = var("x");
    for _ in 0..100_000 {
        e = (e + 1).atan();
    }
    assert!(!prove_zero(&(&e + 1)).is_proven());
    assert!(prove_zero(&((&e + 1).powi(2) - e.powi(2) - 2 * &e - 1)).is_proven());
}
