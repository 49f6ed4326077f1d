//! The snakeboard: a board, a rotor and two wheel pairs that turn against each other.

use crate::{coordinates, velocity_constraints};
use rattleback_mechanics::System;
use rattleback_symbolic::Expr;

/// The board of the comparison, with coordinates (x, y, heading, rotor, wheels).
pub fn system() -> System {
    let [mass, board, rotor, wheels, half] =
        [(6, 1), (16, 1000), (72, 1000), (13, 10_000), (1, 5)].map(|(n, d)| Expr::ratio(n, d));
    let (symbols, q, v) = coordinates(5);
    let (heading, angle) = (&q[2], &q[4]);
    let square = |e: Expr| &e * &e;
    let twice_kinetic = mass * (square(v[0].clone()) + square(v[1].clone()))
        + board * square(v[2].clone())
        + rotor * square(&v[2] + &v[3])
        + &wheels * square(&v[2] + &v[4])
        + &wheels * square(&v[2] - &v[4]);
    let wheel = |direction: Expr, arm: Expr| {
        vec![
            -direction.sin(),
            direction.cos(),
            arm * angle.cos(),
            Expr::zero(),
            Expr::zero(),
        ]
    };
    let constraints = vec![
        wheel(heading + angle, half.clone()),
        wheel(heading - angle, -half),
    ];
    System::on_coordinates("snakeboard", &symbols, twice_kinetic / 2)
        .with_constraints(velocity_constraints(constraints))
}
