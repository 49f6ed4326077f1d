//! The action of a linear system with gyroscopic forces: charges in magnetic fields, rotating frames.

use super::flow::Flow;
use super::quadratic::Quadratic;
use super::{Ends, no_formula};
use crate::discrete::DiscreteError;
use rattleback_symbolic::{Expr, Matrix, dot, inverse, normalize, simplify};

/// More coordinates that meet have formulas that nobody reads.
const MANY: usize = 2;

/// ∫ ½ v·Mv + q·Gv − ½ q·Kq + e·q dt with 2G = B − Bᵀ: the quadratic part is half of a derivative along motions, so that
/// it is ½ [q·Mv] + ½ e·∫q dt. The velocity at the start is that which leads to the end.
pub(super) fn action(part: &Quadratic, ends: &Ends, h: &Expr) -> Result<Expr, DiscreteError> {
    let m = part.load.len();
    if m > MANY {
        return Err(no_formula(
            "more than two of its coordinates are coupled by gyroscopic forces",
        ));
    }
    let mass = inverse(&part.inertia)
        .map_err(|_| no_formula("its kinetic energy does not determine the velocities"))?
        .solution;
    let pull = (&mass * &part.stiffness).map(normalize);
    let turn = (&mass * &part.gyroscopic()).map(normalize);
    // z' = N z + f with z = (q, v): N = [[0, 1], [−M⁻¹K, M⁻¹(B − Bᵀ)]], f = (0, M⁻¹e).
    let n = Matrix::new(2 * m, 2 * m, |i, j| match (i < m, j < m) {
        (true, _) => i64::from(j == i + m).into(),
        (false, true) => -&pull[(i - m, j)],
        (false, false) => turn[(i - m, j - m)].clone(),
    });
    let flow = Flow::new(&n, h)?;
    let push = mass.apply(&part.load);
    let positions: Vec<usize> = (0..m).collect();
    let velocities: Vec<usize> = (m..2 * m).collect();
    let [q0, q1] = ends;
    // The rows of a state at which z₀ = (q₀, v₀) arrives.
    let arrive = |rows: &[usize], by: &Matrix, next: &Matrix, v0: &[Expr]| -> Vec<Expr> {
        let moved = by.select(rows, &positions).apply(q0);
        let carried = by.select(rows, &velocities).apply(v0);
        let pushed = next.select(rows, &velocities).apply(&push);
        let all = moved.into_iter().zip(carried).zip(pushed);
        all.map(|((a, b), c)| a + b + c).collect()
    };
    let still = vec![Expr::zero(); m];
    let drifted = arrive(&positions, &flow.moved, &flow.summed, &still);
    let missing: Vec<Expr> = q1.iter().zip(drifted).map(|(q, x)| q - x).collect();
    let spread = flow.moved.select(&positions, &velocities);
    let back = inverse(&spread)
        .map_err(|_| no_formula("the motions from a point do not spread over all directions"))?
        .solution
        .map(simplify);
    let v0 = back.apply(&missing);
    let v1 = arrive(&velocities, &flow.moved, &flow.summed, &v0);
    let mean = arrive(&positions, &flow.summed, &flow.summed_twice, &v0);
    let carry = |q: &[Expr], v: &[Expr]| dot(q, &part.inertia.apply(v));
    Ok((carry(q1, &v1) - carry(q0, &v0) + dot(&part.load, &mean)) / 2)
}
