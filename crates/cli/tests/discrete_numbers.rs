//! Numbers of systems in steps: maps of given Lagrangians, exact steps, times within steps, and what is left out aloud.

use crate::common::{folder, rattleback, written};
use serde_json::Value;

#[track_caller]
fn page(test: &str, text: &str, more: &[&str]) -> Value {
    let model = written(test, text);
    let arguments = ["discrete", &model, "--json"];
    rattleback(arguments.iter().chain(more)).exits(0).json()
}

#[track_caller]
fn close(found: &Value, exact: f64, within: f64) {
    let found = found
        .as_f64()
        .unwrap_or_else(|| panic!("{found} is no number"));
    assert!((found - exact).abs() <= within, "{found} is not {exact}");
}

/// Between nodes there is nothing: neither steps nor ends.
#[test]
fn nodes_are_counted() {
    let model = written("kicked_counted", KICKED);
    for command in ["simulate", "discrete"] {
        rattleback([command, &model, "--step", "0.5"])
            .exits(2)
            .says(&["counts nodes", "its step is 1"]);
    }
    rattleback(["simulate", &model, "--until", "5.5"])
        .exits(2)
        .says(&["3.5 of them is no whole number"]);
    rattleback(["simulate", &model, "--until", "5"]).exits(0);
}

/// What a node is solved for has a name that the language reads, out of the way of those of the model.
#[test]
fn steps_that_are_solved_for_have_names() {
    let text = "system quartic\ncoord x, step_x\nlagrangian ((next(x) - x)^2 + (next(step_x) - step_x)^2)/2 \
                - ((x + next(x))/2)^4/20 - step_x*x/9\nstart x = 1\n";
    let found = rattleback(["derive", &written("quartic_steps", text), "--json"])
        .exits(0)
        .json();
    let stage = &found["stages"][0];
    assert_eq!(stage["unknowns"][0], "step_x_", "{found}");
    assert_eq!(found["equations"][0]["text"], "x + step_x_", "{found}");
    assert!(!found.to_string().contains('~'), "{found}");
}

const KICKED: &str = "system kicked\nparam K = 0.9\ncoord x, y\nlagrangian (next(x) - x)^2/2 + (next(y) - y)^2/2 - K*cos(x - y) - t*x/10\n\
                      symmetry both = (x: 1, y: 1)\nstart x = 0.3, p_x = 0.2, p_y = -0.1\ntime 2 .. 6\n";

/// q₁ = q₀ + p₀ + D₁(K cos + t x/10), p₁ = q₁ − q₀: one row per node, with momenta of symmetries and no velocities.
#[test]
fn given_lagrangians_are_followed() {
    let table = folder("kicked_table")
        .join("rows.csv")
        .display()
        .to_string();
    let model = written("kicked", KICKED);
    let found = rattleback(["simulate", &model, "--json", "-o", &table]).exits(0);
    let (mut q, mut p) = ([0.3, 0.0], [0.2, -0.1]);
    for k in 0..4 {
        let t = 2.0 + f64::from(k);
        let kick = 0.9 * f64::sin(q[0] - q[1]);
        let arrives = [p[0] + kick - t / 10.0, p[1] - kick];
        for i in 0..2 {
            (q[i], p[i]) = (q[i] + arrives[i], arrives[i]);
        }
    }
    let last = &found.json()["final"];
    for (name, value) in [("x", q[0]), ("y", q[1]), ("p_x", p[0]), ("p_y", p[1])] {
        close(&last[name], value, 1e-13);
    }
    let rows = std::fs::read_to_string(&table).unwrap();
    let names = rows.lines().find(|l| l.starts_with("t,")).unwrap();
    assert_eq!(names, "t,x,y,p_x,p_y,momentum_both");
    // The kick leaves the sum alone, the load does not: only without it is the momentum kept.
    let kept = KICKED.replace(" - t*x/10", "");
    let kept = page("kicked_kept", &kept, &[]);
    assert_eq!(kept["conserved"][0]["verdict"], "proven", "{kept}");
    let kept = written("kicked_kept", KICKED.replace(" - t*x/10", ""));
    rattleback(["simulate", &kept])
        .exits(0)
        .shows(&["how well it held", "momentum_both  conserved"]);
    rattleback(["simulate", &model])
        .exits(0)
        .shows(&["momenta that need not be conserved", "momentum_both"])
        .lacks(&["how well it held"]);
    let members = ["ensemble", &model, "--vary", "p_x=0.2,0.5", "--json"];
    let members = rattleback(members).exits(0).json();
    assert_eq!(members["finished"], 2, "{members}");
    let source = rattleback(["export", &model, "--to", "rust"]).exits(0).out;
    assert!(source.contains("next"), "{source}");
    let equations = rattleback(["derive", &model, "--json"]).exits(0).json();
    assert_eq!(equations["state"][2], "p_x", "{equations}");
}

#[test]
fn given_lagrangians_without_a_map_are_refused() {
    let text = |more: &str| {
        format!(
            "system apart\ncoord x, y\nlagrangian (next(x) - x)^2/2 + (next(y) - y)^2/2\n{more}\nstart x = 1\n"
        )
    };
    for (test, line, has) in [
        ("given_on_circle", "constraint x^2 + y^2 = 1", "constraints"),
        ("given_with_force", "force (x: -x)", "forces"),
    ] {
        let model = written(test, text(line));
        for command in ["discrete", "simulate"] {
            rattleback([command, &model]).exits(2).says(&[has]);
        }
    }
    let apart = "system apart\ncoord q\nlagrangian next(q)^2 + sin(q)\nstart q = 1\n";
    let apart = written("given_apart", apart);
    for command in ["check", "simulate"] {
        rattleback([command, &apart]).exits(2).says(&["D1 D2 L_d"]);
    }
}

/// A plane rotating frame with springs, by numbers of the matrix exponential of Hamilton's equations: formulas of short
/// steps lose digits, and three coordinates have none.
#[test]
fn exact_steps_keep_their_digits() {
    let text = "system turning\nparam m = 2, W = 0.6, k = 3\nassume m > 0, W > 0, k > 0\ncoord x, y\n\
                lagrangian m/2*((x' - W*y)^2 + (y' + W*x)^2) - k*(x^2 + 2*y^2)/2\n\
                start x = 0.3, x' = 0.5, y = -0.2, y' = 0.7\ntime 0 .. 1 step 0.01\n";
    let more = [
        "--rule",
        "exact",
        "--step",
        "0.003",
        "--steps",
        "1",
        "--at",
        "x = 0.3012, y = -0.1985",
    ];
    let found = page("exact_turning", text, &more);
    assert_eq!(found["limit"]["consistent"], true, "{found}");
    close(&found["action"]["p_start"]["x"], 1.039_227_45, 1e-8);
    close(&found["action"]["p_start"]["y"], 1.359_859_50, 1e-8);
    let text = "system three\nparam m = 2, B = 0.6, k = 3, e = 0.5\ncoord x, y, z\n\
                lagrangian m/2*(x'^2 + y'^2 + z'^2) + B*x*y' - k/2*(x^2 + y^2 + z^2) - e*x*z\n\
                start x = 0.3, x' = 0.5, y = -0.2, y' = 0.7, z = 0.4\ntime 0 .. 1 step 0.1\n";
    let found = page("exact_three", text, &["--rule", "exact"]);
    assert!(
        found["lagrangian"].is_null() && found["why"].is_object(),
        "{found}"
    );
    let flowed = rattleback([
        "simulate",
        &written("flow_three", text),
        "--until",
        "0.1",
        "--rtol",
        "1e-13",
        "--json",
    ]);
    let flowed = flowed.exits(0).json();
    for name in ["x", "y", "z"] {
        close(
            &found["next"][name],
            flowed["final"][name].as_f64().unwrap(),
            1e-11,
        );
    }
}

/// sin(t) x beside x''²/2: p_x' = sin(t), by stations at their times.
#[test]
fn accelerations_and_time() {
    let text = "system loaded\ncoord x\nlagrangian x''^2/2 + sin(t)*x\nstart x = 1\ntime 0 .. 1 step 0.1\n";
    for (rule, order) in [
        ("midpoint", 2.0),
        ("trapezoid", 2.0),
        ("lobatto4", 4.0),
        ("gauss4", 4.0),
    ] {
        let found = page(&format!("loaded_{rule}"), text, &["--rule", rule]);
        close(&found["order"]["measured"], order, 0.2);
        close(&found["next"]["p_x"], 1.0 - f64::cos(0.1), 1e-5);
    }
    let bent = "system bent\ncoord x, y\nlagrangian (x''^2 + y''^2)/2\nconstraint y'' = x*x'\nstart x = 1, x' = 1, y'' = 1\n\
                time 0 .. 1 step 0.1\n";
    let bent = written("bent", bent);
    rattleback(["discrete", &bent])
        .exits(2)
        .says(&["constraints"]);
}

/// V(x) = P x² with P_k = h + P − (P h)²/(h (1 + t_k) + P h²), and the same by nodes that are counted from 2.
#[test]
fn costs_are_taken_at_their_times() {
    let text = "system fading\nstate x\ncontrol u\nrate x' = u\ncost (1 + t)*u^2 + x^2\nstart x = 1\ntime 3 .. 4 step 0.1\n";
    let h = 0.1;
    let least = (0..10).rev().fold(0.0, |p: f64, k| {
        let weight = h * (4.0 + f64::from(k) * h);
        h + p - (p * h).powi(2) / (weight + p * h * h)
    });
    close(&page("fading", text, &[])["bellman"]["cost"], least, 1e-12);
    let counted = "system counted\nstate x\ncontrol u\nmap next(x) = x + u + t\ncost u^2 + x^2*(1 + t)\nstart x = 1\ntime 2 .. 5 step 1\n";
    close(
        &page("counted", counted, &[])["bellman"]["cost"],
        19.457_142_857,
        1e-8,
    );
}

#[test]
fn what_bellman_does_not_treat_is_told() {
    let plant = "system stop\nstate x\ncontrol u\nmap next(x) = x + u\ncost u^2\nvia 2: x = 3\ngoal x = 2\nstart x = 1\ntime 0 .. 5 step 1\n";
    let given = "system given\ncoord q\ncontrol u on q\nlagrangian (next(q) - q)^2/2 - q^2/20\ncost u^2\nstart q = 1\n";
    let beam = "system beam\ncoord x\ncontrol u on x\nlagrangian x''^2/2\ncost u^2\nstart x = 1\ntime 0 .. 1 step 0.1\n";
    for (test, text) in [
        ("via_stop", plant),
        ("given_control", given),
        ("beam_control", beam),
    ] {
        let found = page(test, text, &[]);
        assert!(found["bellman"]["cost"].is_null(), "{found}");
        let model = written(test, text);
        let run = rattleback(["discrete", &model]).exits(0);
        assert!(run.out.contains("use `control`"), "{}", run.out);
    }
}

/// A field that is curved in the coordinates of the steps is a symmetry of the motion and not of L_d.
#[test]
fn momenta_of_the_motion_need_not_be_those_of_steps() {
    let text = "system plane\ncoord r, th\nlagrangian (r'^2 + r^2*th'^2)/2 - r*cos(th)\n\
                symmetry up = (r: sin(th), th: cos(th)/r)\nstart r = 1, th = 0.3, th' = 1, r' = 0.2\ntime 0 .. 2 step 0.05\n";
    let model = written("plane_momentum", text);
    let run = rattleback(["simulate", &model, "--method", "variational-midpoint"]).exits(0);
    assert!(
        run.out.contains("momenta that need not be conserved"),
        "{}",
        run.out
    );
    let straight = "system plane\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential x\nsymmetry up = (y: 1)\nstart y' = 1\ntime 0 .. 2 step 0.05\n";
    let model = written("straight_momentum", straight);
    let run = rattleback(["simulate", &model, "--method", "variational-gauss4"]).exits(0);
    assert!(!run.out.contains("need not be conserved"), "{}", run.out);
}

#[test]
fn actions_begin_as_functions_of_positions() {
    let text =
        "system swing\ncoord x\nlagrangian x'^2/2 - x^2/2\nstart x = 1\ntime 0 .. 1 step 0.1\n";
    let model = written("begins_with_velocity", text);
    let asked = ["discrete", &model, "--steps", "3", "--from", "S = x'"];
    rattleback(asked).exits(2).says(&["x'", "write it by x"]);
}

/// The names of positions of a node, with what stands for them in formulas.
fn stems(coordinates: &[&str], order: usize) -> Vec<(String, String)> {
    let name = |level: usize, q: &str| {
        let stem = ["", "v_", "a_"][level];
        (format!("{q}{}", "'".repeat(level)), format!("{stem}{q}"))
    };
    let levels = (0..order).flat_map(|level| coordinates.iter().map(move |q| (level, *q)));
    levels.map(|(level, q)| name(level, q)).collect()
}

/// Formulas of linear systems of higher order, and of one whose frequencies meet: L_d is the action that the flow has
/// between its ends, and its momenta are those of the flow.
#[test]
fn exact_formulas_agree_with_the_flow() {
    let of = |l: &str, start: &str| format!("lagrangian {l}\nstart {start}\n");
    let second = "x = 0.3, x' = -0.4, x'' = 0.7, x''' = 0.2";
    let third = "x = 0.3, x' = -0.4, x'' = 0.7, x''' = 0.2, x'''' = 0.5, x''''' = -0.3";
    let beside = format!("{second}, y = 1, y'' = 0.3");
    let loaded = "x''^2/2 + x'^2/2 + x*x''/3 + 3*x - 2*x' + x''/2 + 7";
    let rotating = "(x'^2 + y'^2)/2 + 0.6*(x*y' - y*x') + 0.18*(x^2 + y^2)";
    let cases = [
        ("spline", vec!["x"], 2, of("x''^2/2", second)),
        ("stretched", vec!["x"], 2, of("x''^2/2 + x'^2/2", second)),
        ("swinging", vec!["x"], 2, of("x''^2/2 - x'^2/3", second)),
        (
            "rates",
            vec!["x"],
            2,
            of("x''^2/2 + 5*x'^2/2 + 2*x^2", second),
        ),
        (
            "meeting",
            vec!["x"],
            2,
            of("x''^2/2 + x'^2 + x^2/2", second),
        ),
        ("loaded", vec!["x"], 2, of(loaded, second)),
        ("quintic", vec!["x"], 3, of("x'''^2/2", third)),
        ("snap", vec!["x"], 3, of("x'''^2/2 + x''^2/2", third)),
        (
            "apart",
            vec!["x", "y"],
            2,
            of("(x''^2 + y''^2)/2 + y'^2/2", &beside),
        ),
        (
            "rotating",
            vec!["x", "y"],
            1,
            of(rotating, "x = 0.3, y = -0.2, x' = 0.5, y' = 0.4"),
        ),
    ];
    for (name, coordinates, order, text) in cases {
        let declared = coordinates.join(", ");
        let text = format!("system exact\ncoord {declared}\n{text}time 0 .. 2 step 0.7\n");
        let positions = stems(&coordinates, order);
        let found = page(&format!("exact_{name}"), &text, &["--rule", "exact"]);
        let next = &found["next"];
        let at: Vec<String> = positions
            .iter()
            .map(|(q, _)| format!("{q} = {}", next[q]))
            .collect();
        let asked = ["--rule", "exact", "--steps", "1", "--at", &at.join(", ")];
        let action = &page(&format!("exact_{name}"), &text, &asked)["action"];
        // Formulas are evaluated by a model whose parameters are the nodes.
        let mut given = String::from("system values\nparam h = 7/10\n");
        for (q, stem) in &positions {
            let (before, after) = (&action["path"][0][q], &next[q]);
            given += &format!("param {stem}_0 = {before}\nparam {stem}_1 = {after}\n");
        }
        given += "coord q\nkinetic q'^2/2\nstart q' = 1\ntime 0 .. 1\n";
        let formula = |of: &Value| of["text"].as_str().map(str::to_owned).unwrap_or_default();
        given += &format!("observe action = {}\n", formula(&found["lagrangian"]));
        for (k, (_, stem)) in positions.iter().enumerate() {
            for side in [0, 1] {
                let p = formula(&found["momenta"][format!("p_{stem}_{side}")]);
                given += &format!("observe p_{k}_{side} = {p}\n");
            }
        }
        let values = written(&format!("values_{name}"), given);
        let values: Value = rattleback(["simulate", &values, "--json"]).exits(0).json();
        let value = |name: &str| &values["observed"][name];
        close(value("action"), action["S"].as_f64().unwrap(), 1e-9);
        for (k, (q, stem)) in positions.iter().enumerate() {
            let begins = action["p_start"][q].as_f64().unwrap();
            close(value(&format!("p_{k}_0")), begins, 1e-8);
            let ends = next[format!("p_{stem}")].as_f64().unwrap();
            close(value(&format!("p_{k}_1")), ends, 1e-8);
        }
    }
}

/// A step whose ends are conjugate has no exact Lagrangian; a longer one is told, with a formula and without.
#[test]
fn conjugate_steps_are_told_with_and_without_a_formula() {
    let pendulum =
        "system p\ncoord x\nlagrangian x'^2/2 + cos(x)\nstart x = 0, x' = 1\ntime 0 .. 1\n";
    let swinging = "system b\ncoord x\nlagrangian x''^2/2 - x'^2/2\nstart x = 0.1, x' = 0.1, x'' = 0.5\ntime 0 .. 1\n";
    let exact = |text: &str, step: &str| {
        let model = written(&format!("conjugate_{}", &text[7..8]), text);
        rattleback([
            "discrete", &model, "--rule", "exact", "--step", step, "--json",
        ])
    };
    // By the equation of variations along the pendulum's motion, integrated independently.
    let conjugate = "3.868452256992105";
    exact(pendulum, conjugate).exits(1).says(&["conjugate"]);
    exact(swinging, "2*pi").exits(1).says(&["conjugate"]);
    for (text, step, warnings) in [
        (pendulum, "4", 1),
        (swinging, "7", 1),
        (swinging, "9", 1),
        (pendulum, "1", 0),
        (swinging, "1", 0),
    ] {
        let page = exact(text, step).exits(0).json();
        let told = page["warnings"].as_array().unwrap();
        assert_eq!(told.len(), warnings, "{step}: {page}");
    }
}

/// A saddle is no minimum: the path is found, and what is missing is told for what it is.
#[test]
fn costs_without_a_minimum_are_told() {
    let text = "system a\nstate x\ncontrol u\nmap next(x) = x + u\ncost x^2 - u^2\nstart x = 1\ntime 0 .. 4 step 1\n";
    let found = page("saddle", text, &[]);
    let why = found["why_bellman"].as_str().unwrap();
    assert!(
        why.contains("no minimum") && !why.contains("degenerate"),
        "{found}"
    );
}

/// Where a step from rest is singular, `simulate` finds the node that `discrete` finds; what has none is told.
#[test]
fn nodes_are_looked_for_elsewhere() {
    let text = "system a\ncoord x\nlagrangian (next(x) - x)^4/4\nstart x = 0, p_x = 1\ntime 0 .. 3 step 1\n";
    let model = written("quartic_nodes", text);
    let run: Value = rattleback(["simulate", &model, "--json"]).exits(0).json();
    close(&run["final"]["x"], 3.0, 1e-12);
    let nowhere = text
        .replace("(next(x) - x)^4/4", "exp(next(x) - x)")
        .replace("p_x = 1", "p_x = -1");
    rattleback(["simulate", &written("no_nodes", nowhere)])
        .exits(1)
        .says(&["-D1 L_d", "start momenta"]);
}

/// A given Lagrangian has no step and no rule, and its errors name neither, nor names of our own.
#[test]
fn advice_fits_lagrangians_without_a_step() {
    let text = "system a\ncoord x, y\nlagrangian (next(x) - x)^2/2 + next(x)*next(y)*x - x^2 + y*next(y)/3\n\
                start x = 1, p_x = 0.5, y = 0.2\n";
    let model = written("no_step", text);
    let run = rattleback(["discrete", &model, "--steps", "3", "--at", "x=0.3, y=0.1"]);
    run.exits(1).lacks(&["smaller --step", "~"]);
    let counted = written("counted_step", KICKED);
    rattleback(["discrete", &counted, "--step", "0.1"])
        .exits(2)
        .lacks(&["step=0.01"]);
    rattleback(["discrete", &counted, "--rule", "trapezoid"])
        .exits(0)
        .shows(&["--rule is not used"]);
}

/// Momenta of a node have one name each, in formulas and behind a step; an order that rounding hides is none.
#[test]
fn momenta_and_orders_mean_one_thing() {
    let text = "system b\ncoord x\nlagrangian x''^2/2 + x'^4/4 - x^2*x'/3 + sin(x)\nstart x = 0.1, x' = 0.1, x'' = 0.5\n\
                time 0 .. 1 step 0.1\n";
    let found = page("jet_names", text, &[]);
    let next = found["next"].as_object().unwrap();
    assert!(
        next.contains_key("p_v_x") && !next.contains_key("p_x_1"),
        "{found}"
    );
    let cubic = "system g\ncoord y, x\nlagrangian -2*x^3/15 + 9*x'^2/10 + 13*y'^2/20\n\
                 start y = 0.4, x = 0.9, y' = -0.7, x' = -0.1\ntime 0 .. 1 step 0.05\n";
    for step in ["0.02", "0.05"] {
        let found = page("hidden_order", cubic, &["--rule", "gauss6", "--step", step]);
        if let Some(order) = found["order"]["measured"].as_f64() {
            assert!((order - 6.0).abs() < 0.6, "{step}: {order}");
        }
    }
}
