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
