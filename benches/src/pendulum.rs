//! The planar n-link pendulum with point masses, in absolute angles.

use crate::coordinates;
use rattleback_mechanics::System;
use rattleback_symbolic::Expr;

/// L = Σ ½|v_i|² − g y_i with unit masses and lengths, summed along the chain.
pub fn system(n: usize) -> System {
    let gravity = Expr::ratio(981, 100);
    let (symbols, q, v) = coordinates(n);
    let (mut height, mut vx, mut vy) = (Expr::zero(), Expr::zero(), Expr::zero());
    let mut lagrangian = Expr::zero();
    for (angle, rate) in q.iter().zip(&v) {
        height -= angle.cos();
        vx += angle.cos() * rate;
        vy += angle.sin() * rate;
        lagrangian += (&vx * &vx + &vy * &vy) / 2 - &gravity * &height;
    }
    System::on_coordinates("pendulum", &symbols, lagrangian)
}
