//! How long a formula gets when it is written out.

use crate::symbolic::{Expr, Kind, postorder};
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
        format!("{name}: {length} operations; ‹full› writes them out")
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

/// About how many characters formulas have together, shared parts counted each time.
pub fn characters(all: &[Expr]) -> u64 {
    let lengths = lengths(&postorder(all, |_| true));
    let each = all.iter().map(|e| lengths.get(e).copied().unwrap_or(0));
    each.fold(0, u64::saturating_add)
}

/// About how many characters each node has; children stand before their parents.
pub fn lengths(nodes: &[Expr]) -> HashMap<Expr, u64> {
    let mut lengths: HashMap<Expr, u64> = HashMap::new();
    for node in nodes {
        let of = |e: &Expr| lengths.get(e).copied().unwrap_or(1);
        let length = match node.kind() {
            Kind::Symbol(s) => s.name().chars().count() as u64,
            Kind::Sum(_, terms) => terms.iter().fold(0u64, |n, (e, c)| {
                let number = if c.abs().is_one() { 3 } else { 5 };
                n.saturating_add(of(e)).saturating_add(number)
            }),
            Kind::Product(factors) => factors.iter().fold(0u64, |n, (e, r)| {
                let brackets = if matches!(e.kind(), Kind::Sum(..)) {
                    2
                } else {
                    0
                };
                let power = if r.abs().is_one() { 1 } else { 3 };
                n.saturating_add(of(e)).saturating_add(brackets + power)
            }),
            Kind::Scaled(_, e) => of(e).saturating_add(2),
            Kind::Function(_, x) => x.iter().fold(4u64, |n, e| n.saturating_add(of(e))),
            Kind::Number(_) | Kind::Pi | Kind::Undefined => 2,
        };
        lengths.insert(node.clone(), length);
    }
    lengths
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
