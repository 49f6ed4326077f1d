//! Restriction to a distribution: (frame, L, F) goes to the frame of D, L on D, and a force on D.

use crate::engine::{MassForm, euler_lagrange, ostrogradsky_momenta};
use crate::equations::Stage;
use rattleback_geometry::{Frame, Subframe};
use rattleback_symbolic::{Expr, Symbol, dot, substitute_all};

/// A Lagrangian problem of order k on the frame of a distribution, whose equations (E) are those of
/// Lagrange-d'Alembert: Hamel's equations are [`euler_lagrange`] here (NG-L5, CG-A5).
///
/// With Y_i = d^iV/dt^i the ambient jets on D, α_0, …, α_{k-1} the Ostrogradsky momenta of L on them, and K_a what
/// the projected bracket loses ([`Subframe::lost`]):
///
/// ```text
/// l = L(z, Y_0, …, Y_{k-1}),   f_a = ⟨F, e_a⟩ + ⟨α_0, K_a⟩ + Σ_{i≥1} ⟨α_i, ρ(K_a)[Y_{i-1}]⟩
/// ```
///
/// A variation w^a e_a moves the velocity by more than a variation within D would, by w^a K_a; and each jet by the
/// derivative of that and by how the base is moved, ρ(K_a)\[Y\]. Both come back as the force. For k = 1 it is
/// F on D less C^c_ab v^b p_c, the sum over a complement of D, and does no work where there is no drift.
///
/// ```
/// use rattleback_geometry::{Frame, Subframe};
/// use rattleback_mechanics::Restriction;
/// use rattleback_symbolic::{Expr, Matrix, Symbol, normalize};
/// // The particle with z' = x y'.
/// let q = ["x", "y", "z"].map(Symbol::variable);
/// let frame = Frame::coordinates(&q);
/// let x = Expr::from(&q[0]);
/// let basis = Matrix::from_rows(&[vec![1.into(), 0.into()], vec![0.into(), 1.into()], vec![0.into(), x.clone()]]);
/// let v = ["u", "w"].map(Symbol::variable);
/// let d = Subframe::spanned(basis, v.to_vec());
/// let l = Expr::sum(frame.velocity().iter().map(|y| y * y)) / 2;
/// let zero = vec![Expr::zero(); 3];
/// let [u, w] = [0, 1].map(|a| Expr::from(&v[a]));
/// let on_d = Restriction::of(&frame, &d, &l, 1, &zero);
/// assert_eq!(normalize(&(&on_d.force[1] - &u * &w * &x)), Expr::zero());
/// // (1 + x²) w' + x u w = 0
/// let bias = &on_d.equations().bias[1];
/// assert_eq!(normalize(&(bias - x * u * w)), Expr::zero());
/// ```
#[derive(Clone, Debug)]
pub struct Restriction {
    /// The frame of D.
    pub frame: Frame,
    /// l, in the velocities v and their derivatives.
    pub lagrangian: Expr,
    /// The order k.
    pub order: u32,
    /// f_a: the force on D with what the projection of the bracket loses.
    pub force: Vec<Expr>,
}

impl Restriction {
    /// The problem (frame, L, F) of an order on a subframe.
    pub fn of(ambient: &Frame, d: &Subframe, l: &Expr, order: u32, force: &[Expr]) -> Self {
        let momenta = ostrogradsky_momenta(ambient, l, order);
        // α_0 has derivatives up to y^(2k-2); so may the force.
        let on_d = d.jet_pairs(ambient, 2 * order - 1);
        let restrict = |f: &[Expr]| substitute_all(f, &on_d);
        let jets = d.jets(ambient, order);
        let momenta: Vec<Vec<Expr>> = momenta.iter().map(|p| restrict(p)).collect();
        let force = restrict(force);
        let losses = d.losses(ambient);
        let forces = losses.iter().enumerate().map(|(a, lost)| {
            let own = dot(&force, &d.basis.column(a));
            let returned = dot(&momenta[0], lost);
            let carried =
                (1..momenta.len()).map(|i| dot(&momenta[i], &ambient.act(lost, &jets[i - 1])));
            own + returned + Expr::sum(carried)
        });
        Self {
            force: forces.collect(),
            lagrangian: restrict(std::slice::from_ref(l)).swap_remove(0),
            frame: d.frame(ambient),
            order,
        }
    }

    /// (E) on D.
    pub fn equations(&self) -> MassForm {
        euler_lagrange(&self.frame, &self.lagrangian, self.order, &self.force, &[])
    }
}

impl Stage {
    /// The velocities v^a of an ambient velocity y = X₀ + v^a e_a: BᵀB v = Bᵀ(y − X₀).
    pub fn on_subframe(d: &Subframe, y: &[Expr]) -> Self {
        Self::on_basis(d, y, &d.drift, d.velocities.clone())
    }

    /// The jets v, …, v^(k-1) of ambient jets, one after the other: y^(i) = B v^(i) + (Y_i at v^(i) = 0).
    pub fn jets_on_subframe(ambient: &Frame, d: &Subframe, order: u32) -> Vec<Self> {
        let level = |(section, i): (Vec<Expr>, u32)| {
            let raised = |s: &Symbol| s.jet(s.order() + i);
            let unknowns: Vec<Symbol> = d.velocities.iter().map(raised).collect();
            let still: Vec<_> = unknowns.iter().map(|v| (v.clone(), Expr::zero())).collect();
            let y: Vec<Expr> = ambient.fibre().iter().map(|y| raised(y).into()).collect();
            Self::on_basis(d, &y, &substitute_all(&section, &still), unknowns)
        };
        d.jets(ambient, order)
            .into_iter()
            .zip(0..)
            .map(level)
            .collect()
    }

    fn on_basis(d: &Subframe, y: &[Expr], offset: &[Expr], unknowns: Vec<Symbol>) -> Self {
        let transpose = d.basis.transpose();
        let shifted: Vec<Expr> = y.iter().zip(offset).map(|(y, x)| y - x).collect();
        Stage::Linear {
            unknowns,
            matrix: &transpose * &d.basis,
            rhs: transpose.apply(&shifted),
        }
    }
}
