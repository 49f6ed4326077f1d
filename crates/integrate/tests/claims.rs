//! Every method of the list against what it says of itself.

use rattleback_integrate::group::Space;
use rattleback_integrate::symplectic::Partition;
use rattleback_integrate::{
    AnyStepper, Fault, Jets, Method, Order, Setting, Tolerance, VectorField, methods,
};

/// H = p²/2 − cos q, with its series.
struct Pendulum;

impl VectorField for Pendulum {
    fn dimension(&self) -> usize {
        2
    }
    fn rates(&mut self, _: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        rates.copy_from_slice(&[x[1], -x[0].sin()]);
        Ok(())
    }
    fn jacobian(&mut self, _: f64, x: &[f64], jacobian: &mut [f64]) -> Result<(), Fault> {
        jacobian.copy_from_slice(&[0.0, 1.0, -x[0].cos(), 0.0]);
        Ok(())
    }
}

impl Jets for Pendulum {
    /// k s_k = Σ j q_j c_{k−j} and k c_k = −Σ j q_j s_{k−j} for s = sin q, c = cos q.
    fn jet(&mut self, _: f64, x: &[f64], order: usize, jet: &mut [f64]) -> Result<(), Fault> {
        let (mut s, mut c) = (vec![x[0].sin()], vec![x[0].cos()]);
        jet[..2].copy_from_slice(x);
        for k in 1..=order {
            jet[2 * k] = jet[2 * k - 1] / k as f64;
            jet[2 * k + 1] = -s[k - 1] / k as f64;
            let sum = |other: &[f64]| -> f64 {
                let terms = (1..=k).map(|j| j as f64 * jet[2 * j] * other[k - j]);
                terms.sum::<f64>() / k as f64
            };
            let (next_s, next_c) = (sum(&c), -sum(&s));
            s.push(next_s);
            c.push(next_c);
        }
        Ok(())
    }
}

/// The phase plane: a vector space, with one pair.
struct Plane;

impl Setting for Plane {
    type Refusal = String;
    fn dimension(&self) -> usize {
        2
    }
    fn tolerance(&self) -> Tolerance {
        Tolerance::both(1e-12)
    }
    fn space(&self) -> Result<Space, String> {
        Space::new(2, &[]).map_err(|e| e.to_string())
    }
    fn partition(&self) -> Result<Partition, String> {
        Ok(Partition::halves(1))
    }
    fn is_separable(&self) -> Result<bool, String> {
        Ok(true)
    }
}

fn made(method: Method) -> AnyStepper<Pendulum> {
    let made = method.stepper(&Plane).expect("the plane has it all");
    made.expect("all of these follow vector fields")
}

fn step(method: Method, x: [f64; 2], h: f64) -> Result<[f64; 2], Fault> {
    let mut next = [0.0; 2];
    made(method).step(&mut Pendulum, 0.0, &x, h, &mut next)?;
    Ok(next)
}

fn end(method: Method, steps: u32) -> Result<[f64; 2], Fault> {
    let (mut stepper, mut x, mut next) = (made(method), START, [0.0; 2]);
    let h = UNTIL / f64::from(steps);
    for k in 0..steps {
        stepper.step(&mut Pendulum, f64::from(k) * h, &x, h, &mut next)?;
        x = next;
    }
    Ok(x)
}

/// A step so long that the errors of high orders show, unless its equations have no solution that is found.
fn long_step(method: Method) -> f64 {
    let lengths = [1.5, 0.75, 0.375];
    let taken = |h: &f64| step(method, START, *h).is_ok() && step(method, START, -*h).is_ok();
    let longest = lengths.into_iter().find(taken);
    longest.unwrap_or_else(|| panic!("{method} takes no step"))
}

const START: [f64; 2] = [1.0, 0.7];
const UNTIL: f64 = 2.0;

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).abs().max((a[1] - b[1]).abs())
}

#[test]
fn orders_are_measured() {
    let exact = end(methods::GAUSS_8, 512).unwrap();
    let error = |method, steps| end(method, steps).map(|found| distance(found, exact));
    for method in methods::all() {
        let Order::Fixed(order) = method.order else {
            assert!(error(method, 16).unwrap() < 1e-11, "{method}");
            continue;
        };
        assert_eq!(made(method).order(), order, "{method}");
        let errors: Vec<f64> = (1..10)
            .map(|k| error(method, 1 << k))
            .skip_while(Result::is_err)
            .map(|error| error.unwrap_or(f64::NAN))
            .take_while(|error| *error > 2e-13)
            .collect();
        let [.., coarse, fine] = errors[..] else {
            panic!("{method}: {errors:?}");
        };
        let slope = (coarse / fine).log2();
        // Where round-off leaves few steps to compare, slopes are still on their way down to the order.
        let off = slope - f64::from(order);
        assert!(
            -0.5 < off && off < 1.3,
            "{method}: order {slope:.2} measured, {errors:?}"
        );
    }
}

#[test]
fn symmetric_methods_and_no_others_go_back() {
    for method in methods::all() {
        let h = long_step(method);
        let there = step(method, START, h).unwrap();
        let back = distance(step(method, there, -h).unwrap(), START);
        match (method.symmetric, method.order) {
            (true, _) => assert!(back < 1e-12, "{method}: {back:e}"),
            (false, Order::Fixed(_)) => assert!(back > 1e-9, "{method} is symmetric"),
            // Exact to round-off, whatever it is.
            (false, Order::ByTolerance) => {}
        }
    }
}

#[test]
fn symplectic_methods_and_no_others_keep_areas() {
    for method in methods::all() {
        let defect = (area(method) - 1.0).abs();
        match (method.symplectic, method.order) {
            (true, _) => assert!(defect < 1e-9, "{method}: {defect:e}"),
            (false, Order::Fixed(_)) => assert!(defect > 1e-8, "{method} is symplectic"),
            (false, Order::ByTolerance) => {}
        }
    }
}

/// det ∂next/∂x, by differences of order 6.
fn area(method: Method) -> f64 {
    let (d, h) = (1e-2, long_step(method));
    let column = |k: usize| {
        let at = |m: f64| {
            let mut x = START;
            x[k] += m * d;
            step(method, x, h).unwrap()
        };
        let (a, b, c) = (
            [at(1.0), at(-1.0)],
            [at(2.0), at(-2.0)],
            [at(3.0), at(-3.0)],
        );
        [0, 1].map(|i| {
            let (a, b, c) = (a[0][i] - a[1][i], b[0][i] - b[1][i], c[0][i] - c[1][i]);
            (45.0 * a - 9.0 * b + c) / (60.0 * d)
        })
    };
    let (first, second) = (column(0), column(1));
    first[0] * second[1] - first[1] * second[0]
}
