//! `derive --form chaplygin` along orbits that are no coordinate lines.

use crate::common::{all_close, derived, rattleback, written};

const SPIRAL: &str = "system spiral\nparam m = 2, k = 3\ncoord x, y, z\nkinetic m/2*(x'^2 + y'^2 + z'^2)\n\
    potential k*z^2/2\nconstraint x*y' - y*x' = (x^2 + y^2)^2*z'\nsymmetry turn = (x: -y, y: x)\n";

const SKEW: &str = "system skew\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential (x - y)^2/2 + z^2\n\
    constraint x' + y' = (x - y)*z'\nsymmetry along = (x: 1, y: 1)\n";

#[test]
fn equations_are_on_a_slice() {
    let on = written(
        "orbits-on",
        format!("{SPIRAL}start x = 1, z = 1/2, z' = 1\n"),
    );
    let found = derived(&on, Some("chaplygin"), &[]);
    assert_eq!(found["slice"][0]["name"], "y");
    assert_eq!(found["reconstruction"][0]["name"], "turn'");
    // x is the distance r from the axis: L = m (r'^2 + (1 + r^6) z'^2)/2 − k z²/2 and the gyroscopic force 2 r⁵ r' z' m.
    let start = &found["at_start"];
    all_close(
        &start["state"],
        &["x", "z", "P_x", "P_z"],
        &[1.0, 0.5, 0.0, 4.0],
    );
    all_close(
        &start["rates"],
        &["x", "z", "P_x", "P_z"],
        &[0.0, 1.0, 2.0, -1.5],
    );
    // Off the slice the equations are the same, without a start.
    let off = written(
        "orbits-off",
        format!("{SPIRAL}start x = 3/5, y = 4/5, z = 1/2\n"),
    );
    let other = derived(&off, Some("chaplygin"), &[]);
    assert_eq!(other["equations"], found["equations"]);
    assert!(other["at_start"].is_null());
    assert!(
        other["notes"].to_string().contains("off the slice"),
        "{}",
        other["notes"]
    );
}

#[test]
fn a_start_is_carried_along_straight_orbits() {
    let skew = written(
        "orbits-skew",
        format!("{SKEW}start x = 1/2, y = 2, z = 1/3, z' = 1\n"),
    );
    let found = derived(&skew, Some("chaplygin"), &[]);
    let start = &found["at_start"];
    all_close(&start["state"], &["y", "z"], &[1.5, 1.0 / 3.0]);
    // The energy is that of the start, wherever it is carried: x' = y' = −3/4 at x − y = −3/2.
    all_close(start, &["energy"], &[0.5 + 0.5625 + 1.125 + 1.0 / 9.0]);
}

#[test]
fn nobody_follows_a_motion_on_a_slice() {
    let on = written(
        "orbits-followed",
        format!("{SPIRAL}start x = 1, z' = 1\ntime 0 .. 1\n"),
    );
    for command in [
        &["simulate"][..],
        &["export", "--to", "c"],
        &["ensemble", "--vary", "k=1,2"],
        &["compare", "--with", "hamel"],
    ] {
        let mut all = vec![command[0], on.as_str()];
        all.extend(&command[1..]);
        all.extend(["--form", "chaplygin"]);
        rattleback(all).exits(2).says(&["slice", "hamel"]);
    }
    rattleback(["simulate", on.as_str(), "--form", "hamel"]).exits(0);
}

#[test]
fn what_is_no_symmetry_makes_no_slice() {
    let text = SPIRAL.replace("y'^2 + z'^2", "2*y'^2 + z'^2");
    let wrong = written("orbits-wrong", format!("{text}start x = 1\n"));
    let said = rattleback(["derive", wrong.as_str(), "--form", "chaplygin"]).exits(2);
    said.says(&["turn", "change"]);
}
