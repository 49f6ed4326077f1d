//! What a matrix cannot do.

/// A matrix that is singular to working precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the matrix is singular to working precision: pivot {pivot} vanishes")]
pub struct SingularMatrix {
    /// Which pivot, from 0.
    pub pivot: usize,
}

/// A block of a factorisation that cannot be passed, though the whole matrix may be regular.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("block {block} of the factorisation is singular to working precision")]
pub struct SingularBlock {
    /// Which diagonal block, from 0; the border comes last.
    pub block: usize,
}

/// An entry is infinite or not a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("entry {entry} of the matrix is not finite")]
pub struct NotFinite {
    /// Which entry, row by row from 0.
    pub entry: usize,
}
