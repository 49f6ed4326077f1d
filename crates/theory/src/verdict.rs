//! From the verdict on a zero to a claim about a system.

use crate::Claim;
use crate::claim::point;
use rattleback_symbolic::Verdict;

/// The claim that something vanishes, said in words.
pub(crate) fn claim(verdict: Verdict, what: &str) -> Claim {
    match verdict {
        Verdict::Proven { how } => Claim::proven(format!("{what} ({how})")),
        Verdict::Refuted { witness, value } => {
            Claim::refuted(format!("off by {value} at {}", point(&witness)))
        }
        Verdict::Undecided { why } => Claim::undecided(why),
    }
}
