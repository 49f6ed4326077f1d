//! Searches, and the certificate that one of them left nothing out.

use crate::{Effort, Reason};
use rattleback_symbolic::cancelled;
use std::fmt;

/// A search over candidates. Only one that looked at all of them can say that there is none.
///
/// ```ignore
/// let mut search = Search::of(Searched::Fibres, effort);
/// for c in candidates {
///     if !search.goes_on() { break; }
///     match judge(c) { Good => return c, Unclear => search.leave_out("…"), Bad => {} }
/// }
/// let none: Exhausted = search.finish()?;
/// ```
#[derive(Clone, Debug)]
pub(crate) struct Search {
    what: Searched,
    effort: Effort,
    looked_at: usize,
    gap: Option<CutShort>,
}

/// What is searched, and how far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Searched {
    /// Vector fields whose coefficients are polynomials.
    Fields {
        /// The degree of the coefficients.
        degree: usize,
        /// The most unknowns of an ansatz: coefficients beyond that are left out, the last ones first.
        unknowns: usize,
    },
    /// Polynomials in the velocities.
    Polynomials {
        /// The degree in the velocities.
        degree: usize,
        /// The degree of the coefficients.
        coefficients: usize,
        /// The most unknowns of an ansatz.
        unknowns: usize,
    },
    /// Sets of coordinates and group factors as fibres.
    Fibres,
    /// The ways in which equations split into factors.
    Branches,
    /// Constant relations between functions.
    Relations,
}

impl fmt::Display for Searched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const OF: &str = "in coordinates, sines, cosines and entries of groups";
        match self {
            Searched::Fields { degree, unknowns } => write!(
                f,
                "fields with coefficients that are polynomials up to degree {degree} {OF} (as many as {unknowns} unknowns allow)"
            ),
            Searched::Polynomials {
                degree,
                coefficients,
                unknowns,
            } => write!(
                f,
                "polynomials of degree {degree} in the velocities whose coefficients are polynomials of degree {coefficients} {OF}, at most {unknowns} of them in all"
            ),
            Searched::Fibres => f.write_str("fibres of coordinates and group factors"),
            Searched::Branches => f.write_str("branches"),
            Searched::Relations => f.write_str("constant relations"),
        }
    }
}

/// Nothing was left out: every candidate of the search was looked at and settled. Only a search makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted {
    what: Searched,
    looked_at: usize,
}

impl Exhausted {
    /// What was searched, and how far.
    pub fn what(&self) -> Searched {
        self.what
    }
    /// How many candidates were looked at.
    pub fn looked_at(&self) -> usize {
        self.looked_at
    }
}

/// Why a search is not the last word.
#[derive(Clone, Debug, PartialEq)]
pub enum CutShort {
    /// Its effort was used up after so many candidates.
    Effort {
        /// Candidates that were looked at.
        looked_at: usize,
    },
    /// Somebody cancelled it.
    Cancelled,
    /// Some candidate was left out or could not be settled.
    LeftOut(Box<Reason>),
}

impl CutShort {
    /// The effort is used up after so many candidates, or somebody cancelled.
    pub(crate) fn here(looked_at: usize) -> Self {
        match cancelled() {
            true => CutShort::Cancelled,
            false => CutShort::Effort { looked_at },
        }
    }

    /// Did somebody cancel it?
    pub fn is_cancelled(&self) -> bool {
        match self {
            CutShort::Cancelled => true,
            CutShort::LeftOut(what) => what.is_cancelled(),
            CutShort::Effort { .. } => false,
        }
    }
}

impl Search {
    /// A search that may spend so much.
    pub(crate) fn of(what: Searched, effort: Effort) -> Self {
        Self {
            what,
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

    /// Notes that more was searched than was meant to be at first.
    pub(crate) fn extend(&mut self, what: Searched) {
        self.what = what;
    }

    /// What is searched, and how far.
    pub(crate) fn what(&self) -> Searched {
        self.what
    }

    /// What may be spent.
    pub(crate) fn effort(&self) -> Effort {
        self.effort
    }

    /// Notes that a candidate was left out, or that its question stayed open.
    pub(crate) fn leave_out(&mut self, what: impl Into<Reason>) {
        self.gap
            .get_or_insert_with(|| CutShort::LeftOut(Box::new(what.into())));
    }

    /// Was something left out so far?
    pub(crate) fn has_gap(&self) -> bool {
        self.gap.is_some()
    }

    /// Takes over the gap of a part of the search.
    pub(crate) fn join(&mut self, part: Result<Exhausted, CutShort>) {
        match part {
            Ok(done) => self.looked_at += done.looked_at,
            Err(why) => _ = self.gap.get_or_insert(why),
        }
    }

    fn cut(&mut self) {
        let here = CutShort::here(self.looked_at);
        self.gap.get_or_insert(here);
    }

    /// The certificate, if nothing was left out.
    pub(crate) fn finish(mut self) -> Result<Exhausted, CutShort> {
        // Work that was cancelled in the middle gave no answers.
        if cancelled() {
            self.cut();
        }
        match self.gap {
            None => Ok(Exhausted {
                what: self.what,
                looked_at: self.looked_at,
            }),
            Some(why) => Err(why),
        }
    }
}

impl fmt::Display for CutShort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CutShort::Effort { looked_at: 0 | 1 } => f.write_str(OUT_OF_EFFORT),
            CutShort::Effort { looked_at } => {
                write!(f, "{OUT_OF_EFFORT} ({looked_at} candidates were looked at)")
            }
            CutShort::Cancelled => f.write_str(CANCELLED),
            CutShort::LeftOut(what) => what.fmt(f),
        }
    }
}

const OUT_OF_EFFORT: &str = "the effort was used up; allow more with ‹effort›";
const CANCELLED: &str = "it was cancelled before it came to an end";

#[cfg(test)]
mod tests {
    use super::super::Gap;
    use super::*;
    use rattleback_symbolic::{Cancel, count_work};

    #[test]
    fn only_a_search_that_came_to_its_end_is_exhausted() {
        let mut all = Search::of(Searched::Fibres, Effort::units(10));
        assert!(all.goes_on() && all.goes_on());
        assert_eq!(all.finish().map(|e| e.looked_at()), Ok(2));

        let mut cut = Search::of(Searched::Fibres, Effort::units(10));
        assert!(cut.goes_on());
        count_work(10);
        assert!(!cut.goes_on());
        assert_eq!(cut.finish(), Err(CutShort::Effort { looked_at: 1 }));
    }

    #[test]
    fn what_is_left_out_or_cancelled_is_a_gap() {
        let mut search = Search::of(Searched::Fibres, Effort::unlimited());
        assert!(search.goes_on());
        search.leave_out(Gap::NotAllFibres);
        assert_eq!(
            search.clone().finish(),
            Err(CutShort::LeftOut(Box::new(Gap::NotAllFibres.into())))
        );
        let mut outer = Search::of(Searched::Fibres, Effort::unlimited());
        outer.join(search.finish());
        assert!(outer.finish().is_err());

        let cancel = Cancel::new();
        cancel.cancel();
        let cancelled = cancel.scope(|| Search::of(Searched::Fibres, Effort::unlimited()).finish());
        assert_eq!(cancelled, Err(CutShort::Cancelled));
    }
}
