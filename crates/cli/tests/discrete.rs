//! Variational methods and `rattleback discrete` as a user meets them.

use crate::common::{rattleback, shipped, written};
use serde_json::Value;

const PENDULUM: &str = "system pendulum\ncoord q : angle\nkinetic q'^2/2\npotential 1 - cos(q)\n\
                        start q = 1, q' = 0.5420735492403948\ntime 0 .. 1 step 0.1\n";

#[track_caller]
fn json(command: &str, model: &str, more: &[&str]) -> Value {
    let arguments = [command, model, "--json"]
        .into_iter()
        .chain(more.iter().copied());
    rattleback(arguments).exits(0).json()
}

#[track_caller]
fn close(found: &Value, exact: f64, within: f64) {
    let found = found
        .as_f64()
        .unwrap_or_else(|| panic!("{found} is no number"));
    assert!((found - exact).abs() <= within, "{found} is not {exact}");
}

/// P-D3: the motion of the trapezoidal rule.
#[test]
fn a_pendulum_is_followed_by_its_rule() {
    let model = written("discrete_pendulum", PENDULUM);
    let run = json("simulate", &model, &["--method", "variational-trapezoid"]);
    assert_eq!(run["method"], "variational-trapezoid");
    assert_eq!(run["form"], "euler-lagrange");
    let reason = run["method_reason"].as_str().unwrap();
    assert!(reason.contains("symplectic"), "{reason}");
    close(&run["final"]["q"], 1.095_667_364_412_62, 1e-12);
    close(&run["final"]["q'"], -0.358_302_948_219_869, 1e-12);
}

#[test]
fn momenta_and_constraints_survive_on_shipped_models() {
    let top = json(
        "simulate",
        &shipped("heavy_top"),
        &[
            "--method",
            "variational-midpoint",
            "--until",
            "2",
            "--step",
            "0.01",
        ],
    );
    assert!(top["max_energy_error"].as_f64().unwrap() < 0.05, "{top}");
    let rod = json(
        "simulate",
        &shipped("spherical_pendulum"),
        &["--method", "variational-trapezoid", "--until", "2"],
    );
    close(&rod["max_constraint_residual"], 0.0, 1e-11);
    close(&rod["observed"]["vertical"], 0.9, 1e-11);
    for placement in ["midpoint", "node"] {
        let options = [
            "--method",
            "variational-midpoint",
            "--placement",
            placement,
            "--until",
            "2",
        ];
        let sleigh = json("simulate", &shipped("chaplygin_sleigh"), &options);
        close(&sleigh["max_constraint_residual"], 0.0, 1e-11);
    }
}

#[test]
fn rules_that_do_not_fit_say_which_do() {
    let arguments = [
        "simulate",
        &shipped("heavy_top"),
        "--method",
        "variational-gauss4",
    ];
    rattleback(arguments)
        .exits(2)
        .says(&["group factors", "`midpoint`"]);
    let arguments = [
        "simulate",
        &shipped("chaplygin_sleigh"),
        "--method",
        "variational-lobatto4",
    ];
    rattleback(arguments)
        .exits(2)
        .says(&["without constraints", "`trapezoid`"]);
    let arguments = [
        "simulate",
        &shipped("point_vortices"),
        "--method",
        "variational-midpoint",
    ];
    rattleback(arguments)
        .exits(2)
        .says(&["linear in a velocity"]);
    let arguments = ["discrete", &shipped("central_force"), "--rule", "simpson"];
    rattleback(arguments)
        .exits(2)
        .says(&["there is no rule `simpson`", "exact"]);
}

/// P-D3b, c.
#[test]
fn formulas_of_a_pendulum() {
    let model = written("discrete_formulas", PENDULUM);
    let found = json("discrete", &model, &["--rule", "left"]);
    assert_eq!(found["rule"], "left");
    close(&found["step"], 0.1, 0.0);
    assert_eq!(found["regularity"]["verdict"], "proven");
    // L_d has q_1 in the kinetic energy only: H+ has a formula, H- has none.
    assert!(found["hamiltonian_right"]["text"].is_string(), "{found}");
    assert!(found["hamiltonian_left"].is_null());
    assert!(
        found["why"]["hamiltonian_left"]
            .as_str()
            .unwrap()
            .contains("no closed solution")
    );
    close(&found["order"]["measured"], 1.0, 0.2);
    let verlet = json("discrete", &model, &["--rule", "trapezoid"]);
    close(&verlet["next"]["q"], 1.05, 1e-12);
    close(&verlet["order"]["measured"], 2.0, 0.2);
    assert_eq!(verlet["order"]["expected"], 2);
}

/// P-D3d to i.
#[test]
fn action_of_a_pendulum() {
    let model = written(
        "discrete_action",
        PENDULUM.replace("start q = 1", "start q = 0.4"),
    );
    let point = json(
        "discrete",
        &model,
        &["--rule", "trapezoid", "--steps", "7", "--at", "q = 1"],
    );
    let action = &point["action"];
    close(&action["S"], 0.078_233_026_459_148_36, 1e-11);
    close(&action["DS"]["q"], 0.600_860_558_774_52, 1e-11);
    close(&action["D2S"][0][0], 1.275_392_014_808_593, 1e-10);
    close(&action["p_start"]["q"], 1.058_625_697_132_926, 1e-11);
    assert_eq!(action["path"].as_array().unwrap().len(), 8);
    for key in ["right", "left", "lagrangian"] {
        close(&action["residuals"][key], 0.0, 1e-11);
    }
    let cauchy = json(
        "discrete",
        &model,
        &[
            "--rule",
            "trapezoid",
            "--steps",
            "5",
            "--at",
            "q = 1",
            "--from",
            "S = 0.3*sin(q) + 0.2*q^2",
        ],
    );
    close(&cauchy["action"]["S"], 0.189_370_272_463_677_2, 1e-11);
    rattleback(["discrete", &model, "--steps", "2", "--at", "p = 1"])
        .exits(2)
        .says(&["there is no coordinate `p`"]);
}

/// P-F1: the formula of the oscillator stands, at ωh = π/2 its Hamiltonians do not.
#[test]
fn the_exact_oscillator() {
    let text = "system oscillator\nparam m = 2, w = 3/2\nassume m > 0, w > 0\ncoord x\n\
                lagrangian m/2*x'^2 - m*w^2/2*x^2\nstart x = 0.3, x' = 0.6\ntime 0 .. 1 step 0.1\n";
    let model = written("discrete_exact", text);
    let found = json("discrete", &model, &["--rule", "exact"]);
    assert!(found["hamiltonian_right"]["text"].is_string(), "{found}");
    let quarter = json("discrete", &model, &["--rule", "exact", "--step", "pi/3"]);
    assert!(quarter["hamiltonian_right"].is_null(), "{quarter}");
    assert!(quarter["generic"]["hamiltonian_right"]["text"].is_string());
    close(&quarter["next"]["x"], 0.4, 1e-12);
    close(&quarter["next"]["p_x"], -0.9, 1e-12);
    // P-F2: half a period.
    rattleback(["discrete", &model, "--rule", "exact", "--step", "2*pi/3"])
        .exits(1)
        .says(&["conjugate"]);
}

/// P-D5, and a discrete Lagrangian that is given: no rule, no step.
#[test]
fn a_discrete_lagrangian_that_is_given() {
    let text = "system standard_map\nparam K = 0.9\ncoord q\nlagrangian (next(q) - q)^2/2 - K*cos(q)\n\
                start q = 1, p_q = 0.5\n";
    let model = written("discrete_given", text);
    let found = json("discrete", &model, &[]);
    assert!(
        found["step"].is_null() && found["rule"].is_null(),
        "{found}"
    );
    assert_eq!(found["regularity"]["verdict"], "proven");
    assert!(found["hamiltonian_right"]["text"].is_string());
    close(&found["next"]["q"], 2.257_323_886_327_107, 1e-12);
    close(&found["next"]["p_q"], 1.257_323_886_327_107, 1e-12);
    let followed = json("simulate", &model, &["--until", "1"]);
    close(&followed["final"]["q"], 2.257_323_886_327_107, 1e-12);
    rattleback(["simulate", &model, "--form", "euler-lagrange"])
        .exits(2)
        .says(&["discrete"]);
}

/// P-D10a: the exact rule of a nonlinear model has no formula, and its action comes from boundary-value solves.
#[test]
fn the_exact_pendulum() {
    let text = PENDULUM.replace("start q = 1", "start q = 0.4");
    let model = written("discrete_exact_pendulum", text);
    let options = [
        "--rule", "exact", "--step", "0.5", "--steps", "1", "--at", "q = 0.7",
    ];
    let found = json("discrete", &model, &options);
    assert!(found["lagrangian"].is_null());
    assert!(found["why"]["lagrangian"].is_string(), "{found}");
    let action = &found["action"];
    close(&action["S"], 0.013_212_696_012_355_3, 1e-11);
    close(&action["p_start"]["q"], 0.721_903_250_230_533, 1e-10);
    close(&action["DS"]["q"], 0.456_844_272_434_945, 1e-10);
    close(&action["residuals"]["left"], 0.0, 1e-10);
    close(&action["theorem"]["left"]["defect"], 0.0, 1e-9);
}

/// Residuals, maps, the theorem, the trivialising transformation and the limit are told (DP-A12 to A16, A21).
#[test]
fn the_theory_behind_an_action() {
    let model = written(
        "discrete_theory",
        PENDULUM.replace("start q = 1", "start q = 0.4"),
    );
    let options = ["--rule", "trapezoid", "--steps", "7", "--at", "q = 1"];
    let found = json("discrete", &model, &options);
    let action = &found["action"];
    // P-D3g.
    for map in ["right", "left", "lagrangian"] {
        close(&action["maps"][map]["q"], 1.055_878_700_953_413, 1e-10);
    }
    close(
        &action["maps"]["back"]["q"],
        action["path"][6]["q"].as_f64().unwrap(),
        1e-10,
    );
    close(&action["residuals"]["backward"], 0.0, 1e-11);
    for side in ["right", "left"] {
        close(&action["theorem"][side]["defect"], 0.0, 1e-9);
    }
    close(&action["trivialising"]["spread"], 0.0, 1e-9);
    assert_eq!(action["along"].as_array().unwrap().len(), 8);
    assert!(action["along"][0]["D2S"].is_null());
    assert_eq!(found["limit"]["consistent"], true);
    close(&found["order"]["lagrangian"], 2.0, 0.3);
    // A focus in the first step: the left roll-out is refused, and there is no action behind it at its point.
    let focus = [
        "--rule",
        "trapezoid",
        "--steps",
        "1",
        "--at",
        "q = 0",
        "--from",
        "S = -4.975*q^2",
    ];
    let arguments = ["discrete", &model].into_iter().chain(focus);
    rattleback(arguments).exits(1).says(&["conjugate"]);
}

/// Steps behind the first conjugate point are refused where an action is asked for.
#[test]
fn steps_that_are_too_long() {
    let text = "system oscillator\ncoord x\nkinetic x'^2/2\npotential x^2/2\nstart x = 0.3\ntime 0 .. 9 step 4\n";
    let model = written("discrete_long", text);
    let arguments = [
        "discrete", &model, "--rule", "exact", "--steps", "2", "--at", "x = 0.2",
    ];
    rattleback(arguments).exits(1).says(&["too long", "--step"]);
}

/// P-D6 and P-D7: plants in steps.
#[test]
fn plants_in_steps() {
    let text = "system plant\nstate x, v\ncontrol u\nmap next(x) = x + 0.1*v + 0.005*u\nmap next(v) = v + 0.1*u\n\
                cost (x^2 + 0.1*v^2 + 0.01*u^2)/2\nterminal (x^2 + v^2)/2\nstart x = 1, v = -0.5\ntime 0 .. 20 step 1\n";
    let model = written("discrete_plant", text);
    let found = json("discrete", &model, &["--steps", "20"]);
    close(&found["lqr"]["value"][0][0], 6.022_312_331_407_183, 1e-10);
    close(&found["lqr"]["gains"][0][1], 4.584_969_115_997_183, 1e-10);
    close(&found["bellman"]["cost"], 2.581_101_144_885_271, 1e-10);
    close(
        &found["bellman"]["costates"][0]["x"],
        -5.516_117_764_553_223,
        1e-10,
    );
    assert_eq!(found["bellman"]["maximal"], true);
    let forever = json("discrete", &model, &[]);
    close(&forever["lqr"]["value"][0][1], 1.012_422_836_565_829, 1e-10);
    close(&forever["bellman"]["cost"], 2.581_101_144_885_271, 1e-10);

    let text = "system cubic\nparam h = 0.1\nstate q\ncontrol u\nmap next(q) = q + h*(u - q^3)\ncost h/2*(u^2 + q^2)\n\
                start q = 1\ngoal q = 0\ntime 0 .. 10 step 1\n";
    let model = written("discrete_cubic", text);
    let found = json("discrete", &model, &[]);
    close(&found["bellman"]["cost"], 0.448_413_286_950_935_9, 1e-10);
    assert!(found["lqr"].is_null());
    assert!(found["why_lqr"].as_str().unwrap().contains("not linear"));
}

/// P-D6f for a continuous plant, sampled: the exact flow with the control held, and h C per step.
#[test]
fn sampled_plants() {
    let text = "system double\ncoord x\nkinetic x'^2/2\ncontrol u on x\ncost 5*(x^2 + 0.1*x'^2 + 0.01*u^2)\n\
                start x = 1, x' = -0.5\ntime 0 .. 2 step 0.1\n";
    let model = written("discrete_sampled", text);
    let found = json("discrete", &model, &[]);
    close(&found["lqr"]["value"][0][0], 6.022_540_785_844_554, 1e-9);
    close(&found["lqr"]["value"][1][1], 0.609_114_640_745_522_8, 1e-9);
    assert!(found["bellman"]["cost"].is_number(), "{found}");
}

/// Lagrangians with accelerations: rules with both of them, trap T1 by name.
#[test]
fn accelerations() {
    let text = "system torque\ncoord q\nlagrangian (q'' + sin(q))^2/2\nstart q = 0.4, q' = 0.3, q'' = -0.9, q''' = 0.1\n\
                time 0 .. 1 step 0.1\n";
    let model = written("discrete_torque", text);
    for (rule, order) in [("midpoint", 2.0), ("trapezoid", 2.0), ("lobatto4", 4.0)] {
        let found = json("discrete", &model, &["--rule", rule]);
        assert_eq!(found["regularity"]["verdict"], "proven", "{rule}");
        assert!(
            found["lagrangian"]["text"]
                .as_str()
                .unwrap()
                .contains("v_q_1")
        );
        close(&found["order"]["lagrangian"], order, 0.4);
        let conditions = found["order"]["conditions"].as_array().unwrap();
        assert_eq!(conditions.len(), 3);
        assert!(
            conditions.iter().all(|c| c.as_f64().unwrap() < 100.0),
            "{conditions:?}"
        );
        assert!(found["next"]["p_v_q"].is_number(), "{found}");
    }
    // P-EX-4.
    let options = [
        "--rule",
        "exact",
        "--steps",
        "1",
        "--at",
        "q = 0.432, q' = 0.33",
    ];
    let found = json("discrete", &model, &options);
    close(&found["action"]["S"], 0.026_127_631_270_074, 1e-11);
    let arguments = ["discrete", &model, "--rule", "mid_dv"];
    rattleback(arguments).exits(2).says(&["T1", "`midpoint`"]);
    let arguments = ["discrete", &model, "--rule", "left"];
    rattleback(arguments).exits(2).says(&["`left`", "order 2"]);
}

/// A discrete Lagrangian that does not couple its ends.
#[test]
fn irregular_lagrangians_are_refused() {
    let text = "system apart\ncoord q\nlagrangian next(q)^2 + sin(q)\nstart q = 1\n";
    let model = written("discrete_apart", text);
    rattleback(["discrete", &model])
        .exits(2)
        .says(&["irregular", "D1 D2 L_d"]);
}

/// What a step cannot do is told with what to try.
#[test]
fn steps_that_fail_say_what_to_try() {
    let two = "system two\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 + 1.05*y^2)/2\n\
               start x = 0.3, y = 0.1, x' = 0.2, y' = 0.4\ntime 0 .. 1 step 0.5\n";
    let model = written("two_caustics", two);
    let point = ["--steps", "8", "--at", "x = 0.2, y = -0.1"];
    let arguments = ["discrete", &model].into_iter().chain(point);
    rattleback(arguments)
        .exits(1)
        .says(&["meet twice inside step 7", "--step"]);

    // Two conjugate times inside one exact step give the spread its sign back.
    let oscillator = "system oscillator\ncoord q\nkinetic q'^2/2\npotential q^2/2 + q^4/1000\nstart q = 0.3, q' = 0.2\n\
                      time 0 .. 1 step 6.5\n";
    let model = written("two_conjugate_times", oscillator);
    let arguments = [
        "discrete", &model, "--rule", "exact", "--steps", "1", "--at", "q = 0.32",
    ];
    rattleback(arguments).exits(1).says(&["too long", "--step"]);

    // p = cos(q_1 - q_0) has no solution for p = 2.
    let bounded = "system bounded\ncoord q\nlagrangian sin(next(q) - q)\nstart q = 0, p_q = 2\n";
    let model = written("bounded_momentum", bounded);
    rattleback(["discrete", &model])
        .exits(1)
        .says(&["no next node was found", "start momenta"]);

    // Half a turn in a step.
    let body = "system body\ngroup R : SO(3) velocity w\nkinetic (w[1]^2 + 2*w[2]^2 + 3*w[3]^2)/2\n\
                start w = [0.1, 40, 0.2]\ntime 0 .. 1 step 0.1\n";
    let model = written("half_a_turn", body);
    for retraction in ["cayley", "exp"] {
        let options = [
            "--method",
            "variational-midpoint",
            "--retraction",
            retraction,
        ];
        let arguments = ["simulate", &model].into_iter().chain(options);
        rattleback(arguments).exits(1).says(&["smaller --step"]);
        let arguments = ["discrete", &model, "--retraction", retraction];
        rattleback(arguments)
            .exits(1)
            .says(&["half a turn", "smaller --step"]);
    }
    rattleback([
        "simulate",
        &model,
        "--method",
        "variational-midpoint",
        "--step",
        "0.01",
    ])
    .exits(0);
}

/// The node behind the last one may be conjugate to the start: the page stands, and says so.
#[test]
fn a_conjugate_node_behind_is_told() {
    let oscillator = "system oscillator\ncoord q\nkinetic q'^2/2\npotential q^2/2\nstart q = 0.3, q' = 0.2\n\
                      time 0 .. 1 step pi/4\n";
    let model = written("conjugate_behind", oscillator);
    let options = ["--rule", "exact", "--steps", "3", "--at", "q = 0.2"];
    let found = json("discrete", &model, &options);
    let residuals = &found["action"]["residuals"];
    assert!(residuals["lagrangian"].is_null(), "{residuals}");
    let why = residuals["why"].as_str().unwrap();
    assert!(why.contains("behind the last one"), "{why}");
}

/// Pictures of the action for one and two coordinates, with their caustics; not for three.
#[test]
fn actions_are_drawn() {
    let folder = std::env::temp_dir().join(format!("rattleback-actions-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let drawn = |model: &str, steps: &str, at: &str| {
        let file = folder.join(format!("{steps}.svg"));
        let path = file.to_str().unwrap();
        let arguments = [
            "discrete", model, "--steps", steps, "--at", at, "--plot", path,
        ];
        rattleback(arguments).exits(0);
        std::fs::read_to_string(&file).unwrap()
    };
    let pendulum = written("drawn_pendulum", PENDULUM);
    let before = drawn(&pendulum, "10", "q = 1.2");
    assert!(before.starts_with("<svg") && !before.contains("NaN"));
    assert!(
        !before.contains("caustics"),
        "caustics before there are any"
    );
    let behind = drawn(&pendulum, "50", "q = 0.4");
    assert!(behind.contains("caustics"), "no caustics");
    let field = "system hump\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential exp(-x^2 - y^2)\n\
                 start x = -2, y = 0.1, x' = 2\ntime 0 .. 1 step 0.1\n";
    let hump = written("drawn_hump", field);
    let plane = drawn(&hump, "40", "x = 4, y = 0.3");
    assert!(plane.contains("equal S") && plane.contains("caustics"));
    std::fs::remove_dir_all(&folder).unwrap();

    let three = "system three\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nstart x' = 1\ntime 0 .. 1 step 0.1\n";
    let model = written("drawn_three", three);
    let arguments = [
        "discrete",
        &model,
        "--steps",
        "2",
        "--at",
        "x = 0.2, y = 0, z = 0",
        "--plot",
        "no.svg",
    ];
    rattleback(arguments)
        .exits(2)
        .says(&["one and two coordinates", "--plot"]);
}

/// Without coordinates there is no discrete Lagrangian; what is left is the regulator of the sampled plant.
#[test]
fn states_alone_have_a_regulator_or_nothing() {
    let text = "system double_integrator\nstate x, v\ncontrol u\nrate x' = v, v' = u\ncost (x^2 + v^2 + u^2)/2\n\
                start x = 1\ntime 0 .. 5 step 0.1\n";
    let model = written("discrete_states", text);
    let page = rattleback(["discrete", &model, "--steps", "3"]).exits(0);
    assert!(
        page.out.contains("K[u]") && !page.out.contains("L_d"),
        "{}",
        page.out
    );
    let bare = text.replace("cost (x^2 + v^2 + u^2)/2\n", "");
    let bare = written("discrete_states_bare", &bare);
    let refused = rattleback(["discrete", &bare, "--steps", "3"]).exits(2);
    assert!(refused.err.contains("states alone"), "{}", refused.err);
}

#[test]
fn rounding_is_no_order_and_no_contradiction() {
    // Hermite's cubics are the splines themselves: what is left of any difference is rounding.
    for step in ["0.1", "0.02", "0.5"] {
        let found = rattleback([
            "discrete",
            &shipped("cubic_splines"),
            "--rule",
            "lobatto4",
            "--step",
            step,
            "--json",
        ])
        .exits(0)
        .json();
        let measured = &found["order"]["measured"];
        assert!(
            measured.as_f64().is_none_or(|m| m > 0.0),
            "{step}: {measured}"
        );
        assert_eq!(
            found["limit"]["consistent"], true,
            "{step}: {}",
            found["limit"]
        );
    }
}

/// With the constraint at the end of a step the reaction, along A(q_k), does work on a step in the kernel of A(q_k+1): the spin
/// of a disk that turns at the rate φ' grows like exp(h φ'² t m R²/(2 (I + m R²))).
#[test]
fn constraints_at_nodes_feed_a_turning_disk_as_their_principle_says() {
    let (m, r, i, turn) = (1.3, 0.7, 0.31, 0.9_f64);
    let share = m * r * r / (i + m * r * r) / 2.0;
    for h in [0.02, 0.01] {
        let step = h.to_string();
        let model = shipped("vertical_rolling_disk");
        let arguments = [
            "simulate",
            &model,
            "--method",
            "variational-midpoint",
            "--placement",
            "node",
            "--step",
            &step,
            "--until",
            "50",
            "--json",
        ];
        let page = rattleback(arguments).exits(0).json();
        let spin = page["final"]["theta'"].as_f64().unwrap();
        let rate = (spin / 1.7).ln() / 50.0;
        let expected = h * turn * turn * share;
        assert!(
            (rate / expected - 1.0).abs() < 0.01,
            "{rate} for {expected}"
        );
    }
}
