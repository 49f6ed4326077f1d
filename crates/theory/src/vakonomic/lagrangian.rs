//! The Lagrangian without multipliers of an abelian Chaplygin system (VE-C19, C20).

use super::comparison::fibre;
use crate::exact::tidy;
use rattleback_mechanics::phase::CanonicalPhaseSpace;
use rattleback_mechanics::{Chaplygin, Quantity, System};
use rattleback_symbolic::{Expr, Matrix, Symbol, determinant};

/// L_V = L − (∂L/∂s'^a) φ^a with φ^a = s'^a + A^a_α r'^α.
///
/// From data with φ = 0 its Euler-Lagrange flow is the vakonomic motion with μ = ∂L/∂s' on D, and so
/// the nonholonomic motion exactly where that multiplier fits. On D all p_a vanish and stay zero.
#[derive(Clone, Debug)]
pub struct MultiplierFree {
    /// L_V.
    pub lagrangian: Expr,
    /// H_V in positions and momenta p_x, ….
    pub hamiltonian: Option<Expr>,
    /// The momenta, in the order of the velocities.
    pub momenta: Vec<Symbol>,
    /// The momenta that vanish on D.
    pub vanishing: Vec<Symbol>,
    /// The determinant of the Hessian of L_V, (−1)^k det(g_ab) det(g_c).
    pub determinant: Option<Expr>,
}

impl MultiplierFree {
    /// `None` unless the system is Chaplygin for an abelian group of cyclic coordinates.
    pub fn of(system: &System) -> Option<Self> {
        let chaplygin = Chaplygin::on_coordinates(system)?;
        let vertical = fibre(system)?;
        let (frame, l) = (system.frame(), system.lagrangian());
        let cyclic: Vec<Symbol> = system
            .factors()
            .iter()
            .filter(|f| f.fibre.clone().any(|i| vertical.contains(&i)))
            .flat_map(|f| frame.base()[f.base.clone()].to_vec())
            .collect();
        if cyclic.len() != vertical.len() || l.contains_any(&cyclic) {
            return None;
        }
        if chaplygin
            .connection
            .entries()
            .iter()
            .any(|e| e.contains_any(&cyclic))
        {
            return None;
        }
        let p = system.momenta();
        let base: Vec<Expr> = chaplygin
            .sections
            .velocities
            .iter()
            .map(Expr::from)
            .collect();
        let turned = chaplygin.connection.apply(&base);
        let correction = vertical.iter().zip(&turned).map(|(&i, a)| {
            let phi = Expr::from(&frame.fibre()[i]) + a;
            &p[i] * phi
        });
        let lagrangian = tidy(&(l - Expr::sum(correction)));
        let free = System::on_frame(
            system.name(),
            frame.clone(),
            system.factors().to_vec(),
            lagrangian.clone(),
            1,
        )
        .with_names(system.names());
        let momenta = system.momentum_symbols();
        let hessian: Matrix = free.mass_matrix();
        Some(Self {
            hamiltonian: CanonicalPhaseSpace::of(&free)
                .ok()
                .map(|c| tidy(c.hamiltonian())),
            determinant: determinant(&hessian).ok().map(|d| tidy(&d)),
            vanishing: vertical.iter().map(|&i| momenta[i].clone()).collect(),
            momenta,
            lagrangian,
        })
    }
}

/// p_a − μ_s A^s_a for the cyclic coordinates, in positions, velocities and multipliers: the momenta of
/// L − μ_s φ^s, which the vakonomic equations conserve.
pub(super) fn charges(system: &System, multipliers: &[Symbol]) -> Vec<Quantity> {
    let (frame, constraints) = (system.frame(), system.constraints());
    let p = system.momenta();
    let mut all = Vec::new();
    for factor in system.factors().iter().filter(|f| f.group.is_none()) {
        let (i, a) = (factor.base.start, factor.fibre.start);
        let q = &frame.base()[i];
        let free = !system.lagrangian().contains(q)
            && system.force()[a].is_zero()
            && constraints.residuals(frame).iter().all(|e| !e.contains(q));
        if free {
            let pushed = multipliers
                .iter()
                .enumerate()
                .map(|(s, mu)| Expr::from(mu) * &constraints.forms()[(s, a)]);
            let value = tidy(&(&p[a] - Expr::sum(pushed)));
            all.push(Quantity::new(format!("C_{}", q.name()), value));
        }
    }
    all
}
