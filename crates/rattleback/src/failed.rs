//! Computations that fail.

/// A computation that failed: what, where and what to try, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Failed(pub String);
