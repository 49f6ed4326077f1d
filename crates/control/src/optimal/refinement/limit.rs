//! What the solutions on finer and finer meshes tend to.

use super::super::solve::Status;
use std::fmt;

/// What the solutions on finer and finer meshes tend to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Limit {
    /// A path, as far as that was asked.
    #[default]
    Path,
    /// A path that jumps at this time, at no more cost: pulses do better and better.
    Pulses(f64),
    /// A path that jumps at this time, at a cost without limit.
    Jump(f64),
    /// The path of a mean between two values of the controls, at this cost: changing over more often does better and better.
    Mean(f64),
    /// A path that would gain from other values of its controls over a good part of it: it is no minimum.
    Needles,
    /// Nothing that is near: the lower the cost, the further path and free numbers go.
    Away,
    /// A cost that grows by as much from mesh to mesh, most of it at this time.
    Growth(f64),
    /// A path that meets a pole of the cost at this time: it is not told how well its cost is known.
    Pole(f64),
    /// Not told: meshes do not agree.
    Unsettled,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Path => write!(f, "solutions on finer meshes tend to a path"),
            Limit::Pulses(t) => write!(
                f,
                "the least cost is not attained: on finer and finer meshes pulses at t = {t:.6} do better and better"
            ),
            Limit::Jump(t) => write!(
                f,
                "on finer and finer meshes the path jumps at t = {t:.6}, where no motion goes"
            ),
            Limit::Mean(cost) => write!(
                f,
                "the least cost is not attained: {cost:.6}, that of a mean between two values of the controls, is approached by changing over between them more and more often"
            ),
            Limit::Needles => write!(
                f,
                "other values of the controls, which they take nearby, would raise the Hamiltonian over a good part of the path: it is no minimum, and there may be none that is attained"
            ),
            Limit::Away => write!(
                f,
                "the least cost is not attained: the lower it gets, the further path, controls or free numbers go"
            ),
            Limit::Growth(t) => write!(
                f,
                "on finer and finer meshes the cost changes by as much each time, most at t = {t:.6}: its integral has no value that they tend to"
            ),
            Limit::Pole(t) => write!(
                f,
                "the path meets a pole of the cost at t = {t:.6}: meshes do not tell how well its cost is known"
            ),
            Limit::Unsettled => write!(
                f,
                "solutions on finer meshes do not agree with each other, or a finer mesh has none"
            ),
        }
    }
}

impl Limit {
    /// What it makes of a problem whose conditions hold on each mesh.
    pub fn status(self) -> Status {
        match self {
            Limit::Path => Status::Solved,
            Limit::Pulses(_) | Limit::Mean(_) | Limit::Away => Status::Unbounded,
            Limit::Jump(_) => Status::Infeasible,
            Limit::Growth(_) | Limit::Pole(_) | Limit::Needles | Limit::Unsettled => {
                Status::IterationLimit
            }
        }
    }
}
