//! Vector fields of several members at once.

use super::events::MemberEvent;
use crate::drive::{Inside, Inspection};
use crate::event::{Bounds, Tube};
use crate::simd::{Block, LANES};

/// x' = f(t, x) for [`LANES`] members at once; component i of all of them is `x[i]`.
///
/// What happens in a lane must not depend on the others: then neither does a member's motion.
pub trait BatchField {
    /// The number of state components.
    fn dimension(&self) -> usize;

    /// Puts the parameters of a member into a lane.
    fn assign(&mut self, lane: usize, member: usize);

    /// The member in a lane comes into the stretch between knots that contains this time.
    fn enter(&mut self, _lane: usize, _around: f64) {}

    /// Writes f(t, x) and returns the mask of the lanes (bit `lane`) where it has no value.
    fn rates(&mut self, t: &[f64; LANES], x: &[Block], rates: &mut [Block]) -> u8;

    /// What crosses zero at an event of the member in a lane; not a number where it has no value.
    fn event(&mut self, _lane: usize, _event: usize, _t: f64, _x: &[f64]) -> f64 {
        f64::NAN
    }

    /// Has the function of an event bounds?
    fn is_bounded(&self, _event: usize) -> bool {
        false
    }

    /// What is known in a tube of the function of an event of the member in a lane.
    fn bounds(&mut self, _lane: usize, _event: usize, _tube: &Tube) -> Bounds {
        Bounds::default()
    }

    /// Are states put back to where they belong?
    fn projects(&self) -> bool {
        false
    }

    /// Puts a state of the member in a lane back to where it belongs (on a group, on constraints): the end of
    /// every accepted step and every state of the dense output.
    fn project(&mut self, _lane: usize, _t: f64, _x: &mut [f64]) {}
}

/// The times between which a member moves; backwards if the end comes first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The time of the start state.
    pub start: f64,
    /// The time to go to.
    pub end: f64,
}

/// Members to be followed: their starts, and fields to follow.
pub trait Ensemble: Sync {
    /// The field of one thread.
    type Field: BatchField;

    /// How many members there are.
    fn members(&self) -> usize;

    /// A field for one thread.
    fn field(&self) -> Self::Field;

    /// Writes the start state of a member and returns its span of time.
    fn start(&self, member: usize, x: &mut [f64]) -> Span;

    /// The times, in ascending order, at which the fields of all members change ([`BatchField::enter`]): steps end there.
    fn knots(&self) -> &[f64] {
        &[]
    }

    /// The events to look for; [`BatchField::event`] has their values.
    fn events(&self) -> &[MemberEvent] {
        &[]
    }

    /// One who looks into the steps of a lane's members, where that is wanted.
    fn inspector(&self) -> Option<Box<dyn Inspector>> {
        None
    }
}

/// Looks into the steps of one member after the other.
pub trait Inspector {
    /// Another member begins.
    fn start(&mut self, member: usize);

    /// It comes into the stretch between knots that contains this time.
    fn enter(&mut self, _around: f64) {}

    /// Looks into a step of it before anything in it is shown. A member that is barred has failed.
    fn inspect(&mut self, step: &mut dyn Inside) -> Inspection;
}
