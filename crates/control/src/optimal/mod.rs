//! Optimal control and other problems with ends: posed, transcribed, solved, judged.

mod error;
mod extract;
mod feedback;
mod goal;
mod guess;
mod interval;
mod mesh;
mod momenta;
mod node;
mod path;
mod plant;
mod posed;
mod sample;
mod scheme;
mod shape;
mod smooth;
mod solve;
mod start;
mod transcribe;
mod variational;

pub use error::{PoseError, Trouble};
pub use extract::Trajectory;
pub use feedback::{Disturbed, Feedback, NoFeedback};
pub use mesh::Mesh;
pub use momenta::momenta;
pub use path::Path;
pub use plant::{Component, Kind, Plant, StartValues};
pub use posed::{Attitude, Bounded, PathBound, Posed, Remarked, Requirement, SimpleBound, Stop};
pub use rattleback_lie::Retraction;
pub use scheme::{Ends, Scheme, UnknownScheme};
pub use solve::{Extremum, Request, Resisting, Solution, Solved, Status, solve};
pub use transcribe::{RowLabel, Transcriber, Transcription};
