//! Methods on Lie groups: order, drift, closed forms.

mod fields;

use fields::distance;
use rattleback_integrate::group::{CommutatorFree, Group, MuntheKaas, Projected, Space};
use rattleback_integrate::implicit::{Gauss, GaussOrder};
use rattleback_integrate::{
    Controller, Dop853, DormandPrince, Drive, Fault, Observer, Output, RungeKutta4, Stepper,
    Tolerance, VectorField,
};
use std::ops::ControlFlow;

const GROUPS: [Group; 5] = [Group::SO2, Group::SO3, Group::SE2, Group::SE3, Group::SU2];

fn identity(group: Group) -> Vec<f64> {
    let size = match group {
        Group::SO2 => 2,
        Group::SO3 | Group::SE2 => 3,
        Group::SE3 => 4,
        Group::SU2 => return vec![1.0, 0.0, 0.0, 0.0],
        Group::R(n) => return vec![0.0; n],
    };
    let entry = |k: usize| if k.is_multiple_of(size + 1) { 1.0 } else { 0.0 };
    (0..size * size).map(entry).collect()
}

/// a·b for matrices by rows, or quaternions.
fn product(group: Group, a: &[f64], b: &[f64]) -> Vec<f64> {
    if group == Group::SU2 {
        return vec![
            a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
        ];
    }
    let n = (a.len() as f64).sqrt() as usize;
    let entry = |i: usize, j: usize| (0..n).map(|k| a[i * n + k] * b[k * n + j]).sum();
    (0..n * n).map(|k| entry(k / n, k % n)).collect()
}

/// The element of the algebra with these velocities.
fn hat(group: Group, w: &[f64]) -> Vec<f64> {
    match group {
        Group::SO2 => vec![0.0, -w[0], w[0], 0.0],
        Group::SE2 => vec![0.0, -w[0], w[1], w[0], 0.0, w[2], 0.0, 0.0, 0.0],
        Group::SO3 => vec![0.0, -w[2], w[1], w[2], 0.0, -w[0], -w[1], w[0], 0.0],
        Group::SE3 => vec![
            0.0, -w[2], w[1], w[3], w[2], 0.0, -w[0], w[4], -w[1], w[0], 0.0, w[5], 0.0, 0.0, 0.0,
            0.0,
        ],
        Group::SU2 => vec![0.0, w[0] / 2.0, w[1] / 2.0, w[2] / 2.0],
        Group::R(_) => w.to_vec(),
    }
}

/// A field without symmetry: the state is (y, z, g), a pendulum before the group element, both
/// coupled and driven.
struct Coupled {
    group: Group,
    /// Whether the velocity is the space velocity.
    space: bool,
}

impl VectorField for Coupled {
    fn dimension(&self) -> usize {
        2 + self.group.coordinates()
    }

    fn rates(&mut self, t: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        let (y, z, g) = (x[0], x[1], &x[2..]);
        let mixed: f64 = (0..g.len()).map(|k| (0.3 + 0.1 * k as f64) * g[k]).sum();
        let w: Vec<f64> = (0..self.group.dimension())
            .map(|k| (0.7 * k as f64 + t + y).cos() + 0.4 * (mixed + k as f64).sin())
            .collect();
        let xi = hat(self.group, &w);
        rates[0] = z;
        rates[1] = -y.sin() + 0.2 * mixed.sin() + 0.1 * t;
        rates[2..].copy_from_slice(&match self.space {
            true => product(self.group, &xi, g),
            false => product(self.group, g, &xi),
        });
        Ok(())
    }

    fn jacobian(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), Fault> {
        Err(Fault::NotConverged)
    }
}

impl Coupled {
    fn start(&self) -> Vec<f64> {
        [vec![0.4, -0.3], identity(self.group)].concat()
    }

    fn space(&self) -> Space {
        Space::new(self.dimension(), &[(self.group, 2)]).unwrap()
    }
}

fn run<F: VectorField, S: Stepper<F>>(
    stepper: &mut S,
    field: &mut F,
    x: &[f64],
    (from, to): (f64, f64),
    n: usize,
) -> Vec<f64> {
    let h = (to - from) / n as f64;
    let (mut x, mut next) = (x.to_vec(), x.to_vec());
    for k in 0..n {
        let t = from + k as f64 * h;
        stepper.step(field, t, &x, h, &mut next).unwrap();
        std::mem::swap(&mut x, &mut next);
    }
    x
}

const SPAN: (f64, f64) = (0.3, 3.3);

/// The motion by a method that knows nothing of groups.
fn reference(field: &mut Coupled) -> Vec<f64> {
    let start = field.start();
    run(
        &mut Gauss::new(GaussOrder::Eight, start.len()),
        field,
        &start,
        SPAN,
        600,
    )
}

fn check_order<S: Stepper<Coupled>>(make: impl Fn(Space) -> S, order: f64, steps: &[usize]) {
    for group in GROUPS {
        for space in [false, true] {
            let mut field = Coupled { group, space };
            let (start, exact) = (field.start(), reference(&mut field));
            let mut method = make(field.space());
            assert_eq!(f64::from(method.order()), order);
            let errors = steps.iter().map(|&n| {
                let end = run(&mut method, &mut field, &start, SPAN, n);
                (n, distance(&end, &exact))
            });
            // The three finest that are clear of round-off.
            let clear: Vec<_> = errors.filter(|&(_, error)| error > 2e-13).collect();
            let finest: Vec<_> = clear.iter().rev().take(3).collect();
            assert_eq!(finest.len(), 3);
            let counts: Vec<usize> = finest.iter().map(|&&(n, _)| n).collect();
            let slope = fields::measured_order(&counts, |n| {
                finest.iter().find(|point| point.0 == n).unwrap().1
            });
            assert!(
                (slope - order).abs() < 0.45 + 0.06 * order,
                "{group:?} {space}: {slope}"
            );
        }
    }
}

const LOOSE: Tolerance = Tolerance {
    relative: 1.0,
    absolute: 1.0,
};

#[test]
fn munthe_kaas_methods_have_the_order_of_their_inner_method() {
    let classical = |space: Space| MuntheKaas::new(RungeKutta4::new(space.velocities()), space);
    check_order(classical, 4.0, &[40, 80, 160]);
    let midpoint =
        |space: Space| MuntheKaas::new(Gauss::new(GaussOrder::Two, space.velocities()), space);
    check_order(midpoint, 2.0, &[80, 160, 320]);
    let gauss =
        |space: Space| MuntheKaas::new(Gauss::new(GaussOrder::Six, space.velocities()), space);
    check_order(gauss, 6.0, &[16, 24, 36, 48]);
    let embedded =
        |space: Space| MuntheKaas::new(DormandPrince::new(space.velocities(), LOOSE), space);
    check_order(embedded, 5.0, &[80, 120, 160]);
    let high = |space: Space| MuntheKaas::new(Dop853::new(space.velocities(), LOOSE), space);
    check_order(high, 8.0, &[8, 10, 12, 16, 20, 25, 32, 40]);
}

#[test]
fn the_commutator_free_method_has_order_four() {
    check_order(CommutatorFree::new, 4.0, &[40, 80, 160]);
}

#[test]
fn projected_methods_keep_their_order() {
    let projected =
        |space: Space| Projected::new(DormandPrince::new(space.dimension(), LOOSE), space);
    check_order(projected, 5.0, &[40, 60, 80]);
}

#[test]
fn states_inside_a_step_are_on_the_group_and_accurate() {
    for group in GROUPS {
        let mut field = Coupled {
            group,
            space: false,
        };
        let (x, space, h) = (field.start(), field.space(), 0.05);
        let n = x.len();
        let exact = {
            let mut gauss = Gauss::new(GaussOrder::Eight, n);
            run(&mut gauss, &mut field, &x, (0.3, 0.3 + 0.4 * h), 10)
        };
        let (mut next, mut state) = (x.clone(), x.clone());
        let mut check = |method: &mut dyn Stepper<Coupled>| {
            method.step(&mut field, 0.3, &x, h, &mut next).unwrap();
            method.interpolate(&mut field, 0.4, &mut state).unwrap();
            assert!(space.distance(&state) < 2e-15, "{group:?}");
            assert!(distance(&state, &exact) < 1e-7, "{group:?}");
            method.interpolate(&mut field, 1.0, &mut state).unwrap();
            assert!(distance(&state, &next) < 1e-15, "{group:?}");
            method.interpolate(&mut field, 0.0, &mut state).unwrap();
            assert!(distance(&state, &x) < 1e-15, "{group:?}");
        };
        let d = space.velocities();
        check(&mut MuntheKaas::new(
            DormandPrince::new(d, LOOSE),
            space.clone(),
        ));
        check(&mut MuntheKaas::new(Dop853::new(d, LOOSE), space.clone()));
        check(&mut CommutatorFree::new(space.clone()));
        check(&mut Projected::new(Dop853::new(n, LOOSE), space.clone()));
    }
}

/// The free rigid body: R' = R hat(w), I w' = I w × w.
struct RigidBody {
    inertia: [f64; 3],
}

impl VectorField for RigidBody {
    fn dimension(&self) -> usize {
        12
    }

    fn rates(&mut self, _: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        let (w, i) = (&x[9..], self.inertia);
        rates[..9].copy_from_slice(&product(Group::SO3, &x[..9], &hat(Group::SO3, w)));
        rates[9] = (i[1] - i[2]) * w[1] * w[2] / i[0];
        rates[10] = (i[2] - i[0]) * w[2] * w[0] / i[1];
        rates[11] = (i[0] - i[1]) * w[0] * w[1] / i[2];
        Ok(())
    }

    fn jacobian(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), Fault> {
        Err(Fault::NotConverged)
    }
}

fn body_state(w: [f64; 3]) -> Vec<f64> {
    [identity(Group::SO3), w.to_vec()].concat()
}

fn body_space() -> Space {
    Space::new(12, &[(Group::SO3, 0)]).unwrap()
}

/// exp(hat(v)).
fn rotation(v: [f64; 3]) -> Vec<f64> {
    let angle = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let skew = hat(Group::SO3, &v);
    let square = product(Group::SO3, &skew, &skew);
    let (a, b) = (angle.sin() / angle, (1.0 - angle.cos()) / (angle * angle));
    let unit = identity(Group::SO3);
    (0..9)
        .map(|k| unit[k] + a * skew[k] + b * square[k])
        .collect()
}

#[test]
fn the_symmetric_body_turns_as_poinsot_says() {
    // R(t) = exp(t hat(m)/I₁) exp(t (1/I₃ − 1/I₁) m₃ hat(e₃)) with the momentum m = I w(0).
    let (inertia, w, t) = ([2.0, 2.0, 0.7], [0.8, -0.3, 1.9], 7.0);
    let m = [0, 1, 2].map(|k| inertia[k] * w[k]);
    let wobble = rotation(m.map(|m| t * m / inertia[0]));
    let spin = rotation([0.0, 0.0, t * (1.0 / inertia[2] - 1.0 / inertia[0]) * m[2]]);
    let exact = product(Group::SO3, &wobble, &spin);
    let mut field = RigidBody { inertia };
    let mut method = MuntheKaas::new(Dop853::new(6, LOOSE), body_space());
    let end = run(&mut method, &mut field, &body_state(w), (0.0, t), 200);
    assert!(distance(&end[..9], &exact) < 1e-13);
    let mut method = CommutatorFree::new(body_space());
    let end = run(&mut method, &mut field, &body_state(w), (0.0, t), 2000);
    assert!(distance(&end[..9], &exact) < 1e-9);
}

#[test]
fn the_body_keeps_its_momentum_in_space_under_step_size_control() {
    let mut field = RigidBody {
        inertia: [2.0, 1.5, 1.0],
    };
    let start = body_state([0.1, 2.0, 0.1]);
    let space = body_space();
    let mut method = MuntheKaas::new(DormandPrince::new(6, Tolerance::both(1e-9)), space.clone());
    let mut controller = Controller::new(Stepper::<RigidBody>::error_order(&method));
    let (mut t, mut x, mut next, mut h) = (0.0, start.clone(), start, 0.01);
    let (mut accepted, mut rejected) = (0_u64, 0_u64);
    while t < 30.0 {
        let step = method.step(&mut field, t, &x, h, &mut next).unwrap();
        if step.error <= 1.0 {
            (t, accepted) = (t + h, accepted + 1);
            std::mem::swap(&mut x, &mut next);
            h *= controller.accept(step.error);
        } else {
            rejected += 1;
            h *= controller.reject(step.error);
        }
    }
    let momentum = [2.0 * x[9], 1.5 * x[10], x[11]];
    for (i, sought) in [0.2, 3.0, 0.1].into_iter().enumerate() {
        let found: f64 = (0..3).map(|j| x[3 * i + j] * momentum[j]).sum();
        assert!((found - sought).abs() < 1e-6, "{i}: {found}");
    }
    assert!(space.distance(&x) < 1e-15 * 2.0);
    // The last stage of a step is the first one of the next; a rejected step keeps its first.
    let evaluations = Stepper::<RigidBody>::evaluations(&method);
    assert_eq!(evaluations, 6 * (accepted + rejected) + 1);
}

#[test]
fn elements_stay_on_their_groups_over_many_steps() {
    for group in GROUPS {
        let mut field = Coupled {
            group,
            space: false,
        };
        let (start, space) = (field.start(), field.space());
        let mut free = CommutatorFree::new(space.clone());
        let end = run(&mut free, &mut field, &start, (0.0, 1000.0), 100_000);
        assert!(
            space.distance(&end) < 2e-15,
            "{group:?}: {}",
            space.distance(&end)
        );
    }
}

#[test]
fn munthe_kaas_and_projection_do_not_drift_either() {
    let mut field = RigidBody {
        inertia: [2.0, 1.5, 1.0],
    };
    let (start, space) = (body_state([0.1, 1.0, 0.1]), body_space());
    let mut kaas = MuntheKaas::new(RungeKutta4::new(6), space.clone());
    let end = run(&mut kaas, &mut field, &start, (0.0, 1000.0), 100_000);
    assert!(space.distance(&end) < 2e-15);
    let mut projected = Projected::new(RungeKutta4::new(12), space.clone());
    let end = run(&mut projected, &mut field, &start, (0.0, 1000.0), 100_000);
    assert!(space.distance(&end) < 2e-15);
    // Without the group the same method leaves it.
    let end = run(
        &mut RungeKutta4::new(12),
        &mut field,
        &start,
        (0.0, 1000.0),
        10_000,
    );
    assert!(space.distance(&end) > 1e-12);
}

#[test]
fn steps_that_wind_up_too_far_are_refused() {
    let mut field = RigidBody {
        inertia: [2.0, 1.5, 1.0],
    };
    let start = body_state([0.1, 9.0, 0.1]);
    let mut method = MuntheKaas::new(RungeKutta4::new(6), body_space());
    let mut next = start.clone();
    let fault = method.step(&mut field, 0.0, &start, 2.0, &mut next);
    assert_eq!(fault, Err(Fault::NotConverged));
    method
        .step(&mut field, 0.0, &start, 0.1, &mut next)
        .unwrap();
}

#[test]
fn several_elements_move_in_one_state() {
    // Two bodies and a vector between them, each as if it were alone.
    struct Pair;
    impl VectorField for Pair {
        fn dimension(&self) -> usize {
            14
        }
        fn rates(&mut self, t: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
            let w = [t.cos(), 0.3, t.sin()];
            rates[..9].copy_from_slice(&product(Group::SO3, &x[..9], &hat(Group::SO3, &w)));
            rates[9] = -x[9];
            rates[10..].copy_from_slice(&product(Group::SU2, &x[10..], &hat(Group::SU2, &w)));
            Ok(())
        }
        fn jacobian(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), Fault> {
            Err(Fault::NotConverged)
        }
    }
    let elements = [(Group::SU2, 10), (Group::R(1), 9), (Group::SO3, 0)];
    let space = Space::new(14, &elements).unwrap();
    assert_eq!(space.velocities(), 7);
    let start = [identity(Group::SO3), vec![1.0], identity(Group::SU2)].concat();
    let mut method = MuntheKaas::new(Dop853::new(7, LOOSE), space);
    let end = run(&mut method, &mut Pair, &start, (0.0, 2.0), 40);
    assert!((end[9] - (-2.0_f64).exp()).abs() < 1e-13);
    // The same attitude as a matrix and as a quaternion.
    let q = &end[10..];
    let corner = q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3];
    let side = 2.0 * (q[1] * q[2] - q[0] * q[3]);
    assert!((end[8] - corner).abs() < 1e-13 && (end[1] - side).abs() < 1e-13);
}

/// Projects every state onto a space, and notes the worst one it is shown.
struct Projector {
    space: Space,
    samples: usize,
    worst: f64,
}

impl Observer for Projector {
    fn sample(&mut self, _: f64, x: &[f64]) -> ControlFlow<()> {
        self.samples += 1;
        self.worst = self.worst.max(self.space.distance(x));
        ControlFlow::Continue(())
    }

    fn project(&mut self, _t: f64, x: &mut [f64]) {
        self.space.project(x).unwrap();
    }
}

#[test]
fn the_driver_projects_any_method_and_follows_methods_on_groups() {
    let tolerance = Tolerance::both(1e-10);
    let space = body_space();
    let mut field = RigidBody {
        inertia: [2.0, 1.5, 1.0],
    };
    let mut follow = |method: &mut dyn Stepper<RigidBody>| {
        let mut x = body_state([0.1, 2.0, 0.1]);
        let mut projector = Projector {
            space: space.clone(),
            samples: 0,
            worst: 0.0,
        };
        Drive::new(0.0, 20.0)
            .output(Output::Spacing(0.1))
            .run(&mut field, method, &mut x, &mut [], &mut projector)
            .unwrap();
        assert_eq!(projector.samples, 201);
        assert!(projector.worst < 2e-15, "{}", projector.worst);
        x
    };
    let coordinates = follow(&mut Dop853::new(12, tolerance));
    let on_group = follow(&mut MuntheKaas::new(
        Dop853::new(6, tolerance),
        space.clone(),
    ));
    assert!(distance(&coordinates, &on_group) < 1e-7);
}
