//! Motion on Lie groups: states with group elements among their components.

mod bracket;
mod commutator_free;
mod exponential;
mod layout;
mod munthe_kaas;
mod project;
mod projected;
mod pullback;
mod space;

pub use commutator_free::CommutatorFree;
pub use munthe_kaas::MuntheKaas;
pub use projected::Projected;
pub use pullback::Pullback;
pub use rattleback_symbolic::Group;
pub use space::{Space, SpaceError};
