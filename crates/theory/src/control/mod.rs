//! Can a system be steered: its accessibility algebra, what no control changes, and the constraint chain of a singular
//! control problem (AC-C41, C20).

mod algebra;
mod singular;

pub use algebra::Accessibility;

use crate::presymplectic::Chain;
use crate::{Answer, Effort, Gap, Named, Reason, Theorem};
use rattleback_mechanics::optimality::Steering;
use rattleback_mechanics::{MechanicsError, System};
use rattleback_symbolic::Expr;

/// What brackets of the drift and the controls make of the states, at the values of the parameters.
#[derive(Clone, Debug)]
pub struct ControlReport {
    /// How many independent states there are.
    pub dimension: usize,
    /// Ranks of the brackets by their length, 1 for drift and controls themselves: at generic states and, where the
    /// positions of the start are known, at rest there.
    pub algebra: Accessibility,
    /// Do the brackets span all directions at generic states?
    pub accessible: Answer,
    /// Do they at rest at the start?
    pub accessible_at_start: Answer,
    /// Functions of the state that no control changes, independent of each other.
    pub invariants: Vec<Expr>,
    /// How many more there are locally that were not found in closed form.
    pub missing: usize,
    /// The constraint chain, where a cost is made least whose Hamiltonian does not determine the controls.
    pub singular: Option<Chain>,
}

impl ControlReport {
    /// Judges a system with open controls; one of [`Problem::steered`](rattleback_mechanics::Problem::steered) is asked
    /// for singularity, too.
    pub fn of(system: &System, effort: Effort) -> Result<Self, MechanicsError> {
        let steering = system.control_system()?;
        let found = algebra::brackets(system, &steering, effort);
        let dimension = found.dimension;
        let algebra = found.ranks.clone();
        let (invariants, missing) = match algebra.is_closed() && algebra.rank() < dimension {
            true => found.invariants(system, &steering, effort),
            false => (Vec::new(), 0),
        };
        Ok(Self {
            accessible: accessible(&algebra, dimension),
            accessible_at_start: at_start(&algebra, dimension),
            singular: singular::chain(system, effort),
            dimension,
            algebra,
            invariants,
            missing,
        })
    }
}

fn accessible(algebra: &Accessibility, dimension: usize) -> Answer {
    let ranks: &[usize] = &algebra.generic;
    let with = |theorem: Theorem| theorem.with("ranks", ranks).with("dimension", dimension);
    match (&algebra.open, algebra.rank()) {
        (_, rank) if rank == dimension => Answer::proven(with(Theorem::Accessible)),
        (None, rank) => Answer::refuted(with(Theorem::NotAccessible).with("last", rank)),
        (Some(why), _) => Answer::undecided(why.clone()),
    }
}

fn at_start(algebra: &Accessibility, dimension: usize) -> Answer {
    let Some(ranks) = &algebra.at_start else {
        return Answer::undecided(Gap::NoStartPoint);
    };
    match ranks.last() {
        Some(rank) if *rank == dimension => Answer::proven(
            Theorem::Accessible
                .with("ranks", ranks.as_slice())
                .with("dimension", dimension),
        ),
        // Longer brackets may add directions at a point where shorter ones do not.
        _ => Answer::undecided(Reason::from(
            Gap::BracketsStop
                .with("ranks", ranks.as_slice())
                .with("dimension", dimension),
        )),
    }
}

/// The prolonged frame of the states: sections of the positions, then the further states.
fn state_frame(steering: &Steering) -> rattleback_geometry::Frame {
    let further: Vec<_> = steering.states.iter().map(|(s, ..)| s.clone()).collect();
    crate::presymplectic::prolonged(&steering.frame, &further)
}
