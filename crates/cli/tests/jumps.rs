//! Motions end where their Lagrangian jumps, and pass where it does not; what jumps is named.

use crate::common::{Run, folder, rattleback, tables, written};

fn plane(lagrangian: &str, start: &str) -> String {
    format!("system s\ncoord x, y\nlagrangian {lagrangian}\nstart {start}\ntime 0 .. 2\n")
}

fn in_potential(v: &str) -> String {
    format!("(x'^2 + y'^2)/2 - ({v})")
}

fn told_time(run: &Run) -> f64 {
    let rest = run.err.split("at t = ").nth(1);
    let told = rest.and_then(|rest| rest.split([':', ';', '\n', ',']).next());
    told.and_then(|t| t.parse().ok()).unwrap_or(f64::NAN)
}

/// Lagrangian, start, what jumps, the coordinate that says when and its value there.
const JUMPS: &[(&str, &str, &str, &str, f64)] = &[
    (
        "atan2(y, x)",
        "x = -1, y = 0.3, y' = -2",
        "atan2(y, x)",
        "y",
        0.0,
    ),
    (
        "atan2(y, x)/1000",
        "x = -1, y = 0.3, y' = -2",
        "atan2(y, x)",
        "y",
        0.0,
    ),
    ("atan(1/x)", "x = -1, x' = 2", "atan(1/x)", "x", 0.0),
    ("tanh(1/x)", "x = -1, x' = 3", "tanh(1/x)", "x", 0.0),
    ("x/sqrt(x^2)", "x = -1, x' = 2", "x", "x", 0.0),
    ("sqrt(x^2)/x", "x = -1, x' = 2", "x", "x", 0.0),
    (
        "atan2(sin(x), cos(x))/50",
        "x = 2, x' = 3",
        "atan2",
        "x",
        std::f64::consts::PI,
    ),
    (
        "atan2(y*x, x^2)/9",
        "x = 1, y = 0.2, x' = -2",
        "atan2",
        "x",
        0.0,
    ),
];

#[test]
fn a_jump_of_the_lagrangian_ends_the_motion_and_is_named() {
    for (v, start, what, coordinate, place) in JUMPS {
        let model = written("jump", plane(&in_potential(v), start));
        for method in ["taylor", "dop853", "radau5"] {
            let run = rattleback(["simulate", &model, "--json", "--method", method]).exits(1);
            assert!(
                run.err.contains("a jump of its Lagrangian, in `"),
                "{v}: {}",
                run.err
            );
            assert!(run.err.contains(what), "{v}: {}", run.err);
            assert!(told_time(&run) < 1.0, "{v}: {}", run.err);
            let reached = run.json()["final"][coordinate].as_f64().unwrap();
            assert!((reached - place).abs() < 0.1, "{v}, {method}: {reached}");
        }
        // Long steps of equal length see it too.
        rattleback(["simulate", &model, "--method", "rk4", "--step", "0.5"]).exits(1);
    }
}

/// A jump in what multiplies velocities leaves the energy alone.
#[test]
fn a_jump_that_does_no_work_is_seen() {
    for l in [
        "(x'^2 + y'^2)/2 + atan2(y, x)*x'",
        "(x'^2 + y'^2)*(4 + atan2(y, x))/2",
    ] {
        let model = written("workless_jump", plane(l, "x = -1, y = 0.3, y' = -2"));
        for form in ["euler-lagrange", "hamiltonian"] {
            rattleback(["simulate", &model, "--form", form])
                .exits(1)
                .says(&["a jump of its Lagrangian, in `atan2(y, x)`"]);
        }
    }
}

#[test]
fn what_goes_on_beyond_a_cut_is_followed() {
    for (v, start) in [
        // Over the axis in front of the angle, and over the cut where both sides agree.
        ("atan2(y, x)", "x = 1, y = 0.3, y' = -1"),
        ("atan2(y, x)^2", "x = -1, y = 0.3, y' = -2"),
        ("sin(atan2(y, x)/2)^2", "x = -1, y = 0.3, y' = -2"),
        ("x*atan(1/x)", "x = -1, x' = 2"),
        ("sqrt(x^2)", "x = -1, x' = 2"),
        ("exp(-1/x^2)", "x = -1, x' = 2"),
        ("1/(3 + sin(x))", "x = -1, x' = 2"),
    ] {
        let model = written("no_jump", plane(&in_potential(v), start));
        for method in ["taylor", "dop853"] {
            let run = rattleback(["simulate", &model, "--json", "--method", method]).exits(0);
            assert_eq!(run.json()["warnings"], serde_json::json!([]), "{v}");
        }
    }
}

#[test]
fn members_end_where_single_motions_do() {
    let start = "x = -1, y = 0.3, y' = -2";
    let model = written("members_jump", plane(&in_potential("atan2(y, x)"), start));
    let one = rattleback(["simulate", &model]).exits(1);
    let path = folder("members_jump_out").join("rows.csv");
    let vary = ["--vary", "y'=-2,2", "-o", path.to_str().unwrap()];
    rattleback(["ensemble", &model].iter().chain(&vary).copied()).exits(0);
    let table = tables::read(&path);
    assert_eq!(table.column("status"), [2.0, 0.0]);
    let times = table.column("t");
    assert!(
        (times[0] - told_time(&one)).abs() < 1e-6,
        "{times:?} {}",
        one.err
    );
}

/// What jumps with time alone acts as a force: x'' = -θ(t), where θ falls by a full turn at t = π.
#[test]
fn a_jump_in_time_is_no_obstacle() {
    use std::f64::consts::PI;
    let text = "system s\ncoord x\nkinetic x'^2/2\npotential x*atan2(sin(t), cos(t))\nstart x = 1\ntime 0 .. 5\n";
    let model = written("jump_in_time", text);
    let right = 1.0 - (125.0 / 6.0 - PI * (5.0 - PI).powi(2));
    for method in ["taylor", "dop853"] {
        let run = ["simulate", &model, "--json", "--method", method];
        let page = rattleback(run).exits(0).json();
        let x = page["final"]["x"].as_f64().unwrap();
        assert!((x - right).abs() < 1e-6, "{method}: {x} {right}");
        assert_eq!(
            page["max_energy_error"],
            serde_json::Value::Null,
            "{page:#}"
        );
    }
}
