//! Orders, dense output and economy of the explicit methods.

mod common;
use common::*;
use rattleback_integrate::{
    Dop853, DormandPrince, Fault, RungeKutta4, Stepper, Tolerance, VectorField,
};

const TIGHT: f64 = 1e-10;

fn order_of<F: Known, S: Stepper<F>>(
    field: &mut F,
    stepper: &mut S,
    t1: f64,
    steps: &[u32],
) -> f64 {
    let points: Vec<(f64, f64)> = steps
        .iter()
        .map(|&n| {
            (
                t1 / f64::from(n),
                error_of_fixed_steps(field, stepper, 0.0, t1, n),
            )
        })
        .collect();
    measured_order(&points, 1e-12)
}

fn assert_order(measured: f64, order: f64) {
    assert!(
        (measured - order).abs() < 0.35,
        "order {measured}, not {order}"
    );
}

#[test]
fn orders_on_a_nonlinear_system_with_time() {
    let f = &mut Swinging;
    assert_order(
        order_of(f, &mut RungeKutta4::new(4), 1.5, &[40, 60, 90, 140, 200]),
        4.0,
    );
    let mut method = DormandPrince::new(4, Tolerance::both(TIGHT));
    assert_order(order_of(f, &mut method, 1.5, &[40, 60, 90, 140, 200]), 5.0);
    let mut method = Dop853::new(4, Tolerance::both(TIGHT));
    assert_order(
        order_of(f, &mut method, 1.5, &[12, 16, 20, 26, 32, 40]),
        8.0,
    );
}

#[test]
fn orders_on_a_quadrature() {
    let f = &mut Cosine;
    assert_order(
        order_of(f, &mut RungeKutta4::new(1), 3.0, &[5, 8, 12, 20]),
        4.0,
    );
    let mut method = DormandPrince::new(1, Tolerance::both(TIGHT));
    assert!(order_of(f, &mut method, 3.0, &[4, 6, 8, 12]) > 4.7);
    let mut method = Dop853::new(1, Tolerance::both(TIGHT));
    assert!(order_of(f, &mut method, 6.0, &[2, 3, 4, 5]) > 7.5);
}

/// The largest error of the dense output inside one step of length h.
fn dense_error<S: Stepper<Swinging>>(stepper: &mut S, h: f64) -> f64 {
    let field = &mut Swinging;
    let t = 0.7;
    let (x, mut next, mut state) = (field.at(t), vec![0.0; 4], vec![0.0; 4]);
    stepper.step(field, t, &x, h, &mut next).unwrap();
    let mut largest: f64 = 0.0;
    for k in 0..=20 {
        let theta = f64::from(k) / 20.0;
        stepper.interpolate(field, theta, &mut state).unwrap();
        largest = largest.max(distance(&state, &field.at(t + theta * h)));
    }
    largest
}

/// One step of a continuous method of order p errs like h^(p+1).
#[test]
fn dense_output_has_its_order() {
    let measure = |stepper: &mut dyn FnMut(f64) -> f64, steps: &[f64]| {
        let points: Vec<(f64, f64)> = steps.iter().map(|&h| (h, stepper(h))).collect();
        measured_order(&points, 1e-13)
    };
    let tolerance = Tolerance::both(TIGHT);
    let small = [0.02, 0.03, 0.04, 0.06, 0.08];
    let mut method = RungeKutta4::new(4);
    assert_order(measure(&mut |h| dense_error(&mut method, h), &small), 4.0);
    let mut method = DormandPrince::new(4, tolerance);
    assert_order(measure(&mut |h| dense_error(&mut method, h), &small), 5.0);
    let mut method = Dop853::new(4, tolerance);
    assert_order(
        measure(
            &mut |h| dense_error(&mut method, h),
            &[0.06, 0.08, 0.11, 0.15],
        ),
        8.0,
    );
}

/// The error estimates shrink with the power of the step that the controller is told.
#[test]
fn error_estimates_have_their_orders() {
    fn estimates<S: Stepper<Swinging>>(stepper: &mut S, steps: &[f64]) -> f64 {
        let field = &mut Swinging;
        let (x, mut next) = (field.at(0.7), vec![0.0; 4]);
        let points: Vec<(f64, f64)> = steps
            .iter()
            .map(|&h| (h, stepper.step(field, 0.7, &x, h, &mut next).unwrap().error))
            .collect();
        let measured = measured_order(&points, 0.0);
        assert!(
            measured > f64::from(stepper.error_order()) - 0.3,
            "{measured}"
        );
        measured
    }
    estimates(
        &mut DormandPrince::new(4, Tolerance::both(TIGHT)),
        &[0.02, 0.03, 0.05, 0.08],
    );
    estimates(
        &mut Dop853::new(4, Tolerance::both(TIGHT)),
        &[0.04, 0.06, 0.08, 0.1],
    );
}

/// A field that counts its evaluations and knows where it has been.
struct Counted {
    calls: u64,
}

impl VectorField for Counted {
    fn dimension(&self) -> usize {
        4
    }
    fn rates(&mut self, t: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        self.calls += 1;
        Swinging.rates(t, x, rates)
    }
    fn jacobian(&mut self, t: f64, x: &[f64], jacobian: &mut [f64]) -> Result<(), Fault> {
        Swinging.jacobian(t, x, jacobian)
    }
}

/// A field that takes time and state in one piece.
struct InOnePiece {
    calls: u64,
}

impl VectorField for InOnePiece {
    fn dimension(&self) -> usize {
        4
    }
    fn rates(&mut self, t: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        Swinging.rates(t, x, rates)
    }
    fn rates_of(&mut self, inputs: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        self.calls += 1;
        self.rates(inputs[0], &inputs[1..], rates)
    }
    fn jacobian(&mut self, t: f64, x: &[f64], jacobian: &mut [f64]) -> Result<(), Fault> {
        Swinging.jacobian(t, x, jacobian)
    }
}

#[test]
fn stages_come_in_one_piece_with_their_times() {
    let tolerance = Tolerance::both(TIGHT);
    let (x, mut a, mut b) = (Swinging.at(0.3), [0.0; 4], [0.0; 4]);
    let mut field = InOnePiece { calls: 0 };
    let mut method = Dop853::new(4, tolerance);
    method.step(&mut field, 0.3, &x, 0.1, &mut a).unwrap();
    // All but the rates at both ends.
    assert_eq!(field.calls, 11);
    let mut method = Dop853::new(4, tolerance);
    method.step(&mut Swinging, 0.3, &x, 0.1, &mut b).unwrap();
    assert_eq!(a, b);
}

fn calls_of_two_steps<S: Stepper<Counted>>(stepper: &mut S, dense: bool, again: bool) -> u64 {
    let mut field = Counted { calls: 0 };
    let (x, mut a, mut b) = (Swinging.at(0.3), vec![0.0; 4], vec![0.0; 4]);
    stepper.step(&mut field, 0.3, &x, 0.1, &mut a).unwrap();
    if dense {
        stepper.interpolate(&mut field, 0.5, &mut b).unwrap();
        stepper.interpolate(&mut field, 0.7, &mut b).unwrap();
    }
    let (t, from) = if again { (0.3, x) } else { (0.4, a) };
    stepper.step(&mut field, t, &from, 0.05, &mut b).unwrap();
    assert_eq!(stepper.evaluations(), field.calls);
    field.calls
}

#[test]
fn known_rates_are_not_computed_again() {
    let calls = |dense, again| {
        let loose = Tolerance::both(1e-3);
        [
            calls_of_two_steps(&mut RungeKutta4::new(4), dense, again),
            calls_of_two_steps(&mut DormandPrince::new(4, loose), dense, again),
            calls_of_two_steps(&mut Dop853::new(4, loose), dense, again),
        ]
    };
    // Two steps, with dense output in the first, and twice from the same state.
    assert_eq!(calls(false, false), [4 + 4, 7 + 6, 13 + 12]);
    assert_eq!(calls(true, false), [5 + 3, 7 + 6, 13 + 3 + 12]);
    assert_eq!(calls(false, true), [4 + 3, 7 + 6, 13 + 12]);
    // A step that is going to be rejected is not worth its last rate.
    let mut strict = Dop853::new(4, Tolerance::both(1e-15));
    assert_eq!(calls_of_two_steps(&mut strict, false, true), 12 + 11);
}

#[test]
fn a_restart_evaluates_anew() {
    let mut stepper = DormandPrince::new(4, Tolerance::both(TIGHT));
    let mut field = Counted { calls: 0 };
    let (x, mut next) = (Swinging.at(0.3), vec![0.0; 4]);
    stepper.step(&mut field, 0.3, &x, 0.1, &mut next).unwrap();
    Stepper::<Counted>::restart(&mut stepper);
    stepper.step(&mut field, 0.3, &x, 0.1, &mut next).unwrap();
    assert_eq!(field.calls, 14);
}

/// Every dimension, with and without padding, gives what dimension 1 gives.
#[test]
fn components_do_not_mix() {
    struct Copies(usize);
    impl VectorField for Copies {
        fn dimension(&self) -> usize {
            self.0
        }
        fn rates(&mut self, t: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
            for (rate, x) in rates.iter_mut().zip(x) {
                *rate = x.sin() + t;
            }
            Ok(())
        }
        fn jacobian(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), Fault> {
            Ok(())
        }
    }
    let tolerance = Tolerance::both(1e-9);
    let (mut one, mut error) = ([0.0], 0.0);
    for n in 1..=9 {
        let mut stepper = Dop853::new(n, tolerance);
        let mut next = vec![0.0; n];
        let step = stepper
            .step(&mut Copies(n), 0.2, &vec![0.4; n], 0.7, &mut next)
            .unwrap();
        if n == 1 {
            (one[0], error) = (next[0], step.error);
        }
        assert!(next.iter().all(|x| *x == one[0]), "{next:?}");
        assert!((step.error - error).abs() < 1e-12 * error);
    }
}

#[test]
fn rates_that_are_not_finite_are_faults() {
    struct Nan;
    impl VectorField for Nan {
        fn dimension(&self) -> usize {
            3
        }
        fn rates(&mut self, _: f64, _: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
            rates.copy_from_slice(&[1.0, f64::NAN, 0.0]);
            Ok(())
        }
        fn jacobian(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), Fault> {
            Ok(())
        }
    }
    let tolerance = Tolerance::both(1e-9);
    let (x, mut next) = ([0.0; 3], [0.0; 3]);
    let fault = Err(Fault::NotFinite(1));
    assert_eq!(
        RungeKutta4::new(3).step(&mut Nan, 0.0, &x, 0.1, &mut next),
        fault
    );
    assert_eq!(
        DormandPrince::new(3, tolerance).step(&mut Nan, 0.0, &x, 0.1, &mut next),
        fault
    );
    assert_eq!(
        Dop853::new(3, tolerance).step(&mut Nan, 0.0, &x, 0.1, &mut next),
        fault
    );
}
