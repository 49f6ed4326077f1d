//! What a method says of itself.

use crate::control::Tolerance;
use crate::field::Jets;
use crate::partition::Partition;
use crate::space::Space;
use crate::step_policy::StepPolicy;
use crate::stepper::Stepper;
use std::fmt;

/// A method by name, with what is true of it. It stands in the file of the method, and nowhere else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Method {
    /// The name to ask for it by.
    pub name: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// What it is, in a few words.
    pub about: &'static str,
    /// The order of convergence.
    pub order: Order,
    /// Does it choose its own steps?
    pub adaptive: bool,
    /// Does it follow several motions at once, in the lanes of one vector? Others follow them side by side.
    pub lanes: bool,
    /// Does a step from canonical coordinates to canonical coordinates preserve dq ∧ dp?
    pub symplectic: bool,
    /// Does a step by −h undo one by h?
    pub symmetric: bool,
    /// What it needs of a motion besides its rates.
    pub needs: Needs,
    /// What one step takes.
    pub work: &'static str,
    /// How states inside a step are found.
    pub dense: &'static str,
}

/// The order of convergence of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// Always the same.
    Fixed(u32),
    /// As the tolerance asks.
    ByTolerance,
}

/// What a method needs of a motion besides its rates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Needs {
    /// Taylor coefficients.
    pub series: bool,
    /// The Jacobian of the rates.
    pub jacobian: bool,
    /// Positions and their momenta.
    pub momenta: bool,
    /// Elements of groups, with the law of these.
    pub group: bool,
}

impl Needs {
    /// Nothing but the rates.
    pub const RATES: Needs = Needs {
        series: false,
        jacobian: false,
        momenta: false,
        group: false,
    };
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Order::Fixed(order) => write!(f, "{order}"),
            Order::ByTolerance => f.write_str("by tolerance"),
        }
    }
}

impl fmt::Display for Needs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = [
            (self.series, "series"),
            (self.momenta, "momenta"),
            (self.jacobian, "Jacobian"),
            (self.group, "group"),
        ];
        let needed: Vec<&str> = all.iter().filter(|n| n.0).map(|n| n.1).collect();
        f.write_str(&needed.join(", "))
    }
}

/// What a motion offers to a method that is to follow it.
pub trait Setting {
    /// Why it cannot offer something.
    type Refusal;

    /// The number of state components.
    fn dimension(&self) -> usize;

    /// What a step may be wrong by.
    fn tolerance(&self) -> Tolerance;

    /// The order and the step sizes of the Taylor series at hand.
    fn policy(&self) -> StepPolicy {
        StepPolicy::new(self.tolerance())
    }

    /// Which components are elements of groups.
    fn space(&self) -> Result<Space, Self::Refusal>;

    /// Which components are positions and which are momenta.
    fn partition(&self) -> Result<Partition, Self::Refusal>;

    /// Is H = T(p) + V(q), so that q' does not depend on q nor p' on p?
    fn is_separable(&self) -> Result<bool, Self::Refusal>;
}

/// Any method for a field.
pub type AnyStepper<F> = Box<dyn Stepper<F> + Send>;

/// The methods that one file is about, and how they are made.
pub(crate) trait Family {
    /// What they say of themselves.
    const METHODS: &'static [Method];

    /// One of them, ready to step.
    fn stepper<F: Jets + 'static, S: Setting>(
        method: &Method,
        setting: &S,
    ) -> Result<AnyStepper<F>, S::Refusal>;
}
