//! What stands in the way of a construction on phase space.

use crate::MechanicsError;
use rattleback_geometry::{DistributionError, EhresmannError, MetricError};
use rattleback_symbolic::{Expr, LinearError};

/// A construction on phase space that a system does not admit.
#[derive(Debug, Clone, thiserror::Error)]
pub enum PhaseError {
    /// The system itself has no such object.
    #[error(transparent)]
    System(#[from] MechanicsError),
    /// Phase space here is that of positions and velocities.
    #[error(
        "{what} is for Lagrangians in positions and velocities; this one has derivatives up to order {order}"
    )]
    HigherOrder {
        /// The object asked for.
        what: &'static str,
        /// The order of the Lagrangian.
        order: u32,
    },
    /// The constraints have a part free of velocities.
    #[error(
        "{what} is for constraints linear in the velocities; these have a part free of velocities"
    )]
    Affine {
        /// The object asked for.
        what: &'static str,
    },
    /// The constraints change with time.
    #[error("{what} is for constraints that do not depend on time")]
    TimeDependent {
        /// The object asked for.
        what: &'static str,
    },
    /// The Legendre transform has no closed form here.
    #[error("{what} needs a Lagrangian quadratic in the velocities")]
    NotQuadratic {
        /// The object asked for.
        what: &'static str,
    },
    /// A matrix that must be inverted is singular everywhere.
    #[error("{what} is singular: {source}")]
    Singular {
        /// The matrix.
        what: &'static str,
        /// Which pivot.
        source: LinearError,
    },
    /// The constraints do not determine the chosen fibre velocities anywhere.
    #[error("the constraints do not determine the fibre velocities {fibre}: choose others")]
    Chart {
        /// The chosen velocities.
        fibre: String,
    },
    /// Constraints and fibre velocities do not fit together.
    #[error(transparent)]
    Connection(#[from] EhresmannError),
    /// Vector fields whose brackets leave their span over the constants.
    #[error("the bracket of {first} and {second} is no constant combination of the fields")]
    NotClosed {
        /// A field.
        first: String,
        /// Another field.
        second: String,
    },
    /// The reduced force depends on the fibre, so that the equations do not reduce.
    #[error(
        "the gyroscopic force is not projectable: its component {component} depends on the fibre"
    )]
    NotProjectable {
        /// The component on the base.
        component: Expr,
    },
    /// A distribution could not be built.
    #[error(transparent)]
    Distribution(#[from] DistributionError),
    /// The metric fails.
    #[error(transparent)]
    Metric(#[from] MetricError),
}
