//! Proof: what is true of a nonholonomic system, decided and certified.

mod brackets;
mod chaplygin;
mod consistency;
pub mod control;
mod distribution;
mod effort;
mod equilibria;
mod exact;
mod finding;
mod first_integrals;
pub mod hamilton_jacobi;
mod hamiltonization;
mod integrals;
mod measure;
pub mod presymplectic;
mod regularity;
mod roots;
mod stability;
mod steady;
mod symmetry;
pub mod vakonomic;

pub use brackets::{BracketReport, DiracStructure};
pub use chaplygin::{ChaplyginReport, Choice, FibreGroup, NoReduction, Reduction};
pub use consistency::{Contradiction, Fact, Settled, contradictions};
pub use distribution::{DistributionReport, Leaf};
pub use effort::Effort;
pub use equilibria::EquilibriumReport;
pub use exact::{EnclosedPeriod, Loop, Periods};
pub use finding::search::{CutShort, Exhausted, Searched};
pub use finding::{
    Absence, Absent, Answer, Case, Definitions, Evidence, Finding, Function, Gap, Named, Phrase,
    Point, Reason, Term, Theorem, Zero, point,
};
pub use hamiltonization::{
    Found, Hamiltonization, HamiltonizationReport, NoChaplyginTime, conformal_defect,
};
pub use integrals::{FirstIntegral, FirstIntegralReport, Origin};
pub use measure::{MeasureReport, Space, divergence};
pub use rattleback_geometry::{Leg, Quadrature};
pub use regularity::Regularity;
pub use stability::dies_out;
pub use steady::{Relation, Stability, SteadyState};
pub use symmetry::{
    Momentum, MomentumReport, MotionTest, NoConverse, Symmetry, SymmetryReport, found_symmetries,
    is_symmetry, stated_symmetries,
};
