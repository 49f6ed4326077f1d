//! Proof: what is true of a nonholonomic system, decided and certified.

mod brackets;
mod chaplygin;
mod claim;
mod consistency;
mod distribution;
mod effort;
mod exact;
pub mod hamilton_jacobi;
mod hamiltonization;
mod measure;
pub mod presymplectic;
mod regularity;
mod roots;
mod scope;
mod search;
mod symmetry;
pub mod vakonomic;
mod verdict;

pub use brackets::{BracketReport, DiracStructure};
pub use chaplygin::{ChaplyginReport, Choice, FibreGroup, NoReduction, Reduction};
pub use claim::{Case, Claim, point};
pub use consistency::{Contradiction, Fact, Settled, contradictions};
pub use distribution::{DistributionReport, Leaf};
pub use effort::Effort;
pub use exact::{Loop, Periods};
pub use hamiltonization::{Found, Hamiltonization, HamiltonizationReport, conformal_defect};
pub use measure::{MeasureReport, Space, divergence};
pub use rattleback_geometry::{Leg, Quadrature};
pub use regularity::Regularity;
pub use scope::{has_controls, is_forced};
pub use search::CutShort;
pub use symmetry::{
    FirstIntegral, FirstIntegralReport, Momentum, MomentumReport, MotionTest, NoConverse, Origin,
    Symmetry, SymmetryReport,
};
