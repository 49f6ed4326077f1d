//! Discrete systems with numbers: their map on positions and momenta, Jacobi's action, the discrete Hamilton-Jacobi
//! theory, linear systems and their Riccati equations, measured orders and limits.

mod action;
mod bellman;
mod chain;
mod degeneracy;
mod error;
mod exact;
mod family;
mod fan;
mod known;
mod limit;
mod linear;
mod map;
mod order;
mod plane;
mod regularised;
mod scan;
mod search;
mod step;
mod sum;
mod transport;
mod trivial;

pub use action::{Action, Data, Initial, Jacobi};
pub use bellman::{DiscretePlant, Optimum, regulator_of_steps};
pub use chain::{Chain, EndFunction, Sequence, StageFunction, Stationary};
pub use degeneracy::FreeDirections;
pub use error::ActionError;
pub use family::{Family, Jet, Maps, Residuals, RollOut, Rolled};
pub use fan::{Fan, Ray};
pub use limit::{Limit, Quotient};
pub use linear::{LinearError, LinearSide, LinearStep};
pub use map::{Blocks, MomentumMap, Node};
pub use order::{measured_order, variational_order};
pub use plane::{LagrangianPlane, Quadratic};
pub use regularised::{Extremal, RegularElement, end_jet, gamma, regular_data};
pub use scan::Scan;
pub use step::CompiledStep;
pub use sum::ActionSum;
pub use transport::{Station, Transport};
pub use trivial::Trivialised;
