//! What observers and events are told along a motion: times of projections, crossings inside long steps.

use std::ops::ControlFlow;

use rattleback_integrate::*;

/// A stone thrown upwards: x = 3t − 5t².
struct Stone;

impl VectorField for Stone {
    fn dimension(&self) -> usize {
        2
    }
    fn rates(&mut self, _t: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        rates.copy_from_slice(&[x[1], -10.0]);
        Ok(())
    }
    fn jacobian(&mut self, _t: f64, _x: &[f64], jacobian: &mut [f64]) -> Result<(), Fault> {
        jacobian.copy_from_slice(&[0.0, 1.0, 0.0, 0.0]);
        Ok(())
    }
}

/// Both passages through a height lie within one part of a single long step, but not between samples.
#[test]
fn a_long_step_hides_no_crossing_from_the_samples() {
    let mut times = Vec::new();
    struct Keep<'a>(&'a mut Vec<f64>);
    impl Observer for Keep<'_> {
        fn sample(&mut self, _: f64, _: &[f64]) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
        fn event(&mut self, _: usize, t: f64, _: &[f64]) -> ControlFlow<()> {
            self.0.push(t);
            ControlFlow::Continue(())
        }
    }
    Drive::new(0.0, 5.0)
        .step_size(StepSize::Fixed(5.0))
        .output(Output::Spacing(0.1))
        .run(
            &mut Stone,
            &mut RungeKutta4::new(2),
            &mut [0.0, 3.0],
            &mut [Event::new(|_t, x| x[0] - 0.3)],
            &mut Keep(&mut times),
        )
        .unwrap();
    let exact = [-1.0, 1.0].map(|s| (3.0 + s * 3f64.sqrt()) / 10.0);
    assert_eq!(times.len(), 2, "{times:?}");
    for (found, exact) in times.iter().zip(exact) {
        assert!((found - exact).abs() < 1e-12, "{found}, not {exact}");
    }
}

/// A projection onto something that moves is told the time of the state that it is given.
#[test]
fn projections_know_the_time() {
    struct Moving(f64);
    impl Observer for Moving {
        fn sample(&mut self, t: f64, x: &[f64]) -> ControlFlow<()> {
            self.0 = self.0.max((x[0] - t).abs());
            ControlFlow::Continue(())
        }
        fn project(&mut self, t: f64, x: &mut [f64]) {
            x[0] = t;
        }
        fn after_step(&mut self, t: f64, x: &[f64]) -> ControlFlow<()> {
            self.sample(t, x)
        }
    }
    let mut moving = Moving(0.0);
    Drive::new(0.0, 2.0)
        .output(Output::Spacing(0.13))
        .run(
            &mut Stone,
            &mut Dop853::new(2, Tolerance::both(1e-9)),
            &mut [0.0, 3.0],
            &mut [],
            &mut moving,
        )
        .unwrap();
    assert!(moving.0 < 1e-15, "{}", moving.0);
}
