//! The derivation engine: one operator gives every equation of motion.

use crate::equations::Stage;
use rattleback_geometry::{Frame, Section};
use rattleback_symbolic::{Expr, Matrix, Symbol, diff_all, dot, substitute_all};

/// Velocities y = X₀ + v^a e_a: a drift and a basis of sections of the ambient frame, which may
/// depend on the base and on time.
#[derive(Clone, Debug)]
pub struct Sections {
    /// The drift X₀; zero for constraints linear in the velocities.
    pub drift: Section,
    /// The basis e_a as columns of ambient components.
    pub basis: Matrix,
    /// The velocities v^a.
    pub velocities: Vec<Symbol>,
}

impl Sections {
    /// The ambient velocity V = X₀ + v^a e_a.
    pub fn velocity(&self) -> Section {
        let v: Vec<Expr> = self.velocities.iter().map(Expr::from).collect();
        let moving = self.basis.apply(&v);
        self.drift.iter().zip(&moving).map(|(x, b)| x + b).collect()
    }

    /// The velocities v^a of an ambient velocity y = X₀ + v^a e_a: BᵀB v = Bᵀ(y − X₀).
    pub fn decompose(&self, y: &[Expr]) -> Stage {
        let transpose = self.basis.transpose();
        let shifted: Vec<Expr> = y.iter().zip(&self.drift).map(|(y, x)| y - x).collect();
        Stage::Linear {
            unknowns: self.velocities.clone(),
            matrix: &transpose * &self.basis,
            rhs: transpose.apply(&shifted),
        }
    }

    /// How many there are.
    pub fn rank(&self) -> usize {
        self.velocities.len()
    }

    /// ⟨p, ∂e_a/∂t⟩: what a basis that turns with time adds to the rates of the momenta ⟨p, e_a⟩.
    pub fn turning(&self, p: &[Expr]) -> Vec<Expr> {
        let time = Symbol::time();
        let turned = self.basis.map(|e| e.diff(&time));
        turned.transpose().apply(p)
    }

    /// Replaces the ambient velocities by V.
    pub fn restrict(&self, frame: &Frame, f: &[Expr]) -> Vec<Expr> {
        let pairs: Vec<_> = frame.fibre().iter().cloned().zip(self.velocity()).collect();
        substitute_all(f, &pairs)
    }
}

/// Equations linear in the unknown rates: `mass · rates + bias = 0`.
#[derive(Clone, Debug)]
pub struct MassForm {
    /// The coefficient of the rates.
    pub mass: Matrix,
    /// What is left when the rates are zero.
    pub bias: Vec<Expr>,
}

/// The order-k momenta α_0, …, α_{k-1} of Ostrogradsky, α_{k-1} = ∂L/∂y^(k-1) and
/// α_i = ∂L/∂y^(i) - dα_{i+1}/dt (AC-C24, C28). α_0 is what the equations transport.
pub fn ostrogradsky_momenta(frame: &Frame, l: &Expr, order: u32) -> Vec<Vec<Expr>> {
    let jet = |i: u32| -> Vec<Symbol> {
        let raise = |y: &Symbol| y.jet(y.order() + i);
        frame.fibre().iter().map(raise).collect()
    };
    let mut momenta: Vec<Vec<Expr>> = Vec::new();
    for i in (0..order).rev() {
        let partial = l.gradient(&jet(i));
        let next = match momenta.last() {
            Some(above) => {
                let rates = frame.rates(above);
                partial.iter().zip(&rates).map(|(p, r)| p - r).collect()
            }
            None => partial,
        };
        momenta.push(next);
    }
    momenta.reverse();
    momenta
}

/// d/dt α_A − ρ^i_A ∂L/∂z^i + C^D_AB y^B α_D = F_A        (DESIGN.md, E)
///
/// with α the order-k momentum, solved for its highest derivatives y^(2k-1). `frozen` are further
/// unknowns whose rates are left out of the bias, such as multipliers.
pub fn euler_lagrange(
    frame: &Frame,
    l: &Expr,
    order: u32,
    force: &[Expr],
    frozen: &[Symbol],
) -> MassForm {
    let momenta = ostrogradsky_momenta(frame, l, order);
    euler_lagrange_with(frame, l, &momenta, force, frozen)
}

/// [`euler_lagrange`] where the momenta are known already.
pub(crate) fn euler_lagrange_with(
    frame: &Frame,
    l: &Expr,
    momenta: &[Vec<Expr>],
    force: &[Expr],
    frozen: &[Symbol],
) -> MassForm {
    let (alpha, highest_momenta) = (&momenta[0], &momenta[momenta.len() - 1]);
    let order = momenta.len() as u32;
    let top: Vec<Symbol> = frame
        .fibre()
        .iter()
        .map(|y| y.jet(y.order() + order - 1))
        .collect();
    // α holds y^(2k-2) at most; freezing it drops the unknown y^(2k-1) from dα/dt.
    let highest: Vec<Symbol> = frame
        .fibre()
        .iter()
        .map(|y| y.jet(y.order() + 2 * order - 2))
        .collect();
    let stop = |s: &Symbol| highest.contains(s) || frozen.contains(s);
    let transport = frame.rates_along(&frame.velocity(), alpha, stop);
    let gradient = frame.differential(l);
    let bracket = frame.gyroscopic(&frame.velocity(), alpha);
    let bias = (0..frame.rank())
        .map(|a| {
            Expr::sum([
                transport[a].clone(),
                -&gradient[a],
                bracket[a].clone(),
                -&force[a],
            ])
        })
        .collect();
    let sign = if order % 2 == 1 { 1 } else { -1 };
    let hessian = symmetric_jacobian(highest_momenta, &top);
    let mass = if sign == 1 {
        hessian
    } else {
        hessian.map(|e| -e)
    };
    MassForm { mass, bias }
}

/// d/dt ∂l/∂v^a − e_a\[l\] + ⟨p, [e_a, V] − ∂e_a/∂t⟩ = F(e_a)
///
/// on y = V = X₀ + v^a e_a, with l the restricted Lagrangian and p = ∂L/∂y on V: Lagrange-d'Alembert
/// without multipliers (NG-L5). The full bracket is paired with the full momentum, so that no
/// complement of the distribution needs to be chosen.
pub fn hamel(frame: &Frame, sections: &Sections, l: &Expr, force: &[Expr]) -> MassForm {
    let v = &sections.velocities;
    let velocity = sections.velocity();
    let restricted = sections
        .restrict(frame, std::slice::from_ref(l))
        .swap_remove(0);
    let p = sections.restrict(frame, &l.gradient(frame.fibre()));
    let f = sections.restrict(frame, force);
    let momenta = restricted.gradient(v);
    let transport = frame.rates_along(&velocity, &momenta, |s| v.contains(s));
    let turning = sections.turning(&p);
    let bias = (0..sections.rank())
        .map(|a| {
            let e = sections.basis.column(a);
            let along = dot(&frame.anchored(&e), &restricted.gradient(frame.base()));
            Expr::sum([
                transport[a].clone(),
                -along,
                dot(&p, &frame.bracket(&e, &velocity)),
                -&turning[a],
                -dot(&f, &e),
            ])
        })
        .collect();
    MassForm {
        mass: hessian(&restricted, v),
        bias,
    }
}

/// ∂²l/∂v^a∂v^b.
pub fn hessian(l: &Expr, v: &[Symbol]) -> Matrix {
    symmetric_jacobian(&l.gradient(v), v)
}

/// ∂p_a/∂v^b where it is symmetric: p is a gradient in v.
fn symmetric_jacobian(p: &[Expr], v: &[Symbol]) -> Matrix {
    // One pass per column shares the derivatives of common subexpressions between its rows.
    let columns: Vec<Vec<Expr>> = (0..v.len()).map(|b| diff_all(&p[..=b], &v[b])).collect();
    Matrix::new(v.len(), v.len(), |a, b| columns[a.max(b)][a.min(b)].clone())
}

/// y^A ∂L/∂y^A − L, for any order Σ_i α_i y^(i) − L.
pub fn energy(frame: &Frame, l: &Expr, order: u32) -> Expr {
    energy_with(frame, l, &ostrogradsky_momenta(frame, l, order))
}

/// [`energy`] where the momenta are known already.
pub(crate) fn energy_with(frame: &Frame, l: &Expr, momenta: &[Vec<Expr>]) -> Expr {
    let pairing = momenta.iter().zip(0u32..).map(|(alpha, i)| {
        let jets: Vec<Expr> = frame
            .fibre()
            .iter()
            .map(|y| y.jet(y.order() + i).into())
            .collect();
        dot(alpha, &jets)
    });
    Expr::sum(pairing) - l
}
