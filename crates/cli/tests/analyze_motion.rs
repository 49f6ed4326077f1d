//! The topics of `analyze` about motions: Hamilton-Jacobi, vakonomic, presymplectic.

use crate::common::{rattleback, shipped, written};
use serde_json::{Value, json};

fn analyzed(model: &str, topics: &str) -> Value {
    rattleback(["analyze", model, "--only", topics, "--json"])
        .exits(0)
        .json()
}

#[test]
fn classes_and_multipliers() {
    let class = |model: &str| {
        let all = analyzed(&shipped(model), "vakonomic");
        all["vakonomic"]["class"].as_str().map(str::to_owned)
    };
    assert_eq!(class("heisenberg_particle").as_deref(), Some("conditional"));
    assert_eq!(class("nonholonomic_particle").as_deref(), Some("partial"));
    assert_eq!(class("suslov").as_deref(), Some("none"));
    let disk = analyzed(&shipped("vertical_rolling_disk"), "vakonomic");
    let v = &disk["vakonomic"];
    assert_eq!(v["verdict"], "proven");
    assert_eq!(v["kind"], "gyro-free");
    assert_eq!(v["multipliers"][0]["name"], "mu1");
    assert_eq!(v["multipliers"][0]["text"], "m*R*cos(phi)*theta'");
    assert_eq!(v["reaction_free"]["verdict"], "refuted");
    let knife = analyzed(&shipped("knife_edge"), "vakonomic");
    let families = knife["vakonomic"]["families"].as_array().map(Vec::len);
    assert_eq!(families, Some(2));
}

#[test]
fn solutions_and_given_one_forms() {
    let disk = analyzed(&shipped("vertical_rolling_disk"), "hamilton_jacobi");
    let h = &disk["hamilton_jacobi"];
    assert_eq!(h["verdict"], "proven");
    assert_eq!(h["given"][0]["name"], "gamma");
    assert_eq!(h["given"][0]["strong"]["verdict"], "proven");
    assert_eq!(h["given"][0]["weak"]["verdict"], "proven");
    assert_eq!(h["solutions"][0]["complete"]["verdict"], "proven");
    let kepler = analyzed(&shipped("central_force"), "hamilton_jacobi");
    let h = &kepler["hamilton_jacobi"];
    assert_eq!(h["separable"]["verdict"], "proven");
    assert!(h["actions"][0]["frequency"]["text"].is_string());
}

#[test]
fn a_wrong_one_form_is_refuted() {
    let text = "system particle\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint z' = y*x'\n\
        oneform g = (x: 1, y: 2, z: y)\n";
    let model = written("wrong_one_form", text);
    let all = analyzed(&model, "hamilton_jacobi");
    let given = &all["hamilton_jacobi"]["given"][0];
    assert_eq!(given["strong"]["verdict"], "refuted");
    assert!(given["strong"]["witness"].is_string());
}

#[test]
fn a_singular_lagrangian_has_a_chain() {
    let regular = analyzed(&shipped("central_force"), "presymplectic");
    assert_eq!(regular["presymplectic"]["dimensions"], json!([6, 4]));
    assert_eq!(regular["presymplectic"]["gauge"], 0);
    let text = "system gauge\ncoord x, y\nlagrangian (x' + y)^2/2\n";
    let model = written("gauge", text);
    let all = analyzed(&model, "presymplectic");
    assert_eq!(all["presymplectic"]["dimensions"], json!([6, 4, 3]));
    assert_eq!(all["presymplectic"]["gauge"], 1);
}

/// A chain that is left before its end is a verdict, not a crash.
#[test]
fn a_chain_too_long_is_not_decided() {
    let all = analyzed(&shipped("rattleback"), "presymplectic");
    let p = &all["presymplectic"];
    assert!(p["verdict"].is_string());
    let late = rattleback([
        "analyze",
        &shipped("rattleback"),
        "--only",
        "presymplectic",
        "--effort",
        "0",
        "--json",
    ])
    .exits(0)
    .json();
    assert_eq!(late["presymplectic"]["verdict"], "undecided");
    assert!(late["presymplectic"]["why"].is_string());
}
