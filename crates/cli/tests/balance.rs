//! A guard for every run: true changes are no errors, errors are told, values that are none end the motion.

use crate::common::following::Case;
use crate::common::{all_shipped, rattleback, shipped, written};
use rattleback::mechanics::Form;
use rattleback::simulation::{Method, Options};
use serde_json::Value;

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"))
}

/// The energy changes by more than `change` in every form that applies, and the balance holds all the same.
#[track_caller]
fn balanced(text: &str, change: f64) {
    let case = Case::text(text);
    let mut forms = 0;
    for form in Form::ALL {
        let Ok(equations) = case.system.equations(form) else {
            continue;
        };
        forms += 1;
        for method in [Method::TAYLOR, Method::DOP853, Method::RADAU5] {
            let options = Options {
                method: Some(method),
                ..Options::default()
            };
            let end = case.follow_with(&equations, &options, &[]).outcome;
            let found = end.energy_change.unwrap();
            assert!(found > change, "{form} {method}: changes by {found:.1e}");
            let error = end
                .energy_error
                .unwrap_or_else(|| panic!("{form}: no balance"));
            assert!(error < 1e-7, "{form} {method}: off by {error:.1e}");
            assert_eq!(end.warnings, [""; 0], "{form} {method}");
        }
    }
    assert!(forms >= 2, "{forms} forms of\n{text}");
}

#[test]
fn damping_is_work_and_no_error() {
    balanced(
        "system damped\ncoord q\nlagrangian q'^2/2 + cos(q)\nforce (q: -q'/5)\nstart q = 2\ntime 0 .. 10\n",
        0.5,
    );
}

#[test]
fn driving_in_time_is_work() {
    balanced(
        "system driven\ncoord q\nlagrangian (2 + sin(t))/4*q'^2 + cos(q)*(1 + cos(3*t)/2)\nstart q = 1\ntime 0 .. 10\n",
        0.1,
    );
}

#[test]
fn constraints_that_move_do_work() {
    // A bead on a wire that turns, with a term that only time has.
    balanced(
        "system turned\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint cos(t)*y' = sin(t)*x' + x\n\
         start x = 1, x' = 1\ntime 0 .. 3\n",
        0.1,
    );
    // A lift: the constraint on a position moves.
    balanced(
        "system lift\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential y + x^2/2\nconstraint y = sin(t) + x^2/4\n\
         start x = 1, y = 1/4, x' = 0\ntime 0 .. 5\n",
        0.1,
    );
}

#[test]
fn damping_on_groups_and_constraints_is_work() {
    balanced(
        "system body\ngroup R : SO(3) velocity w\nkinetic (w[1]^2 + 2*w[2]^2 + 3*w[3]^2)/2\n\
         force (w[1]: -w[1]/10, w[2]: -w[2]/10, w[3]: cos(t))\nstart w = [1, 2, 3]\ntime 0 .. 5\n",
        0.5,
    );
    balanced(
        "system sleigh\ncoord x, y\ncoord phi : angle\nkinetic (x'^2 + y'^2 + phi'^2)/2\n\
         force (x: -x'/3, phi: sin(t))\nconstraint sin(phi)*x' = cos(phi)*y'\nstart x' = 1, phi' = 1\ntime 0 .. 1\n",
        0.1,
    );
}

#[test]
fn no_shipped_model_raises_an_alarm() {
    for name in all_shipped() {
        let json = rattleback(["simulate", &shipped(&name), "--json"])
            .exits(0)
            .json();
        assert_eq!(json["warnings"], serde_json::json!([]), "{name}");
        assert!(json["energy_change"].is_number(), "{name}");
        assert!(number(&json["max_energy_error"]) < 1e-5, "{name}: {json:#}");
    }
}

#[test]
fn momenta_that_are_conserved_are_told_from_those_that_change() {
    let orbit = rattleback(["simulate", &shipped("central_force"), "--json"]).json();
    assert_eq!(
        orbit["conserved_momenta"],
        serde_json::json!(["momentum_yaw"])
    );
    // The blade pushes along the slide.
    let blade = rattleback(["simulate", &shipped("knife_edge"), "--json"]).json();
    assert_eq!(blade["conserved_momenta"], serde_json::json!([]));
    assert!(number(&blade["max_momentum_change"]["momentum_slide"]) > 0.1);
    // Conserved at these values only: the force vanishes.
    let text = |f: &str| {
        format!(
            "system s\nparam f = {f}\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential y^2\nforce (x: f)\n\
             symmetry east = (x: 1)\nstart x' = 1, y = 1\ntime 0 .. 1\n"
        )
    };
    let of = |test: &str, f: &str| {
        let json = rattleback(["simulate", &written(test, text(f)), "--json"]).exits(0);
        json.json()["conserved_momenta"].as_array().unwrap().len()
    };
    assert_eq!(of("balance_force", "1/2"), 0);
    assert_eq!(of("balance_no_force", "0"), 1);
}

#[test]
fn long_steps_are_warned_of_and_no_failure() {
    let text = "system swing\ncoord q\nlagrangian q'^2/2 + cos(q)\nstart q = 2\ntime 0 .. 40\n";
    let model = written("balance_long_steps", text);
    let arguments = ["simulate", &model, "--method", "rk4", "--step", "1.5"];
    let json = rattleback(arguments.into_iter().chain(["--json"]))
        .exits(0)
        .json();
    let warnings = json["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 1, "{json:#}");
    let told = warnings[0].as_str().unwrap();
    assert!(
        told.contains("balance of energy") && told.contains("--step"),
        "{told}"
    );
    let page = rattleback(arguments).exits(0).out;
    assert!(page.contains("warning: the balance of energy"), "{page}");
    // With steps that are short enough there is nothing to say.
    let fine = rattleback([
        "simulate", &model, "--method", "rk4", "--step", "0.01", "--json",
    ]);
    assert_eq!(fine.exits(0).json()["warnings"], serde_json::json!([]));
}

/// A motion that chaos takes anywhere keeps its energy: that its digits are not determined is told by another tolerance.
#[test]
fn digits_that_are_not_determined_are_told() {
    // A chain of four links between two walls, which all but stretches out again and again.
    let chain = "system chain\ncoord q1, q2, q3, q4 : angle\n\
                 kinetic (q1'^2 + q2'^2 + q3'^2 + q4'^2)/2 + cos(q1 - q2)*q1'*q2'/3\npotential sin(q1) + sin(q3)\n\
                 constraint cos(q1) + 2*cos(q2) + cos(q3) + cos(q4) = -0.8818756578241822\n\
                 constraint sin(q1) + 2*sin(q2) + sin(q3) + sin(q4) = 0.6552826898958098\n\
                 start q1 ~ 0.7253397588348385, q2 ~ 1.9961711121607746, q3 ~ 4.3289064454996105\n\
                 start q4 ~ 4.267150618171678, q1' = 2.619, q2' = -0.312\ntime 0 .. 3 step 0.05\n";
    let pendulum = "system swing\ncoord q\nlagrangian q'^2/2 + cos(q)\nstart q = 2\ntime 0 .. 20\n";
    for method in ["taylor", "dop853", "radau5"] {
        let page = |name: &str, text: &str, more: &[&str]| {
            let model = written(&format!("balance_digits_{name}"), text);
            let arguments = ["simulate", &model, "--method", method, "--json"].into_iter();
            rattleback(arguments.chain(more.iter().copied()))
                .exits(0)
                .json()
        };
        let told = page("chain", chain, &[]);
        let words = told["warnings"][0].as_str().unwrap_or_default();
        assert!(
            words.contains("digits are not determined"),
            "{method}: {told:#}"
        );
        let told = page("swing", pendulum, &[]);
        assert_eq!(told["warnings"], serde_json::json!([]), "{method}");
        let other = page("swing", pendulum, &["--rtol", "1e-8", "--atol", "1e-11"]);
        let [a, b] = [&told, &other].map(|page| number(&page["final"]["q"]));
        let difference = number(&told["coarser"]["difference"]);
        assert!(
            difference >= (a - b).abs() && difference < 1e-5,
            "{method}: {difference}"
        );
    }
}

/// Beside a matrix that is nearly singular equal steps are wrong for a moment, and energy may hold well enough: the same
/// motion in steps twice as long tells.
#[test]
fn equal_steps_beside_nearly_singular_matrices_are_told() {
    // A four-bar that nearly lies flat, a blade that nearly loses its direction, a coordinate that nearly loses its mass.
    let bar = "system bar\ncoord q1, q2, q3 : angle\n\
               kinetic (q1'^2 + q2'^2 + q3'^2)/2 + q1'*q2'*cos(q1 - q2)/3\npotential 0.944*sin(q1)\n\
               constraint 1.7033975917522752*(cos(q1) - cos(q3)) + 0.594660232831564*cos(q2) = 0.5997607195906105\n\
               constraint 1.7033975917522752*(sin(q1) - sin(q3)) + 0.594660232831564*sin(q2) = 0\n\
               start q1 = 0.8972610522551645, q2 ~ -3.817419067989518, q3 ~ 1.571506243191056, q1' = 1.759\n\
               time 0 .. 4 step 0.01\n";
    let blade = "system blade\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential 0.169*y + 0.068*x*z\n\
                 constraint (x - 0.688)*y' + 0.0054*z' = 0.00057*x'\nstart x' = 1, y' = 0.1\ntime 0 .. 2 step 0.01\n";
    let mass = "system mass\ncoord x, y\nkinetic x'^2/2 + (1e-4 + (x - 1/2)^2)*y'^2/2\npotential y/3\n\
                start x' = 1, y' = 1\ntime 0 .. 2 step 0.01\n";
    let mut told = 0;
    for (name, text) in [("bar", bar), ("blade", blade), ("mass", mass)] {
        let model = written(&format!("balance_near_{name}"), text);
        let simulated = |more: &[&str]| {
            let arguments = ["simulate", &model, "--json"].into_iter();
            rattleback(arguments.chain(more.iter().copied()))
        };
        let right = simulated(&["--rtol", "1e-12"]).exits(0).json();
        for method in ["rk4", "gauss2", "gauss4", "gauss6", "gauss8"] {
            let run = simulated(&["--method", method]);
            if run.code != 0 {
                continue;
            }
            let page = run.json();
            let names: &[&str] = if name == "bar" {
                &["q1", "q2", "q3"]
            } else {
                &["x", "y"]
            };
            let off = names.iter().map(|q| {
                let [a, b] = [&right, &page].map(|page| number(&page["final"][*q]));
                (a - b).abs() / a.abs().max(1.0)
            });
            let off = off.fold(0.0, f64::max);
            let warnings = page["warnings"].as_array().unwrap();
            assert!(
                off < 1e-3 || !warnings.is_empty(),
                "{name}, {method}: {off:e}"
            );
            told += usize::from(!warnings.is_empty());
        }
    }
    assert!(told >= 4, "{told}");
    // Steps that are short enough are not warned of, and their error is within what is told.
    let model = written("balance_far", mass.replace("1e-4", "1"));
    let page = |step: &str| {
        let method = ["--method", "gauss4", "--step", step, "--json"];
        let arguments = ["simulate", &model].into_iter().chain(method);
        rattleback(arguments).exits(0).json()
    };
    let (coarse, fine) = (page("0.02"), page("0.01"));
    assert_eq!(fine["warnings"], serde_json::json!([]));
    let told = &fine["coarser"];
    let name = told["name"].as_str().unwrap();
    let [a, b] = [&coarse, &fine].map(|page| number(&page["final"][name]));
    assert!(number(&told["difference"]) >= (a - b).abs(), "{told}");
    assert!(number(&told["difference"]) < 1e-5, "{told}");
    assert_eq!(number(&told["until"]), 2.0);
}

#[test]
fn an_energy_that_is_no_number_ends_the_motion() {
    // The rates are finite, the energy is not: exp(1000) has no floating-point value.
    let text =
        "system high\ncoord x\nlagrangian x'^2/2 - x - exp(1000)\nstart x' = 1\ntime 0 .. 1\n";
    let model = written("balance_no_number", text);
    let run = rattleback(["simulate", &model, "--json"]).exits(1);
    let json = run.json();
    let error = json["error"].as_str().unwrap();
    assert!(error.contains("`energy` is inf at t = 0"), "{error}");
    assert_eq!(json["ended"], "failed");
}

#[test]
fn a_linkage_through_a_flat_position_is_right_or_told() {
    // Two rods and a coupler that turn over: the frame of the constraints ends where all are in line. Whatever the
    // form does there, a motion that has lost its energy does not end well.
    let text = "system parallelogram\ncoord x1, z1, x2, z2\nkinetic (x1'^2 + z1'^2 + x2'^2 + z2'^2)/2\n\
                potential 9.81*(z1 + z2)\nconstraint x1^2 + z1^2 = 1\nconstraint (x1 - x2)^2 + (z1 - z2)^2 = 4\n\
                constraint (x2 - 2)^2 + z2^2 = 1\nstart z1 = -1, x2 = 2, z2 = -1, x1' = 8\ntime 0 .. 5\n";
    let model = written("balance_linkage", text);
    for form in ["hamel", "lagrange-dalembert", "hamiltonian", "projection"] {
        let run = rattleback(["simulate", &model, "--form", form, "--json"]);
        let json = run.json();
        let held = number(&json["max_energy_error"]) < 1e-3;
        assert!(held || run.code == 1, "{form}: {} {json:#}", run.code);
        assert_eq!(json["error"].is_null(), run.code == 0, "{form}: {json:#}");
    }
}

/// An energy that is zero because its terms cancel is known to the rounding of these.
#[test]
fn rounding_of_terms_that_cancel_is_no_error() {
    let text = "system ridge\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential -x^2/2\nconstraint x*y = 0\n\
                start x = 1, x' = -1\ntime 0 .. 4 step 0.01\n";
    let model = written("ridge", text);
    for form in ["lagrange-dalembert", "projection", "hamiltonian"] {
        for method in ["taylor", "dop853"] {
            let run = rattleback([
                "simulate", &model, "--json", "--form", form, "--method", method,
            ])
            .exits(0);
            assert_eq!(
                run.json()["warnings"],
                Value::Array(vec![]),
                "{form} {method}"
            );
        }
    }
}

#[test]
fn both_motions_of_a_comparison_are_under_guard() {
    let text = "system high\ncoord x, y\nlagrangian (x'^2 + y'^2)/2 - exp(1000)\nconstraint y' = x*x'\n\
                start x' = 1\ntime 0 .. 1\n";
    let model = written("balance_compare", text);
    rattleback(["compare", &model])
        .exits(1)
        .says(&["`energy` is inf at t = 0"]);
}

#[test]
fn events_that_end_a_step_end_the_work_too() {
    let text = "system falling\ncoord z\nlagrangian z'^2/2 - 10*z\nforce (z: -z'/2)\nstart z = 5\ntime 0 .. 10\n";
    let model = written("balance_event", text);
    let json = rattleback(["simulate", &model, "--stop", "z = 0", "--json"])
        .exits(0)
        .json();
    assert!(number(&json["energy_change"]) > 1.0);
    assert!(number(&json["max_energy_error"]) < 1e-7, "{json:#}");
}

/// A close encounter costs digits that the tolerance of its huge energies explains: that is said.
#[test]
fn digits_lost_in_a_close_encounter_are_told() {
    let text = "system comet\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential -1/sqrt(x^2 + y^2)\n\
                start x = 1, y' = 1e-4\ntime 0 .. 3 step 0.1\n";
    let model = written("comet", text);
    for method in ["dop853", "dopri5", "radau5", "taylor"] {
        let run = rattleback(["simulate", &model, "--method", method, "--json"]).exits(0);
        let page = run.json();
        // Kepler's equation for this ellipse.
        let off = (page["final"]["x"].as_f64().unwrap() - 0.656_537_4).abs();
        let warnings = page["warnings"].to_string();
        assert!(
            off < 1e-5 || warnings.contains("digits were lost"),
            "{method}: {off} {warnings}"
        );
    }
}

/// Steps of series over a whole swing: the work in them is summed up to the tolerance.
#[test]
fn work_along_long_steps_is_summed_up() {
    for (stiffness, force, until) in [
        ("1", "-0.2*x'", "20"),
        ("1", "-x'/100", "100"),
        ("10", "sin(2*t)", "20"),
        ("0.1", "cos(3*t) - 0.1*x'", "100"),
    ] {
        let text = format!(
            "system s\ncoord x\nkinetic x'^2/2\npotential {stiffness}*x^2/2\nforce (x: {force})\nstart x = 1\n\
             time 0 .. {until} step 0.02\n"
        );
        let model = written("long_work", text);
        let run = ["simulate", &model, "--method", "taylor", "--json"];
        let json = rattleback(run).exits(0).json();
        assert!(
            number(&json["max_energy_error"]) < 1e-8,
            "{force}: {json:#}"
        );
        assert_eq!(json["warnings"], serde_json::json!([]), "{force}");
    }
}
