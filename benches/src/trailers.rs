//! A tractor with k trailers, each hitched on the axle before it.

use crate::{coordinates, velocity_constraints};
use rattleback_mechanics::System;
use rattleback_symbolic::{Expr, dot};

/// Unit masses and distances, inertia 1/10; no axle slides sideways.
pub fn system(trailers: usize) -> System {
    let (symbols, q, v) = coordinates(trailers + 3);
    let inertia = Expr::ratio(1, 10);
    let row = |k: usize| -> Vec<Expr> {
        (0..v.len())
            .map(|i| if i == k { Expr::one() } else { Expr::zero() })
            .collect()
    };
    // The velocity of the current axle's middle is (east · q', north · q').
    let (mut east, mut north) = (row(0), row(1));
    let (mut lagrangian, mut constraints) = (Expr::zero(), Vec::new());
    for axle in 0..=trailers {
        let (heading, turning) = (&q[2 + axle], &v[2 + axle]);
        if axle > 0 {
            east[2 + axle] = heading.sin();
            north[2 + axle] = -heading.cos();
        }
        let (vx, vy) = (dot(&east, &v), dot(&north, &v));
        lagrangian += (&vx * &vx + &vy * &vy + &inertia * turning * turning) / 2;
        constraints.push(
            east.iter()
                .zip(&north)
                .map(|(e, n)| heading.sin() * e - heading.cos() * n)
                .collect(),
        );
    }
    System::on_coordinates("trailers", &symbols, lagrangian)
        .with_constraints(velocity_constraints(constraints))
}
