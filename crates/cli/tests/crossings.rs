//! Crossings are found however often a function turns, and what is narrow or jumps is met.

use crate::common::{folder, rattleback, tables, written};
use serde_json::Value;

fn simulated(name: &str, text: &str, extra: &[&str]) -> Value {
    let path = written(name, text);
    let arguments = ["simulate", path.as_str(), "--json"].into_iter();
    rattleback(arguments.chain(extra.iter().copied()))
        .exits(0)
        .json()
}

const OSCILLATOR: &str =
    "system oscillator\ncoord x\nlagrangian x'^2/2 - x^2/2\nstart x = 1\ntime 0 .. 20 step 0.5\n";

#[test]
fn no_crossing_is_lost_however_often_a_function_turns() {
    // x = cos t; the counts are those of the closed forms.
    let cases = [
        ("sin(40*x)", 157),
        ("sin(400*x)", 1606),
        ("cos(30*t)-0.999 : rising", 95),
        ("sin(t^2)", 127),
        ("exp(-((t-7.123)/0.001)^2)-0.5", 2),
        ("(x-0.3)*(x-0.3001)*(x-0.3002)", 18),
        // Far from its zero tanh is 1 to all digits, and e^2x out of range.
        ("tanh(10000*(x-0.75))", 7),
        ("x-2", 0),
        // It touches zero three times, and does not cross.
        ("x-1", 0),
    ];
    for (event, count) in cases {
        let found = simulated("often", OSCILLATOR, &["--event", event]);
        let events = found["events"].as_array().map_or(0, Vec::len);
        assert_eq!(events, count, "{event}");
        assert_eq!(
            found["warnings"].as_array().map(Vec::len),
            Some(0),
            "{event}"
        );
    }
}

#[test]
fn stops_and_sections_of_fast_wheels_are_the_first_ones() {
    let wheel = "system rotor\ncoord x\ncoord th : angle\nlagrangian x'^2/2 - x^2/2 + th'^2/2\n\
                 start x = 1, th = 0.1, th' = 100\ntime 0 .. 10 step 0.1\n";
    let stopped = simulated("wheel", wheel, &["--stop", "cos(th) : rising"]);
    let expected = (1.5 * std::f64::consts::PI - 0.1) / 100.0;
    let t = stopped["t"].as_f64().unwrap_or(f64::NAN);
    assert!((t - expected).abs() < 1e-9, "{t}");
    let path = written("wheels", wheel);
    let table = folder("members").join("members.csv");
    let table = table.display().to_string();
    let vary = ["--vary", "th'=20:100:5", "--event", "sin(th) : rising"];
    let arguments = ["ensemble", path.as_str(), "-o", table.as_str()].into_iter();
    rattleback(arguments.chain(vary)).exits(0);
    let text = std::fs::read_to_string(&table).unwrap_or_default();
    let rows = text
        .lines()
        .filter(|l| l.starts_with(|c: char| c.is_ascii_digit()));
    let counts: Vec<&str> = rows.filter_map(|row| row.split(',').nth_back(2)).collect();
    assert_eq!(counts, ["31", "63", "95", "127", "159"]);
}

#[test]
fn what_turns_too_often_is_told() {
    // Rounding about zero crosses it as often as one looks.
    let found = simulated("noise", OSCILLATOR, &["--event", "sin(1e9*t)"]);
    let warned = found["warnings"].to_string();
    assert!(warned.contains("may be missing"), "{warned}");
}

#[test]
fn angles_jump_across_the_axis_behind_them() {
    let jumps = [
        (
            "atan2(sin(t), cos(t))",
            (20.0 - 6.0 * std::f64::consts::PI).powi(2) / 2.0,
        ),
        ("atan2(t - 5, -1)", 0.0),
    ];
    for (rate, value) in jumps {
        let text = format!("system s\nstate z\nrate z' = {rate}\ntime 0 .. 20 step 0.5\n");
        let z = |method: &str| {
            let found = simulated("angle", &text, &["--method", method]);
            found["final"]["z"].as_f64().unwrap_or(f64::NAN)
        };
        let (series, steps) = (z("taylor"), z("dop853"));
        assert!((series - steps).abs() < 1e-6, "{rate}: {series} {steps}");
        assert!(
            value == 0.0 || (series - value).abs() < 1e-6,
            "{rate}: {series}"
        );
    }
}

#[test]
fn high_powers_are_not_stepped_over() {
    // ∫ (1 − (t−5)²/25)^2000 dt over 0 .. 10 = 10·4^2000·(2000!)²/4001!, and ∫ (t/10)^1000 dt.
    let bump = (1..=2000).fold(10.0, |all: f64, k| {
        all * 2.0 * f64::from(k) / (2.0 * f64::from(k) + 1.0)
    });
    let cases = [
        ("(1 - (x-5)^2/25)^2000", bump),
        ("(x/10)^1000", 10.0 / 1001.0),
    ];
    for (force, expected) in cases {
        for method in ["taylor", "dop853", "radau5"] {
            let text = format!(
                "system s\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nforce (y: {force})\nstart x' = 1\ntime 0 .. 10 step 0.1\n"
            );
            let found = simulated("power", &text, &["--method", method]);
            let y = found["final"]["y'"].as_f64().unwrap_or(f64::NAN);
            assert!(
                (y - expected).abs() < 1e-6 * expected.max(1.0),
                "{force} {method}: {y} {expected}"
            );
        }
    }
}

#[test]
fn pulses_between_close_knots_are_met() {
    let model = "system push\ncoord x\nkinetic x'^2/2\ncontrol u on x\ntime 0 .. 1e8 step 1e7\n";
    let table = folder("table").join("burn.csv");
    let rows = "t,u\n0,0\n5e7,0\n50000000.001,1000\n50000000.002,0\n1e8,0\n";
    assert!(std::fs::write(&table, rows).is_ok());
    let input = format!("u={}", table.display());
    let found = simulated("burn", model, &["--input", &input]);
    let speed = found["final"]["x'"].as_f64().unwrap_or(f64::NAN);
    // Times are told apart to 1e-5 of the pulse there.
    assert!((speed - 1.0).abs() < 1e-4, "{speed}");
}

#[test]
fn jumps_and_poles_are_no_crossings_and_hide_none() {
    // x = cos(t + 1/2), y = sin(t + 1/2).
    let circle = "system circle\ncoord x, y\nlagrangian (x'^2 + y'^2 - x^2 - y^2)/2\n\
                  start x = cos(1/2), y = sin(1/2), x' = -sin(1/2), y' = cos(1/2)\ntime 0 .. 20 step 0.5\n";
    let cases = [
        ("atan2(y,x) - 3", 3),
        ("atan2(y,x) + 3.1", 3),
        ("1/y - 100", 6),
        ("y/sqrt(y^2) - 0.5", 0),
    ];
    for (event, count) in cases {
        for method in ["taylor", "dop853"] {
            let found = simulated("circle", circle, &["--event", event, "--method", method]);
            let events = found["events"].as_array().map_or(0, Vec::len);
            assert_eq!(events, count, "{event} {method}");
        }
    }
    let stopped = simulated("first", circle, &["--stop", "atan2(y,x) = 3"]);
    let t = stopped["t"].as_f64().unwrap_or(f64::NAN);
    assert!((t - 2.5).abs() < 1e-8, "{t}");
}

/// A motion that an event ends at a row has that row once.
#[test]
fn an_end_at_a_row_is_told_once() {
    let text =
        "system fall\ncoord x\nkinetic x'^2/2\nstart x = 1, x' = -1\ntime 0 .. 3 step 0.25\n";
    for method in ["taylor", "rk4", "dop853", "gauss4"] {
        let model = written(&format!("row_once_{method}"), text);
        let rows = folder(&format!("row_once_{method}_out")).join("rows.csv");
        let rows = rows.to_str().unwrap();
        let all = [
            "simulate", &model, "--method", method, "--stop", "x", "-o", rows,
        ];
        rattleback(all).exits(0);
        let times = tables::read(rows).column("t");
        assert!(times.windows(2).all(|t| t[0] < t[1]), "{method}: {times:?}");
        assert!((times[times.len() - 1] - 1.0).abs() < 1e-9);
    }
}

/// What is zero all the time crosses nothing, and is no riddle.
#[test]
fn a_function_that_is_zero_turns_never() {
    let text = "system still\ncoord x\nkinetic x'^2/2\npotential x^2/2\ncontrol u on x\nobserve w = u\nstart x = 1\n\
                time 0 .. 5 step 0.1\n";
    let found = simulated("still", text, &["--event", "w", "--event", "x"]);
    assert_eq!(
        found["warnings"].as_array().map(Vec::len),
        Some(0),
        "{found}"
    );
    assert_eq!(found["events"].as_array().map(Vec::len), Some(2));
}

/// A momentum that is observed has a value in every form, for events too.
#[test]
fn observed_momenta_cross_in_every_form() {
    let text = "system o\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 + 2*y^2)/2\nconstraint sin(t)*x' = y'\n\
                observe px2 = p_x\nstart x = 1, x' = 0.2\ntime 0 .. 6 step 0.1\n";
    let times = |form: &str| -> Vec<f64> {
        let found = simulated(
            &format!("momentum_in_{form}"),
            text,
            &["--form", form, "--event", "px2 = 0"],
        );
        let events = found["events"].as_array().unwrap();
        events.iter().map(|e| e["t"].as_f64().unwrap()).collect()
    };
    let (hamel, multipliers) = (times("hamel"), times("lagrange-dalembert"));
    assert!(!hamel.is_empty());
    assert_eq!(hamel.len(), multipliers.len());
    for (a, b) in hamel.iter().zip(&multipliers) {
        assert!((a - b).abs() < 1e-6, "{hamel:?} {multipliers:?}");
    }
}

/// What is conserved stays where it is: the signs of rounding are no crossings, and nothing is missing.
#[test]
fn what_is_conserved_crosses_nothing() {
    let text = "system s\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2/2\nstart x = 1, y' = 1\n\
                time 0 .. 20 step 1\n";
    let model = written("conserved", text);
    for method in ["taylor", "dop853"] {
        for (event, count) in [
            ("energy = 1", 0),
            ("energy = 1.0000001", 0),
            ("energy - y'^2/2 = 0.50000000001", 0),
            ("x'^2 + x^2 + sin(y') = 1.8414709848", 0),
            ("exp(-1e8*(y - 7)^2) = 0.5", 2),
            ("x^2 + x'^2 = 1", 0),
            ("x - cos(y) = 0", 0),
            ("y' = 1", 0),
            ("log(y - 2) = 0", 1),
            ("sqrt(y - 2) - 1 = 0", 1),
            ("x*energy = 0", 6),
        ] {
            let run = [
                "simulate", &model, "--json", "--method", method, "--event", event,
            ];
            let json = rattleback(run).exits(0).json();
            let events = json["events"].as_array().map_or(0, Vec::len);
            assert_eq!(events, count, "{method} {event}: {json:#}");
            assert_eq!(json["warnings"], serde_json::json!([]), "{method} {event}");
        }
    }
}
