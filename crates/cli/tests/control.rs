//! `rattleback control` as a user meets it.

use crate::common::{rattleback, shipped, written};
use serde_json::Value;

const CART: &str = "system cart_pole\nparam M = 1, m = 0.3, l = 0.5, g = 9.81\ncoord x\ncoord th : angle\n\
    kinetic M/2*x'^2 + m/2*(x'^2 + 2*x'*l*th'*cos(th) + l^2*th'^2)\npotential m*g*l*cos(th)\nsymmetry east = (x: 1)\n\
    control u on x\ncost u^2/2\nstart x = 0, th = 0.2, x' = 0, th' = 0\ngoal x = 0.5, th = 0, x' = 0, th' = 0\ntime 0 .. 1.5\n";

const POINT: &str = "system point\ncoord x\nkinetic x'^2/2\ncontrol u on x\n";

#[track_caller]
fn solved(model: &str, more: &[&str]) -> Value {
    let arguments = ["control", model, "--json"].into_iter();
    let found = rattleback(arguments.chain(more.iter().copied()))
        .exits(0)
        .json();
    assert_eq!(found["status"], "solved");
    assert_eq!(found["converged"], true);
    found
}

#[track_caller]
fn close(found: &Value, exact: f64, within: f64) {
    let found = found
        .as_f64()
        .unwrap_or_else(|| panic!("{found} is no number"));
    assert!((found - exact).abs() <= within, "{found} is not {exact}");
}

#[test]
fn the_object_has_what_the_contract_names() {
    let model = written("control_cart", CART);
    let found = solved(&model, &[]);
    assert_eq!(found["system"], "cart_pole");
    assert_eq!(found["problem"], "optimal-control");
    close(&found["cost"], 2.087576694340, 2e-6);
    assert!(found["cost_error"].as_f64().unwrap() <= 1e-6);
    close(&found["final_time"], 1.5, 1e-12);
    assert_eq!(
        (&found["scheme"], &found["order"]),
        (&"hermite-simpson".into(), &4.into())
    );
    close(&found["start"]["u"], 6.13659, 1e-4);
    close(&found["final"]["u"], 1.81398, 1e-4);
    close(&found["costates"]["start"]["x"], 1.5945, 1e-3);
    close(&found["hamiltonian"]["mean"], 1.64526, 1e-3);
    assert_eq!(found["momenta"][0]["name"], "east");
    assert!(found["momenta"][0]["spread"].as_f64().unwrap() < 1e-8);
    assert_eq!(found["second_order"]["verdict"], "proven");
    assert_eq!(found["second_order"]["basis"], "numerical");
    // What the spline through the controls is off by grows with the fall of the pole.
    assert!(found["replay_error"].as_f64().unwrap() < 1e-3);
    let rows = found["trajectory"]["t"].as_array().unwrap().len();
    assert_eq!(rows as u64, found["nodes"].as_u64().unwrap() + 1);
    for name in ["x", "th", "x'", "th'", "u", "p_x"] {
        assert_eq!(
            found["trajectory"][name].as_array().unwrap().len(),
            rows,
            "{name}"
        );
    }
}

#[test]
fn constrained_models_are_replayed() {
    let found = solved(&shipped("sleigh_parking"), &[]);
    close(&found["cost"], 1.568512, 1e-5);
    assert!(found["replay_error"].as_f64().unwrap() < 1e-3);
    // Three end velocities, two of which say all.
    assert!(found["notes"].to_string().contains("follows from"));
}

#[test]
fn a_result_is_a_table_a_figure_and_a_guess() {
    let model = written("control_guess", CART);
    let csv = model.replace(".mech", ".csv");
    let svg = model.replace(".mech", ".svg");
    let first = solved(&model, &["--nodes", "20", "-o", &csv, "--plot", &svg]);
    assert_eq!(first["nodes"], 20);
    assert_eq!(first["cost_error"], Value::Null);
    assert!(std::fs::read_to_string(&svg).unwrap().contains("<svg"));
    let again = solved(&model, &["--nodes", "50", "--guess", &csv]);
    close(&again["cost"], 2.0875767, 1e-5);
}

#[test]
fn schemes_are_chosen_by_name() {
    let model = written("control_schemes", CART);
    let found = solved(&model, &["--scheme", "midpoint", "--nodes", "20"]);
    close(&found["cost"], 1.9810117245, 1e-9);
    let wrong = rattleback(["control", &model, "--scheme", "simpson"]).exits(2);
    assert!(wrong.err.contains("hermite-simpson"), "{}", wrong.err);
}

#[test]
fn a_problem_without_solution_is_told_with_its_path() {
    let text = format!("{POINT}cost u^2\nbound -1 <= u <= 1\ngoal x = 1, x' = 0\ntime 0 .. 1\n");
    let model = written("control_far", &text);
    let run = rattleback(["control", &model, "--json", "--nodes", "20"]).exits(1);
    let found = run.json();
    assert_eq!(found["status"], "infeasible");
    assert_eq!(found["converged"], false);
    assert_eq!(found["trajectory"]["x"].as_array().unwrap().len(), 21);
    assert!(
        run.err.contains("violated by") && run.err.contains("help:"),
        "{}",
        run.err
    );
}

#[test]
fn statements_that_do_not_go_together_are_told_with_their_line() {
    let refused = |name: &str, text: String, said: &[&str]| {
        let model = written(name, &text);
        rattleback(["control", &model]).exits(2).says(said);
    };
    refused(
        "control_no_goal",
        format!("{POINT}cost u^2\ntime 0 .. 1\n"),
        &["no problem with ends", "goal"],
    );
    refused(
        "control_no_time",
        format!("{POINT}cost u^2\ngoal x = 1\n"),
        &["time"],
    );
    refused(
        "control_no_cost",
        format!("{POINT}goal x = 1\ntime 0 .. 1\n"),
        &["nothing to be made least", ":4:"],
    );
    refused(
        "control_outside",
        format!("{POINT}cost u^2\nbound x >= 1/2\ngoal x = 1\ntime 0 .. 1\n"),
        &["the start is outside", ":6:"],
    );
    refused(
        "control_contradiction",
        format!("{POINT}cost u^2\ngoal x = 1, 2*x = 4\ntime 0 .. 1\n"),
        &["contradicts"],
    );
}

#[test]
fn a_page_for_a_person() {
    let model = written("control_page", CART);
    let run = rattleback(["control", &model]).exits(0);
    for text in [
        "status",
        "solved",
        "cost",
        "2.08757",
        "minimum",
        "Hamiltonian",
        "replay",
    ] {
        assert!(run.out.contains(text), "no {text} in:\n{}", run.out);
    }
}

/// Discrete paths that jump where no motion goes: meshes that do not agree are no solution.
#[test]
fn paths_that_are_no_motions_are_not_solved() {
    let across = "system across\nstate x\ncontrol u\nrate x' = x*u\ncost u^2/2\nstart x = 1\ngoal x = -1\ntime 0 .. 1\n";
    let conjugate = "system conjugate\ncoord x\nlagrangian x'^2/2 - x^2/2\nstart x = 0\ngoal x = 1\ntime 0 .. pi\n";
    let shrinking = "system shrinking\nstate x\ncontrol u\nrate x' = u\ncost 1 + u^2/2\nfree T = 1\nstart x = 0\ngoal x = T\ntime 0 .. T\n";
    for (name, text) in [
        ("across", across),
        ("conjugate", conjugate),
        ("shrinking", shrinking),
    ] {
        let model = written(&format!("control_{name}"), text);
        let run = rattleback(["control", &model, "--json"]);
        let found = run.exits(1).json();
        assert_ne!(found["status"], "solved", "{name}");
        assert_ne!(found["reachability"]["verdict"], "proven", "{name}");
    }
}

/// Two values of the control are as cheap, and their mean is dearer: zero is attained by three switches, which meshes do not
/// find, so that nothing is called solved, nor that nothing attains it.
#[test]
fn a_path_that_other_controls_improve_is_no_solution() {
    let text = format!("{POINT}cost (u^2 - 4)^2\nstart x = 0\ngoal x = 0, x' = 0\ntime 0 .. 1.5\n");
    let model = written("control_two_wells", &text);
    let run = rattleback(["control", &model, "--json"]).exits(1);
    let found = run.says(&["it is no minimum"]).json();
    assert_eq!(found["status"], "iteration-limit");
    assert_eq!(found["second_order"]["verdict"], "undecided");
}

/// On one mesh nothing is held against needles: what the necessary conditions say is a warning.
#[test]
fn what_speaks_against_a_path_is_a_warning() {
    let text = format!("{POINT}cost (u^2 - 4)^2\nstart x = 0\ngoal x = 0, x' = 0\ntime 0 .. 1.5\n");
    let model = written("control_another_path", &text);
    let found = solved(&model, &["--nodes", "20"]);
    let warnings = found["warnings"].to_string();
    assert!(
        warnings.contains("lead to another path, at the cost 24.00"),
        "{warnings}"
    );
    assert_eq!(found["second_order"]["verdict"], "undecided");
    close(&found["routes"]["indirect"]["cost"], 24.0, 1e-9);
}

/// Two slopes cost nothing, and their mean is the only path that is as cheap as they can be.
#[test]
fn a_mean_of_controls_is_not_attained() {
    let text = "system mean\nstate x\ncontrol u\nrate x' = u\ncost x^2 + (u^2 - 1)^2\ngoal x = 0\ntime 0 .. 1\n";
    let model = written("control_mean", text);
    let run = rattleback(["control", &model, "--json"]).exits(1);
    let found = run.says(&["the least cost is not attained"]).json();
    assert_eq!(found["status"], "unbounded");
}

/// Engel's line is rigid: it is a minimum whatever the second derivatives of its many Lagrangians are.
#[test]
fn an_abnormal_extremal_is_named() {
    let text = "system engel\nstate x, y, z, w\ncontrol u, v\nrate x' = u, y' = v, z' = x*v, w' = x^2*v/2\ncost (u^2 + (1 + x)^2*v^2)/2\ngoal x = 0, y = 1, z = 0, w = 0\ntime 0 .. 1\n";
    let model = written("control_engel", text);
    let found = solved(&model, &[]);
    close(&found["cost"], 0.5, 1e-9);
    for claim in ["second_order", "reachability"] {
        assert_eq!(found[claim]["verdict"], "undecided", "{claim}");
        let why = found[claim]["why"].as_str().unwrap_or_default();
        assert!(why.contains("an abnormal extremal"), "{why}");
    }
    let page = rattleback(["control", &model]).exits(0).out;
    assert!(page.contains("the extremal is abnormal"), "{page}");
}

/// A steering angle can be followed as it is written, and the path is a strict minimum.
#[test]
fn a_steering_angle_is_replayed() {
    let text = "system ship\nstate x, y\ncontrol th\nrate x' = cos(th) - 0.6*y, y' = sin(th)\ncost 1\nfree T = 4\nbound 0.1 <= T <= 30\nstart x = 2, y = -1.5\ngoal x = 0, y = 0.5\ntime 0 .. T\n";
    let model = written("control_ship", text);
    let found = solved(&model, &[]);
    assert!(found["replay_error"].as_f64().unwrap() < 1e-5);
    assert_eq!(found["second_order"]["verdict"], "proven");
    assert_eq!(found["warnings"].as_array().map(Vec::len), Some(0));
}

/// Pulses at the start cost less and less, as slowly as a logarithm: meshes agree to a hundredth, and nothing confirms them.
#[test]
fn a_cost_that_still_changes_on_the_last_mesh_is_not_solved() {
    let model = written(
        "slow_pulses",
        "system slow\nstate x\ncontrol u\nrate x' = u\ncost t*u^2\ngoal x = 1\ntime 0 .. 1\n",
    );
    let run = rattleback(["control", &model, "--json"]).exits(1);
    assert_ne!(run.json()["status"], "solved");
}

/// Pulses that fall between the samples of all meshes are paid for by the motion under the found controls.
#[test]
fn what_is_paid_between_the_samples_is_seen() {
    for (name, at) in [("time", "t"), ("place", "x")] {
        let text = format!(
            "system pulse\nstate x\ncontrol u\nrate x' = u\ncost u^2 + 2e4*exp(-(({at} - 0.43217)*1e4)^2)\ngoal x = 1\ntime 0 .. 1\n"
        );
        let model = written(&format!("control_pulse_{name}"), text);
        let run = rattleback(["control", &model, "--json"]);
        let found = run.json();
        let cost = found["cost"].as_f64().unwrap();
        let paid = 1.0 + 2.0 * std::f64::consts::PI.sqrt();
        let known = (cost - paid).abs() <= 1e-2 * paid;
        assert!(known || found["status"] != "solved", "{name}: {cost}");
    }
}

/// A curve whose constraint is nonlinear in the velocities: what jumps between two branches of it is no extremal.
#[test]
fn stationary_curves_keep_their_hamiltonian() {
    let text = "system branches\ncoord x, y\nlagrangian y'^2/2\nconstraint x'^2 + y'^2 = 4\nstart x = 0, y = 0, x' = 2, y' = 0\n\
        goal x = 1, y = 1\nguess x = t, y = t + 0.5*sin(pi*t)\ntime 0 .. 1\n";
    let model = written("control_branches", text);
    let run = rattleback(["control", &model, "--json"]).exits(1);
    let found = run.json();
    assert_ne!(found["status"], "solved");
    assert!(!run.err.contains("cannot treat"), "{}", run.err);
}

/// What holds to tolerances resists nothing, and a cost of next to nothing has a Hamiltonian of next to nothing.
#[test]
fn rounding_is_no_reason() {
    let text = "system rigid\nstate x, y\ncontrol u\nrate x' = u, y' = u^2\ncost u^2 + u\ngoal x = 0, y = 0\ntime 0 .. 1\n";
    let model = written("control_rounding", text);
    let run = rattleback(["control", &model]);
    assert!(!run.err.contains("the Hamiltonian changes"), "{}", run.err);
}

/// A model in steps has no other scheme to try.
#[test]
fn what_maps_leave_open_is_no_matter_of_schemes() {
    let text = "system steps\nstate x\ncontrol u\ncontrol v\nmap next(x) = x + u + v\ncost (u + v)^2\ngoal x = 1\ntime 0 .. 6 step 1\n";
    let model = written("control_map_open", text);
    let run = rattleback(["control", &model]).exits(1);
    let run = run.says(&["leaves free directions", "add a cost"]);
    assert!(!run.err.contains("--scheme"), "{}", run.err);
}
