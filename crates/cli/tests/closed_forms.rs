//! Motions with a closed form, from the text of a model to the end of the motion.

use crate::common::following::{Case, End, accurate};
use rattleback::integrate::methods;
use rattleback::mechanics::Form;
use rattleback::simulation::{Method, Options};
use std::f64::consts::PI;

/// Methods that suit every smooth system, with the accuracy that they are asked for.
const METHODS: [(Method, f64); 4] = [
    (Method::TAYLOR, 1e-12),
    (Method::DOP853, 1e-11),
    (Method::Field(methods::GAUSS_8), 1e-10),
    (Method::RADAU5, 1e-8),
];

/// Follows in these forms with every method and compares with the closed form.
#[track_caller]
fn check(case: &Case, forms: &[Form], until: f64, expected: &[(&str, f64)]) {
    for form in forms {
        let equations = case.equations(*form);
        for (method, tolerance) in METHODS {
            let end = case.follow_with(&equations, &accurate(method, until), &[]);
            end.is(expected, tolerance);
        }
    }
}

const CONSTRAINED: [Form; 2] = [Form::Hamel, Form::LagrangeDAlembert];

#[test]
fn a_vertical_disk_rolls_on_a_circle() {
    let case = Case::shipped("vertical_rolling_disk");
    let (r, heading, turning, rolling) = (0.7, 0.4, 0.9, 1.7);
    let t = 10.0;
    let radius = r * rolling / turning;
    let phi: f64 = heading + turning * t;
    let expected = [
        ("x", 0.2 + radius * (phi.sin() - f64::sin(heading))),
        ("y", -0.1 - radius * (phi.cos() - f64::cos(heading))),
        ("phi", phi),
        ("theta", rolling * t),
    ];
    check(&case, &CONSTRAINED, t, &expected);
}

#[test]
fn a_knife_edge_drifts_along_a_cycloid() {
    let case = Case::shipped("knife_edge");
    let (w, t): (f64, f64) = (1.2, 7.3);
    let a = 9.81 * 0.35f64.sin();
    let (s, c) = (w * t).sin_cos();
    let expected = [
        ("x", a / (2.0 * w * w) * s * s),
        ("y", a / (2.0 * w * w) * (w * t - s * c)),
        ("phi", w * t),
        ("x'", a / w * s * c),
        ("y'", a / w * s * s),
        ("speed", a / w * s),
    ];
    check(&case, &CONSTRAINED, t, &expected);
}

#[test]
fn a_sleigh_turns_round_and_slides_away() {
    let case = Case::text(
        "system sleigh\nparam m = 1, I = 1/4, a = 1/5\ncoord x, y\ncoord theta : angle\n\
         kinetic m/2*((x' - a*theta'*sin(theta))^2 + (y' + a*theta'*cos(theta))^2) + I/2*theta'^2\n\
         constraint x'*sin(theta) = y'*cos(theta)\n\
         frame forward = (x: cos(theta), y: sin(theta))\nframe pivot = (theta: 1)\n\
         observe v = x'*cos(theta) + y'*sin(theta)\nstart x' = -1, theta' = 1/10\n",
    );
    let (m, a, j): (f64, f64, f64) = (1.0, 0.2, 0.29);
    let twice_energy: f64 = m + j * 0.01;
    let speed = (twice_energy / m).sqrt();
    let turning = (twice_energy / j).sqrt();
    let k = a * (twice_energy * m).sqrt() / j;
    // v(0) = −1 = V tanh(−k t0)
    let t0 = (1.0 / speed).atanh() / k;
    let gudermann = |x: f64| 2.0 * (x / 2.0).tanh().atan();
    for t in [2.0, 12.0] {
        let s = k * (t - t0);
        let expected = [
            ("v", speed * s.tanh()),
            ("theta'", turning / s.cosh()),
            ("theta", turning / k * (gudermann(s) + gudermann(k * t0))),
        ];
        check(&case, &CONSTRAINED, t, &expected);
    }
}

#[test]
fn an_oscillator_swings() {
    let text = "system spring\nparam m = 2, k = 9/2\ncoord q\n\
                lagrangian m/2*q'^2 - k/2*q^2\nstart q = 3/10, q' = 1\n";
    let case = Case::text(text);
    let (w, t): (f64, f64) = (1.5, 6.0);
    let (s, c) = (w * t).sin_cos();
    let expected = [
        ("q", 0.3 * c + s / w),
        ("q'", -0.3 * w * s + c),
        ("energy", 1.0 + 4.5 / 2.0 * 0.09),
    ];
    check(&case, &[Form::EulerLagrange], t, &expected);
    check(&case, &[Form::Hamiltonian], t, &expected);
}

#[test]
fn a_damped_oscillator_rings_after_its_drive() {
    // x'' + 2c x' + x = F cos(2t), from rest at 0: the steady swing and a decaying one.
    let case = Case::text(
        "system driven\nparam c = 1/5, F = 1\ncoord x\nlagrangian x'^2/2 - x^2/2\n\
         force (x: -2*c*x' + F*cos(2*t))\n",
    );
    let (c, t): (f64, f64) = (0.2, 9.0);
    // The steady part A cos 2t + B sin 2t: −3A + 4cB = F, −3B − 4cA = 0.
    let det = 9.0 + 16.0 * c * c;
    let (a, b) = (-3.0 / det, 4.0 * c / det);
    let w = (1.0 - c * c).sqrt();
    let (p, q) = (-a, (-2.0 * b - c * a) / w);
    let decay = (-c * t).exp();
    let x =
        a * (2.0 * t).cos() + b * (2.0 * t).sin() + decay * (p * (w * t).cos() + q * (w * t).sin());
    check(&case, &[Form::EulerLagrange, Form::Newton], t, &[("x", x)]);
}

/// The root of E − e sin E = M.
fn eccentric_anomaly(mean: f64, e: f64) -> f64 {
    let mut anomaly = mean;
    for _ in 0..50 {
        anomaly -= (anomaly - e * anomaly.sin() - mean) / (1.0 - e * anomaly.cos());
    }
    anomaly
}

#[test]
fn a_planet_follows_its_ellipse() {
    let case = Case::shipped("central_force");
    let (energy, c, t): (f64, f64, f64) = (-0.4, 0.8, 5.0);
    let axis = -1.0 / (2.0 * energy);
    let e = (1.0 + 2.0 * energy * c * c).sqrt();
    let anomaly = eccentric_anomaly(t / axis.powf(1.5), e);
    let true_anomaly = 2.0 * (((1.0 + e) / (1.0 - e)).sqrt() * (anomaly / 2.0).tan()).atan();
    let expected = [
        ("r", axis * (1.0 - e * anomaly.cos())),
        ("theta", true_anomaly.rem_euclid(2.0 * PI)),
        ("area", c),
    ];
    check(&case, &[Form::EulerLagrange], t, &expected);
    check(&case, &[Form::Hamiltonian], t, &expected[..2]);
}

#[test]
fn a_charge_circles_about_a_drifting_centre() {
    let case = Case::shipped("charged_particle");
    let (b, f, t): (f64, f64, f64) = (1.5, 0.1, 8.0);
    // x'' = B y' + F, y'' = −B x': the velocity minus the drift (0, −F/B) turns at the rate −B.
    let (ux, uy) = (1.0, -0.5 + f / b);
    let (s, c) = (b * t).sin_cos();
    let expected = [
        ("x'", ux * c + uy * s),
        ("y'", uy * c - ux * s - f / b),
        ("x", 0.1 + (ux * s + uy * (1.0 - c)) / b),
        ("y", 0.2 + (uy * s - ux * (1.0 - c)) / b - f / b * t),
    ];
    check(
        &case,
        &[Form::EulerLagrange, Form::Hamiltonian],
        t,
        &expected[2..],
    );
    check(&case, &[Form::EulerLagrange], t, &expected);
}

/// exp(angle · hat(axis)) of a vector, by Rodrigues.
fn rotated(w: [f64; 3], v: [f64; 3]) -> [f64; 3] {
    let angle = w.iter().map(|x| x * x).sum::<f64>().sqrt();
    let n = w.map(|x| x / angle);
    let cross = [
        n[1] * v[2] - n[2] * v[1],
        n[2] * v[0] - n[0] * v[2],
        n[0] * v[1] - n[1] * v[0],
    ];
    let along: f64 = (0..3).map(|i| n[i] * v[i]).sum();
    let (s, c) = angle.sin_cos();
    [0, 1, 2].map(|i| v[i] * c + cross[i] * s + n[i] * along * (1.0 - c))
}

#[test]
fn a_symmetric_body_precesses() {
    // R = exp(t L/I₁) exp(t n e₃) with n = (1 − I₃/I₁) w₃: steady precession about the momentum L.
    let case = Case::text(
        "system body\nparam I1 = 2, I3 = 3\ngroup R : SO(3) velocity w\n\
         kinetic (I1*(w[1]^2 + w[2]^2) + I3*w[3]^2)/2\nstart w = [0.4, -0.3, 1.1]\n",
    );
    let (i1, i3, w, t) = (2.0, 3.0, [0.4, -0.3, 1.1], 4.0);
    let turn = [w[0] * t, w[1] * t, i3 / i1 * w[2] * t];
    let spin = [0.0, 0.0, (1.0 - i3 / i1) * w[2] * t];
    let names = [
        "R[1,1]", "R[2,1]", "R[3,1]", "R[1,2]", "R[2,2]", "R[3,2]", "R[1,3]", "R[2,3]", "R[3,3]",
    ];
    let mut expected = Vec::new();
    for j in 0..3 {
        let mut e = [0.0; 3];
        e[j] = 1.0;
        let column = rotated(turn, rotated(spin, e));
        expected.extend((0..3).map(|i| (names[3 * j + i], column[i])));
    }
    check(
        &case,
        &[Form::EulerPoincare, Form::Hamiltonian],
        t,
        &expected,
    );
    let equations = case.equations(Form::EulerPoincare);
    for (method, tolerance) in [
        (Method::Field(methods::MUNTHE_KAAS_8), 1e-11),
        (Method::Field(methods::MUNTHE_KAAS_4), 1e-6),
        (Method::Field(methods::COMMUTATOR_FREE_4), 1e-6),
    ] {
        let end = case.follow_with(&equations, &accurate(method, t), &[]);
        end.is(&expected, tolerance);
        assert!(end.outcome.group_distance.unwrap() < 1e-13);
    }
}

#[test]
fn a_ball_on_a_turntable_runs_on_a_circle() {
    // x'' = −A y', y'' = A x' with A = k²Ω/(r² + k²).
    let case = Case::shipped("ball_on_rotating_plate");
    let (a, t): (f64, f64) = (0.15, 4.0);
    let (s, c) = (a * t).sin_cos();
    let expected = [
        ("x'", c - s),
        ("y'", s + c),
        ("x", 1.0 + (s - (1.0 - c)) / a),
        ("y", ((1.0 - c) + s) / a),
        ("w[3]", 1.0),
    ];
    check(&case, &CONSTRAINED, t, &expected);
}

#[test]
fn least_acceleration_makes_cubics() {
    let case = Case::text(
        "system spline\ncoord x, y\nlagrangian (x''^2 + y''^2)/2\n\
         start x = 1, x' = 2, x'' = -3, x''' = 4, y' = 1, y''' = -6\n",
    );
    let t: f64 = 1.5;
    let expected = [
        ("x", 1.0 + 2.0 * t - 1.5 * t * t + 4.0 / 6.0 * t.powi(3)),
        ("y", t - t.powi(3)),
        ("x''", -3.0 + 4.0 * t),
    ];
    check(&case, &[Form::HigherOrder], t, &expected);
}

#[test]
fn a_vakonomic_heisenberg_particle_runs_on_circles() {
    // AC-VK2: x'' = −p y', y'' = p x' with the constant p = 0.8.
    let case = Case::text(
        "system heisenberg\ncoord x, y, z\nlagrangian (x'^2 + y'^2)/2\n\
         constraint z' = (x*y' - y*x')/2\nstart x = 0.2, y = -0.1, x' = 1, y' = 0.5, mu1 = -0.8\n",
    );
    let (p, t): (f64, f64) = (0.8, 3.0);
    let (s, c) = (p * t).sin_cos();
    let x = 0.2 + (s - 0.5 * (1.0 - c)) / p;
    let y = -0.1 + ((1.0 - c) + 0.5 * s) / p;
    // z' = (x y' − y x')/2 along the circle about (cx, cy).
    let (cx, cy) = (0.2 - 0.5 / p, -0.1 + 1.0 / p);
    let swept = (1.0 + 0.25) / p * t;
    let chord = cx * (y + 0.1) - cy * (x - 0.2);
    let z = (swept + chord) / 2.0;
    check(
        &case,
        &[Form::Vakonomic],
        t,
        &[("x", x), ("y", y), ("z", z)],
    );
}

/// The pendulum's period: 2π/(ω agm(1, cos(θ₀/2))).
fn pendulum_period(amplitude: f64, w: f64) -> f64 {
    let (mut a, mut g) = (1.0, (amplitude / 2.0).cos());
    for _ in 0..20 {
        (a, g) = ((a + g) / 2.0, (a * g).sqrt());
    }
    2.0 * PI / (w * a)
}

const PENDULUM: &str = "system pendulum\nparam g = 9.81, l = 1/2\ncoord theta : angle\n\
                        lagrangian l^2/2*theta'^2 + g*l*cos(theta)\nstart theta = 2\n";

/// Times at which the first event fired.
fn times(end: &End) -> Vec<f64> {
    end.outcome.hits.iter().map(|h| h.time).collect()
}

#[test]
fn a_pendulum_passes_its_lowest_point_each_half_period() {
    let case = Case::text(PENDULUM);
    let period = pendulum_period(2.0, (9.81f64 / 0.5).sqrt());
    let equations = case.equations(Form::EulerLagrange);
    for (method, tolerance) in METHODS {
        let options = accurate(method, 2.2 * period);
        let end = case.follow_with(&equations, &options, &["theta"]);
        let found = times(&end);
        let expected: Vec<f64> = (0..4)
            .map(|k| (0.25 + 0.5 * f64::from(k)) * period)
            .collect();
        assert_eq!(found.len(), expected.len(), "{method}: {found:?}");
        for (t, want) in found.iter().zip(&expected) {
            let allowed = 10.0 * tolerance;
            assert!((t - want).abs() < allowed, "{method}: {t}, not {want}");
        }
        let falling = case.follow_with(&equations, &options, &["theta = 0 : falling"]);
        assert_eq!(falling.outcome.hits.len(), 2, "{method}");
    }
}

#[test]
fn a_pendulum_on_a_rod_is_a_pendulum_by_its_angle() {
    let by_angle = Case::text(PENDULUM).follow(&accurate(Method::TAYLOR, 3.0));
    let on_a_rod = Case::text(
        "system rod\nparam g = 9.81, l = 1/2\ncoord x, y\n\
         lagrangian (x'^2 + y'^2)/2 - g*y\nconstraint x^2 + y^2 = l^2\n\
         start x = l*sin(2), y = -l*cos(2)\n",
    );
    let theta = by_angle.at("theta");
    let expected = [("x", 0.5 * theta.sin()), ("y", -0.5 * theta.cos())];
    for form in CONSTRAINED {
        let end = on_a_rod.follow(&Options {
            form: Some(form),
            ..accurate(Method::DOP853, 3.0)
        });
        end.is(&expected, 1e-10);
        assert!(end.outcome.constraint_residual.unwrap() < 1e-11, "{form}");
    }
}

/// Symplectic methods on the oscillator, with the error that their order explains.
#[test]
fn symplectic_methods_follow_the_oscillator() {
    let case = Case::text("system spring\ncoord q\nlagrangian q'^2/2 - q^2/2\nstart q = 1\n");
    let t: f64 = 10.0;
    for (method, tolerance) in [
        (Method::Field(methods::VERLET), 2e-4),
        (Method::Field(methods::YOSHIDA_4), 1e-6),
        (Method::Field(methods::YOSHIDA_6), 1e-9),
        (Method::Field(methods::YOSHIDA_8), 1e-11),
        (Method::Field(methods::SUZUKI_4), 1e-8),
        (Method::Field(methods::SUZUKI_6), 1e-11),
        (Method::Field(methods::SUZUKI_8), 1e-11),
        (Method::Field(methods::GAUSS_2), 2e-4),
        (Method::Field(methods::GAUSS_4), 1e-9),
        (Method::Field(methods::GAUSS_6), 1e-12),
        (Method::Field(methods::RK4), 1e-8),
        (Method::DOPRI5, 1e-11),
    ] {
        let options = Options {
            form: Some(Form::Hamiltonian),
            ..accurate(method, t)
        };
        let end = case.follow(&options);
        end.is(&[("q", t.cos()), ("p_q", -t.sin())], tolerance);
    }
}
