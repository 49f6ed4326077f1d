//! Proof: what is true of a nonholonomic system, decided and certified.

mod brackets;
mod chaplygin;
mod claim;
mod deadline;
mod distribution;
mod exact;
pub mod hamilton_jacobi;
mod hamiltonization;
mod measure;
pub mod presymplectic;
mod regularity;
mod roots;
mod scope;
mod symmetry;
pub mod vakonomic;
mod verdict;

pub use brackets::{BracketReport, DiracStructure};
pub use chaplygin::{ChaplyginReport, Choice, FibreGroup, NoReduction, Reduction};
pub use claim::{Case, Claim, point};
pub use deadline::Deadline;
pub use distribution::{DistributionReport, Leaf};
pub use exact::{Loop, Periods};
pub use hamiltonization::{Found, Hamiltonization, HamiltonizationReport, conformal_defect};
pub use measure::{MeasureReport, Space, divergence};
pub use rattleback_geometry::{Leg, Quadrature};
pub use regularity::Regularity;
pub use symmetry::{
    FirstIntegral, FirstIntegralReport, Momentum, MomentumReport, MotionTest, NoConverse, Origin,
    Symmetry, SymmetryReport,
};
