//! Prolongations of an algebroid over a bundle, with their canonical sections (AC-C13, C14).

use rattleback_geometry::{Frame, StructureFunctions};
use rattleback_symbolic::{Expr, Matrix, Symbol};

/// The prolongation over a bundle with fibre coordinates `fibre`: sections e_A over the positions and
/// ∂/∂fibre, with [e_A, e_B] = C^D_AB e_D and all other brackets zero. It is a frame again, so that it
/// can be prolonged once more.
pub fn prolonged(frame: &Frame, fibre: &[Symbol]) -> Frame {
    let (m, n, k) = (frame.base().len(), frame.rank(), fibre.len());
    let anchor = Matrix::new(m + k, n + k, |i, a| match (i < m, a < n) {
        (true, true) => frame.anchor()[(i, a)].clone(),
        (false, false) => i64::from(i - m == a - n).into(),
        _ => Expr::zero(),
    });
    let mut structure = StructureFunctions::default();
    for (a, b, d, c) in frame.structure().iter() {
        structure.set(a, b, d, c.clone());
    }
    let base = [frame.base(), fibre].concat();
    let velocities: Vec<Symbol> = frame
        .fibre()
        .iter()
        .map(|y| Symbol::variable(&format!("{}_1", y.name())))
        .chain(fibre.iter().map(|s| Symbol::variable(&format!("{}_2", s))))
        .collect();
    Frame::new(base, velocities, anchor, structure)
}

/// The canonical section Ω = e^A ∧ e_A^(2) + ½ C^D_AB p_D e^A ∧ e^B of a prolongation of rank `rank`
/// in which the directions ∂/∂p start `offset` places behind the sections e_A.
pub fn canonical_form(frame: &Frame, p: &[Symbol], offset: usize, rank: usize) -> Matrix {
    let n = frame.rank();
    let mut form = Matrix::zeros(rank, rank);
    for a in 0..n {
        form[(a, n + offset + a)] = Expr::one();
        form[(n + offset + a, a)] = Expr::from(-1);
    }
    for (a, b, d, c) in frame.structure().iter() {
        let value = c * Expr::from(&p[d]);
        form[(a, b)] += value.clone();
        form[(b, a)] -= value;
    }
    form
}

/// The vertical lift X^A ∂/∂y^A of a section, in the prolongation over E itself.
pub fn vertical_lift(frame: &Frame, x: &[Expr]) -> Vec<Expr> {
    [vec![Expr::zero(); frame.rank()], x.to_vec()].concat()
}

/// The complete lift X^A e_A + (ρ^i_B y^B ∂_i X^A + C^A_BD y^B X^D) ∂/∂y^A.
pub fn complete_lift(frame: &Frame, x: &[Expr]) -> Vec<Expr> {
    let y = frame.velocity();
    let moved = frame.act(&y, x);
    let mut fibre = moved;
    for (d, term) in frame.structure().contract(&y, x) {
        fibre[d] += term;
    }
    [x.to_vec(), fibre].concat()
}
