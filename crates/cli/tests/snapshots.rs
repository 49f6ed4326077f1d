//! What a person reads: the equations of every shipped model, compared by eye once and then kept.

use crate::common::{all_shipped, rattleback, reads_as_before, shipped};

#[test]
fn equations_of_the_shipped_models_read_as_before() {
    for name in all_shipped() {
        let run = rattleback(["derive", &shipped(&name)]).exits(0);
        reads_as_before(&format!("snapshots__{name}"), &run.out);
    }
}
