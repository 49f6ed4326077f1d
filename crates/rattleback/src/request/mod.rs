//! What is asked for beside the model, in words: events, what an ensemble varies, the time of a method.

mod chaplygin_time;
mod event;
mod varied;

pub use chaplygin_time::with_chaplygin_time;
pub use event::{EventError, event};
pub use varied::{axis, sample, varied};
