//! Printed text read back is the same expression.

mod common;

use common::{assert_same_value, expression, mechanical, reader::read};
use proptest::prelude::*;
use rattleback_symbolic::*;

fn assert_reads_back(e: &Expr) {
    if e.is_undefined() {
        return;
    }
    assert_same(&read(&e.to_string()), e);
    assert_same(&read(&text(e, &Style::unicode())), e);
}

/// The same node, except that a root of a number has more than one form: 9^(1/3) is 3^(2/3).
fn assert_same(back: &Expr, e: &Expr) {
    let is_number_root = |e: &Expr| match e.kind() {
        Kind::Product(factors) => factors.iter().any(|(b, _)| b.as_number().is_some()),
        _ => false,
    };
    if postorder(std::slice::from_ref(e), |_| true)
        .iter()
        .any(is_number_root)
    {
        assert_same_value(back, e);
    } else {
        assert_eq!(back, e);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_expression_reads_back(e in expression()) {
        assert_reads_back(&e);
    }

    #[test]
    fn equations_of_motion_read_back(e in mechanical()) {
        assert_reads_back(&e);
    }

    #[test]
    fn order_changes_only_the_order(e in expression()) {
        let backwards: Vec<Symbol> = common::symbols().into_iter().rev().collect();
        let style = Style::ascii().with_order(Order::new(&backwards));
        let turned = text(&e, &style);
        prop_assert_eq!(turned.len(), e.to_string().len());
        if !e.is_undefined() {
            assert_same(&read(&turned), &e);
        }
    }
}
