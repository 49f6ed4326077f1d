//! Reduction by a principal connection, the reduced motion, and the group element that goes with it (AC-PR7).

use rattleback_geometry::{Group, LieAlgebra, PrincipalConnection};
use rattleback_integrate::group::Reconstruction;
use rattleback_integrate::{Dop853, Drive, Fault, Output, Tolerance, VectorField};
use rattleback_lie::{Retraction, Trivialization};
use rattleback_symbolic::{Expr, Matrix, Symbol, Tape};
use std::ops::ControlFlow;

/// Rates by expressions.
struct Flow {
    tape: Tape,
    size: usize,
}

impl Flow {
    fn of(state: &[Symbol], rates: &[Expr]) -> Self {
        Self {
            tape: Tape::new(state, rates).expect("rates of the state"),
            size: state.len(),
        }
    }

    /// The states at the times.
    fn rows(&mut self, start: &[f64], times: &[f64]) -> Vec<Vec<f64>> {
        let mut x = start.to_vec();
        let mut rows = Vec::new();
        let mut method = Dop853::new(x.len(), Tolerance::both(1e-13));
        let mut watch = |_: f64, x: &[f64]| {
            rows.push(x.to_vec());
            ControlFlow::Continue(())
        };
        let drive = Drive::new(times[0], times[times.len() - 1]).output(Output::Times(times));
        drive
            .run(self, &mut method, &mut x, &mut [], &mut watch)
            .expect("a motion");
        rows
    }
}

impl VectorField for Flow {
    fn dimension(&self) -> usize {
        self.size
    }
    fn rates(&mut self, _: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        rates.copy_from_slice(&self.tape.evaluate(x));
        Ok(())
    }
    fn jacobian(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), Fault> {
        Err(Fault::NotConverged)
    }
}

fn symbols(names: &[&str]) -> Vec<Symbol> {
    names.iter().map(|n| Symbol::variable(n)).collect()
}

/// Times with the middles of the steps between them, which the rule asks for.
fn halved(steps: usize, until: f64) -> (Vec<f64>, Vec<f64>) {
    let times: Vec<f64> = (0..=steps)
        .map(|k| until * k as f64 / steps as f64)
        .collect();
    let fine = (0..=2 * steps).map(|k| until * k as f64 / (2 * steps) as f64);
    (times, fine.collect())
}

/// The body velocity at a row of a table.
fn at(fine: &[f64], values: &[Vec<f64>], t: f64) -> Vec<f64> {
    let gap = |k: &usize| (fine[*k] - t).abs();
    let k = (0..fine.len()).min_by(|a, b| gap(a).total_cmp(&gap(b)));
    values[k.expect("rows")].clone()
}

/// LP1: a charge in the plane as the reduced motion of a circle bundle; the angle is reconstructed by both retractions.
#[test]
fn an_angle_over_the_plane() {
    let x = symbols(&["x", "y"]);
    let [px, py] = [Expr::from(&x[0]), Expr::from(&x[1])];
    let b = Expr::ratio(3, 2);
    let a = Matrix::from_rows(&[vec![-&b * &py / 2, &b * &px / 2]]);
    let connection = PrincipalConnection::new(&x, &LieAlgebra::of(Group::SO2), a);
    let state = symbols(&["x", "y", "vx", "vy", "ybar"]);
    let [vx, vy, ybar] = [2, 3, 4].map(|i| Expr::from(&state[i]));
    // l = (|v|² + ȳ²)/2: v_i' = ȳ B_ij v_j, ȳ constant.
    let curvature = connection.curvature(0, 1)[0].clone();
    let rates = [
        vx.clone(),
        vy.clone(),
        &ybar * &curvature * &vy,
        -&ybar * &curvature * &vx,
        Expr::zero(),
    ];
    let (times, fine) = halved(80, 2.0);
    let rows = Flow::of(&state, &rates).rows(&[0.1, 0.2, 1.0, -0.5, 0.8], &fine);
    let last = &rows[rows.len() - 1];
    assert!((last[0] + 0.0610280643495).abs() < 1e-10 && (last[1] + 1.52927108818).abs() < 1e-10);
    // ξ = ȳ − A x'.
    let xi = connection.reconstruct(&[vx, vy, ybar])[2].clone();
    let tape = Tape::new(&state, &[xi]).expect("a velocity");
    let values: Vec<Vec<f64>> = rows.iter().map(|r| tape.evaluate(r)).collect();
    for retraction in Retraction::ALL {
        let rule = Reconstruction {
            group: Group::SO2,
            side: Trivialization::Body,
            retraction,
        };
        let path = rule.along(&times, &Group::SO2.identity(), |t| {
            Ok(at(&fine, &values, t))
        });
        let path = path.expect("a path");
        let turned = &path[path.len() - 1];
        let angle = 2.82828644712_f64;
        // Row-major: cos, −sin, sin, cos.
        assert!((turned[0] - angle.cos()).abs() < 1e-8, "{turned:?}");
        assert!((turned[2] - angle.sin()).abs() < 1e-8, "{turned:?}");
    }
}

/// A loop in the base turns the fibre by minus the curvature that it encloses.
#[test]
fn holonomy_of_a_circle_is_its_area() {
    let (b, radius) = (1.5_f64, 0.7_f64);
    let velocity = |t: f64| {
        let (x, y) = (radius * t.cos(), radius * t.sin());
        let (vx, vy) = (-y, x);
        Ok(vec![-(-b * y / 2.0 * vx + b * x / 2.0 * vy)])
    };
    let times: Vec<f64> = (0..=40)
        .map(|k| std::f64::consts::TAU * f64::from(k) / 40.0)
        .collect();
    for retraction in Retraction::ALL {
        let rule = Reconstruction {
            group: Group::SO2,
            side: Trivialization::Body,
            retraction,
        };
        let path = rule
            .along(&times, &Group::SO2.identity(), velocity)
            .expect("a path");
        let turn = -b * std::f64::consts::PI * radius * radius;
        let left = rule.holonomy(&path);
        assert!((left[0] - turn.cos()).abs() < 1e-7 && (left[2] - turn.sin()).abs() < 1e-7);
    }
}

/// Over a group that is not abelian: order 4 on both sides, against the matrix equation R' = R hat(ξ), R' = hat(ξ) R.
#[test]
fn reconstruction_has_its_order() {
    let xi = |t: f64| vec![t.cos(), 0.5 * t, (2.0 * t).sin() - 0.3];
    for side in [Trivialization::Body, Trivialization::Space] {
        for retraction in Retraction::ALL {
            let rule = Reconstruction {
                group: Group::SO3,
                side,
                retraction,
            };
            let end = |steps: usize| {
                let (times, _) = halved(steps, 3.0);
                let path = rule.along(&times, &Group::SO3.identity(), |t| Ok(xi(t)));
                path.expect("a path").swap_remove(steps)
            };
            let exact = matrix_flow(side, &xi);
            let error = |steps: usize| {
                let gaps = end(steps)
                    .iter()
                    .zip(&exact)
                    .map(|(a, b)| (a - b).abs())
                    .fold(0.0, f64::max);
                assert!(Group::SO3.distance(&end(steps)) < 1e-12);
                gaps
            };
            let ratio = error(20) / error(40);
            assert!(
                (12.0..22.0).contains(&ratio),
                "{ratio} {side:?} {retraction:?}"
            );
        }
    }
}

/// The element as nine numbers that follow their own equation.
fn matrix_flow(side: Trivialization, xi: &dyn Fn(f64) -> Vec<f64>) -> Vec<f64> {
    struct Rows<'a>(Trivialization, &'a dyn Fn(f64) -> Vec<f64>);
    impl VectorField for Rows<'_> {
        fn dimension(&self) -> usize {
            9
        }
        fn rates(&mut self, t: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
            rates.copy_from_slice(&Group::SO3.rates(self.0, x, &(self.1)(t)));
            Ok(())
        }
        fn jacobian(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), Fault> {
            Err(Fault::NotConverged)
        }
    }
    let mut x = Group::SO3.identity::<f64>();
    let mut method = Dop853::new(9, Tolerance::both(1e-13));
    let mut watch = |_: f64, _: &[f64]| ControlFlow::Continue(());
    Drive::new(0.0, 3.0)
        .output(Output::Ends)
        .run(
            &mut Rows(side, xi),
            &mut method,
            &mut x,
            &mut [],
            &mut watch,
        )
        .expect("a motion");
    x
}
