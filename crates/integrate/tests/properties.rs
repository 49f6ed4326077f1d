//! What holds for every motion.

mod common;
use std::ops::ControlFlow;

use common::*;
use proptest::prelude::*;
use rattleback_integrate::*;

fn nobody(_: f64, _: &[f64]) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// x' = p(t) for a polynomial p.
struct Polynomial(Vec<f64>);

impl VectorField for Polynomial {
    fn dimension(&self) -> usize {
        1
    }
    fn rates(&mut self, t: f64, _: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        rates[0] = self.0.iter().rev().fold(0.0, |sum, c| sum * t + c);
        Ok(())
    }
    fn jacobian(&mut self, _: f64, _: &[f64], jacobian: &mut [f64]) -> Result<(), Fault> {
        jacobian[0] = 0.0;
        Ok(())
    }
}

impl Polynomial {
    fn integral(&self, t: f64) -> f64 {
        let mut sum = 0.0;
        for (k, c) in self.0.iter().enumerate().rev() {
            sum = sum * t + c / (k + 1) as f64;
        }
        sum * t
    }
}

/// x' = A x + b cos t with a random matrix.
#[derive(Clone, Debug)]
struct Linear {
    n: usize,
    matrix: Vec<f64>,
}

impl VectorField for Linear {
    fn dimension(&self) -> usize {
        self.n
    }
    fn rates(&mut self, t: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        for (rate, row) in rates.iter_mut().zip(self.matrix.chunks(self.n)) {
            *rate = t.cos() + row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
        }
        Ok(())
    }
    fn jacobian(&mut self, _: f64, _: &[f64], jacobian: &mut [f64]) -> Result<(), Fault> {
        jacobian.copy_from_slice(&self.matrix);
        Ok(())
    }
}

fn linear() -> impl Strategy<Value = (Linear, Vec<f64>)> {
    (1_usize..10).prop_flat_map(|n| {
        let entries = prop::collection::vec(-1.0..1.0_f64, n * n);
        let start = prop::collection::vec(-1.0..1.0_f64, n);
        (entries, start).prop_map(move |(matrix, start)| (Linear { n, matrix }, start))
    })
}

proptest! {
    #![proptest_config(rattleback_testing::cases(64))]

    /// A method of order p integrates polynomials of degree p − 1 exactly, in one step.
    #[test]
    fn polynomials_are_integrated_exactly(
        c in prop::collection::vec(-1.0..1.0_f64, 8), t in -2.0..2.0_f64, h in -1.0..1.0_f64,
    ) {
        prop_assume!(h.abs() > 1e-3);
        let tolerance = Tolerance::both(1e-6);
        let check = |degree: usize, stepper: &mut dyn Stepper<Polynomial>| {
            let mut p = Polynomial(c[..=degree].to_vec());
            let (x, mut next) = ([p.integral(t)], [0.0]);
            stepper.step(&mut p, t, &x, h, &mut next).unwrap();
            let expected = p.integral(t + h);
            // Terms of size 3^8 may cancel.
            assert!((next[0] - expected).abs() < 1e-11, "degree {degree}: {} {expected}", next[0]);
        };
        check(3, &mut RungeKutta4::new(1));
        check(4, &mut DormandPrince::new(1, tolerance));
        check(7, &mut Dop853::new(1, tolerance));
    }

    /// There and back again.
    #[test]
    fn a_motion_can_be_followed_back((mut field, start) in linear(), t1 in -4.0..4.0_f64) {
        let mut x = start.clone();
        let mut method = Dop853::new(field.n, Tolerance::both(1e-11));
        Drive::new(0.5, t1).run(&mut field, &mut method, &mut x, &mut [], &mut nobody).unwrap();
        Drive::new(t1, 0.5).run(&mut field, &mut method, &mut x, &mut [], &mut nobody).unwrap();
        // Errors grow with e^(|A| t) at most on the way.
        let growth = (field.n as f64 * 4.5).exp().min(1e5);
        prop_assert!(distance(&x, &start) < 1e-9 * growth);
    }

    /// Dense output meets both ends of the step, in every method.
    #[test]
    fn dense_output_meets_both_ends((mut field, start) in linear(), h in -0.5..0.5_f64) {
        prop_assume!(h.abs() > 1e-3);
        let n = field.n;
        let tolerance = Tolerance::both(1e-6);
        let steppers: [&mut dyn Stepper<Linear>; 3] = [
            &mut RungeKutta4::new(n),
            &mut DormandPrince::new(n, tolerance),
            &mut Dop853::new(n, tolerance),
        ];
        for stepper in steppers {
            let (mut next, mut state) = (vec![0.0; n], vec![0.0; n]);
            stepper.step(&mut field, 0.3, &start, h, &mut next).unwrap();
            stepper.interpolate(&mut field, 0.0, &mut state).unwrap();
            prop_assert!(distance(&state, &start) < 1e-13);
            stepper.interpolate(&mut field, 1.0, &mut state).unwrap();
            prop_assert!(distance(&state, &next) < 1e-13);
        }
    }

    /// Every crossing of a sine is found, once, where it is.
    #[test]
    fn crossings_are_counted(
        frequency in 0.2..6.0_f64, phase in 0.0..6.0_f64, level in -0.8..0.8_f64, direction in 0..3_u8,
    ) {
        struct Hits(Vec<f64>);
        impl Observer for Hits {
            fn sample(&mut self, _: f64, _: &[f64]) -> ControlFlow<()> {
                ControlFlow::Continue(())
            }
            fn event(&mut self, _: usize, t: f64, _: &[f64]) -> ControlFlow<()> {
                self.0.push(t);
                ControlFlow::Continue(())
            }
        }
        // x = (sin, cos) of frequency t + phase, by the oscillator with another clock.
        let end = 12.0 * frequency;
        let rising = level.asin();
        let falling = std::f64::consts::PI - rising;
        let turn = std::f64::consts::TAU;
        let crossings = |from: f64| (0..40).map(move |k| from - phase + f64::from(k - 3) * turn);
        let mut expected: Vec<f64> = Vec::new();
        if direction != 1 {
            expected.extend(crossings(rising));
        }
        if direction != 0 {
            expected.extend(crossings(falling));
        }
        prop_assume!(expected.iter().all(|t| t.abs() > 1e-6 && (t - end).abs() > 1e-6));
        expected.retain(|t| 0.0 < *t && *t < end);
        expected.sort_by(f64::total_cmp);
        let kind = [Direction::Rising, Direction::Falling, Direction::Any][usize::from(direction)];
        let mut x = [phase.sin(), phase.cos()];
        let mut hits = Hits(Vec::new());
        let mut events = [Event::new(|_, x| x[0] - level).direction(kind)];
        Drive::new(0.0, end)
            .run(&mut Oscillator, &mut Dop853::new(2, Tolerance::both(1e-11)), &mut x, &mut events, &mut hits)
            .unwrap();
        prop_assert_eq!(hits.0.len(), expected.len());
        for (hit, expected) in hits.0.iter().zip(&expected) {
            prop_assert!((hit - expected).abs() < 1e-7, "{} is not {}", hit, expected);
        }
    }

    /// No spacing, step or span upsets the order of the samples.
    #[test]
    fn samples_are_in_order(
        t0 in -1e3..1e3_f64, length in -20.0..20.0_f64, spacing in 0.01..5.0_f64, fixed in prop::option::of(0.05..3.0_f64),
    ) {
        let t1 = t0 + length;
        let mut times = Vec::new();
        let mut drive = Drive::new(t0, t1).output(Output::Spacing(spacing));
        if let Some(h) = fixed {
            drive = drive.step_size(StepSize::Fixed(h));
        }
        let summary = drive
            .run(&mut Oscillator, &mut Dop853::new(2, Tolerance::both(1e-6)), &mut [1.0, 0.0], &mut [], &mut |t: f64, x: &[f64]| {
                assert!(x.iter().all(|x| x.is_finite()));
                times.push(t);
                ControlFlow::Continue(())
            })
            .unwrap();
        prop_assert_eq!(summary.t, t1);
        prop_assert_eq!((times.first(), times.last()), (Some(&t0), Some(&t1)));
        let in_order = |w: &[f64]| (w[1] - w[0]) * length > 0.0;
        prop_assert!(times.windows(2).all(in_order));
        let expected = (length.abs() / spacing * (1.0 - 1e-9)).floor() as usize;
        prop_assert!(times.len().abs_diff(expected + 2) <= 1);
    }
}
