//! Events along driven motions.

mod common;

use common::*;
use rattleback_integrate::*;
use std::ops::ControlFlow;

#[test]
fn one_turn_through_each_event() {
    let pendulum = &mut Pendulum { amplitude: 2.0 };
    let quarter = pendulum.quarter_period();
    struct Log(Vec<(usize, f64)>);
    impl Observer for Log {
        fn sample(&mut self, _: f64, _: &[f64]) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
        fn event(&mut self, event: usize, t: f64, _: &[f64]) -> ControlFlow<()> {
            self.0.push((event, t));
            ControlFlow::Continue(())
        }
    }
    let mut log = Log(Vec::new());
    let mut events = [
        Event::new(|_, x| x[0]),
        Event::new(|_, x| x[1]).direction(Direction::Falling),
        Event::new(|_, x| x[0]).direction(Direction::Rising),
        Event::new(|_, x| x[0] - 3.0),
        Event::new(|t, _| t - 0.3),
    ];
    let mut x = pendulum.at(0.0);
    let summary = Drive::new(0.0, 4.5 * quarter)
        .run(
            pendulum,
            &mut dop853(2, 1e-12),
            &mut x,
            &mut events,
            &mut log,
        )
        .unwrap();
    assert_eq!(summary.events, [2, 1, 1, 0, 1]);
    let expected = [
        (4, 0.3),
        (1, quarter),
        (0, 2.0 * quarter),
        (0, 4.0 * quarter),
        (2, 4.0 * quarter),
    ];
    for ((event, t), (expected_event, expected_t)) in log.0.iter().zip(expected) {
        assert_eq!(*event, expected_event);
        assert!((t - expected_t).abs() < 1e-10, "{t} is not {expected_t}");
    }
}

#[test]
fn a_terminal_event_ends_the_motion_in_every_method_and_direction() {
    fn check<S: Stepper<Oscillator>>(mut stepper: S, step_size: StepSize, t1: f64, tolerance: f64) {
        let mut last = (0.0, 0.0);
        let mut x = [1.0, 0.0];
        let mut events = [Event::new(|_, x| x[0] - 0.25).terminal()];
        let summary = Drive::new(0.0, t1)
            .step_size(step_size)
            .output(Output::Spacing(0.125))
            .run(
                &mut Oscillator,
                &mut stepper,
                &mut x,
                &mut events,
                &mut |t: f64, x: &[f64]| {
                    last = (t, x[0]);
                    ControlFlow::Continue(())
                },
            )
            .unwrap();
        let t = 0.25_f64.acos().copysign(t1);
        assert_eq!(summary.end, End::Event(0));
        assert!(
            (summary.t - t).abs() < tolerance,
            "{} is not {t}",
            summary.t
        );
        assert_eq!(last, (summary.t, x[0]));
        assert!((x[0] - 0.25).abs() < tolerance);
    }
    let adaptive = StepSize::Adaptive {
        first: None,
        longest: f64::INFINITY,
    };
    for t1 in [20.0, -20.0] {
        check(dop853(2, 1e-12), adaptive, t1, 1e-11);
        check(
            DormandPrince::new(2, Tolerance::both(1e-10)),
            adaptive,
            t1,
            1e-8,
        );
        check(RungeKutta4::new(2), StepSize::Fixed(0.01), t1, 1e-8);
    }
}

/// A ball that starts on the floor, up to rounding, and is thrown up: only the return counts.
#[test]
fn a_start_on_zero_does_not_fire() {
    for height in [0.0, 1e-17, -1e-17] {
        let mut x = [height, 1.0];
        struct Throw;
        impl VectorField for Throw {
            fn dimension(&self) -> usize {
                2
            }
            fn rates(&mut self, _: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
                rates.copy_from_slice(&[x[1], -1.0]);
                Ok(())
            }
            fn jacobian(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), Fault> {
                Ok(())
            }
        }
        let summary = Drive::new(1.0, 5.0)
            .run(
                &mut Throw,
                &mut dop853(2, 1e-10),
                &mut x,
                &mut [Event::new(|_, x| x[0]).terminal()],
                &mut nobody,
            )
            .unwrap();
        assert_eq!(summary.end, End::Event(0));
        assert!((summary.t - 3.0).abs() < 1e-12, "{}", summary.t);
    }
}

#[test]
fn the_sign_changes_at_a_pole_without_an_event() {
    let mut x = [0.0];
    let mut times = Vec::new();
    let mut events = [
        Event::new(|t: f64, _: &[f64]| t.tan()),
        Event::new(|t: f64, _: &[f64]| 1.0 / (t - 2.0)).terminal(),
    ];
    struct Times<'a>(&'a mut Vec<f64>);
    impl Observer for Times<'_> {
        fn sample(&mut self, _: f64, _: &[f64]) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
        fn event(&mut self, _: usize, t: f64, _: &[f64]) -> ControlFlow<()> {
            self.0.push(t);
            ControlFlow::Continue(())
        }
    }
    let summary = Drive::new(0.5, 9.0)
        .run(
            &mut Cosine,
            &mut dop853(1, 1e-9),
            &mut x,
            &mut events,
            &mut Times(&mut times),
        )
        .unwrap();
    assert_eq!(summary.end, End::Reached);
    let pi = std::f64::consts::PI;
    assert_eq!(times.len(), 2, "{times:?}");
    assert!((times[0] - pi).abs() < 1e-12 && (times[1] - 2.0 * pi).abs() < 1e-12);
}
