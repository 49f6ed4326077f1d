//! Contexts: what an expression may use, depending on the statement that it stands in.

use crate::scope::Dependence;
use rattleback_lie::Group;

/// What an expression may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    /// What the expression is, as a message says it.
    pub(crate) what: &'static str,
    /// The quantities that it may depend on.
    pub(crate) allowed: Dependence,
    /// Only names declared before this rank.
    pub(crate) above: Option<usize>,
    /// The group whose element is given: `identity` and `rotation` mean that group's.
    pub(crate) group: Option<Group>,
    /// Whether a mention makes a name used.
    pub(crate) counts: bool,
    /// Whether the expression stands on the command line, not in the file.
    pub(crate) setting: bool,
    /// Whether `start(EXPR)` may occur.
    pub(crate) start: bool,
    /// Whether `free` and `free(GUESS)` may occur.
    pub(crate) free: bool,
    /// The highest derivative of the configuration that may occur, where there is a limit.
    pub(crate) highest: Option<u32>,
}

const NOTHING: Dependence = Dependence {
    time: false,
    positions: false,
    velocities: false,
    controls: false,
    free: true,
    next: false,
    generated: false,
};
const TIME: Dependence = Dependence {
    time: true,
    ..NOTHING
};
const POSITIONS: Dependence = Dependence {
    time: true,
    positions: true,
    ..NOTHING
};
const MOTION: Dependence = Dependence {
    velocities: true,
    ..POSITIONS
};
const EVERYTHING: Dependence = Dependence {
    controls: true,
    ..MOTION
};

/// What the equations give.
pub(crate) const GENERATED: &str = "what the program generates";

impl Context {
    const fn new(what: &'static str, allowed: Dependence) -> Self {
        Context {
            what,
            allowed,
            above: None,
            group: None,
            counts: true,
            setting: false,
            start: false,
            free: false,
            highest: None,
        }
    }

    /// A constant expression in the parameters.
    pub(crate) const fn constant(what: &'static str) -> Self {
        Self::new(what, NOTHING)
    }

    /// A constant expression on the command line.
    pub(crate) const fn setting() -> Self {
        Context {
            setting: true,
            ..Self::constant("a value on the command line")
        }
    }

    /// A function of time.
    pub(crate) const fn time(what: &'static str) -> Self {
        Self::new(what, TIME)
    }

    /// A function on the configuration space.
    pub(crate) const fn positions(what: &'static str) -> Self {
        Self::new(what, POSITIONS)
    }

    /// A function of the motion.
    pub(crate) const fn motion(what: &'static str) -> Self {
        Self::new(what, MOTION)
    }

    /// A function of the motion and the controls.
    pub(crate) const fn everything(what: &'static str) -> Self {
        Self::new(what, EVERYTHING)
    }

    /// Only names above may be used.
    pub(crate) const fn above(mut self, rank: usize) -> Self {
        self.above = Some(rank);
        self
    }

    /// A mention here does not make a name used.
    pub(crate) const fn without_counting(mut self) -> Self {
        self.counts = false;
        self
    }

    /// The value is an element of a group.
    pub(crate) const fn of_group(mut self, group: Group) -> Self {
        self.group = Some(group);
        self
    }

    /// Generated names may occur.
    pub(crate) const fn with_generated(mut self) -> Self {
        self.allowed.generated = true;
        self
    }

    /// Values at the start of the motion may occur.
    pub(crate) const fn with_start(mut self) -> Self {
        self.start = true;
        self
    }

    /// Values at the next node may occur.
    pub(crate) const fn with_next(mut self) -> Self {
        self.allowed.next = true;
        self
    }

    /// Values that an optimisation may choose may occur.
    pub(crate) const fn with_free(mut self) -> Self {
        self.free = true;
        self
    }

    /// No accelerations.
    pub(crate) const fn up_to_velocities(mut self) -> Self {
        self.highest = Some(1);
        self
    }

    /// Whether only constants are allowed.
    pub(crate) fn is_constant(&self) -> bool {
        self.allowed == NOTHING
    }

    /// What may be used instead of what may not.
    pub(crate) fn help(&self) -> &'static str {
        match (self.is_constant(), self.allowed.positions) {
            (true, _) => "use a constant expression in the parameters",
            (_, false) => "use only `t`, parameters and free numbers",
            _ => "use only coordinates, parameters and `t`",
        }
    }

    /// May names occur that the program generates?
    pub(crate) fn is_generated(&self) -> bool {
        self.allowed.generated
    }

    /// What of `dependence` is not allowed here.
    pub(crate) fn forbids(&self, dependence: Dependence) -> Option<&'static str> {
        let checks = [
            (dependence.controls, self.allowed.controls, "a control"),
            (dependence.velocities, self.allowed.velocities, "velocities"),
            (dependence.positions, self.allowed.positions, "coordinates"),
            (dependence.time, self.allowed.time, "time"),
            (dependence.next, self.allowed.next, "the next node"),
            (dependence.generated, self.allowed.generated, GENERATED),
        ];
        checks
            .into_iter()
            .find(|(depends, allowed, _)| *depends && !allowed)
            .map(|(_, _, what)| what)
    }
}
