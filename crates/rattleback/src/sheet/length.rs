//! How long a formula gets when it is written out.

use rattleback::symbolic::{Expr, postorder};
use std::collections::HashMap;

/// Formulas longer than this are not written for a person who did not ask for all.
pub const READABLE: u64 = 2_000;
/// Formulas longer than this are not written at all: shared parts would fill the memory.
pub const WRITABLE: u64 = 4_000_000;

/// The number of symbols, numbers and operations of `e` written out, shared parts counted each time.
pub fn written_length(e: &Expr) -> u64 {
    let mut lengths: HashMap<Expr, u64> = HashMap::new();
    for part in postorder(std::slice::from_ref(e), |_| true) {
        let mut length: u64 = 1;
        part.kind().for_each_child(|c| {
            let inner = lengths.get(c).copied().unwrap_or(1);
            length = length.saturating_add(inner);
        });
        lengths.insert(part, length);
    }
    lengths.get(e).copied().unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback::symbolic::Symbol;

    #[test]
    fn shared_parts_count_each_time() {
        let mut e = Expr::from(Symbol::variable("x"));
        for _ in 0..100 {
            e = e.sin() + e.cos();
        }
        assert_eq!(written_length(&e), u64::MAX);
        assert_eq!(written_length(&Expr::one()), 1);
    }
}
