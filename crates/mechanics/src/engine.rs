//! The derivation engine: one operator gives every equation of motion.

use rattleback_geometry::Frame;
use rattleback_symbolic::{Expr, Matrix, Symbol, diff_all, dot};

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
