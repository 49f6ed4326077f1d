//! Variational steps against tabulated values, their orders and what they keep.

mod steps;

use rattleback_lie::{DirectProduct, Group};
use rattleback_mechanics::System;
use rattleback_mechanics::discrete::{Discretization, Retraction, Rule};
use rattleback_symbolic::{Expr, Symbol};
use steps::*;

#[test]
fn pendulum_by_verlet() {
    // P-D3a, b: from (q_0, q_1) = (1, 1.05).
    let map = Map::new(&pendulum(), Discretization::by(Rule::Trapezoid));
    let p0 = 0.542_073_549_240_394_8;
    let path = map.follow(&[1.0, p0], 0.1, 10);
    close(path[1][0], 1.05, 1e-14);
    close(path[2][0], 1.091_325_767_744_06, 1e-13);
    close(path[5][0], 1.161_534_854_036_421, 1e-13);
    close(path[10][0], 1.095_667_364_412_62, 1e-13);
    close(path[10][1], -0.358_302_948_219_869, 1e-13);
    // P-GPD-5: from (0.5, 0.52).
    let p0 = 0.02 / 0.1 + 0.05 * 0.5f64.sin();
    close(
        map.follow(&[0.5, p0], 0.1, 100)[100][0],
        -0.549_660_346_495_27,
        1e-12,
    );
}

#[test]
fn quartic_by_midpoint_and_the_standard_map() {
    // P-D4.
    let q = Symbol::variable("q");
    let quartic = particle(Expr::from(&q).powi(4) / 4);
    let map = Map::new(&quartic, Discretization::by(Rule::Midpoint));
    let path = map.follow(&[0.5, 0.1], 0.2, 10);
    close(path[1][0], 0.517_367_468_671_375_2, 1e-13);
    close(path[1][1], 0.073_674_686_713_751_7, 1e-13);
    close(path[10][0], 0.419_679_655_443_718_7, 1e-12);
    close(path[10][1], -0.160_391_745_264_903_9, 1e-12);
    // P-D5: L_d = (b − a)²/2 − K cos a.
    let standard = particle(Expr::ratio(9, 10) * Expr::from(&q).cos());
    let map = Map::new(&standard, Discretization::by(Rule::Left));
    let path = map.follow(&[1.0, 0.5], 1.0, 20);
    close(path[1][0], 2.257_323_886_327_107, 1e-14);
    close(path[20][0], 5.085_487_604_764_8, 1e-10);
    close(path[20][1], -0.671_331_413_551_31, 1e-10);
    let action: f64 = path[..20].iter().map(|x| map.action(x, 1.0)).sum();
    close(action, 4.387_695_304_480_8, 1e-10);
}

/// P-GPD-1: free rigid body, Cayley; xi_50 is the velocity of step 50, so that mu_50 is B(xi_50).
#[test]
fn rigid_body_by_cayley() {
    let inertia = [2.0, 1.5, 1.0];
    let body = rigid_body(
        [Expr::from(2), Expr::ratio(3, 2), Expr::one()],
        Expr::zero(),
    );
    let map = Map::new(&body, Discretization::by(Rule::Midpoint));
    let h = 0.1;
    let velocity_of = |xi: [f64; 3]| momentum_before(&inertia, h, xi).map_entries(&inertia);
    let start = state(&velocity_of([0.4, 1.0, -0.3]));
    let path = map.follow(&start, h, 50);
    let expected = velocity_of([0.585_714_255_122, 0.715_549_154_156, 0.674_749_819_895]);
    for (found, exact) in path[50][9..].iter().zip(expected) {
        close(*found, exact, 1e-10);
    }
}

/// P-GPD-4: heavy top, trapezoid less a half step of the potential at both ends.
#[test]
fn heavy_top_keeps_what_it_should() {
    let [i1, i2, i3] = [Expr::ratio(6, 5), Expr::one(), Expr::ratio(7, 10)];
    // V = 2 Γ_3 with Γ = Rᵀ e_3.
    let top = rigid_body([i1, i2, i3], 2 * Expr::from(entry(3, 3)));
    let map = Map::new(&top, Discretization::by(Rule::Left));
    let inertia = [1.2, 1.0, 0.7];
    let h = 0.05;
    // B(xi_{k+1}) = A(xi_k) + h Γ_{k+1} × ∇V, L_d = K_d − h V(Γ_k): the rule `left`, whose momentum at the
    // node is B(xi_k) − h Γ_k × ∇V.
    let gamma = [0.6, 0.0, 0.8];
    let b = momentum_before(&inertia, h, [0.2, -0.1, 3.0]);
    let push = [gamma[1] * 2.0 * h, -gamma[0] * 2.0 * h, 0.0];
    let start_velocity = [0, 1, 2].map(|k| (b[k] - push[k]) / inertia[k]);
    let mut start = state(&start_velocity);
    // R with third row Γ.
    start[..9].copy_from_slice(&[0.8, 0.0, -0.6, 0.0, 1.0, 0.0, 0.6, 0.0, 0.8]);
    let path = map.follow(&start, h, 40);
    let gamma_40 = [0.589_137_362_978, 0.806_037_274_045, -0.056_754_562_756];
    for (found, exact) in path[40][6..9].iter().zip(gamma_40) {
        close(*found, exact, 1e-10);
    }
    let b = momentum_before(
        &inertia,
        h,
        [0.982_620_805_620, 1.537_385_250_328, 2.972_637_574_361],
    );
    let push = [gamma_40[1] * 2.0 * h, -gamma_40[0] * 2.0 * h, 0.0];
    for k in 0..3 {
        close(path[40][9 + k] * inertia[k], b[k] - push[k], 1e-9);
    }
    // Γ·Π is the momentum about the vertical.
    let vertical = |x: &[f64]| {
        (0..3)
            .map(|k| x[6 + k] * inertia[k] * x[9 + k])
            .sum::<f64>()
    };
    close(vertical(&path[40]), vertical(&path[0]), 1e-13);
}

#[test]
fn rules_have_their_orders_on_a_nonlinear_problem() {
    let steps = |rule: Rule| match rule.order() {
        1 => [100, 200],
        2 => [40, 80],
        4 => [20, 40],
        6 => [10, 20],
        _ => [5, 10],
    };
    let system = double_pendulum();
    let start = [0.6, -0.4, 0.3, 0.5];
    let exact = end(&system, Rule::Gauss(4), &start, 160);
    for rule in Rule::ALL {
        let errors = steps(rule).map(|n| distance(&end(&system, rule, &start, n), &exact));
        let slope = (errors[0] / errors[1]).log2();
        let nominal = f64::from(rule.order());
        assert!((slope - nominal).abs() < 0.4, "{rule}: {slope}, {errors:?}");
    }
}

fn end(system: &System, rule: Rule, start: &[f64], n: usize) -> Vec<f64> {
    let map = Map::new(system, Discretization::by(rule));
    map.follow(start, 1.0 / n as f64, n).swap_remove(n)
}

/// DF̃ᵀ J DF̃ = J on positions and momenta, by the exact derivative of the compiled map.
#[test]
fn maps_are_symplectic_and_reversible() {
    let system = double_pendulum();
    for rule in Rule::ALL {
        let map = Map::new(&system, Discretization::by(rule));
        let x = [0.6, -0.4, 0.3, 0.5];
        let defect = map.symplectic_defect(&system, &x, 0.1);
        assert!(defect < 1e-12, "{rule}: {defect}");
        if rule.is_symmetric() {
            let there = map.step(&x, 0.1).unwrap();
            let back = map.step(&there, -0.1).unwrap();
            assert!(distance(&back, &x) < 1e-12, "{rule}");
        }
    }
}

/// The space momentum of a free body is kept to round-off, whatever the retraction, and the body stays on
/// its group.
#[test]
fn momenta_of_bodies_are_kept() {
    let inertia = [2.0, 1.5, 1.0];
    let body = rigid_body(
        [Expr::from(2), Expr::ratio(3, 2), Expr::one()],
        Expr::zero(),
    );
    let rotations = DirectProduct::new(&[Group::SO3]);
    for retraction in Retraction::ALL {
        for rule in [Rule::Midpoint, Rule::Trapezoid] {
            let how = Discretization {
                retraction,
                ..Discretization::by(rule)
            };
            let path = Map::new(&body, how).follow(&state(&[0.4, 1.0, -0.3]), 0.1, 200);
            let space = |x: &[f64]| {
                let m: Vec<f64> = (0..3).map(|k| inertia[k] * x[9 + k]).collect();
                rotations.coadjoint(&rotations.inverse(&x[..9]), &m)
            };
            assert!(distance(&space(&path[200]), &space(&path[0])) < 1e-13);
            assert!(Group::SO3.distance(&path[200][..9]) < 1e-13);
            let energy = |x: &[f64]| (0..3).map(|k| inertia[k] * x[9 + k].powi(2)).sum::<f64>();
            assert!((energy(&path[200]) - energy(&path[0])).abs() < 2e-3);
        }
    }
}

/// On every group, for random inertias and velocities: Ad*_{g⁻¹} p is kept, steps are undone by steps back, and
/// the body stays on its group.
#[test]
fn free_bodies_on_every_group() {
    let mut seed = 7_u64;
    let mut random = || {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 48) as i64 % 100 - 50
    };
    for group in [
        Group::SO2,
        Group::SO3,
        Group::SE2,
        Group::SE3,
        Group::SU2,
        Group::R(2),
    ] {
        let n = group.dimension();
        let a: Vec<i64> = (0..n * n).map(|_| random()).collect();
        // AᵀA/5000 + 1.
        let inertia: Vec<i64> = (0..n * n)
            .map(|k| {
                (0..n)
                    .map(|j| a[j * n + k / n] * a[j * n + k % n])
                    .sum::<i64>()
            })
            .collect();
        let entry = |k: usize| {
            let one = i64::from(k / n == k % n) * 5000;
            (inertia[k] + one, 5000)
        };
        let exact: Vec<Expr> = (0..n * n).map(|k| Expr::ratio(entry(k).0, 5000)).collect();
        let w: Vec<f64> = (0..n).map(|_| random() as f64 / 50.0).collect();
        let body = free_body(group, &exact);
        for retraction in Retraction::ALL {
            let how = Discretization {
                retraction,
                ..Discretization::by(Rule::Midpoint)
            };
            let map = Map::new(&body, how);
            let start = [group.identity(), w.clone()].concat();
            let path = map.follow(&start, 0.1, 20);
            let space = |x: &[f64]| {
                let (g, w) = x.split_at(group.coordinates());
                let m: Vec<f64> = (0..n)
                    .map(|i| {
                        (0..n)
                            .map(|j| entry(i * n + j).0 as f64 / 5000.0 * w[j])
                            .sum()
                    })
                    .collect();
                group.coadjoint(&group.inverse(g), &m)
            };
            let lost = distance(&space(&path[20]), &space(&path[0]));
            assert!(lost < 1e-12, "{group} {retraction:?}: {lost}");
            assert!(
                group.distance(&path[20][..group.coordinates()]) < 1e-13,
                "{group}"
            );
            let back = map.step(&path[20], -0.1).unwrap();
            assert!(distance(&back, &path[19]) < 1e-12, "{group} {retraction:?}");
        }
    }
}

/// A body at rest has no axis: neither retraction minds.
#[test]
fn a_body_at_rest_stays() {
    let body = rigid_body(
        [Expr::from(2), Expr::ratio(3, 2), Expr::one()],
        Expr::zero(),
    );
    for retraction in Retraction::ALL {
        let how = Discretization {
            retraction,
            ..Discretization::by(Rule::Midpoint)
        };
        let rest = state(&[0.0; 3]);
        let there = Map::new(&body, how).step(&rest, 0.1).unwrap();
        assert!(distance(&there, &rest) < 1e-15);
    }
}

/// Velocities of the space give the same motion as those of the body.
#[test]
fn both_sides_of_a_group_agree() {
    let (body, space) = (leaning_body(true), leaning_body(false));
    for rule in [Rule::Midpoint, Rule::Trapezoid] {
        let maps = [&body, &space].map(|s| Map::new(s, Discretization::by(rule)));
        let w = [0.4, 1.0, -0.3];
        let x = maps[0].follow(&state(&w), 0.1, 20).swap_remove(20);
        let y = maps[1].follow(&state(&w), 0.1, 20).swap_remove(20);
        assert!(distance(&x[..9], &y[..9]) < 1e-11, "{rule}");
    }
}

/// Spherical pendulum in space: |q| = 1 at every node, the velocity tangent, the momentum about the
/// vertical kept, order 2.
#[test]
fn position_constraints_hold_at_the_nodes() {
    let system = spherical_pendulum();
    let start = [0.6, 0.0, -0.8, 0.0, 0.9, 0.0];
    for rule in [Rule::Midpoint, Rule::Trapezoid] {
        let map = Map::new(&system, Discretization::by(rule));
        let path = map.follow(&start, 0.02, 200);
        for x in &path {
            close(x[..3].iter().map(|q| q * q).sum(), 1.0, 1e-12);
            close(x[0] * x[3] + x[1] * x[4] + x[2] * x[5], 0.0, 1e-12);
            close(x[0] * x[4] - x[1] * x[3], 0.54, 1e-12);
        }
        let end = |n: usize| map.follow(&start, 1.0 / n as f64, n).swap_remove(n);
        let exact = end(1280);
        let slope = (distance(&end(20), &exact) / distance(&end(40), &exact)).log2();
        assert!((slope - 2.0).abs() < 0.2, "{rule}: {slope}");
    }
}

/// The sleigh keeps to its blade at every node, by both placements; the motion converges to that of
/// y₁' = −(ma/(I + ma²)) y₁y₂, y₂' = a y₁² (CG-X3).
#[test]
fn velocity_constraints_hold_at_the_nodes() {
    use rattleback_mechanics::discrete::Placement;
    let system = sleigh();
    // Turning at 0.8, forward at 0.5.
    let start = [0.0, 0.0, 0.0, 0.5, 0.0, 0.8];
    let exact = sleigh_velocities(0.8, 0.5);
    for (placement, order) in [(Placement::Midpoint, 2.0), (Placement::Node, 1.0)] {
        let how = Discretization {
            placement,
            ..Discretization::by(Rule::Midpoint)
        };
        let map = Map::new(&system, how);
        let error = |n: usize| {
            let path = map.follow(&start, 1.0 / n as f64, n);
            for x in &path {
                close(x[2].sin() * x[3] - x[2].cos() * x[4], 0.0, 1e-12);
            }
            let x = &path[n];
            let forward = x[2].cos() * x[3] + x[2].sin() * x[4];
            distance(&[x[5], forward], &exact)
        };
        let slope = (error(40) / error(80)).log2();
        assert!((slope - order).abs() < 0.3, "{placement:?}: {slope}");
    }
}

/// A damped oscillator: forces by the quadrature of the rule, with its order.
#[test]
fn forces_have_the_order_of_their_rule() {
    let q = Symbol::variable("q");
    let (x, v) = (Expr::from(&q), Expr::from(q.derivative()));
    let damped = particle(x.powi(2) / 2 + x.powi(4) / 4).with_force(vec![-(v / 5)]);
    let exact = end(&damped, Rule::Gauss(4), &[0.7, 0.2], 100);
    for (rule, n) in [
        (Rule::Midpoint, 40),
        (Rule::Trapezoid, 40),
        (Rule::Gauss(2), 10),
        (Rule::Lobatto(2), 10),
    ] {
        let error = |n: usize| distance(&end(&damped, rule, &[0.7, 0.2], n), &exact);
        let slope = (error(n) / error(2 * n)).log2();
        assert!(
            (slope - f64::from(rule.order())).abs() < 0.3,
            "{rule}: {slope}"
        );
    }
}
