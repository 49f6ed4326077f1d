//! From the name of a method to the method.

use super::error::SimulationError;
use super::field::Field;
use super::method::Method;
use super::options::Options;
use super::variational::AnyMap;
use rattleback_compile::program::Op;
use rattleback_compile::{Motion, RecordKind};
use rattleback_integrate::group::{CommutatorFree, MuntheKaas, Space};
use rattleback_integrate::implicit::{Gauss, GaussOrder, Radau5, Resampled};
use rattleback_integrate::symplectic::{
    Composition, GeneralVerlet, Partition, Scheme, SymmetricBase, Verlet,
};
use rattleback_integrate::taylor::Taylor;
use rattleback_integrate::variational::Variational;
use rattleback_integrate::{Dop853, DormandPrince, RungeKutta4, Stepper};
use rattleback_mechanics::Form;

pub(crate) type AnyStepper = Box<dyn Stepper<Field> + Send>;

/// The method, ready to step.
pub(crate) fn stepper(
    method: Method,
    motion: &Motion,
    field: &Field,
    options: &Options,
    discrete: Option<&AnyMap>,
) -> Result<AnyStepper, SimulationError> {
    let n = motion.state.len();
    let tolerance = options.tolerance();
    Ok(match method {
        Method::Taylor => Box::new(Taylor::with_policy(n, field.policy(tolerance))),
        Method::Dop853 => Box::new(Dop853::new(n, tolerance)),
        Method::Dopri5 => Box::new(DormandPrince::new(n, tolerance)),
        Method::Rk4 => Box::new(RungeKutta4::new(n)),
        Method::Gauss(stages) => Box::new(Resampled::new(Gauss::new(order(stages), n), n)),
        Method::Radau5 => Box::new(Radau5::new(n, tolerance)),
        Method::Verlet | Method::Yoshida(_) | Method::Suzuki(_) => symplectic(method, motion)?,
        Method::MuntheKaas4 => {
            let space = space(motion)?;
            let inner = RungeKutta4::new(space.velocities());
            Box::new(MuntheKaas::new(inner, space))
        }
        Method::MuntheKaas8 => {
            let space = space(motion)?;
            let inner = Dop853::new(space.velocities(), tolerance);
            Box::new(MuntheKaas::new(inner, space))
        }
        Method::CommutatorFree4 => Box::new(CommutatorFree::new(space(motion)?)),
        Method::Variational(_) | Method::ChaplyginSymplectic => match discrete {
            Some(map) => Box::new(Variational::new(map.clone(), map.order())),
            None => {
                let why = "it is for single motions of a system";
                return Err(SimulationError::method(method, motion.form, why));
            }
        },
        Method::Iteration => {
            let why = "a motion in continuous time has no next node";
            return Err(SimulationError::method(method, motion.form, why));
        }
    })
}

/// Stoermer-Verlet and its compositions: explicit where H = T(p) + V(q), implicit otherwise.
fn symplectic(method: Method, motion: &Motion) -> Result<AnyStepper, SimulationError> {
    let n = motion.state.len();
    let momenta = motion
        .kinds
        .iter()
        .rposition(|k| *k != RecordKind::Momentum);
    let paired = n.is_multiple_of(2) && momenta == Some(n / 2 - 1) && motion.groups.is_empty();
    if motion.form != Form::Hamiltonian || !paired || motion.is_constrained() {
        let why = "it needs positions and their momenta, without constraints and group factors; \
                   gauss4 is symplectic for every Hamiltonian system";
        return Err(SimulationError::method(method, motion.form, why));
    }
    let partition = Partition::halves(n / 2);
    Ok(if is_separable(motion)? {
        composed(Verlet::new(partition), method, n)
    } else {
        composed(GeneralVerlet::new(partition), method, n)
    })
}

fn composed<B>(base: B, method: Method, n: usize) -> AnyStepper
where
    B: SymmetricBase<Field> + Send + 'static,
{
    let scheme = match method {
        Method::Yoshida(4) => Scheme::Yoshida4,
        Method::Yoshida(6) => Scheme::Yoshida6,
        Method::Yoshida(_) => Scheme::Yoshida8,
        Method::Suzuki(4) => Scheme::Suzuki4,
        Method::Suzuki(6) => Scheme::Suzuki6,
        Method::Suzuki(_) => Scheme::Suzuki8,
        _ => Scheme::Plain,
    };
    Box::new(Composition::new(base, scheme, n))
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

fn order(stages: u8) -> GaussOrder {
    match stages {
        1 => GaussOrder::Two,
        2 => GaussOrder::Four,
        3 => GaussOrder::Six,
        _ => GaussOrder::Eight,
    }
}

/// The state space of a motion with its group factors.
pub fn space(motion: &Motion) -> Result<Space, SimulationError> {
    let entries = motion.groups.iter();
    let elements: Vec<_> = entries.map(|entry| (entry.group, entry.offset)).collect();
    let space = Space::new(motion.state.len(), &elements);
    space.map_err(|e| SimulationError::Request(e.to_string()))
}
