//! What is asked for beside the model, in words: events, what an ensemble varies, where steps begin.

mod event;
mod place;

pub use event::event;
pub use place::{beginning, point};
pub use rattleback_report::varied::{axis, sample, varied};
