//! Events along the motions of members.

use crate::event::Direction;

/// The fewest parts of a step in which sign changes are looked for.
const FEWEST_PARTS: f64 = 4.0;
/// The most parts, however close the spacing.
const MOST_PARTS: f64 = 4096.0;

/// How an event of all members is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct MemberEvent {
    /// Which crossings count.
    pub direction: Direction,
    /// Does a member's motion end at a crossing?
    pub terminal: bool,
}

/// What is known of an event of one member.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossings {
    /// How often it has happened.
    pub count: u64,
    /// When it happened first; not a number where it did not.
    pub first: f64,
    /// Does its function turn too often to be followed, so that crossings may be missing?
    pub blurred: bool,
}

impl Crossings {
    /// None so far.
    pub(super) fn none() -> Self {
        Crossings {
            count: 0,
            first: f64::NAN,
            blurred: false,
        }
    }

    /// Another one.
    pub(super) fn add(&mut self, t: f64) {
        if self.count == 0 {
            self.first = t;
        }
        self.count += 1;
    }
}

/// Into how many parts a step of this length is divided.
pub(super) fn parts(h: f64, spacing: f64) -> u32 {
    let wanted = (h / spacing).abs().ceil();
    wanted.clamp(FEWEST_PARTS, MOST_PARTS) as u32
}
