//! How long a formula gets when it is written out.

use crate::symbolic::{Expr, postorder};
use std::collections::HashMap;

/// How long a formula may be that is written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit(u64);

impl Limit {
    /// What a person reads.
    pub const READABLE: Limit = Limit(2_000);
    /// What a person reads where it is one formula among many.
    pub const ON_A_PAGE: Limit = Limit(400);
    /// The left side of an equation.
    pub const LEFT_SIDE: Limit = Limit(40);
    /// What a machine is given without asking for more.
    pub const EXCHANGED: Limit = Limit(200_000);
    /// What a machine is given of one verdict: enough to work with, not megabytes of it.
    pub const EVIDENCE: Limit = Limit(20_000);
    /// What `--full` writes. Beyond this, shared parts written out would fill the memory.
    pub const FULL: Limit = Limit(4_000_000);

    /// Whether a formula of this length is written.
    pub fn allows(self, length: u64) -> bool {
        length <= self.0
    }

    /// The same for this many formulas together.
    pub fn times(self, n: usize) -> Limit {
        Limit(self.0.saturating_mul(n as u64))
    }
}

/// Says how long something is that is not written, and how to see it.
pub fn left_out(name: &str, length: u64) -> String {
    if Limit::FULL.allows(length) {
        format!("{name}: {length} operations; --full writes them out")
    } else {
        format!(
            "{name}: more than {} operations are too many to write out",
            Limit::FULL.0
        )
    }
}

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
    use crate::symbolic::Symbol;

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
