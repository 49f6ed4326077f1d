//! From the verdict on a zero to a claim about a system.

use crate::Claim;
use rattleback_symbolic::{Rational, Symbol, Verdict};

/// The claim that something vanishes, said in words.
pub(crate) fn claim(verdict: Verdict, what: &str) -> Claim {
    match verdict {
        Verdict::Proven { how } => Claim::proven(format!("{what} ({how})")),
        Verdict::Refuted { witness, value } => {
            Claim::refuted(format!("off by {value} at {}", point_text(&witness)))
        }
        Verdict::Undecided { why } => Claim::undecided(why),
    }
}

/// A point in words.
pub(crate) fn point_text(point: &[(Symbol, Rational)]) -> String {
    if point.is_empty() {
        return "every point".into();
    }
    let items: Vec<String> = point.iter().map(|(s, r)| format!("{s} = {r}")).collect();
    items.join(", ")
}
