//! Motion on Lie groups: states with group elements among their components.

pub(crate) mod commutator_free;
pub(crate) mod munthe_kaas;
mod projected;
mod pullback;
mod reconstruction;

pub use crate::space::{Space, SpaceError};
pub use commutator_free::CommutatorFree;
pub use munthe_kaas::MuntheKaas;
pub(crate) use munthe_kaas::MuntheKaasFamily;
pub use projected::Projected;
pub use pullback::Pullback;
pub use rattleback_lie::Group;
pub use reconstruction::Reconstruction;
