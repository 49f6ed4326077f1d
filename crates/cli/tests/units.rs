//! Neither verdicts nor pages depend on the units of a model.

use crate::common::{rattleback, written};
use serde_json::Value;

fn answered(command: &str, name: &str, text: &str, extra: &[&str]) -> Value {
    let path = written(name, text);
    let arguments = [command, path.as_str(), "--json"].into_iter();
    rattleback(arguments.chain(extra.iter().copied()))
        .exits(0)
        .json()
}

/// The page has these texts.
#[track_caller]
fn shows(arguments: [&str; 2], texts: &[&str]) {
    let page = rattleback(arguments).exits(0).out;
    for text in texts {
        assert!(page.contains(text), "no `{text}` in:\n{page}");
    }
}

#[test]
fn fast_systems_are_as_controllable_as_slow_ones() {
    for stiffness in ["1", "1e14", "pi*1e12", "pi*1e16", "pi*1e-14"] {
        let text = format!(
            "system s\ncoord x\nlagrangian x'^2/2 - {stiffness}*x^2/2\nforce (x: -0.1*x')\ncontrol u on x\nobserve Y = x\n"
        );
        let found = answered("linearize", "fast", &text, &[]);
        for claim in ["controllable", "stabilisable", "observable"] {
            assert_eq!(found[claim]["verdict"], "proven", "{stiffness}: {claim}");
        }
    }
    for fast in ["1e3", "1e5", "1e6"] {
        let text = format!(
            "system s\ncoord x, y\nlagrangian (x'^2+y'^2)/2 - (pi*{fast})^2*x^2/2 - y^2/2 + x*y\ncontrol u on y\nobserve Y = y\n"
        );
        let found = answered("linearize", "coupled", &text, &[]);
        for claim in ["controllable", "stabilisable", "observable"] {
            assert_ne!(found[claim]["verdict"], "refuted", "{fast}: {claim}");
        }
    }
    // The fast mode dies out by itself; no control moves it.
    let text = "system s\ncoord x, y\nlagrangian (x'^2+y'^2)/2 - (2*pi*1e6)^2*x^2/2 - y^2/2\n\
                force (x: -100*x', y: -0.5*y')\ncontrol u on y\n";
    let found = answered("linearize", "apart", text, &[]);
    assert_eq!(found["controllable"]["verdict"], "refuted");
    assert_eq!(found["stabilisable"]["verdict"], "proven");
}

#[test]
fn light_damping_of_fast_modes_is_not_taken_for_none() {
    let model = |stiffness: &str, damping: &str| {
        format!(
            "system s\ncoord x, y\nlagrangian (x'^2+y'^2)/2 - {stiffness}*x^2/2 - y^2/2\n\
             force (x: -{damping}*x', y: -0.5*y')\ncontrol u on y\n"
        )
    };
    // Exact numbers decide what floating point does not see.
    let verdicts = [
        ("1e16", "10", "proven"),
        ("1e16", "1e-7", "proven"),
        ("1e16", "0", "refuted"),
        ("1e8*pi", "10", "proven"),
        ("1e16*pi", "1e-7", "undecided"),
        ("1e8*pi", "0", "refuted"),
    ];
    for (stiffness, damping, verdict) in verdicts {
        let found = answered("linearize", "light", &model(stiffness, damping), &[]);
        assert_eq!(
            found["stabilisable"]["verdict"], verdict,
            "{stiffness} {damping}"
        );
    }
}

#[test]
fn pages_show_small_numbers_beside_large_ones() {
    let earth = "system earth\nparam GM = 1.32712440018e20, m = 5.972e24\ncoord x, y\nkinetic m*(x'^2 + y'^2)/2\n\
                 potential -GM*m/sqrt(x^2 + y^2)\nstart x = 1.496e11, y' = 29780\ntime 0 .. 3e6 step 1e5\n";
    shows(
        ["simulate", &written("earth", earth)],
        &["1.236987e11", "8.412176e10", "-16751.", "24623."],
    );
    let micro = "system micro\nparam m = 9.1e-31\ncoord x\nkinetic m*x'^2/2\nstart x = 1e-6, x' = 2e4\ntime 0 .. 1e-9\n";
    shows(["simulate", &written("micro", micro)], &["1.82e-26"]);
    let stiff = "system s\ncoord x, y\nlagrangian (x'^2+y'^2)/2 - pi*1e24*x^2/2 - pi*y^2/2\n";
    shows(
        ["linearize", &written("stiff", stiff)],
        &["-3.141593", "1.772454i"],
    );
}

#[test]
fn heavy_bodies_with_multipliers_are_not_singular() {
    for mass in ["1e-8", "1", "1e16"] {
        let text = format!(
            "system skate\nparam M = {mass}\ncoord x, y, th\nkinetic M*(x'^2+y'^2)/2 + M*th'^2/2\n\
             constraint sin(th)*x' = cos(th)*y'\nstart x' = 1, th' = 0.5\ntime 0 .. 1\n"
        );
        let found = answered(
            "simulate",
            "skate",
            &text,
            &["--form", "lagrange-dalembert", "--method", "dop853"],
        );
        let x = found["final"]["x"].as_f64().unwrap_or(f64::NAN);
        assert!((x - 2.0 * 0.5f64.sin()).abs() < 1e-7, "{mass}: {x}");
    }
}

#[test]
fn small_motions_close_and_rest_by_their_own_measure() {
    for amplitude in ["1", "1e-6", "1e-12"] {
        let open = format!(
            "system s\ncoord x\nlagrangian x'^2/2 - x^2/2\nstart x = {amplitude}\ntime 0 .. 5\n"
        );
        let path = written("open", &open);
        let along = ["linearize", path.as_str(), "--along", "--periodic"];
        rattleback(along).exits(1).says(&["does not close"]);
        let closed = open.replace("0 .. 5", "0 .. 2*pi");
        let path = written("closed", &closed);
        rattleback(["linearize", path.as_str(), "--along", "--periodic"]).exits(0);
        shows(["linearize", &path], &["no equilibrium"]);
    }
}

#[test]
fn exponents_of_long_runs_sum_to_the_divergence() {
    let text = "system lorenz\nstate x, y, z\nrate x' = 10*(y - x)\nrate y' = x*(28 - z) - y\nrate z' = x*y - 8/3*z\n\
                start x = 1, y = 1, z = 20\ntime 0 .. 1\n";
    let found = answered(
        "simulate",
        "lorenz",
        text,
        &["--lyapunov", "3", "--until", "1000"],
    );
    let all = found["lyapunov"].as_array().cloned().unwrap_or_default();
    let sum: f64 = all.iter().filter_map(|e| e["value"].as_f64()).sum();
    assert!((sum + 41.0 / 3.0).abs() < 1e-4, "{sum}");
}

#[test]
fn starts_are_assembled_on_the_same_branch_in_all_units() {
    for s in ["1", "1e-5", "1e-6", "1e-7", "1e-9", "1e-12", "1e9"] {
        let text = format!(
            "system approx\nparam s = {s}\ncoord x, y\nkinetic (x'^2+y'^2)/2\nconstraint x^2 + y^2 = s^2\n\
             start x = 0.6*s, y ~ 0.9*s, x' = s\ntime 0 .. 1 step 0.5\n"
        );
        let path = written("approx", &text);
        let found = rattleback(["derive", &path, "--json"]).exits(0).json();
        let size: f64 = s.parse().unwrap_or(f64::NAN);
        let y = found["at_start"]["state"]["y"].as_f64().unwrap_or(f64::NAN);
        assert!((y / size - 0.8).abs() < 1e-9, "{s}: {y}");
    }
}

#[test]
fn the_nearest_equilibrium_is_the_same_in_all_units() {
    for s in ["1", "1e-3", "1e-6", "1e-9", "1e-12", "1e6"] {
        let text = format!(
            "system eq\nparam s = {s}\ncoord x\nkinetic x'^2/2\npotential -s^2*cos(x/s)\nstart x = 3*s\n"
        );
        let found = answered("linearize", "eq", &text, &["--at", "equilibrium"]);
        let size: f64 = s.parse().unwrap_or(f64::NAN);
        let x = found["at"]["x"].as_f64().unwrap_or(f64::NAN);
        assert!((x / size - std::f64::consts::PI).abs() < 1e-6, "{s}: {x}");
    }
}

#[test]
fn motions_part_in_all_units() {
    for s in ["1", "1e-5", "1e-10", "1e6"] {
        let text = format!(
            "system cmps\nparam s = {s}\ncoord x, y, z\nkinetic (x'^2+y'^2+z'^2)/2\nconstraint z' = y*x'/s\n\
             start y = s, x' = s, y' = s, z' = s\ntime 0 .. 3 step 0.5\n"
        );
        let found = answered("compare", "cmps", &text, &[]);
        assert_eq!(found["parted_at"], 0.5, "{s}");
        assert_eq!(found["compared_until"], 3.0, "{s}");
    }
}

/// A cart with an inverted pendulum and a spring, lengths, masses and times in these units.
fn cart(length: f64, mass: f64, time: f64, start: &str) -> String {
    let value = |name: &str, x: f64, l: i32, m: i32, t: i32| {
        let x = x * length.powi(l) * mass.powi(m) * time.powi(t);
        format!("param {name} = {x:e}\n")
    };
    [
        "system cart\n".to_owned(),
        value("M", 3.0, 0, 1, 0),
        value("m", 1.3, 0, 1, 0),
        value("l", 0.7, 1, 0, 0),
        value("g", 9.81, 1, 0, -2),
        value("k", 0.8, 0, 1, -2),
        value("v", 0.2, 1, 0, -1),
        "coord x\ncoord th : angle\nkinetic (M + m)/2*x'^2 + m*l*cos(th)*x'*th' + m*l^2/2*th'^2\n"
            .to_owned(),
        format!("potential m*g*l*cos(th) + k*x^2/2\nstart {start}\n"),
    ]
    .concat()
}

fn eigenvalues(found: &Value, time: f64) -> Vec<(f64, f64)> {
    let all = found["eigenvalues"].as_array().unwrap().iter();
    let part = |e: &Value, name: &str| e[name].as_f64().unwrap() * time;
    let mut all: Vec<(f64, f64)> = all.map(|e| (part(e, "re"), part(e, "im"))).collect();
    all.sort_by(|a, b| (a.0 + 1e-3 * a.1).total_cmp(&(b.0 + 1e-3 * b.1)));
    all
}

#[test]
fn equilibria_are_linearised_about_in_all_units() {
    let units = [1e-8, 1.0, 1e8];
    let about = |l: f64, m: f64, t: f64| {
        let model = cart(l, m, t, "th = 0.1, x' = v");
        let found = answered("linearize", "cart", &model, &["--at", "equilibrium"]);
        eigenvalues(&found, t)
    };
    let known = about(1.0, 1.0, 1.0);
    assert!((known[3].0 - 4.47).abs() < 0.01, "{known:?}");
    for (l, t) in units.into_iter().flat_map(|l| units.map(|t| (l, t))) {
        for (a, b) in known.iter().zip(about(l, 1e3, t)) {
            let off = (a.0 - b.0).hypot(a.1 - b.1);
            assert!(off < 1e-6, "lengths {l:e}, times {t:e}: {a:?} {b:?}");
        }
    }
}

#[test]
fn slow_motions_are_no_equilibria() {
    let about = |start: &str, k: &str| {
        let text = format!(
            "system orbit\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential -{k}/sqrt(x^2 + y^2)\n\
             symmetry turn = (x: -y, y: x)\nstart x = 1, {start}\n"
        );
        rattleback(["linearize", &written("orbit", &text)])
            .exits(0)
            .out
    };
    let page = about("y' = 2e-10", "4e-20");
    assert!(page.contains("turn at rate 2e-10"), "{page}");
    let page = about("y' = 3e-10", "4e-20");
    assert!(page.contains("about a state"), "{page}");
    // 0.3333337 is no third.
    let found = answered(
        "linearize",
        "third",
        "system third\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential 0.3333337^2*(x^2 + y^2)/2\n\
        symmetry turn = (x: -y, y: x)\nstart x = 1, y' = 0.3333337\n",
        &[],
    );
    for row in found["A"].as_array().unwrap() {
        for entry in row.as_array().unwrap() {
            assert!(
                !entry["text"].as_str().is_some_and(|t| t.contains("/3")),
                "{entry}"
            );
        }
    }
}

/// Two wells 3e-9 on either side of a hill, which is 0 for whoever takes small numbers for none.
#[test]
fn a_simple_state_nearby_is_not_taken_for_the_one_found() {
    let text = "system wells\nparam a = 3e-9\ncoord x, y\nkinetic (x'^2 + y'^2)/2\n\
        potential 1e16*(x^2 - a^2)^2 + (y - 1)^2/2\nstart x = 3.1e-9, y = 1.1\n";
    let found = answered("linearize", "wells", text, &["--at", "equilibrium"]);
    let x = found["at"]["x"].as_f64().unwrap();
    assert!((x - 3e-9).abs() < 1e-15, "{x}");
}

#[test]
fn a_regulator_holds_a_state_that_the_cost_asks_for() {
    for a in ["1", "1e-10", "1e10"] {
        let model = |start: &str| {
            format!(
                "system hold\nparam a = {a}\ncoord x\nkinetic x'^2/2\ncontrol u on x\ncost ((x - a)^2 + u^2)/2\nstart x = {start}\n"
            )
        };
        let found = answered("linearize", "held", &model("a"), &[]);
        let gain = found["lqr"]["gains"][0][0].as_f64();
        assert!(
            gain.is_some_and(|k| (k - 1.0).abs() < 1e-9),
            "{a}: {gain:?}"
        );
        let found = answered("linearize", "left", &model("0"), &[]);
        assert!(found["lqr"].is_null(), "{a}");
    }
}
