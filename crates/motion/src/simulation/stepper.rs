//! From the name of a method to the method.

use super::error::SimulationError;
use super::field::Field;
use super::method::Method;
use super::options::Options;
use super::variational::AnyMap;
use rattleback_compile::Motion;
use rattleback_compile::program::Op;
use rattleback_integrate::group::Space;
use rattleback_integrate::symplectic::Partition;
use rattleback_integrate::taylor::StepPolicy;
use rattleback_integrate::variational::Variational;
use rattleback_integrate::{Setting, Tolerance};
use rattleback_mechanics::{Form, Slot, SlotRole};

pub(crate) type AnyStepper = rattleback_integrate::AnyStepper<Field>;

/// The method, ready to step.
pub(crate) fn stepper(
    method: Method,
    motion: &Motion,
    field: &Field,
    options: &Options,
    discrete: Option<&AnyMap>,
) -> Result<AnyStepper, SimulationError> {
    let refused = |why: &str| SimulationError::method(method, motion.form, why);
    match method {
        Method::Field(of_fields) => {
            let offered = Offered {
                method,
                motion,
                field,
                tolerance: options.tolerance(),
            };
            let made = of_fields.stepper(&offered)?;
            made.ok_or_else(|| refused("it follows no vector fields"))
        }
        Method::Variational(_) | Method::ChaplyginSymplectic => {
            let map = discrete.ok_or_else(|| refused("it is for single motions of a system"))?;
            Ok(Box::new(Variational::new(map.clone(), map.order())))
        }
        Method::Iteration => Err(refused("a motion in continuous time has no next node")),
    }
}

/// What a motion offers to the methods that follow vector fields.
struct Offered<'a> {
    method: Method,
    motion: &'a Motion,
    field: &'a Field,
    tolerance: Tolerance,
}

impl Setting for Offered<'_> {
    type Refusal = SimulationError;

    fn dimension(&self) -> usize {
        self.motion.state.len()
    }

    fn tolerance(&self) -> Tolerance {
        self.tolerance
    }

    fn policy(&self) -> StepPolicy {
        self.field.policy(self.tolerance)
    }

    fn space(&self) -> Result<Space, SimulationError> {
        space(self.motion)
    }

    fn partition(&self) -> Result<Partition, SimulationError> {
        let motion = self.motion;
        let is_canonical = motion.form == Form::Hamiltonian && motion.groups.is_empty();
        let paired = Partition::new(self.dimension(), &pairs(motion));
        paired.ok().filter(|_| is_canonical && !motion.is_constrained()).ok_or_else(|| {
            let why = "it needs positions and their momenta, without constraints and group factors; \
                       gauss4 is symplectic for every Hamiltonian system";
            SimulationError::method(self.method, motion.form, why)
        })
    }

    fn is_separable(&self) -> Result<bool, SimulationError> {
        is_separable(self.motion)
    }
}

/// The places of each coordinate and of its momentum.
fn pairs(motion: &Motion) -> Vec<(usize, usize)> {
    let slots = motion.state.slots();
    let momentum_of = |q: &Slot| {
        let own = |p: &Slot| p.role == SlotRole::Momentum && p.factor == q.factor;
        slots.iter().position(own)
    };
    let places = slots.iter().enumerate();
    let positions = places.filter(|(_, q)| q.role == SlotRole::Position && q.factor.is_some());
    let paired = positions.filter_map(|(i, q)| Some((i, momentum_of(q)?)));
    paired.collect()
}

/// Do ∂q'/∂q and ∂p'/∂p vanish as expressions?
fn is_separable(motion: &Motion) -> Result<bool, SimulationError> {
    let n = motion.state.len();
    let jacobian = motion.rates()?.jacobian(1..1 + n);
    let vanishes = |i: usize, j: usize| {
        let slot = jacobian.outputs[i * n + j];
        jacobian.ops[slot as usize] == Op::Constant(0.0)
    };
    let half = n / 2;
    Ok((0..half).all(|i| (0..half).all(|j| vanishes(i, j) && vanishes(half + i, half + j))))
}

/// The state space of a motion with its group factors.
pub fn space(motion: &Motion) -> Result<Space, SimulationError> {
    let entries = motion.groups.iter();
    let elements: Vec<_> = entries.map(|entry| (entry.group, entry.offset)).collect();
    let space = Space::new(motion.state.len(), &elements);
    space.map_err(|e| SimulationError::Request(e.to_string()))
}
