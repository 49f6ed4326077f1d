//! What is wrong with a posed problem, with the statement that it is about.

use rattleback_compile::StartError;
use rattleback_mechanics::{MechanicsError, Origin};

/// Why a problem cannot be posed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum PoseError {
    /// The statements do not go together.
    #[error("{trouble}")]
    Statement {
        /// What is wrong.
        trouble: Trouble,
        /// Which statement; none for the model as a whole.
        origin: Option<Origin>,
    },
    /// The equations cannot be derived.
    #[error(transparent)]
    Mechanics(MechanicsError),
    /// The start state cannot be.
    #[error(transparent)]
    Start(StartError),
    /// A function of the problem cannot be compiled.
    #[error("the problem uses `{0}`, which is neither a part of the state nor a control")]
    Unknown(String),
}

impl PoseError {
    pub(super) fn at(origin: Origin, trouble: Trouble) -> Self {
        PoseError::Statement {
            trouble,
            origin: Some(origin),
        }
    }

    pub(super) fn about(trouble: Trouble) -> Self {
        PoseError::Statement {
            trouble,
            origin: None,
        }
    }
}

/// What is wrong with a statement.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Trouble {
    /// No end is given.
    #[error("the model poses no problem with ends")]
    NoEnds,
    /// There is no time interval.
    #[error("the problem has no time interval")]
    NoTime,
    /// The time interval is empty.
    #[error("the time interval ends at {to}, not after its start {from}")]
    EmptyTime {
        /// Its start.
        from: f64,
        /// Its end.
        to: f64,
    },
    /// Controls without a cost.
    #[error("the model has controls, but nothing to be made least")]
    NoCost,
    /// A control that nothing depends on.
    #[error("the control `{0}` has no effect: it is neither in the motion nor in the cost")]
    NoEffect(String),
    /// The end conditions contradict each other or the constraints.
    #[error(
        "this end condition contradicts the constraints or the other end conditions: {0:.3e} is left of it"
    )]
    Contradiction(f64),
    /// A bound without values.
    #[error("this bound leaves no values: {lower} is above {upper}")]
    EmptyBound {
        /// The lower bound.
        lower: f64,
        /// The upper bound.
        upper: f64,
    },
    /// The start violates a bound.
    #[error("the start is outside this bound by {0:.6}")]
    StartOutside(f64),
    /// The goal violates a bound.
    #[error("the goal is outside this bound by {0:.6}")]
    GoalOutside(f64),
    /// A time on the way is outside of the horizon.
    #[error("the time {time} of these conditions is not between the start {from} and the end {to}")]
    ViaOutside {
        /// The time.
        time: f64,
        /// The start of the horizon.
        from: f64,
        /// Its end.
        to: f64,
    },
    /// Something that is not treated.
    #[error("{0}")]
    NotTreated(String),
}

impl Trouble {
    /// What would put it right.
    pub fn help(&self) -> &'static str {
        match self {
            Trouble::NoEnds => {
                "say where the path ends: `goal x = 1, x' = 0`, `periodic x`, `via 0.5: x = 1` or a `terminal` cost"
            }
            Trouble::NoTime => "add one: `time 0 .. 2`, or `free T = 2` and `time 0 .. T`",
            Trouble::EmptyTime { .. } => "let the end be after the start",
            Trouble::NoCost => "add what is to be made least, for example `cost u^2`",
            Trouble::NoEffect(_) => {
                "let it act, by `control u on x`, a `rate`, the cost or a bound together with something else, or leave it out"
            }
            Trouble::Contradiction(_) => {
                "change the goal, or leave out what the constraints determine"
            }
            Trouble::EmptyBound { .. } => "let the lower bound be below the upper one",
            Trouble::StartOutside(_) => "start inside, or change the bound",
            Trouble::GoalOutside(_) => "end inside, or change the bound",
            Trouble::ViaOutside { .. } => {
                "give a time inside of the horizon; what holds at its beginning belongs to `start`"
            }
            Trouble::NotTreated(_) => "choose another scheme or form of the problem",
        }
    }
}
