//! Powers with symbolic exponents: canonical forms, calculus, printing, proofs.

use rattleback_symbolic::*;

fn var(name: &str) -> Expr {
    Symbol::variable(name).into()
}

fn constant(name: &str) -> Expr {
    Symbol::constant(name).into()
}

fn positive(name: &str) -> Expr {
    Symbol::variable(name).with_sign(Sign::Positive).into()
}

/// Printed as expected.
#[track_caller]
fn prints(e: &Expr, text: &str) {
    assert_eq!(e.to_string(), text);
}

#[test]
fn powers_of_one_base_are_one() {
    let (x, m, n) = (var("x"), constant("m"), constant("n"));
    let power = x.pow(&n);
    assert_eq!(&power / &x, x.pow(&(&n - 1)));
    assert_eq!(&power * x.pow(&m), x.pow(&(&m + &n)));
    assert_eq!(&power * x.pow(&-&n), Expr::one());
    assert_eq!(&power * x.pow(&(2 - &n)), x.powi(2));
    assert_eq!(power.powi(3), x.pow(&(3 * &n)));
    assert_eq!(&x.sqrt() * &power, x.pow(&(&n + Expr::ratio(1, 2))));
    assert_eq!((&n * x.log()).exp(), power);
    assert_eq!(Expr::from(2).pow(&(&n + 3)), 8 * Expr::from(2).pow(&n));
    assert_eq!(x.exp().pow(&n), (&n * &x).exp());
    assert_eq!(Expr::one().pow(&n), Expr::one());
    // √(x^n) is no power of x unless x is known not to be negative.
    let (half, y) = (Expr::ratio(1, 2), positive("y"));
    assert_ne!(power.sqrt(), x.pow(&(&n * &half)));
    assert_eq!(y.pow(&n).sqrt(), y.pow(&(&n * &half)));
    assert_eq!(y.pow(&n).log(), &n * y.log());
    assert_ne!(power.log(), &n * x.log());
}

#[test]
fn numbers_for_exponents_make_ordinary_powers() {
    let (x, n) = (var("x"), Symbol::constant("n"));
    let power = 5 * x.pow(&(2 * Expr::from(&n) + 1)) + x.pow(&Expr::from(&n));
    let at = |k: Expr| power.substitute(&[(n.clone(), k)]);
    assert_eq!(at(Expr::from(1)), 5 * x.powi(3) + &x);
    assert_eq!(at(Expr::ratio(-1, 2)), 5 + x.powr(&Rational::new(-1, 2)));
    assert_eq!(at(Expr::zero()), 5 * &x + 1);
}

#[test]
fn values_and_derivatives_at_zero_and_below() {
    let (x, n) = (Symbol::variable("x"), Symbol::constant("n"));
    let power = Expr::from(&x).pow(&Expr::from(&n));
    let (first, second) = (power.diff(&x), power.diff(&x).diff(&x));
    for (at, k) in [(-1.5, 3.0), (0.0, 3.0), (0.0, 2.0), (2.0, 2.5), (-2.0, 4.0)] {
        let value = |e: &Expr| e.evaluate(&[(x.clone(), at), (n.clone(), k)]).unwrap();
        let close = |a: f64, b: f64| assert!((a - b).abs() <= 1e-14 * b.abs(), "{a} for {b}");
        close(value(&power), at.powf(k));
        close(value(&first), k * at.powf(k - 1.0));
        close(value(&second), k * (k - 1.0) * at.powf(k - 2.0));
    }
    // In the exponent.
    let (a, slope) = (Symbol::constant("a"), power.diff(&n));
    assert_eq!(slope, &power * Expr::from(&x).log());
    let exponential = Expr::from(&a).pow(&Expr::from(&x));
    assert_eq!(exponential.diff(&x), &exponential * Expr::from(&a).log());
}

#[test]
fn printers_write_powers() {
    let (x, k, n) = (var("x"), constant("k"), constant("n"));
    let v = Expr::from(Symbol::variable("x").jet(1));
    prints(&(&k * x.pow(&n)), "k*x^n");
    prints(&(&k / x.pow(&n)), "k/x^n");
    prints(&(&k * x.pow(&(1 - &n))), "k/x^(n - 1)");
    prints(&(&n * v.pow(&(&n - 1)) / &k), "n*x'^(n - 1)/k");
    prints(&(&x + &k).pow(&(2 * &n)), "(x + k)^(2*n)");
    prints(&x.pow(&n).sqrt(), "sqrt(x^n)");
    prints(&x.pow(&n).pow(&k), "(x^n)^k");
    prints(&x.pow(&n.pow(&k)), "x^(n^k)");
    prints(&Expr::ratio(1, 2).pow(&n), "2^(-n)");
    let style = Style::default();
    assert_eq!(latex(&(&k * x.pow(&(&n - 1))), &style), "k x^{n - 1}");
    assert_eq!(latex(&x.sin().pow(&n), &style), r"\left(\sin x\right)^{n}");
    let found = mathml(&x.pow(&n), &style);
    let power = "<msup><mrow><mi>x</mi></mrow><mrow><mi>n</mi></mrow></msup>";
    assert!(found.contains(power), "{found}");
}

#[track_caller]
fn proven(e: &Expr) {
    let verdict = prove_zero(e);
    assert!(verdict.is_proven(), "{e}: {verdict:?}");
}

#[test]
fn identities_are_proven() {
    let (x, y, a, b) = (var("x"), positive("y"), constant("a"), constant("b"));
    proven(&((&x + 1).pow(&(&a + &b)) - (&x + 1).pow(&a) * (&x + 1).pow(&b)));
    proven(&((&x + 1) * (&x + 1).pow(&(&a - 1)) - (1 + &x).pow(&a)));
    proven(&((x.pow(&a) - 1) * (x.pow(&a) + 1) - x.pow(&(2 * &a)) + 1));
    proven(&((y.pow(&(2 * &a)) - 2 * y.pow(&a) + 1) / (y.pow(&a) - 1) - y.pow(&a) + 1));
    proven(&(y.powi(2).pow(&a) - y.pow(&(2 * &a))));
    let z = positive("z");
    proven(&((&y * &z).pow(&a) - y.pow(&a) * z.pow(&a)));
    proven(&((&x * &y).pow(&a) - y.pow(&a) * x.pow(&a)));
    proven(&((4 * &y / &z).pow(&a) - Expr::from(2).pow(&(2 * &a)) * y.pow(&a) / z.pow(&a)));
    proven(&(Expr::from(6).pow(&a) - Expr::from(2).pow(&a) * Expr::from(3).pow(&a)));
    proven(&((-3 * &x).pow(&a) - Expr::from(3).pow(&a) * (-&x).pow(&a)));
    let apart = (-&x).pow(&a) - x.pow(&a);
    assert!(!prove_zero(&apart).is_proven(), "{apart}");
    proven(&((2 * &a * y.log()).exp() - y.pow(&a).powi(2)));
    proven(&(x.pow(&a).sin().powi(2) + x.pow(&a).cos().powi(2) - 1));
}

/// (x²)^(n/2) is |x|^n, and √(x^2n) is |x^n|: not x^n, whatever positive x say.
#[test]
fn what_fails_for_negative_bases_is_not_proven() {
    let (x, n) = (var("x"), constant("n"));
    let half = Expr::ratio(1, 2);
    for e in [
        x.powi(2).pow(&(&n * &half)) - x.pow(&n),
        x.pow(&(2 * &n)).sqrt() - x.pow(&n),
        x.pow(&n).pow(&half) - x.pow(&(&n * &half)),
        x.pow(&n).pow(&(1 / &n)) - &x,
    ] {
        let verdict = prove_zero(&e);
        assert!(!verdict.is_proven(), "{e}: {verdict:?}");
    }
    assert!(prove_zero(&(x.pow(&n) - &x)).is_refuted());
}

#[test]
fn normal_forms_know_the_exponents() {
    let (x, n) = (var("x"), constant("n"));
    let p = x.pow(&n);
    let same = |e: &Expr, f: &Expr| assert_eq!(normalize(e), *f, "{e}");
    same(&((p.powi(2) - 1) / (&p - 1)), &(&p + 1));
    same(&((&x * &p + &p) / (&x + 1)), &p);
    same(&(x.pow(&(&n + 1)) / &p - &x), &Expr::zero());
    // Under a root the power comes back as a power.
    let root = (x.pow(&(&n + 1)) + 1).sqrt();
    same(&(root.powi(2) / &root), &root);
    assert_eq!(simplify(&(&p * x.sin().powi(2) + &p * x.cos().powi(2))), p);
    assert_eq!(expand(&((&x + 1) * &p)), x.pow(&(&n + 1)) + &p);
}
