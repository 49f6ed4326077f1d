//! The presymplectic systems of Lagrangians: velocities and momenta together (AC-C13, C14, C20, C25).

use super::prolongation::prolonged;
use super::{Presymplectic, canonical_form};
use rattleback_geometry::Frame;
use rattleback_mechanics::System;
use rattleback_symbolic::{Expr, Matrix, Symbol, dot};

impl Presymplectic {
    /// (z, y, p) with Ω = e^A ∧ dp_A + ½ C^D_AB p_D e^A ∧ e^B and H = ⟨p, y⟩ − L, for any first-order
    /// Lagrangian on an anchored frame, singular ones too. Constraints enter with multipliers as
    /// further coordinates, L − μ_s φ^s: the vakonomic problem.
    pub fn of_lagrangian(system: &System) -> Self {
        let frame = system.frame();
        let momenta: Vec<Symbol> = frame.fibre().iter().map(System::momentum_symbol).collect();
        let mu: Vec<Symbol> = (1..=system.constraints().len())
            .map(|s| Symbol::variable(&format!("mu{s}")))
            .collect();
        let weights: Vec<Expr> = mu.iter().map(Expr::from).collect();
        let phi = system.constraints().residuals(frame);
        let l = system.lagrangian() - dot(&weights, &phi);
        let velocities = frame.velocity();
        let p: Vec<Expr> = momenta.iter().map(Expr::from).collect();
        let h = dot(&p, &velocities) - l;
        // Sections e_A over the positions, then ∂/∂y, ∂/∂p, ∂/∂μ.
        let fibre = [frame.fibre(), &momenta, &mu].concat();
        let whole = prolonged(frame, &fibre);
        let form = canonical_form(frame, &momenta, frame.rank(), whole.rank());
        Self {
            covector: whole.differential(&h),
            frame: whole,
            form,
        }
    }

    /// Order k on a configuration space with coordinates q: (q, …, q^(k−1); p_0, …, p_{k−1}; q^(k))
    /// with Ω = Σ dq^(r) ∧ dp_r and H = Σ p_r q^(r+1) − L.
    pub fn of_order(q: &[Symbol], l: &Expr, order: u32) -> Self {
        let jets: Vec<Symbol> = (0..order)
            .flat_map(|r| q.iter().map(move |s| s.jet(s.order() + r)))
            .collect();
        let momenta: Vec<Symbol> = (0..order)
            .flat_map(|r| {
                q.iter()
                    .map(move |s| Symbol::variable(&format!("p{r}_{}", s.name())))
            })
            .collect();
        let top: Vec<Symbol> = q.iter().map(|s| s.jet(s.order() + order)).collect();
        let pairing = jets
            .iter()
            .zip(&momenta)
            .map(|(s, p)| Expr::from(p) * Expr::from(s.derivative()));
        let h = Expr::sum(pairing) - l;
        let all = [jets.clone(), momenta, top].concat();
        let frame = Frame::coordinates(&all);
        let m = jets.len();
        let n = all.len();
        let form = Matrix::new(n, n, |i, j| {
            let value = match (i < m, j < m) {
                (true, false) if j == i + m => 1,
                (false, true) if i == j + m => -1,
                _ => 0,
            };
            value.into()
        });
        Self {
            covector: frame.differential(&h),
            frame,
            form,
        }
    }
}
