//! The kernel: canonical forms, calculus, memory and depth.

use proptest::prelude::*;
use rattleback_symbolic::*;

fn var(name: &str) -> (Symbol, Expr) {
    let s = Symbol::variable(name);
    let e = Expr::from(&s);
    (s, e)
}

#[test]
fn like_terms_and_factors_merge() {
    let (_, x) = var("x");
    let (_, y) = var("y");
    assert_eq!(&x + &y - &x, y);
    assert_eq!(&x * &y / &x, y);
    assert_eq!((&x - &y) / (&y - &x), Expr::from(-1));
    assert_eq!((2 * &x + 2 * &y).powi(2), 4 * (&x + &y).powi(2));
    assert_eq!(2 * (&x + &y) - 2 * &x, 2 * &y);
    assert_eq!((&x * &y).powi(3), x.powi(3) * y.powi(3));
}

#[test]
fn roots_respect_signs() {
    let (_, x) = var("x");
    let m = Expr::from(Symbol::constant("m").with_sign(Sign::Positive));
    assert_eq!(m.powi(2).sqrt(), m);
    assert_ne!(x.powi(2).sqrt(), x);
    assert_eq!(x.powi(2).sqrt().powi(2), x.powi(2));
    assert_eq!((4 * &m).sqrt(), 2 * m.sqrt());
    assert_eq!(Expr::from(2).sqrt() * Expr::from(2).sqrt(), Expr::from(2));
    assert_eq!(Expr::from(8).sqrt(), 2 * Expr::from(2).sqrt());
    assert_eq!(Expr::ratio(1, 2).sqrt(), Expr::from(2).sqrt() / 2);
    assert!(Expr::from(-1).sqrt().is_undefined());
    assert!((Expr::one() / Expr::zero()).is_undefined());
    assert!((x / Expr::zero() * Expr::zero()).is_undefined());
}

#[test]
fn trigonometry_is_reduced() {
    let (_, x) = var("x");
    let pi = Expr::pi();
    assert_eq!((-&x).sin(), -x.sin());
    assert_eq!((&x - Expr::one()).cos(), (1 - &x).cos());
    assert_eq!((&x + &pi).sin(), -x.sin());
    assert_eq!((&x + &pi / 2).sin(), x.cos());
    assert_eq!((&x - &pi / 2).cos(), x.sin());
    assert_eq!((&pi / 6).sin(), Expr::ratio(1, 2));
    assert_eq!((5 * &pi / 4).cos(), -(Expr::from(2).sqrt() / 2));
    assert_eq!(x.tan() * x.cos(), x.sin());
    assert_eq!(x.log().exp(), x);
    for k in -20..20 {
        let angle = Expr::ratio(k, 12) * &pi;
        let exact = angle.sin().evaluate(&[]).unwrap();
        assert!((exact - (f64::from(k as i32) / 12.0 * std::f64::consts::PI).sin()).abs() < 1e-15);
    }
}

#[test]
fn derivatives_match_finite_differences() {
    let (s, x) = var("x");
    for e in [
        x.sin() * x.exp(),
        (1 + x.powi(2)).sqrt().log(),
        x.tan().atan() * x.cosh(),
        (&x / 3).asin() + (&x / 3).acos() * x.sinh(),
        Expr::atan2(&x, &(1 + &x)),
        x.pow(&x),
    ] {
        let d = e.diff(&s);
        let at = |v: f64| e.evaluate(&[(s.clone(), v)]).unwrap();
        let numeric = (at(0.7 + 1e-6) - at(0.7 - 1e-6)) / 2e-6;
        let exact = d.evaluate(&[(s.clone(), 0.7)]).unwrap();
        assert!((numeric - exact).abs() < 1e-8, "{e}: {numeric} {exact}");
    }
}

#[test]
fn total_derivative_climbs_the_jets() {
    let (s, x) = var("x");
    let v = Expr::from(s.jet(1));
    let t = Expr::from(Symbol::time());
    assert_eq!(
        (&x * &v * &t).total_derivative(),
        v.powi(2) * &t + &x * &s.jet(2) * &t + &x * &v
    );
    assert!(
        Expr::from(Symbol::constant("m"))
            .total_derivative()
            .is_zero()
    );
}

#[test]
fn depth_costs_no_stack() {
    let (s, x) = var("x");
    let mut e = x;
    for _ in 0..200_000 {
        e = e.sin() + 1;
    }
    assert!(e.contains(&s));
    assert!(e.evaluate(&[(s.clone(), 0.1)]).unwrap().is_finite());
    assert!(e.substitute(&[(s, Expr::zero())]).node_count() > 1000);
}

#[test]
fn threads_share_one_table() {
    let make = || {
        let (_, x) = var("shared");
        (0..2000).map(|i| (&x * i).cos() + i).collect::<Vec<_>>()
    };
    let handles: Vec<_> = (0..4).map(|_| std::thread::spawn(make)).collect();
    let all: Vec<_> = handles.into_iter().map(|h| h.join().unwrap()).collect();
    assert!(all.iter().all(|v| *v == all[0]));
}

proptest! {
    /// One pass for many symbols gives what a pass for each gives.
    #[test]
    fn gradients_in_many_symbols_are_the_derivatives(picks in prop::collection::vec((0usize..5, 0usize..12, 0usize..12), 1..14)) {
        let symbols: Vec<Symbol> = (0..12).map(|i| Symbol::variable(&format!("q{i}"))).collect();
        let x: Vec<Expr> = symbols.iter().map(Expr::from).collect();
        let mut e = Expr::one();
        for (shape, i, j) in picks {
            e = match shape {
                0 => &e + x[i].sin() * &x[j],
                1 => &e * (&x[i] + 2),
                2 => (&e + &x[i] * &x[j]).powi(2),
                3 => (&e * &x[i]).cos() + &e,
                _ => &e / (x[j].powi(2) + 1),
            };
        }
        let each: Vec<Expr> = symbols.iter().map(|s| e.diff(s)).collect();
        for (all, one) in e.gradient(&symbols).iter().zip(&each) {
            prop_assert!(all == one || is_probably_zero(&(all - one)), "{all} is not {one}");
        }
    }
}
