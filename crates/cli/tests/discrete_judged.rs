//! What `discrete` says of models with explicit time, groups, constraints, forces, and of its regulators.

use crate::common::{rattleback, shipped, written};
use serde_json::Value;

#[track_caller]
fn discrete(test: &str, text: &str, more: &[&str]) -> Value {
    let model = written(test, text);
    page(&model, more)
}

#[track_caller]
fn page(model: &str, more: &[&str]) -> Value {
    let arguments = ["discrete", model, "--json"];
    let all = arguments.into_iter().chain(more.iter().copied());
    rattleback(all).exits(0).json()
}

#[track_caller]
fn close(found: &Value, exact: f64, within: f64) {
    let found = found
        .as_f64()
        .unwrap_or_else(|| panic!("{found} is no number"));
    assert!((found - exact).abs() <= within, "{found} is not {exact}");
}

#[track_caller]
fn verdict(page: &Value, name: &str, expected: &str) {
    let all = page["conserved"].as_array().unwrap();
    let claim = all.iter().find(|c| c["name"] == name);
    let claim = claim.unwrap_or_else(|| panic!("no {name} in {page}"));
    assert_eq!(claim["verdict"], expected, "{claim}");
}

const GROWING: &str = "system growing\ncoord x\nlagrangian x'^2/2*(1 + t)\nsymmetry shift = (x: 1)\n\
                       start x = 0.7, x' = 0.3\ntime 0 .. 1 step 0.5\n";

/// p = (1 + t) x' is kept: by the step, in its momenta and in the equations of three nodes.
#[test]
fn explicit_time_goes_on_from_step_to_step() {
    let found = discrete("growing_mass", GROWING, &[]);
    close(&found["next"]["p_x"], 0.3, 1e-14);
    close(&found["next"]["x'"], 0.2, 1e-14);
    verdict(&found, "shift", "proven");
    // Along the nodes of the rule, x_1 - x_0 = 2h p/(2 + 2t + h), the equation holds: from t = 1 on.
    let equation = found["equations"][0]["text"].as_str().unwrap();
    let (h, p) = (0.5, 0.3);
    let node = |k: i32| {
        let before = (0..k).map(|j| 2.0 * h * p / (4.0 + 2.0 * h * f64::from(j) + h));
        0.7 + before.sum::<f64>()
    };
    let start = format!(
        "system value\nparam h = 0.5\nparam x_0 = {}\nparam x_1 = {}\nparam x_2 = {}\ncoord q\nkinetic q'^2/2\n\
         start q' = 1\nobserve residual = {equation}\ntime 0 .. 1\n",
        node(0),
        node(1),
        node(2)
    );
    let model = written("growing_mass_equation", &start);
    let run: Value = rattleback(["simulate", &model, "--json"]).exits(0).json();
    close(&run["observed"]["residual"], 0.0, 1e-13);
    // With a start at another time.
    let later = GROWING.replace("time 0 .. 1", "time 1 .. 2");
    close(
        &discrete("growing_later", &later, &[])["next"]["p_x"],
        0.6,
        1e-14,
    );
    let quartic = GROWING.replace("x'^2/2*(1 + t)", "x'^2/2 - (1 + t)*x^4/4");
    let found = discrete(
        "growing_spring",
        &quartic,
        &["--rule", "trapezoid", "--step", "0.1"],
    );
    close(&found["order"]["lagrangian"], 2.0, 0.2);
}

/// A field that changes with time has no momentum that is kept, though L is the same under it at each moment.
#[test]
fn symmetries_in_time_are_taken_at_their_times() {
    let text = "system boost\ncoord x\nlagrangian x'^2/2\nsymmetry boost = (x: t)\nsymmetry shift = (x: 1)\n\
                start x = 0.7, x' = 1\ntime 0 .. 1 step 0.1\n";
    for rule in ["midpoint", "trapezoid", "gauss4", "exact"] {
        let found = discrete(&format!("boost_{rule}"), text, &["--rule", rule]);
        verdict(&found, "boost", "refuted");
        verdict(&found, "shift", "proven");
    }
}

/// Generated names give way to those of the model, and to each other.
#[test]
fn momenta_give_way_to_positions() {
    let text = "system names\ncoord h, p_h\nlagrangian (h'^2 + p_h'^2)/2 - h*p_h\nstart h = 0.7, p_h = 0.1\n\
                time 0 .. 1 step 0.1\n";
    let found = discrete("names_of_nodes", text, &[]);
    let next = found["next"].as_object().unwrap();
    assert!(
        next.contains_key("p_h") && next.contains_key("p_h_"),
        "{found}"
    );
    close(&next["p_h"], 0.1 - 0.7 * 0.01 / 2.0, 1e-4);
    let momenta = found["momenta"].as_object().unwrap();
    assert!(momenta.contains_key("p_h_0_"), "{momenta:?}");
}

/// Momenta are judged where there is no formula of two points: groups, constraints, forces, Galerkin rules, the flow.
#[test]
fn momenta_are_judged_everywhere() {
    verdict(&page(&shipped("spherical_pendulum"), &[]), "yaw", "proven");
    let top = page(&shipped("heavy_top"), &[]);
    verdict(&top, "figure", "proven");
    assert_eq!(top["regularity"]["verdict"], "proven");
    verdict(&page(&shipped("knife_edge"), &[]), "slide", "refuted");
    let polar = "system polar\ncoord r, th\nlagrangian (r'^2 + r^2*th'^2)/2\nsymmetry turn = (th: 1)\n\
                 start r = 1, th' = 1\ntime 0 .. 1 step 0.1\n";
    for rule in ["gauss4", "lobatto4", "exact"] {
        verdict(
            &discrete(&format!("polar_{rule}"), polar, &["--rule", rule]),
            "turn",
            "proven",
        );
    }
    // Friction along the symmetry spoils its momentum, friction across does not.
    let rubbed = |force: &str| format!("{polar}force ({force})\n");
    let along = discrete("rubbed_along", &rubbed("th: -th'"), &[]);
    verdict(&along, "turn", "refuted");
    let across = discrete("rubbed_across", &rubbed("r: -r'"), &[]);
    verdict(&across, "turn", "proven");
    assert_eq!(across["regularity"]["verdict"], "proven");
}

/// What L gains along a symmetry may vanish on the constraints alone: at the place where the rule takes both it is kept,
/// elsewhere it is not. Where it does not vanish on them, there are steps that change the momentum.
#[test]
fn momenta_are_judged_on_velocity_constraints() {
    let model = |gain: &str, constraint: &str| {
        format!(
            "system judged\nparam k = 3/4\ncoord x, y, z, w\n\
             lagrangian (x'^2 + y'^2 + z'^2 + w'^2)/2 + x*({gain}) - w^2/2\n{constraint}\nsymmetry along = (x: 1)\n\
             start x = 0.2, w = 0.3, x' = 0.4, y' = 0.5, w' = 0.7\ntime 0 .. 1 step 0.1\n"
        )
    };
    let slide = "constraint z' = sin(w)*y'";
    let affine = "constraint z' = sin(w)*y' + k*t";
    let cases = [
        (
            "slide",
            model("w'*(z' - sin(w)*y')", slide),
            ["proven", "refuted"],
        ),
        (
            "affine",
            model("w'*(z' - sin(w)*y' - k*t)", affine),
            ["proven", "refuted"],
        ),
        (
            "off",
            model("w'*(z' - sin(w)*y')", affine),
            ["refuted", "refuted"],
        ),
        ("free", model("0", affine), ["proven", "proven"]),
        (
            "sees",
            model("0", "constraint z' = sin(w)*x'"),
            ["refuted", "refuted"],
        ),
    ];
    let turning = "system turning\ngroup R : SO(3) velocity o\ncoord x\n\
                   kinetic (o[1]^2 + 2*o[2]^2 + 3*o[3]^2 + x'^2)/2 + x*o[2]*(o[1] - o[3])\npotential R[3,3]\n\
                   constraint o[1] = o[3]\nsymmetry along = (x: 1)\nstart o = [1, 0.4, 1], x' = 0.5\n\
                   time 0 .. 1 step 0.1\n";
    let cases = cases
        .into_iter()
        .chain([("turning", turning.into(), ["proven", "proven"])]);
    for (name, text, verdicts) in cases {
        for (rule, expected) in ["midpoint", "trapezoid"].into_iter().zip(verdicts) {
            let found = discrete(&format!("judged_{name}"), &text, &["--rule", rule]);
            verdict(&found, "along", expected);
            let method = format!("variational-{rule}");
            let model = written(&format!("judged_{name}"), &text);
            let run: Value = rattleback(["simulate", &model, "--method", &method, "--json"])
                .exits(0)
                .json();
            let change = run["max_momentum_change"]["momentum_along"]
                .as_f64()
                .unwrap();
            match expected {
                "proven" => assert!(change < 1e-12, "{name}, {rule}: {change}"),
                "refuted" => assert!(change > 1e-6, "{name}, {rule}: {change}"),
                _ => {}
            }
        }
    }
}

/// What is refuted is so by a step of a motion, whose inner points, reactions and positions on constraints are enclosed: a
/// motion shows the change, and where a rule keeps a momentum nothing is refuted.
#[test]
fn steps_that_change_a_momentum_are_enclosed() {
    let model = |body: &str| {
        format!("system judged\nparam m = 3/2\nassume m > 0\n{body}\ntime 0 .. 1 step 0.1\n")
    };
    let polar = "coord r, th\nlagrangian m*(r'^2 + r^2*th'^2)/2\nstart r = 1.2, th = 0.4, r' = 0.3, th' = 0.8\n\
                 symmetry turn = (th: 1)\nsymmetry east = (r: cos(th), th: -sin(th)/r)\n";
    let rubbed = format!("{polar}force (th: -r^2*th'/5)");
    let sphere = "coord x, y, z\nlagrangian m*(x'^2 + y'^2 + z'^2)/2 - z - y^2/3\nconstraint x^2 + y^2 + z^2 = 4\n\
                  start x = 1.2, y = 0.7, x' = 0.3, y' = 0.5\nsymmetry yaw = (x: -y, y: x)\nsymmetry up = (z: 1)\n";
    let round = sphere.replace(" - y^2/3", "");
    let paraboloid = "coord x, y, z\nlagrangian m*(x'^2 + y'^2 + z'^2)/2 - z\nconstraint z = x^2 + 2*y^2\n\
                      start x = 0.6, y = 0.3, x' = 0.3, y' = 0.5\nsymmetry yaw = (x: -y, y: x)\n";
    let (kept, changed) = ("proven", "refuted");
    let cases = [
        (
            "free",
            model(polar),
            "gauss4",
            vec![("turn", kept), ("east", changed)],
        ),
        (
            "free",
            model(polar),
            "lobatto6",
            vec![("turn", kept), ("east", changed)],
        ),
        (
            "rubbed",
            model(&rubbed),
            "gauss4",
            vec![("turn", changed), ("east", changed)],
        ),
        (
            "sphere",
            model(sphere),
            "trapezoid",
            vec![("yaw", changed), ("up", changed)],
        ),
        (
            "round",
            model(&round),
            "midpoint",
            vec![("yaw", kept), ("up", changed)],
        ),
        (
            "bowl",
            model(paraboloid),
            "trapezoid",
            vec![("yaw", changed)],
        ),
    ];
    for (name, text, rule, verdicts) in cases {
        let found = discrete(&format!("enclosed_{name}"), &text, &["--rule", rule]);
        let method = format!("variational-{rule}");
        let model = written(&format!("enclosed_{name}"), &text);
        let run: Value = rattleback(["simulate", &model, "--method", &method, "--json"])
            .exits(0)
            .json();
        for (symmetry, expected) in verdicts {
            verdict(&found, symmetry, expected);
            let change = &run["max_momentum_change"][format!("momentum_{symmetry}")];
            let change = change.as_f64().unwrap();
            match expected == kept {
                true => assert!(change < 1e-12, "{name}, {symmetry}: {change}"),
                false => assert!(change > 1e-11, "{name}, {symmetry}: {change}"),
            }
        }
    }
}

/// R(n) is a vector space: Galerkin rules take it as they take coordinates, node for node.
#[test]
fn galerkin_rules_take_vector_spaces() {
    let body = |v: [&str; 2], w: [&str; 2]| {
        let ([x, y], [u, s]) = (v, w);
        format!(
            "lagrangian ({u}^2 + {s}^2 + th'^2)/2*(2 + cos(th)) - {x}^4/4 - {x}*{y}\ntime 0 .. 1 step 0.1\n"
        )
    };
    let space = format!(
        "system space\ngroup v : R(2) velocity w\ncoord th\n{}start v = [0.3, 0.2], w = [0.1, 0.5], th' = 1\n",
        body(["v[1]", "v[2]"], ["w[1]", "w[2]"])
    );
    let plain = format!(
        "system plain\ncoord x, y, th\n{}start x = 0.3, y = 0.2, x' = 0.1, y' = 0.5, th' = 1\n",
        body(["x", "y"], ["x'", "y'"])
    );
    for rule in ["gauss4", "lobatto4", "gauss8"] {
        let method = format!("variational-{rule}");
        let last = |name: &str, text: &str| -> Value {
            let model = written(name, text);
            let run = rattleback(["simulate", &model, "--method", &method, "--json"]);
            run.exits(0).json()["final"].clone()
        };
        let (space, plain) = (last("vector_space", &space), last("plain_space", &plain));
        for (a, b) in [("v[1]", "x"), ("v[2]", "y"), ("th", "th"), ("th'", "th'")] {
            close(&space[a], plain[b].as_f64().unwrap(), 1e-14);
        }
    }
    let turning = "system turning\ngroup R : SO(3) velocity w\nlagrangian w[1]^2 + w[2]^2 + w[3]^2\nstart w = [0, 0, 1]\n\
                   time 0 .. 1 step 0.1\n";
    let model = written("no_vector_space", turning);
    rattleback(["simulate", &model, "--method", "variational-gauss4"])
        .exits(2)
        .says(&["R(n)", "`midpoint`"]);
}

/// A step that lands where the constraints lose their rank is told as that, not as one that is too long.
#[test]
fn landings_without_rank_are_told() {
    let crossing = |constraint: &str, more: &str| {
        format!(
            "system crossing\ncoord x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2\nconstraint {constraint}\n\
             start x = 1, y = 1, x' = -1, {more}\ntime 0 .. 3 step 0.125\n"
        )
    };
    let models = [
        crossing("x*y' = y*x'", "y' = -1"),
        crossing("x*y' = x^2*z'", "y' = 0.5"),
        crossing("x^2 = y^2", "y' = -1"),
    ];
    for text in models {
        let model = written("landing_without_rank", &text);
        for more in [
            &["midpoint"][..],
            &["trapezoid"],
            &["midpoint", "--placement", "node"],
        ] {
            let method = format!("variational-{}", more[0]);
            let arguments = ["simulate", &model, "--method", &method].into_iter();
            let run = rattleback(arguments.chain(more[1..].iter().copied())).exits(1);
            run.says(&["the constraints lose their rank", "t = 0.875"])
                .lacks(&["too long"]);
        }
    }
    // A step that has no solution, however short, says nothing about their rank.
    let disk = shipped("vertical_rolling_disk");
    let fast = [
        "--placement",
        "node",
        "--set",
        "phi'=1e15",
        "--step",
        "0.02",
    ];
    rattleback(
        ["simulate", &disk, "--method", "variational-midpoint"]
            .into_iter()
            .chain(fast),
    )
    .exits(1)
    .says(&["too long"])
    .lacks(&["lose their rank"]);
}

/// Reactions at a node that the end of the step answers are of first order.
#[test]
fn constraints_at_nodes_are_expected_to_be_of_order_one() {
    let model = shipped("knife_edge");
    let node = page(&model, &["--placement", "node"]);
    assert_eq!(node["order"]["expected"], 1);
    close(&node["order"]["measured"], 1.0, 0.2);
    assert_eq!(page(&model, &[])["order"]["expected"], 2);
}

/// Consistency is a matter of short steps, whatever the step is.
#[test]
fn long_steps_do_not_refute_a_limit() {
    let text =
        "system quartic\ncoord x\nlagrangian x'^2/2 + x^4\nstart x = 1\ntime 0 .. 1 step 0.1\n";
    let found = discrete("long_limit", text, &["--step", "0.38"]);
    assert_eq!(found["limit"]["consistent"], true, "{found}");
}

/// The least h Σ (θ² + u²) over ten steps of 0.2 of θ'' = u − θ³ from 1 with held controls, by an independent minimisation.
const CUBIC: f64 = 0.886_033_609_24;

/// Plants with states of their own, with forces over so many steps, and nonlinear ones; a goal is no regulator's.
#[test]
fn plants_of_every_kind_are_controlled() {
    let lagging = "system lagging\ncoord x\nstate F\ncontrol u\nkinetic x'^2/2\nforce (x: F - 0.2*x')\n\
                   rate F' = u - 3*F\ncost x^2 + u^2\nstart x = 1\ntime 0 .. 3 step 0.2\n";
    let found = discrete("lagging_plant", lagging, &[]);
    assert_eq!(found["lqr"]["state"], serde_json::json!(["x", "x'", "F"]));
    let damped = "system damped\ncoord x\ncontrol u on x\nkinetic x'^2/2\nforce (x: -0.3*x')\ncost x^2 + u^2\n\
                  start x = 1\ntime 0 .. 3 step 0.2\n";
    let found = discrete("damped_plant", damped, &["--steps", "7"]);
    assert_eq!(found["lqr"]["steps"], 7);
    // An independent minimisation of h Σ C over the held flow gives these.
    let pendulum = "system swing\ncoord th : angle\ncontrol u on th\nkinetic th'^2/2\npotential -cos(th)\n\
                    cost th^2 + u^2\nstart th = 1\ntime 0 .. 2 step 0.2\n";
    let found = discrete("swing_plant", pendulum, &["--steps", "10"]);
    close(&found["bellman"]["cost"], 0.898_067_922_358, 1e-9);
    close(&found["bellman"]["controls"][0]["u"], -0.341_068_227, 1e-6);
    // A cubic spring as one with a sine; the flow of both is far from linear.
    let cubic = pendulum
        .replace("-cos(th)", "th^4/4")
        .replace(" : angle", "");
    let found = discrete("cubic_plant", &cubic, &["--steps", "10"]);
    close(&found["bellman"]["cost"], CUBIC, 1e-8);
    let parked = "system parked\nstate x, y\ncontrol u\nmap next(x) = x + y, next(y) = y + u\ncost u^2/2\n\
                  goal x = 0, y = 0\nstart x = 1\ntime 0 .. 6 step 1\n";
    let found = discrete("parked_plant", parked, &["--steps", "6"]);
    assert!(found["lqr"].is_null(), "{found}");
    close(&found["bellman"]["cost"], 1.0 / 35.0, 1e-12);
}

/// A given Lagrangian may be singular at rest, and irregular at one step alone.
#[test]
fn singular_places_are_told_or_left() {
    let text = "system quartic\ncoord x\nlagrangian (next(x) - x)^4/4\nstart x = 1, p_x = 8\n";
    close(
        &discrete("quartic_step", text, &[])["next"]["x"],
        3.0,
        1e-10,
    );
    let nowhere = text.replace("(next(x) - x)^4/4", "exp(next(x) - x)");
    let nowhere = nowhere.replace("p_x = 8", "p_x = -1");
    let model = written("nowhere_step", &nowhere);
    let run = rattleback(["discrete", &model]).exits(1);
    run.says(&["no next node was found", "start momenta"]);
}

/// In one dimension motions to a point are scanned for, also those that turn around first.
#[test]
fn all_motions_to_a_point_are_told() {
    let text = "system swing\ncoord th\nlagrangian th'^2/2 + 4*cos(th)\nstart th = 0.4\ntime 0 .. 1 step 0.25\n";
    let more = ["--rule", "trapezoid", "--steps", "10", "--at", "th = 0.9"];
    let found = discrete("swing_branches", text, &more);
    let mut starts: Vec<f64> = found["action"]["branches"]
        .as_array()
        .unwrap()
        .iter()
        .map(|b| b["p_start"]["th"].as_f64().unwrap())
        .collect();
    starts.push(found["action"]["p_start"]["th"].as_f64().unwrap());
    for p in [-3.251, -1.631, 3.725] {
        assert!(starts.iter().any(|q| (p - q).abs() < 1e-3), "{starts:?}");
    }
}
