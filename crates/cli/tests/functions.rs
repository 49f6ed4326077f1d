//! Functions at the ends of their ranges and powers with parameters as exponents, in whole motions.

use crate::common::{rattleback, written};
use serde_json::Value;

/// The end of a motion.
#[track_caller]
fn end(model: &str, more: &[&str]) -> Value {
    let arguments = ["simulate", model, "--json"];
    let arguments = arguments.into_iter().chain(more.iter().copied());
    rattleback(arguments).exits(0).json()["final"].clone()
}

#[track_caller]
fn same(found: &Value, expected: &Value, tolerance: f64) {
    for key in ["x", "x'"] {
        let (a, b) = (
            found[key].as_f64().unwrap(),
            expected[key].as_f64().unwrap(),
        );
        assert!(
            (a - b).abs() <= tolerance * (1.0 + b.abs()),
            "{key}: {a} for {b}"
        );
    }
}

const OSCILLATOR: &str = "system oscillator\nparam k = 2, n = 4\ncoord x\n\
                          lagrangian x'^2/2 - k*x^n/n\nstart x = 0, x' = 1\ntime 0 .. 2 step 0.1\n";

/// With the number written in, by every method that a user may choose.
#[test]
fn an_exponent_may_be_a_parameter() {
    let symbolic = written("power_symbolic", OSCILLATOR);
    for (n, start) in [
        ("4", "0"),
        ("3", "0"),
        ("3", "-0.3"),
        ("6", "-1"),
        ("7/2", "0.8"),
    ] {
        let text = OSCILLATOR
            .replace(", n = 4", "")
            .replace("x^n/n", &format!("x^({n})/({n})"));
        let name = format!(
            "power_{}_{}",
            n.replace('/', "_"),
            start.replace(['-', '.'], "_")
        );
        let numeric = written(&name, &text);
        // Half-integer powers end at 0.
        let until = if n == "7/2" { "0.5" } else { "2" };
        for method in ["taylor", "dop853", "rk4"] {
            let more = ["--method", method, "--until", until, "--set"];
            let at = format!("x={start}");
            let start = [&more[..], &[at.as_str()]].concat();
            let exponent = format!("n={n}");
            let set = [&start[..], &["--set", exponent.as_str()]].concat();
            same(&end(&symbolic, &set), &end(&numeric, &start), 1e-9);
        }
    }
}

/// The formulas show powers, and read back.
#[test]
fn powers_are_printed_as_powers() {
    let model = written("power_printed", OSCILLATOR);
    let run = rattleback(["derive", model.as_str()]).exits(0);
    assert!(run.out.contains("k*x^(n - 1)"), "{}", run.out);
    assert!(!run.out.contains("log"), "{}", run.out);
}

/// v' = −tanh(c v): a brake with so steep a characteristic that sinh and cosh are infinite.
#[test]
fn a_steep_characteristic_does_not_overflow() {
    let text = "system brake\nparam c = 2000\ncoord x\nkinetic x'^2/2\nforce (x: -tanh(c*x'))\n\
                start x' = 3\ntime 0 .. 2 step 0.1\n";
    let model = written("brake", text);
    for method in ["taylor", "dop853"] {
        let found = end(&model, &["--method", method]);
        let speed = found["x'"].as_f64().unwrap();
        assert!((speed - 1.0).abs() < 1e-9, "{method}: {speed}");
    }
}

/// Every function of the language in a rate, at the ends of what it takes.
#[test]
fn functions_survive_the_ends_of_their_ranges() {
    let cases = [
        ("sin(y)", 0.0, 0.0),
        ("cos(y)", 0.0, 1.0),
        ("tan(y)", 0.0, 0.0),
        ("sec(y)", 0.0, 1.0),
        ("asin(y)", 1.0, std::f64::consts::FRAC_PI_2),
        ("acos(y)", -1.0, std::f64::consts::PI),
        ("atan(y)", 1e300, std::f64::consts::FRAC_PI_2),
        ("atan2(y, -1)", 1e300, std::f64::consts::FRAC_PI_2),
        ("sinh(y)", 1e-300, 1e-300),
        ("sinh(y)", -710.0, (-710f64).sinh()),
        ("cosh(y)", 710.0, 710f64.cosh()),
        ("tanh(y)", 1e300, 1.0),
        ("tanh(y)", -1e-300, -1e-300),
        ("exp(y)", -1e300, 0.0),
        ("exp(y)", 709.0, 709f64.exp()),
        ("log(y)", 1e-300, 1e-300f64.ln()),
        ("sqrt(y)", 0.0, 0.0),
        ("y^n", 0.0, 0.0),
        ("y^n", -1e100, -1e300),
    ];
    for (number, (formula, at, expected)) in cases.into_iter().enumerate() {
        // y rests: the function is a constant force in x.
        let text = format!(
            "system ends\nparam n = 3\ncoord x, y\nkinetic x'^2/2 + y'^2/2\nforce (x: {formula})\n\
             start y = {at:e}\ntime 0 .. 1 step 0.5\n"
        );
        let model = written(&format!("ends_{number}"), &text);
        for method in ["taylor", "rk4"] {
            let found = end(&model, &["--method", method]);
            let speed = found["x'"].as_f64().unwrap();
            let error = (speed - expected).abs();
            assert!(
                error <= 1e-12 * expected.abs(),
                "{formula} at {at}: {speed} for {expected} by {method}"
            );
        }
    }
}

/// −x is −0 at rest in x = 0: on the negative axis, where the angle is π and not −π.
#[test]
fn zero_has_no_sign_in_an_angle() {
    let text = "system resting\nparam n = 0\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nforce (y: atan2(-x, -1) + atan2(-n*x', -1))\n\
                start y = 0\ntime 0 .. 1 step 0.5\n";
    let model = written("angle_of_zero", text);
    for method in ["taylor", "dop853", "rk4", "gauss4"] {
        let speed = end(&model, &["--method", method])["y'"].as_f64();
        let right = speed.is_some_and(|v| (v - 2.0 * std::f64::consts::PI).abs() < 1e-9);
        assert!(right, "{method}: {speed:?}");
    }
}
