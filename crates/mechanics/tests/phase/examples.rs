//! Limits of known systems (HJ section H 8).

use crate::random::{constrained, differences, values, vanishes};
use rattleback_mechanics::System;
use rattleback_mechanics::phase::{FrameMomenta, SymplecticDistribution};
use rattleback_symbolic::{Expr, Matrix, Symbol, substitute_all};

fn planar(offset: Expr) -> System {
    let q = ["x", "y", "theta"].map(Symbol::variable);
    let theta = Expr::from(&q[2]);
    let [m, j] = ["m", "J"].map(|n| Expr::from(Symbol::constant(n)));
    let [x, y, o] = q.each_ref().map(|s| Expr::from(s.derivative()));
    let centre =
        (&x - &offset * &o * theta.sin()).powi(2) + (&y + &offset * &o * theta.cos()).powi(2);
    let l = &m * centre / 2 + &j * o.powi(2) / 2;
    let form = Matrix::from_rows(&[vec![theta.sin(), -theta.cos(), Expr::zero()]]);
    constrained(&l, &q, form)
}

/// A sleigh with its centre of mass over the blade is the knife edge: one bracket, one Hamiltonian.
#[test]
fn a_sleigh_without_offset_is_the_knife_edge() {
    let a = Symbol::constant("a");
    let sleigh = FrameMomenta::of(&planar(Expr::from(&a))).unwrap();
    let knife = FrameMomenta::of(&planar(Expr::zero())).unwrap();
    let centred = |e: &[Expr]| substitute_all(e, &[(a.clone(), Expr::zero())]);
    assert_eq!(sleigh.bracket().coordinates, knife.bracket().coordinates);
    let bracket = centred(sleigh.bracket().matrix.entries());
    assert!(vanishes(&differences(
        &bracket,
        knife.bracket().matrix.entries()
    )));
    assert!(vanishes(&differences(
        &centred(&[sleigh.hamiltonian().clone()]),
        &[knife.hamiltonian().clone()]
    )));
    // With an offset the projected bracket does not vanish.
    let n = sleigh.bracket().coordinates.len();
    assert!(!vanishes(
        &[sleigh.bracket().matrix[(n - 2, n - 1)].clone()]
    ));
    assert!(vanishes(&[knife.bracket().matrix[(n - 2, n - 1)].clone()]));
}

/// A disk of radius 0 spins and does not travel.
#[test]
fn a_disk_without_radius_does_not_travel() {
    let q = ["x", "y", "phi", "psi"].map(Symbol::variable);
    let phi = Expr::from(&q[2]);
    let radius = Symbol::constant("R");
    let r = Expr::from(&radius);
    let v: Vec<Expr> = q.iter().map(|s| s.derivative().into()).collect();
    let l = Expr::sum(v.iter().map(|e| e.powi(2))) / 2;
    let form = Matrix::from_rows(&[
        vec![Expr::one(), Expr::zero(), Expr::zero(), -&r * phi.cos()],
        vec![Expr::zero(), Expr::one(), Expr::zero(), -&r * phi.sin()],
    ]);
    let system = constrained(&l, &q, form);
    let h = SymplecticDistribution::of(&system).unwrap();
    let motion = h.ambient(&h.field(h.energy()));
    let still = substitute_all(
        &[motion.base, motion.fibre].concat(),
        &[(radius, Expr::zero())],
    );
    assert!(vanishes(&still[..2]), "x' = y' = 0");
    assert!(vanishes(&still[4..]), "no acceleration at all");
    assert!(!vanishes(&still[2..4]));
}

/// A snakeboard with its wheels held turns on a circle of radius r|cot φ|.
#[test]
fn a_snakeboard_with_fixed_wheels_goes_round() {
    let q = ["x", "y", "theta", "psi", "phi"].map(Symbol::variable);
    let [theta, phi] = [2, 4].map(|i| Expr::from(&q[i]));
    let [m, r, j0, j1] = ["m", "r", "J0", "J1"].map(|n| Expr::from(Symbol::constant(n)));
    let v: Vec<Expr> = q.iter().map(|s| s.derivative().into()).collect();
    let l = &m * (v[0].powi(2) + v[1].powi(2) + r.powi(2) * v[2].powi(2)) / 2
        + &j0 * v[2].clone() * &v[3]
        + &j0 * v[3].powi(2) / 2
        + &j1 * v[4].powi(2);
    let wheel = |sign: i64| {
        let angle = &theta + sign * &phi;
        vec![
            -angle.sin(),
            angle.cos(),
            -sign * &r * phi.cos(),
            Expr::zero(),
            Expr::zero(),
        ]
    };
    let system = constrained(&l, &q, Matrix::from_rows(&[wheel(1), wheel(-1)]));
    let h = SymplecticDistribution::of(&system).unwrap();
    let motion = h.ambient(&h.field(h.energy()));
    let velocity = h.sections().velocity();
    // Hold φ: v with φ' = 0. The frame has one field along ∂_φ; find the others' velocities.
    let held: Vec<(Symbol, Expr)> = h
        .velocities()
        .iter()
        .enumerate()
        .filter(|(a, _)| !h.section(*a)[4].is_zero())
        .map(|(_, v)| (v.clone(), Expr::zero()))
        .collect();
    let speed = substitute_all(&velocity, &held);
    let turning = substitute_all(&motion.fibre, &held);
    assert!(
        vanishes(&[turning[4].clone(), turning[2].clone()]),
        "θ' stays constant"
    );
    // v² = (r cot φ)² θ'².
    let round = (speed[0].powi(2) + speed[1].powi(2)) * phi.sin().powi(2)
        - (r * phi.cos()).powi(2) * speed[2].powi(2);
    assert!(vanishes(&[round]));
    assert_eq!(values(h.velocities()).len(), 3);
}
