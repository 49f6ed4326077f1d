//! Searches, and the certificate that one of them left nothing out.

use crate::Effort;
use rattleback_symbolic::cancelled;

/// A search over candidates. Only one that looked at all of them can say that there is none.
///
/// ```ignore
/// let mut search = Search::within(effort);
/// for c in candidates {
///     if !search.goes_on() { break; }
///     match judge(c) { Good => return c, Unclear => search.leave_out("…"), Bad => {} }
/// }
/// let none: Exhausted = search.finish()?;
/// ```
#[derive(Clone, Debug)]
pub(crate) struct Search {
    effort: Effort,
    looked_at: usize,
    gap: Option<CutShort>,
}

/// Nothing was left out: every candidate of the search was looked at and settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exhausted {
    looked_at: usize,
}

/// Why a search is not the last word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CutShort {
    /// Its effort was used up after so many candidates.
    Effort {
        /// Candidates that were looked at.
        looked_at: usize,
    },
    /// Somebody cancelled it.
    Cancelled,
    /// Some candidate was left out or could not be settled.
    LeftOut(String),
}

impl Search {
    /// A search that may spend so much.
    pub(crate) fn within(effort: Effort) -> Self {
        Self {
            effort,
            looked_at: 0,
            gap: None,
        }
    }

    /// May the next candidate be looked at? Once it may not, the search is cut short.
    pub(crate) fn goes_on(&mut self) -> bool {
        if self.effort.is_spent() {
            self.cut();
            return false;
        }
        self.looked_at += 1;
        true
    }

    /// What may be spent.
    pub(crate) fn effort(&self) -> Effort {
        self.effort
    }

    /// Notes that a candidate was left out, or that its question stayed open.
    pub(crate) fn leave_out(&mut self, what: impl Into<String>) {
        self.gap.get_or_insert(CutShort::LeftOut(what.into()));
    }

    /// Takes over the gap of a part of the search.
    pub(crate) fn join(&mut self, part: Result<Exhausted, CutShort>) {
        match part {
            Ok(done) => self.looked_at += done.looked_at,
            Err(why) => _ = self.gap.get_or_insert(why),
        }
    }

    fn cut(&mut self) {
        let looked_at = self.looked_at;
        self.gap.get_or_insert(match cancelled() {
            true => CutShort::Cancelled,
            false => CutShort::Effort { looked_at },
        });
    }

    /// The certificate, if nothing was left out.
    pub(crate) fn finish(mut self) -> Result<Exhausted, CutShort> {
        // Work that was cancelled in the middle gave no answers.
        if cancelled() {
            self.cut();
        }
        match self.gap {
            None => Ok(Exhausted {
                looked_at: self.looked_at,
            }),
            Some(why) => Err(why),
        }
    }
}

impl std::fmt::Display for CutShort {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CutShort::Effort { looked_at: 0 | 1 } => f.write_str(OUT_OF_EFFORT),
            CutShort::Effort { looked_at } => {
                write!(f, "{OUT_OF_EFFORT} ({looked_at} candidates were looked at)")
            }
            CutShort::Cancelled => f.write_str(CANCELLED),
            CutShort::LeftOut(what) => f.write_str(what),
        }
    }
}

const OUT_OF_EFFORT: &str = "the effort was used up; allow more with --effort";
const CANCELLED: &str = "it was cancelled before it came to an end";

/// What is said where the effort ran out: that, or that somebody cancelled.
pub(crate) fn out_of_effort() -> &'static str {
    match cancelled() {
        true => CANCELLED,
        false => OUT_OF_EFFORT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_symbolic::{Cancel, count_work};

    #[test]
    fn only_a_search_that_came_to_its_end_is_exhausted() {
        let mut all = Search::within(Effort::units(10));
        assert!(all.goes_on() && all.goes_on());
        assert_eq!(all.finish(), Ok(Exhausted { looked_at: 2 }));

        let mut cut = Search::within(Effort::units(10));
        assert!(cut.goes_on());
        count_work(10);
        assert!(!cut.goes_on());
        assert_eq!(cut.finish(), Err(CutShort::Effort { looked_at: 1 }));
    }

    #[test]
    fn what_is_left_out_or_cancelled_is_a_gap() {
        let mut search = Search::within(Effort::unlimited());
        assert!(search.goes_on());
        search.leave_out("one was too large");
        assert_eq!(
            search.clone().finish(),
            Err(CutShort::LeftOut("one was too large".into()))
        );
        let mut outer = Search::within(Effort::unlimited());
        outer.join(search.finish());
        assert!(outer.finish().is_err());

        let cancel = Cancel::new();
        cancel.cancel();
        let cancelled = cancel.scope(|| Search::within(Effort::unlimited()).finish());
        assert_eq!(cancelled, Err(CutShort::Cancelled));
    }
}
