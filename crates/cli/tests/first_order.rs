//! Lagrangians that are linear in velocities, against equations written out by hand.

use crate::common::following::Case;
use crate::common::{rattleback, shipped, written};
use rattleback::mechanics::Form;
use rattleback::simulation::Options;
use serde_json::Value;
use std::f64::consts::PI;

/// The classical Runge-Kutta method in many small steps.
fn runge_kutta(f: impl Fn(f64, &[f64]) -> Vec<f64>, mut x: Vec<f64>, until: f64) -> Vec<f64> {
    const STEPS: usize = 20_000;
    let h = until / STEPS as f64;
    let along = |x: &[f64], k: &[f64], h: f64| -> Vec<f64> {
        x.iter().zip(k).map(|(x, k)| x + h * k).collect()
    };
    for n in 0..STEPS {
        let t = n as f64 * h;
        let k1 = f(t, &x);
        let k2 = f(t + h / 2.0, &along(&x, &k1, h / 2.0));
        let k3 = f(t + h / 2.0, &along(&x, &k2, h / 2.0));
        let k4 = f(t + h, &along(&x, &k3, h));
        for i in 0..x.len() {
            x[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    x
}

/// Follows a model and compares its end with the equations by hand.
#[track_caller]
fn follows(
    text: &str,
    f: impl Fn(f64, &[f64]) -> Vec<f64>,
    until: f64,
) -> crate::common::following::End {
    let case = Case::text(text);
    let end = case.follow(&Options {
        until: Some(until),
        ..Options::default()
    });
    let start: Vec<f64> = end
        .motion
        .state
        .iter()
        .map(|s| case.start.get(s).unwrap())
        .collect();
    let expected = runge_kutta(f, start, until);
    for (s, x) in end.motion.state.iter().zip(&expected) {
        let found = end.at(&s.to_string());
        assert!(
            (found - x).abs() < 1e-8 * (1.0 + x.abs()),
            "{s}: {found}, not {x}, in\n{text}"
        );
    }
    assert_eq!(end.outcome.warnings, [""; 0]);
    end
}

fn simulated(path: &str, more: &[&str]) -> Value {
    let arguments = ["simulate", path, "--json"];
    rattleback(arguments.into_iter().chain(more.iter().copied()))
        .exits(0)
        .json()
}

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn vortices_move_each_other() {
    let text = std::fs::read_to_string(shipped("point_vortices")).unwrap();
    let strength = [1.0, 2.0, -0.5];
    // Γ_i x_i' = ∂H/∂y_i, Γ_i y_i' = −∂H/∂x_i: a vortex turns the others around itself.
    let kirchhoff = |_: f64, z: &[f64]| {
        let mut rates = vec![0.0; 6];
        for i in 0..3 {
            for j in (0..3).filter(|&j| j != i) {
                let (dx, dy) = (z[2 * i] - z[2 * j], z[2 * i + 1] - z[2 * j + 1]);
                let turn = strength[j] / (2.0 * PI * (dx * dx + dy * dy));
                rates[2 * i] -= turn * dy;
                rates[2 * i + 1] += turn * dx;
            }
        }
        rates
    };
    let end = follows(&text, kirchhoff, 8.0);
    assert_eq!(end.motion.state.len(), 6);
    assert!(end.outcome.energy_error.unwrap() < 1e-9);
    // Linear and angular impulse.
    for (name, start) in [("impulse_x", 1.5), ("impulse_y", 0.0)] {
        assert!(
            (end.at(name) - start).abs() < 1e-9,
            "{name} = {}",
            end.at(name)
        );
    }
    let turn = &end.outcome.momenta[0];
    assert!(turn.conserved && turn.change < 1e-9, "{turn:?}");
}

#[test]
fn predators_and_prey_go_round() {
    let text = std::fs::read_to_string(shipped("lotka_volterra")).unwrap();
    let rates = |_: f64, z: &[f64]| {
        let (x, y) = (z[0], z[1]);
        vec![x * (2.0 / 3.0 - 4.0 / 3.0 * y), y * (x - 1.0)]
    };
    follows(&text, rates, 10.0);
    // The orbit closes: where x falls through its start again, y is what it was.
    let stop = ["--stop", "x = 0.9 : falling"];
    let json = simulated(&shipped("lotka_volterra"), &stop);
    assert!(number(&json["t"]) > 1.0, "{json:#}");
    assert!((number(&json["final"]["y"]) - 0.9).abs() < 1e-8, "{json:#}");
    assert!(number(&json["max_energy_error"]) < 1e-9);
}

#[test]
fn guiding_centres_drift_across_the_field() {
    // B(x, y) (x' , y') = the slope of the potential, turned by a right angle; time drives it.
    let text = "system drift\nparam B = 2\ncoord x, y\n\
                lagrangian B*(x + x^3/3)*y' - (x^2/2 + y^2 + x*cos(t)/3)\nstart x = 0.4, y = 0.3\ntime 0 .. 5\n";
    let rates = |t: f64, z: &[f64]| {
        let b = 2.0 * (1.0 + z[0] * z[0]);
        vec![-2.0 * z[1] / b, (z[0] + t.cos() / 3.0) / b]
    };
    let end = follows(text, rates, 5.0);
    // Time does work: the energy changes, its balance holds.
    assert!(end.outcome.energy_change.unwrap() > 1e-2);
    assert!(end.outcome.energy_error.unwrap() < 1e-8);
}

#[test]
fn random_two_forms_are_inverted() {
    // L = a_i q_i' − V with random polynomials; da and dV by hand, W q' = dV by Cramer's rule.
    let mut seed = 12_345_u64;
    let mut next = || {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as f64 / f64::from(1_u32 << 30) - 1.0
    };
    let coordinates = ["q1", "q2", "q3", "q4"];
    for _ in 0..6 {
        // a_i = Σ_j A_ij q_j + Σ_j B_ij q_j², V = Σ C_ij q_i q_j + Σ D_i q_i.
        let mut table = || -> Vec<Vec<f64>> {
            (0..4)
                .map(|_| (0..4).map(|_| (next() * 8.0).round() / 4.0).collect())
                .collect()
        };
        let (a, b, c, d) = (table(), table(), table(), table());
        let w = |q: &[f64]| -> Vec<Vec<f64>> {
            let slope = |i: usize, j: usize| a[i][j] + 2.0 * b[i][j] * q[j];
            (0..4)
                .map(|i| (0..4).map(|j| slope(i, j) - slope(j, i)).collect())
                .collect()
        };
        let start = [0.1, -0.2, 0.3, 0.15];
        // Well away from degenerate ones: the Pfaffian.
        let m = w(&start);
        let pfaffian = m[0][1] * m[2][3] - m[0][2] * m[1][3] + m[0][3] * m[1][2];
        if pfaffian.abs() < 0.5 {
            continue;
        }
        let mut text = String::from("system random\ncoord q1, q2, q3, q4\nlagrangian 0");
        for i in 0..4 {
            for j in 0..4 {
                let (qi, qj) = (coordinates[i], coordinates[j]);
                text += &format!(" + ({})*{qj}*{qi}' + ({})*{qj}^2*{qi}'", a[i][j], b[i][j]);
                text += &format!(" - ({})*{qi}*{qj}", c[i][j]);
            }
            text += &format!(" - ({})*{}", d[0][i], coordinates[i]);
        }
        text += "\nstart q1 = 0.1, q2 = -0.2, q3 = 0.3, q4 = 0.15\ntime 0 .. 1\n";
        // Euler-Lagrange: (∂_j a_i − ∂_i a_j) q_j' = −∂_i V.
        let rates = |_: f64, q: &[f64]| {
            let slope: Vec<f64> = (0..4)
                .map(|i| -(d[0][i] + (0..4).map(|j| (c[i][j] + c[j][i]) * q[j]).sum::<f64>()))
                .collect();
            solved(w(q), slope)
        };
        let end = follows(&text, rates, 0.05);
        assert!(end.outcome.energy_error.unwrap() < 1e-9);
    }
}

/// Gauss elimination with row exchanges.
fn solved(mut m: Vec<Vec<f64>>, mut r: Vec<f64>) -> Vec<f64> {
    let n = r.len();
    for k in 0..n {
        let pivot = (k..n)
            .max_by(|&i, &j| m[i][k].abs().total_cmp(&m[j][k].abs()))
            .unwrap();
        m.swap(k, pivot);
        r.swap(k, pivot);
        for i in (0..n).filter(|&i| i != k) {
            let factor = m[i][k] / m[k][k];
            let above = m[k].clone();
            let row = m[i].iter_mut().zip(&above);
            row.for_each(|(x, above)| *x -= factor * above);
            r[i] -= factor * r[k];
        }
    }
    (0..n).map(|k| r[k] / m[k][k]).collect()
}

#[test]
fn velocities_that_are_linear_stand_beside_others() {
    // x'' = −(q² + p²)·x + …, with q and p conjugate: L = (1 + q²) x'²/2 + p q' − p²/2 − x²/2.
    let text = "system mixed\ncoord x, q, p\nlagrangian (1 + q^2)*x'^2/2 + p*q' - p^2/2 - x^2/2\n\
                start x = 1, q = 0.2, p = 0.3, x' = 0.5\ntime 0 .. 3\n";
    // (1 + q²) x'' + 2 q q' x' + x = 0, q' = p, p' = q x'².
    let rates = |_: f64, s: &[f64]| {
        let (x, q, p, v) = (s[0], s[1], s[2], s[3]);
        vec![v, p, q * v * v, -(2.0 * q * p * v + x) / (1.0 + q * q)]
    };
    let end = follows(text, rates, 3.0);
    let names: Vec<String> = end.motion.state.iter().map(ToString::to_string).collect();
    assert_eq!(names, ["x", "q", "p", "x'"]);
    assert!(end.outcome.energy_error.unwrap() < 1e-9);
    // The kernel of the Hessian need not be a coordinate direction.
    let text = "system slanted\ncoord x, q, p\nlagrangian (x' + q')^2/2 + p*q' - p^2/2 - x^2/2 - q^2\n\
                start x = 1, q = 0.2, p = 0.3\ntime 0 .. 3\n";
    let case = Case::text(text);
    let end = case.follow(&Options::default());
    assert!(
        end.outcome.energy_error.unwrap() < 1e-8,
        "{:?}",
        end.outcome
    );
    // In u = x + q the Lagrangian is u'²/2 + p q' − p²/2 − (u − q)²/2 − q²: q' = p, p' = u − 3 q, u'' = q − u.
    assert_eq!(end.motion.state[3].to_string(), "x'");
    let u0 = case.start.get(&end.motion.state[3]).unwrap() + 0.3;
    let by_hand = runge_kutta(
        |_, s| vec![s[3], s[2], s[0] - 3.0 * s[1], s[1] - s[0]],
        vec![1.2, 0.2, 0.3, u0],
        3.0,
    );
    assert!((end.at("x") + end.at("q") - by_hand[0]).abs() < 1e-8);
    assert!((end.at("q") - by_hand[1]).abs() < 1e-8);
}

#[test]
fn constraints_that_leave_a_regular_two_form_are_followed() {
    // Two conjugate pairs, one tied to the other: x2' = x1', p2' = p1' leaves twice the two-form.
    let text = "system tied\ncoord x1, p1, x2, p2\nlagrangian p1*x1' + p2*x2' - (x1^2 + 2*p1^2 + x2*x1)/2\n\
                constraint x2' = x1'\nconstraint p2' = p1'\nstart x1 = 1, x2 = 1/2\ntime 0 .. 4\n";
    // Along (1, 0, 1, 0): −2 y1' = x1 + x2/2 + x1/2; along (0, 1, 0, 1): 2 x1' = 2 y1.
    let rates = |_: f64, s: &[f64]| {
        let (x1, y1, x2) = (s[0], s[1], s[2]);
        let (vx, vy) = (y1, -(1.5 * x1 + 0.5 * x2) / 2.0);
        vec![vx, vy, vx, vy]
    };
    let end = follows(text, rates, 4.0);
    assert_eq!(end.motion.form, Form::Hamel);
    assert!(end.outcome.energy_error.unwrap() < 1e-9);
}

#[test]
fn positions_are_the_state_and_the_commands_say_so() {
    let model = shipped("point_vortices");
    let check = rattleback(["check", &model]).exits(0).out;
    assert!(check.contains("first-order system"), "{check}");
    let derived = rattleback(["derive", &model, "--json"]).exits(0).json();
    assert_eq!(derived["form"], "euler-lagrange");
    assert_eq!(
        derived["state"],
        serde_json::json!(["xa", "ya", "xb", "yb", "xc", "yc"])
    );
    assert_eq!(derived["equations"][0]["lhs"], "xa'");
    let found = rattleback([
        "analyze",
        &model,
        "--only",
        "regularity,presymplectic",
        "--json",
    ]);
    let found = found.exits(0).json();
    assert_eq!(found["regularity"]["verdict"], "proven", "{found:#}");
    let refused = rattleback(["derive", &model, "--form", "hamiltonian"]).exits(2);
    refused.says(&["first-order equations: ask for `euler-lagrange`"]);
}

#[test]
fn a_velocity_that_is_determined_cannot_be_stated_otherwise() {
    let text = |v: &str| {
        format!(
            "system s\ncoord q, p\nlagrangian p*q' - p^2/2\nstart q = 1, p = 2, q' = {v}\ntime 0 .. 1\n"
        )
    };
    rattleback(["simulate", &written("first_order_stated", text("2"))]).exits(0);
    for command in ["check", "derive", "simulate"] {
        rattleback([command, &written("first_order_wrong", text("3"))])
            .exits(2)
            .says(&["`q'` is 3", "determine it: 2"]);
    }
}

#[test]
fn members_of_an_ensemble_are_followed_and_bad_starts_told() {
    let text =
        "system s\ncoord q, p\nlagrangian p*q' - p^2/2 - q^2/2\nstart q = 1, p = 0\ntime 0 .. 1\n";
    let model = written("first_order_members", text);
    let run = rattleback(["ensemble", &model, "--vary", "q=1:3:3", "--json"]).exits(0);
    let json = run.json();
    assert_eq!(json["failed"], 0, "{json:#}");
    // q = q(0) cos t.
    assert!((number(&json["final"]["q"]["mean"]) - 2.0 * 1f64.cos()).abs() < 1e-8);
    // q' = p = 0 is determined, and no other value is a start.
    let stated = text.replace("p = 0\n", "p = 0, q' = 0\n");
    let model = written("first_order_stated_members", stated);
    let run = rattleback(["ensemble", &model, "--vary", "q'=0:1:2", "--json"]).exits(0);
    assert_eq!(run.json()["failures"]["bad_start"], 1);
}

#[test]
fn two_forms_that_are_degenerate_are_refused() {
    // Odd dimension; a closed form, whose differential is zero; a coordinate without any term.
    for (test, text) in [
        ("odd", "coord x, y, z\nlagrangian y*x' + z*y' - z^2\n"),
        ("closed", "coord x, y\nlagrangian y*x' + x*y' - x^2\n"),
        ("missing", "coord x, y, z\nlagrangian x'^2/2 + y*x' - z^2\n"),
    ] {
        let model = written(
            &format!("first_order_{test}"),
            format!("system s\n{text}time 0 .. 1\n"),
        );
        for command in ["check", "derive", "simulate"] {
            let run = rattleback([command, &model]).exits(2);
            assert!(run.err.contains("degenerate"), "{test}: {}", run.err);
        }
    }
}
