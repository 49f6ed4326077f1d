//! What the maps of a group cannot do.

/// Why a chart has no value at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChartError {
    /// The rotation angle is π (for a quaternion: 2π), and the axis has more than one direction.
    #[error("the logarithm has more than one value: the rotation is a half turn")]
    Multivalued,
    /// The element has the eigenvalue −1, which no Cayley map reaches.
    #[error("the Cayley map reaches no half turn: use the exponential, or a shorter step")]
    HalfTurn,
    /// The differential of the exponential is singular: the angle is a full turn.
    #[error("the differential of the exponential is singular at a full turn: use a shorter step")]
    FullTurn,
}

/// No element of the group is nearest: a matrix is singular, a reflection, or not finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no element of the group is nearest")]
pub struct NoNearestElement;
