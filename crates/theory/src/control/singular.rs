//! The constraint algorithm for control problems whose Hamiltonian does not determine the controls (AC-C20, PR3, Rem.
//! 3.6.5).

use crate::Effort;
use crate::presymplectic::{Chain, GroupFactor, Presymplectic, canonical_form, prolonged};
use rattleback_mechanics::optimality::Steering;
use rattleback_mechanics::{Form, MechanicsError, System};
use rattleback_symbolic::{Expr, Symbol};

impl Presymplectic {
    /// (z, w; p, π; u) with Ω = e^A ∧ dp_A + ½ C^D_AB p_D e^A ∧ e^B + dw ∧ dπ and H = ⟨p, V⟩ + ⟨π, W⟩ − C: the controls
    /// are coordinates, and primary constraints are H_u = 0. None where the accelerations are not written out.
    pub fn of_control(system: &System, steering: &Steering) -> Option<Self> {
        let rates = steering.explicit()?;
        let states: Vec<Symbol> = steering.states.iter().map(|(s, ..)| s.clone()).collect();
        let costates = steering.momenta.iter().chain(&steering.adjoints).cloned();
        let costates: Vec<Symbol> = costates.collect();
        let further = [&states[..], &costates, &steering.unknowns()].concat();
        let whole = prolonged(&steering.frame, &further);
        let (n, m) = (steering.frame.rank(), states.len());
        let mut form = canonical_form(&steering.frame, &steering.momenta, m, whole.rank());
        for a in 0..m {
            let (w, p) = (n + a, 2 * n + m + a);
            form[(w, p)] = Expr::one();
            form[(p, w)] = Expr::from(-1);
        }
        let pairs = costates.iter().zip(&rates);
        let paired = Expr::sum(pairs.map(|(p, v)| Expr::from(p) * v));
        let relations = steering.relations.iter();
        let relations = Expr::sum(relations.map(|(mu, phi)| Expr::from(mu) * phi));
        let h = paired - &steering.cost + relations;
        Some(Presymplectic {
            covector: whole.differential(&h),
            frame: whole,
            form,
            groups: GroupFactor::of(system),
        })
    }
}

/// The chain of a singular problem; none where the problem is regular, or has no cost.
pub(super) fn chain(system: &System, effort: Effort) -> Option<Chain> {
    system.objective()?;
    match system.equations(Form::Optimality) {
        Err(MechanicsError::Singular { .. }) => {
            let steering = system.steering().ok()?;
            Some(Presymplectic::of_control(system, &steering)?.chain(effort))
        }
        _ => None,
    }
}
