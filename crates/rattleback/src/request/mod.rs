//! What is asked for beside the model, in words: events, what an ensemble varies.

mod event;
mod varied;

pub use event::{EventError, event};
pub use varied::{axis, sample, varied};
