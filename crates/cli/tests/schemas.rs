//! What the commands write as JSON obeys the schemas of `docs/schema`, and no key goes undocumented.

use crate::common::schema::Schemas;
use crate::common::{rattleback, shipped, written};

/// Runs a command and holds what it writes against its schema.
#[track_caller]
fn obeys(schemas: &Schemas, arguments: &[&str]) {
    let run = rattleback(arguments.iter().copied().chain(["--json"]));
    assert!(
        run.code < 2 || arguments[0] == "check",
        "{arguments:?}: {}",
        run.err
    );
    let faults = schemas.faults(&format!("{}.json", arguments[0]), &run.json());
    assert!(
        faults.is_empty(),
        "{arguments:?} differs from docs/schema/{}.json:\n{}",
        arguments[0],
        faults.join("\n")
    );
}

fn example(name: &str) -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root
        .join("../../docs/examples")
        .join(format!("{name}.mech"));
    path.display().to_string()
}

#[test]
fn every_command_with_json_has_a_schema() {
    let schemas = Schemas::load();
    let named: Vec<&str> = schemas.names().filter(|n| *n != "common.json").collect();
    for command in [
        "analyze",
        "check",
        "compare",
        "control",
        "derive",
        "discrete",
        "ensemble",
        "linearize",
        "simulate",
    ] {
        assert!(named.contains(&&*format!("{command}.json")), "{command}");
        let help = rattleback([command, "--help"]).exits(0).out;
        assert!(help.contains("--json"), "{command}");
    }
    assert_eq!(named.len(), 9, "{named:?}");
}

/// A schema that takes anything would be none.
#[test]
fn schemas_refuse() {
    let schemas = Schemas::load();
    let value = |text: &str| serde_json::from_str(text).unwrap();
    assert!(!schemas.faults("check.json", &value("[]")).is_empty());
    let faults = schemas.faults(
        "check.json",
        &value(r#"{"system": 1, "ok": true, "diagnostics": [], "new": 0}"#),
    );
    assert_eq!(faults.len(), 2, "{faults:?}");
    let claim = r#"{"system": "a", "title": null, "params": {}, "measure": {"verdict": "likely"}}"#;
    assert!(!schemas.faults("analyze.json", &value(claim)).is_empty());
}

#[test]
fn check_and_derive() {
    let schemas = Schemas::load();
    for model in [
        "knife_edge",
        "heavy_top",
        "cubic_splines",
        "cart_pole_swing_up",
        "kinematic_car",
        "sampled_oscillator",
        "pendulum_chain",
    ] {
        obeys(&schemas, &["check", &shipped(model)]);
        obeys(&schemas, &["derive", &shipped(model)]);
    }
    for form in [
        "hamel",
        "hamiltonian",
        "almost-poisson",
        "chaplygin",
        "vakonomic",
    ] {
        obeys(
            &schemas,
            &["derive", &shipped("knife_edge"), "--form", form],
        );
    }
    obeys(
        &schemas,
        &["derive", &shipped("cart_pole"), "--form", "optimality"],
    );
    obeys(&schemas, &["derive", &shipped("knife_edge"), "--shortest"]);
    obeys(
        &schemas,
        &["derive", &shipped("knife_edge"), "--format", "mathml"],
    );
    for name in ["slips", "redundant", "tank", "river"] {
        obeys(&schemas, &["check", &example(name)]);
    }
}

#[test]
fn motions() {
    let schemas = Schemas::load();
    for model in [
        "knife_edge",
        "heavy_top",
        "cubic_splines",
        "driven_pendulum",
        "kinematic_car",
        "spherical_pendulum",
    ] {
        obeys(&schemas, &["simulate", &shipped(model), "--until", "0.2"]);
    }
    let splines = shipped("cubic_splines");
    obeys(
        &schemas,
        &["simulate", &splines, "--event", "y = 1 : rising"],
    );
    let pendulum = shipped("driven_pendulum");
    obeys(
        &schemas,
        &[
            "simulate",
            &pendulum,
            "--section",
            "theta' = 0",
            "--until",
            "5",
        ],
    );
    obeys(
        &schemas,
        &["simulate", &pendulum, "--lyapunov", "1", "--until", "1"],
    );
    let top = shipped("heavy_top");
    obeys(
        &schemas,
        &[
            "simulate",
            &top,
            "--method",
            "variational-midpoint",
            "--until",
            "0.1",
        ],
    );
    obeys(
        &schemas,
        &["compare", &shipped("knife_edge"), "--until", "0.2"],
    );
    let sleigh = shipped("chaplygin_sleigh");
    obeys(
        &schemas,
        &[
            "compare",
            &sleigh,
            "--with",
            "lagrange-dalembert",
            "--until",
            "0.2",
        ],
    );
    obeys(
        &schemas,
        &["ensemble", &sleigh, "--vary", "m=1:2:3", "--until", "0.2"],
    );
    obeys(
        &schemas,
        &[
            "ensemble",
            &sleigh,
            "--sample",
            "theta'~normal(0,1)",
            "-n",
            "4",
            "--event",
            "x = 0.01",
            "--until",
            "0.5",
        ],
    );
}

#[test]
fn linear_systems() {
    let schemas = Schemas::load();
    for at in ["start", "equilibrium"] {
        obeys(&schemas, &["linearize", &shipped("cart_pole"), "--at", at]);
    }
    obeys(&schemas, &["linearize", &shipped("heavy_top")]);
    obeys(
        &schemas,
        &["linearize", &shipped("central_force"), "--at", "steady"],
    );
    let pendulum = shipped("driven_pendulum");
    obeys(
        &schemas,
        &["linearize", &pendulum, "--along", "--set", "until=0.1"],
    );
    let swing = "system swing\ncoord x\nlagrangian x'^2/2 - x^2/2\nstart x = 1\ntime 0 .. 2*pi\n";
    let swing = written("swing", swing);
    obeys(&schemas, &["linearize", &swing, "--along", "--periodic"]);
}

#[test]
fn problems_with_ends() {
    let schemas = Schemas::load();
    for model in ["two_link_manipulator", "cubic_splines"] {
        obeys(&schemas, &["control", &shipped(model), "--nodes", "12"]);
    }
    obeys(&schemas, &["control", &example("tank")]);
    // Out of reach: what resists is told.
    let far = "system far\ncoord x\nkinetic x'^2/2\ncontrol u on x\ncost u^2/2\nbound -1 <= u <= 1\n\
               start x = 0\ngoal x = 10, x' = 0\ntime 0 .. 1\n";
    obeys(
        &schemas,
        &["control", &written("far", far), "--nodes", "10"],
    );
}

#[test]
fn discrete_systems() {
    let schemas = Schemas::load();
    for model in [
        "driven_pendulum",
        "knife_edge",
        "heavy_top",
        "cubic_splines",
        "central_force",
        "sampled_oscillator",
    ] {
        obeys(&schemas, &["discrete", &shipped(model)]);
    }
    let map = example("standard_map");
    obeys(&schemas, &["discrete", &map]);
    obeys(
        &schemas,
        &["discrete", &map, "--steps", "3", "--at", "theta = 2"],
    );
    obeys(&schemas, &["discrete", &example("tank"), "--steps", "5"]);
}

#[test]
fn analyses() {
    let schemas = Schemas::load();
    for model in [
        "knife_edge",
        "central_force",
        "heisenberg_particle",
        "cart_pole",
        "vertical_rolling_disk",
    ] {
        obeys(&schemas, &["analyze", &shipped(model), "--effort", "0.2"]);
    }
}
