//! What a person reads: the equations of every shipped model, compared by eye once and then kept.
//!
//! After a deliberate change run with `INSTA_UPDATE=always` and read the difference.

mod common;

use common::{all_shipped, rattleback, shipped};

#[test]
fn equations_of_the_shipped_models_read_as_before() {
    for name in all_shipped() {
        let run = rattleback(["derive", &shipped(&name)]).exits(0);
        insta::assert_snapshot!(name, run.out);
    }
}
