//! `rattleback control` with families, flat outputs, feedback, other schemes and conditions on the way.

use crate::common::{rattleback, shipped, written};
use serde_json::Value;

const POINT: &str = "system point\ncoord x\nkinetic x'^2/2\ncontrol u on x\ncost u^2/2\n";

#[track_caller]
fn close(found: &Value, exact: f64, within: f64) {
    let found = found
        .as_f64()
        .unwrap_or_else(|| panic!("{found} is no number"));
    assert!((found - exact).abs() <= within, "{found} is not {exact}");
}

fn example(name: &str) -> String {
    format!(
        "{}/../../docs/examples/{name}.mech",
        env!("CARGO_MANIFEST_DIR")
    )
}

/// AC-C39: the relation is printed, and both ways lead to the same solution.
#[test]
fn flat_outputs_solve_the_problem_again() {
    let model = example("two_carts");
    let found = rattleback(["control", &model, "--json"]).exits(0).json();
    let flat = &found["flat"];
    assert_eq!(flat["order"], 4);
    assert_eq!(flat["outputs"]["y"]["text"], "x2");
    assert_eq!(flat["status"], "solved");
    close(&flat["cost"], 329.160416680972, 1e-3);
    assert!(
        flat["largest_difference"].as_f64().unwrap() < 1e-5,
        "{flat}"
    );
    let page = rattleback(["control", &model]).exits(0).out;
    assert!(page.contains("flat outputs"), "{page}");
    // Not flat: the place and the reason.
    let text = std::fs::read_to_string(&model).unwrap();
    let wrong = written("not_flat", text.replace("flat y = x2", "flat y = x1"));
    let refused = rattleback(["control", &wrong]).exits(2);
    assert!(
        refused.err.contains("not flat") && refused.err.contains("flat y = x1"),
        "{}",
        refused.err
    );
    let many = written(
        "many_flat",
        text.replace("flat y = x2", "flat y = x2, z = x1"),
    );
    let refused = rattleback(["control", &many]).exits(2);
    assert!(refused.err.contains("one for each"), "{}", refused.err);
}

/// Several outputs of different orders, parameters, a bound that is not active, and a free time.
#[test]
fn flat_outputs_of_different_orders() {
    let text = "system crane\nparam k = 2\ncoord x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2 - k*(y - x)^2/2\n\
        control u on x\ncontrol v on z\ncost (u^2 + v^2)/2 + 1\nflat a = y, b = z\nfree T = 4\nbound 1 <= T <= 10\nbound -50 <= v <= 50\n\
        goal x = 1, y = 1, z = 2, x' = 0, y' = 0, z' = 0\ntime 0 .. T\n";
    let model = written("crane", text);
    let found = rattleback(["control", &model, "--json"]).exits(0).json();
    let flat = &found["flat"];
    assert_eq!(flat["status"], "solved", "{}", found["notes"]);
    assert!(
        flat["largest_difference"].as_f64().unwrap() < 1e-4,
        "{flat}"
    );
}

/// CG-B7: the family of the coin is kept; another one is refused with what is left of its equation.
#[test]
fn families_of_extremals() {
    let coin = shipped("vertical_coin");
    let run = rattleback([
        "control",
        &coin,
        "--ansatz",
        "p_x = 0, lambda2 = 0",
        "--json",
    ])
    .exits(1);
    let found = run.json();
    // Eight constants do not meet ten conditions.
    assert_eq!(found["status"], "infeasible");
    assert!(
        found["resisting"].to_string().contains("missed by"),
        "{found}"
    );
    assert!(
        found["notes"].to_string().contains("8 of 10"),
        "{}",
        found["notes"]
    );
    let refused = rattleback(["control", &coin, "--ansatz", "p_theta = 0"]).exits(2);
    assert!(
        refused.err.contains("`p_theta` is not kept"),
        "{}",
        refused.err
    );
    let unknown = rattleback(["control", &coin, "--ansatz", "q = 0"]).exits(2);
    assert!(unknown.err.contains("`p_x`"), "{}", unknown.err);
    let no_value = rattleback(["control", &coin, "--ansatz", "p_x"]).exits(2);
    assert!(no_value.err.contains("COSTATE = VALUE"), "{}", no_value.err);
    // A goal that the family meets: the speed alone.
    let text = format!("{POINT}goal x' = 1\ntime 0 .. 2\n");
    let model = written("drift", &text);
    let found = rattleback(["control", &model, "--ansatz", "p_x = 0", "--json"])
        .exits(0)
        .json();
    close(&found["cost"], 0.25, 1e-9);
}

/// Gains in the table and in JSON, and a closed loop that is better than the open one.
#[test]
fn feedback_along_a_path() {
    let text = "system p\nparam g = 9.81\ncoord q : angle\nlagrangian q'^2/2 - g*cos(q)\ncontrol u on q\ncost u^2/2\nstart q = pi\ngoal q = 0, q' = 0\ntime 0 .. 3\n";
    let model = written("upright", text);
    let csv = model.replace(".mech", ".csv");
    let found = rattleback(["control", &model, "--feedback", "-o", &csv, "--json"])
        .exits(0)
        .json();
    let feedback = &found["feedback"];
    let nodes = found["trajectory"]["t"].as_array().unwrap().len();
    assert_eq!(feedback["gains"].as_array().unwrap().len(), nodes);
    assert_eq!(feedback["state"], serde_json::json!(["q", "q'"]));
    let largest = &feedback["largest"];
    let closed = largest["closed"].as_f64().unwrap();
    assert!(closed < 0.01, "{largest}");
    assert!(
        largest["open"]
            .as_f64()
            .is_none_or(|open| open > 10.0 * closed),
        "{largest}"
    );
    let table = std::fs::read_to_string(&csv).unwrap();
    assert!(
        table.contains("K_u_q,"),
        "{}",
        &table[..400.min(table.len())]
    );
    let page = rattleback(["control", &model, "--feedback"]).exits(0).out;
    let words: Vec<&str> = page.split_whitespace().collect();
    assert!(words.join(" ").contains("with it closed"), "{page}");
    // Nothing to feed back.
    let curve = written(
        "curve",
        "system c\ncoord x\nlagrangian x'^2/2\nforce (x: -x)\ngoal x = 1\ntime 0 .. 1\n",
    );
    let refused = rattleback(["control", &curve, "--feedback"]).exits(2);
    assert!(refused.err.contains("no controls"), "{}", refused.err);
}

/// Schemes and retractions by name, and what they are not for.
#[test]
fn the_plant_may_be_discretised() {
    let body = shipped("rigid_body");
    let at = |more: &[&str]| {
        let arguments = ["control", &body, "--json", "--nodes", "20"].into_iter();
        rattleback(arguments.chain(more.iter().copied()))
            .exits(0)
            .json()["cost"]
            .as_f64()
            .unwrap()
    };
    let costs = [
        at(&["--scheme", "variational"]),
        at(&["--scheme", "variational", "--retraction", "exp"]),
        at(&["--scheme", "midpoint"]),
        at(&["--scheme", "midpoint", "--retraction", "exp"]),
    ];
    let exact = at(&[]);
    for cost in costs {
        assert!(
            (cost - exact).abs() < 0.02 * exact && cost != exact,
            "{costs:?} {exact}"
        );
    }
    let chart = rattleback(["control", &body, "--retraction", "exp"]).exits(2);
    assert!(chart.err.contains("Cayley"), "{}", chart.err);
    let coin = rattleback([
        "control",
        &shipped("vertical_coin"),
        "--scheme",
        "variational",
    ])
    .exits(2);
    assert!(coin.err.contains("without constraints"), "{}", coin.err);
}

/// Inequalities on the way, and nodes of a plant in steps.
#[test]
fn conditions_on_the_way() {
    let text = format!("{POINT}via 0.5: x >= 0.3\ngoal x = 0, x' = 0\ntime 0 .. 1\n");
    let found = rattleback(["control", &written("past", &text), "--json"])
        .exits(0)
        .json();
    close(&found["cost"], 8.64, 1e-4);
    let text = "system m\nstate x\ncontrol u\nmap next(x) = x + u\ncost u^2\nvia 2: x >= 1\ngoal x = 0\ntime 0 .. 4 step 1\n";
    let found = rattleback(["control", &written("nodes", text), "--json"])
        .exits(0)
        .json();
    close(&found["cost"], 1.0, 1e-6);
    let between = written("between", text.replace("via 2:", "via 1.5:"));
    let refused = rattleback(["control", &between]).exits(2);
    assert!(refused.err.contains("names a node"), "{}", refused.err);
}

/// The motion is replayed from the start that was found, on groups and in the velocities of a frame as well.
#[test]
fn paths_with_free_starts_are_replayed_from_them() {
    let turn = "system turn\ngroup R : SO(3) velocity w\nkinetic (w[1]^2 + 2*w[2]^2 + 3*w[3]^2)/2\n\
        control u1 on (w[1]: 1)\ncontrol u2 on (w[2]: 1)\ncontrol u3 on (w[3]: 1)\ncost u1^2 + u2^2 + u3^2\n\
        start R = identity, w = free\ngoal R = rotation([0, 0.6, 0.8], 1.5), w = [0.2, 0, 0.1]\ntime 0 .. 2\n";
    let blade = "system blade\ncoord x, y, theta\nkinetic (x'^2 + y'^2 + theta'^2/3)/2\n\
        constraint x'*sin(theta) = y'*cos(theta)\ncontrol f on (x: cos(theta), y: sin(theta))\ncontrol m on theta\n\
        cost f^2 + m^2\nstart theta = free(0.3), x' = free(0.1), theta' = free\n\
        goal x = 1, y = 0.4, theta = 0, x' = 0.3, theta' = 0\ntime 0 .. 1\n";
    for (name, text) in [("turn.mech", turn), ("blade.mech", blade)] {
        let found = rattleback(["control", &written(name, text), "--json"]);
        let found = found.exits(0).json();
        close(&found["replay_error"], 0.0, 1e-5);
    }
}

/// A `lambda1` that the model has is no number of a costate.
#[test]
fn a_name_of_the_model_is_no_number_of_a_costate() {
    let text = format!("{POINT}goal x' = 1\ntime 0 .. 2\n");
    let model = written("numbered", &text);
    rattleback(["control", &model, "--ansatz", "lambda1 = 0"]).exits(0);
    let own = text.replacen("coord", "param lambda1 = 3\ncoord", 1);
    let model = written("own_lambda", &own);
    let refused = rattleback(["control", &model, "--ansatz", "lambda1 = 0"]).exits(2);
    assert!(
        refused.err.contains("no costate `lambda1`"),
        "{}",
        refused.err
    );
}
