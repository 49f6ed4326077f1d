//! Events: where a function of time and state crosses zero.

mod root;
mod tube;
mod walk;

pub use tube::{Bounds, Tube};
pub(crate) use walk::{Passage, Walk};

/// Which crossings count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Direction {
    /// From negative to positive.
    Rising,
    /// From positive to negative.
    Falling,
    /// Both.
    #[default]
    Any,
}

impl Direction {
    /// Whether a crossing that starts on this side counts.
    fn counts_from(self, side: Side) -> bool {
        match self {
            Direction::Rising => side == Side::Negative,
            Direction::Falling => side == Side::Positive,
            Direction::Any => true,
        }
    }
}

type EventFunction<'a> = Box<dyn FnMut(f64, &[f64]) -> f64 + 'a>;
type EventBounds<'a> = Box<dyn FnMut(&Tube) -> Bounds + 'a>;

/// A function g(t, x) whose zero crossings are located.
pub struct Event<'a> {
    function: EventFunction<'a>,
    bounds: Option<EventBounds<'a>>,
    direction: Direction,
    terminal: bool,
    /// What is known of the function since an earlier motion that goes on, and at the end of this one.
    begun: Option<Watch>,
    ended: Option<Watch>,
}

impl<'a> Event<'a> {
    /// An event at every zero crossing of g(t, x). Where g is not a number it has no sign, and no
    /// crossing is seen.
    pub fn new(function: impl FnMut(f64, &[f64]) -> f64 + 'a) -> Self {
        Event {
            function: Box::new(function),
            bounds: None,
            direction: Direction::Any,
            terminal: false,
            begun: None,
            ended: None,
        }
    }

    /// For a motion that goes on where the one ended in which this event was looked for. The function may be another
    /// one: where it jumps from the one to the other, that is no crossing.
    pub fn after(mut self, earlier: &Event<'_>) -> Self {
        self.begun = earlier.ended;
        self
    }

    /// With bounds of g and of its slope, so that no crossing goes unseen however often g turns.
    pub fn bounded(mut self, bounds: impl FnMut(&Tube) -> Bounds + 'a) -> Self {
        self.bounds = Some(Box::new(bounds));
        self
    }

    /// Counts crossings in this direction of time's progress only.
    pub fn direction(mut self, direction: Direction) -> Self {
        self.direction = direction;
        self
    }

    /// Ends the motion at the first crossing.
    pub fn terminal(mut self) -> Self {
        self.terminal = true;
        self
    }

    /// Whether the motion ends at a crossing.
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// g(t, x).
    pub fn value(&mut self, t: f64, x: &[f64]) -> f64 {
        (self.function)(t, x)
    }

    /// Are there bounds of g?
    pub(crate) fn is_bounded(&self) -> bool {
        self.bounds.is_some()
    }

    /// Between which numbers g and its slope lie in a tube.
    pub(crate) fn bounds(&mut self, tube: &Tube) -> Bounds {
        let bounds = self.bounds.as_mut().map(|bounds| bounds(tube));
        bounds.unwrap_or_default()
    }

    /// Which crossings count.
    pub(crate) fn counted(&self) -> Direction {
        self.direction
    }

    /// What is known of the function where a motion begins or goes on.
    pub(crate) fn watch(&mut self, t: f64, x: &[f64]) -> Watch {
        let value = self.value(t, x);
        self.begun.map_or(Watch::new(value), |w| w.behind(value))
    }

    /// Does the motion go on?
    pub(crate) fn goes_on(&self) -> bool {
        self.begun.is_some()
    }

    /// What is known of the function where a motion ends.
    pub(crate) fn keep(&mut self, watch: Watch) {
        self.ended = Some(watch);
    }
}

impl std::fmt::Debug for Event<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Event")
            .field("direction", &self.direction)
            .field("terminal", &self.terminal)
            .finish_non_exhaustive()
    }
}

/// The sign of an event function, where it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Negative,
    Neither,
    Positive,
}

fn side(value: f64) -> Side {
    if value > 0.0 {
        Side::Positive
    } else if value < 0.0 {
        Side::Negative
    } else {
        Side::Neither
    }
}

/// What is known of one event function along the motion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch {
    /// The last value.
    value: f64,
    /// The side of the last value that had one: a motion that starts on zero, or touches it and
    /// turns back, does not cross.
    side: Side,
    /// The largest value so far.
    size: f64,
}

/// What is more than this part of a function's size is a jump of it, not rounding.
const JUMP: f64 = 1e-9;

impl Watch {
    /// Starts with this value.
    pub fn new(value: f64) -> Self {
        Watch {
            value,
            side: side(value),
            size: value.abs(),
        }
    }

    /// Goes on behind a place where the function may jump to this value: that would be no crossing.
    pub fn behind(self, value: f64) -> Self {
        let is_same = (value - self.value).abs() <= JUMP * self.size.max(value.abs());
        if is_same { self } else { Watch::new(value) }
    }

    /// Moves on to the next value. Where a crossing lies between, the value before is returned.
    pub fn advance(&mut self, value: f64, direction: Direction) -> Option<f64> {
        let (before, was, now) = (self.value, self.side, side(value));
        self.value = value;
        self.size = self.size.max(value.abs());
        if now == Side::Neither || now == was {
            return None;
        }
        self.side = now;
        (was != Side::Neither && direction.counts_from(was)).then_some(before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starting_on_zero_or_touching_it_is_no_crossing() {
        let mut watch = Watch::new(0.0);
        assert_eq!(watch.advance(1.0, Direction::Any), None);
        assert_eq!(watch.advance(0.0, Direction::Any), None);
        assert_eq!(watch.advance(2.0, Direction::Any), None);
        assert_eq!(watch.advance(f64::NAN, Direction::Any), None);
        assert_eq!(watch.advance(1.0, Direction::Any), None);
        assert_eq!(watch.advance(-1.0, Direction::Rising), None);
        assert_eq!(watch.advance(1.0, Direction::Rising), Some(-1.0));
        assert_eq!(watch.advance(0.0, Direction::Falling), None);
        assert_eq!(watch.advance(-1.0, Direction::Falling), Some(0.0));
    }

    #[test]
    fn a_jump_is_no_crossing_and_rounding_is_no_jump() {
        let mut watch = Watch::new(-1.0);
        assert_eq!(watch.advance(-1e-17, Direction::Any), None);
        let jumped = &mut watch.behind(1e-3);
        assert_eq!(jumped.advance(1.0, Direction::Any), None);
        let same = &mut watch.behind(1e-17);
        assert_eq!(same.advance(1.0, Direction::Any), Some(-1e-17));
        let lost = &mut watch.behind(f64::NAN);
        assert_eq!(lost.advance(1.0, Direction::Any), None);
    }
}
