//! What is narrow in time, position or speed is met by methods that choose their steps, and told by the others.

use crate::common::{all_shipped, rattleback, shipped, written};
use serde_json::Value;
use std::f64::consts::{PI, SQRT_2};

/// Methods that choose their steps.
const ADAPTIVE: [&str; 4] = ["taylor", "dop853", "dopri5", "radau5"];
/// Where features are.
const CENTRE: &str = "1.0371";

/// A free motion in a plane with this added.
fn plane(body: &str, start: &str) -> String {
    format!(
        "system s\nparam e = 0.001\ncoord x, y\nkinetic (x'^2 + y'^2)/2\n{body}\nstart {start}\n\
         time 0 .. 3 step 0.1\n"
    )
}

/// `simulate --json`, which must succeed.
#[track_caller]
fn simulated(model: &str, more: &[&str]) -> Value {
    rattleback([&["simulate", model, "--json"], more].concat())
        .exits(0)
        .json()
}

/// A number of the last row of a motion without warnings.
#[track_caller]
fn at_end(model: &str, name: &str, more: &[&str]) -> f64 {
    let page = simulated(model, more);
    assert_eq!(page["warnings"], Value::Array(vec![]), "{more:?}");
    page["final"][name].as_f64().unwrap()
}

#[track_caller]
fn near(found: f64, expected: f64, relative: f64, what: &str) {
    let error = (found - expected).abs();
    assert!(
        error <= relative * expected.abs().max(1.0),
        "{what}: {found} is not {expected}"
    );
}

/// Narrow functions of u and their integrals.
fn peaks(u: &str) -> Vec<(String, f64)> {
    vec![
        (format!("exp(-({u})^2)"), PI.sqrt()),
        (format!("1/(1 + ({u})^4)"), PI / SQRT_2),
        (format!("(1 - tanh({u})^2)"), 2.0),
        (format!("(tanh({u}) - tanh({u} - 1))"), 2.0),
    ]
}

/// y' after the passage is the integral of the force over the speed with which its argument passes.
#[test]
fn impulses_are_met_in_time_position_speed_and_on_the_way() {
    let arguments = [
        ("time", format!("(t - {CENTRE})/e"), 1.0),
        ("position", format!("(x - {CENTRE})/e"), 1.0),
        ("travelling", format!("(x - {CENTRE} + t/2)/e"), 1.5),
        ("combined", format!("(x - t/2 - {CENTRE}/2 + y*0)/e"), 0.5),
        ("speed", "(x' - 1.4371)/e".to_owned(), 0.3),
    ];
    for (name, u, speed) in arguments {
        let pull = if name == "speed" { "x: 3/10, " } else { "" };
        for (k, (peak, area)) in peaks(&u).into_iter().enumerate() {
            let body = format!("force ({pull}y: {peak}/e)");
            let path = written(&format!("impulse_{name}_{k}"), plane(&body, "x' = 1"));
            for method in ADAPTIVE {
                for width in ["0.02", "0.001", "0.00001"] {
                    let set = format!("e={width}");
                    let found = at_end(&path, "y'", &["--method", method, "--set", &set]);
                    // Functions with tails are not quite over.
                    let tail = if k == 1 { 1e-4 } else { 0.0 };
                    let what = format!("{name} {peak} {method} {width}");
                    near(found, area / speed, 2e-7 + tail, &what);
                }
            }
        }
    }
}

#[test]
fn an_impulse_acts_from_where_it_is() {
    let body = format!("force (y: exp(-((x - {CENTRE})/e)^2)/e)");
    let path = written("impulse_when", plane(&body, "x' = 1"));
    for method in ADAPTIVE {
        for width in ["0.01", "0.001", "0.0001", "0.0000001"] {
            let set = format!("e={width}");
            let y = at_end(&path, "y", &["--method", method, "--set", &set]);
            near(
                y,
                (3.0 - 1.0371) * PI.sqrt(),
                2e-8,
                &format!("{method} {width}"),
            );
        }
    }
}

/// A particle at speed 1 passes potentials below 1/2, late by ∫ (1/√(1 − 2V) − 1) dx, and is thrown back by others.
#[test]
fn walls_reflect_and_let_pass_as_energy_says() {
    type Shape = fn(f64) -> f64;
    let shapes: [(&str, Shape); 3] = [
        ("exp(-((x - c)/e)^2)", |u| (-u * u).exp()),
        ("1/(1 + ((x - c)/e)^4)", |u| 1.0 / (1.0 + u.powi(4))),
        ("(1 - tanh((x - c)/e)^2)", |u| u.cosh().powi(-2)),
    ];
    for (k, (shape, f)) in shapes.into_iter().enumerate() {
        let text = format!(
            "system s\nparam e = 0.001, h = 0.4, c = {CENTRE}\ncoord x\nkinetic x'^2/2\npotential h*{shape}\n\
             start x' = 1\ntime 0 .. 3 step 0.1\n"
        );
        let path = written(&format!("wall_{k}"), text);
        let (n, reach) = (40_000, 200.0);
        let delay: f64 = (0..n)
            .map(|i| -reach + 2.0 * reach * (f64::from(i) + 0.5) / f64::from(n))
            .map(|u| (1.0 / (1.0 - 0.8 * f(u)).sqrt() - 1.0) * 2.0 * reach / f64::from(n))
            .sum();
        for method in ADAPTIVE {
            let passed = at_end(&path, "x", &["--method", method]);
            near(
                passed,
                3.0 - 0.001 * delay,
                1e-7,
                &format!("{shape} {method}"),
            );
            let thrown = at_end(&path, "x'", &["--method", method, "--set", "h=0.6"]);
            near(thrown, -1.0, 1e-7, &format!("{shape} {method}"));
        }
    }
}

/// Features in distances, constraints, kinetic energies, and where motions come by again and again.
fn elsewhere(c: f64, e: f64, h: f64) -> Vec<(&'static str, String, &'static str)> {
    let inside = 0.4 * c;
    let model = |coordinates: &str, body: &str, start: &str, until: f64| {
        format!(
            "system s\ncoord {coordinates}\n{body}\nstart {start}\ntime 0 .. {until} step 0.1\n"
        )
    };
    let plane = "kinetic (x'^2 + y'^2)/2\n";
    vec![
        (
            "bodies",
            model(
                "a, b, c, d",
                &format!(
                    "kinetic (a'^2 + b'^2 + c'^2 + d'^2)/2\npotential {h}*exp(-((a - c)^2 + (b - d)^2)/{e}^2)"
                ),
                &format!("a' = 1, c = {c}, d = {}", 0.4 * e),
                3.0,
            ),
            "d",
        ),
        (
            "kinetic",
            model(
                "x, y",
                &format!("kinetic (x'^2 + y'^2*(1 + {h}*exp(-((x - {c})/{e})^2)))/2"),
                "x' = 1, y' = 1/2",
                3.0,
            ),
            "x",
        ),
        (
            "constraint",
            model(
                "x, y",
                &format!("{plane}constraint y' = {h}*x'*exp(-((x - {c})/{e})^2)"),
                "x' = 1",
                3.0,
            ),
            "x",
        ),
        (
            "core",
            model(
                "x, y",
                &format!(
                    "{plane}potential -{}/sqrt((x - {c})^2 + y^2 + {e}^2)",
                    h * e
                ),
                &format!("x' = 1, y = {}", 0.7 * e),
                3.0,
            ),
            "y",
        ),
        (
            "wave",
            model(
                "x, y",
                &format!("{plane}potential {h}*exp(-((x - {c} + t/2)/{e})^2)"),
                "x' = 1",
                3.0,
            ),
            "x",
        ),
        (
            "again",
            model(
                "x, y",
                &format!(
                    "{plane}potential (x^2 + y^2)/2\nforce (y: exp(-((x - {inside})/{e})^2)/{})",
                    10.0 * e
                ),
                "x = 1",
                7.0,
            ),
            "y",
        ),
        (
            "train",
            model(
                "x, y",
                &format!("{plane}force (y: exp((cos(3*t - {c}) - 1)/{e}^2)/{e})"),
                "x = 1",
                7.0,
            ),
            "y",
        ),
    ]
}

/// Numbers between 0 and 1 that are the same in every run.
fn uniform(seed: &mut u64) -> f64 {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 11) as f64 / (1u64 << 53) as f64
}

#[test]
fn random_features_are_met_as_by_rows_that_cannot_miss_them() {
    let mut seed = 20_240_711;
    for round in 0..4 {
        let c = 0.4 + 1.4 * uniform(&mut seed);
        let e = 10f64.powf(-1.5 - 2.0 * uniform(&mut seed));
        let h = 0.05 + 0.8 * uniform(&mut seed);
        for (name, text, quantity) in elsewhere(c, e, h) {
            let path = written(&format!("random_{name}_{round}"), text);
            let fine = format!("{:e}", e / 20.0);
            let more = ["--method", "dop853", "--rtol", "1e-11", "--step", &fine];
            let expected = simulated(&path, &more)["final"][quantity].as_f64().unwrap();
            for method in ADAPTIVE {
                let found = at_end(&path, quantity, &["--method", method]);
                let what = format!("{name} by {method}, c = {c}, e = {e}, h = {h}");
                near(found, expected, 2e-6, &what);
            }
        }
    }
}

#[test]
fn a_form_makes_no_difference() {
    let body = format!(
        "force (x: -x'/2, y: exp(-((x' - 0.7123)/e)^2)/e)\npotential exp(-((x - {CENTRE})/e)^2)/10"
    );
    let path = written("forms", plane(&body, "x' = 1"));
    let reference = at_end(&path, "y", &["--method", "dop853", "--step", "0.0001"]);
    for form in ["euler-lagrange", "hamiltonian", "hamel"] {
        for method in ["taylor", "dop853"] {
            let y = at_end(&path, "y", &["--method", method, "--form", form]);
            near(y, reference, 1e-6, &format!("{form} {method}"));
        }
    }
}

#[test]
fn equal_steps_that_miss_something_are_told() {
    let methods = [
        "rk4", "gauss2", "gauss4", "gauss6", "gauss8", "verlet", "yoshida4", "yoshida8", "suzuki4",
    ];
    let bodies = [
        format!("force (y: exp(-((x - {CENTRE})/e)^2)/e)"),
        format!("force (y: exp(-((t - {CENTRE})/e)^2)/e)"),
        format!("potential 2/5/(1 + ((x - {CENTRE})/e)^4)"),
    ];
    for (k, body) in bodies.iter().enumerate() {
        let path = written(&format!("equal_{k}"), plane(body, "x' = 1"));
        for method in methods {
            let run = rattleback(["simulate", &path, "--json", "--method", method]);
            if run.code == 0 {
                let warnings = run.json()["warnings"].to_string();
                assert!(
                    warnings.contains("they miss it"),
                    "{body} {method}: {warnings}"
                );
                assert!(warnings.contains("t = 1.03"), "{body} {method}: {warnings}");
                assert!(warnings.contains("--step "), "{body} {method}: {warnings}");
            } else {
                assert_eq!(run.code, 1, "{}", run.err);
            }
        }
        let page = rattleback(["simulate", &path, "--method", "rk4"]).exits(0);
        assert!(page.out.contains("warning: what "), "{}", page.out);
    }
}

/// Equal steps pass kinks as if there were none, and say so; other methods meet them.
#[test]
fn kinks_that_equal_steps_pass_are_told() {
    let kinks = [
        ("potential asin(sin(x))", "asin(sin(x))", "x = 1, x' = 1/2"),
        ("potential acos(cos(x))", "acos(cos(x))", "x = 1/2, x' = -1"),
        ("potential sqrt(x^2)", "sqrt(x^2)", "x = -1/2, x' = 1"),
        ("potential x*sqrt(x^2)/2", "sqrt(x^2)", "x = -1/2, x' = 1"),
        (
            "potential sqrt(1 - cos(x))",
            "sqrt(1 - cos(x))",
            "x = -1, x' = 2",
        ),
        ("force (x: sqrt((t - 1/3)^2))", "sqrt((3*t - 1)^2)", "x = 1"),
        (
            "force (x: sqrt((t - 1.003)^2)/(t - 1.003))",
            "1000*t - 1003",
            "x = 1",
        ),
    ];
    let methods = [
        "rk4",
        "gauss4",
        "verlet",
        "yoshida4",
        "variational-midpoint",
    ];
    for (k, (body, function, start)) in kinks.into_iter().enumerate() {
        let text = format!(
            "system s\ncoord x\nkinetic x'^2/2\n{body}\nstart {start}\ntime 0 .. 3 step 0.01\n"
        );
        let path = written(&format!("kink_{k}"), text);
        for method in methods {
            let run = rattleback(["simulate", &path, "--json", "--method", method]);
            let warnings = run.json()["warnings"].to_string();
            assert!(
                warnings.contains("passes a kink of `"),
                "{body} {method}: {warnings} {}",
                run.err
            );
            assert!(warnings.contains(function), "{body} {method}: {warnings}");
        }
    }
    // Where a function may have a kink and has none, or where nothing is passed.
    for (k, body) in [
        "potential sqrt(1 + x^2)",
        "potential (x^2)^2",
        "potential asin(sin(x)/2)",
        "potential atan2(x, 2 + x^2)",
    ]
    .iter()
    .enumerate()
    {
        let text = format!(
            "system s\ncoord x\nkinetic x'^2/2\n{body}\nstart x = -1/2, x' = 1\ntime 0 .. 3 step 0.01\n"
        );
        let path = written(&format!("smooth_{k}"), text);
        for method in methods {
            let page = simulated(&path, &["--method", method]);
            assert_eq!(page["warnings"], Value::Array(vec![]), "{body} {method}");
        }
    }
}

#[test]
fn the_step_that_is_advised_meets_what_was_missed() {
    let text = "system s\nparam w = 0.001\ncoord x\nlagrangian x'^2/2\n\
                force (x: exp(-((t - 5.0321)/w)^2))\ntime 0 .. 10 step 0.1\n";
    let path = written("advice", text);
    let area = 1e-3 * PI.sqrt();
    let met = at_end(&path, "x'", &[]);
    near(met / area, 1.0, 1e-6, "the method that is chosen");
    let run = simulated(&path, &["--method", "rk4"]);
    let warnings = run["warnings"].as_array().unwrap();
    let mut warnings = warnings.iter().map(|w| w.as_str().unwrap());
    let warning = warnings.find(|w| w.contains("they miss it")).unwrap();
    assert!(warning.contains("t = 5.032"), "{warning}");
    let step = warning.split("--step ").nth(1).unwrap();
    let step = step.split(',').next().unwrap();
    let run = simulated(&path, &["--method", "rk4", "--step", step]);
    assert!(!run["warnings"].to_string().contains("miss"), "{run}");
    let met = run["final"]["x'"].as_f64().unwrap();
    near(met / area, 1.0, 1e-4, "rk4");
}

#[test]
fn what_is_too_narrow_for_numbers_is_told() {
    let body = format!("force (y: exp(-((x - {CENTRE})/e)^2)/e)");
    let path = written("too_narrow", plane(&body, "x' = 1"));
    for method in ADAPTIVE {
        for width in ["1e-10", "1e-11", "1e-12", "1e-13", "1e-14", "1e-15"] {
            let set = format!("e={width}");
            let line = [
                "simulate", &path, "--json", "--method", method, "--set", &set,
            ];
            let run = rattleback(line);
            let what = format!("{method} {width}: {}", run.err);
            match run.code {
                0 => {
                    let page = run.json();
                    let y = page["final"]["y"].as_f64().unwrap();
                    let is_right = (y / 1.9629 / PI.sqrt() - 1.0).abs() < 1e-5;
                    let is_told = page["warnings"].to_string().contains("t = 1.03");
                    assert!(is_right || is_told, "{what}: {y}");
                }
                code => {
                    assert_eq!(code, 1, "{what}");
                    let narrow = run.err.contains("too narrow to be stepped through");
                    assert!(narrow, "{what}");
                }
            }
        }
    }
}

#[test]
fn members_meet_what_single_motions_meet() {
    let body =
        format!("force (y: exp(-((x - {CENTRE})/e)^2)/e)\npotential 1/10*cosh((x - 2)/e)^(-2)");
    let path = written("members", plane(&body, "x' = 1"));
    for method in ["taylor", "dop853"] {
        let vary = [
            "--vary",
            "e=0.02,0.001,0.0003,0.00001",
            "--vary",
            "x'=0.9,1,1.17",
        ];
        let line = ["ensemble", &path, "--method", method, "--json"];
        let page = rattleback([&line[..], &vary].concat()).exits(0).json();
        let y = &page["final"]["y'"];
        // Each member's y' is √π over its speed there, which the hill has not changed yet.
        near(y["min"].as_f64().unwrap(), PI.sqrt() / 1.17, 1e-6, method);
        near(y["max"].as_f64().unwrap(), PI.sqrt() / 0.9, 1e-6, method);
    }
}

#[test]
fn members_meet_pulses() {
    let text = "system pulse\nparam k = 1\ncoord x\nkinetic x'^2/2\npotential k*x^2/2\n\
         force (x: 1000*exp(-((t - 5.0037)/0.0005)^2))\ntime 0 .. 10 step 0.1\n";
    let path = written("ensemble_pulse", text);
    let impulse = 0.5 * PI.sqrt();
    for method in ["taylor", "dop853"] {
        let line = [
            "ensemble", &path, "--vary", "k=1,1", "--method", method, "--json",
        ];
        let page = rattleback(line).exits(0).json();
        assert_eq!(page["warnings"], Value::Array(vec![]));
        let x = &page["final"]["x"];
        let expected = impulse * (10.0f64 - 5.0037).sin();
        near(x["min"].as_f64().unwrap(), expected, 1e-6, method);
    }
}

#[test]
fn ordinary_models_are_not_warned_of() {
    for name in all_shipped() {
        let run = rattleback(["simulate", &shipped(&name), "--json"]);
        if run.code == 0 {
            assert_eq!(run.json()["warnings"], Value::Array(vec![]), "{name}");
        }
    }
    for force in [
        "sin(1000*t)",
        "tanh((t - 3.21)/0.01)/100",
        "exp(-t)",
        "exp(-(t - 3.21)^2)",
        "sqrt(1 + t^2)",
        "sin(t)^2/(2 + cos(t))",
        "-x/sqrt(1 + x^2)",
    ] {
        let text = format!(
            "system s\ncoord x\nlagrangian x'^2/2 - x^2/2\nforce (x: {force})\ntime 0 .. 10 step 0.02\n"
        );
        let path = written("ordinary", text);
        for method in ["taylor", "dop853", "rk4"] {
            let page = simulated(&path, &["--method", method]);
            let warnings = page["warnings"].to_string();
            assert!(!warnings.contains("miss"), "{force} {method}: {warnings}");
        }
    }
}

/// A power whose exponent has a low whole value is a polynomial: nothing in it is narrow.
#[test]
fn low_powers_by_a_parameter_are_not_narrow() {
    let model = |n: &str| {
        let text = format!(
            "system s\nparam n = {n}\ncoord x\nkinetic x'^2/2\npotential x^2 + (x - 0.1)^n/10\nstart x = 1\n\
             time 0 .. 20 step 0.1\n"
        );
        written(&format!("power_{}", n.replace(['/', '-'], "_")), text)
    };
    for n in ["1", "2", "4"] {
        for method in ["variational-midpoint", "rk4"] {
            let page = simulated(&model(n), &["--method", method]);
            // That they are long for the motion itself is another matter.
            let warnings = page["warnings"].as_array().unwrap().iter();
            let missed =
                warnings.filter(|w| !w.as_str().unwrap().starts_with("with steps twice as long"));
            assert_eq!(missed.count(), 0, "n = {n}, {method}: {page:#}");
        }
    }
}
