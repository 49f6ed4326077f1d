//! Numbers that are too long to be written out are numbers all the same.

use rattleback_symbolic::{Expr, Rational, Symbol, prove_zero};

fn cubed(times: u32, mut e: Expr) -> Expr {
    for _ in 0..times {
        e = e.powi(3);
    }
    e
}

#[test]
fn long_powers_have_values() {
    // 3^(3^14) has 7.6 million bits.
    let long = cubed(8, Expr::from(3)).powi(729);
    assert!(!long.is_undefined());
    assert!((long.log().evaluate(&[]).unwrap() / 4_782_969.0 - 3f64.ln()).abs() < 1e-12);
    assert!((&long * long.recip() - 1).is_zero());
    assert!(prove_zero(&(&long - &long)).is_proven());
    assert!(!prove_zero(&(&long - Expr::from(3))).is_proven());
    assert_eq!(long.sign(), rattleback_symbolic::Sign::Positive);
}

#[test]
fn long_powers_keep_their_sign_and_their_roots() {
    let [odd, even] = [15, 16].map(|k| {
        let power = Expr::from(-7).powi(3_000_000 + k);
        assert!(!power.is_undefined());
        power.sign()
    });
    assert_eq!(odd, rattleback_symbolic::Sign::Negative);
    assert_eq!(even, rattleback_symbolic::Sign::Positive);
    let root = Expr::from(7).powr(&Rational::new(6_000_001, 2));
    assert!(!root.is_undefined() && !(&root * &root).is_undefined());
    assert!(Expr::zero().powi(-5_000_000).is_undefined());
    assert_eq!(Expr::from(-1).powi(5_000_001), Expr::from(-1));
}

#[test]
fn nested_cubes_of_fractions_are_defined() {
    let third = Expr::from(Rational::new(1_234_567_891, 987_654_321_987));
    let nested = cubed(6, third).powi(1000);
    assert!(!nested.is_undefined());
    assert!(!(nested.powi(3) + Expr::from(Symbol::variable("x"))).is_undefined());
}
