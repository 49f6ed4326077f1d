//! What statements leave aside: controls are at rest.

use crate::uncontrolled::uncontrolled;
use rattleback_mechanics::System;
use rattleback_symbolic::Expr;

/// The external force with all controls at zero.
pub(crate) fn uncontrolled_force(system: &System) -> Vec<Expr> {
    uncontrolled(system).force().to_vec()
}

/// Does a force act that is no control?
pub(crate) fn is_forced(system: &System) -> bool {
    uncontrolled_force(system).iter().any(|f| !f.is_zero())
}
