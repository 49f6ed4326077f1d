//! The form `optimality` on the command line: derived, followed from start costates, refused where it is singular.

use crate::common::{derived, rattleback, written};
use serde_json::Value;

const BALANCE: &str = "system cart\nparam M = 1, m = 0.2, l = 0.5, g = 9.81\ncoord x\ncoord theta : angle\n\
    kinetic M/2*x'^2 + m/2*(x'^2 + 2*l*x'*theta'*cos(theta) + l^2*theta'^2)\n\
    potential m*g*l*cos(theta)\ncontrol u on x\ncost u^2/2\nsymmetry shift = (x: 1)\ntime 0 .. 1.5\n\
    start theta = 0.2, p_x = -19.7727460942, p_theta = -68.3948241493, p_x_1 = -16.5580935254, p_theta_1 = -14.5827054000\n";

fn followed(model: &str, more: &[&str]) -> Value {
    let arguments = ["simulate", model, "--form", "optimality", "--json"];
    let all: Vec<&str> = arguments.iter().chain(more).copied().collect();
    rattleback(all).exits(0).json()
}

/// CP2: from its costates the cart-pole comes to rest upright; H and the momentum of the shift stay.
#[test]
fn an_extremal_from_start_costates() {
    let model = written("optimality_balance", BALANCE);
    let found = followed(&model, &["--rtol", "1e-12", "--atol", "1e-13"]);
    for name in ["x", "theta", "x'", "theta'"] {
        let value = found["final"][name].as_f64().expect("a number");
        assert!(value.abs() < 1e-7, "{name} = {value}");
    }
    let close =
        |value: &Value, expected: f64| (value.as_f64().expect("a number") - expected).abs() < 1e-7;
    assert!(close(&found["energy"], 9.78350092457));
    assert!(close(&found["controls"]["u"], -4.42346039308));
    assert!(
        found["energy_change"]
            .as_f64()
            .is_some_and(|change| change < 1e-9)
    );
    assert_eq!(found["conserved_momenta"][0], "momentum_shift");
}

#[test]
fn the_conditions_as_json() {
    let model = written("optimality_json", BALANCE);
    let found = derived(&model, Some("optimality"), &[]);
    assert_eq!(found["form"], "optimality");
    assert_eq!(found["state"].as_array().map(Vec::len), Some(8));
    let rates = &found["at_start"]["rates"];
    assert_eq!(rates["p_x"], 0.0);
    assert_eq!(rates["p_x_1"], 19.7727460942);
    let names: Vec<&str> = found["extras"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|q| q["name"].as_str())
        .collect();
    assert_eq!(
        names,
        [
            "u",
            "hamiltonian",
            "second_order_lagrangian",
            "second_order_constraint"
        ]
    );
}

#[test]
fn what_has_no_conditions_says_so() {
    let double = "system double\ncoord x, y\nlagrangian (x'^2 + y'^2)/2\ncontrol u1 on x\ncontrol u2 on y\ncost (u1 + u2)^2/2\n";
    let model = written("optimality_singular", double);
    rattleback(["derive", &model, "--form", "optimality"])
        .exits(1)
        .says(&["singular", "`u1`, `u2`", "analyze --only control"]);
    let found = rattleback(["analyze", &model, "--only", "control", "--json"])
        .exits(0)
        .json();
    assert_eq!(
        found["control"]["singular_dimensions"],
        serde_json::json!([10, 8, 7])
    );
    assert_eq!(found["control"]["accessible"], true);
    let no_cost = double.replace("cost (u1 + u2)^2/2\n", "");
    let model = written("optimality_no_cost", &no_cost);
    rattleback(["derive", &model, "--form", "optimality"])
        .exits(2)
        .says(&["no cost", "cost u^2/2"]);
    let stray = BALANCE.replace("p_x_1 =", "p_x_3 =");
    let model = written("optimality_stray", &stray);
    rattleback(["derive", &model, "--form", "optimality"])
        .exits(2)
        .says(&["there is no costate `p_x_3`", "p_theta_1"]);
}
