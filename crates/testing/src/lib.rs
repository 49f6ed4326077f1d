//! What the tests of all crates share. It knows the language of models as text only, so that every crate may use it.
//!
//! - [`models`]: the shipped models.
//! - [`system`]: random models, as text; the same seeds give the same model.
//! - [`Random`]: random numbers.
//! - [`cases`]: how a property is tried, with the seeds that failed kept beside the test.

pub mod models;
mod property;
mod random;
pub mod system;

pub use property::cases;
pub use random::Random;
