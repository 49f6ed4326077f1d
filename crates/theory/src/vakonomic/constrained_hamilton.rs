//! The constrained Hamilton equations on the base of a Chaplygin system (VE-C21).

use crate::exact::tidy;
use crate::{Answer, Function};
use rattleback_mechanics::{BracketMatrix, Chaplygin, System};
use rattleback_symbolic::{Expr, Matrix, prove_all_zero};

/// r' = ∂H/∂P, P' = −∂H/∂r − Λ ∂H/∂P on (r, P), with the bracket [[0, 1], [−1, −Λ]].
#[derive(Clone, Debug)]
pub struct ConstrainedHamilton {
    /// H(r, P).
    pub hamiltonian: Expr,
    /// The bracket of (r, P).
    pub bracket: BracketMatrix,
    /// Is the bracket Poisson? Λ is linear in P, so that this means Λ = 0.
    pub poisson: Answer,
    /// Is Λ r' = 0, so that the motion does not see Λ? Then leaving it out is a change of gauge.
    pub gauge: Answer,
}

impl ConstrainedHamilton {
    /// `None` for systems that are not Chaplygin, or not quadratic in the velocities.
    pub fn of(system: &System) -> Option<Self> {
        let chaplygin = Chaplygin::on_coordinates(system)?;
        let reduced = chaplygin.momenta(system).ok()?;
        let k = reduced.momenta.len();
        let gyroscopic = reduced.gyroscopic.map(tidy);
        let matrix = Matrix::new(2 * k, 2 * k, |i, j| match (i < k, j < k) {
            (true, true) => Expr::zero(),
            (true, false) => i64::from(j == i + k).into(),
            (false, true) => (-i64::from(i == j + k)).into(),
            // Ξ = −Λ.
            (false, false) => gyroscopic[(i - k, j - k)].clone(),
        });
        let force = gyroscopic.apply(&reduced.velocities);
        let bracket = BracketMatrix {
            coordinates: [chaplygin.base.as_slice(), &reduced.momenta].concat(),
            matrix,
        };
        let jacobi: Vec<Expr> = bracket.jacobiators().into_iter().map(|j| j.3).collect();
        Some(Self {
            poisson: Answer::vanish(&jacobi, prove_all_zero(&jacobi), Function::JacobiIdentity),
            gauge: Answer::vanish(&force, prove_all_zero(&force), Function::GyroscopicTerm),
            hamiltonian: tidy(&reduced.hamiltonian),
            bracket,
        })
    }
}
