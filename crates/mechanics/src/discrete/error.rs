//! Why a system has no discrete one of the kind asked for.

use super::rule::Rule;
use crate::error::MechanicsError;

/// A discretisation that cannot be made.
#[derive(Clone, Debug, thiserror::Error)]
pub enum DiscreteError {
    /// The Lagrangian has accelerations.
    #[error(
        "variational rules of first order are for Lagrangians in positions and velocities; this one has derivatives up to order {order}: follow its motions by another ‹method›; `discrete` takes a step of its kind"
    )]
    HigherOrder {
        /// The highest derivative.
        order: u32,
    },
    /// The Lagrangian is linear in velocities.
    #[error(
        "the Lagrangian is linear in a velocity, so that its momenta do not determine the velocities: follow its first-order equations with `gauss4`"
    )]
    FirstOrder,
    /// Auxiliary states, which no discrete principle moves.
    #[error(
        "the state `{name}` moves by a rate of its own, and a discrete principle moves positions only: follow the motion with `simulate` and another method"
    )]
    Auxiliary {
        /// The state.
        name: String,
    },
    /// A Galerkin rule where there are groups that are no vector spaces.
    #[error(
        "`{rule}` is for coordinates and R(n), and this model has other group factors: use `midpoint`, `trapezoid`, `left` or `right`"
    )]
    RuleOnGroups {
        /// The rule.
        rule: Rule,
    },
    /// A Galerkin rule where there are constraints.
    #[error(
        "`{rule}` is for systems without constraints: use `midpoint`, `trapezoid`, `left` or `right`"
    )]
    RuleWithConstraints {
        /// The rule.
        rule: Rule,
    },
    /// A rule that is not built for this order.
    #[error(
        "`{rule}` does not couple the derivatives at the ends of a step of a Lagrangian of order {order}: use {works}"
        , works = works(*order)
    )]
    RuleOfOrder {
        /// The rule.
        rule: Rule,
        /// The order of the Lagrangian.
        order: u32,
    },
    /// A discretisation that never couples velocities to positions.
    #[error(
        "`{name}` is trap T1: its velocities at the nodes never meet the differences of the positions, det W_d = 0, and its least action is not that of the problem although it passes the order test along solutions; use `midpoint` or `trapezoid`, which take both accelerations, or `lobatto4`"
    )]
    Uncoupled {
        /// Its name.
        name: String,
    },
    /// Formulas in two points were asked for where a step is more than two points.
    #[error(
        "formulas in two points are for models in coordinates without constraints and forces; this one has {has}"
    )]
    NotTwoPoints {
        /// What is in the way.
        has: &'static str,
    },
    /// A step between points of T^(k−1)Q was asked for where the model is not in free coordinates.
    #[error(
        "Lagrangians with accelerations are taken in steps in coordinates, without constraints and forces; this one has {has}: `control` finds its motions between two ends, where a `goal` states the second"
    )]
    NotJets {
        /// What is in the way.
        has: &'static str,
    },
    /// The inner controls of a Galerkin rule cannot be eliminated in closed form.
    #[error("`{rule}` has inner points whose equations have no closed solution")]
    InnerEquations {
        /// The rule.
        rule: Rule,
    },
    /// There is no formula of the exact discrete Lagrangian.
    #[error("the exact discrete Lagrangian has no formula here: {why}")]
    NotExact {
        /// What is in the way.
        why: &'static str,
    },
    /// The derivative of the exponential is singular.
    #[error("the differential of the exponential is singular at a full turn: use a shorter step")]
    FullTurn,
    /// The derivation of the continuous system failed.
    #[error(transparent)]
    Mechanics(#[from] MechanicsError),
}

/// Rules that fit a Lagrangian of an order.
fn works(order: u32) -> String {
    match order {
        2 => {
            "`midpoint`, `trapezoid`, `lobatto4`, `lobatto6` or `gauss4`, `gauss6`, `gauss8`".into()
        }
        3 => "`lobatto6`, `gauss6` or `gauss8`".into(),
        4 => "`gauss8`".into(),
        _ => "`exact`".into(),
    }
}
