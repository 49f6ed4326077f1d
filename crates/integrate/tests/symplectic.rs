//! Symplectic compositions: order, structure, energy over many steps.

mod fields;

use fields::*;
use rattleback_integrate::implicit::{Gauss, GaussOrder};
use rattleback_integrate::symplectic::{
    Composition, GeneralVerlet, Midpoint, Partition, Scheme, SymmetricBase, Verlet,
};
use rattleback_integrate::{Direction, Drive, Event, Fault, StepSize, Stepper};
use std::ops::ControlFlow;

/// Schemes with numbers of steps over 5 units of time that show their order above round-off.
const SCHEMES: [(Scheme, [usize; 3]); 7] = [
    (Scheme::Plain, [100, 200, 400]),
    (Scheme::Yoshida4, [80, 160, 320]),
    (Scheme::Yoshida6, [60, 90, 120]),
    (Scheme::Yoshida8, [30, 40, 50]),
    (Scheme::Suzuki4, [20, 40, 80]),
    (Scheme::Suzuki6, [10, 15, 20]),
    (Scheme::Suzuki8, [12, 14, 17]),
];

fn reference(field: &mut Field, x: &[f64], span: (f64, f64)) -> Vec<f64> {
    run(
        &mut Gauss::new(GaussOrder::Eight, x.len()),
        field,
        x,
        span,
        2000,
    )
}

fn check_orders<B: SymmetricBase<Field>>(base: impl Fn() -> B, mut field: Field, x: &[f64]) {
    let span = (0.3, 5.3);
    let exact = reference(&mut field, x, span);
    for (scheme, steps) in SCHEMES {
        let mut method = Composition::new(base(), scheme, x.len());
        let slope = measured_order(&steps, |n| {
            distance(&run(&mut method, &mut field, x, span, n), &exact)
        });
        let nominal = f64::from(scheme.order());
        assert!((slope - nominal).abs() < 0.5, "{scheme:?}: {slope}");
    }
}

#[test]
fn compositions_of_the_explicit_method_have_their_order() {
    let x = [0.3, -0.2, 0.25, 0.4];
    check_orders(|| Verlet::new(Partition::halves(2)), henon_heiles(), &x);
    check_orders(
        || Verlet::new(Partition::halves(1)),
        driven_pendulum(),
        &[1.0, 0.3],
    );
}

#[test]
fn compositions_of_the_general_method_have_their_order() {
    let base = || GeneralVerlet::new(Partition::halves(1));
    check_orders(base, heavy_pendulum(), &[0.8, 0.3]);
}

#[test]
fn compositions_of_the_midpoint_rule_have_their_order() {
    check_orders(|| Midpoint::new(2), heavy_pendulum(), &[0.8, 0.3]);
    check_orders(|| Midpoint::new(2), driven_pendulum(), &[1.0, 0.3]);
}

#[test]
fn the_general_method_is_the_explicit_one_where_the_energy_separates() {
    let x = [0.3, -0.2, 0.25, 0.4];
    let mut explicit = Composition::new(Verlet::new(Partition::halves(2)), Scheme::Yoshida4, 4);
    let mut general = Composition::new(
        GeneralVerlet::new(Partition::halves(2)),
        Scheme::Yoshida4,
        4,
    );
    let a = run(&mut explicit, &mut henon_heiles(), &x, (0.0, 5.0), 100);
    let b = run(&mut general, &mut henon_heiles(), &x, (0.0, 5.0), 100);
    assert!(distance(&a, &b) < 1e-13);
}

#[test]
fn the_explicit_method_asks_for_two_rates_a_step() {
    let mut field = henon_heiles();
    let mut method = Composition::new(Verlet::new(Partition::halves(2)), Scheme::Yoshida4, 4);
    run(
        &mut method,
        &mut field,
        &[0.3, -0.2, 0.25, 0.4],
        (0.0, 5.0),
        100,
    );
    assert_eq!(field.evaluations, 100 * 3 * 2 + 1);
    assert_eq!(field.jacobians, 0);
}

#[test]
fn pairs_may_be_interleaved() {
    // Two uncoupled pendulums with the state (p₁, q₁, q₂, p₂).
    let mut field = Field::new(
        4,
        |_, x, r| {
            (r[0], r[1]) = (-x[1].sin(), x[0]);
            (r[2], r[3]) = (x[3], -x[2].sin());
        },
        |_, _, j| j.fill(0.0),
    );
    let partition = Partition::new(4, &[(1, 0), (2, 3)]).unwrap();
    let mut method = Composition::new(Verlet::new(partition), Scheme::Suzuki4, 4);
    let end = run(
        &mut method,
        &mut field,
        &[0.2, 1.0, 0.5, 0.0],
        (0.0, 3.0),
        30,
    );
    let mut single = Composition::new(Verlet::new(Partition::halves(1)), Scheme::Suzuki4, 2);
    let one = run(&mut single, &mut pendulum(), &[1.0, 0.2], (0.0, 3.0), 30);
    let two = run(&mut single, &mut pendulum(), &[0.5, 0.0], (0.0, 3.0), 30);
    assert_eq!(end, [one[1], one[0], two[0], two[1]]);
}

fn check_structure<B: SymmetricBase<Field>>(base: impl Fn() -> B, mut field: Field, x: &[f64]) {
    for (scheme, _) in SCHEMES {
        let fresh = || Composition::new(base(), scheme, x.len());
        let defect = symplectic_defect(fresh, &mut field, x, 0.1);
        assert!(defect < 1e-9, "{scheme:?}: {defect}");
        let there = run(&mut fresh(), &mut field, x, (0.0, 4.0), 40);
        let back = run(&mut fresh(), &mut field, &there, (4.0, 0.0), 40);
        assert!(distance(&back, x) < 1e-12, "{scheme:?}");
    }
}

#[test]
fn maps_are_symplectic_and_reversible() {
    let x = [0.3, -0.2, 0.25, 0.4];
    check_structure(|| Verlet::new(Partition::halves(2)), henon_heiles(), &x);
    check_structure(|| Midpoint::new(4), henon_heiles(), &x);
    check_structure(
        || GeneralVerlet::new(Partition::halves(1)),
        heavy_pendulum(),
        &[0.8, 0.3],
    );
    check_structure(|| Midpoint::new(2), heavy_pendulum(), &[0.8, 0.3]);
}

#[test]
fn the_measure_of_symplecticity_sees_a_method_that_is_not() {
    // Separable splitting of a system that does not separate.
    let fresh = || Composition::new(Verlet::new(Partition::halves(1)), Scheme::Plain, 2);
    assert!(symplectic_defect(fresh, &mut heavy_pendulum(), &[0.8, 0.3], 0.1) > 1e-5);
}

#[test]
fn energy_stays_bounded_over_a_million_steps() {
    let x = [0.3, -0.2, 0.25, 0.4];
    for (scheme, h) in [
        (Scheme::Plain, 0.1),
        (Scheme::Yoshida4, 0.1),
        (Scheme::Yoshida8, 0.2),
    ] {
        let mut method = Composition::new(Verlet::new(Partition::halves(2)), scheme, 4);
        let (early, late) = energy_errors(
            &mut method,
            &mut henon_heiles(),
            &x,
            h,
            1_000_000,
            henon_heiles_energy,
        );
        assert!(late < 1.2 * early + 1e-13, "{scheme:?}: {early} {late}");
    }
}

#[test]
fn energy_stays_bounded_where_it_does_not_separate() {
    let mut method = Composition::new(GeneralVerlet::new(Partition::halves(1)), Scheme::Plain, 2);
    let (early, late) = energy_errors(
        &mut method,
        &mut heavy_pendulum(),
        &[0.8, 0.3],
        0.05,
        1_000_000,
        heavy_pendulum_energy,
    );
    assert!(late < 1.2 * early, "{early} {late}");
}

#[test]
fn states_inside_a_step_have_the_full_order() {
    let (x, mut field) = ([1.0, 0.3], driven_pendulum());
    for (scheme, steps) in [
        (Scheme::Plain, [20, 40, 80]),
        (Scheme::Yoshida6, [8, 12, 16]),
    ] {
        let mut method = Composition::new(Verlet::new(Partition::halves(1)), scheme, 2);
        let (mut next, mut state) = ([0.0; 2], [0.0; 2]);
        let slope = measured_order(&steps, |n| {
            let h = 4.0 / n as f64;
            method.step(&mut field, 0.3, &x, h, &mut next).unwrap();
            method.interpolate(&mut field, 0.6, &mut state).unwrap();
            distance(
                &state,
                &reference(&mut driven_pendulum(), &x, (0.3, 0.3 + 0.6 * h)),
            )
        });
        assert!(
            (slope - f64::from(scheme.order() + 1)).abs() < 0.6,
            "{scheme:?}: {slope}"
        );
        for (theta, sought) in [(0.0, x), (1.0, next)] {
            method.interpolate(&mut field, theta, &mut state).unwrap();
            assert_eq!(state, sought);
        }
        // Looking inside does not change what follows.
        let mut undisturbed = Composition::new(Verlet::new(Partition::halves(1)), scheme, 2);
        let (mut a, mut b) = ([0.0; 2], [0.0; 2]);
        undisturbed.step(&mut field, 0.3, &x, 0.1, &mut b).unwrap();
        method.step(&mut field, 0.3, &x, 0.1, &mut a).unwrap();
        assert_eq!(a, b);
    }
}

#[test]
fn newton_helps_where_substitution_does_not_contract() {
    // H = q p: q' = q, p' = −p, with h/2·∂f_p/∂p = −1.5.
    let mut field = Field::new(
        2,
        |_, x, r| (r[0], r[1]) = (x[0], -x[1]),
        |_, _, j| j.copy_from_slice(&[1.0, 0.0, 0.0, -1.0]),
    );
    let mut method = Composition::new(GeneralVerlet::new(Partition::halves(1)), Scheme::Plain, 2);
    let mut next = [0.0; 2];
    method
        .step(&mut field, 0.0, &[1.0, 1.0], 3.0, &mut next)
        .unwrap();
    // q₁ = (1 + 1.5)/(1 − 1.5) q and p₁ is its reciprocal.
    assert!(distance(&next, &[-5.0, -0.2]) < 1e-14);
    assert!(field.jacobians > 0);
}

#[test]
fn a_fault_leaves_the_method_usable() {
    let mut field = Field::new(
        2,
        |_, x, r| (r[0], r[1]) = (x[1], -0.5 / x[0].max(0.0).sqrt()),
        |_, _, j| j.fill(0.0),
    );
    let mut method = Composition::new(Verlet::new(Partition::halves(1)), Scheme::Plain, 2);
    let (mut next, mut again) = ([0.0; 2], [0.0; 2]);
    let fault = method.step(&mut field, 0.0, &[0.1, -1.0], 1.0, &mut next);
    assert_eq!(fault, Err(Fault::NotFinite(1)));
    method
        .step(&mut field, 0.0, &[0.1, -1.0], 0.01, &mut next)
        .unwrap();
    let mut fresh = Composition::new(Verlet::new(Partition::halves(1)), Scheme::Plain, 2);
    fresh
        .step(&mut field, 0.0, &[0.1, -1.0], 0.01, &mut again)
        .unwrap();
    assert_eq!(next, again);
}

#[test]
fn events_inside_steps_are_located_to_the_order_of_the_method() {
    // The oscillator from (1, 0) crosses q = 0 downwards at π/2.
    let mut field = Field::new(
        2,
        |_, x, r| (r[0], r[1]) = (x[1], -x[0]),
        |_, _, j| j.copy_from_slice(&[0.0, 1.0, -1.0, 0.0]),
    );
    let mut method = Composition::new(Verlet::new(Partition::halves(1)), Scheme::Yoshida8, 2);
    let mut events = [Event::new(|_, x: &[f64]| x[0])
        .direction(Direction::Falling)
        .terminal()];
    let mut x = [1.0, 0.0];
    let mut nobody = |_: f64, _: &[f64]| ControlFlow::Continue(());
    let summary = Drive::new(0.0, 10.0)
        .step_size(StepSize::Fixed(0.1))
        .run(&mut field, &mut method, &mut x, &mut events, &mut nobody)
        .unwrap();
    assert!(
        (summary.t - std::f64::consts::FRAC_PI_2).abs() < 1e-11,
        "{summary:?}"
    );
    assert!(x[0].abs() < 1e-11 && (x[1] + 1.0).abs() < 1e-11);
}
