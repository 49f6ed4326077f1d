//! Vector fields, forms, distributions, frames, connections and Lie groups.
//!
//! This crate knows nothing of time evolution laws or forces.

mod action;
mod algebroid;
mod connection;
mod distribution;
mod ehresmann;
mod express;
mod forms;
mod frame;
mod group;
pub mod groupoid;
mod inverse;
mod jets;
mod lie_algebra;
mod metric;
mod morphism;
mod primitive;
mod principal;
mod projection;
mod proof;
mod quadrature;
mod quotient;
mod span;
mod structure;
mod subframe;
mod tidy;

pub use action::{Action, Side, is_invariant_under};
pub use algebroid::StructureCheck;
pub use connection::Connection;
pub use distribution::{
    Distribution, DistributionError, Growth, Independence, Redundant, independent_rows,
};
pub use ehresmann::{Ehresmann, EhresmannError};
pub use forms::{Form, lie_derivative_of_function};
pub use frame::{Frame, FrameError, Section};
pub use group::{
    ChartError, DirectProduct, Group, LieGroup, MatrixGroup, MatrixGroupError, ProductGroup,
    Trivialization,
};
pub use jets::{GroupJets, field_lift, function_lifts, jet_coordinates, tangent_of_jets};
pub use lie_algebra::LieAlgebra;
pub use metric::{Metric, MetricError};
pub use morphism::Morphism;
pub use principal::PrincipalConnection;
pub use projection::Projection;
pub use proof::{Parametrization, vanish_on};
pub use quadrature::{Leg, Quadrature, in_coordinates, singularities};
pub use quotient::Quotient;
pub use span::{NoValue, Span};
pub use structure::StructureFunctions;
pub use subframe::Subframe;

/// The pages about frames and about algebroids and groupoids, whose code is run.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../../docs/frames.md")]
    struct Frames;
    #[doc = include_str!("../../../docs/algebroids.md")]
    struct Algebroids;
}
