//! Simplification keeps the value, is stable, and finds back what was hidden.

mod common;

use common::{assert_same_value, expression, mechanical, symbols};
use proptest::prelude::*;
use rattleback_symbolic::*;

/// `e` with a true identity multiplied or added in, chosen by `which`.
fn disguised(e: &Expr, by: &Expr, which: usize) -> Expr {
    let angle = Expr::from(&symbols()[5]);
    let other = Expr::from(&symbols()[6]);
    match which {
        0 => e * (by.sin().powi(2) + by.cos().powi(2)),
        1 => e + by - by * (angle.sin().powi(2) + angle.cos().powi(2)),
        2 => e * (&other * by + by) / (by * (&other + 1)),
        3 => (e * &angle + e * &other) / (&angle + &other),
        _ => {
            // Angles of its own: among functions of the same angles in `e` there are other forms, not all of them short.
            let (a, b) = (
                Expr::from(Symbol::variable("alpha")),
                Expr::from(Symbol::variable("beta")),
            );
            e + a.sin() * b.cos() + a.cos() * b.sin() - (a + b).sin()
        }
    }
}

proptest! {
    #![proptest_config(rattleback_testing::cases(250))]

    #[test]
    fn any_value_is_preserved(e in expression()) {
        assert_same_value(&e, &simplify(&e));
    }

    #[test]
    fn values_are_preserved_by_binomials(e in mechanical(), by in mechanical()) {
        let how = Simplifier { binomials: true, ..Simplifier::default() };
        let once = simplify_with(&e, &how);
        prop_assert_eq!(&simplify_with(&once, &how), &once);
        for e in [e.clone(), expand(&((&e + &by).powi(2) + &by)), expand(&(&e * &by + &e))] {
            if !e.is_undefined() {
                assert_same_value(&e, &simplify_with(&e, &how));
            }
        }
    }

    #[test]
    fn mechanical_values_are_preserved(e in mechanical()) {
        assert_same_value(&e, &simplify(&e));
    }

    #[test]
    fn simplifying_twice_changes_nothing(e in mechanical()) {
        let once = simplify(&e);
        prop_assert_eq!(&simplify(&once), &once);
    }

    #[test]
    fn disguises_are_seen_through(e in mechanical(), by in mechanical(), which in 0usize..5) {
        let hidden = disguised(&e, &by, which);
        if !hidden.is_undefined() {
            let (plain, found) = (simplify(&e).to_string(), simplify(&hidden).to_string());
            prop_assert!(found.len() <= plain.len() + plain.len() / 4 + 8, "{}\n{}", plain, found);
        }
    }

    #[test]
    fn a_small_budget_is_kept_and_harmless(e in mechanical(), budget in 0usize..400) {
        let how = Simplifier { budget, ..Simplifier::default() };
        assert_same_value(&e, &simplify_with(&e, &how));
    }
}

proptest! {
    #![proptest_config(rattleback_testing::cases(60))]

    #[test]
    fn quotients_keep_their_value(a in mechanical(), b in mechanical(), c in mechanical()) {
        let e = &a / &b + &c / (&a * &b);
        if !e.is_undefined() {
            assert_same_value(&e, &simplify(&e));
        }
    }
}
