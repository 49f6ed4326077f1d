//! Motions followed by the driver.

mod common;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use common::*;
use rattleback_integrate::*;

/// Follows a known motion and returns the error at the end.
fn error_at_end<F: Known, S: Stepper<F>>(field: &mut F, stepper: &mut S, t0: f64, t1: f64) -> f64 {
    let mut x = field.at(t0);
    let summary = follow(Drive::new(t0, t1), field, stepper, &mut x).unwrap();
    assert_eq!(summary.t, t1);
    assert_eq!(summary.end, End::Reached);
    distance(&x, &field.at(t1))
}

#[test]
fn closed_forms_are_met_to_the_tolerance() {
    for tolerance in [1e-6, 1e-9, 1e-12] {
        let allowed = 1e3 * tolerance;
        let both = Tolerance::both(tolerance);
        for (t0, t1) in [(0.0, 12.0), (3.0, -5.0)] {
            let kepler = &mut Kepler { eccentricity: 0.5 };
            assert!(error_at_end(kepler, &mut Dop853::new(4, both), t0, t1) < allowed);
            assert!(error_at_end(kepler, &mut DormandPrince::new(4, both), t0, t1) < allowed);
            let pendulum = &mut Pendulum { amplitude: 2.8 };
            assert!(error_at_end(pendulum, &mut Dop853::new(2, both), t0, t1) < allowed);
            assert!(error_at_end(pendulum, &mut DormandPrince::new(2, both), t0, t1) < allowed);
            assert!(error_at_end(&mut Oscillator, &mut Dop853::new(2, both), t0, t1) < allowed);
            assert!(error_at_end(&mut Cosine, &mut Dop853::new(1, both), t0, t1) < allowed);
        }
    }
}

#[test]
fn samples_come_at_their_times() {
    let field = &mut Pendulum { amplitude: 2.0 };
    for (t0, t1, spacing, count) in [
        (0.0, 10.0, 0.1, 101),
        (1.0, -2.0, 0.25, 13),
        (0.0, 1.0, 0.3, 5),
    ] {
        let mut times = Vec::new();
        let mut largest: f64 = 0.0;
        let mut x = field.at(t0);
        let exact = *field;
        Drive::new(t0, t1)
            .output(Output::Spacing(spacing))
            .run(
                field,
                &mut dop853(2, 1e-11),
                &mut x,
                &mut [],
                &mut |t: f64, x: &[f64]| {
                    times.push(t);
                    largest = largest.max(distance(x, &exact.at(t)));
                    ControlFlow::Continue(())
                },
            )
            .unwrap();
        assert_eq!(times.len(), count);
        assert_eq!((times[0], times[count - 1]), (t0, t1));
        assert!(times.windows(2).all(|w| (w[1] > w[0]) == (t1 > t0)));
        assert!(largest < 1e-9, "{largest}");
    }
}

#[test]
fn given_times_and_the_ends_are_sampled() {
    let mut times = Vec::new();
    Drive::new(0.0, 3.0)
        .output(Output::Times(&[0.5, 1.0, 2.5]))
        .run(
            &mut Oscillator,
            &mut dop853(2, 1e-8),
            &mut [1.0, 0.0],
            &mut [],
            &mut |t: f64, _: &[f64]| {
                times.push(t);
                ControlFlow::Continue(())
            },
        )
        .unwrap();
    assert_eq!(times, [0.0, 0.5, 1.0, 2.5, 3.0]);
}

#[test]
fn fixed_steps_end_at_the_end() {
    for (t1, h, steps) in [
        (1.0, 0.1, 10),
        (1.0, 0.3, 4),
        (-2.0, 0.5, 4),
        (0.05, 1.0, 1),
    ] {
        let mut x = Oscillator.at(0.0);
        let summary = follow(
            Drive::new(0.0, t1).step_size(StepSize::Fixed(h)),
            &mut Oscillator,
            &mut RungeKutta4::new(2),
            &mut x,
        )
        .unwrap();
        assert_eq!((summary.t, summary.steps), (t1, steps));
        assert!(distance(&x, &Oscillator.at(t1)) < 2e-3);
    }
}

/// A field that blows up in finite time: x' = x², x = 1/(1 − t).
struct BlowUp;
impl VectorField for BlowUp {
    fn dimension(&self) -> usize {
        1
    }
    fn rates(&mut self, _: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        rates[0] = x[0] * x[0];
        Ok(())
    }
    fn jacobian(&mut self, _: f64, x: &[f64], jacobian: &mut [f64]) -> Result<(), Fault> {
        jacobian[0] = 2.0 * x[0];
        Ok(())
    }
}

#[test]
fn a_singularity_is_reported_where_it_is() {
    let mut x = [1.0];
    let error = follow(
        Drive::new(0.0, 2.0),
        &mut BlowUp,
        &mut dop853(1, 1e-8),
        &mut x,
    )
    .unwrap_err();
    match error {
        DriveError::StepUnderflow { t, state, .. } | DriveError::Fault { t, state, .. } => {
            assert!((t - 1.0).abs() < 1e-6, "{t}");
            assert!(state[0] > 1e6 && state[0] == x[0]);
        }
        other => panic!("{other}"),
    }
}

/// x' = −√x reaches 0 at t = 2 and has no continuation that a real root knows of.
struct Draining;
impl VectorField for Draining {
    fn dimension(&self) -> usize {
        2
    }
    fn rates(&mut self, _: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        rates[0] = 1.0;
        rates[1] = -x[1].sqrt() - 1e-3;
        if rates[1].is_nan() {
            Err(Fault::NotFinite(1))
        } else {
            Ok(())
        }
    }
    fn jacobian(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), Fault> {
        Ok(())
    }
}

#[test]
fn a_fault_is_approached_before_it_is_reported() {
    let mut x = [0.0, 1.0];
    let error = follow(
        Drive::new(0.0, 5.0),
        &mut Draining,
        &mut dop853(2, 1e-6),
        &mut x,
    )
    .unwrap_err();
    let DriveError::Fault { t, state, fault } = error else {
        panic!("{error}")
    };
    assert_eq!(fault, Fault::NotFinite(1));
    // ∫ dx / (√x + ε) = 2 − 2ε ln((1 + ε)/ε)
    let end = 2.0 - 2e-3 * (1001.0_f64).ln();
    assert!((t - end).abs() < 1e-4, "{t} is not {end}");
    assert!(
        0.0 <= state[1] && state[1] < 1e-6,
        "inside of where the field has values"
    );
    assert_eq!(state, x);
}

#[test]
fn a_fault_at_the_start_is_reported_at_the_start() {
    let error = follow(
        Drive::new(3.0, 5.0),
        &mut Draining,
        &mut dop853(2, 1e-6),
        &mut [0.0, -1.0],
    )
    .unwrap_err();
    assert_eq!(
        error,
        DriveError::Fault {
            t: 3.0,
            state: vec![0.0, -1.0],
            fault: Fault::NotFinite(1)
        }
    );
}

#[test]
fn the_observer_the_flag_and_the_limit_end_a_motion() {
    let mut seen = 0;
    let summary = Drive::new(0.0, 100.0)
        .run(
            &mut Oscillator,
            &mut dop853(2, 1e-8),
            &mut [1.0, 0.0],
            &mut [],
            &mut |_: f64, _: &[f64]| {
                seen += 1;
                if seen == 5 {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        )
        .unwrap();
    assert_eq!((summary.end, summary.steps), (End::Observer, 4));

    let flag = AtomicBool::new(false);
    let summary = Drive::new(0.0, 100.0)
        .stop_flag(&flag)
        .run(
            &mut Oscillator,
            &mut dop853(2, 1e-8),
            &mut [1.0, 0.0],
            &mut [],
            &mut |t: f64, _: &[f64]| {
                flag.store(t > 10.0, Ordering::Relaxed);
                ControlFlow::Continue(())
            },
        )
        .unwrap();
    assert_eq!(summary.end, End::Stopped);
    assert!(10.0 < summary.t && summary.t < 20.0);

    let error = follow(
        Drive::new(0.0, 100.0).most_steps(7),
        &mut Oscillator,
        &mut dop853(2, 1e-8),
        &mut [1.0, 0.0],
    )
    .unwrap_err();
    assert!(matches!(error, DriveError::TooManySteps { steps: 7, .. }));
}

/// One long step may have more samples than anyone waits for.
#[test]
fn the_flag_is_seen_between_the_samples_of_one_step() {
    for watched in [false, true] {
        let flag = AtomicBool::new(false);
        let mut seen = Vec::new();
        let mut x = Oscillator.at(0.0);
        let mut events = [Event::new(|_, x| x[0])];
        let summary = Drive::new(0.0, 1.0)
            .step_size(StepSize::Adaptive {
                first: Some(0.2),
                longest: 0.2,
            })
            .output(Output::Spacing(1e-3))
            .stop_flag(&flag)
            .run(
                &mut Oscillator,
                &mut dop853(2, 1e-3),
                &mut x,
                &mut events[..usize::from(watched)],
                &mut |t: f64, _: &[f64]| {
                    seen.push(t);
                    flag.store(t > 0.0495, Ordering::Relaxed);
                    ControlFlow::Continue(())
                },
            )
            .unwrap();
        assert_eq!(summary.end, End::Stopped);
        assert_eq!(seen.len(), 51);
        assert_eq!(summary.t, seen[50]);
        assert!(distance(&x, &Oscillator.at(summary.t)) < 1e-3);
    }
}

/// Without an absolute tolerance a component that starts at 0 has no size of its own.
#[test]
fn a_relative_tolerance_alone_starts_from_zero() {
    let tolerance = Tolerance {
        relative: 1e-8,
        absolute: 0.0,
    };
    for t0 in [0.0, 0.5 * std::f64::consts::PI] {
        let field = &mut Oscillator;
        let allowed = 1e-5;
        assert!(error_at_end(field, &mut Dop853::new(2, tolerance), t0, 9.0) < allowed);
        assert!(error_at_end(field, &mut DormandPrince::new(2, tolerance), t0, 9.0) < allowed);
        assert!(error_at_end(field, &mut implicit::Radau5::new(2, tolerance), t0, 9.0) < allowed);
    }
    // x = 0 and x' = 0: only the end of the first step has a size.
    let mut fall = Fall;
    for stepper in [
        &mut Dop853::new(2, tolerance) as &mut dyn Stepper<Fall>,
        &mut DormandPrince::new(2, tolerance),
        &mut implicit::Radau5::new(2, tolerance),
    ] {
        let mut x = [0.0; 2];
        follow(Drive::new(0.0, 2.0), &mut fall, stepper, &mut x).unwrap();
        assert!(distance(&x, &[2.0, 2.0]) < 1e-6, "{x:?}");
    }
}

/// x'' = 1 from rest.
struct Fall;

impl VectorField for Fall {
    fn dimension(&self) -> usize {
        2
    }
    fn rates(&mut self, _: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        rates.copy_from_slice(&[x[1], 1.0]);
        Ok(())
    }
    fn jacobian(&mut self, _: f64, _: &[f64], jacobian: &mut [f64]) -> Result<(), Fault> {
        jacobian.copy_from_slice(&[0.0, 1.0, 0.0, 0.0]);
        Ok(())
    }
}

#[test]
fn requests_without_sense_are_refused() {
    let run = |drive: Drive<'_>, x: f64, tolerance: f64| {
        drive
            .run(
                &mut Oscillator,
                &mut dop853(2, tolerance),
                &mut [x, 0.0],
                &mut [],
                &mut nobody,
            )
            .map(|_| ())
    };
    let refused = |result| matches!(result, Err(DriveError::BadRequest(_)));
    assert!(refused(run(Drive::new(0.0, f64::NAN), 1.0, 1e-6)));
    assert!(refused(run(Drive::new(0.0, 1.0), f64::INFINITY, 1e-6)));
    assert!(refused(run(
        Drive::new(0.0, 1.0).step_size(StepSize::Fixed(0.0)),
        1.0,
        1e-6
    )));
    assert!(refused(run(
        Drive::new(0.0, 1.0).output(Output::Spacing(-1.0)),
        1.0,
        1e-6
    )));
    assert!(refused(run(Drive::new(0.0, 1.0), 1.0, -1e-6)));
    assert!(refused(run(Drive::new(0.0, 1.0), 1.0, f64::NAN)));
    assert!(run(Drive::new(1.0, 1.0), 1.0, 1e-6).is_ok());
    let error = follow(
        Drive::new(0.0, 1.0),
        &mut Oscillator,
        &mut RungeKutta4::new(2),
        &mut [1.0, 0.0],
    )
    .unwrap_err();
    assert_eq!(error, DriveError::NoErrorEstimate);
}

/// A projection onto the circle keeps every state on it, samples included.
#[test]
fn projections_reach_every_state() {
    struct Circle(f64);
    impl Observer for Circle {
        fn sample(&mut self, _: f64, x: &[f64]) -> ControlFlow<()> {
            self.0 = self.0.max((x[0].hypot(x[1]) - 1.0).abs());
            ControlFlow::Continue(())
        }
        fn project(&mut self, _t: f64, x: &mut [f64]) {
            let r = x[0].hypot(x[1]);
            x.iter_mut().for_each(|x| *x /= r);
        }
    }
    let mut circle = Circle(0.0);
    let mut x = [1.0, 0.0];
    Drive::new(0.0, 50.0)
        .output(Output::Spacing(0.3))
        .run(
            &mut Oscillator,
            &mut dop853(2, 1e-4),
            &mut x,
            &mut [],
            &mut circle,
        )
        .unwrap();
    assert!(circle.0 < 1e-15);
    assert!(distance(&x, &Oscillator.at(50.0)) < 0.05);
}

#[test]
fn the_same_motion_twice_is_the_same_to_the_last_bit() {
    let follow = || {
        let mut x = Kepler { eccentricity: 0.9 }.at(0.0);
        let summary = follow(
            Drive::new(0.0, 30.0),
            &mut Kepler { eccentricity: 0.9 },
            &mut dop853(4, 1e-9),
            &mut x,
        )
        .unwrap();
        (x.map_bits(), summary)
    };
    assert_eq!(follow(), follow());
}

trait Bits {
    fn map_bits(&self) -> Vec<u64>;
}
impl Bits for Vec<f64> {
    fn map_bits(&self) -> Vec<u64> {
        self.iter().map(|x| x.to_bits()).collect()
    }
}

#[test]
fn evaluations_are_counted() {
    struct Counted(u64);
    impl VectorField for Counted {
        fn dimension(&self) -> usize {
            4
        }
        fn rates(&mut self, t: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
            self.0 += 1;
            Kepler { eccentricity: 0.5 }.rates(t, x, rates)
        }
        fn jacobian(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), Fault> {
            Ok(())
        }
    }
    let mut field = Counted(0);
    let mut x = Kepler { eccentricity: 0.5 }.at(0.0);
    let summary = follow(
        Drive::new(0.0, 20.0).output(Output::Spacing(0.7)),
        &mut field,
        &mut dop853(4, 1e-8),
        &mut x,
    )
    .unwrap();
    assert_eq!(summary.evaluations, field.0);
    assert!(summary.steps > 10);
}

/// A method that proposes its own steps and finds them too long afterwards.
struct Boastful {
    method: Dop853,
    boast: f64,
}

impl Stepper<Oscillator> for Boastful {
    fn order(&self) -> u32 {
        8
    }
    fn step(
        &mut self,
        field: &mut Oscillator,
        t: f64,
        x: &[f64],
        h: f64,
        next: &mut [f64],
    ) -> Result<Step, Fault> {
        self.method.step(field, t, x, h, next)
    }
    fn interpolate(
        &mut self,
        field: &mut Oscillator,
        theta: f64,
        x: &mut [f64],
    ) -> Result<(), Fault> {
        self.method.interpolate(field, theta, x)
    }
    fn proposed_step(
        &mut self,
        _: &mut Oscillator,
        _: f64,
        _: &[f64],
        limit: f64,
    ) -> Result<Option<f64>, Fault> {
        Ok(Some(self.boast.min(limit.abs())))
    }
}

#[test]
fn a_proposed_step_that_is_rejected_gives_way() {
    let mut x = [1.0, 0.0];
    let mut stepper = Boastful {
        method: dop853(2, 1e-9),
        boast: 5.0,
    };
    let summary = follow(
        Drive::new(0.0, 20.0).most_steps(10_000),
        &mut Oscillator,
        &mut stepper,
        &mut x,
    )
    .unwrap();
    assert!(summary.rejected > 0);
    assert!(distance(&x, &Oscillator.at(20.0)) < 1e-6);
}

#[test]
fn a_failed_motion_still_tells_what_it_took() {
    let mut x = [1.0];
    let (summary, result) = Drive::new(0.0, 2.0).run_counted(
        &mut BlowUp,
        &mut dop853(1, 1e-8),
        &mut x,
        &mut [],
        &mut nobody,
    );
    assert!(result.is_err());
    assert_eq!(summary.end, End::Stopped);
    assert!(summary.steps > 10 && summary.evaluations > summary.steps * 10);
}

/// One stepper for two fields, from the same state.
#[test]
fn a_stepper_remembers_nothing_of_another_field() {
    let mut method = dop853(2, 1e-9);
    let end = |method: &mut Dop853| {
        let mut x = [0.5, 0.0];
        follow(
            Drive::new(0.0, 1.0),
            &mut Pendulum { amplitude: 1.0 },
            method,
            &mut x,
        )
        .unwrap();
        x
    };
    let mut next = [0.0; 2];
    method
        .step(&mut Oscillator, 0.0, &[0.5, 0.0], 0.1, &mut next)
        .unwrap();
    assert_eq!(end(&mut method), end(&mut dop853(2, 1e-9)));
}

#[test]
fn a_fixed_step_that_does_not_move_time_is_reported() {
    let error = follow(
        Drive::new(1e10, 2e10).step_size(StepSize::Fixed(1e-9)),
        &mut Oscillator,
        &mut RungeKutta4::new(2),
        &mut [1.0, 0.0],
    )
    .unwrap_err();
    assert!(matches!(error, DriveError::StepUnderflow { t: 1e10, .. }));
    let error = follow(
        Drive::new(0.0, 1.0),
        &mut Oscillator,
        &mut dop853(3, 1e-6),
        &mut [1.0, 0.0, 0.0],
    )
    .unwrap_err();
    assert!(matches!(error, DriveError::BadRequest(_)));
}

/// x' = −ω(t)(y, −x)…: a rotation ever faster towards t = 1, where no step size is enough.
struct Whirl;

impl VectorField for Whirl {
    fn dimension(&self) -> usize {
        2
    }
    fn rates(&mut self, t: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        let w = (1.0 - t).powi(-2);
        rates.copy_from_slice(&[-w * x[1], w * x[0]]);
        Ok(())
    }
    fn jacobian(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), Fault> {
        Err(Fault::NotConverged)
    }
}

#[test]
fn a_motion_that_creeps_is_given_up_long_before_its_steps_are_used_up() {
    let mut x = [1.0, 0.0];
    let (summary, result) = Drive::new(0.0, 2.0).most_steps(1_000_000_000).run_counted(
        &mut Whirl,
        &mut dop853(2, 1e-9),
        &mut x,
        &mut [],
        &mut nobody,
    );
    let Err(DriveError::Stalled { t, h, state }) = result else {
        panic!("{result:?}");
    };
    assert!(summary.steps < 10_000_000, "{summary:?}");
    assert!(0.999 < t && t < 1.0 && h < 1e-9, "t = {t}, h = {h}");
    assert_eq!(state, x);
}

/// Late times have few digits behind the point; the motion between them loses none.
#[test]
fn late_motions_are_as_good_as_early_ones() {
    for start in [0.0, 1e9, -1e9] {
        let mut x = [1.0, 0.0];
        let mut blind = |_: f64, _: &[f64]| ControlFlow::Continue(());
        Drive::new(start, start + 10.0)
            .output(Output::Ends)
            .run(
                &mut Oscillator,
                &mut Dop853::new(2, Tolerance::both(1e-11)),
                &mut x,
                &mut [],
                &mut blind,
            )
            .unwrap();
        assert!((x[0] - 10f64.cos()).abs() < 1e-9, "{start}: {x:?}");
    }
}
