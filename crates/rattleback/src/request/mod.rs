//! What is asked for beside the model, in words: events, what an ensemble varies, where steps begin.

mod event;
mod place;
mod varied;

pub use event::{EventError, event};
pub use place::{PlaceError, beginning, point};
pub use varied::{axis, sample, varied};
