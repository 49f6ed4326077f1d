//! The presymplectic systems of Lagrangians: velocities and momenta together (AC-C13, C14, C20, C25).

use super::prolongation::prolonged;
use super::{GroupFactor, Presymplectic, canonical_form};
use rattleback_geometry::Frame;
use rattleback_mechanics::{Names, System};
use rattleback_symbolic::{Expr, Symbol, dot};

impl Presymplectic {
    /// (z; y, …, y^(k−1); p_0, …, p_{k−1}) with Ω = e^A ∧ dp_0A + ½ C^D_AB p_0D e^A ∧ e^B +
    /// Σ dy^(r−1) ∧ dp_r and H = Σ p_r y^(r) − L, for any Lagrangian of order k on an anchored frame,
    /// singular ones too. Constraints enter with multipliers as further coordinates, L − μ_s φ^s: the
    /// vakonomic problem.
    pub fn of_lagrangian(system: &System) -> Self {
        let mu = system.variational_multipliers();
        let weights: Vec<Expr> = mu.iter().map(Expr::from).collect();
        let phi = system.constraints().residuals(system.frame());
        let l = system.lagrangian() - dot(&weights, &phi);
        let mut problem = skinner_rusk(system.frame(), &l, system.order(), system.names(), &mu);
        problem.groups = GroupFactor::of(system);
        problem
    }

    /// Order k on a configuration space with coordinates q.
    pub fn of_order(q: &[Symbol], l: &Expr, order: u32) -> Self {
        skinner_rusk(&Frame::coordinates(q), l, order, &Names::default(), &[])
    }
}

/// The system of a Lagrangian of order k, with further coordinates behind.
fn skinner_rusk(
    frame: &Frame,
    l: &Expr,
    order: u32,
    names: &Names,
    further: &[Symbol],
) -> Presymplectic {
    let (n, k) = (frame.rank(), order.max(1));
    let jets: Vec<Symbol> = (0..k)
        .flat_map(|r| frame.fibre().iter().map(move |y| y.jet(y.order() + r)))
        .collect();
    let momenta: Vec<Symbol> = (0..k as usize)
        .flat_map(|r| {
            let level = move |y: &Symbol| names.momentum(y.name(), r);
            frame.fibre().iter().map(level)
        })
        .collect();
    let pairing = momenta
        .iter()
        .zip(&jets)
        .map(|(p, y)| Expr::from(p) * Expr::from(y));
    let h = Expr::sum(pairing) - l;
    // Sections e_A over the positions, then ∂/∂y^(r), ∂/∂p_r and the rest.
    let whole = prolonged(frame, &[&jets, momenta.as_slice(), further].concat());
    let mut form = canonical_form(frame, &momenta, jets.len(), whole.rank());
    for a in 0..jets.len() - n {
        let (y, p) = (n + a, 2 * n + jets.len() + a);
        form[(y, p)] = Expr::one();
        form[(p, y)] = Expr::from(-1);
    }
    Presymplectic {
        covector: whole.differential(&h),
        frame: whole,
        form,
        groups: Vec::new(),
    }
}
