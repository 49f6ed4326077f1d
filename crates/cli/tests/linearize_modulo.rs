//! Regulators that let the state go where neither the plant nor the cost tells where it is.

use crate::common::{rattleback, written};
use serde_json::{Value, json};

#[track_caller]
fn linear(test: &str, text: &str) -> Value {
    let model = written(test, text);
    rattleback(["linearize", &model, "--json"]).exits(0).json()
}

/// A pole on a cart that goes at unit speed.
const CART: &str = "system cart\ncoord x, th\ncontrol F on x\nkinetic x'^2 + x'*th'*cos(th) + th'^2/2\n\
                    potential 9.81*cos(th)\nstart x' = 1\ntime 0 .. 40 step 0.01\n";

/// A skate that is driven and steered, on its way straight ahead.
const SKATE: &str = "system skate\ncoord x, y, theta\ncontrol F on (x: cos(theta), y: sin(theta))\ncontrol T on theta\n\
                     constraint sin(theta)*x' - cos(theta)*y' = 0\nkinetic (x'^2 + y'^2)/2 + theta'^2/4\n\
                     let v = cos(theta)*x' + sin(theta)*y'\nstart x' = 2\ntime 0 .. 10 step 0.1\n";

#[track_caller]
fn close(found: &Value, expected: &[f64], tolerance: f64) {
    let found: Vec<f64> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|x| x.as_f64().unwrap())
        .collect();
    assert_eq!(found.len(), expected.len());
    for (f, e) in found.iter().zip(expected) {
        assert!(
            (f - e).abs() <= tolerance * (1.0 + e.abs()),
            "{found:?} {expected:?}"
        );
    }
}

/// Gains of SciPy's solve_continuous_are for (th, x', th'); the written law comes to the speed from afar along x.
#[test]
fn a_speed_is_held_wherever_it_is_reached() {
    let text = format!("{CART}cost (x' - 1)^2 + th^2 + F^2\n");
    let page = linear("held_speed", &text);
    let lqr = &page["lqr"];
    close(
        &lqr["gains"][0],
        &[0.0, -43.920_057_13, -1.0, -10.425_503_40],
        1e-9,
    );
    assert_eq!(lqr["modulo"], json!(["x"]));
    assert_eq!(lqr["closed_loop"].as_array().unwrap().len(), 3);
    assert!(
        page["notes"]
            .to_string()
            .contains("does not hold where the state is along x")
    );
    let model = written("held_speed_written", &text);
    let law = format!("{model}.held.mech");
    rattleback(["linearize", &model, "--write", &law]).exits(0);
    let motion = rattleback([
        "simulate", &law, "--set", "x=-30", "--set", "th=0.2", "--set", "x'=0", "--json",
    ]);
    let end = &motion.exits(0).json()["final"];
    close(
        &json!([end["th"], end["x'"], end["th'"]]),
        &[0.0, 1.0, 0.0],
        1e-6,
    );
}

/// A cost that sees the place holds it, and there is nothing to leave out.
#[test]
fn what_the_cost_sees_is_held() {
    let page = linear(
        "held_place",
        &format!("{CART}cost (x - t)^2 + (x' - 1)^2 + th^2 + F^2\n"),
    );
    assert!(page["lqr"]["modulo"].is_null(), "{page}");
    assert!(page["lqr"]["gains"][0][0].as_f64().unwrap().abs() > 0.5);
}

/// Where the skate is and where it heads costs nothing: speed and turning are held, in the skate's frame, which no law in
/// coordinates is.
#[test]
fn a_heading_that_nobody_asks_for_is_let_go() {
    let text = format!("{SKATE}cost (v - 2)^2 + theta'^2 + F^2 + T^2\n");
    let page = linear("held_skate", &text);
    close(&page["lqr"]["gains"][0], &[0.0, 0.0, 0.0, 1.0, 0.0], 1e-9);
    close(&page["lqr"]["gains"][1], &[0.0, 0.0, 0.0, 0.0, 1.0], 1e-9);
    assert_eq!(page["lqr"]["modulo"].as_array().unwrap().len(), 3);
    let model = written("held_skate_written", &text);
    let law = format!("{model}.held.mech");
    let refused = rattleback(["linearize", &model, "--write", &law]).exits(2);
    refused.says(&["would have to turn with it"]);
    // A heading that is asked for is held; where it is on its way is not, nor how far aside.
    let page = linear(
        "held_heading",
        &format!("{SKATE}cost (v - 2)^2 + theta^2 + F^2 + T^2\n"),
    );
    assert_eq!(page["lqr"]["modulo"], json!(["x", "y"]));
    close(&page["lqr"]["gains"][1], &[0.0, 0.0, 1.0, 0.0, 1.0], 1e-9);
}

/// A push that depends on where the state is along the symmetry is no other's: drifting on, the gains would be wrong.
#[test]
fn a_control_that_tells_the_place_leaves_nothing_out() {
    let text = "system pushed\ncoord phi, s\nkinetic (phi'^2 + s'^2)/2\ncontrol u on (s: cos(phi), phi: 0)\n\
                control v on phi\ncost s^2 + s'^2 + phi'^2 + u^2 + v^2\ntime 0 .. 20 step 0.01\n";
    let page = linear("told_place", text);
    assert!(page["lqr"].is_null(), "{page}");
    assert!(
        page["why"]["lqr"]
            .as_str()
            .unwrap()
            .contains("does not see the mode 0")
    );
}

/// Held over a whole period, a push does not move an oscillator: that is said where the gains would stand.
#[test]
fn a_step_that_loses_the_plant_is_told() {
    let text = "system clock\ncoord x\nkinetic x'^2/2\npotential x^2/2\ncontrol u on x\ncost x^2 + x'^2 + u^2\n\
                time 0 .. 20 step 2*pi\n";
    let page = linear("lost_step", text);
    assert!(page["lqr"]["gains"].is_array(), "{page}");
    assert!(
        page["lqr"]["sampled"]["why"]
            .as_str()
            .unwrap()
            .contains("does not die out")
    );
}

/// Carts on springs, of which one is pushed: gains of SciPy's solve_continuous_are across the common shift.
#[test]
fn a_shift_of_several_coordinates_is_let_go() {
    let text = "system carts\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential ((y - x)^2 + (z - y)^2)/2\n\
                symmetry shift = (x: 1, y: 1, z: 1)\ncontrol u on x\n\
                cost ((y - x)^2 + (z - y)^2 + x'^2 + y'^2 + z'^2 + u^2)/2\nstart z = 1\ntime 0 .. 200 step 0.1\n";
    let at = text.replace("start z = 1\n", "");
    let page = linear("held_carts", &at);
    let expected = [
        1.194_730, -1.608_652, 0.413_922, 1.841_049, -0.108_759, -0.000_238,
    ];
    close(&page["lqr"]["gains"][0], &expected, 1e-6);
    assert_eq!(page["lqr"]["modulo"], json!(["shift"]));
    let model = written("held_carts_written", &at);
    let law = format!("{model}.held.mech");
    rattleback(["linearize", &model, "--write", &law]).exits(0);
    let motion = rattleback([
        "simulate", &law, "--set", "x=1e3", "--set", "y=1e3", "--set", "z=1001", "--json",
    ]);
    let end = &motion.exits(0).json()["final"];
    let rest = ["x'", "y'", "z'"].map(|name| end[name].as_f64().unwrap());
    assert!(rest.iter().all(|v| v.abs() < 1e-6), "{end}");
}

/// The heading of a disk that rolls straight on moves it aside, which no control does: only speeds are asked for, and held.
#[test]
fn what_goes_with_the_symmetries_need_not_be_reached() {
    let text = "system disk\ncoord x, y, phi, th\nkinetic (x'^2 + y'^2)/2 + th'^2/4 + phi'^2/8\n\
                constraint x' = cos(phi)*th'\nconstraint y' = sin(phi)*th'\n\
                symmetry yaw = (x: -y, y: x, phi: 1)\ncontrol u on th\ncontrol s on phi\n\
                cost ((th' - 2)^2 + phi'^2 + u^2 + s^2)/2\nstart th' = 2, x' = 2\ntime 0 .. 10 step 0.05\n";
    let page = linear("held_disk", text);
    assert_eq!(page["stabilisable"]["verdict"], "refuted");
    assert_eq!(
        page["lqr"]["closed_loop"].as_array().unwrap().len(),
        2,
        "{page}"
    );
}
