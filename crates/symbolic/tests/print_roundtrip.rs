//! Printed text read back is the same value, and for equations of motion the same node.

mod common;

use common::{assert_same_value, expression, mechanical, reader::read};
use proptest::prelude::*;
use rattleback_symbolic::*;

fn assert_reads_back(e: &Expr) {
    if !e.is_undefined() {
        assert_same_value(&read(&e.to_string()), e);
        assert_same_value(&read(&text(e, &Style::unicode())), e);
    }
}

proptest! {
    #![proptest_config(rattleback_testing::cases(2000))]

    #[test]
    fn any_expression_reads_back(e in expression()) {
        assert_reads_back(&e);
    }

    #[test]
    fn equations_of_motion_read_back_as_the_same_node(e in mechanical()) {
        prop_assert_eq!(&read(&e.to_string()), &e);
        prop_assert_eq!(&read(&text(&e, &Style::unicode())), &e);
    }

    #[test]
    fn order_changes_only_the_order(e in expression()) {
        let backwards: Vec<Symbol> = common::symbols().into_iter().rev().collect();
        let style = Style::ascii().with_order(Order::new(&backwards));
        let turned = text(&e, &style);
        if !e.is_undefined() {
            assert_same_value(&read(&turned), &e);
        }
    }
}
