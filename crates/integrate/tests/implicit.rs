//! Gauss and Radau methods: order, structure, stiffness.

mod fields;

use fields::*;
use rattleback_integrate::implicit::{Gauss, GaussOrder, Iteration, Radau5, Resampled};
use rattleback_integrate::{Drive, Fault, Output, Stepper, Summary, Tolerance};
use std::ops::ControlFlow;

const ORDERS: [GaussOrder; 4] = [
    GaussOrder::Two,
    GaussOrder::Four,
    GaussOrder::Six,
    GaussOrder::Eight,
];
const ITERATIONS: [Iteration; 3] = [
    Iteration::Automatic,
    Iteration::FixedPoint,
    Iteration::Newton,
];

/// A solution without measurable error: order 8 with small steps.
fn reference(field: &mut Field, x: &[f64], span: (f64, f64)) -> Vec<f64> {
    run(
        &mut Gauss::new(GaussOrder::Eight, x.len()),
        field,
        x,
        span,
        2000,
    )
}

#[test]
fn gauss_methods_have_their_order() {
    let (x, span) = ([1.5, 0.3], (0.3, 6.3));
    let exact = reference(&mut driven_pendulum(), &x, span);
    let steps: [&[usize]; 4] = [
        &[80, 160, 320],
        &[40, 80, 160],
        &[25, 50, 100],
        &[16, 24, 36],
    ];
    for (order, steps) in ORDERS.into_iter().zip(steps) {
        for iteration in ITERATIONS {
            let mut gauss = Gauss::with_iteration(order, 2, iteration);
            let nominal = f64::from(Stepper::<Field>::order(&gauss));
            let slope = measured_order(steps, |n| {
                distance(
                    &run(&mut gauss, &mut driven_pendulum(), &x, span, n),
                    &exact,
                )
            });
            assert!(
                (slope - nominal).abs() < 0.4,
                "{order:?} {iteration:?}: {slope}"
            );
        }
    }
}

#[test]
fn gauss_agrees_with_the_closed_form_of_a_forced_oscillator() {
    // x'' = −x + cos 2t from rest at 0: x = (cos t − cos 2t)/3.
    let mut field = Field::new(
        2,
        |t, x, r| (r[0], r[1]) = (x[1], -x[0] + (2.0 * t).cos()),
        |_, _, j| j.copy_from_slice(&[0.0, 1.0, -1.0, 0.0]),
    );
    let end = run(
        &mut Gauss::new(GaussOrder::Eight, 2),
        &mut field,
        &[0.0, 0.0],
        (0.0, 5.0),
        100,
    );
    let exact = (5.0_f64.cos() - 10.0_f64.cos()) / 3.0;
    assert!((end[0] - exact).abs() < 1e-13);
}

#[test]
fn iterations_agree_to_round_off() {
    for order in ORDERS {
        let ends = ITERATIONS.map(|iteration| {
            let mut gauss = Gauss::with_iteration(order, 4, iteration);
            let x = [0.1, -0.2, 0.3, 0.1];
            run(&mut gauss, &mut henon_heiles(), &x, (0.0, 10.0), 200)
        });
        assert!(distance(&ends[0], &ends[1]) < 1e-13, "{order:?} {ends:?}");
        assert!(distance(&ends[0], &ends[2]) < 1e-13, "{order:?} {ends:?}");
    }
}

#[test]
fn gauss_interpolates_with_the_collocation_polynomial() {
    let (x, mut field) = ([1.5, 0.3], driven_pendulum());
    for (order, stages) in ORDERS.into_iter().zip([1.0, 2.0, 3.0, 4.0]) {
        let mut gauss = Gauss::new(order, 2);
        let (mut next, mut state) = ([0.0; 2], [0.0; 2]);
        let slope = measured_order(&[8, 16, 32], |n| {
            let h = 2.0 / n as f64;
            gauss.step(&mut field, 0.3, &x, h, &mut next).unwrap();
            gauss.interpolate(&mut field, 0.4, &mut state).unwrap();
            let exact = reference(&mut driven_pendulum(), &x, (0.3, 0.3 + 0.4 * h));
            distance(&state, &exact)
        });
        assert!(slope > stages + 0.7, "{order:?}: {slope}");
        for (theta, sought) in [(0.0, x), (1.0, next)] {
            gauss.interpolate(&mut field, theta, &mut state).unwrap();
            assert!(distance(&state, &sought) < 1e-15 * 4.0);
        }
    }
}

#[test]
fn gauss_maps_are_symplectic_and_reversible() {
    let x = [0.3, -0.2, 0.25, 0.4];
    for order in ORDERS {
        let fresh = || Gauss::new(order, 4);
        let defect = symplectic_defect(fresh, &mut henon_heiles(), &x, 0.4);
        assert!(defect < 1e-9, "{order:?}: {defect}");
        let there = run(&mut fresh(), &mut henon_heiles(), &x, (0.0, 10.0), 40);
        let back = run(&mut fresh(), &mut henon_heiles(), &there, (10.0, 0.0), 40);
        assert!(distance(&back, &x) < 1e-13, "{order:?}");
    }
}

#[test]
fn gauss_energy_stays_bounded_over_a_million_steps() {
    let mut gauss = Gauss::new(GaussOrder::Four, 2);
    let (early, late) = energy_errors(
        &mut gauss,
        &mut pendulum(),
        &[1.0, 0.2],
        0.1,
        1_000_000,
        pendulum_energy,
    );
    assert!(late < 1.01 * early, "{early} {late}");
}

#[test]
fn round_off_does_not_make_the_energy_drift() {
    // Coefficients rounded to double precision alone lose 10⁻¹⁸ per step here.
    let (steps, h, mut field) = (200_000, 0.2, pendulum());
    let mut gauss = Gauss::new(GaussOrder::Eight, 2);
    let (mut x, mut next) = ([1.0, 0.2], [0.0; 2]);
    let (mut early, mut late) = (0.0, 0.0);
    let start = pendulum_energy(&x);
    for k in 0..steps {
        gauss
            .step(&mut field, k as f64 * h, &x, h, &mut next)
            .unwrap();
        x = next;
        let share = (pendulum_energy(&x) - start) / (steps / 10) as f64;
        if k < steps / 10 {
            early += share;
        } else if k >= steps - steps / 10 {
            late += share;
        }
    }
    let drift: f64 = late - early;
    assert!(drift.abs() < 5e-14, "{drift:e}");
}

#[test]
fn newton_takes_steps_where_substitution_diverges() {
    // x' = −500(x − cos t): h‖J‖ = 25.
    let mut field = Field::new(
        1,
        |t, x, r| r[0] = -500.0 * (x[0] - t.cos()),
        |_, _, j| j[0] = -500.0,
    );
    let mut next = [0.0];
    let mut fixed = Gauss::with_iteration(GaussOrder::Four, 1, Iteration::FixedPoint);
    let fault = fixed.step(&mut field, 0.0, &[1.0], 0.05, &mut next);
    assert_eq!(fault, Err(Fault::NotConverged));
    let mut gauss = Gauss::new(GaussOrder::Four, 1);
    let end = run(&mut gauss, &mut field, &[1.0], (0.0, 2.0), 40);
    assert!((end[0] - 2.0_f64.cos()).abs() < 5e-3);
    // The matrix is constant: factored once.
    assert_eq!(field.jacobians, 1);
}

#[test]
fn faults_of_the_field_come_out() {
    let mut field = Field::new(
        1,
        |_, x, r| r[0] = (-1.0 - x[0]).sqrt(),
        |_, _, j| j[0] = 1.0,
    );
    let mut next = [0.0];
    let mut gauss = Gauss::new(GaussOrder::Two, 1);
    let fault = Err(Fault::NotFinite(0));
    assert_eq!(gauss.step(&mut field, 0.0, &[1.0], 0.1, &mut next), fault);
    let mut radau = Radau5::new(1, Tolerance::both(1e-6));
    assert_eq!(radau.step(&mut field, 0.0, &[1.0], 0.1, &mut next), fault);
}

/// Follows the motion from 0 to `end` under the driver; returns the state and the summary.
fn adapt(radau: &mut Radau5, field: &mut Field, x: &[f64], end: f64) -> (Vec<f64>, Summary) {
    let mut x = x.to_vec();
    let mut nobody = |_: f64, _: &[f64]| ControlFlow::Continue(());
    let summary = Drive::new(0.0, end)
        .run(field, radau, &mut x, &mut [], &mut nobody)
        .unwrap();
    (x, summary)
}

#[test]
fn radau_has_order_five() {
    let (x, span) = ([1.5, 0.3], (0.3, 6.3));
    let exact = reference(&mut driven_pendulum(), &x, span);
    let slope = measured_order(&[50, 100, 200], |n| {
        let mut radau = Radau5::new(2, Tolerance::both(1e-12));
        distance(
            &run(&mut radau, &mut driven_pendulum(), &x, span, n),
            &exact,
        )
    });
    assert!((slope - 5.0).abs() < 0.3, "{slope}");
}

#[test]
fn the_error_estimate_of_radau_is_of_third_order() {
    let (x, mut field) = ([1.5, 0.3], driven_pendulum());
    let slope = measured_order(&[40, 80, 160], |n| {
        let mut next = [0.0; 2];
        let mut radau = Radau5::new(2, Tolerance::both(1e-12));
        let h = 2.0 / n as f64;
        radau.step(&mut field, 0.3, &x, h, &mut next).unwrap().error
    });
    assert!((slope - 4.0).abs() < 0.3, "{slope}");
}

#[test]
fn radau_interpolates_inside_a_step() {
    let (x, mut field) = ([1.5, 0.3], driven_pendulum());
    let mut radau = Radau5::new(2, Tolerance::both(1e-12));
    let (mut next, mut state) = ([0.0; 2], [0.0; 2]);
    let slope = measured_order(&[8, 16, 32], |n| {
        let h = 2.0 / n as f64;
        radau.step(&mut field, 0.3, &x, h, &mut next).unwrap();
        radau.interpolate(&mut field, 0.4, &mut state).unwrap();
        let exact = reference(&mut driven_pendulum(), &x, (0.3, 0.3 + 0.4 * h));
        distance(&state, &exact)
    });
    assert!(slope > 3.7, "{slope}");
    radau.interpolate(&mut field, 1.0, &mut state).unwrap();
    assert!(distance(&state, &next) < 1e-15);
}

#[test]
fn resampled_steps_are_as_good_inside_as_at_their_ends() {
    let (x, mut field) = ([1.5, 0.3], driven_pendulum());
    let (mut next, mut state) = ([0.0; 2], [0.0; 2]);
    let mut gauss = Resampled::new(Gauss::new(GaussOrder::Six, 2), 2);
    let slope = measured_order(&[4, 8, 16], |n| {
        let h = 2.0 / n as f64;
        gauss.step(&mut field, 0.3, &x, h, &mut next).unwrap();
        gauss.interpolate(&mut field, 0.4, &mut state).unwrap();
        let exact = reference(&mut driven_pendulum(), &x, (0.3, 0.3 + 0.4 * h));
        distance(&state, &exact)
    });
    assert!(slope > 6.7, "{slope}");
    for (theta, sought) in [(0.0, x), (1.0, next)] {
        gauss.interpolate(&mut field, theta, &mut state).unwrap();
        assert_eq!(state, sought);
    }
}

#[test]
fn samples_of_radau_keep_the_tolerance() {
    let tolerance = 1e-9;
    let mut radau = Radau5::new(2, Tolerance::both(tolerance));
    let mut exact = Gauss::new(GaussOrder::Eight, 2);
    let (mut truth, mut before, mut worst) = ([1.5, 0.3], 0.3, 0.0f64);
    let mut compare = |t: f64, x: &[f64]| {
        if t > before {
            let there = run(&mut exact, &mut driven_pendulum(), &truth, (before, t), 4);
            truth.copy_from_slice(&there);
            before = t;
        }
        worst = worst.max(distance(x, &truth));
        ControlFlow::Continue(())
    };
    let mut x = [1.5, 0.3];
    let summary = Drive::new(0.3, 6.3)
        .output(Output::Spacing(0.01))
        .run(
            &mut driven_pendulum(),
            &mut radau,
            &mut x,
            &mut [],
            &mut compare,
        )
        .unwrap();
    assert!(
        summary.steps < 500,
        "samples between steps: {}",
        summary.steps
    );
    assert!(worst < 30.0 * tolerance, "{worst:e}");
}

#[test]
fn radau_follows_the_van_der_pol_oscillator() {
    // ε x'' = (1 − x²)x' − x with ε = 1e-6; the values at t = 1, 2 of Hairer & Wanner's test set.
    let mut field = Field::new(
        2,
        |_, x, r| {
            r[0] = x[1];
            r[1] = ((1.0 - x[0] * x[0]) * x[1] - x[0]) / 1e-6;
        },
        |_, x, j| {
            j.copy_from_slice(&[
                0.0,
                1.0,
                (-2.0 * x[0] * x[1] - 1.0) / 1e-6,
                (1.0 - x[0] * x[0]) / 1e-6,
            ]);
        },
    );
    for (tolerance, bound) in [(1e-5, 1e-4), (1e-8, 1e-6)] {
        let mut radau = Radau5::new(2, Tolerance::both(tolerance));
        let (end, summary) = adapt(&mut radau, &mut field, &[2.0, -0.66], 2.0);
        assert!((end[0] - 1.706_167_732_170_483).abs() < bound, "{end:?}");
        assert!((end[1] + 0.892_809_701_024_799_8).abs() < bound, "{end:?}");
        assert!(summary.steps < 3000, "{summary:?}");
    }
}

/// A particle on a blade that turns, held to it by friction alone. The order of the method drops, but not
/// what the tolerance promises.
#[test]
fn radau_keeps_its_tolerance_where_its_order_drops() {
    // The last component is the friction.
    let mut field = Field::new(
        3,
        |t, x, r| {
            let slip = x[2] * (t.sin() * x[0] - t.cos() * x[1]);
            r.copy_from_slice(&[-slip * t.sin(), slip * t.cos(), 0.0]);
        },
        |t, x, j| {
            let (s, k) = t.sin_cos();
            let (c, slip) = (x[2], s * x[0] - k * x[1]);
            let rows = [
                -c * s * s,
                c * s * k,
                -slip * s,
                c * s * k,
                -c * k * k,
                slip * k,
            ];
            j[..6].copy_from_slice(&rows);
            j[6..].fill(0.0);
        },
    );
    for (friction, tolerance) in [(1e3, 1e-6), (1e6, 1e-6), (1e6, 1e-9)] {
        let start = [1.0, 0.0, friction];
        let mut radau = Radau5::new(3, Tolerance::both(tolerance));
        let (end, _) = adapt(&mut radau, &mut field, &start, 5.0);
        let mut fine = Radau5::new(3, Tolerance::both(1e-12));
        let (exact, _) = adapt(&mut fine, &mut field, &start, 5.0);
        let error = distance(&end, &exact);
        assert!(
            error < 30.0 * tolerance,
            "{friction} {tolerance}: {error:e}"
        );
    }
}

#[test]
fn radau_follows_the_robertson_reaction() {
    let mut field = Field::new(
        3,
        |_, x, r| {
            let (slow, fast, middle) = (0.04 * x[0], 3e7 * x[1] * x[1], 1e4 * x[1] * x[2]);
            r.copy_from_slice(&[-slow + middle, slow - middle - fast, fast]);
        },
        |_, x, j| {
            let (a, b, c) = (1e4 * x[2], 1e4 * x[1], 6e7 * x[1]);
            j.copy_from_slice(&[-0.04, a, b, 0.04, -a - c, -b, 0.0, c, 0.0]);
        },
    );
    let tolerance = Tolerance {
        relative: 1e-8,
        absolute: 1e-14,
    };
    let mut radau = Radau5::new(3, tolerance);
    let (end, summary) = adapt(&mut radau, &mut field, &[1.0, 0.0, 0.0], 1e11);
    let exact = [
        2.083_340_149_701_22e-8,
        8.333_360_770_334_713e-14,
        0.999_999_979_166_505,
    ];
    for (found, sought) in end.iter().zip(exact) {
        assert!((found / sought - 1.0).abs() < 1e-7, "{end:?}");
    }
    assert!((end.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    assert!(summary.steps < 1500, "{summary:?}");
    // Jacobians are kept while Newton converges fast.
    assert!(
        (field.jacobians as u64) < summary.steps,
        "{}",
        field.jacobians
    );
}

#[test]
fn iterates_that_leave_the_domain_are_brought_back() {
    // x' = −50 √x: substitution overshoots below 0, Newton does not. x = (1 − 25t)².
    let mut field = Field::new(
        1,
        |_, x, r| r[0] = -50.0 * x[0].sqrt(),
        |_, x, j| j[0] = -25.0 / x[0].sqrt(),
    );
    let mut next = [0.0];
    let mut gauss = Gauss::new(GaussOrder::Six, 1);
    gauss
        .step(&mut field, 0.0, &[1.0], 0.03, &mut next)
        .unwrap();
    assert!((next[0] - 0.0625).abs() < 1e-3, "{next:?}");
    let mut fixed = Gauss::with_iteration(GaussOrder::Six, 1, Iteration::FixedPoint);
    let fault = fixed.step(&mut field, 0.0, &[1.0], 0.03, &mut next);
    assert_eq!(fault, Err(Fault::NotFinite(0)));
}

#[test]
fn gauss_follows_an_eccentric_orbit_over_many_periods() {
    // Kepler with eccentricity 0.6: after whole periods the planet is back.
    let mut field = Field::new(
        4,
        |_, x, r| {
            let cube = (x[0] * x[0] + x[1] * x[1]).powf(1.5);
            r.copy_from_slice(&[x[2], x[3], -x[0] / cube, -x[1] / cube]);
        },
        |_, x, j| {
            let (a, b) = (x[0], x[1]);
            let square = a * a + b * b;
            let (cube, fifth) = (square.powf(1.5), square.powf(2.5));
            let mixed = 3.0 * a * b / fifth;
            j.copy_from_slice(&[
                0.0,
                0.0,
                1.0,
                0.0, //
                0.0,
                0.0,
                0.0,
                1.0, //
                3.0 * a * a / fifth - 1.0 / cube,
                mixed,
                0.0,
                0.0, //
                mixed,
                3.0 * b * b / fifth - 1.0 / cube,
                0.0,
                0.0,
            ]);
        },
    );
    let start = [0.4, 0.0, 0.0, 2.0];
    let periods = 20.0 * std::f64::consts::TAU;
    let mut gauss = Gauss::new(GaussOrder::Eight, 4);
    let end = run(&mut gauss, &mut field, &start, (0.0, periods), 20 * 400);
    assert!(distance(&end, &start) < 1e-10, "{end:?}");
    assert!((end[0] * end[3] - end[1] * end[2] - 0.8).abs() < 1e-14);
}

#[test]
fn a_state_without_components_has_nothing_to_do() {
    let mut field = Field::new(0, |_, _, _| (), |_, _, _| ());
    let newton = Gauss::with_iteration(GaussOrder::Four, 0, Iteration::Newton);
    for method in [
        &mut Gauss::new(GaussOrder::Six, 0) as &mut dyn Stepper<Field>,
        &mut { newton },
        &mut Radau5::new(0, Tolerance::both(1e-6)),
    ] {
        for t in [0.0, 1.0] {
            method.step(&mut field, t, &[], 1.0, &mut []).unwrap();
            method.interpolate(&mut field, 0.5, &mut []).unwrap();
        }
    }
}
